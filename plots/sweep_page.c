/* sweep_page.c: what the charts of a sweep have in common. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <retrystorm/error.h>
#include <retrystorm/sweep.h>

#include "plots/layout.h"
#include "plots/page.h"
#include "plots/scene.h"
#include "plots/sweep_page.h"
#include "plots/swept.h"
#include "plots/theme.h"
#include "plots/type.h"
#include "plots/words.h"

#define MARK_DROP 2.0
#define LABEL_DROP 20.0
#define NAME_DROP 43.0
#define CHANGES_LEAST 60.0 /* of the footer, for what the command line changed */

bool sweep_has_points(const struct storm_sweep *sweep, struct storm_error *error) {
    assert(sweep != NULL);
    return (sweep->axis_count > 0 && sweep->point_count > 1) ||
           storm_fail(error, STORM_INVALID,
                      "the sweep has one point only, so there is nothing to draw");
}

static void add_mark(struct scene *scene, double x0, double y0, double x1, double y1) {
    struct scene_point ends[2] = {{x0, y0}, {x1, y1}};
    scene_add(scene, &(struct scene_mark){.kind = SCENE_LINE,
                                          .part = "tick-mark",
                                          .role = ROLE_AXIS,
                                          .points = ends,
                                          .point_count = 2,
                                          .stroke = 1});
}

void sweep_draw_across(struct scene *scene, const struct swept *axis, const struct scene_box *plot,
                       bool has_labels, bool has_name) {
    struct swept_tick ticks[SWEPT_TICKS_MAX];
    double width = plot->x1 - plot->x0;
    uint32_t count = swept_ticks(axis, width, false, ticks);
    assert(width > 0);
    for (uint32_t i = 0; i < count; i++) {
        double x = plot->x0 + ticks[i].at * width, mark = floor(x) + 0.5;
        add_mark(scene, mark, plot->y1 + MARK_DROP, mark,
                 plot->y1 + MARK_DROP + LAYOUT_TICK_LENGTH);
        double over = x + type_width(FONT_TICK, ticks[i].text) / 2 - (scene->width - LAYOUT_MARGIN);
        if (has_labels)
            page_text(scene, "across-tick", FONT_TICK, ROLE_INK3, SCENE_MIDDLE, x - fmax(over, 0),
                      plot->y1 + LABEL_DROP, ticks[i].text);
    }
    if (has_name)
        sweep_name_axis(scene, axis, "→", plot->x0, plot->y1 + NAME_DROP);
}

void sweep_draw_upright(struct scene *scene, const struct swept *axis, const struct scene_box *plot,
                        bool has_labels, double widest) {
    struct swept_tick ticks[SWEPT_TICKS_MAX];
    char text[SWEPT_LABEL_MAX];
    double height = plot->y1 - plot->y0;
    uint32_t count = swept_ticks(axis, height, true, ticks);
    assert(height > 0);
    for (uint32_t i = 0; i < count; i++) {
        double y = plot->y1 - ticks[i].at * height, mark = floor(y) + 0.5;
        add_mark(scene, plot->x0 - MARK_DROP - LAYOUT_TICK_LENGTH, mark, plot->x0 - MARK_DROP,
                 mark);
        type_fit(FONT_TICK, ticks[i].text, widest, text, sizeof text);
        if (has_labels)
            page_text(scene, "upright-tick", FONT_TICK, ROLE_INK3, SCENE_END, plot->x0 - 10, y + 4,
                      text);
    }
}

void sweep_name_axis(struct scene *scene, const struct swept *axis, const char *arrow, double x,
                     double y) {
    char words[SWEPT_NOUN_MAX + 8];
    assert(axis != NULL && arrow != NULL);
    snprintf(words, sizeof words, "%s%s%s", axis->is_words ? "" : arrow, axis->is_words ? "" : " ",
             axis->noun);
    page_text(scene, "axis-name", FONT_HEAD, ROLE_INK2, SCENE_START, x, y, words);
    if (strcmp(axis->noun, axis->axis->path) == 0)
        return;
    page_text(scene, "axis-path", FONT_BODY, ROLE_INK3, SCENE_START,
              x + type_width(FONT_HEAD, words) + 8, y, axis->axis->path);
}

