/* lanes.h: which lanes of a process are taken; who needs one takes the lowest that is free. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RECORD_LANES_H
#define RECORD_LANES_H

#include <stdint.h>

struct arena;

/* Begins as zero. Lane 0 is never taken: it is what nobody lies in. */
struct lanes {
    uint64_t *taken; /* bits */
    uint32_t words;
};

/* The lowest lane that is free; 0 without memory, which is the arena's. */
uint32_t lanes_take(struct lanes *lanes, struct arena *arena);

/* Gives back a lane that was taken. */
void lanes_give(struct lanes *lanes, uint32_t lane);

#endif
