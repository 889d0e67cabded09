/* baseline_read.c: a baseline read back from JSON; nothing in it is believed. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Invariants
   1. What is returned points into the arena only.
   2. Every array of a scenario is as long as its runs. */
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>
#include <retrystorm/scenario.h>

#include "base/arena.h"
#include "guard/baseline.h"
#include "report/json_reader.h"
#include "report/results_json.h"
#include "trials/fold.h"

enum { RUNS_MAX = 1000000, POINT_DIGITS = 4 };

/* A line of a variant's metrics. */
struct metric_line {
    struct storm_metric metric;
    double tolerance;
};

/* A line of its runs. */
struct run_line {
    uint8_t verdict;
    struct track track;
};

static bool keep_name(struct json_reader *reader, const char *name, const char **kept) {
    *kept = arena_copy_string(reader->arena, name, strlen(name));
    return *kept != NULL || json_reader_refuse_memory(reader);
}

/* ---- metrics --------------------------------------------------------------------------------- */

static bool get_tolerance(struct json_reader *reader, const json_t *object, double *tolerance) {
    *tolerance = (double)NAN;
    if (json_object_get(object, "tolerance") == NULL) {
        return true;
    }
    if (!json_reader_double(reader, object, "tolerance", tolerance)) {
        return false;
    }
    if (*tolerance >= 0) {
        return true;
    }
    json_reader_push(reader, "tolerance");
    return json_reader_refuse(reader, STORM_INVALID, "must be a share of at least 0");
}

static bool take_metric(struct json_reader *reader, const char *name, const json_t *object,
                        const void *context, void *item) {
    struct metric_line *line = item;
    struct storm_metric *metric = &line->metric;
    const uint32_t *runs = context;
    if (!json_is_object(object)) {
        return json_reader_refuse_type(reader, object, "an object");
    }
    if (!keep_name(reader, name, &metric->name) ||
        !get_tolerance(reader, object, &line->tolerance)) {
        return false;
    }
    if (strcmp(name, STORM_EXPECT_RECOVERS) == 0) {
        return true; /* the verdicts say the rest */
    }
    metric->help = "";
    return json_reader_text(reader, object, "unit", &metric->unit) &&
           results_read_better(reader, object, &metric->better) &&
           (json_object_get(object, "bimodal") == NULL ||
            json_reader_bool(reader, object, "bimodal", &metric->bimodal)) &&
           json_reader_doubles(reader, object, "per_run", *runs, &metric->per_run);
}

/* The lines become metrics and their tolerances, in the order of their names. */
static bool split_metrics(struct json_reader *reader, const struct metric_line *lines,
                          uint32_t count, struct baseline_variant *variant) {
    struct storm_variant *runs = &variant->runs;
    variant->tolerance = (double)NAN;
    runs->metrics = arena_take_array(reader->arena, count, sizeof *runs->metrics);
    variant->tolerances = arena_take_array(reader->arena, count, sizeof *variant->tolerances);
    if (runs->metrics == NULL || variant->tolerances == NULL) {
        return json_reader_refuse_memory(reader);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(lines[i].metric.name, STORM_EXPECT_RECOVERS) == 0) {
            variant->tolerance = lines[i].tolerance;
        } else {
            variant->tolerances[runs->metric_count] = lines[i].tolerance;
            runs->metrics[runs->metric_count++] = lines[i].metric;
        }
    }
    return true;
}

static int compare_lines(const void *left, const void *right) {
    const struct metric_line *a = left, *b = right;
    return strcmp(a->metric.name, b->metric.name);
}

