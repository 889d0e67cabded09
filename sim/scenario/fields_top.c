/* fields_top.c: the keys at the top of a scenario, and what it expects of its results. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/fields.h"
#include "scenario/override.h"
#include "scenario/value.h"

/* ---- expectations ---------------------------------------------------------------------------- */

#define OF(member) offsetof(struct storm_expect, member)

static row_reader variant_read, at_least_read, at_most_read;

static const struct row expect_rows[] = {
    {{"variant", FIELD_TEXT, 0, "", 0, 0, NULL, "of which variant; default: of each"},
     variant_read,
     NULL},
    {{"metric", FIELD_TEXT, OF(metric), NULL, 0, 0, NULL, "the metric that is looked at"},
     NULL,
     NULL},
    {{"at_least", FIELD_TEXT, 0, "", 0, 0, NULL, "its lower bound, e.g. 99%"}, at_least_read, NULL},
    {{"at_most", FIELD_TEXT, 0, "", 0, 0, NULL, "its upper bound, e.g. 2000"}, at_most_read, NULL},
    {{.key = NULL}, NULL, NULL},
};
const struct shape expect_shape = {expect_rows, NULL};

static void variant_read(struct reader *reader, const struct trail *trail, const struct node *node,
                         void *target) {
    struct storm_expect *expect = target;
    expect->variant = "";
    if (node == NULL)
        return;
    assert(reader->scenario->expects != NULL);
    static const struct node none = {.kind = NODE_MAP};
    const struct node *variants = reader->variants != NULL ? reader->variants : &none;
    if (decode_reference(reader, trail, node, variants, "variant") != STORM_NONE)
        expect->variant = node->text;
}

static void bound_read(struct reader *reader, const struct trail *trail, const struct node *node,
                       double *bound) {
    char quoted[QUOTE_MAX];
    assert(bound != NULL);
    *bound = (double)NAN; /* no bound */
    if (node == NULL)
        return;
    if (node->kind != NODE_SCALAR || tree_is_empty(node)) {
        reader_refuse(reader, trail, node, "a number", NULL);
        return;
    }
    const char *wrong = value_number(node->text, bound);
    if (wrong != NULL)
        blame(reader->errors, trail, node->place, "write 99%, 30s, 45/s, 4x or 2000", "'%s' %s",
              blame_quote(node->text, quoted, sizeof quoted), wrong);
}

static void at_least_read(struct reader *reader, const struct trail *trail, const struct node *node,
                          void *target) {
    bound_read(reader, trail, node, &((struct storm_expect *)target)->at_least);
}

static void at_most_read(struct reader *reader, const struct trail *trail, const struct node *node,
                         void *target) {
    bound_read(reader, trail, node, &((struct storm_expect *)target)->at_most);
}

static void expect_read(struct reader *reader, const struct trail *trail, const struct node *node,
                        struct storm_expect *expect) {
    uint32_t before = reader->errors->total;
    assert(node != NULL && expect != NULL);
    *expect = (struct storm_expect){.variant = "", .metric = "", .line = node->place.line};
    decode_map(reader, trail, node, &expect_shape, expect);
    if (reader->errors->total != before)
        return;
    if (isnan(expect->at_least) && isnan(expect->at_most))
        blame(reader->errors, trail, node->place, "at_least: 99%, or at_most: 2000",
              "has no bound");
    else if (expect->at_least > expect->at_most)
        blame(reader->errors, trail, node->place, NULL, "at_least is above at_most");
}

