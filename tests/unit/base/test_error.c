/* test_error.c: errors are filled whole, kept up to a limit, and all counted. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <string.h>

#include <retrystorm/error.h>

#include "support/test.h"

static void a_failure_has_its_message_and_nothing_of_before(void **state) {
    (void)state;
    struct storm_error error;
    memset(&error, 'x', sizeof error);
    assert_false(storm_fail(&error, STORM_INVALID, "%d is %s", 7, "odd"));
    assert_int_equal(error.status, STORM_INVALID);
    assert_string_equal(error.message, "7 is odd");
    assert_string_equal(error.path, "");
    assert_string_equal(error.suggestion, "");
    assert_int_equal(error.line, 0);
    assert_int_equal(error.column, 0);
    assert_int_equal(error.width, 1);
}

static void a_failure_may_quote_itself(void **state) {
    (void)state;
    struct storm_error error;
    storm_fail(&error, STORM_IO, "no such file");
    storm_fail(&error, STORM_INVALID, "a.yaml: %s", error.message);
    assert_string_equal(error.message, "a.yaml: no such file");
}

static void a_long_message_is_cut_and_terminated(void **state) {
    (void)state;
    struct storm_error error;
    storm_fail(&error, STORM_USAGE, "%0500d", 1);
    assert_int_equal(strlen(error.message), STORM_MESSAGE_MAX - 1);
}

static void errors_beyond_the_limit_are_counted(void **state) {
    (void)state;
    static struct storm_errors errors;
    struct storm_error error;
    for (int i = 0; i < STORM_ERRORS_MAX + 5; i++) {
        storm_fail(&error, STORM_INVALID, "number %d", i);
        storm_errors_add(&errors, &error);
    }
    assert_int_equal(errors.count, STORM_ERRORS_MAX + 5);
    assert_string_equal(errors.list[0].message, "number 0");
    assert_string_equal(errors.list[STORM_ERRORS_MAX - 1].message, "number 19");
}

static void every_status_has_a_sentence(void **state) {
    (void)state;
    assert_string_equal(storm_status_sentence(STORM_OK), "no error");
    assert_string_equal(storm_status_sentence(STORM_INTERRUPTED), "interrupted");
    assert_string_equal(storm_status_sentence((enum storm_status)99), "unknown error");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failure_has_its_message_and_nothing_of_before),
        cmocka_unit_test(a_failure_may_quote_itself),
        cmocka_unit_test(a_long_message_is_cut_and_terminated),
        cmocka_unit_test(errors_beyond_the_limit_are_counted),
        cmocka_unit_test(every_status_has_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
