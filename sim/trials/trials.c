/* trials.c: many runs of the variants of a scenario, joined by their index, whatever thread
   finished them when. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trials/trials.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include <retrystorm/run.h>

#include "base/arena.h"
#include "trials/fingerprint.h"
#include "trials/first_error.h"
#include "trials/fold.h"
#include "trials/pool.h"
#include "trials/spans.h"

/* What one job leaves at its index. */
struct outcome {
    bool done;
    struct storm_run_result result; /* metrics among `values`; series of run 0 in its arena, but
                                       not of runs until idle: see draw_run */
};

/* What the runs of one variant share: the values of all metrics of the runs being made, and the
   memory of run 0. */
struct column {
    uint32_t metric_count;
    double *values; /* [(run - made) * metric_count + metric] */
    struct arena series;
};

struct trials {
    const struct trials_plan *plan;
    struct arena *arena;
    struct column *columns;
    struct outcome *outcomes; /* [run * variant_count + variant]: run 0 of all variants is first */
    uint32_t made, target;    /* runs of every variant before this step and after it */
    bool failed;              /* a step was not finished */
    atomic_ullong events;
    struct first_error first;
};

enum { RESULT_MEMORY = 1 << 30 };

static struct storm_run_options options_of(const struct trials_plan *plan, uint32_t run) {
    return (struct storm_run_options){.seed = plan->seed,
                                      .run = run,
                                      .max_events = plan->max_events,
                                      .max_memory = plan->max_memory,
                                      .stop = plan->stop};
}

static bool do_job(void *context, uint32_t job) {
    struct trials *trials = context;
    const struct trials_plan *plan = trials->plan;
    uint32_t index = trials->made * plan->variant_count + job;
    uint32_t variant = index % plan->variant_count, run = index / plan->variant_count;
    struct outcome *outcome = &trials->outcomes[index];
    struct column *column = &trials->columns[variant];
    struct storm_run_options options = options_of(plan, run);
    struct storm_error error;
    struct arena passing; /* only run 0 keeps its curves */
    arena_init(&passing, RESULT_MEMORY);
    if (run == 0) {
        options.with_series = plan->variants[variant].scenario->duration < STORM_NEVER;
        options.also = plan->variants[variant].also;
    }
    outcome->done = storm_run(plan->variants[variant].scenario, &options,
                              run == 0 ? &column->series : &passing, &outcome->result, &error);
    if (outcome->done) {
        double *row = &column->values[(size_t)(run - trials->made) * column->metric_count];
        memcpy(row, outcome->result.metrics, column->metric_count * sizeof *row);
        outcome->result.metrics = row;
    } else {
        first_error_note(&trials->first, index, &error);
    }
    arena_free(&passing);
    atomic_fetch_add(&trials->events, outcome->result.events);
    return outcome->done;
}

static void tick(void *context, uint32_t done) {
    struct trials *trials = context;
    const struct trials_plan *plan = trials->plan;
    if (plan->progress != NULL) {
        plan->progress(plan->progress_context, trials->made * plan->variant_count + done,
                       trials->target * plan->variant_count, atomic_load(&trials->events));
    }
}

/* How many runs, counted from run 0, every variant has finished. */
static uint32_t finished_runs(const struct trials *trials) {
    uint32_t variants = trials->plan->variant_count, total = trials->target * variants, done = 0;
    while (done < total && trials->outcomes[done].done) {
        done++;
    }
    return done / variants;
}

/* Copies the curves of a run into bins of the results. Where the run was over before them, there is
   nothing to show. */
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
        for (uint32_t bin = 0; bin < bins; bin++) {
            bool lived = bin < result->bin_count;
            (*series)[i].values[bin] = lived ? result->series[i].values[bin] : (double)NAN;
        }
    }
    *count = result->series_count;
    return true;
}

/* Makes one run of a variant again, this time with its curves, in bins of the results. */
static bool draw_run(const struct trials *trials, const struct storm_results *results,
                     uint32_t variant, uint32_t run, struct arena *arena,
                     struct storm_series **series, uint32_t *count) {
    const struct trials_plan *plan = trials->plan;
    const struct outcome *before = &trials->outcomes[run * plan->variant_count + variant];
    struct storm_run_options options = options_of(plan, run);
    struct storm_run_result result;
    struct storm_error error;
    struct arena passing;
    assert(before->done);
    arena_init(&passing, RESULT_MEMORY);
    options.with_series = true;
    options.stop = NULL;
    options.duration = before->result.duration;
    options.bin_width = results->bin_width;
    bool done = storm_run(plan->variants[variant].scenario, &options, &passing, &result, &error) &&
                copy_series(arena, results->bin_count, &result, series, count);
    arena_free(&passing);
    return done;
}

