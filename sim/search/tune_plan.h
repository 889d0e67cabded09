/* tune_plan.h: what a tuning looks for, and what a point of it gives. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SEARCH_TUNE_PLAN_H
#define SEARCH_TUNE_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/error.h>

#include "analysis/criterion.h"
#include "analysis/measure.h"
#include "search/axis.h"
#include "search/probe.h"

struct arena;

enum { TUNE_MEASURES_MAX = 17 };

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

/* The statistic of a measure: of the goal (0), or of a constraint. */
const struct statistic *tune_statistic(const struct tune_plan *plan, uint32_t measure);

/* The values of a point, as one of a probe: "variant" stands for the scenario's variants. */
void tune_point(const struct tune_plan *plan, const char *const *labels, struct probe_point *point);

/* The source of the runs of a probe. */
struct tune_probe {
    struct probe *probe;
    const struct tune_plan *plan;
    struct storm_errors *refusals; /* of the last point that the scenario refused */
    struct arena *arena;
};

enum tune_reply tune_probe_measure(void *context, const struct axis_value *values, uint32_t runs,
                                   double *measured, struct storm_error *error);

#endif
