/* chart_heat.c: "heat": the share of runs that recovers over what a sweep varies: a map of two
   axes (and a panel per value of a third), dots for scattered points, or a curve along one axis. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <retrystorm/chart.h>
#include <retrystorm/error.h>
#include <retrystorm/sweep.h>

#include "base/arena.h"
#include "plots/charts.h"
#include "plots/heat.h"
#include "plots/layout.h"
#include "plots/page.h"
#include "plots/scene.h"
#include "plots/sweep_finding.h"
#include "plots/sweep_page.h"
#include "plots/swept.h"
#include "plots/type.h"

enum { HEAT_BYTES_MAX = 256 << 20, CELLS_MAX = 100000 };

static bool is_grid(const struct storm_sweep *sweep) {
    for (uint32_t i = 0; i < sweep->axis_count; i++)
        if (sweep->axes[i].value_count == 0)
            return false;
    return true;
}

static bool check(const struct storm_sweep *sweep, struct storm_error *error) {
    uint64_t cells = 1;
    if (!sweep_has_points(sweep, error))
        return false;
    if (sweep->point_count > CELLS_MAX)
        return storm_fail(error, STORM_LIMIT,
                          "a heat map shows at most %d points; this sweep has %u", CELLS_MAX,
                          sweep->point_count);
    for (uint32_t i = 0; i < sweep->axis_count && cells <= CELLS_MAX; i++)
        cells *= sweep->axes[i].value_count;
    if (is_grid(sweep) && cells != sweep->point_count)
        return storm_fail(error, STORM_INVALID, "the sweep's axes do not make up its %u points",
                          sweep->point_count);
    return true;
}

/* Which axes are drawn, in their order; those with one value are settled. Returns how many there
   are. */
static uint32_t varied(const struct storm_sweep *sweep, uint32_t *axes, uint32_t most) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < sweep->axis_count; i++)
        if (sweep->axes[i].value_count != 1) {
            if (count < most)
                axes[count] = i;
            count++;
        }
    assert(count > 0);
    return count;
}

/* A grid of too many axes: says which ones to settle. */
static bool refuse(const struct storm_sweep *sweep, uint32_t third, struct storm_error *error) {
    char names[STORM_MESSAGE_MAX] = "";
    size_t used = 0;
    for (uint32_t i = third; i < sweep->axis_count && used < sizeof names; i++)
        if (sweep->axes[i].value_count > 1)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                     used > 0 ? ", " : "", sweep->axes[i].path);
    storm_fail(error, STORM_INVALID,
               "a heat map shows two axes, and a third of at most %d values; settle %.150s",
               LAYOUT_PANELS_MAX, names);
    snprintf(error->suggestion, sizeof error->suggestion,
             "sweep with one value for it, or give it with --set instead of --vary");
    return false;
}

/* Words stand best upright, where their labels have room. */
static void turn_words(struct heat *heat) {
    struct swept *x = &heat->axes[HEAT_X], *y = &heat->axes[HEAT_Y], kept = *x;
    if (heat->axis_count < 2 || !x->is_words || y->is_words)
        return;
    *x = *y;
    *y = kept;
}

static bool choose_axes(struct heat *heat, struct storm_error *error) {
    uint32_t axes[HEAT_AXES] = {0}, count = varied(heat->sweep, axes, HEAT_AXES);
    const struct storm_sweep *sweep = heat->sweep;
    bool has_cells = is_grid(sweep);
    if (has_cells &&
        (count > HEAT_AXES ||
         (count == HEAT_AXES && sweep->axes[axes[HEAT_PANEL]].value_count > LAYOUT_PANELS_MAX)))
        return refuse(sweep, axes[HEAT_PANEL], error);
    heat->kind = count == 1 ? HEAT_CURVE : has_cells ? HEAT_CELLS : HEAT_DOTS;
    heat->axis_count = heat->kind == HEAT_DOTS ? 2 : count;
    heat->more = count - heat->axis_count;
    for (uint32_t i = 0; i < heat->axis_count; i++)
        if (!swept_read(sweep, axes[i], &heat->arena, &heat->axes[i]))
            return storm_fail(error, STORM_LIMIT, "the chart does not fit into %d MB",
                              HEAT_BYTES_MAX >> 20);
    turn_words(heat);
    for (uint32_t i = 0; i < heat->axis_count; i++)
        for (uint32_t j = 0; j < i; j++)
            swept_tell_apart(&heat->axes[i], &heat->axes[j]);
    return true;
}

static bool draw_panels(struct heat *heat, uint32_t panels) {
    bool is_drawn = true;
    for (uint32_t i = 0; i < panels && is_drawn; i++) {
        switch (heat->kind) {
        case HEAT_CELLS:
            is_drawn = heat_draw_cells(heat, i);
            break;
        case HEAT_DOTS:
            heat_draw_dots(heat);
            break;
        case HEAT_CURVE:
            is_drawn = heat_draw_curve(heat);
            break;
        }
        heat_draw_axes(heat, i);
    }
    return is_drawn;
}

static bool draw_page(struct heat *heat) {
    char title[TYPE_TEXT_MAX], subtitle[TYPE_TEXT_MAX];
    uint32_t panels = heat->axis_count > HEAT_PANEL ? heat->axes[HEAT_PANEL].count : 1;
    double left = heat_axis_room(heat);
    if (!sweep_finding(heat->sweep, heat->axes, heat->axis_count, &heat->arena, title,
                       sizeof title))
        return false;
    heat->layout = layout_plan(panels, 0, 0, left, LAYOUT_MARGIN);
    heat_subtitle(heat, heat->layout.page_width, subtitle, sizeof subtitle);
    double header = page_header_height(title, subtitle, heat->layout.page_width);
    heat->layout = layout_plan(panels, 0, header, left, LAYOUT_MARGIN);
    page_begin(heat->scene, heat->layout.page_width, heat->layout.page_height);
    heat_describe(heat, title, subtitle);
    page_draw_header(heat->scene, title, subtitle);
    heat_draw_legend(heat, PAGE_LEGEND_Y + header);
    if (!draw_panels(heat, panels))
        return false;
    sweep_draw_footer(heat->scene, heat->sweep);
    return true;
}

bool chart_heat(const struct storm_sweep *sweep, const struct storm_chart_options *options,
                struct scene *scene, struct storm_error *error) {
    assert(sweep != NULL && options != NULL);
    assert(scene != NULL && scene->count == 0);
    struct heat heat = {.sweep = sweep, .scene = scene};
    if (!check(sweep, error))
        return false;
    arena_init(&heat.arena, HEAT_BYTES_MAX);
    bool is_chosen = choose_axes(&heat, error), is_drawn = false;
    if (is_chosen) {
        heat_look_for_lines(&heat);
        is_drawn = draw_page(&heat);
    }
    arena_free(&heat.arena);
    if (is_chosen && (!is_drawn || scene->is_full))
        return storm_fail(error, STORM_LIMIT, "the chart does not fit into %d MB",
                          HEAT_BYTES_MAX >> 20);
    return is_chosen;
}
