/* tune_json.c: the best settings that a search has found, as JSON. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/evidence_text.h"
#include "report/json_writer.h"
#include "report/results_json.h"
#include "report/tune_text.h"

static void write_measures(struct json_writer *json, const struct storm_tune *tune) {
    json_writer_key(json, "measures");
    json_writer_array_begin(json, JSON_LINES);
    for (uint32_t m = 0; m < tune->measure_count; m++) {
        const struct storm_tune_measure *measure = &tune->measures[m];
        json_writer_object_begin(json, JSON_FLAT);
        json_key_string(json, "role", m == 0 ? "goal" : "constraint");
        json_key_string(json, "words", measure->words);
        json_key_string(json, "metric", measure->metric);
        json_key_string(json, "unit", measure->unit);
        json_writer_object_end(json);
    }
    json_writer_array_end(json);
}

static void write_settings(struct json_writer *json, const struct storm_tune *tune,
                           const struct storm_tune_point *point) {
    json_writer_key(json, "settings");
    json_writer_object_begin(json, JSON_FLAT);
    for (uint32_t a = 0; a < tune->axis_count; a++) {
        json_key_string(json, tune->paths[a], point->labels[a]);
    }
    json_writer_object_end(json);
}

static void write_point(struct json_writer *json, const struct storm_tune *tune,
                        const struct storm_tune_point *point) {
    json_writer_object_begin(json, JSON_FLAT);
    write_settings(json, tune, point);
    json_key_count(json, "runs", point->runs);
    json_key_bool(json, "refused", point->is_refused);
    json_key_bool(json, "keeps", point->is_feasible);
    json_key_double(json, "violation", point->violation);
    json_key_bool(json, "front", point->is_front);
    results_key_doubles(json, "values", point->values, tune->measure_count);
    json_writer_object_end(json);
}

static void write_evidence(struct json_writer *json, const struct storm_tune *tune,
                           const struct storm_evidence *fresh) {
    json_writer_key(json, "fresh");
    json_writer_array_begin(json, JSON_LINES);
    for (uint32_t m = 0; m < tune->measure_count; m++) {
        json_writer_object_begin(json, JSON_FLAT);
        evidence_keys(json, &fresh[m]);
        json_writer_object_end(json);
    }
    json_writer_array_end(json);
}

static void write_rival(struct json_writer *json, const struct storm_tune *tune,
                        const struct storm_tune_rival *rival) {
    json_writer_object_begin(json, JSON_LINES);
    json_key_text(json, "variant", rival->name);
    json_key_bool(json, "keeps", rival->is_feasible);
    json_key_double(json, "gain", rival->gain);
    json_key_double(json, "lo", rival->lo);
    json_key_double(json, "hi", rival->hi);
    json_key_double(json, "p", rival->p);
    json_key_count(json, "pairs", rival->pairs);
    json_key_count(json, "better", rival->better);
    json_key_count(json, "worse", rival->worse);
    json_key_double(json, "searched_gain", rival->searched_gain);
    json_key_double(json, "fresh_gain", rival->fresh_gain);
    json_key_double(json, "luck", rival->luck);
    write_evidence(json, tune, rival->fresh);
    json_writer_object_end(json);
}

static void write_confirmation(struct json_writer *json, const struct storm_tune *tune) {
    json_writer_key(json, "confirmation");
    if (!tune->is_confirmed) {
        json_writer_null(json);
        return;
    }
    json_writer_object_begin(json, JSON_LINES);
    json_key_count(json, "first_run", tune->fresh_from);
    json_key_count(json, "runs", tune->fresh_runs);
    json_key_bool(json, "keeps", tune->is_feasible);
    write_evidence(json, tune, tune->fresh);
    json_writer_key(json, "against");
    json_writer_array_begin(json, JSON_LINES);
    for (uint32_t i = 0; i < tune->rival_count; i++) {
        write_rival(json, tune, &tune->rivals[i]);
    }
    json_writer_array_end(json);
    json_writer_object_end(json);
}

bool tune_write_json(const struct storm_tune *tune, FILE *out) {
    struct json_writer json;
    json_writer_init(&json, out);
    json_writer_object_begin(&json, JSON_LINES);
    json_key_string(&json, "schema", TUNE_SCHEMA);
    json_key_string(&json, "version", STORM_VERSION);
    json_key_string(&json, "file", tune->file);
    json_key_text(&json, "variant", tune->variant);
    json_key_string(&json, "overrides", tune->overrides);
    results_key_seed(&json, tune->seed);
    json_key_count(&json, "runs", tune->runs);
    json_key_count(&json, "budget", tune->budget);
    json_key_count(&json, "runs_made", tune->runs_made);
    json_key_bool(&json, "complete", tune->is_complete);
    write_measures(&json, tune);
    json_writer_key(&json, "best");
    if (tune->point_count > 0) {
        write_point(&json, tune, &tune->points[tune->best]);
    } else {
        json_writer_null(&json);
    }
    write_confirmation(&json, tune);
    json_writer_key(&json, "points");
    json_writer_array_begin(&json, JSON_LINES);
    for (uint32_t i = 0; i < tune->point_count; i++) {
        write_point(&json, tune, &tune->points[i]);
    }
    json_writer_array_end(&json);
    json_writer_object_end(&json);
    return json_writer_end(&json);
}
