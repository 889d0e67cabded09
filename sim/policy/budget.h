/* budget.h: how many retries all calls together may make: one rule per kind of budget. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef POLICY_BUDGET_H
#define POLICY_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/policy.h>
#include <retrystorm/units.h>

#include "policy/slots.h"

/* What one client, host or edge has left. */
struct budget_state {
    double tokens;                /* COST; RATIO, in thousandths */
    uint32_t retrying;            /* CONCURRENCY: retries under way */
    int64_t slot;                 /* WINDOW: number of the newest of its slots of ttl / 10 each */
    double deposits[SLOTS_COUNT]; /* WINDOW: less the withdrawals; a request gives 1000 */
};

/* A full budget. */
void budget_init(const struct storm_budget *budget, struct budget_state *state);

/* A call sends its first attempt. */
void budget_request(const struct storm_budget *budget, struct budget_state *state, storm_time now);

/* An attempt has failed in a way that is worth a retry; asked or not, RATIO takes its token. */
void budget_failure(const struct storm_budget *budget, struct budget_state *state);

/* Whether a retry may be made after a failure of `status`; takes its price, which is put into
   *paid. `under_way`: calls of the scope that have not ended, this one included. A retry that
   CONCURRENCY allows counts from here on with count_backing_off, else from budget_sent on, until
   budget_over, which is for those that have been counted. */
bool budget_allows(const struct storm_budget *budget, struct budget_state *state, storm_time now,
                   uint16_t status, uint64_t under_way, double *paid);

/* A retry that was allowed is sent, and is over (answered, timed out, or never sent). */
void budget_sent(const struct storm_budget *budget, struct budget_state *state);
void budget_over(const struct storm_budget *budget, struct budget_state *state);

/* A retry that was allowed while it waited in a queue is under way again: concurrency. */
void budget_resume(const struct storm_budget *budget, struct budget_state *state);

/* A call has succeeded; `paid`: the price of its last retry, 0 if it needed none. */
void budget_success(const struct storm_budget *budget, struct budget_state *state, storm_time now,
                    double paid);

/* A call has ended in failure that no retry would mend (WINDOW with deposit_on success deposits for
   it too, as Linkerd does), or was given up. */
void budget_give_up(const struct storm_budget *budget, struct budget_state *state, storm_time now,
                    bool is_retryable);

/* WINDOW: retries that one request pays for, as the product's rounding leaves it; 0: none. */
double budget_window_ratio(const struct storm_budget *budget);

#endif
