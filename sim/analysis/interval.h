/* interval.h: how sure a mean is. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ANALYSIS_INTERVAL_H
#define ANALYSIS_INTERVAL_H

#include <retrystorm/results.h>

/* Fills lo and hi of every metric with the 95 % interval of its mean over independent runs: mean -+
   t(.975, n - 1) s / sqrt(n). Fewer than two values leave NaN. Constant values give an interval of
   width 0. */
void interval_fill(struct storm_results *results);

#endif
