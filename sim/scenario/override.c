/* override.c: a changed copy of the tree, made of new nodes along the path only. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Nodes are shared: by aliases (&call, *call) and by all variants of a document. So a change never
   writes into a node; each node on the path is copied, and a copy belongs to one path alone. */

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <retrystorm/load.h>
#include <retrystorm/scenario.h>

#include "base/suggest.h"
#include "scenario/fields.h"
#include "scenario/override.h"

/* One override on its way down. */
struct edit {
    struct arena *arena;
    struct blames *errors;
    struct place place;
    const struct node *value;
    uint32_t depth; /* of the node at hand; the top is 0 */
};

static const struct node *no_memory(struct edit *edit) {
    blame_memory(edit->errors);
    return NULL;
}

/* ---- finding --------------------------------------------------------------------------------- */

/* Names are made where they stand in the file, not by a path that may be misspelt. */
static bool holds_names(const struct trail *trail, const struct edit *edit) {
    if (edit->depth != 1)
        return false;
    static const char *const maps[] = {"policies", "clients", "services", "queues", "consumers"};
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++) {
        if (strcmp(trail->key, maps[i]) == 0)
            return true;
    }
    return false;
}

static void name_blame(struct edit *edit, const struct trail *trail, const struct node *node,
                       const char *name) {
    char hint[STORM_MESSAGE_MAX], quoted[QUOTE_MAX];
    struct suggest suggest = suggest_begin(name);
    for (uint32_t i = 0; node != NULL && i < node->count && !blame_is_full(edit->errors); i++)
        suggest_offer(&suggest, node->items[i].key);
    blame(edit->errors, trail, edit->place, suggest_hint(&suggest, hint, sizeof hint),
          "has no '%s'", blame_quote(name, quoted, sizeof quoted));
}

/* Where in a list a path goes on; STORM_NONE after an error. */
static uint32_t index_find(struct edit *edit, const struct trail *trail, const struct node *node,
                           const char *name) {
    char quoted[QUOTE_MAX];
    uint32_t index = 0;
    size_t digits = strspn(name, "0123456789");
    bool is_index = digits > 0 && digits < 8 && name[digits] == '\0';
    for (size_t i = 0; is_index && i < digits; i++)
        index = index * 10 + (uint32_t)(name[i] - '0');
    if (is_index && index < node->count)
        return index;
    char hint[64];
    if (node->count == 0)
        snprintf(hint, sizeof hint, "the list is empty");
    else
        snprintf(hint, sizeof hint, "its items are numbered 0 to %u", (unsigned)node->count - 1);
    blame(edit->errors, trail, edit->place, hint, "has no item '%s'",
          blame_quote(name, quoted, sizeof quoted));
    return STORM_NONE;
}

/* Finds the child of the next name; a map may not have it yet (*index is then its count). */
static bool child_find(struct edit *edit, const struct trail *trail, const struct node *node,
                       const char *name, bool is_last, uint32_t *index) {
    char quoted[QUOTE_MAX], text[QUOTE_MAX];
    if (node == NULL || tree_is_empty(node)) {
        *index = 0;
    } else if (node->kind == NODE_SCALAR) {
        blame(edit->errors, trail, edit->place, "set it whole, as a map: {...}",
              "is '%s', so there is no '%s' in it", blame_quote(node->text, text, sizeof text),
              blame_quote(name, quoted, sizeof quoted));
        return false;
    } else if (node->kind == NODE_LIST) {
        *index = index_find(edit, trail, node, name);
        return *index != STORM_NONE;
    } else {
        const struct item *item = tree_find(node, name);
        *index = item != NULL ? (uint32_t)(item - node->items) : node->count;
    }
    bool is_new = node == NULL || *index >= node->count;
    if (is_new && !is_last && holds_names(trail, edit)) {
        name_blame(edit, trail, node, name);
        return false;
    }
    return true;
}

/* Whether the node at hand is the `set` of an action: its keys are paths with dots of their own. */
static bool holds_paths(const struct trail *trail, const struct edit *edit) {
    return edit->depth == 3 && trail->key != NULL && strcmp(trail->key, "set") == 0 &&
           trail->up->up->key != NULL && strcmp(trail->up->up->key, "actions") == 0;
}

/* The length of the name that a path goes on with. */
static size_t name_length(const struct trail *trail, const struct edit *edit,
                          const struct node *node, const char *path) {
    size_t length = tree_name_length(node, path);
    for (uint32_t i = 0; node != NULL && node->kind == NODE_MAP && i < node->count; i++) {
        const char *key = node->items[i].key;
        if (strlen(key) == length && strncmp(key, path, length) == 0)
            return length;
    }
    return holds_paths(trail, edit) ? strlen(path) : length;
}

/* ---- copying --------------------------------------------------------------------------------- */

/* A copy of a list or map (of nothing: an empty map) with one child put at `index`, which may be
   one past the last. */
