/* read_json.c: results read back from JSON: the shape of a result file. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Invariants
   1. Each array is as long as the count that governs it: the results' runs or their bins.
   2. What is returned points into the arena only. */

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/json_reader.h"
#include "report/report.h"
#include "report/results_json.h"

enum { RUNS_MAX = 100000000, BINS_MAX = 100000000 };

/* ---- parts of a variant ---------------------------------------------------------------------- */

static bool get_verdicts(struct json_reader *reader, const json_t *object, uint32_t runs,
                         struct storm_variant *variant) {
    json_t *counts;
    uint64_t total = 0;
    size_t mark = reader->path_length;
    if (!json_reader_enter(reader, object, "verdict", &counts))
        return false;
    for (uint32_t verdict = 0; verdict < STORM_VERDICT_COUNT; verdict++) {
        if (!json_reader_count(reader, counts, storm_verdict_word(verdict), runs,
                               &variant->verdicts[verdict]))
            return false;
        total += variant->verdicts[verdict];
    }
    if (total != variant->runs_done)
        return json_reader_refuse(reader, STORM_INVALID,
                                  "adds up to %" PRIu64 ", not to runs_done (%" PRIu32 ")", total,
                                  variant->runs_done);
    json_reader_pop(reader, mark);
    return true;
}

static bool take_metric(struct json_reader *reader, const char *name, const json_t *object,
                        const void *context, void *item) {
    const struct storm_results *results = context;
    struct storm_metric *metric = item;
    assert(name != NULL && results != NULL);
    if (!json_is_object(object))
        return json_reader_refuse_type(reader, object, "an object");
    metric->name = arena_copy_string(reader->arena, name, strlen(name));
    if (metric->name == NULL)
        return json_reader_refuse_memory(reader);
    return json_reader_text(reader, object, "unit", &metric->unit) &&
           json_reader_optional_text(reader, object, "help", &metric->help) &&
           results_read_better(reader, object, &metric->better) &&
           json_reader_bool(reader, object, "bimodal", &metric->bimodal) &&
           json_reader_count(reader, object, "applies", results->runs, &metric->applies) &&
           json_reader_double(reader, object, "mean", &metric->mean) &&
           json_reader_double(reader, object, "lo", &metric->lo) &&
           json_reader_double(reader, object, "hi", &metric->hi) &&
           json_reader_double(reader, object, "median", &metric->median) &&
           json_reader_double(reader, object, "min", &metric->min) &&
           json_reader_double(reader, object, "max", &metric->max) &&
           json_reader_doubles(reader, object, "per_run", results->runs, &metric->per_run);
}

static bool take_series(struct json_reader *reader, const char *name, const json_t *object,
                        const void *context, void *item) {
    const struct storm_results *results = context;
    struct storm_series *series = item;
    assert(name == NULL && results != NULL);
    if (!json_is_object(object))
        return json_reader_refuse_type(reader, object, "an object");
    return json_reader_text(reader, object, "subject", &series->subject) &&
           json_reader_text(reader, object, "name", &series->name) &&
           json_reader_doubles(reader, object, "values", results->bin_count, &series->values);
}

static bool get_series(struct json_reader *reader, const json_t *object, const char *key,
                       const struct storm_results *results, struct storm_series **series,
                       uint32_t *count) {
    const struct json_list list = {JSON_ARRAY, sizeof **series, JSON_ANY_COUNT, take_series,
                                   results};
    assert(series != NULL && count != NULL);
    return json_reader_list(reader, object, key, &list, series, count);
}

static bool get_ghost(struct json_reader *reader, const json_t *object,
                      const struct storm_results *results, struct storm_variant *variant) {
    variant->ghost_run = UINT32_MAX;
    if (!json_is_null(json_object_get(object, "ghost_run"))) {
        if (!json_reader_count(reader, object, "ghost_run", RUNS_MAX, &variant->ghost_run))
            return false;
        if (variant->ghost_run >= results->runs) {
            json_reader_push(reader, "ghost_run");
            return json_reader_refuse(reader, STORM_INVALID, "must be below runs (%" PRIu32 ")",
                                      results->runs);
        }
    }
    if (!get_series(reader, object, "ghost_series", results, &variant->ghost_series,
                    &variant->ghost_series_count))
        return false;
    if (variant->ghost_run != UINT32_MAX || variant->ghost_series_count == 0)
        return true;
    json_reader_push(reader, "ghost_series");
    return json_reader_refuse(reader, STORM_INVALID, "must be empty when ghost_run is null");
}

