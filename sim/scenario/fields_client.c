/* fields_client.c: how a population of clients, and a call, is written. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "scenario/fields.h"
#include "scenario/value.h"

#define LONGEST 1e9 /* seconds: about 30 years */
#define SHORTEST 1e-9
#define RATE_MOST 1e9

/* ---- calls ----------------------------------------------------------------------------------- */

#define OF(member) offsetof(struct storm_edge, member)

static row_reader to_read, retry_of_edge_read;

static const struct row edge_rows[] = {
    {{"to", FIELD_TEXT, 0, NULL, 0, 0, NULL, "the service called"}, to_read, NULL},
    {{"timeout", FIELD_DURATION, OF(timeout), "none", SHORTEST, HUGE_VAL, NULL,
      "how long each attempt waits for its answer"},
     NULL,
     NULL},
    {{"deadline", FIELD_DURATION, OF(deadline), "none", SHORTEST, HUGE_VAL, NULL,
      "how long the whole call may take, all its attempts and delays"},
     NULL,
     NULL},
    {{"network", FIELD_DIST, OF(network), "0s", 0, 0, NULL, "latency of one way, drawn for each"},
     NULL,
     &dist_shape},
    {{"retry", FIELD_TEXT, 0, "no-retry", 0, 0, NULL, "a policy: its name, or a map"},
     retry_of_edge_read,
     &policy_shape},
    {{.key = NULL}, NULL, NULL},
};
const struct shape edge_shape = {edge_rows, NULL};
#undef OF

static void to_read(struct reader *reader, const struct trail *trail, const struct node *node,
                    void *target) {
    struct storm_edge *edge = target;
    edge->to = STORM_NONE;
    edge->to_name = "";
    if (node == NULL)
        return;
    edge->to = decode_reference(reader, trail, node, reader->services, "service");
    if (edge->to != STORM_NONE)
        edge->to_name = node->text;
}

static void retry_of_edge_read(struct reader *reader, const struct trail *trail,
                               const struct node *node, void *target) {
    struct storm_edge *edge = target;
    edge->policy = retry_read(reader, trail, node);
}

void edge_read(struct reader *reader, const struct trail *trail, const struct node *node,
               struct storm_edge *edge) {
    assert(node != NULL && edge != NULL);
    *edge = (struct storm_edge){
        .to_name = "", .to = STORM_NONE, .policy = STORM_NONE, .timeout = STORM_NEVER};
    edge->deadline = STORM_NEVER;
    if (node->kind == NODE_MAP)
        decode_map(reader, trail, node, &edge_shape, edge);
    else
        reader_refuse(reader, trail, node, "a call", "write {to: SERVICE, timeout: 2s}");
}

/* ---- arrivals -------------------------------------------------------------------------------- */

#define OF(member) offsetof(struct storm_population, member)

static row_reader spread_read;

static const struct row arrival_rows[] = {
    {{"at", FIELD_DURATION, OF(at), "", 0, LONGEST, NULL, "all clients at once at this time"},
     NULL,
     NULL},
    {{"every", FIELD_DURATION, OF(period), "", 1e-6, LONGEST, NULL, "every client once a period"},
     NULL,
     NULL},
    {{"spread", FIELD_TEXT, 0, "even", 0, 0, NULL,
      "how the clients lie in the period: even, random, none, or in its first 500ms"},
     spread_read,
     NULL},
    {{"poisson", FIELD_RATE, OF(rate), "", 1e-9, RATE_MOST, NULL, "at random, at this rate"},
     NULL,
     NULL},
    {{"even", FIELD_RATE, OF(rate), "", 1e-9, RATE_MOST, NULL, "evenly spaced, at this rate"},
     NULL,
     NULL},
    {{.key = NULL}, NULL, NULL},
};
static const struct shape arrival_shape = {arrival_rows, NULL};

static void spread_read(struct reader *reader, const struct trail *trail, const struct node *node,
                        void *target) {
    static const struct field_word words[] = {{"even", STORM_SPREAD_EVEN},
                                              {"random", STORM_SPREAD_RANDOM},
                                              {"none", STORM_SPREAD_NONE},
                                              {NULL, 0}};
    static const struct field word = {"spread", FIELD_WORD, OF(spread), NULL, 0, 0, words, NULL};
    static const struct field time = {
        "spread", FIELD_DURATION, OF(spread_time), NULL, 0, LONGEST, NULL, NULL};
    struct storm_population *population = target;
    assert(population->arrival == STORM_ARRIVAL_AT); /* not known yet */
    population->spread = STORM_SPREAD_EVEN;
    if (node == NULL)
        return;
    bool is_time = node->kind == NODE_SCALAR && node->text[0] >= '0' && node->text[0] <= '9';
    if (is_time && value_read(reader, trail, node, &time, target))
        population->spread = STORM_SPREAD_WITHIN;
    if (!is_time)
        value_read(reader, trail, node, &word, target);
    if (population->spread == STORM_SPREAD_WITHIN && population->spread_time > population->period)
        blame(reader->errors, trail, node->place, NULL, "must not be longer than the period");
}

