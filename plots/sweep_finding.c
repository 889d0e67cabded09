/* sweep_finding.c: what a sweep shows, as a sentence. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Invariants of `struct steps`: 1. equal values have one step, so "8 s or more" leaves out no point
   that has 8 s. 2. Steps of numbers ascend; words have one each. */

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <retrystorm/sweep.h>

#include "base/arena.h"
#include "plots/sweep_finding.h"
#include "plots/swept.h"
#include "plots/words.h"

/* So few, or so many, of the runs of a point count as none or all; and a finding speaks of at least
   this part of the points that are so. */
#define FEW 0.05
#define PART 0.4

enum { STEPS_MAX = 64, WIDTH = STEPS_MAX + 1 };

/* How a point ended; the exact classes lie within the wide ones. */
enum class { CLASS_ANY, CLASS_BAD, CLASS_NEVER, CLASS_GOOD, CLASS_ALWAYS, CLASS_COUNT };

/* An axis, cut into so few steps that all sets can be looked at. */
struct steps {
    const struct swept *axis;
    uint32_t count;
    bool is_words;
    const char *low[STEPS_MAX], *high[STEPS_MAX]; /* labels of a step's least and greatest value */
    uint8_t *of_point;                            /* [point] */
};

/* Points in the steps below and left of a corner: of each class, [second][first]. */
struct sums {
    uint32_t of[CLASS_COUNT][WIDTH][WIDTH];
};

/* Steps of one or two axes, and what is in them. */
struct set {
    const struct steps *axes[2];
    uint32_t from[2], to[2]; /* steps, both included */
    uint32_t count;
    bool is_exact;
};

struct entry {
    double number;
    uint32_t point;
};

void sweep_count_words(const struct storm_sweep_count *count, char *buffer, size_t size) {
    uint32_t judged = count->always + count->never + count->either;
    snprintf(buffer, size,
             "of %" PRIu32 " point%s %" PRIu32 " always recover%s, %" PRIu32 " never %s", judged,
             judged == 1 ? "" : "s", count->always, count->always == 1 ? "s" : "", count->never,
             count->never == 1 ? "does" : "do");
    if (count->either > 0)
        words_append(buffer, size, ", and %" PRIu32 " may do either", count->either);
}

static int compare_entries(const void *left, const void *right) {
    const struct entry *a = left, *b = right;
    assert(!isnan(a->number) && !isnan(b->number));
    return (a->number > b->number) - (a->number < b->number);
}

/* Sorted numbers into steps of about as many different ones each. */
static void cut(const struct storm_sweep *sweep, const struct entry *entries, struct steps *steps) {
    uint32_t distinct = 0, place = 0, axis = steps->axis->index;
    for (uint32_t i = 0; i < sweep->point_count; i++)
        distinct += i == 0 || entries[i].number != entries[i - 1].number;
    steps->count = distinct < STEPS_MAX ? distinct : STEPS_MAX;
    for (uint32_t i = 0; i < sweep->point_count; i++) {
        place += i > 0 && entries[i].number != entries[i - 1].number;
        uint32_t step = (uint32_t)((uint64_t)place * steps->count / distinct);
        assert(step < steps->count);
        const char *label = sweep->points[entries[i].point].labels[axis];
        if (steps->low[step] == NULL)
            steps->low[step] = label;
        steps->high[step] = label;
        steps->of_point[entries[i].point] = (uint8_t)step;
    }
}

static void sort_words(const struct storm_sweep *sweep, struct steps *steps) {
    const struct swept *axis = steps->axis;
    steps->count = axis->count <= STEPS_MAX ? axis->count : 1; /* too many to tell apart */
    for (uint32_t i = 0; i < sweep->point_count && steps->count > 1; i++) {
        uint8_t word = 0;
        while (word + 1u < axis->count &&
               strcmp(axis->labels[word], sweep->points[i].labels[axis->index]) != 0)
            word++;
        steps->of_point[i] = word;
    }
    for (uint32_t i = 0; i < steps->count; i++)
        steps->low[i] = steps->high[i] = axis->labels[i];
}

