/* fold.h: the runs of one variant become shares, means, medians and ranges, in run order. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TRIALS_FOLD_H
#define TRIALS_FOLD_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/results.h>
#include <retrystorm/run.h>

struct arena;

/* Makes room for `runs` values of every metric. False at the arena's limit. */
bool fold_metrics_begin(struct storm_variant *variant, uint32_t runs, struct arena *arena);

/* Enters run number `run`. */
void fold_run(struct storm_variant *variant, uint32_t run, const struct storm_run_result *result);

/* Works out the statistics of every metric over the runs in which it is a number. Sums run in run
   order. False at the limit of `arena`, which lends scratch space. */
bool fold_metrics_end(struct storm_variant *variant, struct arena *arena);

/* A run whose fate is the opposite of run 0's (came back, or did not), when at least 5 % of the
   runs share it; UINT32_MAX when there is none. */
uint32_t fold_ghost(const struct storm_variant *variant);

#endif
