/* front_words.c: the words of the front chart: finding, legend, names of the dots. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <retrystorm/sweep.h>
#include <retrystorm/units.h>

#include "base/arena.h"
#include "plots/front.h"
#include "plots/layout.h"
#include "plots/legend.h"
#include "plots/page.h"
#include "plots/place.h"
#include "plots/scene.h"
#include "plots/swept.h"
#include "plots/theme.h"
#include "plots/ticks.h"
#include "plots/type.h"
#include "plots/words.h"

#define HALO 4.0
#define SIZES_GAP 14.0
#define LEADER_MOST 90.0

enum { DOTS_TAKEN = 1024, DESCRIBED_MAX = 40, NAMED_MAX = 8 };

static char *in_time(double seconds, char *buffer, size_t size) {
    char time[WORDS_MAX];
    if (seconds < 0.5)
        snprintf(buffer, size, "at once");
    else
        snprintf(buffer, size, "in %s",
                 words_duration(storm_time_from_seconds(seconds), time, sizeof time));
    return buffer;
}

/* "a cap of 8 s and a base delay of 1 s": what makes a point. */
static void name_point(const struct front *front, const struct storm_sweep_point *point,
                       char *buffer, size_t size) {
    char words[SWEPT_TEXT_MAX];
    for (uint32_t i = 0; i < front->axis_count; i++)
        words_append(buffer, size, "%s%s",
                     i == 0                       ? ""
                     : i + 1 == front->axis_count ? " and "
                                                  : ", ",
                     swept_phrase(&front->axes[i], point->labels[front->axes[i].index], "", words,
                                  sizeof words));
}

/* The dot that recovers fastest comes first; the one with the lowest peak is sought. */
static const struct storm_sweep_point *gentlest(const struct front *front) {
    const struct storm_sweep_point *best = front->dots[0].point;
    for (uint32_t i = 1; i < front->fronts; i++) {
        const struct storm_sweep_point *point = front->dots[i].point;
        if (!isinf(point->time_to_recover) && point->peak_load < best->peak_load)
            best = point;
    }
    return best;
}

void front_finding(const struct front *front, char *buffer, size_t size) {
    char time[WORDS_MAX + 8], peak[WORDS_MAX], low[WORDS_MAX], slow[WORDS_MAX];
    assert(front->count > 0);
    const struct storm_sweep_point *fast = front->dots[0].point;
    buffer[0] = '\0';
    if (front->fronts == 0 || isinf(fast->time_to_recover)) {
        snprintf(buffer, size, "No point recovers in half of its runs");
        return;
    }
    const struct storm_sweep_point *gentle = gentlest(front);
    if (gentle == fast) {
        words_append(buffer, size, "Fastest and with the lowest peak: ");
        name_point(front, fast, buffer, size);
        return;
    }
    words_append(
        buffer, size,
        "Recovery %s takes a peak of %s" WORDS_TIMES "capacity; with %s" WORDS_TIMES "it takes %s",
        in_time(fast->time_to_recover, time, sizeof time),
        words_factor(fast->peak_load, peak, sizeof peak),
        words_factor(gentle->peak_load, low, sizeof low),
        words_duration(storm_time_from_seconds(gentle->time_to_recover), slow, sizeof slow));
}

static void add_circle(struct legend *legend, enum theme_role role, double radius) {
    legend_key(legend, &(struct scene_mark){
                           .kind = SCENE_CIRCLE, .role = role, .x = radius, .radius = radius});
}

/* Dots of up to three sizes, and the dead letters that they stand for. */
static void add_sizes(struct legend *legend, const struct front *front) {
    double most = front->most_letters, middle = ticks_counts(most, 4).step;
    const double letters[] = {0, middle, most};
    char number[WORDS_MAX], text[WORDS_MAX + 16];
    legend->gap = SIZES_GAP;
    for (int i = 0; i < 3; i++) {
        if (i == 1 && middle >= most)
            continue;
        double radius = front_radius(front, letters[i]);
        snprintf(text, sizeof text, "%s%s", words_number(letters[i], 0, number, sizeof number),
                 i == 2 ? " dead letters" : "");
        add_circle(legend, ROLE_FIRST, radius);
        legend_words(legend, 2 * radius, text);
    }
}

static void add_kind(struct legend *legend, enum theme_role role, double radius, const char *kind,
                     uint32_t count) {
    char words[2 * WORDS_MAX], number[WORDS_MAX];
    snprintf(words, sizeof words, "%s (%s)", kind, words_number(count, 0, number, sizeof number));
    add_circle(legend, role, radius);
    legend_words(legend, 2 * radius, words);
}

