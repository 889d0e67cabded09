/* fields_arrival.c: how it is written when clients want something. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <math.h>
#include <stddef.h>

#include "scenario/fields.h"
#include "scenario/series.h"
#include "scenario/value.h"

#define OF(member) offsetof(struct storm_population, member)

static row_reader spread_read, rate_read, series_row_read;

static const struct field_word spread_words[] = {
    {"even", STORM_SPREAD_EVEN, "client i of n at i/n of the period"},
    {"random", STORM_SPREAD_RANDOM, "each at a random place of its own, the same in every period"},
    {"none", STORM_SPREAD_NONE, "all at once"},
    {NULL, 0, NULL}};

static const struct row closed_rows[] = {
    {.field = {"think", FIELD_DIST, OF(think), NULL, 0, 0, NULL,
               "the pause of a client before each request"},
     .inner = &dist_shape},
    {.field = {.key = NULL}},
};
static const struct shape closed_shape = {.rows = closed_rows};

static const struct row arrival_rows[] = {
    {.field = {"at", FIELD_DURATION, OF(at), "", 0, LONGEST, NULL,
               "all clients at once at this time"},
     .choice = CHOICE_ONE},
    {.field = {"every", FIELD_DURATION, OF(period), "", 1e-6, LONGEST, NULL,
               "every client once a period"},
     .choice = CHOICE_ONE},
    {.field = {"spread", FIELD_DURATION, OF(spread_time), "", 0, LONGEST, spread_words,
               "how the clients lie in the period: even, random, none, or in its first 500ms; with "
               "at: none, or in the 500ms after it"},
     .read = spread_read,
     .with = "at every"},
    {.field = {"poisson", FIELD_RATE, OF(rate), "", RATE_LEAST, RATE_MOST, NULL,
               "at random, at this rate"},
     .choice = CHOICE_ONE,
     .live = true},
    {.field = {"even", FIELD_RATE, OF(rate), "", RATE_LEAST, RATE_MOST, NULL,
               "evenly spaced, at this rate"},
     .choice = CHOICE_ONE,
     .live = true},
    {.field = {"rate", FIELD_MAP, 0, "", 1, STORM_RATE_POINTS_MAX, NULL,
               "at random, at a rate that follows points: [[0s, 100/s], [60s, 900/s]]"},
     .read = rate_read,
     .item = rate_point_fields,
     .form = FORM_PAIRS,
     .choice = CHOICE_ONE,
     .example = "[[0s, 100/s], [60s, 900/s]]"},
    {.field = {"series", FIELD_TEXT, OF(series), "", 0, 0, NULL,
               "as rate, from the lines time,value of a file beside the scenario"},
     .read = series_row_read,
     .choice = CHOICE_ONE,
     .example = "load.csv"},
    {.field = {"closed", FIELD_MAP, 0, "", 0, 0, NULL,
               "each client thinks, asks, waits for the end, and thinks again"},
     .inner = &closed_shape,
     .choice = CHOICE_ONE,
     .live = true,
     .example = "{think: {exponential: 5s}}"},
    {.field = {.key = NULL}},
};
const struct shape arrival_shape = {.rows = arrival_rows, .name = "arrivals"};

/* ---- spread ---------------------------------------------------------------------------------- */

bool word_or_time_read(struct reader *reader, const struct trail *trail, const struct node *node,
                       const struct field *word, const struct field *time, void *target) {
    bool is_time = node->kind == NODE_SCALAR && node->text[0] >= '0' && node->text[0] <= '9';
    assert(word->kind == FIELD_WORD && time->kind == FIELD_DURATION);
    if (is_time)
        return value_read(reader, trail, node, time, target);
    value_read(reader, trail, node, word, target);
    return false;
}

static void spread_read(struct reader *reader, const struct trail *trail, const struct node *node,
                        void *target) {
    static const struct field word = {"spread", FIELD_WORD, OF(spread),   NULL,
                                      0,        0,          spread_words, NULL};
    static const struct field time = {
        "spread", FIELD_DURATION, OF(spread_time), NULL, 0, LONGEST, NULL, NULL};
    struct storm_population *population = target;
    population->spread = STORM_SPREAD_EVEN;
    if (node != NULL && word_or_time_read(reader, trail, node, &word, &time, target))
        population->spread = STORM_SPREAD_WITHIN;
}

