/* try.h: the try at hand of a call: its key, its deadline, the facts about it, the one timer. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_TRY_H
#define MODEL_TRY_H

#include <assert.h>
#include <stdint.h>

#include <retrystorm/fact.h>
#include <retrystorm/scenario.h>
#include <retrystorm/units.h>

#include "model/world.h"

/* What it goes over. */
static inline const struct storm_edge *try_edge(const struct world *world,
                                                const struct call *call) {
    assert(call->edge < world->edge_count);
    return world->edges[call->edge];
}

/* By when the call is over: its own deadline, or that which it was given. */
static inline storm_time try_deadline(const struct world *world, const struct call *call) {
    storm_time own = storm_time_add(call->begun, try_edge(world, call)->deadline);
    return storm_time_earlier(own, call->due);
}

/* The key of try number `tries` of the call. A population's call is edge 0 whatever its place (the
   key of the request names the population), so that another population changes nobody's luck. */
uint64_t try_key_of(const struct world *world, const struct call *call, uint32_t tries);

/* That of the current one. */
uint64_t try_key(const struct world *world, const struct call *call);

/* A fact about the current one, for the caller of this function to complete and to tell. */
struct storm_fact try_fact(const struct world *world, const struct call *call,
                           enum storm_fact_kind kind, uint64_t attempt_key);

/* Arms the call's one timer at `time` (world.h, invariant 2); never is not scheduled at all. */
void try_arm(struct world *world, uint32_t call, storm_time time);

/* Takes it back, if it is armed. */
void try_disarm(struct world *world, uint32_t call);

#endif
