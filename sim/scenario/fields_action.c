/* fields_action.c: how it is written what operators do, and what their settings leave behind. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "scenario/fields.h"
#include "scenario/override.h"

#define OF(member) offsetof(struct storm_action, member)

static row_reader clients_of_action_read, service_of_action_read, set_read;

static const struct field_word all_words[] = {{"all", -1, "all populations"}, {NULL, 0, NULL}};

static const struct row action_rows[] = {
    {.field = {"at", FIELD_DURATION, OF(at), NULL, 0, LONGEST, NULL, "when it is done"}},
    {.field = {"pause", FIELD_TEXT, 0, "", 0, 0, all_words,
               "these clients, or all, want nothing for a time"},
     .read = clients_of_action_read,
     .choice = CHOICE_ONE,
     .example = "all"},
    {.field = {"block", FIELD_TEXT, 0, "", 0, 0, all_words,
               "the service refuses what stems from these clients, or from all"},
     .read = clients_of_action_read,
     .choice = CHOICE_ONE,
     .with = "service",
     .example = "all"},
    {.field = {"clear", FIELD_TEXT, 0, "", 0, 0, NULL, "what waits at this service is reset"},
     .read = service_of_action_read,
     .choice = CHOICE_ONE,
     .example = "api"},
    {.field = {"admit", FIELD_RATE, OF(rate), "", RATE_LEAST, RATE_MOST, NULL,
               "the service lets in so many attempts, and refuses the rest"},
     .choice = CHOICE_ONE,
     .with = "service"},
    {.field = {"set", FIELD_MAP, 0, "", 0, 0, NULL,
               "settings that change for good, by path: {services.api.workers: 80}"},
     .read = set_read,
     .inner = &paths_shape,
     .choice = CHOICE_ONE,
     .example = "{services.api.workers: 80}"},
    {.field = {"service", FIELD_TEXT, 0, "", 0, 0, NULL, "block, admit: the service that does it"},
     .read = service_of_action_read,
     .with = "block admit",
     .example = "api"},
    {.field = {"for", FIELD_DURATION, OF(length), "none", SHORTEST, HUGE_VAL, NULL,
               "pause, block, admit: how long; none: to the end"},
     .with = "pause block admit"},
    {.field = {"status", FIELD_STATUS, OF(status), "503", 400, 599, NULL,
               "block, admit: what is answered to those refused"},
     .with = "block admit"},
    {.field = {.key = NULL}},
};
const struct shape action_shape = {.rows = action_rows, .name = "action"};

/* ---- one action ------------------------------------------------------------------------------ */

static void clients_of_action_read(struct reader *reader, const struct trail *trail,
                                   const struct node *node, void *target) {
    struct storm_action *action = target;
    assert(reader->scenario->actions != NULL);
    if (node == NULL || (node->kind == NODE_SCALAR && strcmp(node->text, all_words[0].word) == 0))
        return; /* all is what it was before */
    action->population = decode_reference(reader, trail, node, reader->clients, "population");
}

static void service_of_action_read(struct reader *reader, const struct trail *trail,
                                   const struct node *node, void *target) {
    struct storm_action *action = target;
    assert(reader->scenario->actions != NULL);
    if (node != NULL)
        action->service = decode_reference(reader, trail, node, reader->services, "service");
}

/* What is in it is read later, when all actions are known and in the order of their times. */
static void set_read(struct reader *reader, const struct trail *trail, const struct node *node,
                     void *target) {
    static const char example[] = "set: {services.api.workers: 80}";
    (void)target;
    if (node == NULL)
        return;
    assert(!reader->is_after);
    if (node->kind != NODE_MAP || node->count == 0)
        reader_refuse(reader, trail, node, "a map of settings by path", example);
    else if (node->count > OVERRIDES_MAX)
        blame(reader->errors, trail, node->place, NULL, "more than %d settings", OVERRIDES_MAX);
}

/* Which kinds of actions have which key, by the bits of enum storm_action_kind; a kind's own key is
   that of its one bit. */
