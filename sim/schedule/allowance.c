/* allowance.c: what a budget comes to: how many retries it allows, and what earns the next one. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "schedule/allowance.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

#include "policy/budget.h"

/* Whether a failure may be retried; it is then under way. */
static bool fails_and_is_retried(const struct storm_budget *budget, struct budget_state *state,
                                 uint16_t status) {
    double paid;
    budget_failure(budget, state);
    bool is_retried = budget_allows(budget, state, 0, status, 1, &paid);
    if (is_retried) {
        budget_sent(budget, state);
    }
    return is_retried;
}

static uint32_t count_in_a_row(const struct storm_budget *budget, struct budget_state *state,
                               uint16_t status) {
    uint32_t count = 0;
    while (count < ALLOWANCE_MOST && fails_and_is_retried(budget, state, status)) {
        count++;
    }
    return count;
}

static uint32_t count_earned_by(const struct storm_budget *budget, struct budget_state *state,
                                uint16_t status) {
    uint32_t count = 0;
    bool is_earned = false;
    while (count < ALLOWANCE_MOST && !is_earned) {
        budget_request(budget, state, 0);
        budget_success(budget, state, 0, 0);
        struct budget_state then = *state;
        is_earned = fails_and_is_retried(budget, &then, status);
        count++;
    }
    return count;
}

/* In the long run no more is taken than is given. gRPC: every failure takes a token and every
   success gives ratio of one, so retries are at most ratio per success. Finagle: retries take what
   requests have given. A cost is given back by the very retry that succeeds, and places under way
   are free again: those bound no ratio. */
static double bound_of(const struct storm_budget *budget) {
    if (budget->kind == STORM_BUDGET_RATIO) {
        return 1 + budget->ratio;
    }
    if (budget->kind == STORM_BUDGET_WINDOW) {
        return 1 + budget_window_ratio(budget);
    }
    return HUGE_VAL;
}

struct allowance allowance_of(const struct storm_budget *budget, uint16_t status) {
    struct allowance allowance = {.bound = bound_of(budget)};
    struct budget_state state;
    assert(budget->kind != STORM_BUDGET_NONE);
    budget_init(budget, &state);
    allowance.in_a_row = count_in_a_row(budget, &state, status);
    allowance.earned_by = count_earned_by(budget, &state, status);
    return allowance;
}
