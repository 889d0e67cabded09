/* swept_ticks.c: where an axis of a sweep has ticks, and their words. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <retrystorm/results.h>
#include <retrystorm/sweep.h>
#include <retrystorm/units.h>

#include "base/mathx.h"
#include "plots/swept.h"
#include "plots/theme.h"
#include "plots/ticks.h"
#include "plots/type.h"
#include "plots/words.h"

/* Labels keep apart by so much along the axis, and round ticks stand about so far from each
   other. */
#define GAP 14.0
#define LINE 15.0
#define ROUND_ACROSS 84.0
#define ROUND_UPRIGHT 44.0
#define SHORT_RATIO 4.0 /* so short a range by ratios looks even: its ticks may be so */

enum { DIGITS_MOST = 3, TICKS_MOST = 10 };

static bool is_time(const struct swept *swept) { return strcmp(swept->axis->unit, "s") == 0; }

/* How many figures a number is written with: "1.576 s" has four, "1,500" two, "0.25" two. */
static size_t figures(const char *text) {
    size_t count = 0, zeros = 0;
    bool has_point = false;
    for (; strchr("0123456789.,-", *text) != NULL && *text != '\0'; text++) {
        has_point = has_point || *text == '.';
        if (*text < '0' || *text > '9' || (count == 0 && *text == '0'))
            continue;
        count++;
        zeros = *text == '0' ? zeros + 1 : 0;
    }
    return has_point ? count : count - zeros;
}

/* Where the unit of a label begins. */
static size_t unit_at(const char *text) { return strspn(text, "0123456789.,-"); }

/* A unit that all labels have stands on the last one only. */
static void share_unit(struct swept_tick *ticks, uint32_t count) {
    assert(ticks != NULL);
    for (uint32_t i = 0; i < count; i++) {
        const char *text = ticks[i].text;
        if (unit_at(text) == 0 ||
            strcmp(text + unit_at(text), ticks[0].text + unit_at(ticks[0].text)) != 0)
            return;
    }
    for (uint32_t i = 0; i + 1 < count; i++)
        ticks[i].text[unit_at(ticks[i].text)] = '\0';
}

/* What is free between two labels at cells that are `cell` px apart, at the least. */
static bool cells_fit(const struct swept *swept, double cell, bool is_upright) {
    double widest = 0;
    char text[WORDS_MAX];
    if (is_upright)
        return cell >= LINE;
    for (uint32_t i = 0; i < swept->count; i++)
        widest =
            fmax(widest, type_width(FONT_TICK, words_setting(swept->labels[i], text, sizeof text)));
    return cell >= widest + GAP;
}

static bool are_short(const struct swept *swept) {
    char text[WORDS_MAX];
    for (uint32_t i = 0; i < swept->count; i++)
        if (figures(words_setting(swept->labels[i], text, sizeof text)) > DIGITS_MOST)
            return false;
    return true;
}

/* A tick at each cell, or at every second or third where they do not fit; words that are wider than
   their cells are cut. */
static uint32_t at_cells(const struct swept *swept, double length, bool is_upright,
                         struct swept_tick *ticks) {
    double cell = length / swept->count;
    uint32_t step = 1, count = 0;
    char text[WORDS_MAX];
    bool is_cut = swept->is_words && !is_upright;
    while (!is_cut && !cells_fit(swept, cell * step, is_upright) && step < swept->count)
        step++;
    while (swept->count / step >= SWEPT_TICKS_MAX)
        step++;
    for (uint32_t i = 0; i < swept->count; i += step) {
        ticks[count].at = swept->centres[i];
        words_setting(swept->labels[i], text, sizeof text);
        type_fit(FONT_TICK, text, is_cut ? fmax(cell * step - GAP, 24) : 4096, ticks[count].text,
                 sizeof ticks[count].text);
        count++;
    }
    if (!swept->is_words)
        share_unit(ticks, count);
    return count;
}

static void write_number(const struct swept *swept, double number, char *buffer, size_t size) {
    char text[WORDS_MAX];
    const char *unit = swept->axis->unit;
    double shown = storm_unit_is_share(unit) ? 100 * number : number;
    if (is_time(swept)) {
        words_duration(storm_time_from_seconds(number), buffer, size);
        return;
    }
    words_number(shown, fabs(shown) < 1 ? 6 : 3, text, sizeof text);
    const char *suffix = strcmp(unit, "per s") == 0  ? "/s"
                         : storm_unit_is_share(unit) ? WORDS_THIN "%"
                         : strcmp(unit, "x") == 0    ? "×"
                                                     : "";
    snprintf(buffer, size, "%.40s%s", text, suffix);
}

