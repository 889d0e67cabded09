/* heat_curve.c: one varied axis: the share that recovers along it, how sure it is, and the
   cliff. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <retrystorm/sweep.h>

#include "base/arena.h"
#include "plots/heat.h"
#include "plots/layout.h"
#include "plots/page.h"
#include "plots/place.h"
#include "plots/scene.h"
#include "plots/sweep_finding.h"
#include "plots/swept.h"
#include "plots/theme.h"
#include "plots/type.h"
#include "plots/words.h"

#define Z95 1.959963984540054 /* of the normal distribution, both sides */
#define DOT 3.6
#define WHISKER 1.5
#define SURE_OPACITY 0.2
#define LABEL_REACH 160.0
#define LINE_DROP 15.0

enum { QUARTERS = 4 };

/* A point along the axis; one that was not judged has no share. */
struct spot {
    double x, share, low, high;
    const char *label;
};

struct curve {
    struct heat *heat;
    struct scene_box plot;
    struct place place;
    struct spot *spots; /* from left to right */
    uint32_t count;
    struct scene_point *points; /* room for twice as many */
};

/* The interval of a share by Wilson ("Probable inference, the law of succession, and statistical
   inference", JASA 1927). */
static void find_interval(const struct storm_sweep_point *point, double *low, double *high) {
    double n = point->judged, share = (double)point->good / n, z2 = Z95 * Z95;
    assert(point->judged > 0);
    double middle = (share + z2 / (2 * n)) / (1 + z2 / n);
    double half = Z95 * sqrt(share * (1 - share) / n + z2 / (4 * n * n)) / (1 + z2 / n);
    *low = fmax(middle - half, 0);
    *high = fmin(middle + half, 1);
}

static double share_y(const struct curve *curve, double share) {
    assert(share >= 0 && share <= 1);
    return curve->plot.y1 - share * (curve->plot.y1 - curve->plot.y0);
}

static int compare_spots(const void *left, const void *right) {
    const struct spot *a = left, *b = right;
    return (a->x > b->x) - (a->x < b->x);
}

static bool read_spots(struct curve *curve) {
    const struct storm_sweep *sweep = curve->heat->sweep;
    const struct swept *axis = &curve->heat->axes[HEAT_X];
    curve->count = sweep->point_count;
    curve->spots = arena_take_array(&curve->heat->arena, curve->count, sizeof *curve->spots);
    curve->points =
        arena_take_array(&curve->heat->arena, 2 * (size_t)curve->count, sizeof *curve->points);
    if (curve->spots == NULL || curve->points == NULL)
        return false;
    for (uint32_t i = 0; i < curve->count; i++) {
        const struct storm_sweep_point *point = &sweep->points[i];
        struct spot *spot = &curve->spots[i];
        spot->x = curve->plot.x0 + swept_place(axis, point) * (curve->plot.x1 - curve->plot.x0);
        spot->share = storm_sweep_share(point);
        spot->label = point->labels[axis->index];
        if (point->judged > 0)
            find_interval(point, &spot->low, &spot->high);
    }
    qsort(curve->spots, curve->count, sizeof *curve->spots, compare_spots);
    return true;
}

static void add_line(const struct curve *curve, const char *part, enum theme_role role,
                     double stroke, const struct scene_point *points, uint32_t count) {
    assert(stroke > 0);
    scene_add(curve->heat->scene, &(struct scene_mark){.kind = SCENE_LINE,
                                                       .part = part,
                                                       .role = role,
                                                       .points = points,
                                                       .point_count = count,
                                                       .stroke = stroke});
}

