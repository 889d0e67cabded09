/* load_panel.c: the marks of one panel of "load over time": faults, areas, lines, strip, axes. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <retrystorm/results.h>
#include <retrystorm/units.h>

#include "plots/curves.h"
#include "plots/finding.h"
#include "plots/layout.h"
#include "plots/load.h"
#include "plots/page.h"
#include "plots/place.h"
#include "plots/scene.h"
#include "plots/theme.h"
#include "plots/ticks.h"
#include "plots/type.h"
#include "plots/words.h"

/* A cell of the strip is at least this wide, so that single ones can be seen. */
#define CELL_LEAST 4.0
/* What stays free between the last two labels of the time axis. */
#define TICK_AIR 12.0

static double grid_y(const struct load_panel *panel, int line) {
    const struct ticks *ticks = &panel->load->left;
    assert(line >= 0 && line <= ticks->intervals);
    double height = panel->plot.y1 - panel->plot.y0;
    return panel->plot.y1 - height * line / ticks->intervals;
}

/* Gridlines on half pixels, which both axes share; labels only at the outer panels. */
static void draw_grid(const struct load_panel *panel) {
    struct load *load = panel->load;
    char label[WORDS_MAX + 3];
    assert(load->left.intervals > 0);
    for (int i = 0; i <= load->left.intervals; i++) {
        double y = grid_y(panel, i), line_y = floor(y) + 0.5;
        struct scene_point ends[2] = {{panel->plot.x0, line_y}, {panel->plot.x1, line_y}};
        scene_add(load->scene, &(struct scene_mark){.kind = SCENE_LINE,
                                                    .part = "grid",
                                                    .role = ROLE_GRID,
                                                    .points = ends,
                                                    .point_count = 2,
                                                    .stroke = 1});
        ticks_label(&load->left, i, label, sizeof label - 3);
        if (i == load->left.intervals)
            memcpy(label + strlen(label), "/s", 3);
        if (panel->index % load->layout.columns == 0)
            page_text(load->scene, "left-tick", FONT_TICK, ROLE_INK3, SCENE_END,
                      panel->plot.x0 - 10, y + 4, label);
        if (load->has_right && layout_is_last_column(&load->layout, panel->index))
            page_text(load->scene, "right-tick", FONT_TICK, ROLE_INK3, SCENE_START,
                      panel->plot.x1 + 11, y + 4,
                      ticks_label(&load->right, i, label, sizeof label));
    }
}

/* One closed shape per series: bars would show seams. The upper edge becomes the skyline that
   labels keep off. */
static void draw_areas(struct load_panel *panel) {
    uint32_t bins = panel->load->results->bin_count;
    struct scene_point *shape = scene_points(panel->load->scene, 4 * bins + 2);
    struct scene_point *lower = scene_points(panel->load->scene, 2 * bins);
    if (shape == NULL || lower == NULL)
        return;
    uint32_t upper_count = load_steps(panel, &panel->load->left, panel->curves->total, shape);
    uint32_t lower_count = load_steps(panel, &panel->load->left, panel->curves->first, lower);
    assert(upper_count >= 2 && lower_count >= 2);
    for (uint32_t i = 0; i < lower_count; i++)
        shape[upper_count + i] = lower[lower_count - 1 - i];
    panel->place.skyline = shape;
    panel->place.skyline_count = upper_count;
    bool has_retries = false;
    for (uint32_t bin = 0; bin < bins; bin++)
        has_retries = has_retries || panel->curves->total[bin] > panel->curves->first[bin];
    if (has_retries)
        load_add_area(panel, "retries", ROLE_RETRY, shape, upper_count + lower_count);
    struct scene_point *base = scene_points(panel->load->scene, lower_count + 2);
    if (base == NULL || panel->curves->peak_bin >= bins)
        return;
    memcpy(base, lower, lower_count * sizeof *base);
    base[lower_count] = (struct scene_point){panel->plot.x1, panel->plot.y1};
    base[lower_count + 1] = (struct scene_point){panel->plot.x0, panel->plot.y1};
    load_add_area(panel, "first", ROLE_FIRST, base, lower_count + 2);
}

