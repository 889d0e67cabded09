/* tune.h: looks for the settings that are best for a goal and keep its constraints. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SEARCH_TUNE_H
#define SEARCH_TUNE_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/error.h>
#include <retrystorm/tune.h>

#include "analysis/criterion.h"
#include "analysis/measure.h"
#include "search/axis.h"
#include "search/probe.h"

struct arena;

enum { TUNE_MEASURES_MAX = 17, TUNE_FINALISTS = 5, TUNE_FINAL_TIMES = 3 };

/* What a point gave. */
enum tune_reply { TUNE_VALUES, TUNE_REFUSED, TUNE_FAILED };

/* Where values come from: the statistic of every measure over runs 0 .. runs - 1 of a point
   (values[axis]) into measured[measure]. TUNE_FAILED after filling `error`. */
struct tune_source {
    enum tune_reply (*measure)(void *context, const struct axis_value *values, uint32_t runs,
                               double *measured, struct storm_error *error);
    void *context;
};

struct tune_plan {
    const struct axis *axes; /* ranges without steps, or lists */
    uint32_t axis_count;
    struct goal goal;
    const struct criterion *constraints;
    uint32_t constraint_count;
    struct measure measures[TUNE_MEASURES_MAX]; /* of the goal and of each constraint */
    uint32_t runs;                              /* at each point */
    uint32_t budget;                            /* points */
    uint64_t seed;                              /* of the annealing's chance */
};

/* Half of the budget goes to points of Sobol's sequence. The other half goes, from the best of them
   on, to simplexes (Nelder and Mead) where every axis is a range of numbers, else to annealing. A
   point that keeps all constraints comes before one that does not; those are ordered by the goal,
   and these by how far they are from keeping them. All points have the same runs. At last the best
   five have three times as many runs, of which the best is chosen. Fills the points, best,
   runs, budget and is_complete of `tune`; strings and arrays are the arena's. False after filling
   `error`; what was tried until then is in `tune`. */
bool tune_search(const struct tune_plan *plan, const struct tune_source *source,
                 struct arena *arena, struct storm_tune *tune, struct storm_error *error);

/* The source of the runs of a probe. */
struct tune_probe {
    struct probe *probe;
    const struct tune_plan *plan;
    struct storm_errors
        *refusals; /* what the scenario has against the last point that it refused */
    struct arena *arena;
};

enum tune_reply tune_probe_measure(void *context, const struct axis_value *values, uint32_t runs,
                                   double *measured, struct storm_error *error);

/* Makes `runs` fresh runs (whose numbers follow those of the search) of the best point, of the
   scenario as it stands and of the variants named, and tells in `tune` how they compare. False
   after filling `errors` or `error`. */
bool tune_confirm(const struct tune_plan *plan, struct probe *probe, const char *const *variants,
                  uint32_t variant_count, uint32_t runs, struct arena *arena,
                  struct storm_tune *tune, struct storm_errors *errors, struct storm_error *error);

#endif