static bool read_steps(const struct storm_sweep *sweep, const struct swept *axis,
                       struct arena *arena, struct steps *steps) {
    *steps = (struct steps){.axis = axis, .is_words = axis->is_words};
    steps->of_point = arena_take_array(arena, sweep->point_count, 1);
    struct entry *entries = arena_take_array(arena, sweep->point_count, sizeof *entries);
    if (steps->of_point == NULL || entries == NULL)
        return false;
    if (steps->is_words) {
        sort_words(sweep, steps);
        return true;
    }
    for (uint32_t i = 0; i < sweep->point_count; i++)
        entries[i] = (struct entry){sweep->points[i].numbers[axis->index], i};
    qsort(entries, sweep->point_count, sizeof *entries, compare_entries);
    cut(sweep, entries, steps);
    return true;
}

/* Of two axes, the second may be NULL. */
static void add_up(const struct storm_sweep *sweep, const struct steps *a, const struct steps *b,
                   struct sums *sums) {
    memset(sums, 0, sizeof *sums);
    for (uint32_t i = 0; i < sweep->point_count; i++) {
        uint32_t x = a->of_point[i] + 1u, y = b == NULL ? 1 : b->of_point[i] + 1u;
        double share = storm_sweep_share(&sweep->points[i]);
        sums->of[CLASS_ANY][y][x]++;
        sums->of[CLASS_BAD][y][x] += share <= FEW;
        sums->of[CLASS_NEVER][y][x] += share <= 0;
        sums->of[CLASS_GOOD][y][x] += share >= 1 - FEW;
        sums->of[CLASS_ALWAYS][y][x] += share >= 1;
    }
    for (int class = 0; class < CLASS_COUNT; class ++)
        for (uint32_t y = 1; y < WIDTH; y++)
            for (uint32_t x = 1; x < WIDTH; x++)
                sums->of[class][y][x] += sums->of[class][y - 1][x] + sums->of[class][y][x - 1] -
                                         sums->of[class][y - 1][x - 1];
}

static uint32_t count_in(const struct sums *sums, enum class class, const struct set *set) {
    uint32_t x0 = set->from[0], x1 = set->to[0] + 1, y0 = set->from[1], y1 = set->to[1] + 1;
    assert(x0 < x1 && y0 < y1);
    return sums->of[class][y1][x1] - sums->of[class][y0][x1] - sums->of[class][y1][x0] +
           sums->of[class][y0][x0];
}

/* The n-th part of an axis that a sentence can name: all of it, one word, or from an end on. False:
   there is none left. */
static bool name_part(const struct steps *steps, uint32_t n, uint32_t *from, uint32_t *to) {
    uint32_t last = steps == NULL ? 0 : steps->count - 1;
    *from = 0;
    *to = last;
    if (n == 0)
        return true;
    if (steps == NULL || n > (steps->is_words ? last + 1 : 2 * last) || last == 0)
        return false;
    if (steps->is_words)
        *from = *to = n - 1;
    else if (n <= last)
        *from = n;
    else
        *to = n - last - 1;
    return true;
}

/* The largest set of two axes all of whose points are of a class; `best` is bettered only. */
static void look(const struct sums *sums, const struct steps *a, const struct steps *b, bool is_bad,
                 struct set *best) {
    enum class wide = is_bad ? CLASS_BAD : CLASS_GOOD, exact = is_bad ? CLASS_NEVER : CLASS_ALWAYS;
    struct set set = {.axes = {a, b}};
    for (uint32_t i = 0; name_part(a, i, &set.from[0], &set.to[0]); i++)
        for (uint32_t j = 0; name_part(b, j, &set.from[1], &set.to[1]); j++) {
            set.count = count_in(sums, wide, &set);
            if (set.count <= best->count || set.count < count_in(sums, CLASS_ANY, &set))
                continue;
            *best = set;
            best->is_exact = count_in(sums, exact, &set) == set.count;
        }
}

