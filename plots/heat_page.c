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
#include "plots/page.h"
#include "plots/scene.h"
#include "plots/sweep_finding.h"
#include "plots/sweep_page.h"
#include "plots/swept.h"
#include "plots/theme.h"
#include "plots/type.h"
#include "plots/words.h"

#define SWATCH_WIDTH 15.0
#define SWATCH_HEIGHT 12.0
#define SWATCH_APART 3.0 /* the steps for none and for all stand by themselves */
#define KEY_GAP 7.0      /* between a key and its words */
#define WORDS_GAP 28.0   /* between words and the next key */
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

/* The scale from none to all, and its words at both ends. Returns where the next key may begin. */
static double draw_scale(struct heat *heat, double x, double y) {
    const char *least = "0", *most = "100" WORDS_THIN "% of the runs recover";
    page_text(heat->scene, "legend", FONT_LEGEND, ROLE_INK2, SCENE_START, x, y, least);
    x += type_width(FONT_LEGEND, least) + KEY_GAP;
    for (int i = 0; i < THEME_HEAT_STEPS; i++) {
        if (i == 1 || i == THEME_HEAT_STEPS - 1)
            x += SWATCH_APART;
        scene_add(heat->scene, &(struct scene_mark){.kind = SCENE_RECT,
                                                    .part = "key",
                                                    .role = (enum theme_role)(ROLE_HEAT_0 + i),
                                                    .x = x,
                                                    .y = y - 10.5,
                                                    .width = SWATCH_WIDTH,
                                                    .height = SWATCH_HEIGHT});
        x += SWATCH_WIDTH;
    }
    x += KEY_GAP;
    page_text(heat->scene, "legend", FONT_LEGEND, ROLE_INK2, SCENE_START, x, y, most);
    return x + type_width(FONT_LEGEND, most) + WORDS_GAP;
}

static double draw_line_key(struct heat *heat, double x, double y, bool is_half,
                            const char *words) {
    struct scene_point ends[2] = {{x, y - 4.5}, {x + 22, y - 4.5}};
    assert(words != NULL);
    scene_add(heat->scene, &(struct scene_mark){.kind = SCENE_LINE,
                                                .part = "key",
                                                .role = ROLE_LINE,
                                                .points = ends,
                                                .point_count = 2,
                                                .stroke = is_half ? 2.5 : 1.5,
                                                .dash = is_half ? 0 : 5,
                                                .gap = 3.5});
    page_text(heat->scene, "legend", FONT_LEGEND, ROLE_INK2, SCENE_START, x + 22 + KEY_GAP, y,
              words);
    return x + 22 + KEY_GAP + type_width(FONT_LEGEND, words) + WORDS_GAP;
}

/* Of the curve: the line with its interval. */
static double draw_curve_key(struct heat *heat, double x, double y) {
    const char *words = "share of the runs that recover, with its 95" WORDS_THIN "% interval";
    struct scene_point ends[2] = {{x, y - 4.5}, {x + 22, y - 4.5}};
    scene_add(heat->scene, &(struct scene_mark){.kind = SCENE_RECT,
                                                .part = "key",
                                                .role = ROLE_FIRST,
                                                .opacity = 0.2,
                                                .x = x,
                                                .y = y - 10.5,
                                                .width = 22,
                                                .height = 12});
    scene_add(heat->scene, &(struct scene_mark){.kind = SCENE_LINE,
                                                .part = "key",
                                                .role = ROLE_FIRST,
                                                .points = ends,
                                                .point_count = 2,
                                                .stroke = 2});
    page_text(heat->scene, "legend", FONT_LEGEND, ROLE_INK2, SCENE_START, x + 22 + KEY_GAP, y,
              words);
    return x + 22 + KEY_GAP + type_width(FONT_LEGEND, words) + WORDS_GAP;
}

void heat_draw_legend(struct heat *heat, double y) {
    double x = LAYOUT_MARGIN;
    assert(heat != NULL && y > 0);
    if (heat->kind == HEAT_CURVE) {
        x = draw_curve_key(heat, x, y);
    } else {
        x = draw_scale(heat, x, y);
        if (heat->kind == HEAT_CELLS && heat->has_half)
            x = draw_line_key(heat, x, y, true, "half of them do");
        if (heat->kind == HEAT_CELLS && heat->has_nearly_all)
            x = draw_line_key(heat, x, y, false, "99" WORDS_THIN "% do");
    }
    if (!heat->has_unjudged)
        return;
    struct scene_box box = {x, y - 10.5, x + 22, y + 1.5};
    if (heat->kind == HEAT_DOTS)
        scene_add(heat->scene, &(struct scene_mark){.kind = SCENE_CIRCLE,
                                                    .part = "key",
                                                    .role = ROLE_AXIS,
                                                    .x = x + 16,
                                                    .y = y - 4.5,
                                                    .radius = 5.75});
    if (heat->kind == HEAT_DOTS)
        scene_add(heat->scene, &(struct scene_mark){.kind = SCENE_CIRCLE,
                                                    .part = "key",
                                                    .role = ROLE_BACKGROUND,
                                                    .x = x + 16,
                                                    .y = y - 4.5,
                                                    .radius = 5});
    else
        heat_hatch(heat->scene, "key", &box);
    page_text(heat->scene, "legend", FONT_LEGEND, ROLE_INK2, SCENE_START, x + 22 + KEY_GAP, y,
              "not judged");
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
