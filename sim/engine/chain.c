/* chain.c: bags of events in chunks of 1 KB, and the pool that the chunks come from. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/chain.h"

#include "base/arena.h"

/* A slab has at least this many chunks, and this share of those there are, so that slabs stay
   few. */
enum { SLAB_CHUNKS = 64, SLAB_SHARE = 16 };

/* Adds exactly `count` chunks. */
static bool slab_add(struct pool *pool, uint64_t count) {
    assert(count > 0);
    if (count >= SIZE_MAX / CHUNK_BYTES)
        return false;
    /* One more than asked for, since the arena aligns to less than a chunk. */
    char *slab = arena_take_array(pool->arena, (size_t)count + 1, CHUNK_BYTES);
    if (slab == NULL)
        return false;
    uintptr_t past = (uintptr_t)slab & (CHUNK_BYTES - 1);
    char *start = slab + ((CHUNK_BYTES - past) & (CHUNK_BYTES - 1));
    /* Backwards, so that they are handed out in the order of their addresses. */
    for (size_t i = (size_t)count; i-- > 0;)
        pool_release(pool, (struct chunk *)(void *)(start + i * CHUNK_BYTES));
    pool->total += count;
    return true;
}

bool pool_grow(struct pool *pool, uint64_t count) {
    assert(pool->arena != NULL);
    uint64_t ample = SLAB_CHUNKS + pool->total / SLAB_SHARE;
    return (count < ample && slab_add(pool, ample)) || slab_add(pool, count);
}

struct chunk *pool_take(struct pool *pool) {
    struct chunk *chunk = pool->free;
    assert(chunk != NULL);
    pool->free = chunk->next;
    return chunk;
}

void pool_release(struct pool *pool, struct chunk *chunk) {
    assert(((uintptr_t)chunk & (CHUNK_BYTES - 1)) == 0);
    chunk->next = pool->free;
    pool->free = chunk;
}

void chain_extend(struct chain *chain, struct pool *pool) {
    assert(chain_needs_chunk(chain));
    assert((chain->first == NULL) == (chain->cursor == NULL));
    struct chunk *chunk = pool_take(pool);
    chunk->next = NULL;
    if (chain->first == NULL)
        chain->first = chunk;
    else
        chain_last(chain)->next = chunk;
    chain->cursor = chunk->entries;
}

uint64_t chain_differences(const struct chain *chain) {
    assert(chain->first != NULL);
    uint64_t first_key = chain->first->entries[0].key;
    uint64_t differences = 0;
    for (const struct chunk *chunk = chain->first; chunk != NULL; chunk = chunk->next) {
        const struct event *end = chain_end(chain, chunk);
        for (const struct event *entry = chunk->entries; entry < end; entry++)
            differences |= entry->key ^ first_key;
    }
    return differences;
}

/* Ends the chain just before `cursor`, which lies in (or at the end of) `last`. */
static void chain_cut(struct chain *chain, struct pool *pool, struct chunk *last,
                      struct event *cursor) {
    struct chunk *chunk = last->next;
    while (chunk != NULL) {
        struct chunk *next = chunk->next;
        pool_release(pool, chunk);
        chunk = next;
    }
    last->next = NULL;
    chain->cursor = cursor;
}

uint64_t chain_purge(struct chain *chain, struct pool *pool, size_t skip,
                     const uint32_t *generation) {
    assert(chain->first != NULL && generation != NULL);
    assert(skip < CHUNK_ENTRIES);
    struct chunk *into = chain->first;
    struct event *write = into->entries + skip;
    uint64_t dropped = 0;
    for (struct chunk *chunk = chain->first; chunk != NULL; chunk = chunk->next) {
        const struct event *end = chain_end(chain, chunk);
        const struct event *entry = chunk->entries + (chunk == chain->first ? skip : 0);
        for (; entry < end; entry++) {
            if (!event_is_live(entry->payload, generation)) {
                dropped++;
                continue;
            }
            if (write == into->entries + CHUNK_ENTRIES) {
                into = into->next;
                write = into->entries;
            }
            *write++ = *entry;
        }
    }
    chain_cut(chain, pool, into, write);
    if (write == chain->first->entries + skip) {
        pool_release(pool, chain->first);
        *chain = (struct chain){0};
    }
    return dropped;
}
