/* ticks.h: round numbers for axes. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef PLOTS_TICKS_H
#define PLOTS_TICKS_H

#include <stdint.h>

#include <retrystorm/units.h>

/* Ticks at 0, step, 2 step ... intervals * step. */
struct ticks {
    double step;
    int intervals;
    int decimals; /* that its labels need */
};

/* The axis of values from 0 to at least `most` (finite, >= 0), by Talbot, Lin and Hanrahan's
   extended algorithm, aiming at five ticks. */
struct ticks ticks_values(double most);

/* The axis of whole counts from 0 to at least `most` that has exactly `intervals` intervals, so
   that a second axis shares the gridlines of the first. */
struct ticks ticks_counts(double most, int intervals);

/* The step of a time axis that is `duration` (> 0) long: the smallest of 1, 2, 5, 10, 15, 30 s and
   so on that gives at most `most` (>= 2) ticks. */
storm_time ticks_time(storm_time duration, int most);

/* The height of the axis: intervals * step. */
double ticks_top(const struct ticks *ticks);

#endif
