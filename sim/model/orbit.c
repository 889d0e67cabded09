/* orbit.c: the calls of one edge that back off under a policy by which only the one that has waited
   longest retries. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/orbit.h"

#include <assert.h>

#include "model/world.h"

bool orbit_join(struct world *world, uint32_t call) {
    struct call *c = &world->calls[call];
    struct lane *orbit = &world->orbits[c->edge];
    c->next = STORM_NONE;
    c->previous = orbit->count > 0 ? orbit->tail : STORM_NONE;
    if (orbit->count > 0) {
        world->calls[orbit->tail].next = call;
    } else {
        orbit->head = call;
    }
    orbit->tail = call;
    orbit->count++;
    return orbit->count == 1;
}

uint32_t orbit_leave(struct world *world, uint32_t call) {
    const struct call *c = &world->calls[call];
    struct lane *orbit = &world->orbits[c->edge];
    bool was_first = orbit->head == call;
    assert(orbit->count > 0 && (was_first || c->previous != STORM_NONE));
    if (was_first) {
        orbit->head = c->next;
    } else {
        world->calls[c->previous].next = c->next;
    }
    if (c->next != STORM_NONE) {
        world->calls[c->next].previous = c->previous;
    } else {
        orbit->tail = c->previous;
    }
    orbit->count--;
    return was_first && orbit->count > 0 ? orbit->head : STORM_NONE;
}
