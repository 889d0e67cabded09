/* diff_json.c: how two results differ, as JSON. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/check_json.h"
#include "report/diff_text.h"
#include "report/json_writer.h"
#include "report/results_json.h"

static void write_change(struct json_writer *json, const struct storm_setting_change *change) {
    json_writer_object_begin(json, JSON_FLAT);
    json_key_string(json, "path", change->path);
    json_key_text(json, "first", change->before);
    json_key_text(json, "second", change->after);
    json_key_string(json, "variant", change->variant);
    json_key_count(json, "other_variants", change->others);
    json_writer_object_end(json);
}

bool diff_write_json(const struct storm_diff *diff, FILE *out) {
    struct json_writer json;
    json_writer_init(&json, out);
    json_writer_object_begin(&json, JSON_LINES);
    json_key_string(&json, "schema", DIFF_SCHEMA);
    results_key_seed(&json, diff->seed);
    json_key_count(&json, "runs", diff->runs);
    json_writer_key(&json, "settings");
    json_writer_array_begin(&json, JSON_LINES);
    for (uint32_t i = 0; i < diff->change_count; i++) {
        write_change(&json, &diff->changes[i]);
    }
    json_writer_array_end(&json);
    check_json_counts(&json, diff->counts);
    check_json_rows(&json, diff->rows, diff->row_count);
    json_writer_object_end(&json);
    return json_writer_end(&json);
}
