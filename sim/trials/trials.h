/* trials.h: many runs of the variants of a scenario, on all cores, joined by their index. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TRIALS_TRIALS_H
#define TRIALS_TRIALS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <retrystorm/error.h>
#include <retrystorm/fact.h>
#include <retrystorm/results.h>
#include <retrystorm/scenario.h>

struct arena;

/* One column of the comparison. Strings and arrays must outlive the results. */
struct trials_variant {
    const char *name;
    const struct storm_scenario *scenario;
    const struct storm_setting *settings; /* effective parameters, for the record and the hash */
    uint32_t setting_count;
    struct storm_listener also; /* hears run 0, in one thread; unset: nobody */
};

struct trials_plan {
    const char *file;      /* the scenario's base name */
    const char *overrides; /* of the command line, for the record; "" for none */
    const struct trials_variant *variants;
    uint32_t variant_count;
    uint32_t runs;    /* of trials_run */
    uint32_t threads; /* 0: as many as there are processors */
    uint64_t seed;
    uint64_t max_events; /* of one run; 0: the default */
    size_t max_memory;   /* of one run; 0: the default */
    const volatile sig_atomic_t *stop;
    /* Called in the calling thread about ten times a second; may be NULL. */
    void (*progress)(void *context, uint32_t done, uint32_t total, uint64_t events);
    void *progress_context;
};

/* Runs every variant `runs` times. Run k of every variant sees the same arrivals and the same luck.
   Returns the results in `arena` (the interval of each mean is left to the analysis layer). When a
   run fails or is interrupted, the runs that were finished are kept, `complete` is false, and
   `error` says why; NULL only without memory. */
struct storm_results *trials_run(const struct trials_plan *plan, struct arena *arena,
                                 struct storm_error *error);

/* The same in steps, for who learns from the runs whether more are needed. */
struct trials;

/* Takes room in `arena`, which must outlive the trials, as the plan must. No run is made yet. NULL
   after filling `error`. */
struct trials *trials_begin(const struct trials_plan *plan, struct arena *arena,
                            struct storm_error *error);

/* Makes runs until every variant has `runs`; those made before are kept. False after filling
   `error`: then no more can be made. */
bool trials_extend(struct trials *trials, uint32_t runs, struct storm_error *error);

/* The runs so far, as trials_run gives them; `with_curves` false: their values only, at next to no
   cost. What was made before the first that is missing counts. NULL after filling `error`. */
struct storm_results *trials_results(const struct trials *trials, bool with_curves,
                                     struct storm_error *error);

void trials_end(struct trials *trials);

#endif
