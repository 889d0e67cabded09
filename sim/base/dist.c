/* dist.c: drawing durations from laws. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include <retrystorm/dist.h>

#include "base/mathx.h"
#include "base/stream.h"
#include "base/ziggurat.h"

/* The parameters' bounds: durations and spreads are not negative, and nothing is NaN. */
static bool is_sound(const struct storm_dist *dist) {
    assert(dist->offset >= 0 && dist->offset <= STORM_NEVER);
    switch (dist->law) {
    case STORM_LAW_CONSTANT:
        return true;
    case STORM_LAW_UNIFORM:
        return dist->a >= 0.0 && dist->b >= dist->a;
    case STORM_LAW_EXPONENTIAL:
        return dist->a >= 0.0;
    case STORM_LAW_NORMAL:
    case STORM_LAW_LOGNORMAL:
        return dist->a >= 0.0 && dist->b >= 0.0;
    }
    return false;
}

void storm_dist_prepare(struct storm_dist *dist) {
    assert(dist != NULL);
    assert(is_sound(dist));
    dist->mu = 0.0;
    dist->sigma = 0.0;
    if (dist->law != STORM_LAW_LOGNORMAL)
        return;
    double variance = mathx_log1p(dist->b * dist->b);
    dist->sigma = mathx_pow(variance, 0.5); /* so this layer links without libm */
    dist->mu = mathx_log(dist->a) - 0.5 * variance;
}

/* erf(x) for x >= 0 by its series of positive terms (Abramowitz and Stegun 7.1.6). */
static double error_function(double x) {
    assert(x >= 0.0);
    if (x > 6.0)
        return 1.0;
    double term = x;
    double sum = x;
    for (int n = 1; term > sum * 0x1p-60; n++) {
        term *= 2.0 * x * x / (2 * n + 1);
        sum += term;
    }
    return sum * mathx_exp(-x * x) * 0x1.20dd750429b6dp+0; /* 2 / sqrt(pi) */
}

/* The mean of |x| for a normal x (Leone, Nelson and Nottingham, 1961). */
static double folded_mean(double mean, double deviation) {
    assert(mean >= 0.0 && deviation >= 0.0);
    if (deviation == 0.0)
        return mean;
    double ratio = mean / deviation;
    double tip = 0x1.9884533d43651p-1 * deviation * mathx_exp(-0.5 * ratio * ratio);
    return tip +
           mean * error_function(ratio * 0x1.6a09e667f3bcdp-1); /* sqrt(2 / pi), sqrt(1 / 2) */
}

/* The mean of the random part. */
static double law_mean(const struct storm_dist *dist) {
    assert(is_sound(dist));
    switch (dist->law) {
    case STORM_LAW_CONSTANT:
        return 0.0;
    case STORM_LAW_UNIFORM:
        return dist->a + 0.5 * (dist->b - dist->a);
    case STORM_LAW_EXPONENTIAL:
    case STORM_LAW_LOGNORMAL:
        return dist->a;
    case STORM_LAW_NORMAL:
        return folded_mean(dist->a, dist->b);
    }
    return 0.0;
}

double storm_dist_mean(const struct storm_dist *dist) {
    assert(dist != NULL);
    double mean = storm_time_to_seconds(dist->offset) + law_mean(dist);
    assert(mean >= 0.0);
    return mean;
}

/* One draw of the random part, in seconds. */
static double law_draw(const struct storm_dist *dist, uint64_t key, uint32_t purpose) {
    uint32_t k = 0;
    double z;
    switch (dist->law) {
    case STORM_LAW_CONSTANT:
        return 0.0;
    case STORM_LAW_UNIFORM:
        return dist->a + (dist->b - dist->a) * stream_uniform(key, purpose, k);
    case STORM_LAW_EXPONENTIAL:
        return dist->a * ziggurat_exponential(key, purpose, &k);
    case STORM_LAW_NORMAL:
        z = ziggurat_normal(key, purpose, &k);
        return fabs(dist->a + dist->b * z);
    case STORM_LAW_LOGNORMAL:
        z = ziggurat_normal(key, purpose, &k);
        return mathx_exp(dist->mu + dist->sigma * z);
    }
    return 0.0;
}

storm_time storm_dist_draw(const struct storm_dist *dist, uint64_t key, uint32_t purpose) {
    assert(dist != NULL);
    if (dist->law == STORM_LAW_CONSTANT)
        return dist->offset;
    double seconds = law_draw(dist, key, purpose);
    assert(seconds >= 0.0);
    return storm_time_add(dist->offset, storm_time_from_seconds(seconds));
}