static const struct node *node_with(struct edit *edit, const struct node *node, uint32_t index,
                                    struct item child) {
    uint32_t old_count = node == NULL || node->kind == NODE_SCALAR ? 0 : node->count;
    uint32_t count = index < old_count ? old_count : old_count + 1;
    struct node *copy = arena_take(edit->arena, sizeof *copy);
    struct item *items = arena_take_array(edit->arena, count, sizeof *items);
    assert(index < count);
    if (copy == NULL || items == NULL)
        return no_memory(edit);
    if (old_count > 0)
        memcpy(items, node->items, old_count * sizeof *items);
    items[index] = child;
    *copy = (struct node){.kind = NODE_MAP, .place = edit->place};
    if (old_count > 0)
        *copy = *node;
    copy->items = items;
    copy->count = count;
    return copy;
}

/* The node as it is after the rest of the path has been followed and the value put there. */
static const struct node *node_edit(struct edit *edit, const struct trail *trail,
                                    const struct node *node, const char *path) {
    size_t length = name_length(trail, edit, node, path);
    bool is_last = path[length] == '\0';
    const char *name = arena_copy_string(edit->arena, path, length);
    uint32_t index;
    if (name == NULL)
        return no_memory(edit);
    if (!child_find(edit, trail, node, name, is_last, &index))
        return NULL;
    bool is_list = node != NULL && node->kind == NODE_LIST;
    struct item child = {.key = is_list ? NULL : name, .place = edit->place};
    struct trail here = {.up = trail, .key = child.key, .index = index, .place = edit->place};
    const struct node *old = NULL;
    if (node != NULL && node->kind != NODE_SCALAR && index < node->count) {
        old = node->items[index].value;
        child = node->items[index];
    }
    if (is_last) {
        child.place = edit->place;
        child.value = edit->value;
    } else {
        edit->depth++;
        child.value = node_edit(edit, &here, old, path + length + 1);
    }
    return child.value == NULL ? NULL : node_with(edit, node, index, child);
}

/* ---- paths ----------------------------------------------------------------------------------- */

/* True when the path is names and numbers with single dots between. */
static bool path_is_valid(const char *path) {
    size_t parts = 1;
    assert(path != NULL);
    if (path[0] == '\0' || path[0] == '.' || strlen(path) >= STORM_PATH_MAX)
        return false;
    for (const char *at = path; *at != '\0'; at++) {
        if (*at != '.')
            continue;
        parts++;
        if (at[1] == '.' || at[1] == '\0')
            return false;
    }
    return parts <= STORM_DEPTH_MAX;
}

static bool path_starts_with(const char *path, const char *name) {
    size_t length = strlen(name);
    return strncmp(path, name, length) == 0 && (path[length] == '.' || path[length] == '\0');
}

const struct node *override_set(struct arena *arena, struct blames *errors, const struct node *root,
                                const char *path, struct place place, const struct node *value) {
    char quoted[QUOTE_MAX];
    struct edit edit = {.arena = arena, .errors = errors, .place = place, .value = value};
    struct trail top = {.up = NULL};
    assert(root != NULL && path != NULL && value != NULL);
    blame_quote(path, quoted, sizeof quoted);
    if (!path_is_valid(path)) {
        blame(errors, NULL, place, "a path is names with dots, e.g. policies.app.cap",
              "'%s' is not a path", quoted);
        return NULL;
    }
    if (path_starts_with(path, "version") || path_starts_with(path, "variants")) {
        blame(errors, NULL, place, NULL, "'%s' cannot be overridden", quoted);
        return NULL;
    }
    return node_edit(&edit, &top, root, path);
}

/* ---- variants -------------------------------------------------------------------------------- */

const struct node *override_variant(struct arena *arena, struct blames *errors,
                                    const struct node *root, const struct item *variant) {
    assert(root != NULL && variant != NULL);
    const struct node *map = variant->value;
    for (uint32_t i = 0; map->kind == NODE_MAP && i < map->count && i < OVERRIDES_MAX; i++) {
        const struct item *item = &map->items[i];
        if (path_starts_with(item->key, "title")) {
            blame(errors, NULL, item->place, NULL, "a variant cannot change the title");
            continue;
        }
        const struct node *changed =
            override_set(arena, errors, root, item->key, item->place, item->value);
        root = changed != NULL ? changed : root;
    }
    return root;
}

void variants_check(struct reader *reader, const struct trail *trail, const struct node *node,
                    void *target) {
    static const char example[] = "variants: {slow: {policies.app.base: 5s}, as-is: {}}";
    (void)target;
    if (node == NULL || reader->is_after)
        return;
    if (node->kind != NODE_MAP) {
        reader_refuse(reader, trail, node, "a map of variants by name", example);
        return;
    }
    if (node->count > VARIANTS_MAX)
        blame(reader->errors, trail, trail->place, NULL, "more than %d variants", VARIANTS_MAX);
    for (uint32_t i = 0; i < node->count; i++) {
        const struct item *item = &node->items[i];
        struct trail here = trail_item(trail, item);
        decode_name(reader, &here, item);
        if (item->value->kind == NODE_MAP && item->value->count > OVERRIDES_MAX)
            blame(reader->errors, &here, item->place, NULL, "more than %d overrides",
                  OVERRIDES_MAX);
        else if (item->value->kind != NODE_MAP && !tree_is_empty(item->value))
            reader_refuse(reader, &here, item->value, "a map of settings by path", example);
    }
}