/* A small arrowhead above the plot wherever the load goes beyond the scale. */
static void draw_cuts(const struct load_panel *panel) {
    double top = ticks_top(&panel->load->left);
    uint32_t bins = panel->load->results->bin_count;
    assert(panel->curves->total != NULL);
    for (uint32_t bin = 0; panel->load->is_cut && bin < bins; bin++) {
        if (panel->curves->total[bin] <= top)
            continue;
        uint32_t end = bin;
        while (end < bins && panel->curves->total[end] > top)
            end++;
        double x = (load_bin_x(panel, bin) + load_bin_x(panel, end)) / 2, y = panel->plot.y0 - 1.5;
        bool is_retry = panel->curves->first[bin] <= top;
        struct scene_point head[3] = {{x - 4, y}, {x, y - 5.5}, {x + 4, y}};
        assert(end > bin);
        load_add_area(panel, "beyond", is_retry ? ROLE_RETRY : ROLE_FIRST, head, 3);
        bin = end;
    }
}

static void add_capacity(struct load_panel *panel, const struct scene_point *points,
                         uint32_t count) {
    assert(count <= 2 * panel->load->results->bin_count);
    if (count >= 2)
        load_add_line(panel,
                      &(struct scene_mark){.kind = SCENE_LINE,
                                           .part = "capacity",
                                           .role = ROLE_LINE,
                                           .points = points,
                                           .point_count = count,
                                           .stroke = 1.25,
                                           .dash = 5,
                                           .gap = 3.5},
                      3);
}

/* A step line with a gap wherever capacity is unlimited. */
static void draw_capacity(struct load_panel *panel) {
    const double *capacity = panel->curves->capacity;
    uint32_t bins = panel->load->results->bin_count, used = 0;
    double top = ticks_top(&panel->load->left);
    if (!panel->load->has_capacity || capacity == NULL || panel->curves->nominal > top)
        return;
    struct scene_point *points = scene_points(panel->load->scene, 2 * bins);
    for (uint32_t bin = 0; points != NULL && bin < bins; bin++) {
        if (!isfinite(capacity[bin]) || capacity[bin] < 0) {
            add_capacity(panel, points, used);
            points += used; /* the place keeps the old ones */
            used = 0;
            continue;
        }
        double y = load_y(panel, capacity[bin]);
        if (used == 0 || points[used - 1].y != y)
            points[used++] = (struct scene_point){load_bin_x(panel, bin), y};
        else
            used--;
        points[used++] = (struct scene_point){load_bin_x(panel, bin + 1), y};
    }
    if (points != NULL)
        add_capacity(panel, points, used);
}

/* The run that ended the other way, from where the trouble is over: before, all runs look alike. */
static void draw_ghost(struct load_panel *panel) {
    const struct load *load = panel->load;
    storm_time from = load_trouble_end(load, panel->variant);
    uint32_t used = 0;
    if (panel->curves->ghost == NULL)
        return;
    struct scene_point *points = scene_points(load->scene, load->results->bin_count);
    for (uint32_t bin = 0; points != NULL && bin < load->results->bin_count; bin++) {
        if (load_bin_start(load, bin) < from)
            continue;
        points[used].x = (load_bin_x(panel, bin) + load_bin_x(panel, bin + 1)) / 2;
        points[used++].y = load_y(panel, panel->curves->ghost[bin]);
    }
    assert(used <= load->results->bin_count);
    panel->has_ghost = used >= 2;
    if (panel->has_ghost)
        load_add_line(panel,
                      &(struct scene_mark){.kind = SCENE_LINE,
                                           .part = "ghost",
                                           .role = ROLE_GHOST,
                                           .points = points,
                                           .point_count = used,
                                           .stroke = 1.25},
                      3.5);
}

