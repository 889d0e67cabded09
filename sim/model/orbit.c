/* orbit.c: the calls of one edge that back off under a policy by which only the one that has waited
   longest retries.

   1. The calls of an orbit are linked in the order in which they joined: before the head and after
      the tail there is nobody. Any of them may leave: its deadline does not wait for its turn. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/orbit.h"

#include <assert.h>

#include "model/world.h"

bool orbit_join(struct world *world, uint32_t call) {
    struct call *c = &world->calls[call];
    struct lane *orbit = &world->orbits[c->edge];
    assert(c->orbiting && c->state == CALL_BACKING_OFF);
    assert(orbit->count == 0 || world->calls[orbit->tail].next == STORM_NONE); /* invariant 1 */
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
    assert(orbit->count > 0 && was_first == (c->previous == STORM_NONE)); /* invariant 1 */
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