static bool get_metrics(struct json_reader *reader, const json_t *object, uint32_t runs,
                        struct baseline_variant *variant) {
    struct metric_line *lines;
    uint32_t count;
    const struct json_list list = {JSON_OBJECT, sizeof *lines, JSON_ANY_COUNT, take_metric, &runs};
    if (!json_reader_list(reader, object, "metrics", &list, &lines, &count)) {
        return false;
    }
    if (count > 0) {
        qsort(lines, count, sizeof *lines, compare_lines);
    }
    return split_metrics(reader, lines, count, variant);
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* Steps that are TRACK_STEP_LEAST times a power of two, and short of for ever. */
static bool is_step(storm_time step) {
    storm_time known = TRACK_STEP_LEAST;
    while (known < step && known < STORM_NEVER / TRACK_POINTS) {
        known *= 2;
    }
    return known == step;
}

static bool get_points(struct json_reader *reader, const json_t *object, struct track *track) {
    const char *digits;
    if (!json_reader_text(reader, object, "points", &digits)) {
        return false;
    }
    size_t length = strlen(digits);
    bool good = length <= (size_t)TRACK_POINTS * POINT_DIGITS && length % POINT_DIGITS == 0 &&
                strspn(digits, "0123456789abcdef") == length;
    for (; good && track->count < length / POINT_DIGITS; track->count++) {
        char one[POINT_DIGITS + 1] = "";
        memcpy(one, &digits[(size_t)track->count * POINT_DIGITS], POINT_DIGITS);
        track->points[track->count] = (uint16_t)strtoul(one, NULL, 16);
    }
    json_reader_push(reader, "points");
    return good || json_reader_refuse(reader, STORM_INVALID,
                                      "must be at most %d groups of %d hexadecimal digits",
                                      TRACK_POINTS, POINT_DIGITS);
}

static bool take_run(struct json_reader *reader, const char *name, const json_t *object,
                     const void *context, void *item) {
    struct run_line *line = item;
    const json_t *verdict = json_object_get(object, "verdict");
    size_t mark = reader->path_length;
    (void)context;
    assert(name == NULL);
    if (!json_is_object(object)) {
        return json_reader_refuse_type(reader, object, "an object");
    }
    json_reader_push(reader, "verdict");
    if (!json_is_string(verdict)) {
        return json_reader_refuse_type(reader, verdict, "a verdict");
    }
    if (!results_take_verdict(reader, NULL, verdict, NULL, &line->verdict)) {
        return false;
    }
    json_reader_pop(reader, mark);
    if (!json_reader_hex(reader, object, "digest", &line->track.digest) ||
        !json_reader_time(reader, object, "step_s", &line->track.step)) {
        return false;
    }
    if (!is_step(line->track.step)) {
        json_reader_push(reader, "step_s");
        return json_reader_refuse(reader, STORM_INVALID, "must be 1/512 times a power of two");
    }
    return get_points(reader, object, &line->track);
}

static bool get_runs(struct json_reader *reader, const json_t *object, uint32_t count,
                     struct baseline_variant *variant) {
    struct run_line *lines;
    const struct json_list list = {JSON_ARRAY, sizeof *lines, count, take_run, NULL};
    if (!json_reader_list(reader, object, "runs", &list, &lines, NULL)) {
        return false;
    }
    variant->tracks = arena_take_array(reader->arena, count, sizeof *variant->tracks);
    variant->runs.verdict_per_run = arena_take_array(reader->arena, count, sizeof(uint8_t));
    if (variant->tracks == NULL || variant->runs.verdict_per_run == NULL) {
        return json_reader_refuse_memory(reader);
    }
    for (uint32_t run = 0; run < count; run++) {
        variant->tracks[run] = lines[run].track;
        variant->runs.verdict_per_run[run] = lines[run].verdict;
        variant->runs.verdicts[lines[run].verdict]++;
    }
    variant->runs.runs_done = count;
    variant->runs.digest = count > 0 ? lines[0].track.digest : 0;
    return true;
}

/* A baseline of no run has nothing that anything could be held against. */
static bool get_run_count(struct json_reader *reader, const json_t *object, uint32_t *runs) {
    if (!json_reader_count(reader, object, "runs", RUNS_MAX, runs)) {
        return false;
    }
    size_t mark = json_reader_push(reader, "runs");
    bool done = *runs > 0 || json_reader_refuse(reader, STORM_INVALID, "must be at least 1");
    json_reader_pop(reader, mark);
    return done;
}

/* ---- variants, scenarios, and the top -------------------------------------------------------- */

static bool take_variant(struct json_reader *reader, const char *name, const json_t *object,
                         const void *context, void *item) {
    struct baseline_variant *variant = item;
    const uint32_t *runs = context;
    if (!json_is_object(object)) {
        return json_reader_refuse_type(reader, object, "an object");
    }
    variant->runs.ghost_run = UINT32_MAX;
    return keep_name(reader, name, &variant->runs.name) &&
           get_metrics(reader, object, *runs, variant) &&
           get_runs(reader, object, *runs, variant) &&
           (fold_metrics_end(&variant->runs, reader->arena) || json_reader_refuse_memory(reader));
}

static bool take_scenario(struct json_reader *reader, const char *name, const json_t *object,
                          const void *context, void *item) {
    struct baseline_scenario *scenario = item;
    const struct json_list variants = {JSON_OBJECT, sizeof *scenario->variants, JSON_ANY_COUNT,
                                       take_variant, &scenario->runs};
    (void)context;
    if (!json_is_object(object)) {
        return json_reader_refuse_type(reader, object, "an object");
    }
    if (!keep_name(reader, name, &scenario->name) ||
        !json_reader_hex(reader, object, "hash", &scenario->hash) ||
        !results_read_seed(reader, object, &scenario->seed) ||
        !get_run_count(reader, object, &scenario->runs) ||
        !json_reader_list(reader, object, "variants", &variants, &scenario->variants,
                          &scenario->variant_count)) {
        return false;
    }
    baseline_sort_variants(scenario);
    return true;
}

static int compare_scenarios(const void *left, const void *right) {
    const struct baseline_scenario *a = left, *b = right;
    return strcmp(a->name, b->name);
}

bool baseline_parse(struct baseline *baseline, const char *text, size_t length, struct arena *arena,
                    struct storm_error *error) {
    struct json_reader reader = {.arena = arena, .error = error};
    const struct json_list scenarios = {JSON_OBJECT, sizeof *baseline->scenarios, JSON_ANY_COUNT,
                                        take_scenario, NULL};
    json_t *root = json_reader_parse(&reader, text, length);
    if (root == NULL) {
        return false;
    }
    *baseline = (struct baseline){.scenario_count = 0};
    bool done = (json_is_object(root) || json_reader_refuse_type(&reader, root, "an object")) &&
                results_read_schema(&reader, root, BASELINE_SCHEMA) &&
                json_reader_list(&reader, root, "scenarios", &scenarios, &baseline->scenarios,
                                 &baseline->scenario_count);
    if (done && baseline->scenario_count > 0) {
        qsort(baseline->scenarios, baseline->scenario_count, sizeof *baseline->scenarios,
              compare_scenarios);
    }
    json_decref(root);
    return done;
}

bool baseline_read(struct baseline *baseline, const char *file, struct arena *arena,
                   struct storm_error *error) {
    struct json_reader reader = {.arena = arena, .error = error};
    size_t length;
    char *text = json_reader_load(&reader, file, &length);
    bool done = text != NULL && baseline_parse(baseline, text, length, arena, error);
    free(text);
    return done;
}
