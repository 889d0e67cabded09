/* load_actions.c: what operators did, as flags over a panel of "load over time". */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <retrystorm/results.h>

#include "plots/finding.h"
#include "plots/layout.h"
#include "plots/load.h"
#include "plots/note.h"
#include "plots/place.h"
#include "plots/scene.h"
#include "plots/theme.h"
#include "plots/type.h"

#define FLAG_SIZE 7.0
#define WORDS_WIDTH 220.0

static void draw_line(const struct load_panel *panel, double x, double top) {
    struct scene_point ends[2] = {{x, top}, {x, panel->plot.y1}};
    struct scene_mark line = {.kind = SCENE_LINE,
                              .part = "halo",
                              .role = ROLE_BACKGROUND,
                              .points = ends,
                              .point_count = 2,
                              .stroke = 2.5,
                              .opacity = 0.75};
    scene_add(panel->load->scene, &line);
    line.part = "action";
    line.role = ROLE_INK2;
    line.stroke = 1;
    line.dash = 1.5;
    line.gap = 2.5;
    line.opacity = 1;
    scene_add(panel->load->scene, &line);
}

void load_draw_actions(const struct load_panel *panel, double top) {
    for (uint32_t i = 0; i < panel->variant->span_count; i++)
        if (load_shows_action(panel->load, &panel->variant->spans[i]))
            draw_line(panel, floor(load_x(panel, panel->variant->spans[i].from)) + 0.5, top);
}

/* A flag at the plot's top, and a bar as long as the action lasts. */
static void draw_flag(const struct load_panel *panel, const struct storm_span *span) {
    double from = floor(load_x(panel, span->from)) + 0.5, to = load_x(panel, span->to);
    double top = panel->plot.y0;
    struct scene_point flag[3] = {
        {from, top}, {from + FLAG_SIZE, top + FLAG_SIZE / 2}, {from, top + FLAG_SIZE}};
    load_add_area(panel, "action-flag", ROLE_INK2, flag, 3);
    if (to > from + FLAG_SIZE)
        scene_add(panel->load->scene, &(struct scene_mark){.kind = SCENE_RECT,
                                                           .part = "action-bar",
                                                           .role = ROLE_INK2,
                                                           .x = from,
                                                           .y = top,
                                                           .width = to - from,
                                                           .height = 2});
}

char *load_action_words(const struct storm_span *span, char *buffer, size_t size) {
    assert(span->kind == STORM_SPAN_ACTION && size >= FINDING_TEXT_MAX);
    snprintf(buffer, size, "%.48s%s%.40s", span->label, span->subject[0] != '\0' ? " · " : "",
             span->subject);
    return buffer;
}

/* Near the flag, in rows from the top down, off the data. */
static bool put_flag_words(struct load_panel *panel, const struct note *note, double x, double y) {
    for (double reach = 0; reach <= 2 * NOTE_REACH; reach += NOTE_REACH)
        if (note_put(panel, note, SCENE_START, x + 11, y, reach, PLACE_OFF_DATA) ||
            note_put(panel, note, SCENE_END, x - 6, y, reach, PLACE_OFF_DATA))
            return true;
    return false;
}

/* The words may cross the lines of others; where there is no room for all of them, they do not say
   whom it concerns; where they find no place near their flag, that stays alone. */
static void name_flag(struct load_panel *panel, const struct storm_span *span) {
    char words[FINDING_TEXT_MAX], label[TYPE_TEXT_MAX], brief[TYPE_TEXT_MAX];
    type_fit(FONT_BAND, load_action_words(span, words, sizeof words), WORDS_WIDTH, label,
             sizeof label);
    type_fit(FONT_BAND, span->label, WORDS_WIDTH, brief, sizeof brief);
    struct note note = {"action-label", FONT_BAND, ROLE_INK2, label, ""};
    struct note less = {"action-label", FONT_BAND, ROLE_INK2, brief, ""};
    double x = load_x(panel, span->from), y = panel->plot.y0 + NOTE_LINE_DROP;
    if (put_flag_words(panel, &note, x, y) || put_flag_words(panel, &less, x, y))
        return;
    if (!note_put(panel, &note, SCENE_START, x + 11, y, NOTE_REACH, PLACE_ON_DATA))
        note_put(panel, &note, SCENE_END, x - 6, y, NOTE_REACH, PLACE_ON_DATA);
}

/* The first action after `last`, which is NULL at the beginning: by time, then by number. */
static const struct storm_span *next_action(const struct load_panel *panel,
                                            const struct storm_span *last) {
    const struct storm_span *next = NULL;
    for (uint32_t i = 0; i < panel->variant->span_count; i++) {
        const struct storm_span *span = &panel->variant->spans[i];
        bool is_later =
            last == NULL || span->from > last->from || (span->from == last->from && span > last);
        if (load_shows_action(panel->load, span) && is_later &&
            (next == NULL || span->from < next->from))
            next = span;
    }
    return next;
}

void load_flag_actions(struct load_panel *panel) {
    const struct storm_span *span = NULL;
    while ((span = next_action(panel, span)) != NULL) {
        draw_flag(panel, span);
        name_flag(panel, span);
    }
}
