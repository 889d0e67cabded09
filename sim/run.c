/* run.c: one run: scenario -> model on the engine -> facts -> recorder -> result. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <retrystorm/run.h>

#include <assert.h>
#include <stdio.h>

#include "base/arena.h"
#include "model/model.h"
#include "record/letter_record.h"
#include "record/metrics.h"
#include "record/recorder.h"
#include "record/recording.h"
#include "record/series.h"
#include "record/verdict.h"

/* How many events pass between two looks at the limits and at Ctrl-C. */
enum { EVENTS_AT_ONCE = 65536 };

/* Facts go to the recorder, and to a second listener when there is one. */
struct fork {
    struct recorder *recorder;
    struct storm_listener also;
};

static void hear_both(void *context, const struct storm_fact *fact) {
    struct fork *fork = context;
    recorder_hear(fork->recorder, fact);
    fork->also.hear(fork->also.context, fact);
}

static bool live(struct model *model, const struct storm_run_options *options,
                 struct storm_error *error) {
    uint64_t most = options->max_events > 0 ? options->max_events : STORM_MAX_EVENTS_DEFAULT;
    uint64_t stride;
    do {
        uint64_t left = most - model_events(model);
        if (options->stop != NULL && *options->stop != 0) {
            return storm_fail(error, STORM_INTERRUPTED, "interrupted");
        }
        if (left == 0) {
            return storm_fail(error, STORM_LIMIT, "the run passed %llu events; raise --max-events",
                              (unsigned long long)most);
        }
        stride = left < EVENTS_AT_ONCE ? left : EVENTS_AT_ONCE;
    } while (model_advance(model, stride));
    if (model_error(model)->status != STORM_OK) {
        *error = *model_error(model);
        return false;
    }
    return true;
}

static bool measure(struct recorder *recorder, const struct storm_run_options *options,
                    struct arena *arena, struct storm_run_result *result,
                    struct storm_error *error) {
    const struct storm_scenario *scenario = recorder->scenario;
    struct verdict verdict = verdict_judge(recorder);
    result->verdict = verdict.word;
    result->duration = recorder->duration;
    result->bin_count = recorder->bin_count;
    result->digest = recorder->digest;
    result->metrics = arena_take_array(arena, metrics_count(scenario), sizeof(double));
    if (result->metrics != NULL) {
        metrics_measure(recorder, &verdict, result->metrics);
    }
    if (options->with_series) {
        result->series = series_copy(recorder, arena, &result->series_count);
    }
    bool told = letter_record_copy(recorder, arena, &result->alarms, &result->alarm_count);
    if (!told || result->metrics == NULL || (options->with_series && result->series == NULL)) {
        return storm_fail(error, STORM_LIMIT, "no memory for the results of a run");
    }
    return true;
}

static void hear_nothing(void *context, const struct storm_fact *fact) {
    (void)context;
    (void)fact;
}

/* A run until idle is as long as it takes: its world lives once with nobody listening. */
static bool find_duration(struct arena *own, const struct storm_scenario *scenario,
                          const struct storm_run_options *options, storm_time *duration,
                          struct storm_error *error) {
    struct storm_listener nobody = {hear_nothing, NULL};
    struct model *model = model_new(own, scenario, options->seed, options->run, nobody, error);
    if (model == NULL) {
        return false;
    }
    if (!live(model, options, error)) {
        if (error->status == STORM_LIMIT) {
            snprintf(error->suggestion, sizeof error->suggestion,
                     "a run 'until_idle' whose requests never end goes on for ever; give it a "
                     "duration");
        }
        return false;
    }
    storm_time end = model_now(model);
    assert(end >= 0 && end < STORM_NEVER);
    *duration = end > STORM_RUN_LEAST ? end : STORM_RUN_LEAST;
    return true;
}

static bool run_in(struct arena *own, const struct storm_scenario *scenario,
                   const struct storm_run_options *options, storm_time duration,
                   struct arena *arena, struct storm_run_result *result,
                   struct storm_error *error) {
    struct recorder *recorder = recorder_new(own, scenario, duration, options->bin_width);
    if (recorder == NULL) {
        return storm_fail(error, STORM_LIMIT, "no memory to record a run; raise --max-memory");
    }
    struct fork fork = {recorder, options->also};
    struct storm_listener listener = {recorder_hear, recorder};
    if (options->also.hear != NULL) {
        listener = (struct storm_listener){hear_both, &fork};
    }
    struct model *model = model_new(own, scenario, options->seed, options->run, listener, error);
    if (model == NULL || !live(model, options, error)) {
        return false;
    }
    model_audit(model);
    recorder_finish(recorder, duration);
    if (recorder->out_of_memory) {
        return storm_fail(error, STORM_LIMIT, "no memory to record a run; raise --max-memory");
    }
    result->events = model_events(model);
    return measure(recorder, options, arena, result, error);
}

bool storm_run(const struct storm_scenario *scenario, const struct storm_run_options *options,
               struct arena *arena, struct storm_run_result *result, struct storm_error *error) {
    assert(scenario->duration > 0 && scenario->population_count > 0);
    struct arena own;
    storm_time duration = scenario->duration;
    arena_init(&own, options->max_memory > 0 ? options->max_memory : STORM_MAX_MEMORY_DEFAULT);
    *result = (struct storm_run_result){0};
    bool known = duration < STORM_NEVER;
    if (!known && options->duration > 0) {
        duration = options->duration;
        known = true;
    }
    if (!known) {
        known = find_duration(&own, scenario, options, &duration, error);
        arena_free(&own);
    }
    bool done = known && run_in(&own, scenario, options, duration, arena, result, error);
    arena_free(&own);
    return done;
}

bool storm_run_hear(const struct storm_scenario *scenario, const struct storm_run_options *options,
                    struct storm_error *error) {
    struct arena own;
    assert(scenario->population_count > 0 && options->also.hear != NULL);
    arena_init(&own, options->max_memory > 0 ? options->max_memory : STORM_MAX_MEMORY_DEFAULT);
    struct model *model =
        model_new(&own, scenario, options->seed, options->run, options->also, error);
    bool done = model != NULL && live(model, options, error);
    bool stopped = model != NULL && !done && error->status == STORM_INTERRUPTED;
    arena_free(&own);
    return done || stopped;
}

struct storm_metric *storm_run_metrics(const struct storm_scenario *scenario, struct arena *arena,
                                       uint32_t *count) {
    *count = metrics_count(scenario);
    return metrics_list(scenario, arena);
}

storm_time storm_run_bin_width(storm_time duration) { return recorder_bin_width(duration); }
