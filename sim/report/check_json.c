/* check_json.c: a check as JSON, with every row. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/check_json.h"

#include "report/check_report.h"
#include "report/check_words.h"
#include "report/json_writer.h"
#include "report/results_json.h"

static void write_bound(struct json_writer *json, const struct storm_check_row *row) {
    json_key_string(json, "statistic", row->statistic);
    json_key_count(json, "line", (uint64_t)row->line);
    json_key_double(json, "at_least", row->at_least);
    json_key_double(json, "at_most", row->at_most);
    json_key_count(json, "numbers", row->numbers);
}

static void write_difference(struct json_writer *json, const struct storm_check_row *row) {
    json_key_double(json, "baseline", row->baseline);
    json_key_double(json, "difference", row->difference);
    json_key_double(json, "lo", row->lo);
    json_key_double(json, "hi", row->hi);
    json_key_double(json, "tolerance", row->tolerance);
}

/* A member `metric` of null: the whole variant. */
static void write_row(struct json_writer *json, const struct storm_check_row *row) {
    json_writer_object_begin(json, JSON_FLAT);
    json_key_string(json, "finding", storm_finding_word(row->finding));
    json_key_string(json, "of", row->is_bound ? "expect" : "baseline");
    json_key_string(json, "variant", row->variant);
    json_key_text(json, "metric", row->metric);
    json_key_string(json, "unit", row->unit);
    json_key_double(json, "now", row->now);
    if (row->is_bound) {
        write_bound(json, row);
    } else {
        write_difference(json, row);
    }
    json_writer_object_end(json);
}

void check_json_rows(struct json_writer *json, const struct storm_check_row *rows, uint32_t count) {
    json_writer_key(json, "rows");
    json_writer_array_begin(json, JSON_LINES);
    for (uint32_t i = 0; i < count; i++) {
        write_row(json, &rows[i]);
    }
    json_writer_array_end(json);
}

static void write_divergence(struct json_writer *json,
                             const struct storm_check_scenario *scenario) {
    const struct storm_divergence *where = &scenario->divergence;
    char command[CHECK_COMMAND_MAX];
    json_writer_key(json, "first_difference");
    if (where->variant == NULL) {
        json_writer_null(json);
        return;
    }
    json_writer_object_begin(json, JSON_LINES);
    json_key_string(json, "variant", where->variant);
    json_key_count(json, "run", where->run);
    json_key_double(json, "from_s", storm_time_to_seconds(where->from));
    json_key_double(json, "to_s", storm_time_to_seconds(where->to));
    json_key_string(json, "command", check_trace(scenario, command));
    json_writer_object_end(json);
}

void check_json_counts(struct json_writer *json, const uint32_t *counts) {
    json_writer_key(json, "counts");
    json_writer_object_begin(json, JSON_FLAT);
    for (uint32_t i = 0; i < STORM_FINDING_COUNT; i++) {
        json_key_count(json, storm_finding_word((enum storm_finding)i), counts[i]);
    }
    json_writer_object_end(json);
}

static void write_scenario(struct json_writer *json, const struct storm_check_scenario *scenario) {
    static const char *const states[] = {[STORM_BASELINE_UNASKED] = "unasked",
                                         [STORM_BASELINE_MISSING] = "missing",
                                         [STORM_BASELINE_FOUND] = "found",
                                         [STORM_BASELINE_GONE] = "gone"};
    json_writer_object_begin(json, JSON_LINES);
    json_key_string(json, "file", scenario->file);
    results_key_seed(json, scenario->seed);
    json_key_count(json, "runs", scenario->runs);
    json_key_count(json, "variants", scenario->variant_count);
    json_key_string(json, "baseline", states[scenario->state]);
    json_key_bool(json, "settings_changed", scenario->is_changed);
    json_key_count(json, "differing_runs", scenario->differing_runs);
    write_divergence(json, scenario);
    check_json_counts(json, scenario->counts);
    check_json_rows(json, scenario->rows, scenario->row_count);
    json_writer_object_end(json);
}

bool check_write_json(const struct storm_check *check, FILE *out) {
    struct json_writer json;
    json_writer_init(&json, out);
    json_writer_object_begin(&json, JSON_LINES);
    json_key_string(&json, "schema", CHECK_SCHEMA);
    json_key_string(&json, "answer", check_answer_word(check->answer));
    json_key_bool(&json, "updated", check->is_updated);
    check_json_counts(&json, check->counts);
    json_writer_key(&json, "scenarios");
    json_writer_array_begin(&json, JSON_LINES);
    for (uint32_t i = 0; i < check->scenario_count; i++) {
        write_scenario(&json, &check->scenarios[i]);
    }
    json_writer_array_end(&json);
    json_writer_object_end(&json);
    return json_writer_end(&json);
}
