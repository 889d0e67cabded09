/* chain.h: bags of events in chunks of 1 KB, and the pool that the chunks come from. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ENGINE_CHAIN_H
#define ENGINE_CHAIN_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/event.h"

struct arena;

enum { CHUNK_BYTES = 1024, CHUNK_ENTRIES = 63 };

/* Aligned to its size, so that a pointer into its entries tells where the chunk begins and ends. */
struct chunk {
    struct chunk *next;
    _Alignas(16) struct event entries[CHUNK_ENTRIES];
};

_Static_assert(sizeof(struct chunk) == CHUNK_BYTES,
               "the cursor finds a chunk's end by its address");
_Static_assert(sizeof(struct event) == 16, "an event is a key and a payload, nothing else");

/* Chunks not in any chain, and how many there are in all. Chunks are reused, never given back. */
struct pool {
    struct arena *arena;
    struct chunk *free;
    uint64_t total;
};

/* Adds `count` chunks or more. False at the arena's limit. */
bool pool_grow(struct pool *pool, uint64_t count);

/* Hands out a chunk; that there is one is the caller's promise (asserted). */
struct chunk *pool_take(struct pool *pool);

/* Takes a chunk back. */
void pool_release(struct pool *pool, struct chunk *chunk);

/* Events in the order in which they were appended. Zeroed = empty. All chunks but the last are
   full, and `cursor` is where the next event goes: just behind the last one, so at a chunk's end
   when it is full. */
struct chain {
    struct event *cursor;
    struct chunk *first;
};

/* Whether the next append needs a chunk first: the last chunk is full, or there is none. */
static inline bool chain_needs_chunk(const struct chain *chain) {
    return ((uintptr_t)chain->cursor & (CHUNK_BYTES - 1)) == 0;
}

/* Gives the chain its next chunk, from the pool. */
void chain_extend(struct chain *chain, struct pool *pool);

/* Appends to a chain that needs no chunk. */
static inline void chain_append(struct chain *chain, struct event event) {
    *chain->cursor++ = event;
}

/* The chunk that holds the last event of a chain that has one. */
static inline struct chunk *chain_last(const struct chain *chain) {
    uintptr_t beyond = (uintptr_t)(chain->cursor - 1) & (CHUNK_BYTES - 1);
    return (struct chunk *)(void *)((char *)(chain->cursor - 1) - beyond);
}

/* Just behind the last event that the chain has in this chunk of its. */
static inline const struct event *chain_end(const struct chain *chain, const struct chunk *chunk) {
    return chunk == chain_last(chain) ? chain->cursor : chunk->entries + CHUNK_ENTRIES;
}

/* Whether the event's slot still has the event's generation; with no table at all, all are live. */
static inline bool event_is_live(event_payload payload, const uint32_t *generation) {
    return generation == NULL || generation[event_slot(payload)] == event_generation(payload);
}

/* The bits in which the keys of a chain that is not empty differ; 0 when all are equal. */
uint64_t chain_differences(const struct chain *chain);

/* Drops the stale events behind the first `skip` entries (which must be fewer than a chunk's),
   closing the gaps in order and releasing the chunks it no longer needs: all of them when nothing
   is left. Returns how many it dropped. */
uint64_t chain_purge(struct chain *chain, struct pool *pool, size_t skip,
                     const uint32_t *generation);

#endif