void front_draw_legend(struct front *front, double y) {
    static const struct scene_point arrow[3] = {{0, 3.5}, {4, -3.5}, {8, 3.5}};
    struct legend legend = {front->scene, LAYOUT_MARGIN, y, LEGEND_WORDS_GAP};
    uint32_t beyond = 0;
    for (uint32_t i = 0; i < front->count; i++)
        beyond += front->dots[i].is_beyond;
    add_kind(&legend, ROLE_FIRST, 5, "bettered by no other", front->fronts);
    if (front->count > front->fronts)
        add_kind(&legend, ROLE_WAITING, 3, "other points", front->count - front->fronts);
    if (beyond > 0) {
        legend_key(&legend, &(struct scene_mark){.kind = SCENE_AREA,
                                                 .role = ROLE_WAITING,
                                                 .points = arrow,
                                                 .point_count = 3});
        legend_words(&legend, 8, "beyond the scale");
    }
    if (front->fronts > 0 && front->most_letters > 0)
        add_sizes(&legend, front);
}

void front_describe(struct front *front, const char *title, const char *subtitle) {
    char text[8 * TYPE_TEXT_MAX], a[WORDS_MAX + 8], b[WORDS_MAX], c[WORDS_MAX];
    snprintf(text, sizeof text, "%s %" PRIu32 " of %" PRIu32 " points are bettered by no other.",
             subtitle, front->fronts, front->count);
    if (front->unknown > 0)
        words_append(text, sizeof text, " %" PRIu32 " more have no such numbers.", front->unknown);
    for (uint32_t i = 0; i < front->fronts && i < DESCRIBED_MAX; i++) {
        const struct storm_sweep_point *point = front->dots[i].point;
        words_append(text, sizeof text, " With ");
        name_point(front, point, text, sizeof text);
        words_append(
            text, sizeof text, ": %s, peak %s" WORDS_TIMES "capacity, %s dead letters.",
            isinf(point->time_to_recover) ? "no recovery"
                                          : in_time(point->time_to_recover, a, sizeof a),
            words_factor(point->peak_load, b, sizeof b),
            isnan(point->dead_letters) ? "no" : words_number(point->dead_letters, 0, c, sizeof c));
    }
    front->scene->title = scene_copy_text(front->scene, title);
    front->scene->description = scene_copy_text(front->scene, text);
}

/* "8 s · 1 s" */
static void dot_words(const struct front *front, const struct front_dot *dot, char *buffer,
                      size_t size) {
    char words[WORDS_MAX];
    buffer[0] = '\0';
    for (uint32_t i = 0; i < front->axis_count; i++)
        words_append(buffer, size, "%s%s", i > 0 ? " · " : "",
                     words_setting(dot->point->labels[front->axes[i].index], words, sizeof words));
}

static void add_label(struct front *front, struct place *place, const struct scene_box *box,
                      const char *text) {
    double never = place->area.x1 - FRONT_NEVER_WIDTH;
    bool is_on_band = front->nevers > 0 && box->x0 > never;
    place_take(place, box);
    scene_add(front->scene,
              &(struct scene_mark){.kind = SCENE_TEXT,
                                   .part = "front-label",
                                   .font = FONT_BODY,
                                   .role = ROLE_INK,
                                   .anchor = SCENE_START,
                                   .x = box->x0,
                                   .y = box->y1 - 2,
                                   .halo = HALO,
                                   .halo_role = is_on_band ? ROLE_BAND : ROLE_BACKGROUND,
                                   .text = text});
}

/* The way from a dot's edge to the nearest place of its label. */
static void find_leader(const struct front_dot *dot, const struct scene_box *box,
                        struct scene_point ends[2]) {
    double x = fmin(fmax(dot->x, box->x0), box->x1), y = fmin(fmax(dot->y, box->y0), box->y1);
    double far = sqrt((x - dot->x) * (x - dot->x) + (y - dot->y) * (y - dot->y));
    double share = far > dot->radius ? dot->radius / far : 1;
    ends[0] = (struct scene_point){dot->x + share * (x - dot->x), dot->y + share * (y - dot->y)};
    ends[1] = (struct scene_point){x, y};
}

/* Whether it keeps off the labels and the front's dots, but those that lie over its own. */
static bool is_way_free(const struct front *front, const struct place *place,
                        const struct front_dot *dot, const struct scene_point ends[2]) {
    enum { STEPS = 24 };
    struct scene_box own = {dot->x - 1, dot->y - 1, dot->x + 1, dot->y + 1};
    for (int i = 1; i < STEPS; i++) {
        double x = ends[0].x + (ends[1].x - ends[0].x) * i / STEPS;
        double y = ends[0].y + (ends[1].y - ends[0].y) * i / STEPS;
        struct scene_box spot = {x - 1, y - 1, x + 1, y + 1};
        for (uint32_t j = 0; j < place->box_count; j++)
            if (scene_boxes_overlap(&spot, &place->boxes[j]))
                return false;
        for (uint32_t j = 0; j < front->fronts && j < place->mark_count; j++)
            if (!scene_boxes_overlap(&own, &place->marks[j]) &&
                scene_boxes_overlap(&spot, &place->marks[j]))
                return false;
    }
    return true;
}

static void add_leader(struct front *front, const struct scene_point ends[2]) {
    scene_add(front->scene, &(struct scene_mark){.kind = SCENE_LINE,
                                                 .part = "leader",
                                                 .role = ROLE_INK3,
                                                 .points = ends,
                                                 .point_count = 2,
                                                 .stroke = 1});
}

