/* limit_json.c: where a criterion changes side, as JSON. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/evidence_text.h"
#include "report/json_writer.h"
#include "report/limit_text.h"
#include "report/results_json.h"

static const char *end_word(enum storm_limit_end end) {
    switch (end) {
    case STORM_LIMIT_FOUND:
        return "found";
    case STORM_LIMIT_NEVER:
        return "never";
    case STORM_LIMIT_STOPPED:
        break;
    }
    return "stopped";
}

/* The value at an index; null where there is none. */
static void key_label(struct json_writer *json, const char *key, const struct storm_limit *limit,
                      uint32_t index) {
    bool has_bracket = limit->before != limit->beyond;
    json_key_text(json, key,
                  has_bracket && index != STORM_LIMIT_NONE ? limit->readings[index].label : NULL);
}

static void write_reading(struct json_writer *json, const struct storm_limit_reading *reading) {
    json_writer_object_begin(json, JSON_FLAT);
    json_key_string(json, "value", reading->label);
    json_key_double(json, "number", reading->number);
    json_key_bool(json, "refused", reading->is_refused);
    if (!reading->is_refused) {
        json_writer_key(json, "evidence");
        json_writer_object_begin(json, JSON_FLAT);
        evidence_keys(json, &reading->evidence);
        json_writer_object_end(json);
    }
    json_writer_object_end(json);
}

bool limit_write_json(const struct storm_limit *limit, FILE *out) {
    struct json_writer json;
    json_writer_init(&json, out);
    json_writer_object_begin(&json, JSON_LINES);
    json_key_string(&json, "schema", LIMIT_SCHEMA);
    json_key_string(&json, "version", STORM_VERSION);
    json_key_string(&json, "file", limit->file);
    json_key_text(&json, "variant", limit->variant);
    json_key_string(&json, "overrides", limit->overrides);
    results_key_seed(&json, limit->seed);
    json_key_string(&json, "path", limit->path);
    json_key_string(&json, "unit", limit->unit);
    json_key_text(&json, "own_value", limit->own);
    json_key_string(&json, "until", limit->criterion);
    json_key_string(&json, "metric_unit", limit->metric_unit);
    json_key_double(&json, "precision", limit->precision);
    json_key_count(&json, "max_runs", limit->runs_max);
    json_key_double(&json, "confidence", limit->confidence);
    json_key_count(&json, "runs_made", limit->runs_made);
    json_key_string(&json, "end", end_word(limit->end));
    key_label(&json, "before", limit, limit->before);
    key_label(&json, "beyond", limit, limit->beyond);
    key_label(&json, "proven_before", limit, limit->sure_before);
    key_label(&json, "proven_beyond", limit, limit->sure_beyond);
    json_key_count(&json, "changes", limit->changes);
    json_writer_key(&json, "readings");
    json_writer_array_begin(&json, JSON_LINES);
    for (uint32_t i = 0; i < limit->reading_count; i++) {
        write_reading(&json, &limit->readings[i]);
    }
    json_writer_array_end(&json);
    json_writer_object_end(&json);
    return json_writer_end(&json);
}
