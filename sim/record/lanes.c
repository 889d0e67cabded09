/* lanes.c: which lanes of a process are taken; who needs one takes the lowest that is free. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/lanes.h"

#include <assert.h>

#include "base/arena.h"

enum { FIRST_LANES = 64, WORD = 64 };

uint32_t lanes_take(struct lanes *lanes, struct arena *arena) {
    for (uint32_t word = 0;; word++) {
        if (word == lanes->words) {
            uint32_t words = lanes->words > 0 ? 2 * lanes->words : FIRST_LANES / WORD;
            uint64_t *grown =
                arena_grow_array(arena, lanes->taken, lanes->words, words, sizeof *grown);
            if (grown == NULL) {
                return 0;
            }
            lanes->taken = grown;
            lanes->taken[0] |= 1;
            lanes->words = words;
        }
        if (lanes->taken[word] != UINT64_MAX) {
            uint32_t bit = (uint32_t)__builtin_ctzll(~lanes->taken[word]);
            lanes->taken[word] |= UINT64_C(1) << bit;
            return word * WORD + bit;
        }
    }
}

void lanes_give(struct lanes *lanes, uint32_t lane) {
    uint64_t bit = UINT64_C(1) << lane % WORD;
    assert(lane > 0 && lane / WORD < lanes->words && (lanes->taken[lane / WORD] & bit) != 0);
    lanes->taken[lane / WORD] &= ~bit;
}
