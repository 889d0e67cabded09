/* request.c: what a request is, whoever looks and whenever: its key, and what is wrong with it; and
   the policy of the client that it is from. Nothing here changes anything. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/request.h"

#include <assert.h>

#include <retrystorm/scenario.h>
#include <retrystorm/units.h>

#include "base/stream.h"
#include "model/world.h"

uint64_t request_key_of(const struct world *world, const struct attempt *attempt) {
    return world_request_key(world, attempt->origin, attempt->member, attempt->ordinal);
}

static const struct storm_population *plan_of(const struct world *world, uint32_t index) {
    assert(index < world->scenario->population_count);
    return world->populations[index].plan;
}

/* The policy that the last rollout which has reached the member has brought; STORM_NONE: none. */
static uint32_t rolled_out(const struct world *world, uint32_t index, uint32_t member) {
    const struct population *p = &world->populations[index];
    storm_time now = world_now(world), latest = -1;
    uint32_t policy = STORM_NONE;
    for (uint32_t i = 0; i < world->original->action_count; i++) {
        const struct storm_action *action = &world->original->actions[i];
        if (action->kind != STORM_ACTION_ROLLOUT || action->population != index ||
            action->at > now || action->at < latest) {
            continue;
        }
        double place = stream_uniform(p->key, STREAM_ROLLOUT, member);
        if (storm_time_to_seconds(now - action->at) >=
            place * storm_time_to_seconds(action->length)) {
            latest = action->at;
            policy = action->policy;
        }
    }
    return policy;
}

uint32_t request_policy(const struct world *world, uint32_t index, uint32_t member) {
    const struct storm_population *plan = plan_of(world, index);
    uint32_t rolled = world->rollouts > 0 ? rolled_out(world, index, member) : STORM_NONE;
    if (rolled != STORM_NONE) {
        return rolled;
    }
    if (plan->fleet_count > 0) {
        double u = stream_uniform(world->populations[index].key, STREAM_FLEET, member), sum = 0;
        for (uint32_t i = 0; i < plan->fleet_count; i++) {
            sum += plan->fleets[i].share;
            if (u < sum) {
                return plan->fleets[i].policy;
            }
        }
    }
    return plan->call.policy;
}

uint16_t request_doom(const struct world *world, uint32_t index, uint64_t key) {
    const struct storm_population *plan = plan_of(world, index);
    if (plan->poison <= 0 && plan->missing <= 0) {
        return 0;
    }
    double u = stream_uniform(key, STREAM_MESSAGE, 0);
    return u < plan->poison ? 400 : u < plan->poison + plan->missing ? 404 : 0;
}

bool request_is_lethal(const struct world *world, uint32_t index, uint64_t key) {
    const struct storm_population *plan = plan_of(world, index);
    if (plan->lethal <= 0) {
        return false;
    }
    double u = stream_uniform(key, STREAM_MESSAGE, 0);
    double others = plan->poison + plan->missing;
    return u >= others && u < others + plan->lethal;
}
