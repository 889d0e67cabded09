/* load_page.c: what stands around the panels of "load over time": title, subtitle, legend,
   footer. */
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

#include "plots/curves.h"
#include "plots/finding.h"
#include "plots/layout.h"
#include "plots/legend.h"
#include "plots/load.h"
#include "plots/page.h"
#include "plots/scene.h"
#include "plots/theme.h"
#include "plots/ticks.h"
#include "plots/type.h"
#include "plots/words.h"

#define CHANGES_SHARE 0.4 /* of the footer's room, for what the command line changed */
#define GAP_LEAST 14.0    /* between a word of the legend and the next key */

enum { OWN_WORDS_MAX = 200, CHANGES_MAX = 60 };

/* What arrives before the trouble begins in one variant; NaN when unknown. */
static double demand_of(const struct load *load, uint32_t index) {
    const struct storm_variant *variant = &load->results->variants[index];
    storm_time start = load->results->duration;
    for (uint32_t i = 0; i < variant->span_count; i++)
        if (load_shows_span(load, variant, &variant->spans[i]) && variant->spans[i].from < start)
            start = variant->spans[i].from;
    double sum = 0, most = 0;
    uint32_t bins = 0;
    for (; bins < load->results->bin_count && load_bin_start(load, bins + 1) <= start; bins++) {
        double first = load->curves[index].first[bins];
        sum += first;
        most = first > most ? first : most;
    }
    bool is_herd = most > sum / 2; /* who come at once are no demand */
    return bins < 5 || sum <= 0 || is_herd ? (double)NAN : sum / bins;
}

/* The demand that all variants share; NaN when they differ by more than a twentieth, or it is
   unknown. */
static double demand(const struct load *load) {
    double first = demand_of(load, 0);
    assert(load->results->variant_count > 0);
    for (uint32_t i = 1; i < load->results->variant_count; i++)
        if (!(fabs(demand_of(load, i) - first) <= first / 20))
            return (double)NAN;
    return first;
}

/* Whether each variant has a fault that is drawn: else those of the first are its own affair. */
static bool all_have_faults(const struct load *load) {
    for (uint32_t i = 0; i < load->results->variant_count; i++) {
        const struct storm_variant *variant = &load->results->variants[i];
        bool any = false;
        for (uint32_t j = 0; j < variant->span_count; j++)
            any = any || load_shows_span(load, variant, &variant->spans[j]);
        if (!any)
            return false;
    }
    return true;
}

/* "; outage from 60 s to 80 s" of the drawn faults; from the third on their number. */
static void append_faults(const struct load *load, bool follows, char *buffer, size_t size) {
    const struct storm_variant *variant = &load->results->variants[0];
    char words[FINDING_TEXT_MAX], from[WORDS_MAX], to[WORDS_MAX];
    uint32_t shown = 0;
    size_t start = strlen(buffer) + 1; /* after the blank */
    assert(start < size);
    if (!all_have_faults(load)) {
        words_append(buffer, size, "%s", follows ? "." : "");
        return;
    }
    for (uint32_t i = 0; i < variant->span_count; i++) {
        const struct storm_span *span = &variant->spans[i];
        if (!load_shows_span(load, variant, span))
            continue;
        if (shown++ >= 2)
            continue;
        words_append(buffer, size, "%s%s from %s to %s",
                     shown == 2 ? ", "
                     : follows  ? "; "
                                : " ",
                     load_span_words(load, span, words, sizeof words),
                     words_duration(span->from, from, sizeof from),
                     span->to >= load->results->duration ? "the end"
                                                         : words_duration(span->to, to, sizeof to));
    }
    bool is_word = strchr(buffer + start - 1, ':') == NULL; /* a service keeps its small letter */
    if (shown > 0 && !follows && is_word && buffer[start] >= 'a' && buffer[start] <= 'z')
        buffer[start] = (char)(buffer[start] - 'a' + 'A');
    if (shown > 2)
        words_append(buffer, size, ", and %" PRIu32 " more fault%s", shown - 2,
                     shown == 3 ? "" : "s");
    words_append(buffer, size, "%s", shown > 0 || follows ? "." : "");
}

/* The scenario's own words, if they are not the page's title already. A setting changed on the
   command line may make them wrong, so it is named with them. */
