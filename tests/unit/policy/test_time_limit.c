/* test_time_limit.c: four meanings of a total time. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policy/time_limit.h"

#include "support/test.h"

/* T = 10 s; the answer for a delay after so much time, and what becomes of the delay. */
static void check(enum storm_time_rule rule, storm_time passed, storm_time delay, bool allowed,
                  storm_time left) {
    struct storm_policy policy = {.total_time = 10 * STORM_SECOND, .time_rule = (int)rule};
    assert_int_equal(time_limit_allows(&policy, passed, &delay), allowed);
    assert_int_equal(delay, left);
}

static const storm_time passed = 9900 * STORM_MILLISECOND, delay = 6400 * STORM_MILLISECOND;

static void before_gives_up_when_the_delay_would_lead_beyond(void **state) {
    (void)state;
    check(STORM_TIME_BEFORE, passed, delay, false, delay);
    check(STORM_TIME_BEFORE, passed, 100 * STORM_MILLISECOND, true, 100 * STORM_MILLISECOND);
    check(STORM_TIME_BEFORE, passed, STORM_NEVER, false, STORM_NEVER);
}

static void after_gives_up_only_when_the_time_is_over(void **state) {
    (void)state;
    check(STORM_TIME_AFTER, passed, delay, true, delay);
    check(STORM_TIME_AFTER, 10 * STORM_SECOND, 0, false, 0);
}

static void truncate_leaves_one_more_try_at_the_end(void **state) {
    (void)state;
    check(STORM_TIME_TRUNCATE, passed, delay, true, 100 * STORM_MILLISECOND);
    check(STORM_TIME_TRUNCATE, 10 * STORM_SECOND, delay, false, delay);
}

static void interrupt_is_a_deadline_and_forbids_nothing(void **state) {
    (void)state;
    check(STORM_TIME_INTERRUPT, 11 * STORM_SECOND, delay, true, delay);
}

static void without_a_total_time_all_is_allowed(void **state) {
    (void)state;
    for (int rule = STORM_TIME_BEFORE; rule <= STORM_TIME_INTERRUPT; rule++) {
        struct storm_policy policy = {.total_time = STORM_NEVER, .time_rule = rule};
        storm_time wait = delay;
        assert_true(time_limit_allows(&policy, passed, &wait));
        assert_int_equal(wait, delay);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(before_gives_up_when_the_delay_would_lead_beyond),
        cmocka_unit_test(after_gives_up_only_when_the_time_is_over),
        cmocka_unit_test(truncate_leaves_one_more_try_at_the_end),
        cmocka_unit_test(interrupt_is_a_deadline_and_forbids_nothing),
        cmocka_unit_test(without_a_total_time_all_is_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