static bool add_tick(const struct swept *swept, double number, struct swept_tick *ticks,
                     uint32_t *count) {
    double at = swept_at(swept, number);
    if (at < -1e-9 || at > 1 + 1e-9 || *count == SWEPT_TICKS_MAX || (is_time(swept) && number < 0))
        return false;
    ticks[*count].at = at;
    write_number(swept, number, ticks[*count].text, sizeof ticks[*count].text);
    (*count)++;
    return true;
}

/* Ticks at even steps over the numbers from `low` to `high`. */
static uint32_t at_steps(const struct swept *swept, double low, double high, int most,
                         struct swept_tick *ticks) {
    uint32_t count = 0;
    double range = high - low, step = 0;
    assert(range > 0 && most >= 2);
    if (is_time(swept)) {
        step = storm_time_to_seconds(ticks_time(storm_time_from_seconds(range), most));
    } else {
        double unit = swept->is_whole ? 1 : 1e-9;
        while (unit * 10 * (most - 1) < range)
            unit *= 10;
        static const double nice[] = {1, 2, 5, 10};
        for (size_t i = 0; i < 4 && step * (most - 1) < range; i++)
            step = nice[i] * unit;
    }
    for (double number = ceil(low / step - 1e-9); number * step <= high + step * 1e-9; number++)
        add_tick(swept, number * step, ticks, &count);
    return count;
}

/* Round numbers by ratios: the n-th of a row that is the finer the lower `level`. */
static double round_number(bool in_time, int level, int n) {
    static const double per_decade[3][3] = {{1, 2, 5}, {1, 3, 0}, {1, 0, 0}};
    static const int lengths[] = {3, 2, 1};
    static const double fine[] = {10,   20,   30,   60,    120,   300,   600,    1200,
                                  1800, 3600, 7200, 18000, 36000, 86400, 172800, 432000};
    static const double coarse[] = {10, 60, 600, 3600, 36000, 86400, 864000, 8640000};
    int first = 10 * lengths[level]; /* where 10 stands */
    if (in_time && n >= first) {
        size_t place = (size_t)(n - first);
        size_t count = level == 0 ? sizeof fine / sizeof fine[0] : sizeof coarse / sizeof coarse[0];
        return place < count ? (level == 0 ? fine : coarse)[place] : HUGE_VAL;
    }
    double unit = 1e-9;
    for (int i = 0; i < n / lengths[level]; i++)
        unit *= 10;
    return per_decade[level][n % lengths[level]] * unit;
}

static uint32_t at_level(const struct swept *swept, int level, struct swept_tick *ticks) {
    enum { NUMBERS_MAX = 80 };
    uint32_t count = 0;
    for (int n = 0; n < NUMBERS_MAX; n++) {
        double number = round_number(is_time(swept), level, n);
        if (isfinite(number))
            add_tick(swept, number, ticks, &count);
    }
    return count;
}

/* The finest row of which at most so many numbers lie on the axis, but two at least. */
static uint32_t at_ratios(const struct swept *swept, int most, struct swept_tick *ticks) {
    enum { LEVELS = 3 };
    int level = 0;
    uint32_t count = at_level(swept, level, ticks);
    while ((int)count > most && level + 1 < LEVELS)
        count = at_level(swept, ++level, ticks);
    return count < 2 && level > 0 ? at_level(swept, level - 1, ticks) : count;
}

static uint32_t at_round_numbers(const struct swept *swept, double length, bool is_upright,
                                 struct swept_tick *ticks) {
    int most = (int)(length / (is_upright ? ROUND_UPRIGHT : ROUND_ACROSS));
    uint32_t count = 0;
    most = most < 2 ? 2 : most > TICKS_MOST ? TICKS_MOST : most;
    bool by_ratios = swept->scale == SWEPT_RATIOS;
    if (by_ratios)
        count = at_ratios(swept, most, ticks);
    double low = by_ratios ? mathx_exp(swept->low) : swept->low;
    double high = by_ratios ? mathx_exp(swept->high) : swept->high;
    if (count < 2 || (count == 2 && high < SHORT_RATIO * low))
        do /* at least two: of one, nobody sees the scale */
            count = at_steps(swept, low, high, most++, ticks);
        while (count < 2 && most < TICKS_MOST);
    share_unit(ticks, count);
    return count;
}

uint32_t swept_ticks(const struct swept *swept, double length, bool is_upright,
                     struct swept_tick *ticks) {
    assert(swept != NULL && ticks != NULL);
    assert(length > 0);
    if (swept->is_words || swept->scale == SWEPT_SIDE_BY_SIDE)
        return at_cells(swept, length, is_upright, ticks);
    bool is_labelled =
        swept->count > 0 && are_short(swept) && cells_fit(swept, length / swept->count, is_upright);
    return is_labelled ? at_cells(swept, length, is_upright, ticks)
                       : at_round_numbers(swept, length, is_upright, ticks);
}