static void draw_grid(const struct curve *curve) {
    static const char *const words[] = {"0", "25", "50", "75", "100" WORDS_THIN "%"};
    for (int i = 0; i <= QUARTERS; i++) {
        double y = share_y(curve, (double)i / QUARTERS);
        struct scene_point ends[2] = {{curve->plot.x0, floor(y) + 0.5},
                                      {curve->plot.x1, floor(y) + 0.5}};
        add_line(curve, "grid", i == 0 ? ROLE_AXIS : ROLE_GRID, 1, ends, 2);
        page_text(curve->heat->scene, "share-tick", FONT_TICK, ROLE_INK3, SCENE_END,
                  curve->plot.x0 - 10, y + 4, words[i]);
    }
}

/* The judged spots from `first` on that no other kind parts: [first, end). */
static uint32_t run_end(const struct curve *curve, uint32_t first) {
    uint32_t end = first;
    while (end < curve->count && !isnan(curve->spots[end].share))
        end++;
    return end;
}

/* The interval around, and the line through, spots side by side. */
static void draw_run(const struct curve *curve, uint32_t first, uint32_t end) {
    uint32_t count = end - first;
    struct scene_point *points = curve->points;
    assert(count > 0);
    for (uint32_t i = 0; i < count; i++) {
        const struct spot *spot = &curve->spots[first + i];
        points[i] = (struct scene_point){spot->x, share_y(curve, spot->high)};
        points[2 * count - 1 - i] = (struct scene_point){spot->x, share_y(curve, spot->low)};
    }
    if (count > 1)
        scene_add(curve->heat->scene, &(struct scene_mark){.kind = SCENE_AREA,
                                                           .part = "interval",
                                                           .role = ROLE_FIRST,
                                                           .opacity = SURE_OPACITY,
                                                           .points = points,
                                                           .point_count = 2 * count});
    for (uint32_t i = 0; i < count; i++) {
        const struct spot *spot = &curve->spots[first + i];
        points[i] = (struct scene_point){spot->x, share_y(curve, spot->share)};
    }
    add_line(curve, "curve", ROLE_FIRST, 2, points, count);
}

/* Words have no way from one to the next: each has an interval of its own. */
static void draw_spots(const struct curve *curve) {
    bool is_alone = curve->heat->axes[HEAT_X].is_words;
    for (uint32_t i = 0; i < curve->count; i++) {
        const struct spot *spot = &curve->spots[i];
        if (isnan(spot->share))
            continue;
        struct scene_point ends[2] = {{spot->x, share_y(curve, spot->high)},
                                      {spot->x, share_y(curve, spot->low)}};
        if (is_alone)
            add_line(curve, "interval", ROLE_FIRST, WHISKER, ends, 2);
        scene_add(curve->heat->scene, &(struct scene_mark){.kind = SCENE_CIRCLE,
                                                           .part = "spot",
                                                           .role = ROLE_FIRST,
                                                           .x = spot->x,
                                                           .y = share_y(curve, spot->share),
                                                           .radius = DOT});
    }
}

static void draw_gaps(const struct curve *curve) {
    double half = fmin(8, (curve->plot.x1 - curve->plot.x0) / (2.0 * curve->count));
    for (uint32_t i = 0; i < curve->count; i++) {
        double x = curve->spots[i].x;
        struct scene_box box = {x - half, curve->plot.y0, x + half, curve->plot.y1};
        if (isnan(curve->spots[i].share))
            heat_hatch(curve->heat->scene, "unjudged", &box);
    }
}

/* On which side of a half the share of a spot surely is: 1 above, -1 below, 0: either. */
static int side_of(const struct spot *spot) {
    return isnan(spot->share) ? 0 : spot->low > HEAT_HALF ? 1 : spot->high < HEAT_HALF ? -1 : 0;
}

/* The next cliff: from a spot surely on one side of a half to the next one surely on the other.
   Goes on from *from; false: there is none. */
static bool next_cliff(const struct curve *curve, uint32_t *from, uint32_t *to) {
    uint32_t last = UINT32_MAX;
    for (uint32_t i = *from; i < curve->count; i++) {
        int side = side_of(&curve->spots[i]);
        if (side == 0)
            continue;
        if (last != UINT32_MAX && side != side_of(&curve->spots[last])) {
            *from = last;
            *to = i;
            return true;
        }
        last = i;
    }
    return false;
}

