/* fields_top.c: the keys at the top of a scenario. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/document.h"
#include "scenario/epoch.h"
#include "scenario/fields.h"
#include "scenario/override.h"

#define OF(member) offsetof(struct storm_scenario, member)

static row_reader version_read, epoch_read, seed_read;

static const struct field_word duration_words[] = {
    {"until_idle", FIELD_BOUNDLESS, "until no request is under way or to come"}, {NULL, 0, NULL}};

static const struct row no_rows[] = {{.field = {.key = NULL}}};
const struct shape paths_shape = {.rows = no_rows, .has_paths = true};

static const struct row scenario_rows[] = {
    {.field = {"version", FIELD_COUNT, 0, NULL, 1, 1, NULL, "write version: 1"},
     .read = version_read,
     .pattern = "^1$",
     .example = "1"},
    {.field = {"title", FIELD_TEXT, OF(title), "", 0, 0, NULL, "what the scenario is called"},
     .example = "Ten thousand sessions lose their server"},
    {.field = {"question", FIELD_TEXT, OF(question), "", 0, 0, NULL, "what it answers"},
     .example = "Which back-off lets the service come back?"},
    {.field = {"story", FIELD_TEXT, OF(story), "", 0, 0, NULL,
               "what happens in it, in a few sentences"},
     .example = "All of them come back at once, and too soon."},
    {.field = {"duration", FIELD_DURATION, OF(duration), NULL, SHORTEST, LONGEST, duration_words,
               "how long a run is, e.g. duration: 4m, or until_idle"}},
    {.field = {"epoch", FIELD_TEXT, 0, "1970-01-01T00:00:00Z", 0, 0, NULL,
               "the date and time of the run's beginning"},
     .read = epoch_read,
     .pattern = "^(19[7-9][0-9]|20[0-9]{2}|21[0-9]{2})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
                "[Tt ]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?"
                "([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$",
     .example = "2024-03-01T09:30:00Z"},
    {.field = {"seed", FIELD_WHOLE, 0, "1", 0, 0x1p64, NULL, "which luck; same seed, same results"},
     .read = seed_read,
     .pattern = "^(0|[1-9][0-9]{0,19})$",
     .example = "7"},
    {.field = {"runs", FIELD_COUNT, OF(runs), "30", 1, 1e6, NULL,
               "how many runs, each with its own luck"}},
    {.field = {"policies", FIELD_MAP, 0, "", 0, STORM_POLICIES_MAX, NULL, "retry policies by name"},
     .read = policies_read,
     .inner = &policy_shape,
     .form = FORM_NAMES,
     .example = "{app: {delay: full-jitter, base: 100ms, attempts: 5}}"},
    {.field = {"clients", FIELD_MAP, 0, NULL, 1, STORM_POPULATIONS_MAX, NULL,
               "populations of clients by name"},
     .read = clients_read,
     .inner = &population_shape,
     .form = FORM_NAMES,
     .example = "{web: {count: 1000, arrivals: {poisson: 50/s}, calls: {to: api, timeout: 2s}}}"},
    {.field = {"services", FIELD_MAP, 0, NULL, 1, STORM_SERVICES_MAX, NULL, "services by name"},
     .read = services_read,
     .inner = &service_shape,
     .form = FORM_NAMES,
     .example = "{api: {workers: 10, service_time: 20ms, queue: {limit: 100}}}"},
    {.field = {"queues", FIELD_MAP, 0, "", 0, STORM_QUEUES_MAX, NULL,
               "message queues by name, which calls may name like services"},
     .read = queues_read,
     .inner = &message_queue_shape,
     .form = FORM_NAMES,
     .example = "{orders: {visibility: 30s, max_receives: 5}}"},
    {.field = {"consumers", FIELD_MAP, 0, "", 0, STORM_POPULATIONS_MAX, NULL,
               "the workers of the queues by name; each queue has one kind of them"},
     .read = consumers_read,
     .inner = &consumer_shape,
     .form = FORM_NAMES,
     .example = "{workers: {from: orders, count: 20, calls: {to: api, timeout: 2s}}}"},
    {.field = {"dead_letters", FIELD_MAP, 0, "", 0, LETTER_QUEUES_MAX, NULL,
               "how long dead letters are kept, and when somebody is told, by their queue"},
     .read = dead_letters_read,
     .inner = &letter_queue_shape,
     .keys = &letter_queue_key,
     .form = FORM_NAMES,
     .pattern = LETTER_QUEUE_PATTERN,
     .example = "{web: {retention: 14d, alerts: [{depth: 0}]}}"},
    {.field = {"faults", FIELD_MAP, 0, "", 0, STORM_FAULTS_MAX, NULL, "what goes wrong, and when"},
     .read = faults_read,
     .inner = &fault_shape,
     .form = FORM_LIST,
     .example = "[{service: api, kind: down, at: 60s, for: 20s}]"},
    {.field = {"actions", FIELD_MAP, 0, "", 0, STORM_ACTIONS_MAX, NULL,
               "what operators do, and when"},
     .read = actions_read,
     .inner = &action_shape,
     .form = FORM_LIST,
     .example = "[{at: 90s, pause: all, for: 30s}]"},
    {.field = {"variants", FIELD_MAP, 0, "", 0, VARIANTS_MAX, NULL,
               "what is compared: a name and settings by path"},
     .read = variants_check,
     .inner = &paths_shape,
     .form = FORM_NAMES,
     .example = "{slow: {policies.app.base: 5s}, as-is: {}}"},
    {.field = {"expect", FIELD_MAP, 0, "", 0, STORM_EXPECTS_MAX, NULL,
               "what the results must show"},
     .read = expects_read,
     .inner = &expect_shape,
     .form = FORM_LIST,
     .example = "[{variant: slow, metric: recovers, at_least: 99%}]"},
    {.field = {.key = NULL}},
};
const struct shape scenario_shape = {.rows = scenario_rows};

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

/* ---- the whole ------------------------------------------------------------------------------- */

