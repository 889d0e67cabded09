/* budget.c: how many retries all calls together may make: one rule per kind of budget. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Invariants
   1. Tokens are at least 0, and never more than the capacity: a quiet day banks nothing.
   2. A window remembers its newest ten slots of ttl / 10 each and nothing older; slot n is at
      deposits[slots_place(n)]. Withdrawals are negative deposits, so they are forgotten, too: after
      a quiet ttl a window is as new.
   RATIO and WINDOW count in thousandths, as the products do: their sums are exact. */

#include "policy/budget.h"

#include <assert.h>
#include <math.h>

#include "base/mathx.h"

static const double thousand = 1000;

/* A retry that asks to be made. */
struct retry {
    storm_time now;
    uint64_t under_way;
    uint16_t status;
};

/* ---- cost: AWS ------------------------------------------------------------------------------- */

static double cost_of(const struct storm_budget *budget, uint16_t status) {
    double own = status == STORM_OUTCOME_TIMEOUT ? budget->cost_timeout
                 : status == 429                 ? budget->cost_throttled
                                                 : -1;
    return own < 0 ? budget->cost : own;
}

static bool cost_allows(const struct storm_budget *budget, struct budget_state *state,
                        const struct retry *retry, double *paid) {
    double cost = cost_of(budget, retry->status);
    if (cost > state->tokens) {
        return false;
    }
    state->tokens -= cost;
    *paid = cost;
    return true;
}

static void cost_success(const struct storm_budget *budget, struct budget_state *state,
                         storm_time now, double paid) {
    (void)now;
    state->tokens = fmin(state->tokens + (paid > 0 ? paid : budget->refill), budget->capacity);
}

/* ---- ratio: gRPC ----------------------------------------------------------------------------- */

static void ratio_failure(const struct storm_budget *budget, struct budget_state *state) {
    (void)budget;
    state->tokens = fmax(state->tokens - thousand, 0);
}

static bool ratio_allows(const struct storm_budget *budget, struct budget_state *state,
                         const struct retry *retry, double *paid) {
    (void)retry;
    (void)paid;
    return state->tokens > budget->capacity * thousand / 2;
}

static void ratio_success(const struct storm_budget *budget, struct budget_state *state,
                          storm_time now, double paid) {
    (void)now;
    (void)paid;
    double gift = floor(mathx_settle(budget->ratio * thousand));
    state->tokens = fmin(state->tokens + gift, budget->capacity * thousand);
}

/* ---- window: Finagle, Linkerd ---------------------------------------------------------------- */

/* What a retry takes, where a request gives a thousand. Finagle cuts it to whole thousandths, tower
   to whole requests, as long as it is not less than one. */
static double window_price(const struct storm_budget *budget) {
    if (budget->ratio <= 0) {
        return 1; /* requests give nothing: the reserve alone is left, of which it is the unit */
    }
    bool is_whole = budget->whole && budget->ratio <= 1;
    return is_whole ? floor(1 / budget->ratio) * thousand : floor(thousand / budget->ratio);
}

double budget_window_ratio(const struct storm_budget *budget) {
    assert(budget->kind == STORM_BUDGET_WINDOW);
    return budget->ratio > 0 ? thousand / window_price(budget) : 0;
}

static void window_turn(const struct storm_budget *budget, struct budget_state *state,
                        storm_time now) {
    int64_t stale = slots_turn(&state->slot, budget->ttl, now);
    for (int64_t i = 0; i < stale; i++) {
        state->deposits[slots_place(state->slot - i)] = 0;
    }
}

static void window_put(const struct storm_budget *budget, struct budget_state *state,
                       storm_time now, double amount) {
    window_turn(budget, state, now);
    state->deposits[slots_place(state->slot)] += amount;
}

static void window_deposit(const struct storm_budget *budget, struct budget_state *state,
                           storm_time now, enum storm_deposit when) {
    if (budget->ratio > 0 && budget->deposit_on == (int)when) {
        window_put(budget, state, now, thousand);
    }
}

static void window_request(const struct storm_budget *budget, struct budget_state *state,
                           storm_time now) {
    window_deposit(budget, state, now, STORM_DEPOSIT_REQUEST);
}

static bool window_allows(const struct storm_budget *budget, struct budget_state *state,
                          const struct retry *retry, double *paid) {
    double price = window_price(budget), ttl = storm_time_to_seconds(budget->ttl);
    double balance = mathx_settle(budget->reserve * ttl) * price;
    (void)paid;
    window_turn(budget, state, retry->now);
    for (int i = 0; i < SLOTS_COUNT; i++) {
        balance += state->deposits[i];
    }
    if (balance < price) {
        return false;
    }
    window_put(budget, state, retry->now, -price);
    return true;
}

