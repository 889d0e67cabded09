/* network.c: a message on its way between a caller and a service: how long it takes, or that it
   never comes. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/network.h"

#include <assert.h>

#include <retrystorm/dist.h>

#include "base/stream.h"
#include "model/world.h"

enum { LEGS = 4 };

static const enum stream_purpose purposes[LEGS] = {[NETWORK_OUT] = STREAM_OUTBOUND,
                                                   [NETWORK_BACK] = STREAM_RETURN,
                                                   [NETWORK_READ_BACK] = STREAM_READ_RETURN,
                                                   [NETWORK_WRITE] = STREAM_WRITE};

/* What the network faults in force do to a message: each has its own luck. */
static bool pass_faults(const struct world *world, const struct attempt *attempt,
                        enum network_leg leg, storm_time *latency) {
    for (uint32_t i = 0; i < world->scenario->fault_count; i++) {
        const struct storm_fault *fault = &world->scenario->faults[i];
        if (fault->kind != STORM_FAULT_NETWORK || fault->service != attempt->service ||
            !storm_fault_is_on(fault, world_now(world))) {
            continue;
        }
        uint64_t key = stream_bits(attempt->key, STREAM_FAULT_LOSS, i);
        if (fault->loss > 0 && stream_uniform(key, STREAM_FAULT_LOSS, leg) < fault->loss) {
            return false;
        }
        *latency = storm_time_add(*latency, storm_dist_draw(&fault->latency, key, purposes[leg]));
    }
    return true;
}

bool network_draws(const struct world *world, const struct attempt *attempt, enum network_leg leg,
                   storm_time *latency) {
    const struct storm_edge *edge = world->edges[attempt->edge];
    assert((unsigned)leg < LEGS);
    if (edge->loss > 0 && stream_uniform(attempt->key, STREAM_LOSS, leg) < edge->loss) {
        return false;
    }
    *latency = storm_dist_draw(&edge->network, attempt->key, purposes[leg]);
    return !world->services[attempt->service].network_faults ||
           pass_faults(world, attempt, leg, latency);
}