static void introduce(const struct storm_results *results, const char *title, char *buffer,
                      size_t size) {
    const char *words = results->title != NULL ? results->title : "";
    const char *changes = results->overrides != NULL ? results->overrides : "";
    assert(title != NULL && size > OWN_WORDS_MAX);
    bool is_new = strcmp(words, title) != 0 && strlen(words) <= OWN_WORDS_MAX;
    snprintf(buffer, size, "%s", is_new ? words : "");
    if (changes[0] == '\0')
        return;
    bool is_brief = strlen(changes) <= CHANGES_MAX;
    words_append(buffer, size, "%s%s", buffer[0] == '\0' ? "With " : ", with ",
                 is_brief ? changes : "settings changed (see below)");
}

void load_subtitle(const struct load *load, const char *title, double page_width, char *buffer,
                   size_t size) {
    char number[WORDS_MAX], plain[TYPE_TEXT_MAX];
    bool is_one = load->curves[0].capacity != NULL;
    for (uint32_t i = 1; i < load->results->variant_count; i++)
        is_one = is_one && load_same_capacity(load, i);
    snprintf(plain, sizeof plain, "Attempts per second at %.60s", load->service);
    if (is_one)
        words_append(plain, sizeof plain, ", which can serve %s/s",
                     words_figure(load->curves[0].nominal, number, sizeof number));
    words_append(plain, sizeof plain, ".");
    double rate = demand(load);
    if (isfinite(rate))
        words_append(plain, sizeof plain, " Demand is %s/s",
                     words_figure(rate, number, sizeof number));
    append_faults(load, isfinite(rate), plain, sizeof plain);
    char introduction[TYPE_TEXT_MAX];
    introduce(load->results, title, introduction, sizeof introduction);
    bool is_new = introduction[0] != '\0';
    double room = page_width - 2 * LAYOUT_MARGIN;
    snprintf(buffer, size, "%s. %s", introduction, plain);
    assert(strlen(buffer) > 0);
    if (is_new && type_width(FONT_SUBTITLE, buffer) <= room)
        return;
    bool fits = type_width(FONT_SUBTITLE, plain) <= room;
    if (is_new && fits && type_width(FONT_SUBTITLE, introduction) <= room)
        snprintf(buffer, size, "%s\n%s", introduction, plain);
    else
        snprintf(buffer, size, "%s", plain);
}

enum key { KEY_FIRST, KEY_RETRIES, KEY_CAPACITY, KEY_DEAD, KEY_STRIP, KEY_COUNT };

/* What is in the legend, in reading order. */
struct keys {
    bool shows[KEY_COUNT];
    const char *words[KEY_COUNT];
    double widths[KEY_COUNT]; /* of the key alone */
};

static void draw_square(const struct legend *legend, enum theme_role role) {
    legend_key(
        legend,
        &(struct scene_mark){
            .kind = SCENE_RECT, .role = role, .y = -6, .width = 12, .height = 12, .radius = 2});
}

/* A line up to its end dot. */
static void draw_dead(const struct legend *legend) {
    static const struct scene_point ends[2] = {{0, 0}, {18, 0}};
    legend_key(
        legend,
        &(struct scene_mark){
            .kind = SCENE_LINE, .role = ROLE_LINE, .points = ends, .point_count = 2, .stroke = 2});
    legend_key(legend, &(struct scene_mark){
                           .kind = SCENE_CIRCLE, .role = ROLE_LINE, .x = ends[1].x, .radius = 3.4});
}

static void draw_strip(const struct legend *legend) {
    for (int i = 0; i < THEME_STRIP_STEPS; i += 2)
        legend_key(legend, &(struct scene_mark){.kind = SCENE_RECT,
                                                .role = (enum theme_role)(ROLE_STRIP_0 + i),
                                                .x = 4.5 * i,
                                                .y = -LAYOUT_STRIP_HEIGHT / 2,
                                                .width = 9,
                                                .height = LAYOUT_STRIP_HEIGHT});
}

static void draw_key(const struct legend *legend, enum key key) {
    switch (key) {
    case KEY_FIRST:
        draw_square(legend, ROLE_FIRST);
        break;
    case KEY_RETRIES:
        draw_square(legend, ROLE_RETRY);
        break;
    case KEY_CAPACITY:
        legend_line(legend, ROLE_LINE, 1.25, 5);
        break;
    case KEY_DEAD:
        draw_dead(legend);
        break;
    case KEY_STRIP:
        draw_strip(legend);
        break;
    case KEY_COUNT:
        assert(false);
        break;
    }
}

