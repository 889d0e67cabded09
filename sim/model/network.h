/* network.h: a message on its way between a caller and a service: how long it takes, or that it
   never comes. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_NETWORK_H
#define MODEL_NETWORK_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/units.h>

#include "model/world.h"

/* The messages of one attempt, in the order of their numbers for chance. The last two are the read
   of an optimistic lock that comes back, and the write that follows. */
enum network_leg { NETWORK_OUT, NETWORK_BACK, NETWORK_READ_BACK, NETWORK_WRITE };

/* The same as network_carries where chance has a say. */
bool network_draws(const struct world *world, const struct attempt *attempt, enum network_leg leg,
                   storm_time *latency);

/* Draws the fate of one message: its latency, faults of the network included; false when it is
   lost. */
static inline bool network_carries(const struct world *world, const struct attempt *attempt,
                                   enum network_leg leg, storm_time *latency) {
    const struct storm_edge *edge = world->edges[attempt->edge];
    bool is_plain = edge->network.law == STORM_LAW_CONSTANT && edge->loss <= 0 &&
                    !world->services[attempt->service].network_faults;
    *latency = edge->network.offset;
    return is_plain || network_draws(world, attempt, leg, latency);
}

#endif
