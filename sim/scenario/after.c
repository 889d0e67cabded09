/* after.c: the scenarios that the settings of actions leave behind. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "scenario/fields.h"
#include "scenario/flow.h"
#include "scenario/override.h"

/* ---- what is live -------------------------------------------------------------------------- */

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

/* ---- what is left behind --------------------------------------------------------------------- */

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

void actions_apply(struct reader *reader, const struct trail *trail, const struct node *node) {
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