/* One row in reading order. On a narrow page the keys move together, and the words get shorter. */
void load_draw_legend(struct load *load, double y) {
    assert(load != NULL && y > 0);
    struct keys keys = {
        .shows = {true, load->has_retries, load->has_capacity, load->has_right, load->has_strip},
        .words = {"first attempts", "retries", "capacity", "dead letters so far (right axis)",
                  "share failing, 0 → 100" WORDS_THIN "%"},
        .widths = {12, 12, LEGEND_LINE, LEGEND_LINE, 45}};
    double width = 0, room = load->layout.page_width - 2 * LAYOUT_MARGIN;
    int count = 0;
    for (int i = 0; i < KEY_COUNT; i++) {
        if (!keys.shows[i])
            continue;
        width += keys.widths[i] + LEGEND_KEY_GAP + type_width(FONT_LEGEND, keys.words[i]);
        count++;
    }
    double gap = count > 1 ? fmin(LEGEND_WORDS_GAP, (room - width) / (count - 1)) : 0;
    if (gap < GAP_LEAST)
        keys.words[KEY_DEAD] = "dead letters (right axis)";
    struct legend legend = {load->scene, LAYOUT_MARGIN, y, fmax(gap, GAP_LEAST)};
    for (int i = 0; i < KEY_COUNT; i++) {
        if (!keys.shows[i])
            continue;
        draw_key(&legend, (enum key)i);
        legend_words(&legend, keys.widths[i], keys.words[i]);
    }
    assert(count >= 1);
}

/* True when `path` ends with the components `end` ("cap" is no end of "x.recap"). */
static bool ends_with(const char *path, const char *end) {
    size_t length = strlen(path), tail = strlen(end);
    assert(tail > 0);
    if (length < tail || strcmp(path + length - tail, end) != 0)
        return false;
    return length == tail || path[length - tail - 1] == '.';
}

/* The value that every setting with this end has in every variant; NULL when there is none or
   they differ. */
static const char *common_setting(const struct storm_results *results, const char *end) {
    const char *value = NULL;
    assert(end != NULL);
    for (uint32_t i = 0; i < results->variant_count; i++) {
        bool is_there = false;
        for (uint32_t j = 0; j < results->variants[i].setting_count; j++) {
            const struct storm_setting *setting = &results->variants[i].settings[j];
            if (!ends_with(setting->path, end))
                continue;
            if (value != NULL && strcmp(value, setting->value) != 0)
                return NULL;
            value = setting->value;
            is_there = true;
        }
        if (!is_there)
            return NULL;
    }
    return value;
}

/* Appends " · piece" if the whole still fits into `room` px; a piece is left out whole, never
   cut. */
static void append_piece(double room, const char *piece, char *buffer, size_t size) {
    size_t used = strlen(buffer);
    assert(piece != NULL && room > 0);
    words_append(buffer, size, " · %s", piece);
    if (type_width(FONT_FOOTER, buffer) > room)
        buffer[used] = '\0';
}

/* True when the delay of some policy in some variant grows as one of these words says, so that it
   makes no use of what else is set. */
static bool grows_as(const struct storm_results *results, const char *const *words, size_t count) {
    assert(words != NULL && count > 0);
    for (uint32_t i = 0; i < results->variant_count; i++)
        for (uint32_t j = 0; j < results->variants[i].setting_count; j++) {
            const struct storm_setting *setting = &results->variants[i].settings[j];
            for (size_t k = 0; k < count && ends_with(setting->path, "growth"); k++)
                if (strcmp(setting->value, words[k]) == 0)
                    return true;
        }
    return false;
}

/* What cannot be read off the axes and is the same in all panels. Settings that a delay does not
   use are left out: a base where some delay has none, a cap where some delay never grows. */
static void append_settings(const struct load *load, double room, char *buffer, size_t size) {
    static const char *const level[] = {"none", "table", "constant"};
    static const struct {
        const char *end, *word;
        size_t unused; /* so many of the words above make it useless */
    } rows[] = {{"attempts", "attempts", 0},
                {"base", "base", 2},
                {"cap", "cap", 3},
                {"timeout", "timeout", 0},
                {"queue.limit", "queue", 0}};
    char own[FINDING_TEXT_MAX], words[WORDS_MAX], piece[FINDING_TEXT_MAX];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].unused > 0 && grows_as(load->results, level, rows[i].unused))
            continue;
        snprintf(own, sizeof own, "services.%.60s.%s", load->service, rows[i].end);
        const char *value = common_setting(load->results, own);
        if (value == NULL)
            value = common_setting(load->results, rows[i].end);
        if (value == NULL || strlen(value) > 24)
            continue;
        if (strcmp(value, "none") == 0)
            snprintf(piece, sizeof piece, "no %s", rows[i].word);
        else
            snprintf(piece, sizeof piece, "%s %s", rows[i].word,
                     words_setting(value, words, sizeof words));
        append_piece(room, piece, buffer, size);
    }
}

