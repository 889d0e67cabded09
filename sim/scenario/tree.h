/* tree.h: a YAML text as a tree that knows where everything stands. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SCENARIO_TREE_H
#define SCENARIO_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "scenario/blame.h"

enum node_kind { NODE_SCALAR, NODE_LIST, NODE_MAP };

/* A child of a map (with its key) or of a list (key NULL). */
struct item {
    const char *key;
    struct place place; /* of the key; of the value in a list */
    const struct node *value;
};

/* A node never changes once the tree is built, so an alias is the same node seen twice. */
struct node {
    enum node_kind kind;
    bool plain;       /* a scalar without quotes */
    const char *text; /* scalars */
    uint32_t count;   /* lists and maps */
    const struct item *items;
    struct place place;
};

/* Reads a YAML text (one document, no tags, no merge keys, no duplicate keys) into a tree owned by
   the arena. When `origin` is not NULL, all places name it instead of a line. Returns NULL after an
   error that hides the rest of the text; errors that do not (a duplicate key) are added and the
   tree returned all the same. */
const struct node *tree_parse(struct arena *arena, const char *text, size_t length,
                              const char *origin, struct blames *errors);

/* The item of a map by its key; NULL when there is none or `node` is no map. */
const struct item *tree_find(const struct node *node, const char *key);

/* How much of a path (a.b.c) is its first name: the longest key of the map that it begins with,
   since keys may have dots, else what comes before the first dot. */
size_t tree_name_length(const struct node *node, const char *path);

/* A scalar with nothing in it: `key:` and no more. */
bool tree_is_empty(const struct node *node);

/* "a map", "a list", "a text". */
const char *tree_kind_word(const struct node *node);

/* How many bytes of a byte order mark the text begins with: 0 or 3. */
size_t tree_bom_length(const char *text, size_t length);

#endif
