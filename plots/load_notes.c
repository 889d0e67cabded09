/* load_notes.c: the labels in one panel of "load over time". */
/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A label stands near what it speaks of, off the data where that is possible; without any free
   place it is left out, never laid over another one. */

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

#include "plots/curves.h"
#include "plots/finding.h"
#include "plots/layout.h"
#include "plots/load.h"
#include "plots/note.h"
#include "plots/place.h"
#include "plots/scene.h"
#include "plots/theme.h"
#include "plots/ticks.h"
#include "plots/type.h"
#include "plots/words.h"

/* The busiest second and the tallest bin may differ by this share and bear one name. */
#define PEAK_SLACK 0.05

/* The word at the top of a fault's band: inside where it fits, else beside it. Equal faults are
   named once. */
static void name_bands(struct load_panel *panel) {
    const struct storm_variant *variant = panel->variant;
    assert(variant != NULL);
    for (uint32_t i = 0; i < variant->span_count; i++) {
        const struct storm_span *span = &variant->spans[i];
        bool is_named = !load_shows_span(panel->load, variant, span);
        for (uint32_t j = 0; j < i && !is_named; j++)
            is_named = load_shows_span(panel->load, variant, &variant->spans[j]) &&
                       strcmp(variant->spans[j].label, span->label) == 0 &&
                       strcmp(variant->spans[j].subject, span->subject) == 0;
        if (is_named)
            continue;
        char words[FINDING_TEXT_MAX], label[TYPE_TEXT_MAX];
        load_span_words(panel->load, span, words, sizeof words);
        type_fit(FONT_BAND, words, 220, label, sizeof label);
        double from = load_x(panel, span->from), to = load_x(panel, span->to);
        struct note note = {"band-label", FONT_BAND, ROLE_BAND_TEXT, label, ""};
        double y = panel->plot.y0 + NOTE_LINE_DROP;
        bool fits = type_width(FONT_BAND, label) + 8 <= to - from;
        double middle = (from + to) / 2;
        bool is_put =
            (fits &&
             (note_put(panel, &note, SCENE_MIDDLE, middle, y, 0, PLACE_OFF_DATA) ||
              note_put(panel, &note, SCENE_END, to - 4, y, 0, PLACE_OFF_DATA) ||
              note_put(panel, &note, SCENE_START, from + 4, y, 0, PLACE_OFF_DATA) ||
              note_put(panel, &note, SCENE_MIDDLE, middle, y, NOTE_REACH, PLACE_OFF_DATA))) ||
            note_put(panel, &note, SCENE_START, to + 5, y, NOTE_REACH, PLACE_OFF_DATA) ||
            note_put(panel, &note, SCENE_END, from - 5, y, NOTE_REACH, PLACE_OFF_DATA) ||
            (fits && note_put(panel, &note, SCENE_MIDDLE, middle, y, NOTE_REACH, PLACE_ON_DATA)) ||
            note_put(panel, &note, SCENE_START, to + 8, y, NOTE_REACH, PLACE_ON_DATA);
        if (!is_put)
            note_put_somewhere(panel, &note, SCENE_START, to + 8, y);
    }
}

/* Puts the note above (or below) the line of capacity where that is at its height all along. */
static bool put_on_capacity(struct load_panel *panel, const struct note *note,
                            enum scene_anchor anchor, double x, double y,
                            enum place_ground ground) {
    const struct curves *curves = panel->curves;
    struct scene_box box = note_box(note, anchor, x, y);
    for (uint32_t bin = 0; bin < panel->load->results->bin_count; bin++) {
        bool is_over = load_x(panel, load_bin_start(panel->load, bin)) < box.x1 &&
                       load_x(panel, load_bin_start(panel->load, bin + 1)) > box.x0;
        if (is_over && !(curves->capacity[bin] >= (1 - 1e-6) * curves->nominal))
            return false;
    }
    return note_put(panel, note, anchor, x, y, 0, ground);
}

/* "capacity 100/s", or in a narrow panel "100/s": in the first panel, and again where it is
   another. */
