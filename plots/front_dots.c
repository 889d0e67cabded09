/* front_dots.c: the dots of the front chart: which points they are, the scales, and where they
   stand. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include <retrystorm/sweep.h>
#include <retrystorm/units.h>

#include "base/arena.h"
#include "plots/front.h"
#include "plots/layout.h"
#include "plots/scene.h"
#include "plots/ticks.h"

/* Points further out than this many times the front's and what is usual are shown at the plot's
   edge, and the scale then ends at so many times. */
#define BEYOND 3.0
#define BEYOND_SHOWN 2.0
#define NEVER_GAP 10.0
#define DOT_SMALL 3.0
#define DOT_TINY 2.0 /* where there are many */
#define MANY 500
#define RADIUS_LEAST 4.5
#define RADIUS_MORE 8.0
#define INSET 16.0    /* from the page's axis to time 0, so that no dot covers a label */
#define HEADROOM 1.08 /* of the longest time, so that no dot touches the edge */

double front_radius(const struct front *front, double letters) {
    if (!(front->most_letters > 0) || !(letters > 0))
        return RADIUS_LEAST;
    return RADIUS_LEAST + RADIUS_MORE * sqrt(letters / front->most_letters);
}

static bool is_known(const struct storm_sweep_point *point) {
    return isfinite(point->peak_load) && !isnan(point->time_to_recover);
}

/* Those of the front first, from the fastest on. */
static int compare_dots(const void *left, const void *right) {
    const struct storm_sweep_point *a = ((const struct front_dot *)left)->point;
    const struct storm_sweep_point *b = ((const struct front_dot *)right)->point;
    if (a->is_front != b->is_front)
        return a->is_front ? -1 : 1;
    if (a->time_to_recover != b->time_to_recover)
        return a->time_to_recover < b->time_to_recover ? -1 : 1;
    if (a->peak_load != b->peak_load)
        return a->peak_load < b->peak_load ? -1 : 1;
    return (a > b) - (a < b);
}

bool front_read_dots(struct front *front) {
    const struct storm_sweep *sweep = front->sweep;
    front->dots = arena_take_array(&front->arena, sweep->point_count, sizeof *front->dots);
    if (front->dots == NULL)
        return false;
    for (uint32_t i = 0; i < sweep->point_count; i++) {
        const struct storm_sweep_point *point = &sweep->points[i];
        if (!is_known(point)) {
            front->unknown++;
            continue;
        }
        front->dots[front->count++].point = point;
        front->fronts += point->is_front;
        front->nevers += isinf(point->time_to_recover) ? 1 : 0;
        if (point->is_front && point->dead_letters > front->most_letters)
            front->most_letters = point->dead_letters;
    }
    qsort(front->dots, front->count, sizeof *front->dots, compare_dots);
    return true;
}

static int compare_numbers(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The end of a scale: the greatest number of all, unless that is far beyond both the front's and
   what is usual, the median of those that recover. Sorts these. */
static double scale_end(double *numbers, uint32_t count, double most, double most_of_front) {
    double usual = most_of_front;
    if (count > 0) {
        qsort(numbers, count, sizeof *numbers, compare_numbers);
        usual = fmax(usual, numbers[count / 2]);
    }
    assert(most >= usual);
    return usual > 0 && most > BEYOND * usual ? BEYOND_SHOWN * usual : most;
}

bool front_plan_scales(struct front *front) {
    double *times = arena_take_array(&front->arena, front->count, sizeof *times);
    double *peaks = arena_take_array(&front->arena, front->count, sizeof *peaks);
    double longest = 0, peak = 0, front_longest = 0, front_peak = 0;
    uint32_t recovered = 0;
    if (times == NULL || peaks == NULL)
        return false;
    for (uint32_t i = 0; i < front->count; i++) {
        const struct storm_sweep_point *point = front->dots[i].point;
        double time = isinf(point->time_to_recover) ? 0 : point->time_to_recover;
        longest = fmax(longest, time);
        peak = fmax(peak, point->peak_load);
        front_longest = fmax(front_longest, point->is_front ? time : 0);
        front_peak = fmax(front_peak, point->is_front ? point->peak_load : 0);
        if (isinf(point->time_to_recover))
            continue;
        times[recovered] = time;
        peaks[recovered++] = point->peak_load;
    }
    longest = scale_end(times, recovered, longest, front_longest);
    front->longest = longest > 0 ? fmax(longest * HEADROOM, 1e-3) : HEADROOM;
    front->step = ticks_time(storm_time_from_seconds(front->longest), 7);
    front->peaks = ticks_values(scale_end(peaks, recovered, peak, front_peak));
    return true;
}

/* Those that do not recover stand side by side as they come, by the golden ratio. */
static double never_x(double right, uint32_t index) {
    double at = 0.6180339887498949 * index;
    return right - FRONT_NEVER_WIDTH + 14 + (at - floor(at)) * (FRONT_NEVER_WIDTH - 28);
}

void front_place_dots(struct front *front) {
    struct scene_box page = layout_plot(&front->layout, 0), *plot = &front->plot;
    double top = ticks_top(&front->peaks);
    *plot = page;
    plot->x0 += INSET;
    if (front->nevers > 0)
        plot->x1 -= FRONT_NEVER_WIDTH + NEVER_GAP;
    for (uint32_t i = 0; i < front->count; i++) {
        struct front_dot *dot = &front->dots[i];
        double time = dot->point->time_to_recover, peak = dot->point->peak_load;
        bool is_never = isinf(time);
        dot->is_beyond = peak > top || (!is_never && time > front->longest);
        dot->radius = dot->point->is_front  ? front_radius(front, dot->point->dead_letters)
                      : front->count > MANY ? DOT_TINY
                                            : DOT_SMALL;
        dot->y = plot->y1 - fmin(peak / top, 1) * (plot->y1 - plot->y0);
        dot->x = is_never ? never_x(page.x1, i)
                          : plot->x0 + fmin(time / front->longest, 1) * (plot->x1 - plot->x0);
    }
}