static bool is_whole(const struct set *set, int axis) {
    return set->axes[axis] == NULL ||
           (set->from[axis] == 0 && set->to[axis] + 1 == set->axes[axis]->count);
}

/* Cuts a number's figures to two, or to whole ones, away from the rest of its set, which it then
   still holds for: "3.915s" or less becomes "3.9s", "284.6/s" or more "285/s". */
static const char *rounded(const char *label, bool is_up, char *buffer, size_t size) {
    int64_t number = 0;
    int figures = 0, decimals = 0;
    bool has_point = false;
    const char *mark = label;
    for (; (*mark >= '0' && *mark <= '9') || (*mark == '.' && !has_point); mark++) {
        has_point = has_point || *mark == '.';
        if (*mark == '.')
            continue;
        number = number * 10 + (*mark - '0');
        figures += number > 0;
        decimals += has_point;
        if (figures > 15)
            return label;
    }
    for (; figures > 2 && decimals > 0; figures--, decimals--)
        number = number / 10 + (is_up && number % 10 != 0);
    if (mark == label || decimals > 6)
        return label;
    char text[32];
    double unit = 1;
    for (int i = 0; i < decimals; i++)
        unit *= 10;
    words_fixed((double)number / unit, decimals, text, sizeof text);
    snprintf(buffer, size, "%s%.20s", text, mark);
    return buffer;
}

/* "8 s or more" of the part of an axis from a step on, or up to it; the end of the axis as it
   is. */
static const char *bound_label(const struct steps *steps, uint32_t from, uint32_t to, char *buffer,
                               size_t size) {
    const char *label = from > 0 ? steps->low[from] : steps->high[to];
    bool is_end = from + 1 == steps->count || to == 0;
    return is_end || steps->is_words ? label : rounded(label, from > 0, buffer, size);
}

static const char *bound_words(const struct steps *steps, bool is_above) {
    bool is_counted = steps->axis->after[0] != '\0' && steps->axis->before[0] == '\0';
    return is_above ? "or more" : is_counted ? "or fewer" : "or less";
}

/* "a cap of 8 s or more" of the part of an axis that is in the set. */
static char *part_words(const struct set *set, int axis, char *buffer, size_t size) {
    const struct steps *steps = set->axes[axis];
    char label[WORDS_MAX];
    uint32_t from = set->from[axis], to = set->to[axis];
    bool is_one = strcmp(steps->low[from], steps->high[to]) == 0;
    return swept_phrase(steps->axis, bound_label(steps, from, to, label, sizeof label),
                        is_one ? "" : bound_words(steps, from > 0), buffer, size);
}

static const char *subject(const struct set *set, bool is_bad) {
    return is_bad ? (set->is_exact ? "no run recovers" : "almost no run recovers")
                  : (set->is_exact ? "every run recovers" : "almost every run recovers");
}

static void say(const struct set *set, bool is_bad, char *buffer, size_t size) {
    char words[SWEPT_TEXT_MAX];
    int said = 0;
    words_append(buffer, size, "%s", subject(set, is_bad));
    for (int i = 0; i < 2; i++)
        if (!is_whole(set, i))
            words_append(buffer, size, "%s%s", said++ == 0 ? " with " : " and ",
                         part_words(set, i, words, sizeof words));
    if (said == 2 || set->axes[1] == NULL)
        return;
    const char *first = is_whole(set, 0) ? set->axes[0]->axis->noun : NULL;
    const char *second = is_whole(set, 1) ? set->axes[1]->axis->noun : NULL;
    words_append(buffer, size, ", whatever the %s", first != NULL ? first : second);
    if (first != NULL && second != NULL)
        words_append(buffer, size, " and the %s", second);
}

/* Along one axis both ends can be said. */
static void say_other_end(const struct set *set, const struct set *other, char *buffer,
                          size_t size) {
    const struct steps *steps = set->axes[0];
    bool is_above = other->from[0] > 0;
    char value[WORDS_MAX];
    if (steps->is_words || other->count == 0 || is_whole(set, 0) || is_whole(other, 0) ||
        is_above == (set->from[0] > 0))
        return;
    char label[WORDS_MAX];
    words_append(
        buffer, size, ", %s with %s %s", other->is_exact ? "every one" : "almost every one",
        words_setting(bound_label(steps, other->from[0], other->to[0], label, sizeof label), value,
                      sizeof value),
        bound_words(steps, is_above));
}