static void name_capacity(struct load_panel *panel) {
    const struct load *load = panel->load;
    const struct curves *curves = panel->curves;
    char number[WORDS_MAX], label[FINDING_TEXT_MAX];
    bool is_drawn =
        load->has_capacity && curves->capacity != NULL && curves->nominal <= ticks_top(&load->left);
    if (!is_drawn || (panel->index > 0 && load_same_capacity(load, panel->index)))
        return;
    assert(curves->nominal >= 0);
    words_figure(curves->nominal, number, sizeof number);
    double y = load_y(panel, curves->nominal), left = panel->plot.x0 + 8;
    double after = load_x(panel, load_trouble_end(load, panel->variant)) + 8;
    double right = panel->plot.x1 - 10;
    for (int i = 0; i < 3; i++) {
        enum place_ground ground = i == 2 ? PLACE_ON_DATA : PLACE_OFF_DATA;
        snprintf(label, sizeof label, "%s%s/s", i == 1 ? "" : "capacity ", number);
        struct note note = {"capacity-label", FONT_TICK, ROLE_INK, label, ""};
        if (put_on_capacity(panel, &note, SCENE_START, left, y - 7, ground) ||
            put_on_capacity(panel, &note, SCENE_START, after, y - 7, ground) ||
            put_on_capacity(panel, &note, SCENE_END, right, y - 7, ground) ||
            put_on_capacity(panel, &note, SCENE_START, left, y + 16, ground))
            return;
    }
}

/* The value at the end of the right axis' line. A panel without losses says so where others have
   some. */
static void name_dead_end(struct load_panel *panel) {
    char number[WORDS_MAX], label[FINDING_TEXT_MAX];
    if (!panel->load->has_right)
        return;
    double dead = panel->curves->dead_end, top = ticks_top(&panel->load->right);
    assert(dead >= 0 && dead <= top);
    snprintf(label, sizeof label, "%s dead letter%s",
             dead > 0 ? words_number(dead, 0, number, sizeof number) : "no",
             floor(dead + 0.5) == 1 ? "" : "s");
    struct note note = {"dead-label", FONT_END, ROLE_INK, label, ""};
    if (dead <= 0) { /* no line to name: a remark */
        note.font = FONT_BODY;
        note.role = ROLE_INK2;
    }
    double x = panel->plot.x1 - 10, y = load_right_y(panel, dead);
    /* Near the end with words, then without ("9,106"), then further off, then on the data. */
    for (int i = 0; i < 4; i++) {
        enum place_ground ground = i == 3 ? PLACE_ON_DATA : PLACE_OFF_DATA;
        double reach = i < 2 ? 24 : 2 * NOTE_REACH;
        note.head = i == 1 && dead > 0 ? number : label;
        if (note_put(panel, &note, SCENE_END, x, y - 10, reach, ground) ||
            note_put(panel, &note, SCENE_END, x, y + 18, reach, ground) ||
            (i >= 2 && note_put(panel, &note, SCENE_END, x - 40, y - 4, reach, ground)))
            return;
    }
    note_put_somewhere(panel, &note, SCENE_END, x, y - 10);
}

/* "4.9 × capacity", where that is known and the load goes beyond it. */
static void compare_peak(const struct load_panel *panel, bool is_brief, char *body, size_t size) {
    const struct curves *curves = panel->curves;
    char number[WORDS_MAX];
    bool is_beyond = curves->total[curves->peak_bin] > ticks_top(&panel->load->left) && !is_brief;
    assert(size > 0);
    body[0] = '\0';
    if (isfinite(curves->peak_factor) && curves->peak_factor >= 1.05)
        snprintf(body, size, "%s" WORDS_TIMES "capacity%s",
                 words_factor(curves->peak_factor, number, sizeof number),
                 is_beyond ? ", off the scale" : "");
    else if (is_beyond)
        snprintf(body, size, "off the scale");
}

