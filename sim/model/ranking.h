/* ranking.h: numbered items, each at most once, of which the first by rank, then by order, is at
   hand. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_RANKING_H
#define MODEL_RANKING_H

#include <stdbool.h>
#include <stdint.h>

struct arena;

struct ranked {
    int64_t rank;
    uint64_t order; /* decides between equal ranks; no two items have both in common */
    uint32_t item;
};

/* Zeroed = empty, with room for no item. */
struct ranking {
    struct ranked *heap;
    uint32_t *places; /* [item]: 1 + its place in the heap; 0: it is not in it */
    uint32_t count, room;
};

/* Makes room for the items 0 .. room - 1. False at the arena's limit. */
bool ranking_grow(struct ranking *ranking, struct arena *arena, uint32_t room);

/* Puts an item in, or moves it to another rank. There must be room for it. */
void ranking_put(struct ranking *ranking, uint32_t item, int64_t rank, uint64_t order);

/* Takes an item out, if it is in. */
void ranking_drop(struct ranking *ranking, uint32_t item);

/* The first of all; NULL when there is none. */
static inline const struct ranked *ranking_first(const struct ranking *ranking) {
    return ranking->count > 0 ? ranking->heap : (const struct ranked *)0;
}

/* Asserts that the heap is one (for audits). */
void ranking_check(const struct ranking *ranking);

#endif
