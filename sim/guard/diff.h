/* diff.h: how the runs of two results differ. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef GUARD_DIFF_H
#define GUARD_DIFF_H

#include <stdbool.h>

#include <retrystorm/diff.h>
#include <retrystorm/error.h>
#include <retrystorm/results.h>

struct arena;

/* Compares the variants that both have, by their names; runs are pairs by their index. Settings
   that differ are listed, whatever their order. Fills all of `diff` but the files' names. False
   after filling `error`: STORM_INVALID when there are no pairs (another seed, no run, no variant in
   common), else STORM_LIMIT. */
bool diff_of(const struct storm_results *first, const struct storm_results *second,
             struct arena *arena, struct storm_diff *diff, struct storm_error *error);

#endif
