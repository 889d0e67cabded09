/* heap.h: the plain heap that everybody would write: the oracle of the event queue, and what it
   is measured against. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SUPPORT_HEAP_H
#define SUPPORT_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `order` has the sequence number of the push in its high bits, so (key, order) is the order of
   events. */
struct heap_item {
    uint64_t key;
    uint64_t order;
};

/* A heap with 2 or 4 children a node. Owns its items. */
struct heap {
    struct heap_item *items;
    size_t count, room;
    unsigned arity;
};

/* An empty heap. */
void heap_init(struct heap *heap, unsigned arity);

/* Frees the items. */
void heap_free(struct heap *heap);

/* Adds an item; ends the program when memory is out. */
void heap_push(struct heap *heap, struct heap_item item);

/* Takes the least item; false when there is none. */
bool heap_pop(struct heap *heap, struct heap_item *item);

#endif
