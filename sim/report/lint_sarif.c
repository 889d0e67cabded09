/* lint_sarif.c: findings of lint, and errors of scenarios, as a SARIF log (OASIS, Static Analysis
   Results Interchange Format 2.1.0). */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "report/json_writer.h"
#include "report/lint_log.h"

enum { URI_SIZE = 3 * 4096, NAME_SIZE = 128 };

static const char schema[] = "https://json.schemastore.org/sarif-2.1.0.json";

static const struct lint_rule invalid = {
    LINT_INVALID_ID, LINT_ERROR, "a scenario that is not valid",
    "It can neither be run nor looked at.",
    "put right what the message says; 'retrystorm explain PATH' tells what may be there"};

/* ---- rules ----------------------------------------------------------------------------------- */

/* Rule 0 is that of files that cannot be read; those of lint.def follow. */
static const struct lint_rule *rule_at(size_t index) {
    return index == 0 ? &invalid : lint_rule_at(index - 1);
}

static size_t index_of(const struct lint_rule *rule) {
    size_t index = 0;
    while (rule_at(index) != rule) {
        index++;
        assert(index <= lint_rule_count());
    }
    return index;
}

/* "retries without jitter" as an identifier: RetriesWithoutJitter. */
static const char *identifier(const char *title, char name[NAME_SIZE]) {
    size_t length = 0;
    bool begins = true;
    for (const char *c = title; *c != '\0' && length + 1 < NAME_SIZE; c++) {
        bool is_letter = isalnum((unsigned char)*c) != 0;
        if (is_letter) {
            name[length++] = begins ? (char)toupper((unsigned char)*c) : *c;
        }
        begins = !is_letter;
    }
    name[length] = '\0';
    return name;
}

static void key_message(struct json_writer *json, const char *key, const char *text) {
    json_writer_key(json, key);
    json_writer_object_begin(json, JSON_FLAT);
    json_key_string(json, "text", text);
    json_writer_object_end(json);
}

static void write_rule(struct json_writer *json, const struct lint_rule *rule) {
    char name[NAME_SIZE];
    json_writer_object_begin(json, JSON_LINES);
    json_key_string(json, "id", rule->id);
    json_key_string(json, "name", identifier(rule->title, name));
    key_message(json, "shortDescription", rule->title);
    key_message(json, "fullDescription", rule->why);
    key_message(json, "help", rule->fix);
    json_writer_key(json, "defaultConfiguration");
    json_writer_object_begin(json, JSON_FLAT);
    json_key_string(json, "level", lint_severity_word(rule->severity));
    json_writer_object_end(json);
    json_writer_object_end(json);
}

static void write_tool(struct json_writer *json) {
    json_writer_key(json, "tool");
    json_writer_object_begin(json, JSON_LINES);
    json_writer_key(json, "driver");
    json_writer_object_begin(json, JSON_LINES);
    json_key_string(json, "name", "retrystorm");
    json_key_string(json, "version", STORM_VERSION);
    json_writer_key(json, "rules");
    json_writer_array_begin(json, JSON_LINES);
    for (size_t i = 0; i <= lint_rule_count(); i++) {
        write_rule(json, rule_at(i));
    }
    json_writer_array_end(json);
    json_writer_object_end(json);
    json_writer_object_end(json);
}

/* ---- places ---------------------------------------------------------------------------------- */

/* Adds a path to a URI, percent-encoded (RFC 3986) but for what a path may hold. */
static void add_path(char uri[URI_SIZE], const char *path) {
    static const char plain[] = "-._~/!$&'()*+,;=@";
    size_t length = strlen(uri);
    for (const char *c = path; *c != '\0' && length + 4 < URI_SIZE; c++) {
        if (isalnum((unsigned char)*c) || strchr(plain, *c) != NULL) {
            uri[length++] = *c;
        } else {
            length += (size_t)snprintf(uri + length, 4, "%%%02X", (unsigned)(unsigned char)*c);
        }
    }
    uri[length] = '\0';
}

/* The file as code scanning wants it: relative to the current folder where it is below that. True
   if it is. */
static bool find_uri(const char *file, char uri[URI_SIZE]) {
    char folder[URI_SIZE / 3];
    bool is_inside = file[0] != '/';
    uri[0] = '\0';
    while (strncmp(file, "./", 2) == 0) {
        file += 2;
    }
    if (!is_inside && getcwd(folder, sizeof folder) != NULL) {
        size_t length = strlen(folder);
        is_inside = strncmp(file, folder, length) == 0 && file[length] == '/';
        file += is_inside ? length + 1 : 0;
    }
    if (!is_inside) {
        snprintf(uri, URI_SIZE, "file://");
    }
    add_path(uri, strcmp(file, "-") == 0 ? "stdin" : file);
    return is_inside;
}

