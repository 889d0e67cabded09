/* run.h: one run of a scenario: the world is built, lives, is measured and is taken down. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RETRYSTORM_RUN_H
#define RETRYSTORM_RUN_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <retrystorm/error.h>
#include <retrystorm/fact.h>
#include <retrystorm/results.h>
#include <retrystorm/scenario.h>

struct arena;

/* Which run, and how far it may go. Zeroed limits mean the defaults below. */
struct storm_run_options {
    uint64_t seed;
    uint32_t run;
    uint64_t max_events;
    size_t max_memory;
    bool with_series;
    storm_time bin_width; /* of the series; 0: storm_run_bin_width of the run's own length */
    storm_time duration;  /* of a run until idle, when its length is known; 0: the run lives twice,
                             first to learn when it ends */
    struct storm_listener also; /* hears every fact too, when `hear` is set */
    const volatile sig_atomic_t
        *stop; /* non-zero ends the run early (STORM_INTERRUPTED); may be NULL */
};

#define STORM_MAX_EVENTS_DEFAULT UINT64_C(20000000000)
#define STORM_MAX_MEMORY_DEFAULT ((size_t)4 << 30)

/* What one run gave. Arrays are the arena's; names are not repeated here (see
   storm_run_metrics). */
struct storm_run_result {
    enum storm_verdict verdict;
    double *metrics;     /* in the order of storm_run_metrics */
    storm_time duration; /* the scenario's, or when a run until idle ended (at least 1 ms) */
    uint32_t series_count, bin_count;
    struct storm_series *series; /* empty unless asked for */
    uint32_t alarm_count;
    struct storm_alarm *alarms; /* the first thousand, in the order of their times */
    uint64_t digest;            /* of every fact, in order */
    uint64_t events;
};

/* Simulates one run. Results go into `arena`; the run's own memory is given back. The books are
   audited (asserted) at the end. False after filling `error`: STORM_LIMIT or STORM_INTERRUPTED (the
   result is then not usable), or STORM_INVALID for a loop without delay. */
bool storm_run(const struct storm_scenario *scenario, const struct storm_run_options *options,
               struct arena *arena, struct storm_run_result *result, struct storm_error *error);

/* Simulates one run for its listener (`also`) alone: nothing is recorded, measured or audited. It
   ends early, and that is no error, when `stop` becomes non-zero: a listener that has heard enough
   may see to that. False after filling `error`, as above. */
bool storm_run_hear(const struct storm_scenario *scenario, const struct storm_run_options *options,
                    struct storm_error *error);

/* The metrics of a scenario: names, units and directions; the statistics are zero. Strings and
   array are the arena's; NULL at its limit. */
struct storm_metric *storm_run_metrics(const struct storm_scenario *scenario, struct arena *arena,
                                       uint32_t *count);

/* The shortest run that is recorded. */
#define STORM_RUN_LEAST STORM_MILLISECOND

/* The width of the bins in which series are kept: a nice step that cuts a duration into at most 400
   of them. */
storm_time storm_run_bin_width(storm_time duration);

#endif
