/* batch.h: single runs of any scenarios, on all cores, for those who look at values only. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TRIALS_BATCH_H
#define TRIALS_BATCH_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <retrystorm/error.h>
#include <retrystorm/fact.h>
#include <retrystorm/results.h>
#include <retrystorm/run.h>
#include <retrystorm/scenario.h>

struct arena;

/* What every run of a batch has in common. */
struct batch_rules {
    uint64_t seed;
    uint32_t threads;    /* 0: as many as there are processors */
    uint64_t max_events; /* of one run; 0: the default */
    size_t max_memory;   /* of one run; 0: the default */
    const volatile sig_atomic_t *stop;
    /* Called in the calling thread about ten times a second with the jobs done; may be NULL. */
    void (*progress)(void *context, uint32_t done, uint64_t events);
    void *progress_context;
};

/* Run number `run` of a scenario: the same whatever batch it is part of. */
struct batch_job {
    const struct storm_scenario *scenario;
    uint32_t run;
    struct storm_listener also; /* hears the run, in the job's thread; unset: nobody */
};

/* Makes the runs and leaves each result (without curves; its metrics are the arena's, in the order
   of storm_run_metrics) at its job's index. Returns how many were done, counted from the first to
   the first that was not; fewer than `count` after filling `error`. */
uint32_t batch_run(const struct batch_rules *rules, const struct batch_job *jobs, uint32_t count,
                   struct storm_run_result *results, struct arena *arena,
                   struct storm_error *error);

/* The runs of one scenario as a variant: its metrics with per_run, statistics and verdicts; no
   curves, spans or settings. results[run] are those of runs 0 .. runs - 1. NULL at the arena's
   limit. */
struct storm_variant *batch_fold(const char *name, const struct storm_scenario *scenario,
                                 const struct storm_run_result *results, uint32_t runs,
                                 struct arena *arena);

#endif
