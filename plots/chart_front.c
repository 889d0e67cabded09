/* chart_front.c: "front": peak load against time to recover, one dot per point of a sweep; those
   that no other point betters are joined, named, and as large as their dead letters. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <retrystorm/chart.h>
#include <retrystorm/error.h>
#include <retrystorm/sweep.h>
#include <retrystorm/units.h>

#include "base/arena.h"
#include "plots/charts.h"
#include "plots/front.h"
#include "plots/layout.h"
#include "plots/page.h"
#include "plots/scene.h"
#include "plots/sweep_page.h"
#include "plots/swept.h"
#include "plots/theme.h"
#include "plots/ticks.h"
#include "plots/type.h"
#include "plots/words.h"

#define RIM 1.5

enum { FRONT_BYTES_MAX = 64 << 20 };

static bool read_axes(struct front *front) {
    const struct storm_sweep *sweep = front->sweep;
    for (uint32_t i = 0; i < sweep->axis_count; i++) {
        if (sweep->axes[i].value_count == 1)
            continue;
        if (front->axis_count == FRONT_AXES_MAX) {
            front->more++;
            continue;
        }
        if (!swept_read(sweep, i, &front->arena, &front->axes[front->axis_count]))
            return false;
        for (uint32_t j = 0; j < front->axis_count; j++)
            swept_tell_apart(&front->axes[front->axis_count], &front->axes[j]);
        front->axis_count++;
    }
    return true;
}

static void add_line(const struct front *front, const char *part, enum theme_role role, double x0,
                     double y0, double x1, double y1) {
    struct scene_point ends[2] = {{x0, y0}, {x1, y1}};
    scene_add(front->scene, &(struct scene_mark){.kind = SCENE_LINE,
                                                 .part = part,
                                                 .role = role,
                                                 .points = ends,
                                                 .point_count = 2,
                                                 .stroke = 1});
}

static void draw_upright(const struct front *front) {
    struct scene_box page = layout_plot(&front->layout, 0), *plot = &page;
    char label[WORDS_MAX], text[WORDS_MAX + 8];
    for (int i = 0; i <= front->peaks.intervals; i++) {
        double y = plot->y1 - (plot->y1 - plot->y0) * i / front->peaks.intervals;
        bool is_top = i == front->peaks.intervals;
        add_line(front, "grid", i == 0 ? ROLE_AXIS : ROLE_GRID, plot->x0, floor(y) + 0.5, plot->x1,
                 floor(y) + 0.5);
        snprintf(text, sizeof text, "%s%s", ticks_label(&front->peaks, i, label, sizeof label),
                 is_top ? WORDS_THIN "×" : "");
        page_text(front->scene, "peak-tick", FONT_TICK, ROLE_INK3, SCENE_END, plot->x0 - 10, y + 4,
                  text);
    }
    page_text(front->scene, "axis-name", FONT_HEAD, ROLE_INK2, SCENE_START, plot->x0,
              plot->y0 - LAYOUT_NAME_RISE, "↑ peak load, as a multiple of the capacity");
}

/* A label that would stand out at the right, or into the place of those that do not recover, moves
   to the left. */
static void draw_across(const struct front *front) {
    struct scene_box page = layout_plot(&front->layout, 0), plot = front->plot;
    char text[WORDS_MAX + 8];
    storm_time longest = storm_time_from_seconds(front->longest);
    struct ticks_clock clock = ticks_clock(longest, front->step);
    double limit = front->nevers > 0 ? page.x1 - FRONT_NEVER_WIDTH : page.x1;
    for (storm_time time = 0; time <= longest; time += front->step) {
        double share = storm_time_to_seconds(time) / front->longest;
        double x = plot.x0 + (plot.x1 - plot.x0) * share;
        ticks_time_label(clock, front->step, time, time + front->step > longest, text, sizeof text);
        add_line(front, "tick-mark", ROLE_AXIS, floor(x) + 0.5, plot.y1 + 2, floor(x) + 0.5,
                 plot.y1 + 6);
        page_text(front->scene, "time-tick", FONT_TICK, ROLE_INK3, SCENE_MIDDLE,
                  fmin(x, limit - type_width(FONT_TICK, text) / 2), plot.y1 + 20, text);
    }
    page_text(front->scene, "axis-name", FONT_HEAD, ROLE_INK2, SCENE_START, page.x0, plot.y1 + 43,
              "→ time to recover");
}

/* The place of those that do not recover, at the right. */
static void draw_never(const struct front *front) {
    struct scene_box plot = layout_plot(&front->layout, 0);
    if (front->nevers == 0)
        return;
    scene_add(front->scene, &(struct scene_mark){.kind = SCENE_RECT,
                                                 .part = "never",
                                                 .role = ROLE_BAND,
                                                 .x = plot.x1 - FRONT_NEVER_WIDTH,
                                                 .y = plot.y0,
                                                 .width = FRONT_NEVER_WIDTH,
                                                 .height = plot.y1 - plot.y0});
    page_text(front->scene, "never-label", FONT_TICK, ROLE_INK3, SCENE_MIDDLE,
              plot.x1 - FRONT_NEVER_WIDTH / 2, plot.y1 + 20, "no recovery");
}

/* Through the dots that no other beats on the two axes drawn. */
static void draw_front_line(struct front *front) {
    struct scene_point *points = scene_points(front->scene, front->count + 1);
    double least = HUGE_VAL;
    uint32_t count = 0;
    for (uint32_t i = 0; i < front->fronts && points != NULL; i++) {
        const struct front_dot *dot = &front->dots[i];
        if (isinf(dot->point->time_to_recover) || dot->point->peak_load >= least)
            continue;
        least = dot->point->peak_load;
        points[count++] = (struct scene_point){dot->x, dot->y};
    }
    if (count < 2)
        return;
    front->line = points;
    front->line_count = count;
    scene_add(front->scene, &(struct scene_mark){.kind = SCENE_LINE,
                                                 .part = "front-line",
                                                 .role = ROLE_FIRST,
                                                 .points = points,
                                                 .point_count = count,
                                                 .stroke = 1.5});
}

