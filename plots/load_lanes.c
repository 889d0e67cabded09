/* load_lanes.c: the lanes below a panel of "load over time": queues, dead letters and their alarms,
   duplicates, what was held back. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <retrystorm/results.h>
#include <retrystorm/units.h>

#include "plots/finding.h"
#include "plots/lanes.h"
#include "plots/layout.h"
#include "plots/load.h"
#include "plots/note.h"
#include "plots/page.h"
#include "plots/place.h"
#include "plots/scene.h"
#include "plots/theme.h"
#include "plots/ticks.h"
#include "plots/type.h"
#include "plots/words.h"

/* What ends below this share of its height is where it came from. */
#define BACK_SHARE 0.05
#define HEADING_RISE 9.0 /* from a lane up to the baseline of its words */
#define SQUARE_KEY 10.0
#define LINE_KEY 18.0
#define KEY_GAP 6.0         /* from a key to its words */
#define KEY_STEP 16.0       /* from words to the next key */
#define FLAGS_TOGETHER 48.0 /* alarms no further apart share their words */
#define FLAG_ROOM 12.0      /* from an alarm to its words at the right */

/* ---- the frame ------------------------------------------------------------------------------- */

/* Gridlines, and their numbers at the first panel of a row. */
static void draw_grid(const struct load_panel *panel, const struct lane *lane) {
    struct load *load = panel->load;
    char label[WORDS_MAX + 3];
    for (int i = 0; i <= lane->ticks.intervals; i++) {
        double y = load_value_y(panel, &lane->ticks, i * lane->ticks.step), line = floor(y) + 0.5;
        struct scene_point ends[2] = {{panel->plot.x0, line}, {panel->plot.x1, line}};
        scene_add(load->scene, &(struct scene_mark){.kind = SCENE_LINE,
                                                    .part = "lane-grid",
                                                    .role = ROLE_GRID,
                                                    .points = ends,
                                                    .point_count = 2,
                                                    .stroke = 1});
        if (panel->index % load->layout.columns != 0)
            continue;
        ticks_label(&lane->ticks, i, label, sizeof label - 3);
        if (i == lane->ticks.intervals && lane->kind->is_rate)
            memcpy(label + strlen(label), "/s", 3);
        page_text(load->scene, "lane-tick", FONT_TICK, ROLE_INK3, SCENE_END, panel->plot.x0 - 10,
                  y + 4, label);
    }
}

/* A square of an area, a short line of a line. Returns its width. */
static double draw_key(const struct load_panel *panel, const struct lane_layer *layer, double x,
                       double y) {
    if (layer->stroke <= 0) {
        scene_add(panel->load->scene, &(struct scene_mark){.kind = SCENE_RECT,
                                                           .part = "lane-key",
                                                           .role = layer->role,
                                                           .x = x,
                                                           .y = y - 9,
                                                           .width = SQUARE_KEY,
                                                           .height = SQUARE_KEY,
                                                           .radius = 2});
        return SQUARE_KEY;
    }
    struct scene_point ends[2] = {{x, y - 4}, {x + LINE_KEY, y - 4}};
    scene_add(panel->load->scene, &(struct scene_mark){.kind = SCENE_LINE,
                                                       .part = "lane-key",
                                                       .role = layer->role,
                                                       .points = ends,
                                                       .point_count = 2,
                                                       .stroke = layer->stroke});
    return LINE_KEY;
}

static bool shows_alarm(const struct load *load, const struct lane *lane,
                        const struct storm_alarm *alarm) {
    bool is_within = alarm->first_letter >= 0 && alarm->raised >= alarm->first_letter &&
                     alarm->raised < load->results->duration;
    return lane->kind->has_alarms && is_within &&
           (lane->subject == NULL || strcmp(lane->subject, alarm->queue) == 0);
}

static uint32_t count_alarms(const struct load *load, uint32_t index, const struct lane *lane) {
    const struct storm_variant *variant = &load->results->variants[index];
    uint32_t count = 0;
    for (uint32_t i = 0; i < variant->alarm_count; i++)
        count += shows_alarm(load, lane, &variant->alarms[i]);
    return count;
}

