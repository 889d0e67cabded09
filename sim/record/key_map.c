/* key_map.c: a small number for each of a changing set of keys.

   1. A key stands in the first place from its own on that was free when it came, and no place
      between the two is free: a search may stop at the first free one.
   2. At most half of the places are taken. The size is a power of two, or 0. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/key_map.h"

#include <assert.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/stream.h"

enum { FIRST_SIZE = 64 };

static uint32_t own_place(const struct key_map *map, uint64_t key) {
    return (uint32_t)stream_mix64(key) & (map->size - 1);
}

/* Where a key stands, or the free place where it would. */
static uint32_t find_place(const struct key_map *map, uint64_t key) {
    uint32_t place = own_place(map, key);
    assert(map->count <= map->size / 2); /* invariant 2: there is a free one */
    while (map->values[place] != 0 && map->keys[place] != key) {
        place = (place + 1) & (map->size - 1);
    }
    return place;
}

static bool grow(struct key_map *map, struct arena *arena) {
    struct key_map wider = {.size = map->size > 0 ? 2 * map->size : FIRST_SIZE,
                            .count = map->count};
    wider.keys = arena_take_array(arena, wider.size, sizeof *wider.keys);
    wider.values = arena_take_array(arena, wider.size, sizeof *wider.values);
    if (wider.keys == NULL || wider.values == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < map->size; i++) {
        if (map->values[i] != 0) {
            uint32_t place = find_place(&wider, map->keys[i]);
            wider.keys[place] = map->keys[i];
            wider.values[place] = map->values[i];
        }
    }
    *map = wider;
    return true;
}

bool key_map_put(struct key_map *map, struct arena *arena, uint64_t key, uint32_t value) {
    assert(value < UINT32_MAX);
    if (map->count + 1 > map->size / 2 && !grow(map, arena)) {
        return false;
    }
    uint32_t place = find_place(map, key);
    map->count += map->values[place] == 0;
    map->keys[place] = key;
    map->values[place] = value + 1;
    return true;
}

bool key_map_find(const struct key_map *map, uint64_t key, uint32_t *value) {
    uint32_t place = map->count > 0 ? find_place(map, key) : 0;
    if (map->count == 0 || map->values[place] == 0) {
        return false;
    }
    if (value != NULL) {
        *value = map->values[place] - 1;
    }
    return true;
}

/* Frees a place: those behind it that had to step over it move up. */
static void free_place(struct key_map *map, uint32_t place) {
    uint32_t mask = map->size - 1;
    uint32_t next = (place + 1) & mask;
    while (map->values[next] != 0) {
        uint32_t way = (next - own_place(map, map->keys[next])) & mask;
        if (way >= ((next - place) & mask)) { /* it may stand at `place` */
            map->keys[place] = map->keys[next];
            map->values[place] = map->values[next];
            place = next;
        }
        next = (next + 1) & mask;
    }
    map->values[place] = 0;
}

bool key_map_take(struct key_map *map, uint64_t key, uint32_t *value) {
    if (!key_map_find(map, key, value)) {
        return false;
    }
    free_place(map, find_place(map, key));
    map->count--;
    return true;
}