/* Dead letters so far: from the first one on, for a line along zero would only thicken the base. */
static void draw_dead(struct load_panel *panel) {
    const double *dead = panel->curves->dead;
    uint32_t bins = panel->load->results->bin_count, used = 0;
    if (dead == NULL)
        return;
    assert(panel->load->has_right);
    struct scene_point *points = scene_points(panel->load->scene, bins + 1);
    for (uint32_t bin = 0; points != NULL && bin < bins; bin++) {
        if (dead[bin] <= 0)
            continue;
        if (used == 0)
            points[used++] = (struct scene_point){load_bin_x(panel, bin), panel->plot.y1};
        double y = load_right_y(panel, dead[bin]);
        bool is_flat = used >= 2 && points[used - 1].y == y && points[used - 2].y == y;
        used -= is_flat ? 1 : 0;
        points[used++] = (struct scene_point){load_bin_x(panel, bin + 1), y};
    }
    if (used < 2)
        return;
    load_add_line(panel,
                  &(struct scene_mark){.kind = SCENE_LINE,
                                       .part = "dead",
                                       .role = ROLE_LINE,
                                       .points = points,
                                       .point_count = used,
                                       .stroke = 2},
                  5);
    scene_add(panel->load->scene, &(struct scene_mark){.kind = SCENE_CIRCLE,
                                                       .part = "dead-end",
                                                       .role = ROLE_LINE,
                                                       .x = panel->plot.x1,
                                                       .y = points[used - 1].y,
                                                       .radius = 3.4});
}

/* The step of the strip's scale for the bins [from, to): -1 where no request is born, or some are
   too young to be judged: such a cell stays blank, lest it look fine. Any failing of 1 % or more
   shows. */
static int strip_step(const struct curves *curves, uint32_t from, uint32_t to) {
    assert(from < to);
    double born = 0, failed = 0;
    for (uint32_t bin = from; bin < to; bin++) {
        born += curves->born[bin];
        failed += curves->failed[bin];
    }
    if (born <= 0 || isnan(failed))
        return -1;
    double share = fmin(failed / born, 1);
    int step = (int)(share * (THEME_STRIP_STEPS - 1) + 0.5);
    assert(step >= 0 && step < THEME_STRIP_STEPS);
    return share >= 0.01 && step == 0 ? 1 : step;
}

static void draw_strip(const struct load_panel *panel) {
    const struct load *load = panel->load;
    uint32_t bins = load->results->bin_count, start = 0;
    if (panel->curves->born == NULL)
        return;
    double bin_width = (panel->plot.x1 - panel->plot.x0) / bins;
    uint32_t cell = (uint32_t)fmax(1, ceil(CELL_LEAST / bin_width - 1e-9));
    int step = strip_step(panel->curves, 0, cell < bins ? cell : bins);
    for (uint32_t bin = cell; start < bins; bin += cell) {
        uint32_t end = bin + cell < bins ? bin + cell : bins;
        int next = bin < bins ? strip_step(panel->curves, bin, end) : -2;
        if (next == step)
            continue;
        uint32_t stop = bin < bins ? bin : bins;
        assert(stop > start);
        if (step >= 0)
            scene_add(load->scene, &(struct scene_mark){
                                       .kind = SCENE_RECT,
                                       .part = "strip",
                                       .role = (enum theme_role)((int)ROLE_STRIP_0 + step),
                                       .x = load_bin_x(panel, start),
                                       .y = panel->plot.y1 + LAYOUT_STRIP_DROP,
                                       .width = load_bin_x(panel, stop) - load_bin_x(panel, start),
                                       .height = LAYOUT_STRIP_HEIGHT});
        start = stop;
        step = next;
    }
    if (panel->index % load->layout.columns == 0)
        page_text(panel->load->scene, "strip-label", FONT_TICK, ROLE_INK3, SCENE_END,
                  panel->plot.x0 - 10,
                  panel->plot.y1 + LAYOUT_STRIP_DROP + LAYOUT_STRIP_HEIGHT + 0.25, "failing");
}

/* The end of the axis is a tick, too, if it is round and its label keeps clear of the last
   step's. */
static bool has_end_tick(const struct load_panel *panel, struct ticks_clock clock) {
    storm_time duration = panel->load->results->duration, step = panel->load->tick_step;
    storm_time last = duration - duration % step;
    char label[WORDS_MAX + 8], end[WORDS_MAX + 8];
    assert(step > 0);
    if (last == duration || duration % (clock.unit / 10) != 0)
        return false;
    ticks_time_label(clock, step, last, false, label, sizeof label);
    ticks_time_label(clock, step, duration, true, end, sizeof end);
    double room = load_x(panel, duration) - load_x(panel, last);
    double width = type_width(FONT_TICK, label) + type_width(FONT_TICK, end);
    return width / 2 + TICK_AIR <= room;
}

