/* criterion.h: what is asked of the runs, in words: "recovers >= 99%", "dead_letters p95 < 10",
   "min time_to_recover". */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ANALYSIS_CRITERION_H
#define ANALYSIS_CRITERION_H

#include <stdbool.h>

#include <retrystorm/error.h>
#include <retrystorm/results.h>
#include <retrystorm/units.h>

#include "analysis/measure.h"

enum { CRITERION_NAME_MAX = 128 };

enum relation { RELATION_LESS, RELATION_AT_MOST, RELATION_MORE, RELATION_AT_LEAST };

/* METRIC [STATISTIC] RELATION BOUND. A bound in x of a load ("peak_load < 2x") means the metric
   that is a multiple of the capacity (peak_load_capacity). */
struct criterion {
    char name[CRITERION_NAME_MAX]; /* of the metric, "recovers", or a metric without its place */
    struct statistic statistic;
    enum relation relation;
    double bound;         /* in the metric's unit: seconds, per second, shares as .99 */
    enum storm_unit unit; /* that the bound was written with; a plain number is a count */
};

/* min|max METRIC [STATISTIC] */
struct goal {
    char name[CRITERION_NAME_MAX];
    struct statistic statistic;
    bool is_max;
};

/* Read the whole text; blanks may stand around every part. False after filling `error`
   (STORM_USAGE: what is wrong, and an example). Whether there is such a metric is seen by
   measure_find. */
bool criterion_parse(const char *text, struct criterion *criterion, struct storm_error *error);
bool goal_parse(const char *text, struct goal *goal, struct storm_error *error);

/* Whether the bound is a number of the kind that is measured: "recovers < 99" and "peak_load < 2s"
   are not. A plain number is in the metric's own unit. False after filling `error`
   (STORM_USAGE). */
bool criterion_fits(const struct criterion *criterion, const struct measure *measure,
                    struct storm_error *error);

/* Whether a value keeps the bound. NaN does not. */
bool criterion_holds(const struct criterion *criterion, double value);

/* "<", "<=", ">", ">=" */
const char *relation_word(enum relation relation);

#endif
