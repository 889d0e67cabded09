/* tune.h: looks for the settings that are best for a goal and keep its constraints. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SEARCH_TUNE_H
#define SEARCH_TUNE_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/error.h>
#include <retrystorm/tune.h>

#include "search/probe.h"
#include "search/tune_plan.h"

struct arena;

/* So many points have so many times as many runs at last. */
enum { TUNE_FINALISTS = 5, TUNE_FINAL_TIMES = 3 };

/* Half of the budget goes to points of Sobol's sequence. The other half goes, from the best of them
   on, to simplexes (Nelder and Mead) where every axis is a range of numbers, else to annealing. A
   point that keeps all constraints comes before one that does not; those are ordered by the goal,
   and these by how far they are from keeping them. All points have the same runs. At last the best
   five have three times as many runs, of which the best is chosen. Fills the points, best,
   runs, budget and is_complete of `tune`; strings and arrays are the arena's. False after filling
   `error`; what was tried until then is in `tune`. */
bool tune_search(const struct tune_plan *plan, const struct tune_source *source,
                 struct arena *arena, struct storm_tune *tune, struct storm_error *error);

/* Makes `runs` fresh runs (whose numbers follow those of the search) of the best point, of the
   scenario as it stands and of the variants named, and tells in `tune` how they compare. False
   after filling `errors` or `error`. */
bool tune_confirm(const struct tune_plan *plan, struct probe *probe, const char *const *variants,
                  uint32_t variant_count, uint32_t runs, struct arena *arena,
                  struct storm_tune *tune, struct storm_errors *errors, struct storm_error *error);

#endif
