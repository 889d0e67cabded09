/* tree.c: builds the tree from libyaml's events, in one pass and without recursion. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Invariants
   1. stack[0 .. depth) are the open lists and maps, outermost first; the items of stack[i] are
      complete but for the one that stack[i + 1] will become.
   2. A node is linked into its parent only when it is closed: so an alias can only name a closed
      node, and the tree has no cycle.
   3. Every node is in the arena; nothing refers to libyaml's memory after its event.

   libyaml's own document loader recurses and takes seconds on deep brackets; the events tell the
   depth while it is still small. */

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include <retrystorm/load.h>

#include "scenario/syntax.h"
#include "scenario/tree.h"

enum { ANCHORS_MAX = 1000 };

/* A list or map that is not closed yet. */
struct open {
    struct node *node;
    struct item *items;
    uint32_t count, room;
    const char *key; /* of the value to come; NULL: a key is to come (or it is a list) */
    struct place key_place;
    bool refused;       /* the value to come belongs to a key that was refused */
    const char *anchor; /* or NULL */
};

struct anchor {
    const char *name;
    const struct node *node; /* NULL while it is open */
};

struct builder {
    struct arena *arena;
    struct blames *errors;
    const char *origin;
    const struct node *root;
    uint32_t node_count;
    int depth;
    struct open stack[STORM_DEPTH_MAX];
    uint32_t anchor_count;
    struct anchor *anchors;
};

static struct place place_at(const struct builder *builder, yaml_mark_t start, yaml_mark_t end) {
    return syntax_place(start, end, builder->origin);
}

static bool refuse(struct builder *builder, const yaml_event_t *event, const char *message,
                   const char *suggestion) {
    struct place place = place_at(builder, event->start_mark, event->end_mark);
    blame(builder->errors, NULL, place, suggestion, "%s", message);
    return false;
}

static bool no_memory(struct builder *builder) {
    blame_memory(builder->errors);
    return false;
}

/* ---- anchors --------------------------------------------------------------------------------- */

static struct anchor *anchor_find(struct builder *builder, const char *name) {
    assert(name != NULL);
    for (uint32_t i = 0; i < builder->anchor_count; i++) {
        if (strcmp(builder->anchors[i].name, name) == 0)
            return &builder->anchors[i];
    }
    return NULL;
}

/* Notes the anchor of an event's node; *kept is its name in the arena. */
static bool anchor_add(struct builder *builder, const yaml_event_t *event, const yaml_char_t *name,
                       const char **kept) {
    *kept = NULL;
    if (name == NULL)
        return true;
    const char *text = (const char *)name;
    if (anchor_find(builder, text) != NULL)
        return refuse(builder, event, "this anchor's name is taken already", NULL);
    if (builder->anchor_count == ANCHORS_MAX)
        return refuse(builder, event, "more than 1000 anchors", NULL);
    if (builder->anchors == NULL) {
        builder->anchors = arena_take_array(builder->arena, ANCHORS_MAX, sizeof(struct anchor));
        if (builder->anchors == NULL)
            return no_memory(builder);
    }
    *kept = arena_copy_string(builder->arena, text, strlen(text));
    if (*kept == NULL)
        return no_memory(builder);
    builder->anchors[builder->anchor_count++] = (struct anchor){.name = *kept};
    return true;
}

static void anchor_close(struct builder *builder, const char *name, const struct node *node) {
    if (name == NULL)
        return;
    struct anchor *anchor = anchor_find(builder, name);
    assert(anchor != NULL && anchor->node == NULL);
    anchor->node = node;
}

/* ---- linking --------------------------------------------------------------------------------- */

static bool item_add(struct builder *builder, struct open *open, struct item item) {
    assert(open->count <= open->room);
    if (open->count == open->room) {
        uint32_t room = open->room == 0 ? 4 : open->room * 2;
        struct item *grown =
            arena_grow_array(builder->arena, open->items, open->count, room, sizeof *grown);
        if (grown == NULL)
            return no_memory(builder);
        open->items = grown;
        open->room = room;
    }
    open->items[open->count++] = item;
    return true;
}

/* Takes a scalar as the key of the open map. A bad key is told and its value skipped. */
static bool key_take(struct builder *builder, struct open *open, const struct node *node) {
    assert(open->key == NULL);
    open->refused = node->kind != NODE_SCALAR;
    open->key = open->refused ? "" : node->text;
    open->key_place = node->place;
    if (open->refused)
        blame(builder->errors, NULL, node->place, NULL, "a key must be a plain word");
    if (!open->refused && node->plain && strcmp(node->text, "<<") == 0) {
        open->refused = true;
        blame(builder->errors, NULL, node->place,
              "anchor the whole map (&name), use it as *name, and change it in a variant",
              "merge keys (<<) are not used");
    }
    return true;
}