/* What the command line changed comes first: without it the file does not give these results. */
static void append_changes(const struct storm_results *results, double room, char *buffer,
                           size_t size) {
    char words[TYPE_TEXT_MAX], cut[TYPE_TEXT_MAX];
    assert(room > 0);
    if (results->overrides == NULL || results->overrides[0] == '\0')
        return;
    snprintf(words, sizeof words, "--set %.480s", results->overrides);
    type_fit(FONT_FOOTER, words, CHANGES_SHARE * room, cut, sizeof cut);
    words_append(buffer, size, " · %s", cut);
}

static void append_runs(const struct storm_results *results, char *buffer, size_t size) {
    uint32_t least = results->runs;
    char number[WORDS_MAX];
    for (uint32_t i = 0; i < results->variant_count; i++)
        if (results->variants[i].runs_done < least)
            least = results->variants[i].runs_done;
    assert(least <= results->runs);
    if (least < results->runs)
        words_append(buffer, size, " · incomplete: %" PRIu32 " of ", least);
    else
        words_append(buffer, size, " · ");
    words_number(results->runs, 0, number, sizeof number);
    words_append(buffer, size, "%s run%s%s, seed %" PRIu64 "%s", number,
                 results->runs == 1 ? "" : "s", results->variant_count > 1 ? " per variant" : "",
                 results->seed, results->runs == 1 ? "" : ", first run drawn");
}

void load_draw_footer(struct load *load) {
    const struct storm_results *results = load->results;
    char text[2 * TYPE_TEXT_MAX], width[WORDS_MAX];
    double room = page_footer_room(load->layout.page_width, results->hash);
    assert(room > 0);
    snprintf(text, sizeof text, "%.120s", results->file != NULL ? results->file : "scenario");
    append_changes(results, room, text, sizeof text);
    append_runs(results, text, sizeof text);
    words_append(text, sizeof text, " · %s bins",
                 words_duration(results->bin_width, width, sizeof width));
    append_settings(load, room, text, sizeof text);
    page_draw_footer(load->scene, text, results->hash);
}

/* What the lanes below a panel come to, and what operators did. */
static void describe_more(const struct load *load, uint32_t index, char *text, size_t size) {
    const struct storm_variant *variant = &load->results->variants[index];
    char words[LANE_WORDS_MAX], time[WORDS_MAX];
    for (uint32_t i = 0; i < load->lane_count; i++) {
        const struct lane *lane = &load->lanes[i];
        words_append(text, size, " %s%s: %s.", lane->kind->title, lane->whose,
                     load_lane_words(load, index, lane, false, words, sizeof words));
    }
    for (uint32_t i = 0; i < variant->span_count; i++)
        if (load_shows_action(load, &variant->spans[i]))
            words_append(text, size, " At %s: %s.",
                         words_duration(variant->spans[i].from, time, sizeof time),
                         load_action_words(&variant->spans[i], words, sizeof words));
}

void load_describe(struct load *load, const char *title, const char *subtitle) {
    char text[4096], number[WORDS_MAX];
    assert(title != NULL && subtitle != NULL);
    snprintf(text, sizeof text, "%s", subtitle);
    for (uint32_t i = 0; i < load->results->variant_count; i++) {
        const struct curves *curves = &load->curves[i];
        const struct storm_variant *variant = &load->results->variants[i];
        struct finding_verdict verdict = finding_verdict(load->results, variant);
        words_append(text, sizeof text, " %.100s: %s; peak %s/s", variant->name,
                     verdict.wordings[0], words_figure(curves->peak, number, sizeof number));
        words_append(text, sizeof text, "; %s dead letters.",
                     words_number(curves->dead_end, 0, number, sizeof number));
        describe_more(load, i, text, sizeof text);
    }
    load->scene->title = scene_copy_text(load->scene, title);
    load->scene->description = scene_copy_text(load->scene, text);
}
