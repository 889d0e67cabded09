/* guard.c: the brakes of the edges: whose budget, breaker and throttle a call goes by, and what
   they are told. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/guard.h"

#include <assert.h>

#include <retrystorm/fact.h>
#include <retrystorm/scenario.h>

#include "base/arena.h"
#include "base/stream.h"
#include "model/world.h"
#include "policy/breaker.h"
#include "policy/budget.h"

/* Invariants:
   1. Brakes are made at their first use and stay, with the scopes that they had then.
   2. under_way of a budget is the number of calls that began by it and have neither ended nor been
      dropped; `retrying` of those calls sums up to what the budget counts as under way. */

/* The brakes of one edge by one policy; arrays by instance, NULL until they are needed. */
struct brakes {
    uint32_t policy;
    int budget_scope, throttle_scope, breaker_scope; /* enum storm_scope */
    struct budget_state *budgets;
    uint64_t *under_way;
    struct throttle_state *throttles;
    struct breaker_state *breakers;
    struct brakes *next; /* of the same edge */
};

struct guard {
    struct brakes *first;
};

bool guard_init(struct world *world) {
    assert(world->guards == NULL);
    world->guards = arena_take_array(world->arena, world->edge_count, sizeof *world->guards);
    return world->guards != NULL || world_out_of_memory(world);
}

/* The population that makes the call; NULL: a service makes it. */
static const struct storm_population *caller_of(const struct world *world,
                                                const struct call *call) {
    return world_is_root(world, call) ? &world->scenario->populations[call->edge] : NULL;
}

/* How many instances there are of something of that scope; a service is a single caller. */
static uint32_t count_instances(const struct storm_population *caller, int scope) {
    if (caller == NULL || scope == STORM_SCOPE_SHARED) {
        return 1;
    }
    bool by_host = scope == STORM_SCOPE_HOST && caller->hosts > 0;
    return by_host && caller->hosts < caller->count ? caller->hosts : caller->count;
}

static uint32_t instance_of(const struct world *world, const struct call *call, int scope) {
    uint32_t count = count_instances(caller_of(world, call), scope);
    assert(count > 0);
    return count == 1 ? 0 : call->owner % count;
}

static bool make_budgets(struct world *world, struct brakes *brakes, const struct call *call) {
    const struct storm_budget *plan = &world_policy_of(world, call)->budget;
    assert(brakes->budgets == NULL); /* invariant 1 */
    uint32_t count = count_instances(caller_of(world, call), plan->scope);
    brakes->budget_scope = plan->scope;
    brakes->budgets = arena_take_array(world->arena, count, sizeof *brakes->budgets);
    brakes->under_way = arena_take_array(world->arena, count, sizeof *brakes->under_way);
    if (brakes->budgets == NULL || brakes->under_way == NULL) {
        brakes->budgets = NULL;
        return world_out_of_memory(world);
    }
    for (uint32_t i = 0; i < count; i++) {
        budget_init(plan, &brakes->budgets[i]);
    }
    return true;
}

static bool make_throttles(struct world *world, struct brakes *brakes, const struct call *call) {
    const struct storm_throttle *plan = &world_policy_of(world, call)->throttle;
    assert(brakes->throttles == NULL); /* invariant 1 */
    uint32_t count = count_instances(caller_of(world, call), plan->scope);
    brakes->throttle_scope = plan->scope;
    brakes->throttles = arena_take_array(world->arena, count, sizeof *brakes->throttles);
    if (brakes->throttles == NULL) {
        return world_out_of_memory(world);
    }
    for (uint32_t i = 0; i < count; i++) {
        throttle_init(plan, &brakes->throttles[i]);
    }
    return true;
}

static bool make_breakers(struct world *world, struct brakes *brakes, const struct call *call) {
    const struct storm_breaker *plan = &world_policy_of(world, call)->breaker;
    assert(brakes->breakers == NULL); /* invariant 1 */
    uint32_t count = count_instances(caller_of(world, call), plan->scope);
    brakes->breaker_scope = plan->scope;
    brakes->breakers = arena_take_array(world->arena, count, sizeof *brakes->breakers);
    return brakes->breakers != NULL || world_out_of_memory(world);
}

/* The brakes that a call goes by; NULL before the first of its policy on its edge has begun. */
static struct brakes *brakes_of(const struct world *world, const struct call *call) {
    struct brakes *brakes = world->guards[call->edge].first;
    assert(call->braked);
    while (brakes != NULL && brakes->policy != call->policy) {
        brakes = brakes->next;
    }
    return brakes;
}

/* The same, made where they are not there yet (or have been given by operators meanwhile). NULL at
   the memory limit. */
