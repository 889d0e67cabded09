/* delay.h: how long a caller waits before its next try: one function over the whole delay
   family. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef POLICY_DELAY_H
#define POLICY_DELAY_H

#include <stdint.h>

#include <retrystorm/policy.h>

/* The longest delay the simulator knows, in seconds (about 146 years): an infinite or overflowing
   delay without a cap becomes this, never 0. */
#define DELAY_CEILING 4.6e9

/* The next delay in seconds, in [0, DELAY_CEILING]. `u` is one uniform draw in [0, 1), used or not.
   `state` belongs to the call and starts zeroed. Formulas: each growth's own, as said in policy.h;
   jitter is one uniform on [low d, high d + add), or -d log(1 - u) by the exponential law, followed
   by the clamps. */
double delay_next(const struct storm_delay *delay, struct storm_delay_state *state, double u);

/* Delay number n (1 ...) as the growth alone has it, without chance and without what comes behind
   the jitter (rounding, floor, a cap there): base of decorrelated, base factor^(n - 1) of polly. */
double delay_nominal(const struct storm_delay *delay, uint32_t n);

#endif