/* A span that does not say what it is, is a fault: files had no others once. */
static bool get_span_kind(struct json_reader *reader, const json_t *object,
                          enum storm_span_kind *kind) {
    const char *word;
    if (!json_reader_optional_text(reader, object, "kind", &word))
        return false;
    *kind = strcmp(word, storm_span_word(STORM_SPAN_ACTION)) == 0 ? STORM_SPAN_ACTION
                                                                  : STORM_SPAN_FAULT;
    if (*word == '\0' || strcmp(word, storm_span_word(*kind)) == 0)
        return true;
    json_reader_push(reader, "kind");
    return json_reader_refuse(reader, STORM_INVALID, "must be fault or action, not '%.40s'", word);
}

static bool take_span(struct json_reader *reader, const char *name, const json_t *object,
                      const void *context, void *item) {
    struct storm_span *span = item;
    (void)context;
    assert(name == NULL && span != NULL);
    if (!json_is_object(object))
        return json_reader_refuse_type(reader, object, "an object");
    return json_reader_text(reader, object, "label", &span->label) &&
           json_reader_text(reader, object, "subject", &span->subject) &&
           json_reader_time(reader, object, "from_s", &span->from) &&
           json_reader_time(reader, object, "to_s", &span->to) &&
           get_span_kind(reader, object, &span->kind) &&
           (span->from <= span->to ||
            json_reader_refuse(reader, STORM_INVALID, "must not end before it begins"));
}

static bool take_alarm(struct json_reader *reader, const char *name, const json_t *object,
                       const void *context, void *item) {
    struct storm_alarm *alarm = item;
    (void)context;
    assert(name == NULL && alarm != NULL);
    if (!json_is_object(object))
        return json_reader_refuse_type(reader, object, "an object");
    return json_reader_text(reader, object, "queue", &alarm->queue) &&
           json_reader_text(reader, object, "rule", &alarm->rule) &&
           json_reader_time(reader, object, "first_letter_s", &alarm->first_letter) &&
           json_reader_time(reader, object, "raised_s", &alarm->raised) &&
           (alarm->first_letter <= alarm->raised ||
            json_reader_refuse(reader, STORM_INVALID, "must not go off before its first letter"));
}

/* Files had no alarms once. */
static bool get_alarms(struct json_reader *reader, const json_t *object,
                       struct storm_variant *variant) {
    const struct json_list alarms = {JSON_ARRAY, sizeof *variant->alarms, JSON_ANY_COUNT,
                                     take_alarm, NULL};
    return json_object_get(object, "alarms") == NULL ||
           json_reader_list(reader, object, "alarms", &alarms, &variant->alarms,
                            &variant->alarm_count);
}

static bool take_setting(struct json_reader *reader, const char *name, const json_t *value,
                         const void *context, void *item) {
    struct storm_setting *setting = item;
    (void)context;
    assert(name != NULL && setting != NULL);
    setting->path = arena_copy_string(reader->arena, name, strlen(name));
    if (setting->path == NULL)
        return json_reader_refuse_memory(reader);
    return json_reader_take_text(reader, value, &setting->value);
}

/* ---- variants -------------------------------------------------------------------------------- */

static bool get_lists(struct json_reader *reader, const json_t *object,
                      const struct storm_results *results, struct storm_variant *variant) {
    const struct json_list metrics = {JSON_OBJECT, sizeof *variant->metrics, JSON_ANY_COUNT,
                                      take_metric, results};
    const struct json_list spans = {JSON_ARRAY, sizeof *variant->spans, JSON_ANY_COUNT, take_span,
                                    NULL};
    const struct json_list settings = {JSON_OBJECT, sizeof *variant->settings, JSON_ANY_COUNT,
                                       take_setting, NULL};
    return json_reader_list(reader, object, "metrics", &metrics, &variant->metrics,
                            &variant->metric_count) &&
           get_series(reader, object, "series", results, &variant->series,
                      &variant->series_count) &&
           get_ghost(reader, object, results, variant) &&
           json_reader_list(reader, object, "spans", &spans, &variant->spans,
                            &variant->span_count) &&
           get_alarms(reader, object, variant) &&
           json_reader_list(reader, object, "settings", &settings, &variant->settings,
                            &variant->setting_count);
}

