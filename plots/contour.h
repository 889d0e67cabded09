/* contour.h: the lines at which a field on a grid crosses a level. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef PLOTS_CONTOUR_H
#define PLOTS_CONTOUR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "plots/scene.h"

/* Values at the crossings of columns and rows, row by row; NaN where nothing is known. Positions
   in px, each going one way. */
struct contour_field {
    uint32_t columns, rows; /* at least 2 */
    const double *x, *y;    /* [columns], [rows] */
    const double *values;   /* [rows * columns] */
};

struct contour_line {
    const struct scene_point *points; /* a closed line's last point is its first */
    uint32_t count;
};

struct contour {
    const struct contour_line *lines;
    uint32_t count;
};

/* Marching squares: lines between the values that reach `level` and those that do not; they end
   at the field's border and where a neighbour is not known. Between two such values a line
   passes where the straight line through them crosses the level, but keeps the share `keep` (0
   to 0.5) of the way off both. False when memory ran out. */
bool contour_trace(const struct contour_field *field, double level, double keep,
                   struct arena *arena, struct contour *contour);

#endif