static void write_location(struct json_writer *json, const char *file, int line, int column,
                           int width) {
    char uri[URI_SIZE];
    bool is_inside = find_uri(file, uri);
    json_writer_key(json, "locations");
    json_writer_array_begin(json, JSON_FLAT);
    json_writer_object_begin(json, JSON_FLAT);
    json_writer_key(json, "physicalLocation");
    json_writer_object_begin(json, JSON_FLAT);
    json_writer_key(json, "artifactLocation");
    json_writer_object_begin(json, JSON_FLAT);
    json_key_string(json, "uri", uri);
    if (is_inside) {
        json_key_string(json, "uriBaseId", "%SRCROOT%");
    }
    json_writer_object_end(json);
    if (line > 0) {
        json_writer_key(json, "region");
        json_writer_object_begin(json, JSON_FLAT);
        json_key_count(json, "startLine", (uint64_t)line);
        json_key_count(json, "startColumn", (uint64_t)(column > 0 ? column : 1));
        if (width > 0) {
            json_key_count(json, "endColumn", (uint64_t)(column + width));
        }
        json_writer_object_end(json);
    }
    json_writer_object_end(json);
    json_writer_object_end(json);
    json_writer_array_end(json);
}

/* ---- results --------------------------------------------------------------------------------- */

/* One result. `about` and `nth` (0: the first of them) are its fingerprint, with the rule. */
struct result {
    const struct lint_rule *rule;
    enum lint_severity severity;
    const char *message, *more; /* `more`: NULL or empty: nothing more to say */
    const char *about;
    size_t nth;
    const char *file;
    int line, column, width; /* 0: not known */
};

static void write_result(struct json_writer *json, const struct result *result) {
    char number[24] = "";
    bool has_more = result->more != NULL && result->more[0] != '\0';
    if (result->nth > 0) {
        snprintf(number, sizeof number, " #%zu", result->nth + 1);
    }
    json_writer_object_begin(json, JSON_LINES);
    json_key_string(json, "ruleId", result->rule->id);
    json_key_count(json, "ruleIndex", index_of(result->rule));
    json_key_string(json, "level", lint_severity_word(result->severity));
    json_writer_key(json, "message");
    json_writer_object_begin(json, JSON_FLAT);
    json_writer_key(json, "text");
    json_writer_joined(
        json, (const char *const[]){result->message, has_more ? "; " : "", result->more}, 3);
    json_writer_object_end(json);
    write_location(json, result->file, result->line, result->column, result->width);
    json_writer_key(json, "partialFingerprints");
    json_writer_object_begin(json, JSON_FLAT);
    json_writer_key(json, "retrystormSetting/v1");
    json_writer_joined(json, (const char *const[]){result->rule->id, " ", result->about, number},
                       4);
    json_writer_object_end(json);
    json_writer_object_end(json);
}

static void write_findings(struct json_writer *json, const struct lint_file *file) {
    const struct lint_finding *list = file->findings.list;
    for (size_t i = 0; i < file->findings.count; i++) {
        struct result result = {.rule = list[i].rule,
                                .severity = list[i].severity,
                                .message = list[i].message,
                                .about = list[i].path,
                                .file = file->name,
                                .line = list[i].line,
                                .column = list[i].column};
        for (size_t j = 0; j < i; j++) {
            result.nth += list[j].rule == list[i].rule && strcmp(list[j].path, list[i].path) == 0;
        }
        write_result(json, &result);
    }
}

/* What an error is about: its setting, else what it says. */
static const char *about(const struct storm_error *error) {
    return error->path[0] != '\0' ? error->path : error->message;
}

static void write_errors(struct json_writer *json, const struct lint_file *file) {
    const struct storm_error *list = file->errors.list;
    for (int i = 0; i < file->errors.count && i < STORM_ERRORS_MAX; i++) {
        struct result result = {.rule = &invalid,
                                .severity = LINT_ERROR,
                                .message = list[i].message,
                                .more = list[i].suggestion,
                                .about = about(&list[i]),
                                .file = file->name,
                                .line = list[i].line,
                                .column = list[i].column,
                                .width = list[i].column > 0 ? list[i].width : 0};
        for (int j = 0; j < i; j++) {
            result.nth += strcmp(about(&list[j]), result.about) == 0;
        }
        write_result(json, &result);
    }
}

static void write_run(struct json_writer *json, const struct lint_file *files, size_t count) {
    bool all_read = true;
    for (size_t i = 0; i < count; i++) {
        all_read = all_read && files[i].errors.count == 0;
    }
    json_writer_object_begin(json, JSON_LINES);
    write_tool(json);
    json_key_string(json, "columnKind", "unicodeCodePoints");
    json_writer_key(json, "invocations");
    json_writer_array_begin(json, JSON_FLAT);
    json_writer_object_begin(json, JSON_FLAT);
    json_key_bool(json, "executionSuccessful", all_read);
    json_writer_object_end(json);
    json_writer_array_end(json);
    json_writer_key(json, "results");
    json_writer_array_begin(json, JSON_LINES);
    for (size_t i = 0; i < count; i++) {
        write_findings(json, &files[i]);
        write_errors(json, &files[i]);
    }
    json_writer_array_end(json);
    json_writer_object_end(json);
}

bool lint_write_sarif(const struct lint_file *files, size_t count, FILE *out) {
    struct json_writer json;
    assert(files != NULL || count == 0);
    json_writer_init(&json, out);
    json_writer_object_begin(&json, JSON_LINES);
    json_key_string(&json, "$schema", schema);
    json_key_string(&json, "version", "2.1.0");
    json_writer_key(&json, "runs");
    json_writer_array_begin(&json, JSON_LINES);
    write_run(&json, files, count);
    json_writer_array_end(&json);
    json_writer_object_end(&json);
    return json_writer_end(&json);
}
