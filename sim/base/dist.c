/* dist.c: drawing durations from laws. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include <retrystorm/dist.h>

#include "base/mathx.h"
#include "base/stream.h"
#include "base/ziggurat.h"

/* From share 0 to share 1, shares rising and values not falling: then every draw falls between two
   points. */
static bool is_sound_table(const struct storm_quantile *points, uint32_t count) {
    if (points == NULL || count < 2 || count > STORM_QUANTILES_MAX)
        return false;
    if (points[0].share != 0.0 || points[count - 1].share != 1.0 || !(points[0].value >= 0.0))
        return false;
    for (uint32_t i = 1; i < count; i++) {
        if (!(points[i].share > points[i - 1].share) || !(points[i].value >= points[i - 1].value))
            return false;
    }
    return points[count - 1].value <= DBL_MAX;
}

/* The parameters' bounds: durations and spreads are not negative, and nothing is NaN. */
static bool is_sound(const struct storm_dist *dist) {
    assert(dist->offset >= 0 && dist->offset <= STORM_NEVER);
    bool is_size = dist->a >= 0.0 && dist->a <= DBL_MAX;
    switch (dist->law) {
    case STORM_LAW_CONSTANT:
        return true;
    case STORM_LAW_UNIFORM:
        return is_size && dist->b >= dist->a && dist->b <= DBL_MAX;
    case STORM_LAW_EXPONENTIAL:
        return is_size;
    case STORM_LAW_NORMAL:
    case STORM_LAW_LOGNORMAL:
        return is_size && dist->b >= 0.0 && dist->b <= DBL_MAX;
    case STORM_LAW_PARETO:
    case STORM_LAW_WEIBULL:
    case STORM_LAW_GAMMA:
        return is_size && dist->b > 0.0 && dist->b <= DBL_MAX;
    case STORM_LAW_HYPEREXPONENTIAL:
        return is_size && dist->b >= 1.0 && dist->b <= DBL_MAX;
    case STORM_LAW_EMPIRICAL:
        return is_sound_table(dist->quantiles, dist->quantile_count);
    }
    return false;
}

/* size * x, where a size of 0 stays 0 however far x has run (0 x inf would be no number). */
static double scaled(double size, double x) {
    assert(size >= 0.0 && x >= 0.0);
    return size > 0.0 && x > 0.0 ? size * x : 0.0;
}

/* prepared: the mean and the standard deviation of the logarithm. */
static void prepare_lognormal(struct storm_dist *dist) {
    double variance = mathx_log1p(dist->b * dist->b);
    dist->prepared[0] = mathx_log(dist->a) - 0.5 * variance;
    dist->prepared[1] = sqrt(variance);
}

/* prepared: Marsaglia and Tsang's d and c, and what a draw of mean `shape` is multiplied by. A
   shape below 1 is drawn as one more. */
static void prepare_gamma(struct storm_dist *dist) {
    double shape = dist->b < 1.0 ? dist->b + 1.0 : dist->b;
    dist->prepared[0] = shape - 1.0 / 3.0;
    dist->prepared[1] = 1.0 / (3.0 * sqrt(dist->prepared[0]));
    dist->prepared[2] = dist->a / dist->b;
}

/* prepared: the share of the slow draws, and the means of the fast and of the slow ones. With r =
   (cv^2 - 1) / (cv^2 + 1) the slow share is (1 - sqrt(r)) / 2, written here so that neither a huge
   cv nor one near 1 loses its digits. */
static void prepare_hyperexponential(struct storm_dist *dist) {
    double inverse = 1.0 / dist->b;
    double square = inverse * inverse;
    double r = (1.0 - inverse) * (1.0 + inverse) / (1.0 + square);
    double slow = square / ((1.0 + square) * (1.0 + sqrt(r)));
    assert(slow >= 0.0 && slow <= 0.5);
    dist->prepared[0] = slow;
    dist->prepared[1] = 0.5 * dist->a / (1.0 - slow);
    dist->prepared[2] = slow > 0.0 ? 0.5 * dist->a / slow : 0.0;
}