static void add_circle(const struct front *front, const char *part, enum theme_role role,
                       const struct front_dot *dot, double radius) {
    assert(radius > 0);
    scene_add(front->scene, &(struct scene_mark){.kind = SCENE_CIRCLE,
                                                 .part = part,
                                                 .role = role,
                                                 .x = dot->x,
                                                 .y = dot->y,
                                                 .radius = radius});
}

/* What lies beyond the scale has the shape of an arrow. */
static void add_beyond(const struct front *front, const struct front_dot *dot) {
    bool is_up = dot->point->peak_load > ticks_top(&front->peaks);
    struct scene_point points[3] = {
        {dot->x - 4, dot->y + 6}, {dot->x, dot->y - 1}, {dot->x + 4, dot->y + 6}};
    struct scene_point right[3] = {
        {dot->x - 6, dot->y - 4}, {dot->x + 1, dot->y}, {dot->x - 6, dot->y + 4}};
    scene_add(front->scene, &(struct scene_mark){.kind = SCENE_AREA,
                                                 .part = "beyond",
                                                 .role = ROLE_WAITING,
                                                 .points = is_up ? points : right,
                                                 .point_count = 3});
}

static int compare_sizes(const void *left, const void *right) {
    const struct front_dot *a = *(const struct front_dot *const *)left;
    const struct front_dot *b = *(const struct front_dot *const *)right;
    if (a->radius != b->radius)
        return a->radius > b->radius ? -1 : 1;
    return (a > b) - (a < b);
}

/* The large ones first, so that none hides another. */
static bool draw_front_dots(struct front *front) {
    const struct front_dot **sorted =
        arena_take_array(&front->arena, front->fronts + 1u, sizeof *sorted);
    if (sorted == NULL)
        return false;
    for (uint32_t i = 0; i < front->fronts; i++)
        sorted[i] = &front->dots[i];
    qsort(sorted, front->fronts, sizeof *sorted, compare_sizes);
    for (uint32_t i = 0; i < front->fronts; i++) {
        add_circle(front, "rim", ROLE_BACKGROUND, sorted[i], sorted[i]->radius + RIM);
        add_circle(front, "front", ROLE_FIRST, sorted[i], sorted[i]->radius);
    }
    return true;
}

static bool draw_plot(struct front *front) {
    draw_never(front);
    draw_upright(front);
    draw_across(front);
    for (uint32_t i = front->fronts; i < front->count; i++)
        if (front->dots[i].is_beyond)
            add_beyond(front, &front->dots[i]);
        else
            add_circle(front, "other", ROLE_WAITING, &front->dots[i], front->dots[i].radius);
    draw_front_line(front);
    return draw_front_dots(front) && front_draw_labels(front);
}

static void write_subtitle(const struct front *front, char *buffer, size_t size) {
    char number[WORDS_MAX], runs[WORDS_MAX + 24] = "One run", plain[TYPE_TEXT_MAX];
    if (front->sweep->runs > 1)
        snprintf(runs, sizeof runs, "Medians of %s runs",
                 words_number(front->sweep->runs, 0, number, sizeof number));
    snprintf(plain, sizeof plain, "%s at each of %s points.", runs,
             words_number(front->sweep->point_count, 0, number, sizeof number));
    sweep_subtitle(front->sweep, plain, front->layout.page_width, buffer, size);
}

static bool draw_page(struct front *front) {
    char title[TYPE_TEXT_MAX], subtitle[TYPE_TEXT_MAX];
    if (!front_plan_scales(front))
        return false;
    front_finding(front, title, sizeof title);
    front->layout = layout_plan(1, 0, 0, LAYOUT_AXIS_ROOM, LAYOUT_MARGIN);
    write_subtitle(front, subtitle, sizeof subtitle);
    double header = page_header_height(title, subtitle, front->layout.page_width);
    front->layout = layout_plan(1, 0, header, LAYOUT_AXIS_ROOM, LAYOUT_MARGIN);
    front_place_dots(front);
    page_begin(front->scene, front->layout.page_width, front->layout.page_height);
    front_describe(front, title, subtitle);
    page_draw_header(front->scene, title, subtitle);
    front_draw_legend(front, PAGE_LEGEND_Y + header);
    if (!draw_plot(front))
        return false;
    sweep_draw_footer(front->scene, front->sweep);
    return true;
}

bool chart_front(const struct storm_sweep *sweep, const struct storm_chart_options *options,
                 struct scene *scene, struct storm_error *error) {
    assert(sweep != NULL && options != NULL);
    assert(scene != NULL && scene->count == 0);
    struct front front = {.sweep = sweep, .scene = scene};
    if (!sweep_has_points(sweep, error))
        return false;
    arena_init(&front.arena, FRONT_BYTES_MAX);
    bool is_read = front_read_dots(&front) && read_axes(&front), is_drawn = false;
    uint32_t count = front.count;
    if (is_read && count > 0)
        is_drawn = draw_page(&front);
    arena_free(&front.arena);
    if (is_read && count == 0)
        return storm_fail(error, STORM_INVALID,
                          "no point of the sweep has a peak load and a time to recover");
    return (is_drawn && !scene->is_full) ||
           storm_fail(error, STORM_LIMIT, "the chart does not fit into %d MB",
                      FRONT_BYTES_MAX >> 20);
}
