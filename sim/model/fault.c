/* fault.c: scheduled faults: each is in force in [at, at + length). */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/fault.h"

#include <assert.h>

#include <retrystorm/units.h>

#include "model/outage.h"
#include "model/world.h"

void fault_schedule(struct world *world) {
    const struct storm_scenario *plan = world->scenario;
    for (uint32_t i = 0; i < plan->fault_count; i++) {
        if (plan->faults[i].at < plan->duration && plan->faults[i].length > 0) {
            world_schedule(world, plan->faults[i].at, EVENT_FAULT_BEGINS,
                           world_slot_of_fault(world, i));
        }
    }
    for (uint32_t i = 0; i < plan->fault_count; i++) {
        if (storm_fault_end(&plan->faults[i]) < plan->duration && plan->faults[i].length > 0) {
            world_schedule(world, storm_fault_end(&plan->faults[i]), EVENT_FAULT_ENDS,
                           world_slot_of_fault(world, i));
        }
    }
}

/* Recomputes a service's factors from all faults in force: products, since undoing one by
   division would not be exact. */
static void refresh(struct world *world, uint32_t service) {
    double slow = 1, share = 1;
    bool errors = false;
    storm_time now = world_now(world);
    for (uint32_t i = 0; i < world->scenario->fault_count; i++) {
        const struct storm_fault *fault = &world->scenario->faults[i];
        if (fault->service != service || now < fault->at || now >= storm_fault_end(fault)) {
            continue;
        }
        if (fault->kind == STORM_FAULT_SLOW) {
            slow *= fault->factor;
        } else if (fault->kind == STORM_FAULT_CAPACITY) {
            share *= fault->share;
        } else if (fault->kind == STORM_FAULT_ERRORS) {
            errors = true;
        }
    }
    outage_set_factors(world, service, slow, share, errors);
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
        outage_begin(world, fault->service, kind);
    } else {
        outage_end(world, fault->service, kind);
    }
}

void fault_begin(struct world *world, uint32_t index) { turn(world, index, true); }

void fault_end(struct world *world, uint32_t index) { turn(world, index, false); }
