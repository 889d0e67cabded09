/* test_explain.c: whatever can be written is explained, and what is misspelt is put right. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <retrystorm/load.h>

#include "guide/explain.h"
#include "guide/outline.h"
#include "guide/starter.h"

/* What is said about a word; the caller frees. NULL after an error. */
static char *explained(const char *what, struct storm_error *error) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    *error = (struct storm_error){0};
    bool is_known = explain_write(what, out, error);
    assert_int_equal(fclose(out), 0);
    if (is_known)
        return text;
    assert_int_equal(size, 0);
    free(text);
    return NULL;
}

static void check_line(const char *what, const char *line) {
    struct storm_error error;
    char *text = explained(what, &error);
    assert_non_null(text);
    if (strstr(text, line) == NULL)
        fail_msg("'%s' is not in:\n%s", line, text);
    free(text);
}

static void path_check(void *context, const char *path, const struct entry *entry) {
    int *count = context;
    struct storm_error error;
    char *text = explained(path, &error);
    if (text == NULL)
        fail_msg("%s: %s", path, error.message);
    assert_memory_equal(text, path, strlen(path)); /* NAME and 0 stand for themselves */
    assert_true(strstr(text, "\n  write    ") != NULL || entry->field->key == NULL);
    free(text);
    ++*count;
}

static void every_path_is_explained(void **state) {
    (void)state;
    int count = 0;
    outline_visit(path_check, &count);
    assert_true(count > 150);
}

static void what_only_expectations_know_is_explained(void **state) {
    (void)state;
    check_line("recovers", "the share of the runs that come back or were never harmed");
}

static void names_and_indexes_may_be_any(void **state) {
    (void)state;
    check_line("clients.my-web.calls.timeout", "clients.NAME.calls.timeout\n");
    check_line("services.db.calls.17.loss", "services.NAME.calls.0.loss\n");
    check_line("faults.kind", "faults.0.kind\n");
    check_line("services.api.errors.503", "  range    0% to 100%\n");
    check_line("dead_letters.orders.dead.retention", "dead_letters.NAME.retention\n");
    check_line("clients.web", "The map's settings:\n  count ");
    check_line("clients", "The settings of each:\n  count ");
    check_line("policies.app.retry_on.0", "reset            the connection broke");
}

static void all_that_is_known_is_told(void **state) {
    (void)state;
    check_line("services.api.queue.order", "  write    one of fifo, lifo\n");
    check_line("services.api.queue.order", "  default  fifo\n");
    check_line("services.api.queue.order", "  lifo             who came last\n");
    check_line("services.api.workers", "  live     an action may change it during a run\n");
    check_line("clients.a.count", "  range    1 to 100000000\n");
    check_line("clients.a.count", "  default  required\n");
    check_line("clients.a.arrivals.every", "  choice   exactly one of at, every, poisson, ");
    check_line("clients.a.arrivals.spread", "  with     at or every\n");
    check_line("policies.app.preset", "  envoy-default    ");
    check_line("envoy-default", "  a preset: ");
    check_line("policies.app.budget.kind", "  live     an action may change it during a run\n");
    check_line("queues.orders.order", "  write    one of any, fifo\n");
    check_line("policies.app.delay", "  full-jitter      uniform between 0 and ");
}

static void other_words_are_explained_too(void **state) {
    (void)state;
    check_line("amplification", "amplification.SERVICE\n  attempts that reached the service ");
    check_line("amplification.db", "  better   lower\n");
    check_line("stuck", "  a verdict: did not come back");
    check_line("full-jitter", "  a policy: uniform between 0 ");
    check_line("timeout", "services.NAME.calls.0.timeout\n");
    check_line(NULL, "  duration         how long a run is");
}

static void what_is_misspelt_is_put_right(void **state) {
    (void)state;
    static const char *const rows[][3] = {
        {"clients.web.calls.timeuot", "there is no setting 'timeuot' in clients.NAME.calls",
         "did you mean 'timeout'?"},
        {"policies.app.retries", "there is no setting 'retries' in policies.NAME",
         "did you mean 'attempts'?"},
        {"clinets", "there is no setting, metric, verdict or policy 'clinets'",
         "did you mean 'clients'?"},
        {"duration.x", "duration is a single value: there is no 'x' in it", ""},
        {"amplifcation", "there is no setting, metric, verdict or policy 'amplifcation'",
         "did you mean 'amplification'?"},
        {"clients..calls", "'.calls' is no path of names with dots", ""},
        {"clients.", "a path does not end with a dot", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct storm_error error;
        assert_null(explained(rows[i][0], &error));
        assert_int_equal(error.status, STORM_USAGE);
        assert_string_equal(error.message, rows[i][1]);
        assert_string_equal(error.suggestion, rows[i][2]);
    }
}

static void the_scenario_to_start_from_is_a_good_one(void **state) {
    (void)state;
    struct storm_errors errors = {.count = 0};
    struct storm_document *document =
        storm_document_parse(starter_text, strlen(starter_text), &errors);
    assert_non_null(document);
    assert_int_equal(storm_document_variant_count(document), 3);
    for (size_t i = 0; i < storm_document_variant_count(document); i++)
        assert_non_null(storm_document_decode(document, storm_document_variant_name(document, i),
                                              NULL, 0, &errors));
    storm_document_free(document);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_path_is_explained),
        cmocka_unit_test(what_only_expectations_know_is_explained),
        cmocka_unit_test(names_and_indexes_may_be_any),
        cmocka_unit_test(all_that_is_known_is_told),
        cmocka_unit_test(other_words_are_explained_too),
        cmocka_unit_test(what_is_misspelt_is_put_right),
        cmocka_unit_test(the_scenario_to_start_from_is_a_good_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