void expects_read(struct reader *reader, const struct trail *trail, const struct node *node,
                  void *target) {
    struct storm_scenario *scenario = target;
    assert(scenario == reader->scenario && scenario->expects == NULL);
    if (node == NULL)
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
#undef OF

/* ---- the top --------------------------------------------------------------------------------- */

#define OF(member) offsetof(struct storm_scenario, member)

static row_reader version_read, epoch_read, seed_read;

static const struct row scenario_rows[] = {
    {{"version", FIELD_COUNT, 0, NULL, 1, 1, NULL, "write version: 1"}, version_read, NULL},
    {{"title", FIELD_TEXT, OF(title), "", 0, 0, NULL, "what the scenario is called"}, NULL, NULL},
    {{"question", FIELD_TEXT, OF(question), "", 0, 0, NULL, "what it answers"}, NULL, NULL},
    {{"story", FIELD_TEXT, OF(story), "", 0, 0, NULL, "what happens in it, in a few sentences"},
     NULL,
     NULL},
    {{"duration", FIELD_DURATION, OF(duration), NULL, 1e-9, 1e9, NULL,
      "how long a run is, e.g. duration: 4m"},
     NULL,
     NULL},
    {{"epoch", FIELD_TEXT, 0, "1970-01-01T00:00:00Z", 0, 0, NULL,
      "the date and time of the run's beginning"},
     epoch_read,
     NULL},
    {{"seed", FIELD_COUNT, 0, "1", 0, 0, NULL, "which luck; same seed, same results"},
     seed_read,
     NULL},
    {{"runs", FIELD_COUNT, OF(runs), "30", 1, 1e6, NULL, "how many runs, each with its own luck"},
     NULL,
     NULL},
    {{"policies", FIELD_TEXT, 0, "", 0, 0, NULL, "retry policies by name"},
     policies_read,
     &policy_shape},
    {{"clients", FIELD_TEXT, 0, NULL, 0, 0, NULL, "populations of clients by name"},
     clients_read,
     &population_shape},
    {{"services", FIELD_TEXT, 0, NULL, 0, 0, NULL, "services by name"},
     services_read,
     &service_shape},
    {{"faults", FIELD_TEXT, 0, "", 0, 0, NULL, "what goes wrong, and when"},
     faults_read,
     &fault_shape},
    {{"variants", FIELD_TEXT, 0, "", 0, 0, NULL, "what is compared: a name and settings by path"},
     variants_check,
     NULL},
    {{"expect", FIELD_TEXT, 0, "", 0, 0, NULL, "what the results must show"},
     expects_read,
     &expect_shape},
    {{.key = NULL}, NULL, NULL},
};
const struct shape scenario_shape = {scenario_rows, NULL};

static void version_read(struct reader *reader, const struct trail *trail, const struct node *node,
                         void *target) {
    char quoted[QUOTE_MAX];
    (void)target;
    if (node == NULL)
        return;
    if (node->kind != NODE_SCALAR || tree_is_empty(node))
        reader_refuse(reader, trail, node, "1", NULL);
    else if (strcmp(node->text, "1") != 0)
        blame(reader->errors, trail, node->place, "this program reads version 1",
              "must be 1, not '%s'", blame_quote(node->text, quoted, sizeof quoted));
}

static void epoch_read(struct reader *reader, const struct trail *trail, const struct node *node,
                       void *target) {
    static const char example[] = "write 2024-03-01T09:30:00Z";
    struct storm_scenario *scenario = target;
    char quoted[QUOTE_MAX];
    assert(scenario == reader->scenario);
    scenario->epoch = 0;
    if (node == NULL)
        return;
    if (node->kind != NODE_SCALAR || tree_is_empty(node))
        reader_refuse(reader, trail, node, "a date and time", example);
    else if (!epoch_parse(node->text, &scenario->epoch))
        blame(reader->errors, trail, node->place, example,
              "must be a date and time of the years 1970 to 2199, not '%s'",
              blame_quote(node->text, quoted, sizeof quoted));
}

static void seed_read(struct reader *reader, const struct trail *trail, const struct node *node,
                      void *target) {
    struct storm_scenario *scenario = target;
    assert(scenario == reader->scenario);
    scenario->seed = 1;
    if (node == NULL)
        return;
    if (node->kind != NODE_SCALAR || tree_is_empty(node)) {
        reader_refuse(reader, trail, node, "a whole number", "write seed: 1");
        return;
    }
    size_t digits = strspn(node->text, "0123456789");
    bool is_good = digits > 0 && digits <= 20 && node->text[digits] == '\0' &&
                   (digits == 1 || node->text[0] != '0');
    /* Of texts of equal length the alphabet's order is the numbers'. */
    if (is_good && (digits < 20 || strcmp(node->text, "18446744073709551615") <= 0))
        scenario->seed = strtoull(node->text, NULL, 10);
    else
        reader_refuse(reader, trail, node, "a whole number from 0 to 18446744073709551615", NULL);
}
