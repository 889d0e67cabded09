/* arena.h: memory that is taken piece by piece, has one limit, and is given back whole. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena_block;

/* An arena. Zeroed + arena_init = empty. One per run or per loaded scenario; not shared between
   threads. */
struct arena {
    size_t limit; /* bytes it may hold at most */
    size_t held;  /* bytes it holds, overhead included */
    size_t room;  /* bytes left in the current slab */
    char *next;   /* where the next small piece begins */
    struct arena_block *blocks;
};

/* Prepares an empty arena that will hold at most `limit` bytes. */
void arena_init(struct arena *arena, size_t limit);

/* Gives back everything. The arena is empty and usable again. */
void arena_free(struct arena *arena);

/* A zeroed piece of `size` bytes, aligned to 16; NULL when the limit or the machine's memory is
   reached. */
void *arena_take(struct arena *arena, size_t size);

/* Like arena_take for `count` pieces of `size`; NULL also when the product overflows. */
void *arena_take_array(struct arena *arena, size_t count, size_t size);

/* Grows an array to `count` items of `size`, keeping its first `old_count`; the new rest is zeroed.
   The old pointer dies, whether by moving or not. NULL leaves the old array as it was. */
void *arena_grow_array(struct arena *arena, void *old, size_t old_count, size_t count, size_t size);

/* A copy of a string (of its first `length` bytes); NULL at the limit. */
char *arena_copy_string(struct arena *arena, const char *text, size_t length);

#endif