/* Whether the spread goes with the kind of arrivals; `item` is NULL when none is written. */
static void spread_judge(struct reader *reader, const struct trail *trail, const struct item *item,
                         struct storm_population *population) {
    bool is_at = population->arrival == STORM_ARRIVAL_AT;
    if (item == NULL) {
        population->spread = is_at ? STORM_SPREAD_NONE : STORM_SPREAD_EVEN;
        return;
    }
    struct trail here = trail_item(trail, item);
    bool is_within = population->spread == STORM_SPREAD_WITHIN;
    if (!is_at && population->arrival != STORM_ARRIVAL_EVERY)
        blame(reader->errors, &here, item->place, "at and every have a spread",
              "means nothing for these arrivals");
    else if (is_at && !is_within && population->spread != STORM_SPREAD_NONE)
        blame(reader->errors, &here, item->value->place, "write none, or a time such as 500ms",
              "'%s' goes with every only", item->value->text);
    else if (!is_at && is_within && population->spread_time > population->period)
        blame(reader->errors, &here, item->value->place, NULL,
              "must not be longer than the period");
}

/* ---- rates ----------------------------------------------------------------------------------- */

static void rate_read(struct reader *reader, const struct trail *trail, const struct node *node,
                      void *target) {
    struct storm_population *population = target;
    if (node != NULL)
        population->point_count = rate_points_read(reader, trail, node, &population->points);
}

static void series_row_read(struct reader *reader, const struct trail *trail,
                            const struct node *node, void *target) {
    struct storm_population *population = target;
    if (node != NULL)
        population->point_count =
            series_read(reader, trail, node, &population->series, &population->points);
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* The last key of the map that is a kind of arrivals; *count is how many such keys there are. */
static const struct item *kind_find(const struct node *node, enum storm_arrival *kind, int *count) {
    static const struct field_word kinds[] = {
        {"at", STORM_ARRIVAL_AT, NULL},           {"every", STORM_ARRIVAL_EVERY, NULL},
        {"poisson", STORM_ARRIVAL_POISSON, NULL}, {"even", STORM_ARRIVAL_EVEN, NULL},
        {"rate", STORM_ARRIVAL_RATE, NULL},       {"series", STORM_ARRIVAL_RATE, NULL},
        {"closed", STORM_ARRIVAL_CLOSED, NULL},   {NULL, 0, NULL}};
    const struct item *last = NULL;
    assert(node->kind == NODE_MAP);
    *count = 0;
    for (const struct field_word *word = kinds; word->word != NULL; word++) {
        const struct item *item = tree_find(node, word->word);
        if (item == NULL)
            continue;
        ++*count;
        last = last == NULL || item > last ? item : last; /* both are in the map's array */
        *kind = (enum storm_arrival)word->value;
    }
    return last;
}

void arrivals_read(struct reader *reader, const struct trail *trail, const struct node *node,
                   void *target) {
    static const char example[] =
        "write one of {at: 60s}, {every: 10s}, {poisson: 200/s}, {even: 200/s}, "
        "{rate: [[0s, 10/s], [60s, 90/s]]}, {series: file.csv}, {closed: {think: 5s}}";
    struct storm_population *population = target;
    int count;
    if (node == NULL)
        return;
    if (node->kind != NODE_MAP) {
        reader_refuse(reader, trail, node, "a map", example);
        return;
    }
    uint32_t before = reader->errors->total;
    storm_dist_prepare(&population->think); /* it is read for one kind only */
    decode_map(reader, trail, node, &arrival_shape, target);
    const struct item *last = kind_find(node, &population->arrival, &count);
    if (reader->errors->total != before)
        return;
    if (count == 1)
        spread_judge(reader, trail, tree_find(node, "spread"), population);
    else
        blame(reader->errors, trail, last == NULL ? trail->place : last->place, example,
              last == NULL ? "says nothing" : "says more than one thing");
}