char *load_lane_words(const struct load *load, uint32_t index, const struct lane *lane,
                      bool is_brief, char *buffer, size_t size) {
    double most = lane->panels[index].most, end = lane->panels[index].end;
    const char *unit = lane->kind->is_rate ? "/s" : "";
    char high[WORDS_MAX] = "none", last[WORDS_MAX] = "none", alarms[WORDS_MAX] = "";
    uint32_t count = count_alarms(load, index, lane);
    bool falls = lane->kind->says == LANE_SAYS_BOTH && end < most;
    assert(most >= end && end >= 0);
    if (most > 0)
        words_figure(most, high, sizeof high);
    if (end > 0)
        words_figure(end, last, sizeof last);
    if (count > 0)
        snprintf(alarms, sizeof alarms, ", %" PRIu32 " alarm%s", count, count == 1 ? "" : "s");
    if (most <= 0)
        snprintf(buffer, size, "none");
    else if (lane->kind->says == LANE_SAYS_MOST || (falls && is_brief))
        snprintf(buffer, size, "%s%s at most%s", high, unit, alarms);
    else if (falls && end > 0 && end < BACK_SHARE * most)
        snprintf(buffer, size, "%s at most, back to %s%s", high, last, alarms);
    else if (falls)
        snprintf(buffer, size, "%s at most, %s at the end%s", high, last, alarms);
    else
        snprintf(buffer, size, "%s at the end%s", last, alarms);
    return buffer;
}

/* With a halo, since lines of actions pass. */
static void write_words(const struct load_panel *panel, const char *part, enum scene_anchor anchor,
                        double x, double y, const char *text) {
    scene_add(panel->load->scene, &(struct scene_mark){.kind = SCENE_TEXT,
                                                       .part = part,
                                                       .font = FONT_BODY,
                                                       .role = ROLE_INK2,
                                                       .anchor = anchor,
                                                       .x = x,
                                                       .y = y,
                                                       .text = text,
                                                       .halo = 4,
                                                       .halo_role = ROLE_BACKGROUND});
}

/* The words of a layer; whose it is stands after the last one. */
static void say_layer(const struct lane *lane, int layer, char *buffer, size_t size) {
    bool is_last = layer + 1 == LANE_LAYERS_MAX || lane->kind->layers[layer + 1].series == NULL;
    snprintf(buffer, size, "%s%s", lane->kind->layers[layer].words, is_last ? lane->whose : "");
}

/* What the lane shows, from the left, and what it comes to, from the right; that gives way. */
static void draw_heading(const struct load_panel *panel, const struct lane *lane) {
    char values[LANE_WORDS_MAX], words[TYPE_TEXT_MAX], cut[TYPE_TEXT_MAX];
    double x = panel->plot.x0, y = panel->plot.y0 - HEADING_RISE, width = 0;
    for (int i = 0; i < LANE_LAYERS_MAX && lane->kind->layers[i].series != NULL; i++) {
        say_layer(lane, i, words, sizeof words);
        width += LINE_KEY + KEY_GAP + type_width(FONT_BODY, words) + KEY_STEP;
    }
    load_lane_words(panel->load, panel->index, lane, false, values, sizeof values);
    if (x + width + type_width(FONT_BODY, values) > panel->plot.x1)
        load_lane_words(panel->load, panel->index, lane, true, values, sizeof values);
    write_words(panel, "lane-values", SCENE_END, panel->plot.x1, y, values);
    double end = panel->plot.x1 - type_width(FONT_BODY, values) - KEY_STEP;
    for (int i = 0; i < LANE_LAYERS_MAX && lane->kind->layers[i].series != NULL; i++) {
        say_layer(lane, i, words, sizeof words);
        x += draw_key(panel, &lane->kind->layers[i], x, y) + KEY_GAP;
        type_fit(FONT_BODY, words, fmax(end - x, 0), cut, sizeof cut);
        write_words(panel, "lane-words", SCENE_START, x, y, cut);
        x += type_width(FONT_BODY, cut) + KEY_STEP;
    }
}

/* ---- the curves ------------------------------------------------------------------------------ */

