/* allowance.h: what a budget comes to: how many retries it allows, and what earns the next one. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SCHEDULE_ALLOWANCE_H
#define SCHEDULE_ALLOWANCE_H

#include <stdint.h>

#include <retrystorm/policy.h>

/* The most retries and requests that are counted. */
enum { ALLOWANCE_MOST = 1000000 };

/* What is found by living through it with the very budget that the simulator uses, all in one
   instant. Each is ALLOWANCE_MOST when it is that or more. */
struct allowance {
    uint32_t in_a_row;  /* retries after so many failures of a status, until one is refused */
    uint32_t earned_by; /* requests that then go well at once, until a failure may be retried */
    double
        bound; /* attempts per request in the long run, whatever happens, beside any reserve; +inf:
                     the budget sets no such bound */
};

/* Of a full budget that is of some kind, when all attempts fail with `status`. */
struct allowance allowance_of(const struct storm_budget *budget, uint16_t status);

#endif
