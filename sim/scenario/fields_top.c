/* fields_top.c: the keys at the top of a scenario. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/document.h"
#include "scenario/fields.h"
#include "scenario/override.h"

#define OF(member) offsetof(struct storm_scenario, member)

static row_reader version_read, epoch_read, seed_read;

static const struct field_word duration_words[] = {{"until_idle", FIELD_BOUNDLESS}, {NULL, 0}};

static const struct row scenario_rows[] = {
    {.field = {"version", FIELD_COUNT, 0, NULL, 1, 1, NULL, "write version: 1"},
     .read = version_read},
    {.field = {"title", FIELD_TEXT, OF(title), "", 0, 0, NULL, "what the scenario is called"}},
    {.field = {"question", FIELD_TEXT, OF(question), "", 0, 0, NULL, "what it answers"}},
    {.field = {"story", FIELD_TEXT, OF(story), "", 0, 0, NULL,
               "what happens in it, in a few sentences"}},
    {.field = {"duration", FIELD_DURATION, OF(duration), NULL, SHORTEST, LONGEST, duration_words,
               "how long a run is, e.g. duration: 4m, or until_idle"}},
    {.field = {"epoch", FIELD_TEXT, 0, "1970-01-01T00:00:00Z", 0, 0, NULL,
               "the date and time of the run's beginning"},
     .read = epoch_read},
    {.field = {"seed", FIELD_COUNT, 0, "1", 0, 0, NULL, "which luck; same seed, same results"},
     .read = seed_read},
    {.field = {"runs", FIELD_COUNT, OF(runs), "30", 1, 1e6, NULL,
               "how many runs, each with its own luck"}},
    {.field = {"policies", FIELD_TEXT, 0, "", 0, 0, NULL, "retry policies by name"},
     .read = policies_read,
     .inner = &policy_shape,
     .form = FORM_NAMES},
    {.field = {"clients", FIELD_TEXT, 0, NULL, 0, 0, NULL, "populations of clients by name"},
     .read = clients_read,
     .inner = &population_shape,
     .form = FORM_NAMES},
    {.field = {"services", FIELD_TEXT, 0, NULL, 0, 0, NULL, "services by name"},
     .read = services_read,
     .inner = &service_shape,
     .form = FORM_NAMES},
    {.field = {"faults", FIELD_TEXT, 0, "", 0, 0, NULL, "what goes wrong, and when"},
     .read = faults_read,
     .inner = &fault_shape,
     .form = FORM_LIST},
    {.field = {"actions", FIELD_TEXT, 0, "", 0, 0, NULL, "what operators do, and when"},
     .read = actions_read,
     .inner = &action_shape,
     .form = FORM_LIST},
    {.field = {"variants", FIELD_TEXT, 0, "", 0, 0, NULL,
               "what is compared: a name and settings by path"},
     .read = variants_check},
    {.field = {"expect", FIELD_TEXT, 0, "", 0, 0, NULL, "what the results must show"},
     .read = expects_read,
     .inner = &expect_shape,
     .form = FORM_LIST},
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

/* Whether a population's requests end by themselves. */
static bool births_end(const struct storm_population *population) {
    if (population->arrival == STORM_ARRIVAL_RATE)
        return population->points[population->point_count - 1].rate <= 0;
    return population->arrival == STORM_ARRIVAL_AT;
}

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
        if (births_end(&scenario->populations[i]))
            continue;
        blame(reader->errors, &here, item->value->place,
              "write a time, e.g. 4m; or let all clients come at one time, or at a rate that ends "
              "with 0/s",
              "is never idle: the requests of '%s' never end",
              blame_quote(scenario->populations[i].name, quoted, sizeof quoted));
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
    reader->services = value_of(root, "services");
    reader->variants = value_of(root, "variants");
    struct trail top = {.up = NULL};
    decode_map(reader, &top, root, &scenario_shape, scenario);
    if (reader->errors->total == before && !reader->is_blind)
        duration_judge(reader, &top);
    decoded->named_policies = reader->named_policies;
    return scenario;
}