/* The curves of run 0 and of its ghost. */
static bool draw_variant(const struct trials *trials, const struct storm_results *results,
                         uint32_t index, struct arena *arena) {
    struct storm_variant *variant = &results->variants[index];
    const struct storm_run_result *first = &trials->outcomes[index].result;
    if (variant->runs_done == 0) {
        return true;
    }
    bool drawn = first->series_count > 0 ? copy_series(arena, results->bin_count, first,
                                                       &variant->series, &variant->series_count)
                                         : draw_run(trials, results, index, 0, arena,
                                                    &variant->series, &variant->series_count);
    return drawn && (variant->ghost_run == UINT32_MAX ||
                     draw_run(trials, results, index, variant->ghost_run, arena,
                              &variant->ghost_series, &variant->ghost_series_count));
}

/* The alarms of run 0. Their rules are its arena's, which is given back. */
static bool copy_alarms(const struct storm_run_result *result, struct storm_variant *variant,
                        struct arena *arena) {
    variant->alarm_count = result->alarm_count;
    variant->alarms = arena_take_array(arena, result->alarm_count, sizeof *variant->alarms);
    for (uint32_t i = 0; variant->alarms != NULL && i < result->alarm_count; i++) {
        const char *rule = result->alarms[i].rule;
        variant->alarms[i] = result->alarms[i];
        variant->alarms[i].rule = arena_copy_string(arena, rule, strlen(rule));
        if (variant->alarms[i].rule == NULL) {
            return false;
        }
    }
    return variant->alarms != NULL;
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
        variant->digest = trials->outcomes[index].result.digest;
        variant->ghost_run = fold_ghost(variant);
    }
    return runs == 0 || copy_alarms(&trials->outcomes[index].result, variant, arena);
}

/* The longest run of which there are curves. */
static storm_time longest_drawn(const struct trials *trials, const struct storm_results *results) {
    storm_time longest = STORM_RUN_LEAST;
    for (uint32_t v = 0; v < results->variant_count; v++) {
        const struct storm_variant *variant = &results->variants[v];
        const uint32_t runs[] = {0, variant->ghost_run};
        for (int i = 0; variant->runs_done > 0 && i < 2; i++) {
            if (runs[i] < variant->runs_done) {
                uint32_t job = runs[i] * results->variant_count + v;
                storm_time own = trials->outcomes[job].result.duration;
                longest = own > longest ? own : longest;
            }
        }
    }
    return longest;
}

/* One hash over every effective parameter of every variant. */
static void hash_settings(const struct trials_plan *plan, char hash[17]) {
    uint64_t sum = 0;
    for (uint32_t v = 0; v < plan->variant_count; v++) {
        const struct trials_variant *variant = &plan->variants[v];
        sum = fingerprint_settings(sum, variant->settings, variant->setting_count);
    }
    fingerprint_print(sum, hash);
}

/* All that lies on the common axis of time: as long as the scenario, or until all are idle. */
static bool draw_results(const struct trials *trials, struct storm_results *results,
                         struct arena *arena) {
    const struct trials_variant *variants = trials->plan->variants;
    storm_time duration = variants[0].scenario->duration;
    results->duration = duration < STORM_NEVER ? duration : longest_drawn(trials, results);
    results->bin_width = storm_run_bin_width(results->duration);
    results->bin_count = (uint32_t)((results->duration - 1) / results->bin_width + 1);
    for (uint32_t i = 0; i < results->variant_count; i++) {
        struct storm_variant *variant = &results->variants[i];
        if (!draw_variant(trials, results, i, arena) ||
            !spans_of(variants[i].scenario, results->duration, arena, &variant->spans,
                      &variant->span_count)) {
            return false;
        }
    }
    return true;
}

