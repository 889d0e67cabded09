/* dist.h: the law of a random duration, as plain data, and one draw from it. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RETRYSTORM_DIST_H
#define RETRYSTORM_DIST_H

#include <retrystorm/units.h>

/* One row per law: word in a scenario, names of its parameters. The random part is in seconds. */
enum storm_law {
    STORM_LAW_CONSTANT,    /* no random part: the offset alone */
    STORM_LAW_UNIFORM,     /* a = low, b = high */
    STORM_LAW_EXPONENTIAL, /* a = mean */
    STORM_LAW_NORMAL,      /* |x| with x normal: a = mean, b = standard deviation */
    STORM_LAW_LOGNORMAL    /* a = mean, b = coefficient of variation */
};

/* A duration = offset + one draw of the law (constant: 20ms, plus: {exponential: 30ms}). Zeroed =
   always 0. */
struct storm_dist {
    enum storm_law law;
    storm_time offset;
    double a, b;
    double mu, sigma; /* lognormal only: of the logarithm; filled by storm_dist_prepare */
};

/* Derives what a draw needs from the parameters; call once after decoding. */
void storm_dist_prepare(struct storm_dist *dist);

/* The exact mean in seconds (the folded normal by its closed form). */
double storm_dist_mean(const struct storm_dist *dist);

/* One draw, in nanoseconds. `key` names the entity and `purpose` the use, so the draw depends on
   nothing else. */
storm_time storm_dist_draw(const struct storm_dist *dist, uint64_t key, uint32_t purpose);

#endif
