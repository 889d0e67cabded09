/* limit.h: finds the value of one setting at which a criterion changes side, by bisection with as
   many runs at each value as it takes to tell. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SEARCH_LIMIT_H
#define SEARCH_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/error.h>
#include <retrystorm/limit.h>

#include "analysis/criterion.h"
#include "analysis/measure.h"
#include "search/axis.h"
#include "search/probe.h"

struct arena;

/* What a value gave. */
enum limit_reply { LIMIT_RUNS, LIMIT_REFUSED, LIMIT_FAILED };

/* Where the runs come from: leaves the measure's value in runs 0 .. runs - 1 in `values`, and
   whether they are the same to the last fact. LIMIT_FAILED after filling `error`. */
struct limit_source {
    enum limit_reply (*runs)(void *context, const struct axis_value *value, uint32_t runs,
                             double *values, bool *is_alike, struct storm_error *error);
    void *context;
};

struct limit_plan {
    const struct axis *axis; /* a range, or (no range) a path whose own value is `start` */
    enum axis_kind kind;     /* of its numbers */
    double start;
    struct criterion criterion;
    struct measure measure;
    double precision;  /* relative width of the interval */
    uint32_t runs;     /* of the first look at a value */
    uint32_t runs_max; /* of the last one */
};

/* At each value runs are added until the interval of the criterion's statistic lies on one side of
   its bound, until they turn out to be alike, or until there are `runs_max`: then what was seen
   decides, and is not proven. The looks share a probability of 5 % to be wrong, half of which the
   last one has. From a start, values are doubled and halved until the criterion is on the other
   side; in a range whose ends are on the same side, seven values within are looked at. Fills the
   readings, end, before, beyond, changes and confidence of `limit`; its strings are the arena's.
   False after filling `error`; what was read until then is in `limit` (STOPPED). */
bool limit_find(const struct limit_plan *plan, const struct limit_source *source,
                struct arena *arena, struct storm_limit *limit, struct storm_error *error);

/* The source of the runs of a probe. */
struct limit_probe {
    struct probe *probe;
    const struct limit_plan *plan;
    struct storm_errors *errors; /* what the scenario has against a value that failed */
};

enum limit_reply limit_probe_runs(void *context, const struct axis_value *value, uint32_t runs,
                                  double *values, bool *is_alike, struct storm_error *error);

#endif