static void draw_time_tick(const struct load_panel *panel, struct ticks_clock clock,
                           storm_time time, bool is_last) {
    struct load *load = panel->load;
    double foot = layout_foot(&load->layout, panel->index);
    double x = floor(load_x(panel, time)) + 0.5, y = foot + LAYOUT_TICK_DROP;
    struct scene_point ends[2] = {{x, y}, {x, y + LAYOUT_TICK_LENGTH}};
    char label[WORDS_MAX + 8];
    assert(time <= load->results->duration);
    scene_add(load->scene, &(struct scene_mark){.kind = SCENE_LINE,
                                                .part = "time-tick",
                                                .role = ROLE_AXIS,
                                                .points = ends,
                                                .point_count = 2,
                                                .stroke = 1});
    if (!layout_is_bottom(&load->layout, panel->index))
        return;
    ticks_time_label(clock, load->tick_step, time, is_last, label, sizeof label);
    page_text(load->scene, "time-label", FONT_TICK, ROLE_INK3, SCENE_MIDDLE, x,
              foot + LAYOUT_LABEL_DROP, label);
}

static void draw_time_axis(const struct load_panel *panel) {
    storm_time duration = panel->load->results->duration, step = panel->load->tick_step;
    struct ticks_clock clock = ticks_clock(duration, step);
    bool has_end = has_end_tick(panel, clock);
    assert(step > 0);
    for (storm_time time = 0; time <= duration; time += step)
        draw_time_tick(panel, clock, time, time + step > duration && !has_end);
    if (has_end)
        draw_time_tick(panel, clock, duration, true);
}

static enum theme_role pill_role(enum finding_tone tone) {
    switch (tone) {
    case FINDING_GOOD:
        return ROLE_PILL_GOOD;
    case FINDING_MIXED:
        return ROLE_PILL_MIXED;
    case FINDING_BAD:
        return ROLE_PILL_BAD;
    case FINDING_NEUTRAL:
        break;
    }
    return ROLE_PILL_NEUTRAL;
}

/* The name at the left, the verdict over all runs at the right; the wording gives way first,
   then the name is cut. */
static void draw_heading(const struct load_panel *panel) {
    enum { PADDING = 10, GAP = 14 };
    struct load *load = panel->load;
    struct finding_verdict verdict = finding_verdict(load->results, panel->variant);
    double room = panel->plot.x1 - panel->plot.x0, y = panel->plot.y0 - LAYOUT_NAME_RISE;
    double name_width = type_width(FONT_PANEL, panel->variant->name);
    const char *words = verdict.wordings[0];
    for (int i = 0; i < verdict.count; i++) {
        words = verdict.wordings[i];
        if (name_width + GAP + type_width(FONT_PILL, words) + 2 * PADDING <= room)
            break;
    }
    char name[TYPE_TEXT_MAX];
    double width = type_width(FONT_PILL, words) + 2 * PADDING;
    enum theme_role role = pill_role(verdict.tone);
    assert(width < room);
    type_fit(FONT_PANEL, panel->variant->name, room - width - GAP, name, sizeof name);
    page_text(load->scene, "panel-name", FONT_PANEL, ROLE_INK, SCENE_START, panel->plot.x0, y,
              name);
    scene_add(load->scene, &(struct scene_mark){.kind = SCENE_RECT,
                                                .part = "pill",
                                                .role = role,
                                                .x = panel->plot.x1 - width,
                                                .y = y - 5 - LAYOUT_PILL_HEIGHT / 2,
                                                .width = width,
                                                .height = LAYOUT_PILL_HEIGHT,
                                                .radius = LAYOUT_PILL_HEIGHT / 2});
    page_text(load->scene, "pill-text", FONT_PILL, (enum theme_role)((int)role + 1), SCENE_MIDDLE,
              panel->plot.x1 - width / 2, y - 0.75, words);
}

void load_draw_panel(struct load_panel *panel) {
    assert(panel != NULL && panel->load != NULL);
    assert(panel->curves->total != NULL);
    panel->place = (struct place){.area = panel->plot};
    draw_heading(panel);
    load_draw_bands(panel);
    draw_grid(panel);
    draw_areas(panel);
    draw_cuts(panel);
    draw_ghost(panel);
    draw_capacity(panel);
    draw_dead(panel);
    draw_strip(panel);
    load_draw_actions(panel, panel->plot.y0);
    load_draw_lanes(panel);
    draw_time_axis(panel);
}