static const struct action_key {
    const char *key;
    unsigned kinds;
    bool is_kind;
    const char *help;
} action_keys[] = {
    {"pause", 1U << STORM_ACTION_PAUSE, true, NULL},
    {"block", 1U << STORM_ACTION_BLOCK, true, NULL},
    {"clear", 1U << STORM_ACTION_CLEAR, true, NULL},
    {"admit", 1U << STORM_ACTION_ADMIT, true, NULL},
    {"set", 1U << STORM_ACTION_SET, true, NULL},
    {"for", 1U << STORM_ACTION_PAUSE | 1U << STORM_ACTION_BLOCK | 1U << STORM_ACTION_ADMIT, false,
     "pause, block and admit last for a time"},
    {"service", 1U << STORM_ACTION_BLOCK | 1U << STORM_ACTION_ADMIT, false,
     "block and admit have a service, e.g. service: api"},
    {"status", 1U << STORM_ACTION_BLOCK | 1U << STORM_ACTION_ADMIT, false,
     "block and admit have a status"},
    {NULL, 0, false, NULL},
};

bool action_has(enum storm_action_kind kind, const char *key) {
    assert(key != NULL);
    for (const struct action_key *row = action_keys; row->key != NULL; row++) {
        if (strcmp(row->key, key) == 0)
            return (row->kinds >> kind & 1) != 0;
    }
    return true;
}

/* The kind of an action by its key; *count is how many such keys there are. */
static enum storm_action_kind kind_of(const struct node *node, int *count) {
    static const enum storm_action_kind kinds[] = {STORM_ACTION_PAUSE, STORM_ACTION_BLOCK,
                                                   STORM_ACTION_CLEAR, STORM_ACTION_ADMIT,
                                                   STORM_ACTION_SET};
    enum storm_action_kind kind = STORM_ACTION_PAUSE;
    *count = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        assert(action_keys[i].is_kind && action_keys[i].kinds == 1U << kinds[i]);
        if (tree_find(node, action_keys[i].key) != NULL) {
            kind = kinds[i];
            ++*count;
        }
    }
    return kind;
}

static void action_judge(struct reader *reader, const struct trail *trail, const struct node *node,
                         struct storm_action *action) {
    int count;
    action->kind = kind_of(node, &count);
    if (count != 1) {
        blame(reader->errors, trail, node->place,
              "write one of pause: all, block: all, clear: SERVICE, admit: 200/s, set: {...}",
              count == 0 ? "does nothing" : "does more than one thing");
        return;
    }
    for (const struct action_key *key = action_keys; key->key != NULL; key++) {
        const struct item *item = tree_find(node, key->key);
        struct trail here = {.up = trail, .key = key->key};
        if (item != NULL && !action_has(action->kind, key->key))
            blame(reader->errors, &here, item->place, key->help,
                  "means nothing for this kind of action");
    }
    if (action_has(action->kind, "service") && tree_find(node, "service") == NULL) {
        struct trail here = {.up = trail, .key = "service"};
        blame(reader->errors, &here, node->place, "say which service does it, e.g. service: api",
              "is missing");
    }
}

static void action_read(struct reader *reader, const struct trail *trail, const struct node *node,
                        struct storm_action *action) {
    uint32_t before = reader->errors->total;
    assert(node != NULL);
    *action = (struct storm_action){
        .population = STORM_NONE, .service = STORM_NONE, .policy = STORM_NONE};
    decode_map(reader, trail, node, &action_shape, action);
    if (reader->errors->total == before)
        action_judge(reader, trail, node, action);
}

/* ---- all actions ----------------------------------------------------------------------------- */

void actions_read(struct reader *reader, const struct trail *trail, const struct node *node,
                  void *target) {
    struct storm_scenario *scenario = target;
    assert(scenario == reader->scenario && scenario->actions == NULL);
    if (node == NULL || reader->is_after)
        return;
    if (node->kind != NODE_LIST) {
        reader_refuse(reader, trail, node, "a list of actions",
                      "actions: [{at: 60s, pause: all, for: 30s}]");
        return;
    }
    if (node->count > STORM_ACTIONS_MAX) {
        blame(reader->errors, trail, trail->place, NULL, "more than %d actions", STORM_ACTIONS_MAX);
        return;
    }
    if (node->count == 0)
        return;
    scenario->actions = reader_take(reader, node->count, sizeof *scenario->actions);
    if (scenario->actions == NULL)
        return;
    scenario->action_count = node->count;
    for (uint32_t i = 0; i < node->count; i++) {
        struct trail here = trail_index(trail, i, &node->items[i]);
        action_read(reader, &here, node->items[i].value, &scenario->actions[i]);
    }
    actions_apply(reader, trail, node);
}
