/* test_hinted.c: the waits of a caller that was told when to come back. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "schedule/hinted.h"

#include <stdint.h>

#include <retrystorm/policy.h>

#include "policy/registry.h"
#include "support/test.h"

/* Full jitter up to 1, 2 and 4 s. */
static struct storm_policy policy_with(enum storm_hint rule) {
    struct storm_policy policy = policy_headline_find("full-jitter")->policy;
    policy.hint.rule = (int)rule;
    policy.hint.limit = 30 * STORM_SECOND;
    policy.hint.slack = 5 * STORM_SECOND;
    return policy;
}

static void each_rule_has_its_shortest_and_its_longest_wait(void **state) {
    (void)state;
    static const struct {
        enum storm_hint rule;
        double low, high;         /* before the third retry, told 3 s */
        double low_far, high_far; /* told 61 s */
    } rows[] = {
        {STORM_HINT_FLOOR, 3, 4, 61, 61},      {STORM_HINT_OVERRIDE, 3, 3, 61, 61},
        {STORM_HINT_IGNORE, 0, 4, 0, 4},       {STORM_HINT_CLAMP, 3, 4, 5, 9},
        {STORM_HINT_CAPPED, 3, 3, 30, 30},     {STORM_HINT_GIVE_UP_ABOVE, 3, 3, -1, -1},
        {STORM_HINT_IGNORE_ABOVE, 3, 3, 0, 4},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct storm_policy policy = policy_with(rows[i].rule);
        struct schedule schedule;
        assert_true(schedule_make(&schedule, &policy, 3));
        struct hinted near = hinted_wait(&schedule, 3, 3 * STORM_SECOND);
        assert_true(storm_time_to_seconds(near.low) == rows[i].low);
        assert_true(storm_time_to_seconds(near.high) == rows[i].high);
        assert_false(hinted_gives_up(&schedule, 3 * STORM_SECOND));
        bool gives_up = rows[i].low_far < 0;
        assert_true(hinted_gives_up(&schedule, 61 * STORM_SECOND) == gives_up);
        if (gives_up)
            continue;
        struct hinted far = hinted_wait(&schedule, 3, 61 * STORM_SECOND);
        assert_true(storm_time_to_seconds(far.low) == rows[i].low_far);
        assert_true(storm_time_to_seconds(far.high) == rows[i].high_far);
    }
}

static void a_rule_that_begins_again_waits_as_before_the_first_retry(void **state) {
    (void)state;
    struct storm_policy policy = policy_with(STORM_HINT_FLOOR);
    struct schedule schedule;
    policy.hint.restarts = true;
    assert_true(schedule_make(&schedule, &policy, 3));
    assert_true(hinted_wait(&schedule, 3, 0).high == STORM_SECOND);
}

static void a_jitter_on_the_hint_makes_it_longer(void **state) {
    (void)state;
    struct storm_policy policy = policy_with(STORM_HINT_OVERRIDE);
    struct schedule schedule;
    policy.hint.jitter = 0.5; /* Envoy's [x, 1.5 x) */
    assert_true(schedule_make(&schedule, &policy, 1));
    struct hinted wait = hinted_wait(&schedule, 1, 10 * STORM_SECOND);
    assert_true(wait.low == 10 * STORM_SECOND && wait.high == 15 * STORM_SECOND);
}

static void a_rule_has_its_word_and_its_meaning(void **state) {
    (void)state;
    struct storm_policy policy = policy_with(STORM_HINT_IGNORE);
    struct schedule schedule;
    assert_true(schedule_make(&schedule, &policy, 1));
    assert_string_equal(hinted_rule(&schedule), "ignore");
    assert_string_equal(hinted_meaning(&schedule), "the delay alone");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_has_its_shortest_and_its_longest_wait),
        cmocka_unit_test(a_rule_that_begins_again_waits_as_before_the_first_retry),
        cmocka_unit_test(a_jitter_on_the_hint_makes_it_longer),
        cmocka_unit_test(a_rule_has_its_word_and_its_meaning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
