/* test_classify.c: which failures are tried again, and what a service tells its caller. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policy/classify.h"

#include <retrystorm/policy.h>

#include "support/test.h"

static const uint16_t retried[] = {STORM_OUTCOME_REFUSED,
                                   STORM_OUTCOME_RESET,
                                   STORM_OUTCOME_TIMEOUT,
                                   STORM_OUTCOME_REJECTED,
                                   408,
                                   429,
                                   500,
                                   502,
                                   503,
                                   504};
enum { RETRIED = sizeof retried / sizeof retried[0] };

/* What is done about a status where the policy has nothing to say of it. */
static enum storm_class usual(uint16_t status) {
    for (size_t i = 0; i < RETRIED; i++) {
        if (retried[i] == status)
            return STORM_CLASS_RETRY;
    }
    return status / 100 == 2 || status / 100 == 3 ? STORM_CLASS_SUCCESS : STORM_CLASS_GIVE_UP;
}

static void exactly_2xx_and_3xx_end_a_call_well(void **state) {
    (void)state;
    static const struct storm_policy policy = {.attempts = 4};
    for (uint16_t status = 1; status < 600; status++) {
        bool is_success = classify_status(&policy, status) == STORM_CLASS_SUCCESS;
        assert_int_equal(is_success, status >= 200 && status <= 399);
    }
}

static void only_what_may_pass_by_itself_is_retried(void **state) {
    (void)state;
    static const struct storm_policy policy = {.attempts = 4};
    size_t next = 0;
    for (uint16_t status = 1; status < 600; status++) {
        bool expected = next < RETRIED && retried[next] == status;
        if ((classify_status(&policy, status) == STORM_CLASS_RETRY) != expected)
            fail_msg("status %u", status);
        next += expected;
    }
    assert_int_equal(next, RETRIED);
}

static void a_policy_s_own_rows_come_first_and_leave_the_rest_alone(void **state) {
    (void)state;
    static const struct storm_policy policy = {
        .class_count = 8,
        .classes = {{409, STORM_CLASS_SUCCESS},
                    {503, STORM_CLASS_GIVE_UP},
                    {STORM_OUTCOME_TIMEOUT, STORM_CLASS_GIVE_UP},
                    {404, STORM_CLASS_RETRY},
                    {202, STORM_CLASS_RETRY},
                    {304, STORM_CLASS_GIVE_UP},
                    {500, STORM_CLASS_SUCCESS},
                    {413, STORM_CLASS_RETRY_HINTED},
                    {502, STORM_CLASS_GIVE_UP}}, /* beyond the count: no row */
    };
    for (uint16_t status = 1; status < 600; status++) {
        enum storm_class expected = usual(status);
        for (uint32_t i = 0; i < policy.class_count; i++) {
            if (policy.classes[i].status == status)
                expected = (enum storm_class)policy.classes[i].class;
        }
        if (classify_status(&policy, status) != expected)
            fail_msg("status %u", status);
    }
    assert_int_equal(classify_status(&policy, 409), STORM_CLASS_SUCCESS);
    assert_int_equal(classify_status(&policy, 502), STORM_CLASS_RETRY);
}

static void a_full_table_is_read_to_its_end(void **state) {
    (void)state;
    struct storm_policy policy = {.class_count = STORM_CLASSES_MAX};
    for (uint16_t i = 0; i < STORM_CLASSES_MAX; i++)
        policy.classes[i] = (struct storm_class_row){(uint16_t)(430 + i), STORM_CLASS_RETRY};
    for (uint16_t status = 430; status < 450; status++) {
        bool is_listed = status < 430 + STORM_CLASSES_MAX;
        assert_int_equal(classify_status(&policy, status),
                         is_listed ? STORM_CLASS_RETRY : STORM_CLASS_GIVE_UP);
    }
}

static void a_service_passes_on_http_and_translates_the_network(void **state) {
    (void)state;
    assert_int_equal(classify_passed_on(STORM_OUTCOME_REFUSED), 502);
    assert_int_equal(classify_passed_on(STORM_OUTCOME_RESET), 502);
    assert_int_equal(classify_passed_on(STORM_OUTCOME_TIMEOUT), 504);
    assert_int_equal(classify_passed_on(STORM_OUTCOME_REJECTED), 503);
    for (uint16_t status = 100; status < 600; status++)
        assert_int_equal(classify_passed_on(status), status);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exactly_2xx_and_3xx_end_a_call_well),
        cmocka_unit_test(only_what_may_pass_by_itself_is_retried),
        cmocka_unit_test(a_policy_s_own_rows_come_first_and_leave_the_rest_alone),
        cmocka_unit_test(a_full_table_is_read_to_its_end),
        cmocka_unit_test(a_service_passes_on_http_and_translates_the_network),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
