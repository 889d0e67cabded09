/* comparison.h: whether one variant is better than another, metric by metric. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ANALYSIS_COMPARISON_H
#define ANALYSIS_COMPARISON_H

#include <stdbool.h>

#include <retrystorm/results.h>

struct arena;

/* A difference is rarely worth a word below this: 1 % of the reference, or a point of a share. */
#define COMPARISON_TOLERANCE 0.01

/* The chance that any of a comparison's metrics is called different though it is not. */
#define COMPARISON_ALPHA 0.05

/* Pairs the runs of two variants by their index and asks of "recovers" and of every metric that
   both have (by name) how much the other differs from the reference (see paired.h): the mean of the
   differences, or, of metrics whose runs may end in two ways, their median; of "recovers" the
   difference of shares.

   The tests are Holm's over all metrics in which any pair differs: one whose pairs are all equal
   could not have been found, and takes nothing from the others. Every interval misses the truth by
   the chance that goes with its test (see holm.h), so that it holds 0 exactly when the test does
   not reject.

   `tolerance` is relative to the reference's value, and absolute where the unit is a share. A run
   in which only one of the two has a value is no pair, and a metric without pairs is left out.

   Fills `comparison` but for the places of the variants. False at the arena's limit. */
bool comparison_of(const struct storm_variant *reference, const struct storm_variant *other,
                   double tolerance, struct arena *arena, struct storm_comparison *comparison);

/* The same for one metric, or "recovers", and only for it. */
bool comparison_in(const struct storm_variant *reference, const struct storm_variant *other,
                   const char *metric, double tolerance, struct arena *arena,
                   struct storm_comparison *comparison);

/* What a difference amounts to, by its interval, its tolerance and the direction that is good: sets
   `change`. For who allows another tolerance. */
void comparison_judge(struct storm_difference *difference);

#endif
