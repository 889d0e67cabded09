/* ranking.c: numbered items, each at most once, of which the first by rank, then by order, is at
   hand.

   1. heap[i] is not after heap[2i + 1] and heap[2i + 2]; places[heap[i].item] == i + 1. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/ranking.h"

#include <assert.h>
#include <stddef.h>

#include "base/arena.h"

static bool is_before(const struct ranked *a, const struct ranked *b) {
    return a->rank != b->rank ? a->rank < b->rank : a->order < b->order;
}

static void set(struct ranking *ranking, uint32_t at, struct ranked ranked) {
    ranking->heap[at] = ranked;
    ranking->places[ranked.item] = at + 1;
}

/* Moves what is to stand at `at` to where it belongs: first up, then down. */
static void sift(struct ranking *ranking, uint32_t at, struct ranked ranked) {
    assert(at < ranking->count);
    while (at > 0 && is_before(&ranked, &ranking->heap[(at - 1) / 2])) {
        set(ranking, at, ranking->heap[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child + 1 < ranking->count &&
            is_before(&ranking->heap[child + 1], &ranking->heap[child])) {
            child++;
        }
        if (child >= ranking->count || is_before(&ranked, &ranking->heap[child])) {
            break;
        }
        set(ranking, at, ranking->heap[child]);
        at = child;
    }
    set(ranking, at, ranked);
}

bool ranking_grow(struct ranking *ranking, struct arena *arena, uint32_t room) {
    assert(room >= ranking->room);
    struct ranked *heap =
        arena_grow_array(arena, ranking->heap, ranking->room, room, sizeof *ranking->heap);
    if (heap == NULL) {
        return false;
    }
    ranking->heap = heap;
    uint32_t *places =
        arena_grow_array(arena, ranking->places, ranking->room, room, sizeof *ranking->places);
    if (places == NULL) {
        return false;
    }
    ranking->places = places;
    ranking->room = room;
    return true;
}

void ranking_put(struct ranking *ranking, uint32_t item, int64_t rank, uint64_t order) {
    assert(item < ranking->room);
    if (ranking->places[item] == 0) {
        ranking->places[item] = ++ranking->count;
    }
    sift(ranking, ranking->places[item] - 1,
         (struct ranked){.rank = rank, .order = order, .item = item});
}

void ranking_drop(struct ranking *ranking, uint32_t item) {
    assert(item < ranking->room);
    uint32_t place = ranking->places[item];
    if (place == 0) {
        return;
    }
    ranking->places[item] = 0;
    struct ranked last = ranking->heap[--ranking->count];
    if (last.item != item) {
        sift(ranking, place - 1, last);
    }
}

void ranking_check(const struct ranking *ranking) {
    assert(ranking->count <= ranking->room);
    for (uint32_t i = 0; i < ranking->count; i++) {
        assert(i == 0 || !is_before(&ranking->heap[i], &ranking->heap[(i - 1) / 2]));
        assert(ranking->places[ranking->heap[i].item] == i + 1); /* invariant 1 */
    }
}