/* Beside the peak or over it. */
static bool put_peak(struct load_panel *panel, const struct note *note, enum place_ground ground) {
    const struct load *load = panel->load;
    uint32_t bin = panel->curves->peak_bin;
    double left = load_x(panel, load_bin_start(load, bin));
    double right = load_x(panel, load_bin_start(load, bin + 1));
    double y = load_y(panel, panel->curves->total[bin]) + 9;
    double half = fmax(type_width(FONT_HEAD, note->head), type_width(FONT_BODY, note->body)) / 2;
    double least = panel->plot.x0 + half + 1, most = panel->plot.x1 - half - 1;
    assert(left < right);
    return note_put(panel, note, SCENE_END, left - 7, y, NOTE_REACH, ground) ||
           note_put(panel, note, SCENE_START, right + 7, y, NOTE_REACH, ground) ||
           note_put(panel, note, SCENE_MIDDLE, fmin(fmax((left + right) / 2, least), most), y - 28,
                    NOTE_REACH, ground);
}

/* "peak 500/s", or "busiest second 500/s" where bins are so short or so long that the tallest one
   shows another number. */
static void say_peak(const struct curves *curves, char *buffer, size_t size) {
    double tallest = curves->total[curves->peak_bin];
    char number[WORDS_MAX];
    assert(size > 0);
    bool is_alike = fabs(curves->peak - tallest) <= PEAK_SLACK * tallest;
    snprintf(buffer, size, "%s %s/s", is_alike ? "peak" : "busiest second",
             words_figure(curves->peak, number, sizeof number));
}

static void name_peak(struct load_panel *panel) {
    const struct curves *curves = panel->curves;
    uint32_t bins = panel->load->results->bin_count;
    double tallest = curves->total[curves->peak_bin], sum = 0;
    char head[FINDING_TEXT_MAX], body[FINDING_TEXT_MAX], line[2 * FINDING_TEXT_MAX + 2];
    for (uint32_t bin = 0; bin < bins; bin++)
        sum += curves->total[bin];
    if (tallest * bins < 1.5 * sum || tallest <= 0)
        return; /* a level load has no peak worth a word */
    say_peak(curves, head, sizeof head);
    struct note note = {"peak", FONT_HEAD, ROLE_RETRY_TEXT, head, body};
    if (curves->first[curves->peak_bin] == tallest)
        note.role = ROLE_INK2; /* no retry is to blame */
    compare_peak(panel, false, body, sizeof body);
    bool is_put = put_peak(panel, &note, PLACE_OFF_DATA);
    compare_peak(panel, true, body, sizeof body);
    if (is_put || put_peak(panel, &note, PLACE_OFF_DATA))
        return;
    snprintf(line, sizeof line, "%s%s%s", head, body[0] != '\0' ? ", " : "", body);
    struct note flat = {note.part, note.font, note.role, line, ""};
    if (!put_peak(panel, &flat, PLACE_OFF_DATA) && !put_peak(panel, &note, PLACE_ON_DATA))
        note_put_somewhere(panel, &note, SCENE_END,
                           load_x(panel, load_bin_start(panel->load, curves->peak_bin)) - 8,
                           load_y(panel, tallest) + NOTE_LINE_DROP);
}

/* How many runs ended as the ghost did, which is the other way than the run that is drawn. */
static void name_ghost(struct load_panel *panel) {
    const struct storm_variant *variant = panel->variant;
    const struct storm_results *results = panel->load->results;
    char label[FINDING_TEXT_MAX];
    if (!panel->has_ghost || variant->verdict_per_run == NULL || variant->runs_done == 0)
        return;
    bool is_good = storm_verdict_is_good(variant->verdict_per_run[variant->ghost_run]);
    uint32_t good = storm_variant_good_runs(variant), runs = variant->runs_done;
    assert(good <= runs);
    snprintf(label, sizeof label, "%" PRIu32 " of %" PRIu32 " runs end up here",
             is_good ? good : runs - good, runs);
    struct note note = {"ghost-label", FONT_HEAD, ROLE_RETRY_TEXT, label, ""};
    double right = panel->plot.x1 - 10, left = right - type_width(FONT_HEAD, label);
    double high = panel->plot.y1, low = panel->plot.y0;
    for (uint32_t bin = 0; bin < results->bin_count; bin++) {
        double x = load_x(panel, load_bin_start(panel->load, bin));
        double y = load_y(panel, panel->curves->ghost[bin]);
        if (x >= left && x <= right) {
            high = fmin(high, y);
            low = fmax(low, y);
        }
    }
    for (int i = 0; i <= 1; i++) {
        enum place_ground ground = i == 1 ? PLACE_ON_DATA : PLACE_OFF_DATA;
        if (note_put(panel, &note, SCENE_END, right, high - 9, NOTE_REACH, ground) ||
            note_put(panel, &note, SCENE_END, right, low + 17, NOTE_REACH, ground))
            return;
    }
    note_put_somewhere(panel, &note, SCENE_END, right, high - 9);
}

