/* baseline_write.c: a baseline as JSON whose changes can be read line by line. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <retrystorm/scenario.h>

#include "guard/baseline.h"
#include "report/json_writer.h"
#include "report/results_json.h"

/* What a metric's line begins with. */
static void begin_metric(struct json_writer *json, const char *name, const char *unit,
                         enum storm_better better, double tolerance) {
    json_writer_key(json, name);
    json_writer_object_begin(json, JSON_FLAT);
    json_key_string(json, "unit", unit);
    json_key_string(json, "better", storm_better_word(better));
    if (!isnan(tolerance)) {
        json_key_double(json, "tolerance", tolerance);
    }
}

static void write_metric(struct json_writer *json, const struct storm_metric *metric,
                         double tolerance, uint32_t runs) {
    begin_metric(json, metric->name, metric->unit, metric->better, tolerance);
    if (metric->bimodal) {
        json_key_bool(json, "bimodal", true);
    }
    results_key_doubles(json, "per_run", metric->per_run, runs);
    json_writer_object_end(json);
}

/* "recovers" among the metrics: for the eye, since the verdicts say it again. */
static void write_recovers(struct json_writer *json, const struct baseline_variant *variant) {
    begin_metric(json, STORM_EXPECT_RECOVERS, "share", STORM_BETTER_HIGHER, variant->tolerance);
    json_key_count(json, "good_runs", storm_variant_good_runs(&variant->runs));
    json_writer_object_end(json);
}

static void write_metrics(struct json_writer *json, const struct baseline_variant *variant) {
    const struct storm_variant *runs = &variant->runs;
    uint32_t i = 0;
    json_writer_key(json, "metrics");
    json_writer_object_begin(json, JSON_LINES);
    for (; i < runs->metric_count && strcmp(runs->metrics[i].name, STORM_EXPECT_RECOVERS) < 0;
         i++) {
        write_metric(json, &runs->metrics[i], variant->tolerances[i], runs->runs_done);
    }
    write_recovers(json, variant);
    for (; i < runs->metric_count; i++) {
        write_metric(json, &runs->metrics[i], variant->tolerances[i], runs->runs_done);
    }
    json_writer_object_end(json);
}

static void write_run(struct json_writer *json, const struct baseline_variant *variant,
                      uint32_t run) {
    const struct track *track = &variant->tracks[run];
    char points[4 * TRACK_POINTS + 1] = "";
    for (uint32_t i = 0; i < track->count; i++) {
        snprintf(&points[4 * (size_t)i], 5, "%04x", (unsigned)track->points[i]);
    }
    json_writer_object_begin(json, JSON_FLAT);
    json_key_string(json, "verdict", storm_verdict_word(variant->runs.verdict_per_run[run]));
    results_key_hex(json, "digest", track->digest);
    json_key_double(json, "step_s", storm_time_to_seconds(track->step));
    json_key_string(json, "points", points);
    json_writer_object_end(json);
}

static void write_variant(struct json_writer *json, const struct baseline_variant *variant) {
    json_writer_key(json, variant->runs.name);
    json_writer_object_begin(json, JSON_LINES);
    write_metrics(json, variant);
    json_writer_key(json, "runs");
    json_writer_array_begin(json, JSON_LINES);
    for (uint32_t run = 0; run < variant->runs.runs_done; run++) {
        write_run(json, variant, run);
    }
    json_writer_array_end(json);
    json_writer_object_end(json);
}

static void write_scenario(struct json_writer *json, const struct baseline_scenario *scenario) {
    json_writer_key(json, scenario->name);
    json_writer_object_begin(json, JSON_LINES);
    results_key_hex(json, "hash", scenario->hash);
    results_key_seed(json, scenario->seed);
    json_key_count(json, "runs", scenario->runs);
    json_writer_key(json, "variants");
    json_writer_object_begin(json, JSON_LINES);
    for (uint32_t i = 0; i < scenario->variant_count; i++) {
        write_variant(json, &scenario->variants[i]);
    }
    json_writer_object_end(json);
    json_writer_object_end(json);
}

bool baseline_write(const struct baseline *baseline, FILE *out) {
    struct json_writer json;
    assert(baseline != NULL && out != NULL);
    json_writer_init(&json, out);
    json_writer_object_begin(&json, JSON_LINES);
    json_key_string(&json, "schema", BASELINE_SCHEMA);
    json_writer_key(&json, "scenarios");
    json_writer_object_begin(&json, JSON_LINES);
    for (uint32_t i = 0; i < baseline->scenario_count; i++) {
        write_scenario(&json, &baseline->scenarios[i]);
    }
    json_writer_object_end(&json);
    json_writer_object_end(&json);
    return json_writer_end(&json);
}
