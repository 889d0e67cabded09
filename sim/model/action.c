/* action.c: what operators do while the run goes on. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/action.h"

#include <assert.h>

#include <retrystorm/scenario.h>

#include "model/broker.h"
#include "model/copies.h"
#include "model/orders.h"
#include "model/outage.h"
#include "model/population.h"
#include "model/station.h"
#include "model/world.h"

bool action_schedule(struct world *world) {
    const struct storm_scenario *plan = world->scenario;
    if (!orders_init(world)) {
        return false;
    }
    for (uint32_t i = 0; i < plan->action_count; i++) {
        const struct storm_action *action = &plan->actions[i];
        storm_time end = orders_end(action);
        uint32_t slot = world_slot(world, SLOT_ACTION, i);
        if (action->at < plan->duration) {
            world_schedule(world, action->at, EVENT_ACTION_BEGINS, slot);
        }
        if (end < plan->duration) {
            world_schedule(world, end, EVENT_ACTION_ENDS, slot);
        }
    }
    return true;
}

/* What waits is reset: its callers learn that their connections broke. */
static void clear_queue(struct world *world, uint32_t service) {
    struct service *s = &world->services[service];
    while (s->queue.count > 0) {
        uint32_t attempt = s->queue.head;
        station_remove(world, attempt);
        station_lose(world, attempt, STORM_OUTCOME_RESET);
    }
}

/* From now on the world goes by another scenario: the same places, other numbers. */
static void change_settings(struct world *world, const struct storm_scenario *after) {
    const struct storm_scenario *before = world->scenario;
    assert(after->population_count == before->population_count);
    assert(after->service_count == before->service_count);
    assert(after->call_count == before->call_count);
    world->scenario = after;
    world_list_edges(world);
    for (uint32_t i = 0; i < after->population_count; i++) {
        world->populations[i].plan = &after->populations[i];
        population_replan(world, i, &before->populations[i]);
    }
    for (uint32_t i = 0; i < after->service_count; i++) {
        world->services[i].plan = &after->services[i];
        outage_replan(world, i, &before->services[i]);
    }
}

/* Consumers go on after a pause. */
static void wake_consumers(struct world *world) {
    for (uint32_t i = 0; i < world->scenario->queue_count; i++) {
        broker_wake(world, world->scenario->queues[i].service);
    }
}

/* One cause more, or one less. */
static void count(uint32_t *causes, bool begins) {
    assert(begins || *causes > 0);
    *causes = begins ? *causes + 1 : *causes - 1;
}

static void turn(struct world *world, uint32_t index, bool begins) {
    const struct storm_action *action = &world->original->actions[index];
    switch (action->kind) {
    case STORM_ACTION_PAUSE:
        count(&world->pauses, begins);
        if (!begins) {
            wake_consumers(world);
        }
        break;
    case STORM_ACTION_BLOCK:
    case STORM_ACTION_ADMIT:
        count(&world->services[action->service].doors, begins);
        break;
    case STORM_ACTION_CLEAR:
        if (begins) {
            clear_queue(world, action->service);
        }
        break;
    case STORM_ACTION_SET:
        if (begins) {
            change_settings(world, action->after);
            wake_consumers(world); /* they may take more at once now */
        }
        break;
    case STORM_ACTION_ROLLOUT:
        world->rollouts += begins;
        break;
    case STORM_ACTION_REPLAY:
    case STORM_ACTION_RESEND:
    case STORM_ACTION_RERUN:
        if (begins) {
            copies_begin(world, index);
        }
        break;
    }
}

void action_begin(struct world *world, uint32_t index) { turn(world, index, true); }

void action_end(struct world *world, uint32_t index) { turn(world, index, false); }
