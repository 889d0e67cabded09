/* ticks.h: round numbers for axes, and times as an axis writes them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef PLOTS_TICKS_H
#define PLOTS_TICKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <retrystorm/units.h>

/* Ticks at 0, step, 2 step ... intervals * step. */
struct ticks {
    double step;
    int intervals;
};

/* The axis of values from 0 to at least `most` (finite, >= 0), by Talbot, Lin and Hanrahan's
   extended algorithm, aiming at five ticks. */
struct ticks ticks_values(double most);

/* The axis of whole counts from 0 to at least `most` that has exactly `intervals` intervals, so
   that a second axis shares the gridlines of the first. */
struct ticks ticks_counts(double most, int intervals);

/* The step of a time axis that is `duration` (> 0) long: the smallest of 1, 2, 5, 10, 15, 30 s and
   so on that gives at most `most` (>= 2) ticks, or one more when the last stands at the end. */
storm_time ticks_time(storm_time duration, int most);

/* The unit in which a time axis of this length and step counts: ms, s, min or h. */
struct ticks_clock {
    storm_time unit;
    const char *name;
};
struct ticks_clock ticks_clock(storm_time duration, storm_time step);

/* "0", "0.5", "1.0 s": with the decimals that the step needs, and the unit after the last one.
   WORDS_MAX + 8 bytes suffice; returned. */
char *ticks_time_label(struct ticks_clock clock, storm_time step, storm_time time, bool is_last,
                       char *buffer, size_t size);

/* The words of the index-th tick: all have the same unit and as many decimals, but the plain "0".
   WORDS_MAX bytes suffice; returned. */
char *ticks_label(const struct ticks *ticks, int index, char *buffer, size_t size);

/* The height of the axis: intervals * step. */
double ticks_top(const struct ticks *ticks);

#endif