static struct brakes *need_brakes(struct world *world, const struct call *call) {
    const struct storm_policy *policy = world_policy_of(world, call);
    struct brakes *brakes = brakes_of(world, call);
    if (brakes == NULL) {
        brakes = arena_take(world->arena, sizeof *brakes);
        if (brakes == NULL) {
            world_out_of_memory(world);
            return NULL;
        }
        brakes->policy = call->policy;
        brakes->next = world->guards[call->edge].first;
        world->guards[call->edge].first = brakes;
    }
    bool good = true;
    if (policy->budget.kind != STORM_BUDGET_NONE && brakes->budgets == NULL) {
        good = make_budgets(world, brakes, call);
    }
    if (good && policy->throttle.kind != STORM_THROTTLE_NONE && brakes->throttles == NULL) {
        good = make_throttles(world, brakes, call);
    }
    if (good && policy->breaker.kind != STORM_BREAKER_NONE && brakes->breakers == NULL) {
        good = make_breakers(world, brakes, call);
    }
    return good ? brakes : NULL;
}

/* ---- which of them concerns the call --------------------------------------------------------- */

static struct budget_state *budget_of(const struct world *world, const struct call *call) {
    const struct brakes *brakes = brakes_of(world, call);
    bool has_one = brakes != NULL && brakes->budgets != NULL &&
                   world_policy_of(world, call)->budget.kind != STORM_BUDGET_NONE;
    return has_one ? &brakes->budgets[instance_of(world, call, brakes->budget_scope)] : NULL;
}

static uint64_t *under_way_of(const struct world *world, const struct call *call) {
    const struct brakes *brakes = brakes_of(world, call);
    bool has_one = brakes != NULL && brakes->under_way != NULL;
    return has_one ? &brakes->under_way[instance_of(world, call, brakes->budget_scope)] : NULL;
}

static struct throttle_state *throttle_of(const struct world *world, const struct call *call) {
    const struct brakes *brakes = brakes_of(world, call);
    bool has_one = brakes != NULL && brakes->throttles != NULL &&
                   world_policy_of(world, call)->throttle.kind != STORM_THROTTLE_NONE;
    return has_one ? &brakes->throttles[instance_of(world, call, brakes->throttle_scope)] : NULL;
}

static struct breaker_state *breaker_of(const struct world *world, const struct call *call,
                                        bool outside) {
    const struct brakes *brakes = brakes_of(world, call);
    const struct storm_breaker *plan = &world_policy_of(world, call)->breaker;
    bool has_one = brakes != NULL && brakes->breakers != NULL && plan->kind != STORM_BREAKER_NONE &&
                   plan->outside == outside;
    return has_one ? &brakes->breakers[instance_of(world, call, brakes->breaker_scope)] : NULL;
}

/* ---- breakers -------------------------------------------------------------------------------- */

/* Tells that a breaker has come to another phase, if it has. */
static void tell_phase(struct world *world, const struct call *call,
                       const struct breaker_state *breaker, uint8_t before) {
    const struct storm_breaker *plan = &world_policy_of(world, call)->breaker;
    if (breaker->phase == before) {
        return;
    }
    uint32_t instance = instance_of(world, call, plan->scope);
    world_tell(world, &(struct storm_fact){.kind = STORM_FACT_BREAKER,
                                           .place = (uint16_t)world->edges[call->edge]->to,
                                           .parent = (uint64_t)call->edge << 32 | instance,
                                           .level = breaker->phase});
}

static bool pass_breaker(struct world *world, struct call *call, bool outside) {
    struct breaker_state *breaker = breaker_of(world, call, outside);
    if (breaker == NULL || call->passed) { /* operators may have moved it meanwhile */
        return true;
    }
    uint8_t before = breaker->phase;
    call->passed =
        breaker_allows(&world_policy_of(world, call)->breaker, breaker, world_now(world));
    tell_phase(world, call, breaker, before);
    return call->passed;
}

static void record_outcome(struct world *world, struct call *call, bool outside, bool succeeded) {
    struct breaker_state *breaker = breaker_of(world, call, outside);
    if (breaker == NULL || !call->passed) {
        return;
    }
    uint8_t before = breaker->phase;
    call->passed = false;
    breaker_record(&world_policy_of(world, call)->breaker, breaker, world_now(world), succeeded);
    tell_phase(world, call, breaker, before);
}

/* What was let through has no outcome. */
static void forget_outcome(struct world *world, struct call *call) {
    struct breaker_state *breaker =
        breaker_of(world, call, world_policy_of(world, call)->breaker.outside);
    if (breaker != NULL && call->passed) {
        breaker_forget(breaker);
    }
    call->passed = false;
}

