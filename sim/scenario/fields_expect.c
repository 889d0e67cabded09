/* fields_expect.c: how it is written what a scenario expects of its results. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "scenario/fields.h"
#include "scenario/value.h"

#define OF(member) offsetof(struct storm_expect, member)

static row_reader variant_read, at_least_read, at_most_read;

/* A number with any unit, or none. */
#define BOUND_PATTERN "^(0|[1-9][0-9]*)(\\.[0-9]+)?(%|x|ns|us|ms|[smhd]|[kM]|[kM]?/[smh])?$"

static const struct field_word statistic_words[] = {
#define STATISTIC_WORD(name, word, sentence) {word, STORM_STATISTIC_##name, sentence},
    STORM_STATISTIC_MAP(STATISTIC_WORD)
#undef STATISTIC_WORD
        {NULL, 0, NULL}};
static const struct field_word severity_words[] = {
    {"error", STORM_SEVERITY_ERROR, "the check fails"},
    {"warn", STORM_SEVERITY_WARN, "it is said, and the check goes on"},
    {NULL, 0, NULL}};

static const struct row expect_rows[] = {
    {.field = {"variant", FIELD_TEXT, 0, "", 0, 0, NULL, "of which variant; default: of each"},
     .read = variant_read,
     .example = "slow"},
    {.field = {"metric", FIELD_TEXT, OF(metric), NULL, 0, 0, NULL,
               "the metric that is looked at, or recovers: the share of the runs that come back or "
               "were never harmed"},
     .example = "recovers"},
    {.field = {"statistic", FIELD_WORD, OF(statistic), "median", 0, 0, statistic_words,
               "which of the runs' values the bounds are for"}},
    {.field = {"at_least", FIELD_TEXT, 0, "", 0, 0, NULL, "its lower bound, e.g. 99%"},
     .read = at_least_read,
     .choice = CHOICE_SOME,
     .pattern = BOUND_PATTERN,
     .example = "99%"},
    {.field = {"at_most", FIELD_TEXT, 0, "", 0, 0, NULL, "its upper bound, e.g. 2000"},
     .read = at_most_read,
     .choice = CHOICE_SOME,
     .pattern = BOUND_PATTERN,
     .example = "2000"},
    {.field = {"severity", FIELD_WORD, OF(severity), "error", 0, 0, severity_words,
               "what it means when the bounds are not kept"}},
    {.field = {.key = NULL}},
};
const struct shape expect_shape = {.rows = expect_rows, .name = "expectation"};

static void variant_read(struct reader *reader, const struct trail *trail, const struct node *node,
                         void *target) {
    struct storm_expect *expect = target;
    expect->variant = "";
    if (node == NULL)
        return;
    assert(reader->scenario->expects != NULL);
    static const struct node none = {.kind = NODE_MAP};
    const struct node *variants = reader->variants != NULL ? reader->variants : &none;
    if (decode_reference(reader, trail, node, variants, NULL, "variant") != STORM_NONE)
        expect->variant = node->text;
}

static void bound_read(struct reader *reader, const struct trail *trail, const struct node *node,
                       double *bound, enum storm_unit *unit) {
    char quoted[QUOTE_MAX];
    assert(bound != NULL);
    *bound = (double)NAN; /* no bound */
    if (node == NULL)
        return;
    if (node->kind != NODE_SCALAR || tree_is_empty(node)) {
        reader_refuse(reader, trail, node, "a number", NULL);
        return;
    }
    const char *wrong = storm_number_parse(node->text, bound, unit);
    if (wrong != NULL)
        blame(reader->errors, trail, node->place, "write 99%, 30s, 45/s, 4x or 2000", "'%s' %s",
              blame_quote(node->text, quoted, sizeof quoted), wrong);
}

static void at_least_read(struct reader *reader, const struct trail *trail, const struct node *node,
                          void *target) {
    struct storm_expect *expect = target;
    bound_read(reader, trail, node, &expect->at_least, &expect->at_least_unit);
}

static void at_most_read(struct reader *reader, const struct trail *trail, const struct node *node,
                         void *target) {
    struct storm_expect *expect = target;
    bound_read(reader, trail, node, &expect->at_most, &expect->at_most_unit);
}

static void expect_read(struct reader *reader, const struct trail *trail, const struct node *node,
                        struct storm_expect *expect) {
    uint32_t before = reader->errors->total;
    assert(node != NULL && expect != NULL);
    *expect = (struct storm_expect){
        .variant = "", .metric = "", .line = node->place.line, .column = node->place.column};
    decode_map(reader, trail, node, &expect_shape, expect);
    if (reader->errors->total != before)
        return;
    if (isnan(expect->at_least) && isnan(expect->at_most))
        blame(reader->errors, trail, node->place, "at_least: 99%, or at_most: 2000",
              "has no bound");
    else if (expect->at_least > expect->at_most)
        blame(reader->errors, trail, node->place, NULL, "at_least is above at_most");
    else if (expect->statistic != STORM_STATISTIC_MEDIAN &&
             strcmp(expect->metric, STORM_EXPECT_RECOVERS) == 0)
        blame(reader->errors, trail, node->place, "leave out statistic",
              "'recovers' is a share of the runs, which has no other statistic");
}

void expects_read(struct reader *reader, const struct trail *trail, const struct node *node,
                  void *target) {
    struct storm_scenario *scenario = target;
    assert(scenario == reader->scenario && scenario->expects == NULL);
    if (node == NULL || reader->is_after)
        return;
    if (node->kind != NODE_LIST) {
        reader_refuse(reader, trail, node, "a list", "expect: [{metric: recovers, at_least: 99%}]");
        return;
    }
    if (node->count > STORM_EXPECTS_MAX) {
        blame(reader->errors, trail, trail->place, NULL, "more than %d expectations",
              STORM_EXPECTS_MAX);
        return;
    }
    if (node->count == 0)
        return;
    scenario->expects = reader_take(reader, node->count, sizeof *scenario->expects);
    if (scenario->expects == NULL)
        return;
    scenario->expect_count = node->count;
    for (uint32_t i = 0; i < node->count; i++) {
        struct trail here = trail_index(trail, i, &node->items[i]);
        expect_read(reader, &here, node->items[i].value, &scenario->expects[i]);
    }
}
