/* rules_brake.c: budgets, breakers and bans that do not do what they are there for. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "lint/rules.h"

/* ---- R021 ------------------------------------------------------------------------------------ */

/* Whether a budget counts the retries of one call at a time, of clients who make one (*only: and no
   other afterwards). */
static bool is_of_one_call(const struct lint_call *call, bool *only) {
    const struct storm_population *population = call->population;
    const struct storm_budget *budget = &call->policy->budget;
    bool is_own =
        budget->scope == STORM_SCOPE_CLIENT ||
        (budget->scope == STORM_SCOPE_HOST && population != NULL && population->hosts == 0);
    if (population == NULL || !is_own) {
        return false;
    }
    *only = population->arrival == STORM_ARRIVAL_AT;
    return *only || population->arrival == STORM_ARRIVAL_CLOSED || storm_is_consumer(population);
}

/* Why the budget of a call never holds a retry back; NULL: it may. */
static const char *looseness(const struct lint_call *call) {
    const struct storm_budget *budget = &call->policy->budget;
    double retries =
        call->policy->attempts == STORM_ATTEMPTS_UNLIMITED ? HUGE_VAL : call->policy->attempts - 1;
    double dearest = fmax(budget->cost, fmax(budget->cost_timeout, budget->cost_throttled));
    bool only = false;
    bool is_of_one = is_of_one_call(call, &only);
    switch ((enum storm_budget_kind)budget->kind) {
    case STORM_BUDGET_WINDOW:
        return budget->ratio >= retries ? "each request brings in more retries than it can make"
                                        : NULL;
    case STORM_BUDGET_COST:
        return only && retries * dearest <= budget->capacity
                   ? "each client has one request, and tokens for all of its retries"
                   : NULL;
    case STORM_BUDGET_CONCURRENCY:
        if (budget->most == STORM_UNLIMITED) {
            return "any number of retries may be under way";
        }
        return is_of_one && budget->most >= 1
                   ? "a client has one call at a time, so never more than one retry under way"
                   : NULL;
    case STORM_BUDGET_NONE:
    case STORM_BUDGET_RATIO:
        break;
    }
    return NULL;
}

static void look_at_budget(struct lint *lint, const struct lint_call *call) {
    const char *why = looseness(call);
    char path[STORM_PATH_MAX + 16];
    /* Another call of the same policy may be one that the budget does bind. */
    for (uint32_t i = 0; i < lint->call_count && why != NULL; i++) {
        const struct lint_call *other = &lint->calls[i];
        why = other->policy == call->policy ? looseness(other) : why;
    }
    if (why != NULL) {
        snprintf(path, sizeof path, "%s.budget", call->policy_path);
        lint_add(lint, LINT_NOTE, path, "the budget of '%s' never binds: %s", call->policy->name,
                 why);
    }
}

void lint_rule_loose_budget(struct lint *lint) { lint_each_policy(lint, look_at_budget); }

/* ---- R023 ------------------------------------------------------------------------------------ */

void lint_rule_silent_ban(struct lint *lint) {
    for (uint32_t i = 0; i < lint->scenario->service_count; i++) {
        const struct storm_service *service = &lint->scenario->services[i];
        char path[STORM_PATH_MAX];
        if (service->ban.strikes > 0 && service->retry_after == STORM_RETRY_AFTER_NONE) {
            snprintf(path, sizeof path, "services.%.100s.rate_limit.ban", service->name);
            lint_add(lint, LINT_WARNING, path,
                     "'%s' bans clients who come back too early, and tells nobody when to come",
                     service->name);
        }
    }
}

/* ---- R026 ------------------------------------------------------------------------------------ */

static void look_at_breaker(struct lint *lint, const struct lint_call *call) {
    const struct storm_breaker *breaker = &call->policy->breaker;
    char path[STORM_PATH_MAX + 24];
    bool ends = !lint_is_endless(call->policy) || call->edge->deadline < STORM_NEVER;
    assert(lint_retries(call->policy));
    if (breaker->kind == STORM_BREAKER_NONE || !breaker->outside || ends) {
        return;
    }
    snprintf(path, sizeof path, "%s.breaker", call->policy_path);
    lint_add(lint, LINT_WARNING, path,
             "the breaker of '%s' is told of ended calls, and %s -> %s never ends in failure",
             call->policy->name, call->caller, call->edge->to_name);
}

void lint_rule_outer_breaker(struct lint *lint) { lint_each_policy(lint, look_at_breaker); }