void sweep_subtitle(const struct storm_sweep *sweep, const char *plain, double page_width,
                    char *buffer, size_t size) {
    const char *title = sweep->title != NULL ? sweep->title : "";
    bool is_sentence = title[0] != '\0' && strchr(".?!", title[strlen(title) - 1]) != NULL;
    assert(plain != NULL && size > 0);
    snprintf(buffer, size, "%.200s%s%s", title, title[0] == '\0' || is_sentence ? "" : ".",
             title[0] == '\0' ? "" : " ");
    size_t used = strlen(buffer);
    words_append(buffer, size, "%s", plain);
    if (used > 0 && type_width(FONT_SUBTITLE, buffer) > page_width - 2 * LAYOUT_MARGIN)
        buffer[used - 1] = '\n';
}

static void append_shape(const struct storm_sweep *sweep, char *buffer, size_t size) {
    bool is_grid = true;
    for (uint32_t i = 0; i < sweep->axis_count; i++)
        is_grid = is_grid && sweep->axes[i].value_count > 0;
    words_append(buffer, size, " · ");
    for (uint32_t i = 0; is_grid && i < sweep->axis_count; i++)
        words_append(buffer, size, "%s%" PRIu32, i > 0 ? WORDS_TIMES : "",
                     sweep->axes[i].value_count);
    if (is_grid)
        words_append(buffer, size, " points");
    else
        words_append(buffer, size, "%" PRIu32 " scattered points", sweep->point_count);
}

/* What the command line changed: "--variant a --set b.c=1". */
static void write_changes(const struct storm_sweep *sweep, char *buffer, size_t size) {
    buffer[0] = '\0';
    if (sweep->variant != NULL)
        words_append(buffer, size, "--variant %.80s", sweep->variant);
    if (sweep->overrides != NULL && sweep->overrides[0] != '\0')
        words_append(buffer, size, "%s--set %.380s", buffer[0] != '\0' ? " " : "",
                     sweep->overrides);
}

static void write_runs(const struct storm_sweep *sweep, char *buffer, size_t size) {
    uint64_t done = 0, wanted = (uint64_t)sweep->point_count * sweep->runs;
    char number[WORDS_MAX];
    buffer[0] = '\0';
    for (uint32_t i = 0; i < sweep->point_count; i++)
        done += sweep->points[i].runs;
    if (!sweep->complete)
        words_append(buffer, size, " · incomplete: %s of",
                     words_number((double)done, 0, number, sizeof number));
    else
        words_append(buffer, size, " ·");
    words_append(buffer, size, " %s run%s, seed %" PRIu64,
                 words_number((double)wanted, 0, number, sizeof number), wanted == 1 ? "" : "s",
                 sweep->seed);
    append_shape(sweep, buffer, size);
}

/* What the command line changed gives way to the rest. */
void sweep_draw_footer(struct scene *scene, const struct storm_sweep *sweep) {
    char text[2 * TYPE_TEXT_MAX], changes[TYPE_TEXT_MAX], cut[TYPE_TEXT_MAX], runs[TYPE_TEXT_MAX];
    double room = page_footer_room(scene->width, sweep->hash);
    snprintf(text, sizeof text, "%.120s", sweep->file != NULL ? sweep->file : "scenario");
    write_changes(sweep, changes, sizeof changes);
    write_runs(sweep, runs, sizeof runs);
    if (changes[0] != '\0') {
        words_append(text, sizeof text, " · ");
        room -= type_width(FONT_FOOTER, text) + type_width(FONT_FOOTER, runs);
        type_fit(FONT_FOOTER, changes, fmax(room, CHANGES_LEAST), cut, sizeof cut);
        words_append(text, sizeof text, "%s", cut);
    }
    words_append(text, sizeof text, "%s", runs);
    page_draw_footer(scene, text, sweep->hash);
}
