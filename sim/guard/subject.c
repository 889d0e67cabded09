/* subject.c: a scenario that is to be checked, decoded, and the runs that are made of it. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "guard/subject.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include <retrystorm/load.h>

#include "base/arena.h"
#include "report/text.h"
#include "trials/fingerprint.h"

static bool decode_variant(struct subject_variant *variant, struct storm_document *document,
                           const char *name, struct arena *arena, struct storm_errors *errors) {
    variant->name = name != NULL ? name : "base";
    variant->scenario = storm_document_decode(document, name, NULL, 0, errors);
    if (variant->scenario == NULL) {
        return true; /* the others are looked at, too */
    }
    variant->setting_count =
        (uint32_t)storm_document_settings(document, variant->scenario, &variant->settings);
    variant->blank = (struct storm_variant){.name = variant->name};
    variant->blank.metrics =
        storm_run_metrics(variant->scenario, arena, &variant->blank.metric_count);
    return variant->blank.metrics != NULL;
}

bool subject_decode(struct subject *subject, struct storm_document *document, struct arena *arena,
                    struct storm_errors *errors) {
    size_t count = storm_document_variant_count(document);
    subject->is_bare = count == 0;
    subject->variant_count = count > 0 ? (uint32_t)count : 1;
    subject->variants = arena_take_array(arena, subject->variant_count, sizeof *subject->variants);
    bool good = subject->variants != NULL;
    for (uint32_t v = 0; good && v < subject->variant_count; v++) {
        good = decode_variant(&subject->variants[v], document,
                              storm_document_variant_name(document, v), arena, errors);
    }
    return good && errors->count == 0;
}

void subject_usual_runs(struct subject *subject, const struct baseline *baseline) {
    const struct baseline_scenario *old = baseline_find(baseline, subject->name);
    const struct storm_scenario *scenario = subject->variants[0].scenario;
    uint32_t own = scenario->runs > 1 ? scenario->runs : 2;
    subject->seed = old != NULL ? old->seed : scenario->seed;
    subject->runs = old != NULL ? old->runs : own;
}

bool subjects_pair(const struct subject *subjects, uint32_t count, const struct baseline *baseline,
                   bool is_replaced, struct storm_error *error) {
    for (uint32_t i = 0; i < count; i++) {
        const struct subject *subject = &subjects[i];
        const struct baseline_scenario *old = baseline_find(baseline, subject->name);
        for (uint32_t k = 0; k < i; k++) {
            if (strcmp(subject->name, subjects[k].name) == 0) {
                return storm_fail(error, STORM_USAGE,
                                  "'%.80s' and '%.80s' have the same name in a baseline",
                                  subjects[k].file, subject->file);
            }
        }
        if (is_replaced && !text_is_utf8(subject->name)) {
            return storm_fail(
                error, STORM_USAGE,
                "'%.80s' cannot stand in a baseline: its name is not UTF-8; rename it",
                subject->file);
        }
        if (old != NULL && old->seed != subject->seed && !is_replaced) {
            return storm_fail(
                error, STORM_INVALID,
                "the baseline of '%.80s' has another seed, so that runs are no pairs; "
                "leave --seed away, or --update the baseline",
                subject->file);
        }
    }
    return true;
}

/* One number for the effective settings of all variants: a sum does not ask in which order its
   parts come. */
static uint64_t hash_settings(const struct subject *subject) {
    uint64_t sum = 0;
    for (uint32_t v = 0; v < subject->variant_count; v++) {
        const struct subject_variant *variant = &subject->variants[v];
        uint64_t name = fingerprint_text(0, variant->name);
        for (uint32_t i = 0; i < variant->setting_count; i++) {
            sum += fingerprint_settings(name, &variant->settings[i], 1);
        }
    }
    return sum;
}

