/* hist.h: a histogram of durations with logarithmic buckets: any quantile within 1 %. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BASE_HIST_H
#define BASE_HIST_H

#include <stdint.h>

#include <retrystorm/units.h>

/* Each power of two is cut into 64 equal buckets (relative width 1/64, so the midpoint is within
   0.8 %); values below 64 ns are exact. Covers [0, STORM_NEVER]. */
enum { HIST_SUB_BITS = 6, HIST_BUCKETS = (63 - HIST_SUB_BITS) << HIST_SUB_BITS };

/* A zeroed histogram is empty. Merging is exact: bucket counts add. */
struct hist {
    uint64_t count;
    storm_time min, max;
    double sum; /* seconds */
    uint64_t buckets[HIST_BUCKETS];
};

/* Counts one duration (>= 0). */
void hist_record(struct hist *hist, storm_time value);

/* Adds all of `other` to `hist`. */
void hist_merge(struct hist *hist, const struct hist *other);

/* The q-quantile (0 <= q <= 1) within 1 % of a recorded value (nearest-rank); exact at q = 0 and 1.
   0 when empty. */
storm_time hist_quantile(const struct hist *hist, double q);

#endif