/* A run until idle must become idle. */
static void duration_judge(struct reader *reader, const struct trail *top) {
    const struct storm_scenario *scenario = reader->scenario;
    const struct item *item = tree_find(reader->root, "duration");
    char quoted[QUOTE_MAX];
    if (scenario->duration < STORM_NEVER)
        return;
    assert(item != NULL); /* it has no default */
    struct trail here = trail_item(top, item);
    for (uint32_t i = 0; i < scenario->population_count; i++) {
        const struct storm_population *population = &scenario->populations[i];
        if (storm_is_consumer(population) || storm_births_end(population))
            continue;
        blame(reader->errors, &here, item->value->place,
              "write a time, e.g. 4m; or let all clients come at one time, or at a rate that ends "
              "with 0/s",
              "is never idle: the requests of '%s' never end",
              blame_quote(population->name, quoted, sizeof quoted));
        return;
    }
}

static const struct node *value_of(const struct node *root, const char *key) {
    const struct item *item = tree_find(root, key);
    return item == NULL ? NULL : item->value;
}

struct storm_scenario *scenario_read(struct reader *reader, const struct node *root) {
    assert(root != NULL && root->kind == NODE_MAP);
    struct decoded *decoded = reader_take(reader, 1, sizeof *decoded);
    if (decoded == NULL)
        return NULL;
    uint32_t before = reader->errors->total;
    struct storm_scenario *scenario = &decoded->scenario;
    scenario->title = scenario->question = scenario->story = "";
    reader->scenario = scenario;
    reader->root = root;
    reader->policies = value_of(root, "policies");
    reader->clients = value_of(root, "clients");
    reader->consumers = value_of(root, "consumers");
    reader->services = value_of(root, "services");
    reader->queues = value_of(root, "queues");
    reader->variants = value_of(root, "variants");
    struct trail top = {.up = NULL};
    decode_map(reader, &top, root, &scenario_shape, scenario);
    calls_check(reader);
    if (reader->errors->total == before && !reader->is_blind)
        duration_judge(reader, &top);
    decoded->named_policies = reader->named_policies;
    return scenario;
}
