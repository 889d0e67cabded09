/* sweep_cliff.c: where on the axes of a sweep runs cease to recover. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/sweep_cliff.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/mathx.h"

/* Where this share of the runs recovers there is the cliff. */
#define HALF 0.5

/* Of drawn points so many are looked at, and so many pairs are told. */
enum { DRAWN_MAX = 3000, PAIRS_MAX = 3 };

static bool is_edge(const struct storm_sweep_point *a, const struct storm_sweep_point *b) {
    double from = storm_sweep_share(a), to = storm_sweep_share(b);
    return !isnan(from) && !isnan(to) && (from >= HALF) != (to >= HALF);
}

/* ---- grids ----------------------------------------------------------------------------------- */

/* How far apart in the list of points neighbours along an axis are: the last one varies fastest. */
static uint32_t stride_of(const struct storm_sweep *sweep, uint32_t axis) {
    uint32_t stride = 1;
    for (uint32_t a = axis + 1; a < sweep->axis_count; a++) {
        stride *= sweep->axes[a].value_count;
    }
    return stride;
}

/* Notes the edges along an axis, in the order of the lines. Without `edges` only counts. */
static void walk_lines(const struct storm_sweep *sweep, uint32_t axis,
                       struct sweep_cliff_edge *edges, struct sweep_cliff *cliff) {
    uint32_t values = sweep->axes[axis].value_count, stride = stride_of(sweep, axis);
    cliff->axis = axis;
    cliff->lines = sweep->point_count / values;
    cliff->crossed = cliff->count = 0;
    for (uint32_t line = 0; line < cliff->lines; line++) {
        uint32_t first = line / stride * stride * values + line % stride, before = cliff->count;
        for (uint32_t v = 1; v < values; v++) {
            uint32_t from = first + (v - 1) * stride, to = from + stride;
            if (is_edge(&sweep->points[from], &sweep->points[to])) {
                if (edges != NULL) {
                    edges[cliff->count] = (struct sweep_cliff_edge){from, to};
                }
                cliff->count++;
            }
        }
        cliff->crossed += cliff->count > before ? 1 : 0;
    }
}

/* The axis on which the largest part of the lines is crossed, the last of several; `words`: of
   those of words, which have no order to fall off in. `axis_count` when none is crossed. */
static uint32_t most_crossed(const struct storm_sweep *sweep, bool words) {
    struct sweep_cliff cliff = {.axis = 0};
    uint32_t best = sweep->axis_count;
    double most = 0;
    for (uint32_t a = 0; a < sweep->axis_count; a++) {
        walk_lines(sweep, a, NULL, &cliff);
        double part = (double)cliff.crossed / cliff.lines;
        if ((sweep->axes[a].unit == NULL) == words && cliff.crossed > 0 && part >= most) {
            most = part;
            best = a;
        }
    }
    return best;
}

static bool find_in_grid(const struct storm_sweep *sweep, struct arena *arena,
                         struct sweep_cliff *cliff) {
    uint32_t axis = most_crossed(sweep, false);
    axis = axis < sweep->axis_count ? axis : most_crossed(sweep, true);
    axis = axis < sweep->axis_count ? axis : sweep->axis_count - 1;
    walk_lines(sweep, axis, NULL, cliff);
    struct sweep_cliff_edge *edges = arena_take_array(arena, cliff->count + 1, sizeof *edges);
    if (edges != NULL) {
        walk_lines(sweep, axis, edges, cliff);
    }
    cliff->edges = edges;
    return edges != NULL;
}

/* ---- drawn points ---------------------------------------------------------------------------- */

/* How far two points are apart, each axis from its one end to the other being 1. */
static double distance(const struct storm_sweep *sweep, const struct storm_sweep_point *a,
                       const struct storm_sweep_point *b) {
    double sum = 0;
    for (uint32_t i = 0; i < sweep->axis_count; i++) {
        const struct storm_sweep_axis *axis = &sweep->axes[i];
        double part = strcmp(a->labels[i], b->labels[i]) == 0 ? 0 : 1;
        if (axis->unit != NULL && axis->to > axis->from) {
            part = axis->is_log
                       ? mathx_log(b->numbers[i] / a->numbers[i]) / mathx_log(axis->to / axis->from)
                       : (b->numbers[i] - a->numbers[i]) / (axis->to - axis->from);
        }
        sum += part * part;
    }
    return sum;
}

/* Whether two points that were drawn came out as one. */
static bool is_same_place(const struct storm_sweep *sweep, uint32_t a, uint32_t b) {
    bool same = true;
    for (uint32_t i = 0; same && i < sweep->axis_count; i++) {
        same = strcmp(sweep->points[a].labels[i], sweep->points[b].labels[i]) == 0;
    }
    return same;
}

static bool is_listed(const struct storm_sweep *sweep, const struct sweep_cliff *cliff,
                      const struct sweep_cliff_edge *edge) {
    for (uint32_t i = 0; i < cliff->count; i++) {
        if (is_same_place(sweep, cliff->edges[i].from, edge->from) &&
            is_same_place(sweep, cliff->edges[i].to, edge->to)) {
            return true;
        }
    }
    return false;
}

/* Keeps the nearest edges, in the order of their distances. */
static void list_edge(struct sweep_cliff_edge *edges, double *nearest, struct sweep_cliff *cliff,
                      const struct sweep_cliff_edge *edge, double apart) {
    uint32_t place = cliff->count;
    for (; place > 0 && nearest[place - 1] > apart; place--) {
        nearest[place] = nearest[place - 1];
        edges[place] = edges[place - 1];
    }
    nearest[place] = apart;
    edges[place] = *edge;
    cliff->count += cliff->count < PAIRS_MAX ? 1 : 0;
}

static bool find_among_drawn(const struct storm_sweep *sweep, struct arena *arena,
                             struct sweep_cliff *cliff) {
    uint32_t points = sweep->point_count < DRAWN_MAX ? sweep->point_count : DRAWN_MAX;
    double nearest[PAIRS_MAX + 1];
    struct sweep_cliff_edge *edges = arena_take_array(arena, PAIRS_MAX + 1, sizeof *edges);
    cliff->axis = sweep->axis_count;
    cliff->edges = edges;
    if (edges == NULL) {
        return false;
    }
    for (uint32_t b = 1; b < points; b++) {
        for (uint32_t a = 0; a < b; a++) {
            if (!is_edge(&sweep->points[a], &sweep->points[b])) {
                continue;
            }
            bool falls = storm_sweep_share(&sweep->points[a]) >= HALF;
            double apart = distance(sweep, &sweep->points[a], &sweep->points[b]);
            struct sweep_cliff_edge edge = {falls ? a : b, falls ? b : a};
            bool is_far = cliff->count == PAIRS_MAX && apart >= nearest[PAIRS_MAX - 1];
            if (!is_far && !is_listed(sweep, cliff, &edge)) {
                list_edge(edges, nearest, cliff, &edge, apart);
            }
        }
    }
    return true;
}

bool sweep_cliff_find(const struct storm_sweep *sweep, struct arena *arena,
                      struct sweep_cliff *cliff) {
    assert(sweep->axis_count > 0 && sweep->point_count > 0);
    *cliff = (struct sweep_cliff){.axis = 0};
    for (uint32_t p = 0; p < sweep->point_count; p++) {
        double share = storm_sweep_share(&sweep->points[p]);
        cliff->above += share >= HALF ? 1 : 0;
        cliff->below += share < HALF ? 1 : 0;
    }
    return sweep->axes[0].value_count > 0 ? find_in_grid(sweep, arena, cliff)
                                          : find_among_drawn(sweep, arena, cliff);
}