/* From the top of the layer below, or the lane's foot, to its own. */
static void draw_area(const struct load_panel *panel, const struct lane *lane, int layer) {
    uint32_t bins = panel->load->results->bin_count;
    struct scene_point *shape = scene_points(panel->load->scene, 4 * bins + 2);
    struct scene_point *lower = scene_points(panel->load->scene, 2 * bins);
    const double *const *tops = lane->panels[panel->index].tops;
    if (shape == NULL || lower == NULL)
        return;
    uint32_t count = load_steps(panel, &lane->ticks, tops[layer], shape);
    if (layer == 0) {
        shape[count++] = (struct scene_point){panel->plot.x1, panel->plot.y1};
        shape[count++] = (struct scene_point){panel->plot.x0, panel->plot.y1};
    } else {
        uint32_t back = load_steps(panel, &lane->ticks, tops[layer - 1], lower);
        while (back > 0)
            shape[count++] = lower[--back];
    }
    assert(count <= 4 * bins + 2);
    load_add_area(panel, lane->kind->part, lane->kind->layers[layer].role, shape, count);
}

/* From the first bin on that shows something: a line along zero would only thicken the base. */
static void draw_line(struct load_panel *panel, const struct lane *lane, int layer) {
    const struct lane_layer *look = &lane->kind->layers[layer];
    uint32_t bins = panel->load->results->bin_count;
    struct scene_point *points = scene_points(panel->load->scene, 2 * bins);
    if (points == NULL || lane->panels[panel->index].most <= 0)
        return;
    uint32_t count =
        load_steps(panel, &lane->ticks, lane->panels[panel->index].tops[layer], points);
    if (points[0].y == panel->plot.y1) {
        points++;
        count--;
    }
    assert(count >= 2);
    load_add_line(panel,
                  &(struct scene_mark){.kind = SCENE_LINE,
                                       .part = lane->kind->part,
                                       .role = look->role,
                                       .points = points,
                                       .point_count = count,
                                       .stroke = look->stroke},
                  look->stroke + 2);
    scene_add(panel->load->scene, &(struct scene_mark){.kind = SCENE_CIRCLE,
                                                       .part = "lane-end",
                                                       .role = look->role,
                                                       .x = panel->plot.x1,
                                                       .y = points[count - 1].y,
                                                       .radius = 2.8});
}

/* ---- alarms ---------------------------------------------------------------------------------- */

/* A flag at the alarm, a dot at the first letter. */
static void draw_alarm(struct load_panel *panel, const struct storm_alarm *alarm) {
    double first = load_x(panel, alarm->first_letter),
           at = floor(load_x(panel, alarm->raised)) + 0.5;
    double top = panel->plot.y0, foot = panel->plot.y1;
    struct scene_point *ends = scene_points(panel->load->scene, 2);
    if (ends == NULL)
        return;
    ends[0] = (struct scene_point){at, top};
    ends[1] = (struct scene_point){at, foot};
    load_add_line(panel,
                  &(struct scene_mark){.kind = SCENE_LINE,
                                       .part = "alarm-line",
                                       .role = ROLE_BAD,
                                       .points = ends,
                                       .point_count = 2,
                                       .stroke = 1},
                  3);
    struct scene_point flag[3] = {{at, top - 1}, {at + 8, top + 3}, {at, top + 7}};
    load_add_area(panel, "alarm", ROLE_BAD, flag, 3);
    scene_add(panel->load->scene, &(struct scene_mark){.kind = SCENE_CIRCLE,
                                                       .part = "first-letter",
                                                       .role = ROLE_BAD,
                                                       .x = first,
                                                       .y = foot,
                                                       .radius = 2.8});
}

/* Appends " · piece", or just the piece at the beginning; what does not fit is cut. */
static void join(char *buffer, size_t size, const char *piece) {
    size_t used = strlen(buffer);
    assert(used < size);
    snprintf(buffer + used, size - used, "%s%.80s", used > 0 ? " · " : "", piece);
}

/* Alarms whose flags are close together share their words: the rules, and how long after the first
   letter each went off. */
