/* try.c: the try at hand of a call: its key, its deadline, the facts about it, the one timer. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/try.h"

#include <assert.h>

#include "base/stream.h"
#include "model/world.h"

uint64_t try_key_of(const struct world *world, const struct call *call, uint32_t tries) {
    bool is_root = call->edge < world->scenario->population_count;
    return stream_child(call->key, is_root ? 0 : world->ranks[call->edge] + 1, tries);
}

uint64_t try_key(const struct world *world, const struct call *call) {
    return try_key_of(world, call, call->tries);
}

struct storm_fact try_fact(const struct world *world, const struct call *call,
                           enum storm_fact_kind kind, uint64_t attempt_key) {
    return (struct storm_fact){.kind = (uint8_t)kind,
                               .place = (uint16_t)try_edge(world, call)->to,
                               .key = attempt_key,
                               .attempts = call->tries,
                               .retry = call->retried_above || call->tries > 1};
}

void try_arm(struct world *world, uint32_t call, storm_time time) {
    struct call *c = &world->calls[call];
    assert(!c->armed);
    if (time < STORM_NEVER) {
        world_schedule(world, time, EVENT_TIMER, world_slot_of_call(world, call));
        c->armed = true;
    }
}

void try_disarm(struct world *world, uint32_t call) {
    struct call *c = &world->calls[call];
    if (c->armed) {
        c->armed = false;
        world_cancel(world, world_slot_of_call(world, call));
    }
}