static bool take_variant(struct json_reader *reader, const char *name, const json_t *object,
                         const void *context, void *item) {
    const struct storm_results *results = context;
    struct storm_variant *variant = item;
    const struct json_list verdicts = {JSON_ARRAY, 1, results->runs, results_take_verdict, NULL};
    assert(name == NULL && variant != NULL);
    if (!json_is_object(object))
        return json_reader_refuse_type(reader, object, "an object");
    return json_reader_text(reader, object, "name", &variant->name) &&
           json_reader_count(reader, object, "runs_done", results->runs, &variant->runs_done) &&
           get_verdicts(reader, object, results->runs, variant) &&
           json_reader_list(reader, object, "verdict_per_run", &verdicts, &variant->verdict_per_run,
                            NULL) &&
           json_reader_hex(reader, object, "digest", &variant->digest) &&
           get_lists(reader, object, results, variant);
}

/* ---- comparisons ----------------------------------------------------------------------------- */

static bool get_change(struct json_reader *reader, const json_t *object,
                       enum storm_change *change) {
    const char *word;
    if (!json_reader_text(reader, object, "change", &word))
        return false;
    for (uint32_t i = 0; i < STORM_CHANGE_COUNT; i++) {
        *change = (enum storm_change)i;
        if (strcmp(storm_change_word(*change), word) == 0)
            return true;
    }
    json_reader_push(reader, "change");
    return json_reader_refuse(reader, STORM_INVALID, "is no change: '%.40s'", word);
}

static bool take_difference(struct json_reader *reader, const char *name, const json_t *object,
                            const void *context, void *item) {
    const struct storm_results *results = context;
    struct storm_difference *difference = item;
    assert(name != NULL && results != NULL);
    if (!json_is_object(object))
        return json_reader_refuse_type(reader, object, "an object");
    difference->metric = arena_copy_string(reader->arena, name, strlen(name));
    if (difference->metric == NULL)
        return json_reader_refuse_memory(reader);
    return json_reader_text(reader, object, "unit", &difference->unit) &&
           results_read_better(reader, object, &difference->better) &&
           json_reader_double(reader, object, "reference", &difference->reference) &&
           json_reader_double(reader, object, "other", &difference->other) &&
           json_reader_double(reader, object, "difference", &difference->difference) &&
           json_reader_double(reader, object, "lo", &difference->lo) &&
           json_reader_double(reader, object, "hi", &difference->hi) &&
           json_reader_double(reader, object, "p", &difference->p) &&
           json_reader_double(reader, object, "tolerance", &difference->tolerance) &&
           json_reader_count(reader, object, "pairs", results->runs, &difference->pairs) &&
           json_reader_bool(reader, object, "exact", &difference->exact) &&
           get_change(reader, object, &difference->change);
}

static bool take_comparison(struct json_reader *reader, const char *name, const json_t *object,
                            const void *context, void *item) {
    const struct storm_results *results = context;
    struct storm_comparison *comparison = item;
    const struct json_list differences = {JSON_OBJECT, sizeof *comparison->differences,
                                          JSON_ANY_COUNT, take_difference, results};
    assert(name == NULL && results != NULL);
    if (!json_is_object(object))
        return json_reader_refuse_type(reader, object, "an object");
    if (results->variant_count == 0)
        return json_reader_refuse(reader, STORM_INVALID, "compares variants that are not there");
    uint32_t last = results->variant_count - 1;
    if (!json_reader_count(reader, object, "reference_index", last, &comparison->reference) ||
        !json_reader_count(reader, object, "other_index", last, &comparison->other))
        return false;
    return (comparison->reference != comparison->other ||
            json_reader_refuse(reader, STORM_INVALID, "compares a variant with itself")) &&
           json_reader_list(reader, object, "differences", &differences, &comparison->differences,
                            &comparison->difference_count);
}

