/* swept.c: an axis of a sweep as charts draw it: its scale and its cells. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <retrystorm/sweep.h>

#include "base/arena.h"
#include "base/mathx.h"
#include "base/path.h"
#include "plots/swept.h"
#include "plots/words.h"

/* A cell may be this much narrower than all are on average; and scattered points keep this much of
   the axis free at either end. */
#define CELL_LEAST 0.35
#define AIR 0.03

struct value {
    uint32_t index;
    double number;
    const char *label;
};

static int compare_values(const void *left, const void *right) {
    const struct value *a = left, *b = right;
    if (a->number != b->number && !isnan(a->number) && !isnan(b->number))
        return a->number < b->number ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

/* Adds a label unless it is there. */
static uint32_t add_word(struct value *values, uint32_t count, const char *label) {
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(values[i].label, label) == 0)
            return count;
    values[count] = (struct value){count, (double)NAN, label};
    return count + 1;
}

/* The values that have cells, in the order in which they stand. */
static uint32_t list_values(const struct storm_sweep *sweep, const struct swept *swept,
                            struct value *values) {
    const struct storm_sweep_axis *axis = swept->axis;
    uint32_t count = 0;
    for (; count < axis->value_count; count++)
        values[count] = (struct value){count, axis->numbers[count], axis->labels[count]};
    if (axis->value_count == 0 && swept->is_words)
        for (uint32_t i = 0; i < sweep->point_count; i++)
            count = add_word(values, count, sweep->points[i].labels[swept->index]);
    if (!swept->is_words)
        qsort(values, count, sizeof *values, compare_values);
    return count;
}

static double scaled(enum swept_scale scale, double number) {
    return scale == SWEPT_RATIOS ? mathx_log(number) : number;
}

/* Cells whose edges lie midway between neighbours. Returns the narrowest as a share of the mean. */
static double divide(struct swept *swept, double *centres, double *edges) {
    uint32_t last = swept->count - 1;
    assert(swept->count >= 2);
    for (uint32_t i = 0; i <= last; i++)
        centres[i] = scaled(swept->scale, swept->numbers[i]);
    for (uint32_t i = 1; i <= last; i++)
        edges[i] = (centres[i - 1] + centres[i]) / 2;
    edges[0] = centres[0] - (edges[1] - centres[0]);
    edges[last + 1] = centres[last] + (centres[last] - edges[last]);
    swept->low = edges[0];
    swept->high = edges[last + 1];
    double range = swept->high - swept->low, least = range;
    for (uint32_t i = 0; i <= last; i++) {
        least = fmin(least, edges[i + 1] - edges[i]);
        centres[i] = (centres[i] - swept->low) / range;
    }
    for (uint32_t i = 0; i <= last + 1; i++)
        edges[i] = (edges[i] - swept->low) / range;
    return isfinite(range) && range > 0 ? least / range * swept->count : 0;
}

static void line_up(struct swept *swept, double *centres, double *edges) {
    assert(swept->count >= 1);
    swept->scale = SWEPT_SIDE_BY_SIDE;
    for (uint32_t i = 0; i < swept->count; i++) {
        centres[i] = (i + 0.5) / swept->count;
        edges[i] = (double)i / swept->count;
    }
    edges[swept->count] = 1;
}

static void place_cells(struct swept *swept, double *centres, double *edges) {
    bool has_ratios = !swept->is_words && swept->numbers[0] > 0;
    swept->centres = centres;
    swept->edges = edges;
    if (!swept->is_words && swept->count >= 2) {
        if (!(swept->axis->is_log && has_ratios)) {
            swept->scale = SWEPT_EVEN;
            if (divide(swept, centres, edges) >= CELL_LEAST)
                return;
        }
        swept->scale = SWEPT_RATIOS;
        if (has_ratios && divide(swept, centres, edges) >= CELL_LEAST)
            return;
    }
    line_up(swept, centres, edges);
}

