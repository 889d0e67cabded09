/* measure.h: one number of every run, found by a name that people use, and statistics of it. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ANALYSIS_MEASURE_H
#define ANALYSIS_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <retrystorm/error.h>
#include <retrystorm/results.h>

/* What a name stands for: "recovers" (1 for a run that ends in its healthy band, else 0), a metric
   ("amplification.db"), or a metric's name without its place ("amplification": in each run the
   worst of the places, the greatest where neither direction is good). */
struct measure {
    const char *name; /* as it was asked for: it must live as long as the measure */
    const char *unit;
    enum storm_better better;
    bool is_share_of_runs; /* "recovers" */
};

/* What the share of the runs that recover is measured by. */
struct measure measure_of_recovery(void);

/* Finds what `name` stands for among a variant's metrics; it needs no runs. False after filling
   `error` (STORM_INVALID, with a suggestion). */
bool measure_find(const struct storm_variant *variant, const char *name, struct measure *measure,
                  struct storm_error *error);

/* Its value in each of the variant's runs_done runs, into values[runs_done]. time_to_recover is
   +inf in a run that does not come back and 0 in one that was never harmed; where a run has no
   value otherwise, NaN. "recovers" has none where there is no verdict: without a trigger, or when
   the run is too short to tell. */
void measure_values(const struct storm_variant *variant, const struct measure *measure,
                    double *values);

/* What of the runs' values is looked at. */
enum statistic_kind { STATISTIC_USUAL, STATISTIC_MEAN, STATISTIC_QUANTILE };

/* USUAL: the share of "recovers", the median of everything else. `quantile`: 0 is the least value,
   .5 the median, .95 p95, 1 the greatest. */
struct statistic {
    enum statistic_kind kind;
    double quantile;
};

/* "median", "mean", "min", "max", "p95", "p99.9". False for any other word. */
bool statistic_parse(const char *word, size_t length, struct statistic *statistic);

/* Writes its word ("" for USUAL). Returns `buffer`. */
const char *statistic_print(const struct statistic *statistic, char *buffer, size_t size);

/* The statistic of values[count]; NaN values are left out, and of none it is NaN. Sorts `values`. A
   quantile is the smallest value that at least so large a share of the values does not exceed; the
   median is the middle of two. */
double statistic_of(const struct statistic *statistic, const struct measure *measure,
                    double *values, uint32_t count);

#endif