static bool fill_results(const struct trials *trials, struct storm_results *results) {
    const struct trials_plan *plan = trials->plan;
    const struct storm_scenario *first = plan->variants[0].scenario;
    results->title = first->title;
    results->question = first->question;
    results->file = plan->file;
    results->overrides = plan->overrides != NULL ? plan->overrides : "";
    results->seed = plan->seed;
    results->runs = finished_runs(trials);
    results->complete = !trials->failed;
    results->variant_count = plan->variant_count;
    results->variants =
        arena_take_array(trials->arena, plan->variant_count, sizeof *results->variants);
    hash_settings(plan, results->hash);
    for (uint32_t i = 0; results->variants != NULL && i < plan->variant_count; i++) {
        if (!fill_variant(trials, results, i, trials->arena)) {
            return false;
        }
    }
    return results->variants != NULL;
}

struct storm_results *trials_results(const struct trials *trials, bool with_curves,
                                     struct storm_error *error) {
    struct storm_results *results = arena_take(trials->arena, sizeof *results);
    if (results == NULL || trials->target == 0 || !fill_results(trials, results) ||
        (with_curves && !draw_results(trials, results, trials->arena))) {
        storm_fail(error, STORM_LIMIT, "no memory for the results of %u runs", trials->target);
        return NULL;
    }
    return results;
}

/* Takes room for the outcomes of more runs, and for their values. */
static bool grow(struct trials *trials, uint32_t runs) {
    uint32_t variants = trials->plan->variant_count;
    struct outcome *outcomes =
        arena_grow_array(trials->arena, trials->outcomes, (size_t)trials->made * variants,
                         (size_t)runs * variants, sizeof *outcomes);
    if (outcomes == NULL) {
        return false;
    }
    trials->outcomes = outcomes;
    for (uint32_t i = 0; i < variants; i++) {
        struct column *column = &trials->columns[i];
        size_t count = (size_t)(runs - trials->made) * column->metric_count;
        column->values = arena_take_array(trials->arena, count, sizeof *column->values);
        if (column->values == NULL) {
            return false;
        }
    }
    return true;
}

bool trials_extend(struct trials *trials, uint32_t runs, struct storm_error *error) {
    struct pool_work work = {do_job, tick, trials};
    uint32_t variants = trials->plan->variant_count;
    assert(!trials->failed && trials->made == trials->target);
    assert(runs > trials->made && runs <= UINT32_MAX / variants);
    trials->failed = true;
    if (!grow(trials, runs)) {
        return storm_fail(error, STORM_LIMIT, "no memory for the results of %u runs", runs);
    }
    trials->target = runs;
    pool_run(&work, (runs - trials->made) * variants, trials->plan->threads);
    if (finished_runs(trials) < runs) {
        *error = trials->first.error;
        return false;
    }
    trials->made = runs;
    trials->failed = false;
    return true;
}

struct trials *trials_begin(const struct trials_plan *plan, struct arena *arena,
                            struct storm_error *error) {
    assert(plan->variant_count > 0);
    struct trials *trials = arena_take(arena, sizeof *trials);
    struct column *columns = arena_take_array(arena, plan->variant_count, sizeof *columns);
    if (trials == NULL || columns == NULL) {
        storm_fail(error, STORM_LIMIT, "no memory for the results of %u variants",
                   plan->variant_count);
        return NULL;
    }
    trials->plan = plan;
    trials->arena = arena;
    trials->columns = columns;
    for (uint32_t i = 0; i < plan->variant_count; i++) {
        arena_init(&columns[i].series, RESULT_MEMORY);
        storm_run_metrics(plan->variants[i].scenario, &columns[i].series, &columns[i].metric_count);
    }
    first_error_begin(&trials->first);
    return trials;
}

void trials_end(struct trials *trials) {
    for (uint32_t i = 0; i < trials->plan->variant_count; i++) {
        arena_free(&trials->columns[i].series);
    }
    first_error_end(&trials->first);
}

struct storm_results *trials_run(const struct trials_plan *plan, struct arena *arena,
                                 struct storm_error *error) {
    assert(plan->runs > 0);
    *error = (struct storm_error){.status = STORM_OK};
    struct trials *trials = trials_begin(plan, arena, error);
    if (trials == NULL) {
        return NULL;
    }
    struct storm_error later;
    bool done = trials_extend(trials, plan->runs, error);
    struct storm_results *results = trials_results(trials, true, done ? error : &later);
    trials_end(trials);
    return results;
}