static void draw_cliff(const struct curve *curve, uint32_t from, uint32_t to) {
    double x0 = floor(curve->spots[from].x + 0.5), x1 = floor(curve->spots[to].x + 0.5);
    assert(from < to);
    scene_add(curve->heat->scene, &(struct scene_mark){.kind = SCENE_RECT,
                                                       .part = "cliff",
                                                       .role = ROLE_PILL_MIXED,
                                                       .x = x0,
                                                       .y = curve->plot.y0,
                                                       .width = fmax(x1 - x0, 1),
                                                       .height = curve->plot.y1 - curve->plot.y0});
}

/* "cliff" above "8 to 9.7 s", beside the cliff, off the curve. */
static void label_cliff(struct curve *curve, uint32_t from, uint32_t to) {
    char a[WORDS_MAX], b[WORDS_MAX], text[3 * WORDS_MAX];
    snprintf(text, sizeof text, "between %s and %s",
             words_setting(curve->spots[from].label, a, sizeof a),
             words_setting(curve->spots[to].label, b, sizeof b));
    double width = fmax(type_width(FONT_BODY, text), type_width(FONT_HEAD, "cliff"));
    double right = curve->spots[to].x + 10, left = curve->spots[from].x - 10 - width;
    const double starts[2] = {right, left};
    double y = curve->plot.y0 + (curve->plot.y1 - curve->plot.y0) / 2;
    for (int i = 0; i < 2; i++) {
        struct scene_box box = {starts[i], y - 10, starts[i] + width, y + LINE_DROP + 3};
        if (!place_slide(&curve->place, &box, LABEL_REACH, PLACE_OFF_DATA))
            continue;
        place_take(&curve->place, &box);
        page_text(curve->heat->scene, "cliff-label", FONT_HEAD, ROLE_INK, SCENE_START, box.x0,
                  box.y0 + 10, "cliff");
        page_text(curve->heat->scene, "cliff-place", FONT_BODY, ROLE_INK2, SCENE_START, box.x0,
                  box.y0 + 10 + LINE_DROP, text);
        return;
    }
}

/* Labels keep off the line and the interval's edges. */
static bool note_lines(struct curve *curve) {
    uint32_t count = 0;
    struct scene_point *lines =
        arena_take_array(&curve->heat->arena, 3 * (size_t)curve->count, sizeof *lines);
    if (lines == NULL)
        return false;
    for (int which = 0; which < 3; which++) {
        uint32_t start = count;
        for (uint32_t i = 0; i < curve->count; i++) {
            const struct spot *spot = &curve->spots[i];
            if (isnan(spot->share))
                continue;
            double share = which == 0 ? spot->share : which == 1 ? spot->low : spot->high;
            lines[count++] = (struct scene_point){spot->x, share_y(curve, share)};
        }
        place_take_line(&curve->place, lines + start, count - start);
    }
    return true;
}

bool heat_draw_curve(struct heat *heat) {
    struct curve curve = {.heat = heat, .plot = layout_plot(&heat->layout, 0)};
    curve.place.area = curve.plot;
    if (!read_spots(&curve) || !note_lines(&curve))
        return false;
    bool has_cliffs = !heat->axes[HEAT_X].is_words;
    uint32_t to = 0;
    for (uint32_t from = 0; has_cliffs && next_cliff(&curve, &from, &to); from = to)
        draw_cliff(&curve, from, to);
    draw_gaps(&curve);
    draw_grid(&curve);
    for (uint32_t first = 0, end; has_cliffs && first < curve.count; first = end + 1) {
        end = run_end(&curve, first);
        if (end > first)
            draw_run(&curve, first, end);
    }
    draw_spots(&curve);
    for (uint32_t from = 0; has_cliffs && next_cliff(&curve, &from, &to); from = to)
        label_cliff(&curve, from, to);
    return true;
}