/* The drawn run's time to recover in seconds; NaN when it does not come back, or after no fault
   that is drawn. */
static double recovery_of(const struct load_panel *panel) {
    const struct storm_variant *variant = panel->variant;
    const struct storm_metric *metric = storm_variant_metric(variant, "time_to_recover");
    assert(panel->load != NULL);
    bool is_known = metric != NULL && metric->per_run != NULL && variant->runs_done > 0 &&
                    variant->verdict_per_run != NULL &&
                    variant->verdict_per_run[0] == STORM_VERDICT_RECOVERED;
    return is_known && load_trouble_end(panel->load, variant) > 0 ? metric->per_run[0]
                                                                  : (double)NAN;
}

/* When that is on the time axis; 0 when it never is, and when it comes at once. */
static storm_time recovery_time(const struct load_panel *panel) {
    double seconds = recovery_of(panel);
    assert(panel->load != NULL);
    if (!isfinite(seconds) || seconds < 1)
        return 0;
    storm_time end = load_trouble_end(panel->load, panel->variant);
    storm_time time = storm_time_add(end, storm_time_from_seconds(seconds));
    return time < panel->load->results->duration ? time : 0;
}

/* "after 92 s": where other runs took another time, of which the heading speaks, it says that it
   is this run's. */
static void say_recovery(const struct load_panel *panel, char *buffer, size_t size) {
    const struct storm_results *results = panel->load->results;
    double seconds = recovery_of(panel);
    double median = storm_variant_metric(panel->variant, "time_to_recover")->median;
    char number[WORDS_MAX];
    assert(seconds >= 0 && size > 0);
    bool is_usual = fabs(seconds - median) <= finding_slack(results, panel->variant);
    snprintf(buffer, size, "%safter %s", is_usual ? "" : "this run: ",
             words_duration(storm_time_from_seconds(seconds), number, sizeof number));
}

/* Puts the note beside a line that stands at x and ends at the note's top, as low as both are free;
   moves the line's upper end there. False: no free place. */
static bool put_flag(struct load_panel *panel, const struct note *note, enum scene_anchor anchor,
                     double x, struct scene_point *top) {
    double text_x = anchor == SCENE_START ? x + 7 : x - 7;
    assert(anchor != SCENE_MIDDLE && top != NULL);
    for (double y = panel->plot.y1 - 44; y > panel->plot.y0 + NOTE_LINE_DROP; y -= 2) {
        struct scene_box box = note_box(note, anchor, text_x, y);
        struct scene_box line = {x - 1, box.y0, x + 1, panel->plot.y1};
        bool is_clear = true; /* lines of data may cross it, labels may not */
        for (uint32_t i = 0; i < panel->place.box_count; i++)
            is_clear = is_clear && !scene_boxes_overlap(&line, &panel->place.boxes[i]);
        if (!is_clear || !place_is_free(&panel->place, &box, PLACE_OFF_DATA))
            continue;
        note_draw(panel, note, anchor, text_x, y, &box);
        top->y = box.y0;
        return true;
    }
    return false;
}

/* A thin line where the drawn run is back to normal, with a label. `ends` holds the line, whose
   upper end the label finds. */
