/* retries.h: delays of a policy drawn for tests, and compared with what they should be. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SUPPORT_RETRIES_H
#define SUPPORT_RETRIES_H

#include <math.h>
#include <stdint.h>

#include "base/stream.h"
#include "policy/delay.h"
#include "support/test.h"

enum { RETRIES = 10, DRAWS = 100000 };

/* The delay before the n-th retry of a rule that does not feed on its earlier delays. */
static inline double retries_nth(const struct storm_delay *delay, uint32_t n, double u) {
    struct storm_delay_state state = {.count = n - 1};
    return delay_next(delay, &state, u);
}

static inline void retries_near(double value, double expected, double tolerance, const char *name,
                                size_t n) {
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%s, retry %zu: %.12g, not %.12g (+- %.3g)", name, n, value, expected, tolerance);
}

/* Mean and variance of each of the first delays over many independent calls. */
static inline void retries_sample(const struct storm_delay *delay, uint64_t seed,
                                  double mean[RETRIES], double variance[RETRIES]) {
    double sum[RETRIES] = {0}, squares[RETRIES] = {0};
    for (uint32_t call = 0; call < DRAWS; call++) {
        struct storm_delay_state state = {0};
        for (uint32_t i = 0; i < RETRIES; i++) {
            double d = delay_next(delay, &state, stream_uniform(seed + call, STREAM_BACKOFF, i));
            sum[i] += d;
            squares[i] += d * d;
        }
    }
    for (uint32_t i = 0; i < RETRIES; i++) {
        mean[i] = sum[i] / DRAWS;
        variance[i] = squares[i] / DRAWS - mean[i] * mean[i];
    }
}

#endif
