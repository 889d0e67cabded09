/* arena.c: memory that is taken piece by piece, has one limit, and is given back whole. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Invariants
   1. held is the sum of all blocks' sizes, their headers included, and never exceeds limit.
   2. [next, next + room) lies in the newest slab and is zero: nobody has been given it.
   3. next is a multiple of ALIGNMENT, so every piece is.
   4. A piece above BIG bytes has a block of its own, so that growing it can move pages. */

#include <assert.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

enum { ALIGNMENT = 16, SLAB = 64 * 1024, BIG = SLAB / 4 };

/* The head of each block; what it holds follows at once. */
struct arena_block {
    alignas(ALIGNMENT) struct arena_block *next;
    struct arena_block *previous;
    size_t size; /* header included */
    bool alone;  /* holds one big piece; else a slab of small ones */
};

static_assert(sizeof(struct arena_block) % ALIGNMENT == 0, "what follows the head is aligned");

void arena_init(struct arena *arena, size_t limit) {
    assert(arena != NULL);
    *arena = (struct arena){.limit = limit};
}

void arena_free(struct arena *arena) {
    assert(arena != NULL);
    struct arena_block *block = arena->blocks;
    size_t freed = 0;
    while (block != NULL) {
        struct arena_block *next = block->next;
        freed += block->size;
        free(block);
        block = next;
    }
    assert(freed == arena->held); /* invariant 1 */
    arena_init(arena, arena->limit);
}

/* Rounds up to the alignment; a piece of no bytes still has a place of its own. 0 says "too
   large". */
static size_t size_round(size_t size) {
    if (size > SIZE_MAX - 2 * sizeof(struct arena_block))
        return 0;
    size_t rounded = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return rounded == 0 ? ALIGNMENT : rounded;
}

/* Links a block in front of the others. */
static void block_link(struct arena *arena, struct arena_block *block) {
    assert(block->size <= arena->limit - arena->held); /* invariant 1 */
    block->previous = NULL;
    block->next = arena->blocks;
    if (block->next != NULL)
        block->next->previous = block;
    arena->blocks = block;
    arena->held += block->size;
}

/* A new linked block of `size` zeroed bytes, header included; NULL at the limit. */
static struct arena_block *block_new(struct arena *arena, size_t size, bool alone) {
    assert(arena->held <= arena->limit);
    assert(size > sizeof(struct arena_block));
    if (size > arena->limit - arena->held)
        return NULL;
    struct arena_block *block = calloc(1, size);
    if (block == NULL)
        return NULL;
    assert((uintptr_t)block % ALIGNMENT == 0); /* invariant 3 */
    block->size = size;
    block->alone = alone;
    block_link(arena, block);
    return block;
}

/* Opens a slab with room for `size` bytes: a whole one, or near the limit what is left. */
static bool slab_open(struct arena *arena, size_t size) {
    assert(size <= BIG && size % ALIGNMENT == 0);
    size_t left = (arena->limit - arena->held) / ALIGNMENT * ALIGNMENT;
    size_t bytes = left < SLAB ? left : SLAB;
    if (bytes < sizeof(struct arena_block) + size)
        return false;
    struct arena_block *block = block_new(arena, bytes, false);
    if (block == NULL)
        return false;
    arena->next = (char *)(block + 1);
    arena->room = bytes - sizeof(struct arena_block);
    return true;
}

void *arena_take(struct arena *arena, size_t size) {
    assert(arena != NULL);
    size_t rounded = size_round(size);
    if (rounded == 0)
        return NULL;
    if (rounded > BIG) {
        struct arena_block *block = block_new(arena, rounded + sizeof *block, true);
        return block == NULL ? NULL : block + 1;
    }
    if (rounded > arena->room && !slab_open(arena, rounded))
        return NULL;
    char *piece = arena->next;
    arena->next += rounded;
    arena->room -= rounded;
    assert((uintptr_t)piece % ALIGNMENT == 0); /* invariant 3 */
    return piece;
}

void *arena_take_array(struct arena *arena, size_t count, size_t size) {
    assert(arena != NULL);
    assert(size > 0);
    return count > SIZE_MAX / size ? NULL : arena_take(arena, count * size);
}

/* The block that holds `piece` alone, or NULL: pieces in slabs are not found. */
static struct arena_block *block_of(const struct arena *arena, const void *piece) {
    assert(piece != NULL);
    for (struct arena_block *block = arena->blocks; block != NULL; block = block->next) {
        if (block->alone && (const void *)(block + 1) == piece)
            return block;
    }
    return NULL;
}

/* Resizes a block that holds one piece: for large pieces realloc moves pages without copying. */
static void *block_grow(struct arena *arena, struct arena_block *block, size_t kept, size_t size) {
    assert(block->alone && kept <= block->size - sizeof *block);
    size_t old_size = block->size;
    size_t new_size = size + sizeof *block;
    if (new_size <= old_size) {
        memset((char *)(block + 1) + kept, 0, old_size - sizeof *block - kept);
        return block + 1;
    }
    if (new_size - old_size > arena->limit - arena->held)
        return NULL;
    struct arena_block *moved = realloc(block, new_size);
    if (moved == NULL)
        return NULL;
    assert((uintptr_t)moved % ALIGNMENT == 0); /* invariant 3 */
    if (moved->previous != NULL)
        moved->previous->next = moved;
    else
        arena->blocks = moved;
    if (moved->next != NULL)
        moved->next->previous = moved;
    memset((char *)(moved + 1) + kept, 0, size - kept);
    moved->size = new_size;
    arena->held += new_size - old_size;
    return moved + 1;
}

void *arena_grow_array(struct arena *arena, void *old, size_t old_count, size_t count,
                       size_t size) {
    assert(arena != NULL && size > 0);
    assert(old_count <= count);
    assert(old != NULL || old_count == 0);
    if (count > SIZE_MAX / size)
        return NULL;
    size_t rounded = size_round(count * size);
    size_t kept = old_count * size;
    if (rounded == 0)
        return NULL;
    struct arena_block *block = old == NULL ? NULL : block_of(arena, old);
    if (block != NULL)
        return block_grow(arena, block, kept, rounded);
    void *piece = arena_take(arena, rounded);
    if (piece != NULL && kept > 0)
        memcpy(piece, old, kept);
    return piece;
}

char *arena_copy_string(struct arena *arena, const char *text, size_t length) {
    assert(arena != NULL);
    assert(text != NULL || length == 0);
    if (length == SIZE_MAX)
        return NULL;
    char *copy = arena_take(arena, length + 1);
    if (copy != NULL && length > 0)
        memcpy(copy, text, length);
    return copy;
}