/* Along one axis of words: those with which (almost) no run, or else every run, recovers. False:
   they are too many to name, or none. */
static bool say_words(const struct storm_sweep *sweep, const struct swept *axis, bool is_bad,
                      char *buffer, size_t size) {
    enum { NAMES_MAX = 3 };
    uint32_t found[NAMES_MAX], count = 0;
    bool is_exact = true;
    for (uint32_t i = 0; i < sweep->point_count; i++) {
        double share = storm_sweep_share(&sweep->points[i]);
        if (!(is_bad ? share <= FEW : share >= 1 - FEW))
            continue;
        if (count == NAMES_MAX)
            return false;
        is_exact = is_exact && (share <= 0 || share >= 1);
        found[count++] = i;
    }
    if (count == 0)
        return false;
    words_append(buffer, size, "%s with", subject(&(struct set){.is_exact = is_exact}, is_bad));
    for (uint32_t i = 0; i < count; i++)
        words_append(buffer, size, "%s %.60s",
                     i == 0           ? ""
                     : i + 1 == count ? (is_bad ? " or" : " and")
                                      : ",",
                     sweep->points[found[i]].labels[axis->index]);
    return true;
}

static void choose(const struct storm_sweep *sweep, const struct swept *only, const struct set *bad,
                   const struct set *good, char *buffer, size_t size) {
    struct storm_sweep_count count = storm_sweep_count(sweep);
    uint32_t bads = 0, goods = 0;
    for (uint32_t i = 0; i < sweep->point_count; i++) {
        double share = storm_sweep_share(&sweep->points[i]);
        bads += share <= FEW;
        goods += share >= 1 - FEW;
    }
    snprintf(buffer, size, "%s", sweep->complete ? "" : "so far ");
    bool is_said =
        only != NULL && only->is_words &&
        (say_words(sweep, only, true, buffer, size) || say_words(sweep, only, false, buffer, size));
    if (!is_said && bad->count > 0 && bad->count >= PART * bads) {
        say(bad, true, buffer, size);
        if (bad->axes[1] == NULL)
            say_other_end(bad, good, buffer, size);
    } else if (!is_said && good->count > 0 && good->count >= PART * goods) {
        say(good, false, buffer, size);
    } else if (!is_said) {
        char words[SWEPT_TEXT_MAX];
        sweep_count_words(&count, words, sizeof words);
        words_append(buffer, size, "%s", words);
    }
    if (buffer[0] >= 'a' && buffer[0] <= 'z')
        buffer[0] = (char)(buffer[0] - 'a' + 'A');
}

bool sweep_finding(const struct storm_sweep *sweep, const struct swept *axes, uint32_t axis_count,
                   struct arena *arena, char *buffer, size_t size) {
    assert(sweep != NULL && axis_count > 0);
    struct steps *steps = arena_take_array(arena, axis_count, sizeof *steps);
    struct sums *sums = arena_take(arena, sizeof *sums);
    struct set bad = {.count = 0}, good = {.count = 0};
    if (steps == NULL || sums == NULL)
        return false;
    for (uint32_t i = 0; i < axis_count; i++)
        if (!read_steps(sweep, &axes[i], arena, &steps[i]))
            return false;
    for (uint32_t i = 0; i < axis_count; i++)
        for (uint32_t j = i + 1; j < axis_count || (axis_count == 1 && j == 1); j++) {
            const struct steps *second = axis_count == 1 ? NULL : &steps[j];
            add_up(sweep, &steps[i], second, sums);
            look(sums, &steps[i], second, true, &bad);
            look(sums, &steps[i], second, false, &good);
        }
    choose(sweep, axis_count == 1 ? axes : NULL, &bad, &good, buffer, size);
    return true;
}