/* A baseline cannot hold infinities: there they are numbers that do not apply. */
static void make_finite(struct storm_variant *variant) {
    for (uint32_t i = 0; i < variant->metric_count; i++) {
        for (uint32_t run = 0; run < variant->runs_done; run++) {
            double *value = &variant->metrics[i].per_run[run];
            *value = isinf(*value) ? (double)NAN : *value;
        }
    }
}

/* The results of one variant's runs, as a baseline has them. */
static bool keep_variant(const struct subject_variant *source,
                         const struct storm_run_result *results, const struct tracker *trackers,
                         uint32_t runs, struct arena *arena, struct baseline_variant *kept) {
    struct storm_variant *folded = batch_fold(source->name, source->scenario, results, runs, arena);
    if (folded == NULL) {
        return false;
    }
    *kept = (struct baseline_variant){.runs = *folded, .tolerance = (double)NAN};
    kept->tracks = arena_take_array(arena, runs, sizeof *kept->tracks);
    for (uint32_t run = 0; kept->tracks != NULL && run < runs; run++) {
        kept->tracks[run] = trackers[run].track;
    }
    kept->runs.digest = trackers[0].track.digest;
    kept->tolerances = arena_take_array(arena, folded->metric_count, sizeof *kept->tolerances);
    for (uint32_t i = 0; kept->tolerances != NULL && i < folded->metric_count; i++) {
        kept->tolerances[i] = (double)NAN;
    }
    make_finite(&kept->runs);
    baseline_sort_metrics(&kept->runs);
    return kept->tolerances != NULL && kept->tracks != NULL;
}

static bool keep_all(const struct subject *subject, const struct storm_run_result *results,
                     const struct tracker *trackers, struct arena *arena,
                     struct baseline_scenario *made) {
    *made = (struct baseline_scenario){.name = subject->name,
                                       .hash = hash_settings(subject),
                                       .seed = subject->seed,
                                       .runs = subject->runs,
                                       .variant_count = subject->variant_count};
    made->variants = arena_take_array(arena, made->variant_count, sizeof *made->variants);
    for (uint32_t v = 0; made->variants != NULL && v < made->variant_count; v++) {
        size_t first = (size_t)v * subject->runs;
        if (!keep_variant(&subject->variants[v], &results[first], &trackers[first], subject->runs,
                          arena, &made->variants[v])) {
            return false;
        }
    }
    if (made->variants == NULL) {
        return false;
    }
    baseline_sort_variants(made);
    return true;
}

bool subject_run(const struct subject *subject, const struct batch_rules *rules,
                 struct arena *arena, struct baseline_scenario *made, struct storm_error *error) {
    uint32_t count = subject->runs * subject->variant_count;
    assert(subject->runs > 0 && subject->variant_count > 0);
    struct batch_job *jobs = arena_take_array(arena, count, sizeof *jobs);
    struct tracker *trackers = arena_take_array(arena, count, sizeof *trackers);
    struct track_places *places = arena_take_array(arena, subject->variant_count, sizeof *places);
    struct storm_run_result *results = arena_take_array(arena, count, sizeof *results);
    if (jobs == NULL || trackers == NULL || places == NULL || results == NULL) {
        return storm_fail(error, STORM_LIMIT, "no memory for %u runs", count);
    }
    for (uint32_t v = 0; v < subject->variant_count; v++) {
        if (!track_places_of(subject->variants[v].scenario, arena, &places[v])) {
            return storm_fail(error, STORM_LIMIT, "no memory for %u runs", count);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        trackers[i] = tracker_begin(&places[i / subject->runs]);
        jobs[i] = (struct batch_job){
            .scenario = subject->variants[i / subject->runs].scenario,
            .run = i % subject->runs,
            .also = {tracker_hear, &trackers[i]},
        };
    }
    if (batch_run(rules, jobs, count, results, arena, error) < count) {
        return false;
    }
    return keep_all(subject, results, trackers, arena, made) ||
           storm_fail(error, STORM_LIMIT, "no memory for the results of %u runs", count);
}
