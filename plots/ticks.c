/* ticks.c: round numbers for axes, and times as an axis writes them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Talbot, Lin, Hanrahan: "An Extension of Wilkinson's Algorithm for Positioning Tick Labels on
   Axes", InfoVis 2010. Ours always begins at 0 and always covers the data, so the search over
   starts falls away, and legibility is constant. */

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <retrystorm/units.h>

#include "plots/ticks.h"
#include "plots/words.h"

/* Steps from the nicest on, as in the paper; and how many of them there are. */
static const double nice[] = {1, 5, 2, 2.5, 4, 3};
enum { NICE_COUNT = 6, TICKS_TARGET = 5, INTERVALS_MOST = 6 };

/* How many decimals a step needs: 2.5 needs one. */
static int decimals_of(double step) {
    assert(step > 0);
    int decimals = 0;
    for (double rest = step; decimals < 6 && fabs(rest - floor(rest + 0.5)) > rest * 1e-9;
         rest *= 10)
        decimals++;
    return decimals;
}

static double score(size_t rank, double most, double top, int intervals) {
    assert(top > 0 && most > 0);
    double simplicity = 1 - (double)rank / (NICE_COUNT - 1); /* - 1 (every step) + 1 (has 0) */
    double spare = (top - most) / (0.1 * most);
    double coverage = 1 - 0.5 * spare * spare;
    double ratio =
        intervals / (TICKS_TARGET - 1.0); /* both over the same length: top covers most */
    double density = 2 - fmax(ratio, 1 / ratio);
    return 0.25 * simplicity + 0.2 * coverage + 0.5 * density + 0.05;
}

struct ticks ticks_values(double most) {
    assert(isfinite(most) && most >= 0);
    if (most < 1e-6)
        return (struct ticks){.step = 1, .intervals = 1};
    struct ticks best = {0};
    double best_score = -(double)INFINITY;
    for (double unit = 1e-7; unit <= most; unit *= 10)
        for (size_t i = 0; i < NICE_COUNT; i++) {
            double step = nice[i] * (unit < 1 ? 1 / floor(1 / unit + 0.5) : floor(unit + 0.5));
            double needed = ceil(most / step - 1e-9);
            if (needed > INTERVALS_MOST || needed < 1)
                continue;
            double value = score(i, most, needed * step, (int)needed);
            if (value > best_score) {
                best_score = value;
                best = (struct ticks){.step = step, .intervals = (int)needed};
            }
        }
    assert(best.intervals > 0);
    return best;
}

struct ticks ticks_counts(double most, int intervals) {
    assert(isfinite(most) && most >= 0);
    assert(intervals > 0);
    static const double steps[] = {1, 2, 2.5, 5};
    for (double unit = 1; unit < 1e15; unit *= 10)
        for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
            double step = steps[i] * unit;
            if (step * intervals >= most && step == floor(step))
                return (struct ticks){.step = step, .intervals = intervals};
        }
    return (struct ticks){.step = ceil(most / intervals), .intervals = intervals};
}

/* One tick more is fine when the last one stands at the very end. */
static bool are_few(storm_time duration, storm_time step, int most) {
    assert(step > 0);
    storm_time count = duration / step + 1;
    return count <= most || (count == most + 1 && duration % step == 0);
}

storm_time ticks_time(storm_time duration, int most) {
    assert(duration > 0);
    assert(most >= 2);
    static const storm_time small[] = {1, 2, 5};
    static const storm_time ladder[] = {1,   2,   5,    10,   15,   30,    60,    120,  300,
                                        600, 900, 1800, 3600, 7200, 10800, 21600, 43200};
    for (storm_time unit = 1; unit < STORM_SECOND; unit *= 10)
        for (size_t i = 0; i < 3; i++)
            if (are_few(duration, small[i] * unit, most))
                return small[i] * unit;
    for (size_t i = 0; i < sizeof ladder / sizeof ladder[0]; i++)
        if (are_few(duration, ladder[i] * STORM_SECOND, most))
            return ladder[i] * STORM_SECOND;
    storm_time day = 86400 * STORM_SECOND;
    return day * (duration / (day * (most - 1)) + 1);
}

struct ticks_clock ticks_clock(storm_time duration, storm_time step) {
    assert(step > 0);
    if (duration > 6 * 3600 * STORM_SECOND && step % (1800 * STORM_SECOND) == 0)
        return (struct ticks_clock){3600 * STORM_SECOND, "h"};
    if (duration > 600 * STORM_SECOND && step % (30 * STORM_SECOND) == 0)
        return (struct ticks_clock){60 * STORM_SECOND, "min"};
    if (duration >= STORM_SECOND)
        return (struct ticks_clock){STORM_SECOND, "s"};
    return (struct ticks_clock){STORM_MILLISECOND, "ms"};
}

char *ticks_time_label(struct ticks_clock clock, storm_time step, storm_time time, bool is_last,
                       char *buffer, size_t size) {
    char number[WORDS_MAX];
    int decimals = 0;
    assert(clock.unit >= STORM_MILLISECOND);
    for (storm_time unit = clock.unit; decimals < 3 && (step % unit != 0 || time % unit != 0);
         unit /= 10)
        decimals++;
    if (time == 0)
        decimals = 0;
    double value = (double)time / (double)clock.unit;
    if (decimals > 0)
        words_fixed(value, decimals, number, sizeof number);
    else
        words_number(value, 0, number, sizeof number);
    snprintf(buffer, size, "%s%s%s", number, is_last ? WORDS_THIN : "", is_last ? clock.name : "");
    return buffer;
}

char *ticks_label(const struct ticks *ticks, int index, char *buffer, size_t size) {
    assert(ticks != NULL && index >= 0);
    assert(buffer != NULL && size >= WORDS_MAX);
    double top = ticks_top(ticks), value = index * ticks->step;
    double unit = top >= 1e10 ? 1e9 : top >= 1e7 ? 1e6 : 1;
    const char *suffix = unit >= 1e9 ? "G" : unit > 1 ? "M" : "";
    if (index == 0) {
        snprintf(buffer, size, "0");
        return buffer;
    }
    int decimals = decimals_of(ticks->step / unit);
    if (decimals > 0 || unit > 1)
        words_fixed(value / unit, decimals, buffer, size - 2);
    else
        words_number(value, 0, buffer, size - 2);
    size_t length = strlen(buffer);
    memcpy(buffer + length, suffix, strlen(suffix) + 1);
    return buffer;
}

double ticks_top(const struct ticks *ticks) {
    assert(ticks != NULL);
    assert(ticks->intervals > 0);
    return ticks->step * ticks->intervals;
}
