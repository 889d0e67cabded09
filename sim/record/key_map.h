/* key_map.h: a small number for each of a changing set of keys. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RECORD_KEY_MAP_H
#define RECORD_KEY_MAP_H

#include <stdbool.h>
#include <stdint.h>

struct arena;

/* Zeroed it is empty. Memory is the arena's, as much as the most keys at once have needed. */
struct key_map {
    uint64_t *keys;
    uint32_t *values; /* plus 1; 0: the place is free */
    uint32_t size, count;
};

/* Gives `key` the number `value`, instead of the one that it may have. False at the arena's limit:
   nothing has changed then. */
bool key_map_put(struct key_map *map, struct arena *arena, uint64_t key, uint32_t value);

/* Whether `key` has a number; if so, it is left in *value, which may be NULL. */
bool key_map_find(const struct key_map *map, uint64_t key, uint32_t *value);

/* The same, and `key` has none afterwards. */
bool key_map_take(struct key_map *map, uint64_t key, uint32_t *value);

#endif
