/* action.c: what operators do while the run goes on. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/action.h"

#include <assert.h>

#include <retrystorm/scenario.h>

#include "base/arena.h"
#include "model/broker.h"
#include "model/copies.h"
#include "model/limiter.h"
#include "model/outage.h"
#include "model/population.h"
#include "model/station.h"
#include "model/world.h"

static storm_time end_of(const struct storm_action *action) {
    return storm_time_add(action->at, action->length);
}

static bool is_on(const struct storm_action *action, storm_time now) {
    return now >= action->at && now < end_of(action);
}

static bool concerns(const struct storm_action *action, uint32_t population) {
    return action->population == STORM_NONE || action->population == population;
}

bool action_schedule(struct world *world) {
    const struct storm_scenario *plan = world->scenario;
    world->admissions =
        arena_take_array(world->arena, plan->action_count, sizeof *world->admissions);
    if (plan->action_count > 0 && world->admissions == NULL) {
        return world_out_of_memory(world);
    }
    for (uint32_t i = 0; i < plan->action_count; i++) {
        const struct storm_action *action = &plan->actions[i];
        storm_time end = end_of(action);
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

storm_time action_pause_end(const struct world *world, uint32_t population) {
    storm_time now = world_now(world), end = 0;
    if (world->pauses == 0) {
        return 0;
    }
    for (uint32_t i = 0; i < world->original->action_count; i++) {
        const struct storm_action *action = &world->original->actions[i];
        if (action->kind == STORM_ACTION_PAUSE && concerns(action, population) &&
            is_on(action, now)) {
            end = storm_time_later(end, end_of(action));
        }
    }
    return end;
}

uint16_t action_turns_away(struct world *world, const struct attempt *attempt) {
    storm_time now = world_now(world);
    for (uint32_t i = 0; i < world->original->action_count; i++) {
        const struct storm_action *action = &world->original->actions[i];
        bool is_block = action->kind == STORM_ACTION_BLOCK;
        bool is_admit = action->kind == STORM_ACTION_ADMIT;
        if ((!is_block && !is_admit) || action->service != attempt->service ||
            !is_on(action, now)) {
            continue;
        }
        if (is_block && concerns(action, attempt->origin)) {
            return action->status;
        }
        if (is_admit && !limiter_admits(&world->admissions[i], action->rate, 1, now)) {
            return action->status;
        }
    }
    return 0;
}
