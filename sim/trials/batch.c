/* batch.c: single runs of any scenarios, on all cores, for those who look at values only. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trials/batch.h"

#include <assert.h>
#include <stdatomic.h>
#include <string.h>

#include "base/arena.h"
#include "trials/first_error.h"
#include "trials/fold.h"
#include "trials/pool.h"

/* What one job leaves behind: as many values as its scenario has metrics. */
struct row {
    bool done;
    uint32_t metric_count;
    double *metrics;
};

struct batch {
    const struct batch_rules *rules;
    const struct batch_job *jobs;
    struct row *rows;
    struct storm_run_result *results;
    atomic_ullong events;
    struct first_error first;
};

enum { RESULT_MEMORY = 1 << 30 };

static bool do_job(void *context, uint32_t index) {
    struct batch *batch = context;
    const struct batch_job *job = &batch->jobs[index];
    struct row *row = &batch->rows[index];
    struct storm_run_options options = {.seed = batch->rules->seed,
                                        .run = job->run,
                                        .max_events = batch->rules->max_events,
                                        .max_memory = batch->rules->max_memory,
                                        .also = job->also,
                                        .stop = batch->rules->stop};
    struct storm_run_result result = {.events = 0};
    struct storm_error error;
    struct arena passing;
    arena_init(&passing, RESULT_MEMORY);
    row->done = storm_run(job->scenario, &options, &passing, &result, &error);
    if (row->done) {
        memcpy(row->metrics, result.metrics, row->metric_count * sizeof *row->metrics);
        batch->results[index] = (struct storm_run_result){.verdict = result.verdict,
                                                          .metrics = row->metrics,
                                                          .duration = result.duration,
                                                          .digest = result.digest,
                                                          .events = result.events};
    } else {
        first_error_note(&batch->first, index, &error);
    }
    arena_free(&passing);
    atomic_fetch_add(&batch->events, result.events);
    return row->done;
}

static void tick(void *context, uint32_t done) {
    struct batch *batch = context;
    const struct batch_rules *rules = batch->rules;
    if (rules->progress != NULL) {
        rules->progress(rules->progress_context, done, atomic_load(&batch->events));
    }
}

/* Takes room for every job's values. Neighbours mostly share their scenario. */
static bool begin(struct batch *batch, uint32_t count, struct arena *arena) {
    batch->rows = arena_take_array(arena, count, sizeof *batch->rows);
    for (uint32_t i = 0; batch->rows != NULL && i < count; i++) {
        struct row *row = &batch->rows[i];
        struct arena passing;
        arena_init(&passing, RESULT_MEMORY);
        if (i > 0 && batch->jobs[i].scenario == batch->jobs[i - 1].scenario) {
            row->metric_count = row[-1].metric_count;
        } else {
            storm_run_metrics(batch->jobs[i].scenario, &passing, &row->metric_count);
        }
        row->metrics = arena_take_array(arena, row->metric_count, sizeof *row->metrics);
        arena_free(&passing);
        if (row->metrics == NULL) {
            return false;
        }
    }
    return batch->rows != NULL;
}

static uint32_t count_done(const struct batch *batch, uint32_t count) {
    uint32_t done = 0;
    while (done < count && batch->rows[done].done) {
        done++;
    }
    return done;
}

uint32_t batch_run(const struct batch_rules *rules, const struct batch_job *jobs, uint32_t count,
                   struct storm_run_result *results, struct arena *arena,
                   struct storm_error *error) {
    struct batch batch = {.rules = rules, .jobs = jobs, .results = results};
    struct pool_work work = {do_job, tick, &batch};
    assert(jobs != NULL && results != NULL);
    *error = (struct storm_error){.status = STORM_OK};
    if (!begin(&batch, count, arena)) {
        storm_fail(error, STORM_LIMIT, "no memory for the results of %u runs", count);
        return 0;
    }
    first_error_begin(&batch.first);
    pool_run(&work, count, rules->threads);
    uint32_t done = count_done(&batch, count);
    if (done < count) {
        *error = batch.first.error;
    }
    first_error_end(&batch.first);
    return done;
}

struct storm_variant *batch_fold(const char *name, const struct storm_scenario *scenario,
                                 const struct storm_run_result *results, uint32_t runs,
                                 struct arena *arena) {
    struct storm_variant *variant = arena_take(arena, sizeof *variant);
    if (variant == NULL) {
        return NULL;
    }
    variant->name = name;
    variant->runs_done = runs;
    variant->ghost_run = UINT32_MAX;
    variant->metrics = storm_run_metrics(scenario, arena, &variant->metric_count);
    variant->verdict_per_run = arena_take_array(arena, runs, sizeof(uint8_t));
    if (variant->metrics == NULL || variant->verdict_per_run == NULL ||
        !fold_metrics_begin(variant, runs, arena)) {
        return NULL;
    }
    for (uint32_t run = 0; run < runs; run++) {
        fold_run(variant, run, &results[run]);
    }
    return fold_metrics_end(variant, arena) ? variant : NULL;
}