/* Hands a complete node to its parent. */
static bool node_link(struct builder *builder, const struct node *node) {
    assert(node != NULL);
    if (builder->depth == 0) {
        assert(builder->root == NULL);
        builder->root = node;
        return true;
    }
    struct open *open = &builder->stack[builder->depth - 1];
    if (open->node->kind == NODE_LIST)
        return item_add(builder, open, (struct item){.place = node->place, .value = node});
    if (open->key == NULL)
        return key_take(builder, open, node);
    struct item item = {.key = open->key, .place = open->key_place, .value = node};
    open->key = NULL;
    return open->refused || item_add(builder, open, item);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static struct node *node_new(struct builder *builder, enum node_kind kind,
                             const yaml_event_t *event) {
    if (builder->node_count == STORM_NODES_MAX) {
        refuse(builder, event, "more than 1,000,000 values", NULL);
        return NULL;
    }
    struct node *node = arena_take(builder->arena, sizeof *node);
    if (node == NULL) {
        blame_memory(builder->errors);
        return NULL;
    }
    builder->node_count++;
    node->kind = kind;
    node->place = place_at(builder, event->start_mark, event->end_mark);
    return node;
}

/* A tag changes how a value is read; ours says itself what it is. */
static void tag_refuse(struct builder *builder, const yaml_event_t *event, const yaml_char_t *tag) {
    if (tag != NULL)
        refuse(builder, event, "tags (such as !!str) are not used", "write the value without it");
}

static bool scalar_add(struct builder *builder, const yaml_event_t *event) {
    const char *text = (const char *)event->data.scalar.value;
    size_t length = event->data.scalar.length;
    tag_refuse(builder, event, event->data.scalar.tag);
    if (memchr(text, '\0', length) != NULL)
        return refuse(builder, event, "a text may not contain the character \\0", NULL);
    struct node *node = node_new(builder, NODE_SCALAR, event);
    const char *anchor;
    if (node == NULL || !anchor_add(builder, event, event->data.scalar.anchor, &anchor))
        return false;
    node->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    node->text = arena_copy_string(builder->arena, text, length);
    if (node->text == NULL)
        return no_memory(builder);
    anchor_close(builder, anchor, node);
    return node_link(builder, node);
}

static bool collection_open(struct builder *builder, const yaml_event_t *event,
                            enum node_kind kind) {
    assert(kind != NODE_SCALAR);
    bool is_map = kind == NODE_MAP;
    tag_refuse(builder, event,
               is_map ? event->data.mapping_start.tag : event->data.sequence_start.tag);
    if (builder->depth == STORM_DEPTH_MAX)
        return refuse(builder, event, "nested more than 32 deep", NULL);
    struct node *node = node_new(builder, kind, event);
    const char *anchor;
    if (node == NULL ||
        !anchor_add(builder, event,
                    is_map ? event->data.mapping_start.anchor : event->data.sequence_start.anchor,
                    &anchor))
        return false;
    builder->stack[builder->depth++] = (struct open){.node = node, .anchor = anchor};
    return true;
}

/* Flow collections are underlined whole; block ones only say where they begin. */
static int width_of(const struct node *node, const yaml_event_t *end) {
    if (node->place.line == (int)end->end_mark.line + 1 &&
        (int)end->end_mark.column + 1 > node->place.column)
        return (int)end->end_mark.column + 1 - node->place.column;
    return 1;
}

static int item_compare(const void *a, const void *b) {
    const struct item *const *left = a;
    const struct item *const *right = b;
    int order = strcmp((*left)->key, (*right)->key);
    if (order != 0)
        return order;
    return (*left > *right) - (*left < *right); /* both point into one array: file order */
}

/* Finds duplicate keys by sorting, since a map may have a million. */
static bool keys_check(struct builder *builder, const struct open *open) {
    if (open->count < 2)
        return true;
    const struct item **order = malloc(open->count * sizeof(const struct item *));
    if (order == NULL)
        return no_memory(builder);
    for (uint32_t i = 0; i < open->count; i++)
        order[i] = &open->items[i];
    qsort(order, open->count, sizeof(const struct item *), item_compare);
    for (uint32_t i = 1; i < open->count; i++) {
        char quoted[QUOTE_MAX];
        if (strcmp(order[i - 1]->key, order[i]->key) != 0)
            continue;
        blame_quote(order[i]->key, quoted, sizeof quoted);
        if (order[i]->place.line > 0)
            blame(builder->errors, NULL, order[i]->place, NULL,
                  "the key '%s' is here twice (the first is on line %d)", quoted,
                  order[i - 1]->place.line);
        else
            blame(builder->errors, NULL, order[i]->place, NULL, "the key '%s' is here twice",
                  quoted);
    }
    free(order);
    return true;
}

static bool collection_close(struct builder *builder, const yaml_event_t *event) {
    assert(builder->depth > 0);
    struct open *open = &builder->stack[builder->depth - 1];
    struct node *node = open->node;
    assert(open->key == NULL);
    if (node->kind == NODE_MAP && !keys_check(builder, open))
        return false;
    if (builder->origin == NULL)
        node->place.width = width_of(node, event);
    node->items = open->items;
    node->count = open->count;
    builder->depth--;
    anchor_close(builder, open->anchor, node);
    return node_link(builder, node);
}

static bool alias_add(struct builder *builder, const yaml_event_t *event) {
    const struct anchor *anchor = anchor_find(builder, (const char *)event->data.alias.anchor);
    if (anchor == NULL)
        return refuse(builder, event, "there is no anchor of this name before here", NULL);
    if (anchor->node == NULL)
        return refuse(builder, event, "an alias may not be inside its own anchor", NULL);
    return node_link(builder, anchor->node);
}

/* ---- the text as a whole --------------------------------------------------------------------- */

static bool event_take(struct builder *builder, const yaml_event_t *event) {
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        return scalar_add(builder, event);
    case YAML_SEQUENCE_START_EVENT:
        return collection_open(builder, event, NODE_LIST);
    case YAML_MAPPING_START_EVENT:
        return collection_open(builder, event, NODE_MAP);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return collection_close(builder, event);
    case YAML_ALIAS_EVENT:
        return alias_add(builder, event);
    case YAML_DOCUMENT_START_EVENT:
        if (builder->root != NULL)
            return refuse(builder, event, "a second document begins here",
                          "a scenario is one file; remove the line '---'");
        return true;
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
    case YAML_STREAM_END_EVENT:
    case YAML_DOCUMENT_END_EVENT:
        return true;
    }
    return true;
}