static void arrivals_read(struct reader *reader, const struct trail *trail, const struct node *node,
                          void *target) {
    static const struct field_word kinds[] = {{"at", STORM_ARRIVAL_AT},
                                              {"every", STORM_ARRIVAL_EVERY},
                                              {"poisson", STORM_ARRIVAL_POISSON},
                                              {"even", STORM_ARRIVAL_EVEN},
                                              {NULL, 0}};
    static const char example[] =
        "write one of {at: 60s}, {every: 10s}, {poisson: 200/s}, {even: 200/s}";
    struct storm_population *population = target;
    int count = 0;
    if (node == NULL)
        return;
    if (node->kind != NODE_MAP) {
        reader_refuse(reader, trail, node, "a map", example);
        return;
    }
    uint32_t before = reader->errors->total;
    decode_map(reader, trail, node, &arrival_shape, target);
    for (const struct field_word *kind = kinds; kind->word != NULL; kind++) {
        if (tree_find(node, kind->word) != NULL) {
            population->arrival = (enum storm_arrival)kind->value;
            count++;
        }
    }
    if (reader->errors->total != before)
        return;
    const struct item *spread = tree_find(node, "spread");
    if (count != 1)
        blame(reader->errors, trail, trail->place, example,
              count == 0 ? "says nothing" : "says more than one thing");
    else if (spread != NULL && population->arrival != STORM_ARRIVAL_EVERY)
        blame(reader->errors, trail, spread->place, NULL, "spread goes with every only");
}

/* ---- populations ----------------------------------------------------------------------------- */

static row_reader calls_read, queue_name_read;

static const struct row population_rows[] = {
    {{"count", FIELD_COUNT, OF(count), NULL, 1, STORM_CLIENTS_MAX, NULL, "how many clients"},
     NULL,
     NULL},
    {{"arrivals", FIELD_TEXT, 0, NULL, 0, 0, NULL, "when they want something"},
     arrivals_read,
     &arrival_shape},
    {{"calls", FIELD_TEXT, 0, NULL, 0, 0, NULL, "whom they call, and how"},
     calls_read,
     &edge_shape},
    {{"in_time", FIELD_DURATION, OF(in_time), "", SHORTEST, HUGE_VAL, NULL,
      "how late an answer still counts; default: the call's deadline, else its timeout"},
     NULL,
     NULL},
    {{"dead_letter_queue", FIELD_TEXT, OF(dead_letter_queue), "", 0, 0, NULL,
      "where requests go that are given up on; default: a queue of the population's name"},
     queue_name_read,
     NULL},
    {{.key = NULL}, NULL, NULL},
};
const struct shape population_shape = {population_rows, NULL};

static void calls_read(struct reader *reader, const struct trail *trail, const struct node *node,
                       void *target) {
    struct storm_population *population = target;
    population->call = (struct storm_edge){.to = STORM_NONE, .policy = STORM_NONE};
    if (node == NULL)
        return;
    if (node->kind == NODE_LIST)
        reader_refuse(reader, trail, node, "one call", "write calls: {to: SERVICE}, without [ ]");
    else
        edge_read(reader, trail, node, &population->call);
}

static void queue_name_read(struct reader *reader, const struct trail *trail,
                            const struct node *node, void *target) {
    static const struct field text = {
        "dead_letter_queue", FIELD_TEXT, OF(dead_letter_queue), NULL, 0, 0, NULL, NULL};
    struct storm_population *population = target;
    if (node == NULL || !value_read(reader, trail, node, &text, target))
        return;
    const char *name = population->dead_letter_queue;
    size_t good = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-");
    char quoted[QUOTE_MAX];
    if (good == 0 || good > 64 || name[good] != '\0')
        blame(reader->errors, trail, node->place,
              "a queue's name has letters, digits, '-', '_' and '.', at most 64 of them",
              "'%s' is not a name", blame_quote(name, quoted, sizeof quoted));
}

static void population_read(struct reader *reader, const struct trail *trail,
                            const struct item *item, struct storm_population *population) {
    const storm_time unset = -1;
    assert(item->key != NULL && item->value != NULL);
    *population = (struct storm_population){
        .name = item->key, .dead_letter_queue = item->key, .in_time = unset};
    decode_name(reader, trail, item);
    decode_map(reader, trail, item->value, &population_shape, population);
    if (population->in_time != unset)
        return;
    population->in_time = population->call.deadline;
    if (population->in_time == STORM_NEVER)
        population->in_time = population->call.timeout;
}

void clients_read(struct reader *reader, const struct trail *trail, const struct node *node,
                  void *target) {
    struct storm_scenario *scenario = target;
    uint64_t total = 0;
    assert(scenario == reader->scenario && scenario->populations == NULL);
    if (node == NULL)
        return;
    if (node->kind != NODE_MAP || node->count == 0) {
        reader_refuse(reader, trail, node, "a map of populations by name",
                      "clients: {web: {count: 1000, arrivals: {poisson: 50/s}, calls: {to: api}}}");
        return;
    }
    if (node->count > STORM_POPULATIONS_MAX) {
        blame(reader->errors, trail, trail->place, NULL, "more than %d populations",
              STORM_POPULATIONS_MAX);
        return;
    }
    scenario->populations = reader_take(reader, node->count, sizeof *scenario->populations);
    if (scenario->populations == NULL)
        return;
    scenario->population_count = node->count;
    for (uint32_t i = 0; i < node->count; i++) {
        struct trail here = trail_item(trail, &node->items[i]);
        population_read(reader, &here, &node->items[i], &scenario->populations[i]);
        total += scenario->populations[i].count;
    }
    if (total > STORM_CLIENTS_MAX)
        blame(reader->errors, trail, trail->place, NULL, "more than %d clients in all",
              STORM_CLIENTS_MAX);
}