/* Only those of several variants have them. */
static bool get_comparisons(struct json_reader *reader, const json_t *root,
                            struct storm_results *results) {
    const struct json_list comparisons = {JSON_ARRAY, sizeof *results->comparisons, JSON_ANY_COUNT,
                                          take_comparison, results};
    return json_object_get(root, "comparisons") == NULL ||
           json_reader_list(reader, root, "comparisons", &comparisons, &results->comparisons,
                            &results->comparison_count);
}

/* ---- the top --------------------------------------------------------------------------------- */

static bool get_scenario(struct json_reader *reader, const json_t *root,
                         struct storm_results *results) {
    json_t *scenario;
    uint64_t hash;
    size_t mark = reader->path_length;
    if (!json_reader_enter(reader, root, "scenario", &scenario) ||
        !json_reader_text(reader, scenario, "title", &results->title) ||
        !json_reader_text(reader, scenario, "question", &results->question) ||
        !json_reader_text(reader, scenario, "file", &results->file) ||
        !json_reader_hex(reader, scenario, "hash", &hash) ||
        !json_reader_optional_text(reader, scenario, "overrides", &results->overrides))
        return false;
    snprintf(results->hash, sizeof results->hash, "%016" PRIx64, hash);
    json_reader_pop(reader, mark);
    return true;
}

/* The bins and their width are used by whoever draws: their product must be a time. */
static bool get_bins(struct json_reader *reader, const json_t *root,
                     struct storm_results *results) {
    if (!json_reader_time(reader, root, "duration_s", &results->duration) ||
        !json_reader_time(reader, root, "bin_width_s", &results->bin_width) ||
        !json_reader_count(reader, root, "bin_count", BINS_MAX, &results->bin_count))
        return false;
    if (results->bin_count == 0 ||
        (results->bin_width > 0 && results->bin_width <= STORM_NEVER / results->bin_count))
        return true;
    json_reader_push(reader, "bin_width_s");
    return json_reader_refuse(reader, STORM_INVALID,
                              "must be above 0, and bin_count bins of it a time");
}

static bool take_results(struct json_reader *reader, const json_t *root,
                         struct storm_results *results) {
    const struct json_list variants = {JSON_ARRAY, sizeof *results->variants, JSON_ANY_COUNT,
                                       take_variant, results};
    assert(reader->path_length == 0);
    if (!json_is_object(root))
        return json_reader_refuse_type(reader, root, "an object");
    return results_read_schema(reader, root, REPORT_SCHEMA) &&
           get_scenario(reader, root, results) && results_read_seed(reader, root, &results->seed) &&
           json_reader_count(reader, root, "runs", RUNS_MAX, &results->runs) &&
           json_reader_bool(reader, root, "complete", &results->complete) &&
           get_bins(reader, root, results) &&
           json_reader_list(reader, root, "variants", &variants, &results->variants,
                            &results->variant_count) &&
           get_comparisons(reader, root, results);
}

struct storm_results *report_parse_json(const char *text, size_t length, struct arena *arena,
                                        struct storm_error *error) {
    assert(arena != NULL && error != NULL);
    struct json_reader reader = {.arena = arena, .error = error};
    json_t *root = json_reader_parse(&reader, text, length);
    if (root == NULL)
        return NULL;
    struct storm_results *results = arena_take(arena, sizeof *results);
    bool done =
        results == NULL ? json_reader_refuse_memory(&reader) : take_results(&reader, root, results);
    json_decref(root);
    return done ? results : NULL;
}

struct storm_results *report_read_json(const char *file, struct arena *arena,
                                       struct storm_error *error) {
    assert(file != NULL && arena != NULL && error != NULL);
    struct json_reader reader = {.arena = arena, .error = error};
    struct storm_results *results = NULL;
    size_t length;
    char *text = json_reader_load(&reader, file, &length);
    if (text != NULL)
        results = report_parse_json(text, length, arena, error);
    free(text);
    return results;
}
