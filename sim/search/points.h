/* points.h: the points at which a scenario is run: all combinations, or some drawn. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SEARCH_POINTS_H
#define SEARCH_POINTS_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/error.h>

#include "search/axis.h"

struct arena;

enum { POINTS_AXES_MAX = 16, POINTS_MAX = 1000000 };

/* GRID: every combination; the last axis varies fastest. RANDOM: each point for itself, and the
   same for a seed. SOBOL: spread evenly however many there are; the first half of twice as many
   is the same. Of drawn points an axis gives any of its range, or one of the values listed. */
enum points_method { POINTS_GRID, POINTS_RANDOM, POINTS_SOBOL };

/* "grid", "random", "sobol" */
const char *points_word(enum points_method method);

struct points {
    enum points_method method;
    uint32_t axis_count, count;
    const struct axis *axes;
    const struct axis_value *values; /* [point * axis_count + axis] */
};

/* `count` points, of a grid 0. The axes, which must live as long, have values or are ranges; a
   grid needs their steps, and drawn points need ranges without steps. Values are the arena's.
   False after filling `error` (STORM_USAGE, or STORM_LIMIT). */
bool points_make(enum points_method method, const struct axis *axes, uint32_t axis_count,
                 uint32_t count, uint64_t seed, struct arena *arena, struct points *points,
                 struct storm_error *error);

#endif
