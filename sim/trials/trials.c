/* trials.c: many runs of the variants of a scenario, joined by their index, whatever thread
   finished them when. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trials/trials.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include <retrystorm/run.h>

#include "base/arena.h"
#include "base/stream.h"
#include "trials/fold.h"
#include "trials/pool.h"
#include "trials/spans.h"

/* What one job leaves at its index. */
struct outcome {
    bool done;
    struct storm_run_result result; /* metrics among `values`; series of run 0 in its arena */
};

/* What the runs of one variant share: the values of all metrics, and the memory of run 0. */
struct column {
    uint32_t metric_count;
    double *values; /* [run * metric_count + metric] */
    struct arena series;
};

struct trials {
    const struct trials_plan *plan;
    struct column *columns;
    struct outcome *outcomes; /* [run * variant_count + variant]: run 0 of all variants is first */
    atomic_ullong events;
    pthread_mutex_t lock; /* of the two below: the first error by index, whoever met it first */
    struct storm_error error;
    uint32_t error_index;
};

enum { RESULT_MEMORY = 1 << 30 };

static struct storm_run_options options_of(const struct trials_plan *plan, uint32_t run) {
    return (struct storm_run_options){.seed = plan->seed,
                                      .run = run,
                                      .max_events = plan->max_events,
                                      .max_memory = plan->max_memory,
                                      .stop = plan->stop};
}

static void note_error(struct trials *trials, uint32_t index, const struct storm_error *error) {
    pthread_mutex_lock(&trials->lock);
    if (trials->error.status == STORM_OK || index < trials->error_index) {
        trials->error = *error;
        trials->error_index = index;
    }
    pthread_mutex_unlock(&trials->lock);
}

static bool do_job(void *context, uint32_t index) {
    struct trials *trials = context;
    const struct trials_plan *plan = trials->plan;
    uint32_t variant = index % plan->variant_count, run = index / plan->variant_count;
    struct outcome *outcome = &trials->outcomes[index];
    struct column *column = &trials->columns[variant];
    struct storm_run_options options = options_of(plan, run);
    struct storm_error error;
    struct arena passing; /* only run 0 keeps its curves */
    arena_init(&passing, RESULT_MEMORY);
    if (run == 0) {
        options.with_series = true;
        options.also = plan->variants[variant].also;
    }
    outcome->done = storm_run(plan->variants[variant].scenario, &options,
                              run == 0 ? &column->series : &passing, &outcome->result, &error);
    if (outcome->done) {
        double *row = &column->values[(size_t)run * column->metric_count];
        memcpy(row, outcome->result.metrics, column->metric_count * sizeof *row);
        outcome->result.metrics = row;
    } else {
        note_error(trials, index, &error);
    }
    arena_free(&passing);
    atomic_fetch_add(&trials->events, outcome->result.events);
    return outcome->done;
}

static void tick(void *context, uint32_t done) {
    struct trials *trials = context;
    const struct trials_plan *plan = trials->plan;
    if (plan->progress != NULL) {
        plan->progress(plan->progress_context, done, plan->runs * plan->variant_count,
                       atomic_load(&trials->events));
    }
}

/* How many runs, counted from run 0, every variant has finished. */
static uint32_t finished_runs(const struct trials *trials, struct storm_error *error) {
    const struct trials_plan *plan = trials->plan;
    uint32_t total = plan->runs * plan->variant_count, done = 0;
    while (done < total && trials->outcomes[done].done) {
        done++;
    }
    if (done < total) {
        *error = trials->error;
    }
    return done / plan->variant_count;
}

static bool copy_series(struct arena *arena, uint32_t bins, const struct storm_run_result *result,
                        struct storm_series **series, uint32_t *count) {
    *series = arena_take_array(arena, result->series_count, sizeof **series);
    if (*series == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < result->series_count; i++) {
        (*series)[i] = result->series[i];
        (*series)[i].values = arena_take_array(arena, bins, sizeof(double));
        if ((*series)[i].values == NULL) {
            return false;
        }
        memcpy((*series)[i].values, result->series[i].values, bins * sizeof(double));
    }
    *count = result->series_count;
    return true;
}

/* Runs the ghost of a variant again, this time with its curves. */
static bool draw_ghost(const struct trials *trials, struct storm_results *results, uint32_t index,
                       struct arena *arena) {
    const struct trials_plan *plan = trials->plan;
    struct storm_variant *variant = &results->variants[index];
    variant->ghost_run = fold_ghost(variant);
    if (variant->ghost_run == UINT32_MAX) {
        return true;
    }
    struct storm_run_options options = options_of(plan, variant->ghost_run);
    struct storm_run_result result;
    struct storm_error error;
    options.with_series = true;
    options.stop = NULL;
    bool done = storm_run(plan->variants[index].scenario, &options, arena, &result, &error);
    variant->ghost_series = result.series;
    variant->ghost_series_count = result.series_count;
    return done;
}