/* The range that scattered numbers lie in. */
static void spread(const struct storm_sweep *sweep, struct swept *swept) {
    double from = HUGE_VAL, to = -HUGE_VAL;
    for (uint32_t i = 0; i < sweep->point_count; i++) {
        from = fmin(from, sweep->points[i].numbers[swept->index]);
        to = fmax(to, sweep->points[i].numbers[swept->index]);
    }
    swept->scale = swept->axis->is_log && from > 0 ? SWEPT_RATIOS : SWEPT_EVEN;
    double low = scaled(swept->scale, from), high = scaled(swept->scale, to);
    double air = high > low ? (high - low) * AIR / (1 - 2 * AIR) : 1;
    swept->low = low - air;
    swept->high = high + air;
}

/* Of counts nothing lies between whole numbers; of times and shares it does. */
static bool are_whole(const struct storm_sweep *sweep, const struct swept *swept) {
    bool is_whole = !swept->is_words && swept->axis->unit[0] == '\0';
    for (uint32_t i = 0; is_whole && i < sweep->point_count; i++) {
        double number = sweep->points[i].numbers[swept->index];
        is_whole = number == floor(number);
    }
    return is_whole;
}

/* What people call a setting, by the end of its path, and what they write before and after its
   value. */
static const struct {
    const char *begin, *end, *noun, *before, *after;
} names[] = {
    {"faults.", "for", "fault", "a fault of ", ""},
    {"faults.", "factor", "slowdown", "a slowdown of ", ""},
    {"faults.", "share", "share left", "a share of ", " left"},
    {"", "cap", "cap", "a cap of ", ""},
    {"", "base", "base delay", "a base delay of ", ""},
    {"", "attempts", "attempts", "", " attempts"},
    {"", "factor", "factor", "a factor of ", ""},
    {"", "timeout", "timeout", "a timeout of ", ""},
    {"", "deadline", "deadline", "a deadline of ", ""},
    {"", "total_time", "total time", "a total time of ", ""},
    {"", "queue.limit", "queue limit", "a queue limit of ", ""},
    {"", "workers", "workers", "", " workers"},
    {"", "count", "clients", "", " clients"},
    {"", "arrivals.poisson", "arrivals", "arrivals of ", ""},
    {"", "arrivals.even", "arrivals", "arrivals of ", ""},
    {"", "service_time", "service time", "a service time of ", ""},
    {"", "service_time.constant", "service time", "a service time of ", ""},
    {"", "service_time.exponential", "service time", "a service time of ", ""},
    {"", "recovery.time", "recovery", "a recovery of ", ""},
};

static bool ends_with(const char *path, const char *end) {
    size_t length = strlen(path), tail = strlen(end);
    if (length < tail || strcmp(path + length - tail, end) != 0)
        return false;
    return length == tail || path[length - tail - 1] == '.';
}

static void name_it(struct swept *swept) {
    const char *path = swept->axis->path, *dot = strrchr(path, '.');
    snprintf(swept->noun, sizeof swept->noun, "%.70s", dot != NULL ? dot + 1 : path);
    for (char *mark = swept->noun; *mark != '\0'; mark++)
        if (*mark == '_')
            *mark = ' ';
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strncmp(path, names[i].begin, strlen(names[i].begin)) == 0 &&
            ends_with(path, names[i].end)) {
            snprintf(swept->noun, sizeof swept->noun, "%s", names[i].noun);
            snprintf(swept->before, sizeof swept->before, "%s", names[i].before);
            swept->after = names[i].after;
            return;
        }
    snprintf(swept->before, sizeof swept->before, "%s ", swept->noun);
}

/* Puts that part of the path before the noun, counted from the end; a path without it is short
   enough to be told. */
static void qualify(struct swept *swept, int part) {
    char noun[sizeof swept->noun];
    const char *path = swept->axis->path, *tail = path_tail(path, part);
    if (part > 1 && tail == path_tail(path, part - 1))
        return;
    size_t length = strcspn(tail, ".");
    memcpy(noun, swept->noun, sizeof noun);
    snprintf(swept->noun, sizeof swept->noun, "%.*s %.40s", length < 36 ? (int)length : 36, tail,
             noun);
    snprintf(swept->before, sizeof swept->before, "%s ", swept->noun);
    swept->after = "";
}