static void window_success(const struct storm_budget *budget, struct budget_state *state,
                           storm_time now, double paid) {
    (void)paid;
    window_deposit(budget, state, now, STORM_DEPOSIT_SUCCESS);
}

static void window_give_up(const struct storm_budget *budget, struct budget_state *state,
                           storm_time now) {
    window_deposit(budget, state, now, STORM_DEPOSIT_SUCCESS);
}

/* ---- concurrency: Envoy ---------------------------------------------------------------------- */

static bool concurrency_allows(const struct storm_budget *budget, struct budget_state *state,
                               const struct retry *retry, double *paid) {
    double share = floor(mathx_settle(budget->ratio * (double)retry->under_way));
    (void)paid;
    if (state->retrying >= fmax(share, budget->most)) {
        return false;
    }
    state->retrying += budget->count_backing_off;
    return true;
}

/* ---- all kinds ------------------------------------------------------------------------------- */

/* What a kind does at each of the moments; NULL: nothing. */
struct rule {
    void (*request)(const struct storm_budget *, struct budget_state *, storm_time now);
    void (*failure)(const struct storm_budget *, struct budget_state *);
    bool (*allows)(const struct storm_budget *, struct budget_state *, const struct retry *,
                   double *paid);
    void (*success)(const struct storm_budget *, struct budget_state *, storm_time now,
                    double paid);
    void (*give_up)(const struct storm_budget *, struct budget_state *, storm_time now);
};

static const struct rule rules[] = {
    [STORM_BUDGET_NONE] = {0},
    [STORM_BUDGET_COST] = {.allows = cost_allows, .success = cost_success},
    [STORM_BUDGET_RATIO] = {.failure = ratio_failure,
                            .allows = ratio_allows,
                            .success = ratio_success},
    [STORM_BUDGET_WINDOW] = {.request = window_request,
                             .allows = window_allows,
                             .success = window_success,
                             .give_up = window_give_up},
    [STORM_BUDGET_CONCURRENCY] = {.allows = concurrency_allows},
};

static const struct rule *rule_of(const struct storm_budget *budget) {
    assert(budget->kind >= STORM_BUDGET_NONE && budget->kind <= STORM_BUDGET_CONCURRENCY);
    return &rules[budget->kind];
}

void budget_init(const struct storm_budget *budget, struct budget_state *state) {
    *state = (struct budget_state){.tokens = budget->capacity};
    if (budget->kind == STORM_BUDGET_RATIO) {
        state->tokens *= thousand;
    }
}

void budget_request(const struct storm_budget *budget, struct budget_state *state, storm_time now) {
    const struct rule *rule = rule_of(budget);
    if (rule->request != NULL) {
        rule->request(budget, state, now);
    }
}

void budget_failure(const struct storm_budget *budget, struct budget_state *state) {
    const struct rule *rule = rule_of(budget);
    if (rule->failure != NULL) {
        rule->failure(budget, state);
    }
    assert(state->tokens >= 0); /* invariant 1 */
}

bool budget_allows(const struct storm_budget *budget, struct budget_state *state, storm_time now,
                   uint16_t status, uint64_t under_way, double *paid) {
    const struct rule *rule = rule_of(budget);
    struct retry retry = {now, under_way, status};
    double price = 0;
    if (rule->allows != NULL && !rule->allows(budget, state, &retry, &price)) {
        return false;
    }
    assert(state->tokens >= 0); /* invariant 1 */
    *paid = price;
    return true;
}

/* Operators may change what counts while retries are under way: the count then ends at 0. */
void budget_sent(const struct storm_budget *budget, struct budget_state *state) {
    if (budget->kind == STORM_BUDGET_CONCURRENCY && !budget->count_backing_off) {
        state->retrying++;
    }
}

void budget_resume(const struct storm_budget *budget, struct budget_state *state) {
    if (budget->kind == STORM_BUDGET_CONCURRENCY) {
        state->retrying++;
    }
}

void budget_over(const struct storm_budget *budget, struct budget_state *state) {
    if (budget->kind == STORM_BUDGET_CONCURRENCY && state->retrying > 0) {
        state->retrying--;
    }
}

void budget_success(const struct storm_budget *budget, struct budget_state *state, storm_time now,
                    double paid) {
    const struct rule *rule = rule_of(budget);
    assert(paid >= 0);
    if (rule->success != NULL) {
        rule->success(budget, state, now, paid);
    }
}

void budget_give_up(const struct storm_budget *budget, struct budget_state *state, storm_time now,
                    bool is_retryable) {
    const struct rule *rule = rule_of(budget);
    if (rule->give_up != NULL && !is_retryable) {
        rule->give_up(budget, state, now);
    }
}
