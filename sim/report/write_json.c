/* write_json.c: results as JSON. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "report/json_writer.h"
#include "report/report.h"
#include "report/results_json.h"

static void key_count(struct json_writer *json, const char *key, uint64_t value) {
    assert(value <= EXACT_MAX);
    json_key_count(json, key, value);
}

/* A time in seconds; STORM_NEVER becomes null. Beyond 2^53 ns the whole seconds and the rest are
   added, since the nanoseconds of such a time do not fit into a double before they are divided. */
static void key_time(struct json_writer *json, const char *key, storm_time time) {
    assert(time >= 0);
    double seconds = storm_time_to_seconds(time);
    if ((uint64_t)time > EXACT_MAX && time < STORM_NEVER)
        seconds = (double)(time / STORM_SECOND) + storm_time_to_seconds(time % STORM_SECOND);
    json_key_double(json, key, seconds);
}

/* How often each verdict was reached: every word, so that a reader need not ask whether one is
   there. */
static void write_verdicts(struct json_writer *json, const struct storm_variant *variant) {
    uint64_t total = 0;
    json_writer_key(json, "verdict");
    json_writer_object_begin(json, JSON_FLAT);
    for (uint32_t verdict = 0; verdict < STORM_VERDICT_COUNT; verdict++) {
        key_count(json, storm_verdict_word(verdict), variant->verdicts[verdict]);
        total += variant->verdicts[verdict];
    }
    json_writer_object_end(json);
    assert(total == variant->runs_done);
}

/* The verdict of each run; null for a run that was not done. */
static void write_verdict_per_run(struct json_writer *json, const struct storm_variant *variant,
                                  uint32_t runs) {
    assert(variant->verdict_per_run != NULL || runs == 0);
    json_writer_key(json, "verdict_per_run");
    json_writer_array_begin(json, JSON_FLAT);
    for (uint32_t run = 0; run < runs; run++) {
        if (variant->verdict_per_run[run] < STORM_VERDICT_COUNT)
            json_writer_string(json, storm_verdict_word(variant->verdict_per_run[run]));
        else
            json_writer_null(json);
    }
    json_writer_array_end(json);
}

static void write_metric(struct json_writer *json, const struct storm_metric *metric,
                         uint32_t runs) {
    assert(metric->name != NULL);
    assert(metric->applies <= runs);
    json_writer_key(json, metric->name);
    json_writer_object_begin(json, JSON_LINES);
    json_key_string(json, "unit", metric->unit);
    json_key_string(json, "help", metric->help);
    json_key_string(json, "better", storm_better_word(metric->better));
    json_key_bool(json, "bimodal", metric->bimodal);
    key_count(json, "applies", metric->applies);
    json_key_double(json, "mean", metric->mean);
    json_key_double(json, "lo", metric->lo);
    json_key_double(json, "hi", metric->hi);
    json_key_double(json, "median", metric->median);
    json_key_double(json, "min", metric->min);
    json_key_double(json, "max", metric->max);
    results_key_doubles(json, "per_run", metric->per_run, runs);
    json_writer_object_end(json);
}

static void write_metrics(struct json_writer *json, const struct storm_variant *variant,
                          uint32_t runs) {
    assert(variant->metrics != NULL || variant->metric_count == 0);
    json_writer_key(json, "metrics");
    json_writer_object_begin(json, JSON_LINES);
    for (uint32_t i = 0; i < variant->metric_count; i++)
        write_metric(json, &variant->metrics[i], runs);
    json_writer_object_end(json);
}

static void write_series(struct json_writer *json, const char *key,
                         const struct storm_series *series, uint32_t count, uint32_t bin_count) {
    assert(series != NULL || count == 0);
    json_writer_key(json, key);
    json_writer_array_begin(json, JSON_LINES);
    for (uint32_t i = 0; i < count; i++) {
        json_writer_object_begin(json, JSON_LINES);
        json_key_string(json, "subject", series[i].subject);
        json_key_string(json, "name", series[i].name);
        results_key_doubles(json, "values", series[i].values, bin_count);
        json_writer_object_end(json);
    }
    json_writer_array_end(json);
}

static void write_ghost(struct json_writer *json, const struct storm_variant *variant,
                        uint32_t bin_count) {
    bool exists = variant->ghost_run != UINT32_MAX;
    assert(exists || variant->ghost_series_count == 0);
    json_writer_key(json, "ghost_run");
    if (exists)
        json_writer_count(json, variant->ghost_run);
    else
        json_writer_null(json);
    write_series(json, "ghost_series", variant->ghost_series, variant->ghost_series_count,
                 bin_count);
}

/* A span without an end (STORM_NEVER) is written with to_s null. */
static void write_spans(struct json_writer *json, const struct storm_variant *variant) {
    assert(variant->spans != NULL || variant->span_count == 0);
    json_writer_key(json, "spans");
    json_writer_array_begin(json, JSON_LINES);
    for (uint32_t i = 0; i < variant->span_count; i++) {
        const struct storm_span *span = &variant->spans[i];
        json_writer_object_begin(json, JSON_FLAT);
        json_key_string(json, "label", span->label);
        json_key_string(json, "subject", span->subject);
        key_time(json, "from_s", span->from);
        key_time(json, "to_s", span->to);
        json_key_string(json, "kind", storm_span_word(span->kind));
        json_writer_object_end(json);
    }
    json_writer_array_end(json);
}

