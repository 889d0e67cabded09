/* fields_action.c: how it is written what operators do, and what their settings leave behind. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "scenario/document.h"
#include "scenario/fields.h"
#include "scenario/flow.h"
#include "scenario/override.h"

#define OF(member) offsetof(struct storm_action, member)

static row_reader clients_of_action_read, service_of_action_read, set_read;

static const struct field_word all_words[] = {{"all", -1}, {NULL, 0}};

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
    *action = (struct storm_action){.population = STORM_NONE, .service = STORM_NONE};
    decode_map(reader, trail, node, &action_shape, action);
    if (reader->errors->total == before)
        action_judge(reader, trail, node, action);
}

/* ---- what may be set ------------------------------------------------------------------------- */

static bool holds_live(const struct shape *shape) {
    if (shape == NULL || shape->live)
        return shape != NULL;
    for (const struct row *row = shape->rows; row->field.key != NULL; row++) {
        if (row->live || holds_live(row->inner))
            return true;
    }
    return false;
}

/* "live are workers, service_time, ..." */
static const char *live_list(const struct shape *shape, char *buffer, size_t size) {
    size_t used = (size_t)snprintf(buffer, size, "live are ");
    const char *comma = "";
    for (const struct row *row = shape->rows; row->field.key != NULL; row++) {
        if (!row->live && !holds_live(row->inner))
            continue;
        used += (size_t)snprintf(buffer + used, size - used, "%s%s", comma, row->field.key);
        assert(used < size); /* no table is that long */
        comma = ", ";
    }
    return buffer;
}

/* Moves behind the next name of a path, which is copied; false at its end. */
static bool name_next(const char **path, char *name, size_t size) {
    size_t length = strcspn(*path, ".");
    snprintf(name, size, "%.*s", (int)length, *path);
    if (**path == '\0')
        return false;
    *path += length + ((*path)[length] == '.' ? 1 : 0);
    return true;
}

/* Whether a path leads to a live setting, or to none at all (which its decoding tells better).
   *shape is then the table of the key at which it was lost. */
static bool path_is_live(const char *path, const struct shape **shape) {
    char name[STORM_PATH_MAX];
    *shape = &scenario_shape;
    while (name_next(&path, name, sizeof name)) {
        const struct row *row = shape_row(*shape, name);
        if (row == NULL || row->live)
            return true;
        bool has_item = row->form == FORM_ONE || name_next(&path, name, sizeof name);
        if (!has_item || row->inner == NULL || !holds_live(row->inner))
            return false;
        *shape = row->inner;
        if ((*shape)->live)
            return true;
    }
    return false;
}

/* Whether a path would make a new policy instead of changing one that is there. */
static bool path_makes_name(const struct node *root, const char *path) {
    char map[STORM_PATH_MAX], name[STORM_PATH_MAX];
    if (!name_next(&path, map, sizeof map) || !name_next(&path, name, sizeof name) || *path != '\0')
        return false;
    const struct item *item = tree_find(root, map);
    assert(root->kind == NODE_MAP);
    return item == NULL || tree_find(item->value, name) == NULL;
}

/* The tree with one setting of an action; as it was after an error. */
static const struct node *setting_apply(struct reader *reader, const struct trail *trail,
                                        const struct item *item, const struct node *root) {
    const struct shape *lost;
    char quoted[QUOTE_MAX], hint[STORM_MESSAGE_MAX];
    assert(item->key != NULL);
    if (!path_is_live(item->key, &lost)) {
        blame(reader->errors, trail, item->place, live_list(lost, hint, sizeof hint),
              "'%s' cannot change during a run", blame_quote(item->key, quoted, sizeof quoted));
        return root;
    }
    if (path_makes_name(root, item->key)) {
        blame(reader->errors, trail, item->place, "name one that is there already",
              "there is no '%s'", blame_quote(item->key, quoted, sizeof quoted));
        return root;
    }
    const struct node *changed =
        override_set(reader->arena, reader->errors, root, item->key, item->place, item->value);
    return changed == NULL ? root : changed;
}

/* "path: value, path: value" */
static const char *settings_write(struct reader *reader, const struct node *set) {
    struct flow flow = {.arena = reader->arena};
    assert(set->count > 0);
    for (uint32_t i = 0; i < set->count; i++) {
        flow_add(&flow, i == 0 ? "" : ", ");
        flow_scalar(&flow, set->items[i].key);
        flow_add(&flow, ": ");
        flow_node(&flow, set->items[i].value);
    }
    if (flow.is_full)
        blame_memory(reader->errors);
    return flow.text;
}

/* Decodes the tree that an action leaves behind. */
static void after_read(struct reader *reader, const struct node *root, const struct node *set,
                       struct storm_action *action) {
    uint32_t before = reader->errors->total;
    struct reader inner = {.document = reader->document,
                           .arena = reader->arena,
                           .read_dist = reader->read_dist,
                           .errors = reader->errors,
                           .is_blind = reader->is_blind,
                           .is_after = true};
    struct storm_scenario *after = scenario_read(&inner, root);
    if (after == NULL || reader->errors->total != before)
        return;
    const struct storm_scenario *scenario = reader->scenario;
    assert(after->population_count == scenario->population_count &&
           after->service_count == scenario->service_count &&
           after->call_count == scenario->call_count);
    /* What is in time follows from the timeouts unless it is written; users do not change. */
    for (uint32_t i = 0; i < after->population_count; i++)
        after->populations[i].in_time = scenario->populations[i].in_time;
    action->after = after;
    action->settings = settings_write(reader, set);
}

/* The settings of an action; NULL when it is of another kind, or in error. */
static const struct node *set_of(const struct node *actions, uint32_t index) {
    const struct item *item = tree_find(actions->items[index].value, "set");
    return item != NULL && item->value->kind == NODE_MAP ? item->value : NULL;
}

/* Applies the settings of all actions, one upon the other in the order of their times. */
static void sets_read(struct reader *reader, const struct trail *trail, const struct node *node) {
    struct storm_action *actions = reader->scenario->actions;
    const struct node *root = reader->root;
    bool is_done[STORM_ACTIONS_MAX] = {false};
    for (uint32_t round = 0; round < node->count; round++) {
        uint32_t next = STORM_NONE;
        for (uint32_t i = 0; i < node->count; i++) {
            if (!is_done[i] && (next == STORM_NONE || actions[i].at < actions[next].at))
                next = i;
        }
        assert(next != STORM_NONE);
        is_done[next] = true;
        const struct node *set = set_of(node, next);
        if (set == NULL)
            continue;
        struct trail item = trail_index(trail, next, &node->items[next]);
        struct trail here = {.up = &item, .key = "set"};
        for (uint32_t i = 0; i < set->count && i < OVERRIDES_MAX; i++)
            root = setting_apply(reader, &here, &set->items[i], root);
        if (set->count > 0 && reader->errors->total < STORM_ERRORS_MAX)
            after_read(reader, root, set, &actions[next]);
    }
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
    sets_read(reader, trail, node);
}
