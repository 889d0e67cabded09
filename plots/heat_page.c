/* heat_page.c: what stands around the panels of the heat map: axes, legend, subtitle, footer. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <retrystorm/sweep.h>

#include "plots/heat.h"
#include "plots/layout.h"
#include "plots/legend.h"
#include "plots/page.h"
#include "plots/scene.h"
#include "plots/sweep_finding.h"
#include "plots/sweep_page.h"
#include "plots/swept.h"
#include "plots/theme.h"
#include "plots/type.h"
#include "plots/words.h"

#define SWATCH_WIDTH 15.0
#define KEY_HEIGHT 12.0
#define SWATCH_APART 3.0 /* the steps for none and for all stand by themselves */
#define LABEL_MOST 220.0 /* of the upright axis' labels */

double heat_axis_room(const struct heat *heat) {
    struct swept_tick ticks[SWEPT_TICKS_MAX];
    double widest = 0;
    if (heat->kind == HEAT_CURVE)
        return type_width(FONT_TICK, "100" WORDS_THIN "%") + 10 + LAYOUT_MARGIN;
    uint32_t count = swept_ticks(&heat->axes[HEAT_Y], 280, true, ticks);
    for (uint32_t i = 0; i < count; i++)
        widest = fmax(widest, type_width(FONT_TICK, ticks[i].text));
    return fmax(fmin(widest, LABEL_MOST) + 10 + LAYOUT_MARGIN, LAYOUT_AXIS_ROOM);
}

void heat_draw_axes(struct heat *heat, uint32_t panel) {
    struct scene_box plot = layout_plot(&heat->layout, panel);
    bool is_left = panel % heat->layout.columns == 0;
    bool is_bottom = layout_is_bottom(&heat->layout, panel);
    char name[SWEPT_TEXT_MAX];
    sweep_draw_across(heat->scene, &heat->axes[HEAT_X], &plot, is_bottom, is_bottom && is_left);
    if (heat->kind != HEAT_CURVE)
        sweep_draw_upright(heat->scene, &heat->axes[HEAT_Y], &plot, is_left, LABEL_MOST);
    bool has_panels = heat->axis_count > HEAT_PANEL;
    if (panel == 0 && heat->kind != HEAT_CURVE)
        sweep_name_axis(heat->scene, &heat->axes[HEAT_Y], "↑", plot.x0,
                        plot.y0 - (has_panels ? 37 : LAYOUT_NAME_RISE));
    if (!has_panels)
        return;
    const struct swept *axis = &heat->axes[HEAT_PANEL];
    const char *label = axis->labels[panel];
    swept_phrase(axis, label, "", name, sizeof name);
    const char *bare = strncmp(name, "a ", 2) == 0 ? name + 2 : name;
    page_text(heat->scene, "panel-name", FONT_PANEL, ROLE_INK, SCENE_START, plot.x0,
              plot.y0 - LAYOUT_NAME_RISE, bare);
}

/* The scale from none to all, and its words at both ends. */
static void add_scale(struct legend *legend) {
    const char *least = "0";
    double x = 0;
    page_text(legend->scene, "legend", FONT_LEGEND, ROLE_INK2, SCENE_START, legend->x, legend->y,
              least);
    legend->x += type_width(FONT_LEGEND, least) + LEGEND_KEY_GAP;
    for (int i = 0; i < THEME_HEAT_STEPS; i++) {
        if (i == 1 || i == THEME_HEAT_STEPS - 1)
            x += SWATCH_APART;
        legend_key(legend, &(struct scene_mark){.kind = SCENE_RECT,
                                                .role = (enum theme_role)(ROLE_HEAT_0 + i),
                                                .x = x,
                                                .y = -KEY_HEIGHT / 2,
                                                .width = SWATCH_WIDTH,
                                                .height = KEY_HEIGHT});
        x += SWATCH_WIDTH;
    }
    legend_words(legend, x, "100" WORDS_THIN "% of the runs recover");
}

/* Of the curve: the line with its interval. */
static void add_curve(struct legend *legend) {
    legend_key(legend, &(struct scene_mark){.kind = SCENE_RECT,
                                            .role = ROLE_FIRST,
                                            .opacity = 0.2,
                                            .y = -KEY_HEIGHT / 2,
                                            .width = LEGEND_LINE,
                                            .height = KEY_HEIGHT});
    legend_line(legend, ROLE_FIRST, 2, 0);
    legend_words(legend, LEGEND_LINE,
                 "share of the runs that recover, with its 95" WORDS_THIN "% interval");
}