struct alarm_words {
    uint32_t count;
    double left, right; /* their flags */
    const char *rule;   /* of the first */
    char rules[TYPE_TEXT_MAX], times[TYPE_TEXT_MAX];
};

static void add_alarm(const struct load_panel *panel, struct alarm_words *words,
                      const struct storm_alarm *alarm) {
    char number[WORDS_MAX];
    storm_time took = alarm->raised - alarm->first_letter;
    assert(took >= 0);
    words->right = load_x(panel, alarm->raised);
    if (words->count++ == 0) {
        words->left = words->right;
        words->rule = alarm->rule;
    }
    join(words->rules, sizeof words->rules, alarm->rule);
    join(words->times, sizeof words->times,
         took > 0 ? words_duration(took, number, sizeof number) : "at once");
}

static bool put_alarms(struct load_panel *panel, const struct alarm_words *words, const char *head,
                       const char *body) {
    struct note note = {"alarm-label", FONT_HEAD, ROLE_BAD, head, body};
    double y = panel->plot.y0 + NOTE_LINE_DROP;
    return note_put(panel, &note, SCENE_START, words->right + FLAG_ROOM, y, NOTE_REACH,
                    PLACE_OFF_DATA) ||
           note_put(panel, &note, SCENE_END, words->left - 7, y, NOTE_REACH, PLACE_OFF_DATA);
}

/* Beside the flags: rules over times; on one line, or the first rule for all; the times alone; else
   nothing. */
static void name_alarms(struct load_panel *panel, const struct alarm_words *words) {
    char body[TYPE_TEXT_MAX + 32], line[2 * TYPE_TEXT_MAX + 16], brief[TYPE_TEXT_MAX];
    bool is_at_once = strcmp(words->times, "at once") == 0;
    if (words->count == 0)
        return;
    snprintf(body, sizeof body, "%s%s", words->times, is_at_once ? "" : " after the first letter");
    snprintf(line, sizeof line, "%s, %s%s", words->rules, is_at_once ? "" : "after ", words->times);
    snprintf(brief, sizeof brief, "%.60s + %" PRIu32 " more", words->rule, words->count - 1);
    bool is_put = put_alarms(panel, words, words->rules, body) ||
                  (words->count == 1 ? put_alarms(panel, words, line, "")
                                     : put_alarms(panel, words, brief, words->times));
    if (!is_put)
        put_alarms(panel, words, words->times, "");
}

/* Flags first, for they stand where they stand. */
static void draw_alarms(struct load_panel *panel, const struct lane *lane) {
    const struct storm_variant *variant = panel->variant;
    struct alarm_words words = {0};
    for (uint32_t i = 0; i < variant->alarm_count; i++)
        if (shows_alarm(panel->load, lane, &variant->alarms[i]))
            draw_alarm(panel, &variant->alarms[i]);
    for (uint32_t i = 0; i < variant->alarm_count; i++) {
        if (!shows_alarm(panel->load, lane, &variant->alarms[i]))
            continue;
        if (load_x(panel, variant->alarms[i].raised) > words.right + FLAGS_TOGETHER) {
            name_alarms(panel, &words);
            words = (struct alarm_words){0};
        }
        add_alarm(panel, &words, &variant->alarms[i]);
    }
    name_alarms(panel, &words);
}

/* ---- the whole ------------------------------------------------------------------------------- */

void load_draw_lanes(const struct load_panel *panel) {
    for (uint32_t i = 0; i < panel->load->lane_count; i++) {
        const struct lane *lane = &panel->load->lanes[i];
        struct load_panel own = *panel;
        own.plot = layout_lane(&panel->load->layout, panel->index, i);
        own.place = (struct place){.area = own.plot};
        load_draw_bands(&own);
        draw_grid(&own, lane);
        for (int j = 0; j < LANE_LAYERS_MAX && lane->kind->layers[j].series != NULL; j++)
            if (lane->kind->layers[j].stroke > 0)
                draw_line(&own, lane, j);
            else
                draw_area(&own, lane, j);
        load_draw_actions(&own, own.plot.y0 - LAYOUT_LANE_GAP);
        draw_heading(&own, lane);
        draw_alarms(&own, lane);
    }
}
