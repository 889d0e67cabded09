/* orders.c: what operators have ordered and is in force at the moment: pauses, blocks, doors. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/orders.h"

#include <assert.h>

#include "base/arena.h"
#include "model/limiter.h"
#include "model/world.h"

storm_time orders_end(const struct storm_action *action) {
    return storm_time_add(action->at, action->length);
}

static bool is_on(const struct storm_action *action, storm_time now) {
    return now >= action->at && now < orders_end(action);
}

static bool concerns(const struct storm_action *action, uint32_t population) {
    return action->population == STORM_NONE || action->population == population;
}

bool orders_init(struct world *world) {
    uint32_t count = world->original->action_count;
    world->admissions = arena_take_array(world->arena, count, sizeof *world->admissions);
    return count == 0 || world->admissions != NULL || world_out_of_memory(world);
}

storm_time orders_pause_end(const struct world *world, uint32_t population) {
    storm_time now = world_now(world), end = 0;
    assert(population < world->original->population_count);
    if (world->pauses == 0) {
        return 0;
    }
    for (uint32_t i = 0; i < world->original->action_count; i++) {
        const struct storm_action *action = &world->original->actions[i];
        if (action->kind == STORM_ACTION_PAUSE && concerns(action, population) &&
            is_on(action, now)) {
            end = storm_time_later(end, orders_end(action));
        }
    }
    return end;
}

uint16_t orders_turn_away(struct world *world, const struct attempt *attempt) {
    storm_time now = world_now(world);
    assert(world->services[attempt->service].doors > 0); /* or there is nothing to look for */
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
