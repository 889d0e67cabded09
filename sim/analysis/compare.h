/* compare.h: every variant against one of them, with as many runs as it takes to tell. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ANALYSIS_COMPARE_H
#define ANALYSIS_COMPARE_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/error.h>
#include <retrystorm/results.h>

struct arena;
struct trials;

enum { COMPARE_RUNS_MOST = 1000 };

struct compare_plan {
    uint32_t reference; /* of the variants */
    double tolerance;   /* see comparison_of */
    double precision;   /* 0: the first runs will do */
    uint32_t runs;      /* to begin with */
    uint32_t runs_most; /* where precision asks for more */
};

/* Fills the results' comparisons: the reference with every other variant; then, of variants that
   stand side by side when all are ranked by how often they recover, or by success in time, how sure
   that is. False at the arena's limit. */
bool compare_fill(struct storm_results *results, uint32_t reference, double tolerance,
                  struct arena *arena);

/* Whether all that leads (see storm_comparison_leads) is known so well: half the width of its
   interval is at most `precision` of the larger of the two values, or as much of a share. */
bool compare_is_precise(const struct storm_results *results, double precision);

/* Makes the runs, and then twice as many until they are precise or runs_most are made; returns the
   results with their comparisons. The width alone says when to stop, never what it lies
   about: whoever stops at the first finding finds too much. NULL only without memory; `error` says
   why there are fewer runs than asked for. */
struct storm_results *compare_trials(struct trials *trials, const struct compare_plan *plan,
                                     struct arena *arena, struct storm_error *error);

#endif