/* ---- the life of a call ---------------------------------------------------------------------- */

/* Whether a retry that is allowed counts as under way from then on. */
static bool counts_backing_off(const struct storm_budget *plan) {
    return plan->kind == STORM_BUDGET_CONCURRENCY && plan->count_backing_off;
}

bool guard_begins(struct world *world, struct call *call) {
    const struct storm_policy *policy = world_policy_of(world, call);
    assert(!call->passed && call->retrying == 0); /* it has asked nobody yet */
    if (need_brakes(world, call) == NULL) {
        return true; /* the run is over */
    }
    struct budget_state *budget = budget_of(world, call);
    if (budget != NULL) {
        if (call->tries == 0) { /* a later delivery goes on with the retries of the first */
            budget_request(&policy->budget, budget, world_now(world));
        } else if (counts_backing_off(&policy->budget)) {
            budget_resume(&policy->budget, budget);
            call->retrying++;
        }
        *under_way_of(world, call) += 1;
        call->budgeted = true;
    }
    return pass_breaker(world, call, true);
}

struct throttle_word guard_asks(struct world *world, struct call *call, uint64_t key) {
    struct throttle_state *throttle = throttle_of(world, call);
    if (throttle == NULL) {
        return (struct throttle_word){.rejected = false};
    }
    double u = stream_uniform(key, STREAM_THROTTLE, 0);
    return throttle_ask(&world_policy_of(world, call)->throttle, throttle, world_now(world), u);
}

bool guard_lets(struct world *world, struct call *call) { return pass_breaker(world, call, false); }

/* The retries that the budget counts as under way are over. */
static void end_retries(struct world *world, struct call *call) {
    struct budget_state *budget = budget_of(world, call);
    for (; budget != NULL && call->retrying > 0; call->retrying--) {
        budget_over(&world_policy_of(world, call)->budget, budget);
    }
}

void guard_held(struct world *world, struct call *call) { end_retries(world, call); }

void guard_answered(struct world *world, struct call *call, uint16_t status,
                    enum storm_class class) {
    const struct storm_policy *policy = world_policy_of(world, call);
    bool is_bad = class == STORM_CLASS_RETRY;
    struct throttle_state *throttle = throttle_of(world, call);
    struct budget_state *budget = budget_of(world, call);
    if (throttle != NULL) {
        throttle_answer(&policy->throttle, throttle, world_now(world), status);
    }
    if (budget != NULL && is_bad) {
        budget_failure(&policy->budget, budget);
    }
    end_retries(world, call);
    record_outcome(world, call, false, !is_bad);
}

bool guard_allows(struct world *world, struct call *call, uint16_t status) {
    struct budget_state *budget = budget_of(world, call);
    if (budget == NULL) {
        return true;
    }
    const struct storm_budget *plan = &world_policy_of(world, call)->budget;
    uint64_t under_way = *under_way_of(world, call);
    bool is_allowed = budget_allows(plan, budget, world_now(world), status, under_way, &call->paid);
    if (is_allowed && counts_backing_off(plan)) {
        call->retrying++;
    }
    return is_allowed;
}

void guard_sent(struct world *world, struct call *call) {
    const struct storm_budget *plan = &world_policy_of(world, call)->budget;
    struct budget_state *budget = budget_of(world, call);
    if (budget != NULL && plan->kind == STORM_BUDGET_CONCURRENCY && !plan->count_backing_off) {
        budget_sent(plan, budget);
        call->retrying++;
    }
}

static void leave(struct world *world, struct call *call) {
    end_retries(world, call);
    if (call->budgeted) { /* operators may have brought the budget since it began */
        uint64_t *under_way = under_way_of(world, call);
        assert(under_way != NULL && *under_way > 0); /* invariant 2 */
        *under_way -= 1;
        call->budgeted = false;
    }
}

void guard_ended(struct world *world, struct call *call, bool succeeded, bool is_retryable) {
    const struct storm_policy *policy = world_policy_of(world, call);
    struct budget_state *budget = budget_of(world, call);
    leave(world, call);
    if (budget != NULL && succeeded) {
        budget_success(&policy->budget, budget, world_now(world), call->paid);
    } else if (budget != NULL) {
        budget_give_up(&policy->budget, budget, world_now(world), is_retryable);
    }
    record_outcome(world, call, true, succeeded || !is_retryable);
    forget_outcome(world, call);
}

void guard_dropped(struct world *world, struct call *call) {
    leave(world, call);
    forget_outcome(world, call);
}
