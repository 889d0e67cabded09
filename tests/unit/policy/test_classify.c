/* test_classify.c: which failures are tried again, and what a service tells its caller. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policy/classify.h"

#include <retrystorm/policy.h>

#include "support/test.h"

static void exactly_2xx_and_3xx_end_a_call_well(void **state) {
    (void)state;
    for (uint16_t status = 1; status < 600; status++)
        assert_int_equal(classify_success(status), status >= 200 && status <= 399);
}

static void only_what_may_pass_by_itself_is_retried(void **state) {
    (void)state;
    static const uint16_t retried[] = {STORM_OUTCOME_REFUSED,
                                       STORM_OUTCOME_RESET,
                                       STORM_OUTCOME_TIMEOUT,
                                       408,
                                       429,
                                       500,
                                       502,
                                       503,
                                       504};
    size_t next = 0;
    for (uint16_t status = 1; status < 600; status++) {
        if (status >= 200 && status < 400)
            continue;
        bool expected = next < sizeof retried / sizeof retried[0] && retried[next] == status;
        if (classify_retryable(status) != expected)
            fail_msg("status %u", status);
        next += expected;
    }
    assert_int_equal(next, sizeof retried / sizeof retried[0]);
}

static void a_service_passes_on_http_and_translates_the_network(void **state) {
    (void)state;
    assert_int_equal(classify_passed_on(STORM_OUTCOME_REFUSED), 502);
    assert_int_equal(classify_passed_on(STORM_OUTCOME_RESET), 502);
    assert_int_equal(classify_passed_on(STORM_OUTCOME_TIMEOUT), 504);
    for (uint16_t status = 400; status < 600; status++)
        assert_int_equal(classify_passed_on(status), status);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exactly_2xx_and_3xx_end_a_call_well),
        cmocka_unit_test(only_what_may_pass_by_itself_is_retried),
        cmocka_unit_test(a_service_passes_on_http_and_translates_the_network),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
