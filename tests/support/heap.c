/* heap.c: the plain heap that everybody would write: the oracle of the event queue, and what it
   is measured against. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/heap.h"

#include <assert.h>
#include <stdlib.h>

void heap_init(struct heap *heap, unsigned arity) {
    assert(arity == 2 || arity == 4);
    *heap = (struct heap){.arity = arity};
}

void heap_free(struct heap *heap) {
    free(heap->items);
    heap->items = NULL;
    heap->count = heap->room = 0;
}

static inline bool item_before(const struct heap_item *a, const struct heap_item *b) {
    return a->key != b->key ? a->key < b->key : a->order < b->order;
}

/* The arity is a constant at every call, so that the compiler can divide by it. */
static inline void sift_up(struct heap *heap, struct heap_item item, const size_t arity) {
    size_t hole = heap->count++;
    while (hole > 0) {
        size_t parent = (hole - 1) / arity;
        if (!item_before(&item, &heap->items[parent]))
            break;
        heap->items[hole] = heap->items[parent];
        hole = parent;
    }
    heap->items[hole] = item;
}

static inline void sift_down(struct heap *heap, struct heap_item item, const size_t arity) {
    size_t hole = 0;
    for (;;) {
        size_t child = hole * arity + 1;
        if (child >= heap->count)
            break;
        size_t end = child + arity < heap->count ? child + arity : heap->count;
        size_t least = child;
        while (++child < end) {
            if (item_before(&heap->items[child], &heap->items[least]))
                least = child;
        }
        if (!item_before(&heap->items[least], &item))
            break;
        heap->items[hole] = heap->items[least];
        hole = least;
    }
    heap->items[hole] = item;
}

void heap_push(struct heap *heap, struct heap_item item) {
    if (heap->count == heap->room) {
        heap->room = heap->room == 0 ? 1024 : heap->room * 2;
        heap->items = realloc(heap->items, heap->room * sizeof heap->items[0]);
        assert(heap->items != NULL);
    }
    if (heap->arity == 4)
        sift_up(heap, item, 4);
    else
        sift_up(heap, item, 2);
}

bool heap_pop(struct heap *heap, struct heap_item *item) {
    if (heap->count == 0)
        return false;
    *item = heap->items[0];
    struct heap_item last = heap->items[--heap->count];
    if (heap->count == 0)
        return true;
    if (heap->arity == 4)
        sift_down(heap, last, 4);
    else
        sift_down(heap, last, 2);
    return true;
}