/* Feeds events to the builder until the end. Returns false after an error that hides the rest. */
static bool events_read(struct builder *builder, yaml_parser_t *parser, const char *text,
                        size_t length) {
    bool is_good = true;
    bool is_done = false;
    while (is_good && !is_done) {
        yaml_event_t event;
        if (yaml_parser_parse(parser, &event) == 0) {
            syntax_blame(builder->errors, parser, text, length, builder->origin);
            return false;
        }
        is_done = event.type == YAML_STREAM_END_EVENT;
        is_good = event_take(builder, &event);
        yaml_event_delete(&event);
    }
    return is_good;
}

size_t tree_bom_length(const char *text, size_t length) {
    assert(text != NULL || length == 0);
    return length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

const struct node *tree_parse(struct arena *arena, const char *text, size_t length,
                              const char *origin, struct blames *errors) {
    assert(arena != NULL && errors != NULL);
    assert(text != NULL || length == 0);
    struct builder builder = {.arena = arena, .errors = errors, .origin = origin};
    yaml_parser_t parser;
    size_t skipped = tree_bom_length(text, length);
    if (yaml_parser_initialize(&parser) == 0) {
        blame_memory(errors);
        return NULL;
    }
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text + skipped, length - skipped);
    bool is_good = events_read(&builder, &parser, text + skipped, length - skipped);
    yaml_parser_delete(&parser);
    if (!is_good)
        return NULL;
    if (builder.root == NULL) {
        struct place place = {origin == NULL ? 1 : 0, 1, 1, origin};
        blame(errors, NULL, place, origin == NULL ? "begin with 'version: 1'" : NULL,
              origin == NULL ? "the file is empty" : "has no value");
    }
    return builder.root;
}

/* ---- looking at it --------------------------------------------------------------------------- */

const struct item *tree_find(const struct node *node, const char *key) {
    assert(key != NULL);
    if (node == NULL || node->kind != NODE_MAP)
        return NULL;
    for (uint32_t i = 0; i < node->count; i++) {
        if (strcmp(node->items[i].key, key) == 0)
            return &node->items[i];
    }
    return NULL;
}

size_t tree_name_length(const struct node *node, const char *path) {
    size_t best = strcspn(path, ".");
    for (uint32_t i = 0; node != NULL && node->kind == NODE_MAP && i < node->count; i++) {
        size_t length = strlen(node->items[i].key);
        bool is_start = strncmp(node->items[i].key, path, length) == 0 &&
                        (path[length] == '.' || path[length] == '\0');
        best = is_start && length > best ? length : best;
    }
    return best;
}

bool tree_is_empty(const struct node *node) {
    assert(node != NULL);
    return node->kind == NODE_SCALAR && node->plain && node->text[0] == '\0';
}

const char *tree_kind_word(const struct node *node) {
    assert(node != NULL);
    switch (node->kind) {
    case NODE_SCALAR:
        return "a text";
    case NODE_LIST:
        return "a list";
    case NODE_MAP:
        return "a map";
    }
    return "nothing";
}