static void write_alarms(struct json_writer *json, const struct storm_variant *variant) {
    assert(variant->alarms != NULL || variant->alarm_count == 0);
    json_writer_key(json, "alarms");
    json_writer_array_begin(json, JSON_LINES);
    for (uint32_t i = 0; i < variant->alarm_count; i++) {
        const struct storm_alarm *alarm = &variant->alarms[i];
        json_writer_object_begin(json, JSON_FLAT);
        json_key_string(json, "queue", alarm->queue);
        json_key_string(json, "rule", alarm->rule);
        key_time(json, "first_letter_s", alarm->first_letter);
        key_time(json, "raised_s", alarm->raised);
        json_writer_object_end(json);
    }
    json_writer_array_end(json);
}

static void write_settings(struct json_writer *json, const struct storm_variant *variant) {
    assert(variant->settings != NULL || variant->setting_count == 0);
    json_writer_key(json, "settings");
    json_writer_object_begin(json, JSON_LINES);
    for (uint32_t i = 0; i < variant->setting_count; i++)
        json_key_string(json, variant->settings[i].path, variant->settings[i].value);
    json_writer_object_end(json);
}

static void write_variant(struct json_writer *json, const struct storm_results *results,
                          const struct storm_variant *variant) {
    assert(variant->runs_done <= results->runs);
    json_writer_object_begin(json, JSON_LINES);
    json_key_string(json, "name", variant->name);
    key_count(json, "runs_done", variant->runs_done);
    write_verdicts(json, variant);
    write_verdict_per_run(json, variant, results->runs);
    results_key_hex(json, "digest", variant->digest);
    write_metrics(json, variant, results->runs);
    write_series(json, "series", variant->series, variant->series_count, results->bin_count);
    write_ghost(json, variant, results->bin_count);
    write_spans(json, variant);
    write_alarms(json, variant);
    write_settings(json, variant);
    json_writer_object_end(json);
}

static void write_difference(struct json_writer *json, const struct storm_difference *difference) {
    json_writer_key(json, difference->metric);
    json_writer_object_begin(json, JSON_FLAT);
    json_key_string(json, "unit", difference->unit);
    json_key_string(json, "better", storm_better_word(difference->better));
    json_key_double(json, "reference", difference->reference);
    json_key_double(json, "other", difference->other);
    json_key_double(json, "difference", difference->difference);
    json_key_double(json, "lo", difference->lo);
    json_key_double(json, "hi", difference->hi);
    json_key_double(json, "p", difference->p);
    json_key_double(json, "tolerance", difference->tolerance);
    json_key_count(json, "pairs", difference->pairs);
    json_key_bool(json, "exact", difference->exact);
    json_key_string(json, "change", storm_change_word(difference->change));
    json_writer_object_end(json);
}

/* Variants are named for people, and numbered for readers: two may have one name. */
static void write_comparison(struct json_writer *json, const struct storm_results *results,
                             const struct storm_comparison *comparison) {
    assert(comparison->reference < results->variant_count);
    assert(comparison->other < results->variant_count);
    json_writer_object_begin(json, JSON_LINES);
    json_key_string(json, "reference", results->variants[comparison->reference].name);
    json_key_count(json, "reference_index", comparison->reference);
    json_key_string(json, "other", results->variants[comparison->other].name);
    json_key_count(json, "other_index", comparison->other);
    json_writer_key(json, "differences");
    json_writer_object_begin(json, JSON_LINES);
    for (uint32_t i = 0; i < comparison->difference_count; i++)
        write_difference(json, &comparison->differences[i]);
    json_writer_object_end(json);
    json_writer_object_end(json);
}

static void write_comparisons(struct json_writer *json, const struct storm_results *results) {
    if (results->comparison_count == 0)
        return;
    json_writer_key(json, "comparisons");
    json_writer_array_begin(json, JSON_LINES);
    for (uint32_t i = 0; i < results->comparison_count; i++)
        write_comparison(json, results, &results->comparisons[i]);
    json_writer_array_end(json);
}

static void write_scenario(struct json_writer *json, const struct storm_results *results) {
    assert(strlen(results->hash) <= 16);
    json_writer_key(json, "scenario");
    json_writer_object_begin(json, JSON_LINES);
    json_key_string(json, "title", results->title);
    json_key_string(json, "question", results->question);
    json_key_string(json, "file", results->file);
    json_key_string(json, "hash", results->hash);
    json_key_string(json, "overrides", results->overrides);
    json_writer_object_end(json);
}

bool report_write_json(const struct storm_results *results, FILE *out) {
    assert(results != NULL && out != NULL);
    assert(results->variants != NULL || results->variant_count == 0);
    struct json_writer json;
    json_writer_init(&json, out);
    json_writer_object_begin(&json, JSON_LINES);
    json_key_string(&json, "schema", REPORT_SCHEMA);
    json_key_string(&json, "version", STORM_VERSION);
    write_scenario(&json, results);
    results_key_seed(&json, results->seed);
    key_count(&json, "runs", results->runs);
    json_key_bool(&json, "complete", results->complete);
    key_time(&json, "duration_s", results->duration);
    key_time(&json, "bin_width_s", results->bin_width);
    key_count(&json, "bin_count", results->bin_count);
    json_writer_key(&json, "variants");
    json_writer_array_begin(&json, JSON_LINES);
    for (uint32_t i = 0; i < results->variant_count; i++)
        write_variant(&json, results, &results->variants[i]);
    json_writer_array_end(&json);
    write_comparisons(&json, results);
    json_writer_object_end(&json);
    return json_writer_end(&json);
}