/* Beside a dot, right, left, above or below it, or else at the end of a short line; nothing
   where all is taken. */
static void label_dot(struct front *front, struct place *place, const struct front_dot *dot) {
    char text[SWEPT_TEXT_MAX];
    dot_words(front, dot, text, sizeof text);
    double width = type_width(FONT_BODY, text), off = dot->radius + 5, half = width / 2;
    const struct scene_box boxes[] = {
        {dot->x + off, dot->y - 6, dot->x + off + width, dot->y + 6},
        {dot->x - off - width, dot->y - 6, dot->x - off, dot->y + 6},
        {dot->x - half, dot->y - off - 12, dot->x + half, dot->y - off},
        {dot->x - half, dot->y + off, dot->x + half, dot->y + off + 12},
    };
    for (size_t i = 0; i < sizeof boxes / sizeof boxes[0]; i++)
        if (place_is_free(place, &boxes[i], PLACE_OFF_DATA)) {
            add_label(front, place, &boxes[i], text);
            return;
        }
    struct scene_box box = {dot->x - half, dot->y + off, dot->x + half, dot->y + off + 12};
    if (!place_seek(place, &box, PLACE_OFF_DATA) || fabs(box.y0 - dot->y) > LEADER_MOST ||
        fabs((box.x0 + box.x1) / 2 - dot->x) > LEADER_MOST + half)
        return;
    struct scene_point ends[2];
    find_leader(dot, &box, ends);
    if (!is_way_free(front, place, dot, ends))
        return;
    add_leader(front, ends);
    place_take(place, &(struct scene_box){fmin(ends[0].x, ends[1].x), fmin(ends[0].y, ends[1].y),
                                          fmax(ends[0].x, ends[1].x), fmax(ends[0].y, ends[1].y)});
    add_label(front, place, &box, text);
}

/* The dots that are named: the fastest, the gentlest, the one with the fewest dead letters, then
   others, evenly. Returns how many. */
static uint32_t choose_named(const struct front *front, uint32_t *named) {
    uint32_t gentle = 0, few = 0, count = 0;
    for (uint32_t i = 1; i < front->fronts; i++) {
        const struct storm_sweep_point *point = front->dots[i].point;
        if (point->peak_load < front->dots[gentle].point->peak_load)
            gentle = i;
        if (point->dead_letters < front->dots[few].point->dead_letters)
            few = i;
    }
    const uint32_t first[] = {0, gentle, few};
    for (uint32_t n = 0; n < 3 + NAMED_MAX && count < NAMED_MAX && front->fronts > 0; n++) {
        uint32_t index = n < 3 ? first[n] : (n - 3) * front->fronts / NAMED_MAX;
        bool is_new = true;
        for (uint32_t i = 0; i < count; i++)
            is_new = is_new && named[i] != index;
        if (is_new)
            named[count++] = index;
    }
    return count;
}

/* What the words at the dots are: the nouns, in their order. */
static void name_labels(struct front *front) {
    char text[TYPE_TEXT_MAX] = "at the dots: ";
    struct scene_box plot = layout_plot(&front->layout, 0);
    for (uint32_t i = 0; i < front->axis_count; i++)
        words_append(text, sizeof text, "%s%s", i > 0 ? " · " : "", front->axes[i].noun);
    if (front->more > 0)
        words_append(text, sizeof text, "; %" PRIu32 " more setting%s", front->more,
                     front->more == 1 ? " differs" : "s differ");
    page_text(front->scene, "label-names", FONT_BODY, ROLE_INK3, SCENE_END, plot.x1,
              plot.y0 - LAYOUT_NAME_RISE, text);
}

/* What the dots cover, those of the front first; beyond DOTS_TAKEN a label may lie over one. */
static bool list_marks(struct front *front, struct place *place) {
    uint32_t count = front->count < DOTS_TAKEN ? front->count : DOTS_TAKEN;
    struct scene_box *marks = arena_take_array(&front->arena, count, sizeof *marks);
    if (marks == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const struct front_dot *dot = &front->dots[i];
        marks[i] = (struct scene_box){dot->x - dot->radius, dot->y - dot->radius,
                                      dot->x + dot->radius, dot->y + dot->radius};
    }
    place->marks = marks;
    place->mark_count = count;
    return true;
}

bool front_draw_labels(struct front *front) {
    struct place place = {.area = layout_plot(&front->layout, 0)};
    uint32_t named[NAMED_MAX] = {0}, count = choose_named(front, named);
    place.area.x0 += 2;
    place.area.x1 -= 2;
    if (!list_marks(front, &place))
        return false;
    if (front->line != NULL)
        place_take_line(&place, front->line, front->line_count);
    for (uint32_t i = 0; i < count; i++)
        label_dot(front, &place, &front->dots[named[i]]);
    if (count > 0)
        name_labels(front);
    return true;
}
