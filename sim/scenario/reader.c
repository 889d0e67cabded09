/* reader.c: the memory, the trails and the blames that every part of a decoding shares. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "scenario/reader.h"

#include <assert.h>

void *reader_take(struct reader *reader, size_t count, size_t size) {
    assert(count > 0 && size > 0);
    void *piece = arena_take_array(reader->arena, count, size);
    if (piece == NULL)
        blame_memory(reader->errors);
    return piece;
}

struct trail trail_item(const struct trail *up, const struct item *item) {
    assert(up != NULL && item->key != NULL);
    return (struct trail){.up = up, .key = item->key, .place = item->place};
}

struct trail trail_index(const struct trail *up, uint32_t index, const struct item *item) {
    assert(up != NULL && item->key == NULL);
    return (struct trail){.up = up, .index = index, .place = item->place};
}

uint32_t reader_count_names(const struct node *names) {
    return names != NULL && names->kind == NODE_MAP ? names->count : 0;
}

void reader_refuse(struct reader *reader, const struct trail *trail, const struct node *node,
                   const char *wanted, const char *suggestion) {
    assert(node != NULL && wanted != NULL);
    char quoted[QUOTE_MAX];
    if (tree_is_empty(node))
        blame(reader->errors, trail, node->place.line > 0 ? trail->place : node->place, suggestion,
              "has no value; it must be %s", wanted);
    else if (node->kind != NODE_SCALAR && node->count == 0)
        blame(reader->errors, trail, node->place, suggestion, "is empty; it must be %s", wanted);
    else if (node->kind == NODE_SCALAR)
        blame(reader->errors, trail, node->place, suggestion, "must be %s, not '%s'", wanted,
              blame_quote(node->text, quoted, sizeof quoted));
    else
        blame(reader->errors, trail, node->place, suggestion, "must be %s, not %s", wanted,
              tree_kind_word(node));
}