static bool fill_variant(const struct trials *trials, struct storm_results *results, uint32_t index,
                         struct arena *arena) {
    const struct trials_plan *plan = trials->plan;
    const struct trials_variant *source = &plan->variants[index];
    struct storm_variant *variant = &results->variants[index];
    uint32_t runs = results->runs;
    variant->name = source->name;
    variant->runs_done = runs;
    variant->setting_count = source->setting_count;
    variant->settings = source->settings;
    variant->ghost_run = UINT32_MAX;
    variant->metrics = storm_run_metrics(source->scenario, arena, &variant->metric_count);
    variant->verdict_per_run = arena_take_array(arena, runs, sizeof(uint8_t));
    if (variant->metrics == NULL || variant->verdict_per_run == NULL ||
        !fold_metrics_begin(variant, runs, arena)) {
        return false;
    }
    for (uint32_t run = 0; run < runs; run++) {
        fold_run(variant, run, &trials->outcomes[run * plan->variant_count + index].result);
    }
    if (!fold_metrics_end(variant, arena)) {
        return false;
    }
    if (runs > 0) {
        const struct storm_run_result *first = &trials->outcomes[index].result;
        variant->digest = first->digest;
        if (!copy_series(arena, results->bin_count, first, &variant->series,
                         &variant->series_count)) {
            return false;
        }
    }
    return spans_of(source->scenario, arena, &variant->spans, &variant->span_count) &&
           draw_ghost(trials, results, index, arena);
}

/* One hash over every effective parameter of every variant. */
static void hash_settings(const struct trials_plan *plan, char hash[17]) {
    uint64_t sum = 0;
    for (uint32_t v = 0; v < plan->variant_count; v++) {
        for (uint32_t i = 0; i < plan->variants[v].setting_count; i++) {
            const char *texts[] = {plan->variants[v].settings[i].path,
                                   plan->variants[v].settings[i].value};
            for (int t = 0; t < 2; t++) {
                for (const char *c = texts[t]; *c != '\0'; c++) {
                    sum = stream_mix64(sum + (unsigned char)*c + 1);
                }
                sum = stream_mix64(sum ^ UINT64_C(0x9E3779B97F4A7C15));
            }
        }
    }
    snprintf(hash, 17, "%016llx", (unsigned long long)sum);
}

static bool fill_results(const struct trials *trials, struct storm_results *results,
                         struct arena *arena) {
    const struct trials_plan *plan = trials->plan;
    const struct storm_scenario *first = plan->variants[0].scenario;
    results->title = first->title;
    results->question = first->question;
    results->file = plan->file;
    results->overrides = plan->overrides != NULL ? plan->overrides : "";
    results->seed = plan->seed;
    results->duration = first->duration;
    results->bin_width = storm_run_bin_width(first);
    results->bin_count = (uint32_t)((first->duration - 1) / results->bin_width + 1);
    results->variant_count = plan->variant_count;
    results->variants = arena_take_array(arena, plan->variant_count, sizeof *results->variants);
    hash_settings(plan, results->hash);
    for (uint32_t i = 0; results->variants != NULL && i < plan->variant_count; i++) {
        if (!fill_variant(trials, results, i, arena)) {
            return false;
        }
    }
    return results->variants != NULL;
}

static struct storm_results *run_all(struct trials *trials, struct arena *arena,
                                     struct storm_error *error) {
    const struct trials_plan *plan = trials->plan;
    struct pool_work work = {do_job, tick, trials};
    struct storm_results *results = arena_take(arena, sizeof *results);
    if (results == NULL) {
        return NULL;
    }
    pool_run(&work, plan->runs * plan->variant_count, plan->threads);
    results->runs = finished_runs(trials, error);
    results->complete = results->runs == plan->runs;
    return fill_results(trials, results, arena) ? results : NULL;
}

/* Takes room for what the jobs leave behind. */
static bool begin(struct trials *trials, struct arena *arena) {
    const struct trials_plan *plan = trials->plan;
    trials->outcomes =
        arena_take_array(arena, plan->runs * plan->variant_count, sizeof *trials->outcomes);
    trials->columns = arena_take_array(arena, plan->variant_count, sizeof *trials->columns);
    for (uint32_t i = 0; trials->columns != NULL && i < plan->variant_count; i++) {
        struct column *column = &trials->columns[i];
        arena_init(&column->series, RESULT_MEMORY);
        storm_run_metrics(plan->variants[i].scenario, &column->series, &column->metric_count);
        column->values = arena_take_array(arena, (size_t)plan->runs * column->metric_count,
                                          sizeof *column->values);
        if (column->values == NULL) {
            return false;
        }
    }
    return trials->outcomes != NULL && trials->columns != NULL;
}

struct storm_results *trials_run(const struct trials_plan *plan, struct arena *arena,
                                 struct storm_error *error) {
    assert(plan->variant_count > 0 && plan->runs > 0);
    struct trials trials = {.plan = plan};
    *error = (struct storm_error){.status = STORM_OK};
    pthread_mutex_init(&trials.lock, NULL);
    struct storm_results *results = begin(&trials, arena) ? run_all(&trials, arena, error) : NULL;
    if (results == NULL && error->status == STORM_OK) {
        storm_fail(error, STORM_LIMIT, "no memory for the results of %u runs", plan->runs);
    }
    for (uint32_t i = 0; trials.columns != NULL && i < plan->variant_count; i++) {
        arena_free(&trials.columns[i].series);
    }
    pthread_mutex_destroy(&trials.lock);
    return results;
}
