/* fault.c: scheduled faults: each is in force in [at, at + length). */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/fault.h"

#include <assert.h>

#include <retrystorm/units.h>

#include "model/outage.h"
#include "model/world.h"

static void schedule(struct world *world, uint32_t index, enum event_meaning meaning,
                     storm_time time) {
    if (time < world->scenario->duration) {
        world_schedule(world, time, meaning, world_slot(world, SLOT_FAULT, index));
    }
}

void fault_schedule(struct world *world) {
    const struct storm_scenario *plan = world->scenario;
    for (uint32_t i = 0; i < plan->fault_count; i++) {
        assert(plan->faults[i].length > 0);
        schedule(world, i, EVENT_FAULT_BEGINS, plan->faults[i].at);
    }
    for (uint32_t i = 0; i < plan->fault_count; i++) {
        if (plan->faults[i].period == 0) {
            schedule(world, i, EVENT_FAULT_ENDS, storm_fault_end(&plan->faults[i]));
        }
    }
}

/* Recomputes a service's factors from all faults in force: products, since undoing one by
   division would not be exact. */
static void refresh(struct world *world, uint32_t service) {
    double slow = 1, share = 1;
    bool errors = false, network = false;
    storm_time now = world_now(world);
    for (uint32_t i = 0; i < world->scenario->fault_count; i++) {
        const struct storm_fault *fault = &world->scenario->faults[i];
        if (fault->service != service || !storm_fault_is_on(fault, now)) {
            continue;
        }
        if (fault->kind == STORM_FAULT_SLOW) {
            slow *= fault->factor;
        } else if (fault->kind == STORM_FAULT_CAPACITY) {
            share *= fault->share;
        } else if (fault->kind == STORM_FAULT_ERRORS) {
            errors = true;
        } else if (fault->kind == STORM_FAULT_NETWORK) {
            network = true;
        }
    }
    world->services[service].error_faults = errors;
    world->services[service].network_faults = network;
    outage_set_factors(world, service, slow, share);
}

/* An outage begins or ends; of the other kinds the factors are worked out again. */
static void turn(struct world *world, uint32_t index, bool begins) {
    const struct storm_fault *fault = &world->scenario->faults[index];
    bool is_outage = fault->kind == STORM_FAULT_DOWN || fault->kind == STORM_FAULT_HANG;
    enum storm_outage kind =
        fault->kind == STORM_FAULT_DOWN ? STORM_OUTAGE_DOWN : STORM_OUTAGE_HANG;
    if (!is_outage) {
        refresh(world, fault->service);
    } else if (begins) {
        outage_begin(world, fault->service, kind, fault->lost);
    } else {
        outage_end(world, fault->service, kind);
    }
}

/* A fault that comes again: its next beginning first, so that where one ends as the next begins,
   nothing recovers in between. */
void fault_begin(struct world *world, uint32_t index) {
    const struct storm_fault *fault = &world->scenario->faults[index];
    storm_time now = world_now(world);
    if (fault->period > 0) {
        schedule(world, index, EVENT_FAULT_BEGINS, storm_time_add(now, fault->period));
        schedule(world, index, EVENT_FAULT_ENDS, storm_time_add(now, fault->length));
    }
    turn(world, index, true);
}

void fault_end(struct world *world, uint32_t index) { turn(world, index, false); }
