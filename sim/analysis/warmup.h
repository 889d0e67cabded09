/* warmup.h: how much of a long run's beginning still shows how it was begun. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ANALYSIS_WARMUP_H
#define ANALYSIS_WARMUP_H

#include <stdint.h>

/* What to leave out of a series, and what the rest then says. */
struct warmup {
    uint32_t cut;     /* observations to leave out: a multiple of five */
    double statistic; /* the least marginal standard error, squared */
    double mean;      /* of the observations that stay */
};

/* MSER-5: of the means of batches of five, so many are left out at the beginning that the sum of
   squares about the mean of the k that stay, over k squared, is least; at most half of them, and
   the fewest where several are least. K. P. White, "An effective truncation heuristic for bias
   reduction in simulation output", Simulation 69 (1997), 323-334; K. P. White, M. J. Cobb and S. C.
   Spratt, "A comparison of five steady-state truncation heuristics for simulation", WSC 2000.
   Observations after the last whole batch count for the mean only. `count` is at least 5. A rule of
   thumb: it can fail where a slow drift is smaller than the noise. */
struct warmup warmup_mser5(const double *values, uint32_t count);

#endif