void swept_tell_apart(struct swept *a, struct swept *b) {
    assert(a != NULL && b != NULL);
    if (a->index == b->index || strcmp(a->noun, b->noun) != 0)
        return;
    int part = path_parts_apart(a->axis->path, b->axis->path);
    qualify(a, part);
    qualify(b, part);
}

bool swept_read(const struct storm_sweep *sweep, uint32_t index, struct arena *arena,
                struct swept *swept) {
    assert(sweep != NULL && index < sweep->axis_count);
    *swept = (struct swept){.axis = &sweep->axes[index], .index = index, .after = ""};
    swept->is_words = swept->axis->unit == NULL;
    swept->is_whole = are_whole(sweep, swept);
    name_it(swept);
    uint32_t most = swept->axis->value_count;
    if (most == 0 && !swept->is_words) {
        spread(sweep, swept);
        return true;
    }
    most = most == 0 ? sweep->point_count : most;
    struct value *values = arena_take_array(arena, most, sizeof *values);
    uint32_t *order = arena_take_array(arena, most, sizeof *order);
    double *numbers = arena_take_array(arena, most, sizeof *numbers);
    const char **labels = arena_take_array(arena, most, sizeof *labels);
    double *centres = arena_take_array(arena, most, sizeof *centres);
    double *edges = arena_take_array(arena, most + 1, sizeof *edges);
    if (values == NULL || order == NULL || numbers == NULL || labels == NULL || centres == NULL ||
        edges == NULL)
        return false;
    swept->count = list_values(sweep, swept, values);
    for (uint32_t i = 0; i < swept->count; i++) {
        order[i] = values[i].index;
        numbers[i] = values[i].number;
        labels[i] = values[i].label;
    }
    swept->order = order;
    swept->numbers = numbers;
    swept->labels = labels;
    place_cells(swept, centres, edges);
    return true;
}

double swept_at(const struct swept *swept, double number) {
    assert(!swept->is_words && isfinite(number));
    if (swept->scale != SWEPT_SIDE_BY_SIDE)
        return (scaled(swept->scale, number) - swept->low) / (swept->high - swept->low);
    uint32_t next = 0;
    while (next < swept->count && swept->numbers[next] < number)
        next++;
    if (next == swept->count || swept->numbers[next] == number || next == 0)
        return swept->centres[next < swept->count ? next : swept->count - 1];
    double share =
        (number - swept->numbers[next - 1]) / (swept->numbers[next] - swept->numbers[next - 1]);
    return swept->centres[next - 1] + share * (swept->centres[next] - swept->centres[next - 1]);
}

double swept_place(const struct swept *swept, const struct storm_sweep_point *point) {
    assert(swept != NULL && point != NULL);
    if (!swept->is_words)
        return swept_at(swept, point->numbers[swept->index]);
    uint32_t cell = 0;
    while (cell + 1 < swept->count && strcmp(swept->labels[cell], point->labels[swept->index]) != 0)
        cell++;
    return swept->centres[cell];
}

char *swept_phrase(const struct swept *swept, const char *label, const char *bound, char *buffer,
                   size_t size) {
    char value[WORDS_MAX];
    assert(swept != NULL && bound != NULL && size >= SWEPT_TEXT_MAX);
    /* What is counted is so in the plural: "1 attempt", but "1 or more attempts". */
    int after = (int)strlen(swept->after);
    after -= after > 0 && bound[0] == '\0' && strcmp(label, "1") == 0;
    snprintf(buffer, size, "%s%s%s%s%.*s", swept->before, words_setting(label, value, sizeof value),
             bound[0] != '\0' ? " " : "", bound, after, swept->after);
    return buffer;
}
