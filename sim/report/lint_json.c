/* lint_json.c: findings of lint, and errors of scenarios, as JSON. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <assert.h>

#include "report/json_writer.h"
#include "report/lint_log.h"

static void key_place(struct json_writer *json, const char *key, int place) {
    json_writer_key(json, key);
    if (place > 0) {
        json_writer_count(json, (uint64_t)place);
    } else {
        json_writer_null(json);
    }
}

static const char *or_null(const char *text) { return text[0] != '\0' ? text : NULL; }

static void write_finding(struct json_writer *json, const struct lint_finding *finding) {
    json_writer_object_begin(json, JSON_FLAT);
    json_key_string(json, "rule", finding->rule->id);
    json_key_string(json, "severity", lint_severity_word(finding->severity));
    json_key_string(json, "title", finding->rule->title);
    json_key_text(json, "path", or_null(finding->path));
    key_place(json, "line", finding->line);
    key_place(json, "column", finding->column);
    json_key_string(json, "message", finding->message);
    json_key_string(json, "fix", finding->rule->fix);
    json_writer_object_end(json);
}

static void write_error(struct json_writer *json, const struct storm_error *error) {
    json_writer_object_begin(json, JSON_FLAT);
    json_key_text(json, "path", or_null(error->path));
    key_place(json, "line", error->line);
    key_place(json, "column", error->column);
    json_key_string(json, "message", error->message);
    json_key_text(json, "fix", or_null(error->suggestion));
    json_writer_object_end(json);
}

static void write_file(struct json_writer *json, const struct lint_file *file) {
    json_writer_object_begin(json, JSON_LINES);
    json_key_string(json, "file", file->name);
    json_key_bool(json, "valid", file->errors.count == 0);
    json_writer_key(json, "findings");
    json_writer_array_begin(json, JSON_LINES);
    for (size_t i = 0; i < file->findings.count; i++) {
        write_finding(json, &file->findings.list[i]);
    }
    json_writer_array_end(json);
    json_writer_key(json, "errors");
    json_writer_array_begin(json, JSON_LINES);
    for (int i = 0; i < file->errors.count && i < STORM_ERRORS_MAX; i++) {
        write_error(json, &file->errors.list[i]);
    }
    json_writer_array_end(json);
    json_writer_object_end(json);
}

bool lint_write_json(const struct lint_file *files, size_t count, FILE *out) {
    uint64_t counts[LINT_NOTE + 1] = {0};
    struct json_writer json;
    assert(files != NULL || count == 0);
    json_writer_init(&json, out);
    json_writer_object_begin(&json, JSON_LINES);
    json_key_string(&json, "schema", "retrystorm.lint/1");
    json_writer_key(&json, "files");
    json_writer_array_begin(&json, JSON_LINES);
    for (size_t i = 0; i < count; i++) {
        write_file(&json, &files[i]);
        counts[LINT_ERROR] += (uint64_t)files[i].errors.count;
        for (size_t j = 0; j < files[i].findings.count; j++) {
            counts[files[i].findings.list[j].severity]++;
        }
    }
    json_writer_array_end(&json);
    json_key_count(&json, "errors", counts[LINT_ERROR]);
    json_key_count(&json, "warnings", counts[LINT_WARNING]);
    json_key_count(&json, "notes", counts[LINT_NOTE]);
    json_writer_object_end(&json);
    return json_writer_end(&json);
}
