/* test_lint_log.c: findings and errors for programs: where they are, and what tells them apart. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/lint_log.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/test.h"

static json_t *written(const struct lint_file *file,
                       bool (*write)(const struct lint_file *files, size_t count, FILE *out)) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_true(write(file, 1, out));
    fclose(out);
    json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(json);
    free(text);
    return json;
}

static json_t *result(json_t *log, size_t index) {
    json_t *run = json_array_get(json_object_get(log, "runs"), 0);
    return json_array_get(json_object_get(run, "results"), index);
}

static json_t *place(json_t *log, size_t index) {
    json_t *location = json_array_get(json_object_get(result(log, index), "locations"), 0);
    return json_object_get(location, "physicalLocation");
}

static const char *uri(json_t *log) {
    json_t *artifact = json_object_get(place(log, 0), "artifactLocation");
    return json_string_value(json_object_get(artifact, "uri"));
}

static const char *print(json_t *log, size_t index) {
    json_t *prints = json_object_get(result(log, index), "partialFingerprints");
    return json_string_value(json_object_get(prints, "retrystormSetting/v1"));
}

static void the_same_finding_twice_has_two_fingerprints(void **state) {
    (void)state;
    struct lint_finding list[] = {
        {.rule = lint_rule_at(2), .severity = LINT_WARNING, .line = 7, .path = "services.api"},
        {.rule = lint_rule_at(2), .severity = LINT_NOTE, .line = 9, .path = "services.api"},
        {.rule = lint_rule_at(3), .severity = LINT_ERROR, .path = "services.api"}};
    struct lint_file file = {.name = "x.yaml", .findings = {list, 3}};
    json_t *log = written(&file, lint_write_sarif);
    assert_string_equal(print(log, 0), "R003 services.api");
    assert_string_equal(print(log, 1), "R003 services.api #2");
    assert_string_equal(print(log, 2), "R004 services.api");
    assert_string_equal(json_string_value(json_object_get(result(log, 1), "level")), "note");
    assert_int_equal(json_integer_value(json_object_get(result(log, 2), "ruleIndex")), 4);
    json_t *region = json_object_get(place(log, 0), "region");
    assert_int_equal(json_integer_value(json_object_get(region, "startLine")), 7);
    assert_null(json_object_get(place(log, 2), "region")); /* it has no place in the file */
    json_decref(log);
}

static void an_error_is_a_result_of_a_rule_of_its_own(void **state) {
    (void)state;
    struct lint_file file = {.name = "x.yaml", .errors = {.count = 1}};
    file.errors.list[0] = (struct storm_error){.status = STORM_INVALID,
                                               .line = 3,
                                               .column = 11,
                                               .width = 2,
                                               .path = "duration",
                                               .message = "'duration' has no unit",
                                               .suggestion = "write 10s"};
    json_t *log = written(&file, lint_write_sarif), *json = written(&file, lint_write_json);
    json_t *text = json_object_get(json_object_get(result(log, 0), "message"), "text");
    json_t *region = json_object_get(place(log, 0), "region");
    assert_string_equal(print(log, 0), "R000 duration");
    assert_string_equal(json_string_value(text), "'duration' has no unit; write 10s");
    assert_int_equal(json_integer_value(json_object_get(region, "endColumn")), 13);
    assert_int_equal(json_integer_value(json_object_get(json, "errors")), 1);
    json_decref(log);
    json_decref(json);
}

static const char *uri_of(const char *name, json_t **log) {
    struct lint_finding finding = {.rule = lint_rule_at(0)};
    struct lint_file file = {.name = name, .findings = {&finding, 1}};
    *log = written(&file, lint_write_sarif);
    return uri(*log);
}

static void files_are_named_as_code_scanning_wants_them(void **state) {
    (void)state;
    char inside[4096], folder[4000];
    json_t *log;
    assert_non_null(getcwd(folder, sizeof folder));
    snprintf(inside, sizeof inside, "%s/a/b.yaml", folder);
    const char *const names[][2] = {{"a/b.yaml", "a/b.yaml"},
                                    {"./a b%.yaml", "a%20b%25.yaml"},
                                    {"-", "stdin"},
                                    {"/nowhere/b.yaml", "file:///nowhere/b.yaml"},
                                    {inside, "a/b.yaml"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        assert_string_equal(uri_of(names[i][0], &log), names[i][1]);
        json_decref(log);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_finding_twice_has_two_fingerprints),
        cmocka_unit_test(an_error_is_a_result_of_a_rule_of_its_own),
        cmocka_unit_test(files_are_named_as_code_scanning_wants_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