static void mark_recovery(struct load_panel *panel, struct scene_point *ends) {
    char body[FINDING_TEXT_MAX];
    assert(ends != NULL);
    say_recovery(panel, body, sizeof body);
    struct note note = {"recovered", FONT_HEAD, ROLE_GOOD, "recovered", body};
    if (!put_flag(panel, &note, SCENE_START, ends[0].x, &ends[0]) &&
        !put_flag(panel, &note, SCENE_END, ends[0].x, &ends[0]))
        return;
    place_take_line(&panel->place, ends, 2);
    scene_add(panel->load->scene, &(struct scene_mark){.kind = SCENE_LINE,
                                                       .part = "recovery",
                                                       .role = ROLE_GOOD,
                                                       .points = ends,
                                                       .point_count = 2,
                                                       .stroke = 1});
}

/* The peak, the end of the dead letters and the recovery may stand near each other. The first two
   have their fixed places, but leave room for a low line of recovery, whose label then goes where
   there is still room. */
static void name_events(struct load_panel *panel) {
    storm_time time = recovery_time(panel);
    uint32_t lines = panel->place.line_count;
    struct scene_point *ends = time > 0 ? scene_points(panel->load->scene, 2) : NULL;
    if (ends != NULL) {
        double x = floor(load_x(panel, time)) + 0.5;
        assert(x <= panel->plot.x1 + 1);
        ends[0] = (struct scene_point){x, panel->plot.y1 - 0.3 * (panel->plot.y1 - panel->plot.y0)};
        ends[1] = (struct scene_point){x, panel->plot.y1};
        place_take_line(&panel->place, ends, 2);
    }
    name_peak(panel);
    name_dead_end(panel);
    panel->place.line_count = lines;
    if (ends != NULL)
        mark_recovery(panel, ends);
}

/* Why the drawn run does not come back, where there is room for it above the load. */
static void explain_stuck(struct load_panel *panel) {
    const struct storm_variant *variant = panel->variant;
    if (variant->runs_done == 0 || variant->verdict_per_run == NULL)
        return;
    bool is_stuck = variant->verdict_per_run[0] == STORM_VERDICT_STUCK;
    if (!is_stuck && variant->verdict_per_run[0] != STORM_VERDICT_DEGRADED)
        return;
    bool is_late = panel->curves->late_share >= 0.5;
    const char *body = is_late ? "answers come too late" : is_stuck ? "most requests fail" : "";
    struct note note = {"stuck", FONT_HEAD, ROLE_RETRY_TEXT, is_stuck ? "stuck" : "degraded", body};
    double end = load_x(panel, load_trouble_end(panel->load, variant));
    double width = fmax(type_width(FONT_HEAD, note.head), type_width(FONT_BODY, body));
    double room = panel->plot.x1 - end - width - 16;
    assert(width > 0);
    for (int i = 0; i <= 4 && room > 0; i++) {
        static const double order[] = {0.5, 0.3, 0.1, 0.7, 0.9};
        double x = end + 8 + order[i] * room, high = panel->plot.y1;
        for (uint32_t bin = 0; bin < panel->load->results->bin_count; bin++) {
            double at = load_x(panel, load_bin_start(panel->load, bin));
            if (at >= x - 8 && at <= x + width)
                high = fmin(high, load_y(panel, panel->curves->total[bin]));
        }
        if (note_put(panel, &note, SCENE_START, x, high - 8 - NOTE_LINE_DROP, NOTE_REACH,
                     PLACE_OFF_DATA))
            return;
    }
    double middle = (panel->plot.y0 + panel->plot.y1) / 2;
    note_put_somewhere(panel, &note, SCENE_START, end + 8 + fmax(room, 0) / 2, middle);
}

void load_draw_notes(struct load_panel *panel) {
    assert(panel != NULL && panel->load != NULL);
    assert(panel->place.box_count == 0);
    load_flag_actions(panel);
    name_bands(panel);
    name_events(panel);
    name_capacity(panel);
    name_ghost(panel);
    explain_stuck(panel);
}
