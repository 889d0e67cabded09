/* dist.h: the law of a random duration, as plain data, and one draw from it. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RETRYSTORM_DIST_H
#define RETRYSTORM_DIST_H

#include <retrystorm/units.h>

/* One row per law: word in a scenario, names of its parameters. The random part is in seconds. */
enum storm_law {
    STORM_LAW_CONSTANT,         /* no random part: the offset alone */
    STORM_LAW_UNIFORM,          /* a = low, b = high */
    STORM_LAW_EXPONENTIAL,      /* a = mean */
    STORM_LAW_NORMAL,           /* |x| with x normal: a = mean, b = standard deviation */
    STORM_LAW_LOGNORMAL,        /* a = mean, b = coefficient of variation */
    STORM_LAW_PARETO,           /* P(X > x) = (a / x)^b: a = least, b = shape */
    STORM_LAW_WEIBULL,          /* P(X > x) = exp(-(x / a)^b): a = scale, b = shape */
    STORM_LAW_GAMMA,            /* a = mean, b = shape (an Erlang law has a whole shape) */
    STORM_LAW_HYPEREXPONENTIAL, /* two exponentials of equal share of the mean: a = mean, b = cv */
    STORM_LAW_EMPIRICAL         /* straight lines between the quantiles of a table */
};

enum { STORM_QUANTILES_MAX = 64 };

/* A point of an empirical law: the share of values up to `value` seconds. */
struct storm_quantile {
    double share, value;
};

/* A duration = offset + one draw of the law (constant: 20ms, plus: {exponential: 30ms}). Zeroed =
   always 0; a constant of STORM_NEVER means "none" where that is allowed. */
struct storm_dist {
    enum storm_law law;
    uint32_t quantile_count;
    storm_time offset;
    double a, b;
    double prepared[3];                     /* what a draw needs; filled by storm_dist_prepare */
    const struct storm_quantile *quantiles; /* EMPIRICAL: rising from share 0 to 1; not owned */
};

/* Derives what a draw needs from the parameters; call once after decoding. */
void storm_dist_prepare(struct storm_dist *dist);

/* The exact mean in seconds (the folded normal by its closed form); +inf for a Pareto law of shape
   1 or less, and for a constant of STORM_NEVER. */
double storm_dist_mean(const struct storm_dist *dist);

/* A draw of a law that is not the constant; see storm_dist_draw. */
storm_time storm_dist_draw_law(const struct storm_dist *dist, uint64_t key, uint32_t purpose);

/* One draw, in nanoseconds. `key` names the entity and `purpose` the use, so the draw depends on
   nothing else. */
static inline storm_time storm_dist_draw(const struct storm_dist *dist, uint64_t key,
                                         uint32_t purpose) {
    return dist->law == STORM_LAW_CONSTANT ? dist->offset : storm_dist_draw_law(dist, key, purpose);
}

#endif