static void add_cells(struct legend *legend, const struct heat *heat) {
    add_scale(legend);
    if (heat->kind == HEAT_CELLS && heat->has_half) {
        legend_line(legend, ROLE_LINE, 2.5, 0);
        legend_words(legend, LEGEND_LINE, "half of them do");
    }
    if (heat->kind == HEAT_CELLS && heat->has_nearly_all) {
        legend_line(legend, ROLE_LINE, 1.5, 5);
        legend_words(legend, LEGEND_LINE, "99" WORDS_THIN "% do");
    }
}

/* A dot that is not judged is an empty ring, a cell is hatched. */
static void add_unjudged(struct legend *legend, const struct heat *heat) {
    static const struct {
        enum theme_role role;
        double radius;
    } rings[] = {{ROLE_AXIS, 5.75}, {ROLE_BACKGROUND, 5}};
    struct scene_box box = {legend->x, legend->y - 10.5, legend->x + LEGEND_LINE, legend->y + 1.5};
    for (int i = 0; i < 2 && heat->kind == HEAT_DOTS; i++)
        legend_key(legend, &(struct scene_mark){.kind = SCENE_CIRCLE,
                                                .role = rings[i].role,
                                                .x = rings[0].radius,
                                                .radius = rings[i].radius});
    if (heat->kind != HEAT_DOTS)
        heat_hatch(heat->scene, "key", &box);
    legend_words(legend, heat->kind == HEAT_DOTS ? 2 * rings[0].radius : LEGEND_LINE, "not judged");
}

void heat_draw_legend(struct heat *heat, double y) {
    struct legend legend = {heat->scene, LAYOUT_MARGIN, y, LEGEND_WORDS_GAP};
    assert(y > 0);
    if (heat->kind == HEAT_CURVE)
        add_curve(&legend);
    else
        add_cells(&legend, heat);
    if (heat->has_unjudged)
        add_unjudged(&legend, heat);
}

/* "Share of runs that recover, 30 at each of 90 points." after the scenario's own words. */
void heat_subtitle(const struct heat *heat, double page_width, char *buffer, size_t size) {
    const struct storm_sweep *sweep = heat->sweep;
    char runs[WORDS_MAX], points[WORDS_MAX], plain[TYPE_TEXT_MAX];
    snprintf(plain, sizeof plain, "Share of runs that recover, %s at each of %s points",
             words_number(sweep->runs, 0, runs, sizeof runs),
             words_number(sweep->point_count, 0, points, sizeof points));
    if (heat->more > 0)
        words_append(plain, sizeof plain, "; %" PRIu32 " more setting%s", heat->more,
                     heat->more == 1 ? " differs" : "s differ");
    words_append(plain, sizeof plain, ".");
    sweep_subtitle(sweep, plain, page_width, buffer, size);
}

void heat_describe(struct heat *heat, const char *title, const char *subtitle) {
    char text[4 * TYPE_TEXT_MAX], words[SWEPT_TEXT_MAX];
    struct storm_sweep_count count = storm_sweep_count(heat->sweep);
    assert(title != NULL && subtitle != NULL);
    sweep_count_words(&count, words, sizeof words);
    words[0] = 'O'; /* of "of" */
    snprintf(text, sizeof text, "%s %s.", subtitle, words);
    if (count.unjudged > 0)
        words_append(text, sizeof text, " %" PRIu32 " more were not judged.", count.unjudged);
    words_append(text, sizeof text, " Across: %s.", heat->axes[HEAT_X].axis->path);
    if (heat->axis_count > HEAT_Y)
        words_append(text, sizeof text, " Upwards: %s.", heat->axes[HEAT_Y].axis->path);
    if (heat->axis_count > HEAT_PANEL)
        words_append(text, sizeof text, " One panel each: %s.", heat->axes[HEAT_PANEL].axis->path);
    heat->scene->title = scene_copy_text(heat->scene, title);
    heat->scene->description = scene_copy_text(heat->scene, text);
}