void storm_dist_prepare(struct storm_dist *dist) {
    assert(dist != NULL);
    assert(is_sound(dist));
    for (size_t i = 0; i < sizeof dist->prepared / sizeof dist->prepared[0]; i++)
        dist->prepared[i] = 0.0;
    if (dist->law == STORM_LAW_LOGNORMAL)
        prepare_lognormal(dist);
    if (dist->law == STORM_LAW_GAMMA)
        prepare_gamma(dist);
    if (dist->law == STORM_LAW_HYPEREXPONENTIAL)
        prepare_hyperexponential(dist);
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

/* Straight lines between the points: the middle of each piece by its share. */
static double empirical_mean(const struct storm_quantile *points, uint32_t count) {
    assert(count >= 2);
    double mean = 0.0;
    for (uint32_t i = 1; i < count; i++) {
        double middle = 0.5 * points[i - 1].value + 0.5 * points[i].value;
        mean += (points[i].share - points[i - 1].share) * middle;
    }
    return mean;
}

/* The mean of the random part. */
static double law_mean(const struct storm_dist *dist) {
    assert(is_sound(dist));
    double factor;
    switch (dist->law) {
    case STORM_LAW_CONSTANT:
        return 0.0;
    case STORM_LAW_UNIFORM:
        return dist->a + 0.5 * (dist->b - dist->a);
    case STORM_LAW_EXPONENTIAL:
    case STORM_LAW_LOGNORMAL:
    case STORM_LAW_GAMMA:
    case STORM_LAW_HYPEREXPONENTIAL:
        return dist->a;
    case STORM_LAW_NORMAL:
        return folded_mean(dist->a, dist->b);
    case STORM_LAW_PARETO:
        factor = dist->b > 1.0 ? dist->b / (dist->b - 1.0) : (double)INFINITY;
        return scaled(dist->a, factor);
    case STORM_LAW_WEIBULL:
        factor = mathx_gamma(1.0 + 1.0 / dist->b);
        return scaled(dist->a, factor);
    case STORM_LAW_EMPIRICAL:
        return empirical_mean(dist->quantiles, dist->quantile_count);
    }
    return 0.0;
}

double storm_dist_mean(const struct storm_dist *dist) {
    assert(dist != NULL);
    double mean = storm_time_to_seconds(dist->offset) + law_mean(dist);
    assert(mean >= 0.0);
    return mean;
}

/* A gamma number of mean d + 1/3 (G. Marsaglia and W. W. Tsang, ACM TOMS 26, 2000): the cube of a
   normal number, refused now and then. The last condition is written so that a huge d does not
   drown it. */
static double gamma_draw(double d, double c, uint64_t key, uint32_t purpose, uint32_t *k) {
    assert(d > 0.0 && c >= 0.0);
    for (;;) {
        double x = ziggurat_normal(key, purpose, k);
        double root = 1.0 + c * x;
        if (root <= 0.0)
            continue;
        double v = root * root * root;
        double u = stream_uniform(key, purpose, (*k)++);
        double square = x * x;
        if (u < 1.0 - 0.0331 * square * square)
            return d * v;
        if (mathx_log(u) < 0.5 * square + d * (1.0 - v + mathx_log(v)))
            return d * v;
    }
}

/* A draw of a gamma law: one of shape below 1 is one of shape + 1 times u^(1 / shape). */
static double law_gamma(const struct storm_dist *dist, uint64_t key, uint32_t purpose) {
    uint32_t k = 0;
    double x = gamma_draw(dist->prepared[0], dist->prepared[1], key, purpose, &k);
    if (dist->b < 1.0) {
        double e = ziggurat_exponential(key, purpose, &k);
        x *= mathx_exp(-e / dist->b);
    }
    return scaled(dist->prepared[2], x);
}

/* The exponential number comes first: with cv = 1 the draws are those of the exponential law. */
static double law_hyperexponential(const struct storm_dist *dist, uint64_t key, uint32_t purpose) {
    uint32_t k = 0;
    double e = ziggurat_exponential(key, purpose, &k);
    double u = stream_uniform(key, purpose, k);
    return scaled(u < dist->prepared[0] ? dist->prepared[2] : dist->prepared[1], e);
}

/* The value below which a share of u lies. */
static double law_empirical(const struct storm_dist *dist, double u) {
    assert(u >= 0.0 && u < 1.0);
    const struct storm_quantile *next = dist->quantiles + 1;
    while (u >= next->share) /* ends: the last share is 1 */
        next++;
    const struct storm_quantile *last = next - 1;
    double part = (u - last->share) / (next->share - last->share);
    return last->value + part * (next->value - last->value);
}

/* One draw of the random part, in seconds; +inf where it is beyond all numbers. */
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
        return mathx_exp(dist->prepared[0] + dist->prepared[1] * z);
    case STORM_LAW_PARETO:
        z = ziggurat_exponential(key, purpose, &k);
        return scaled(dist->a, mathx_exp(z / dist->b));
    case STORM_LAW_WEIBULL:
        z = ziggurat_exponential(key, purpose, &k);
        return scaled(dist->a, mathx_pow(z, 1.0 / dist->b));
    case STORM_LAW_GAMMA:
        return law_gamma(dist, key, purpose);
    case STORM_LAW_HYPEREXPONENTIAL:
        return law_hyperexponential(dist, key, purpose);
    case STORM_LAW_EMPIRICAL:
        return law_empirical(dist, stream_uniform(key, purpose, k));
    }
    return 0.0;
}

storm_time storm_dist_draw_law(const struct storm_dist *dist, uint64_t key, uint32_t purpose) {
    assert(dist != NULL && dist->law != STORM_LAW_CONSTANT);
    double seconds = law_draw(dist, key, purpose);
    assert(seconds >= 0.0);
    return storm_time_add(dist->offset, storm_time_from_seconds(seconds));
}
