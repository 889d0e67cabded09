/* test_breaker.c: when a circuit breaker opens, and how it closes again. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Worked examples with the defaults of resilience4j (50% of the last 100 calls, 60 s, 10 probes),
   Polly v8 (10% of at least 100 calls in 30 s, 5 s) and Finagle's failure accrual (5 in a row, 5 s
   growing to 300 s). */

#include "policy/breaker.h"

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/fact.h>
#include <retrystorm/policy.h>

#include "support/test.h"

/* A breaker and where it stands. */
struct rig {
    struct storm_breaker breaker;
    struct breaker_state state;
};

static struct rig resilience4j(void) {
    return (struct rig){.breaker = {.kind = STORM_BREAKER_COUNT,
                                    .share = 0.5,
                                    .calls = 100,
                                    .minimum = 100,
                                    .open_for = 60 * STORM_SECOND,
                                    .open_factor = 1,
                                    .open_longest = STORM_NEVER,
                                    .probes = 10}};
}

static struct rig polly(void) {
    return (struct rig){.breaker = {.kind = STORM_BREAKER_TIME,
                                    .share = 0.1,
                                    .window = 30 * STORM_SECOND,
                                    .minimum = 100,
                                    .open_for = 5 * STORM_SECOND,
                                    .open_factor = 1,
                                    .open_longest = STORM_NEVER,
                                    .probes = 1}};
}

static struct rig finagle(void) {
    return (struct rig){.breaker = {.kind = STORM_BREAKER_CONSECUTIVE,
                                    .consecutive = 5,
                                    .open_for = 5 * STORM_SECOND,
                                    .open_factor = 2,
                                    .open_longest = 300 * STORM_SECOND,
                                    .probes = 1}};
}

static bool allows(struct rig *rig, storm_time now) {
    return breaker_allows(&rig->breaker, &rig->state, now);
}

/* So many calls that are let through and end like this. */
static void end(struct rig *rig, int times, storm_time now, bool succeeded) {
    for (int i = 0; i < times; i++) {
        assert_true(allows(rig, now));
        breaker_record(&rig->breaker, &rig->state, now, succeeded);
    }
}

static bool is_open(const struct rig *rig) { return rig->state.phase == STORM_BREAKER_OPEN; }
static bool is_closed(const struct rig *rig) { return rig->state.phase == STORM_BREAKER_CLOSED; }

/* ---- closed ---------------------------------------------------------------------------------- */

static void five_failures_in_a_row_open_it_and_a_success_between_starts_again(void **state) {
    (void)state;
    struct rig rig = finagle();
    end(&rig, 4, 0, false);
    end(&rig, 1, 0, true);
    end(&rig, 4, 0, false);
    assert_true(is_closed(&rig));
    end(&rig, 1, 0, false);
    assert_true(is_open(&rig));
    assert_false(allows(&rig, 5 * STORM_SECOND - 1));
}

static void half_of_the_last_hundred_open_it_but_never_fewer_calls(void **state) {
    (void)state;
    struct rig rig = resilience4j();
    end(&rig, 99, 0, false);
    assert_true(is_closed(&rig)); /* all have failed, but they are not 100 yet */
    end(&rig, 1, 0, true);
    assert_true(is_open(&rig));
    struct rig even = resilience4j();
    end(&even, 51, 0, true);
    end(&even, 49, 0, false);
    assert_true(is_closed(&even));
    end(&even, 1, 0, false); /* the 101st call: the first success is forgotten, 50 of 100 */
    assert_true(is_open(&even));
}

/* Every window of the last 100 of a long row, counted by hand. */
static void the_ring_holds_the_last_hundred(void **state) {
    (void)state;
    struct rig rig = resilience4j();
    bool failed[5000];
    uint64_t chance = 12345;
    rig.breaker.share = 1; /* never opens */
    for (int i = 0; i < 5000; i++) {
        chance = chance * UINT64_C(6364136223846793005) + 1442695040888963407;
        failed[i] = (chance >> 40) % 3 == 0;
        end(&rig, 1, 0, !failed[i]);
        uint32_t bad = 0;
        for (int k = i; k >= 0 && k > i - 100; k--)
            bad += failed[k];
        assert_int_equal(rig.state.bad, bad);
    }
}

static void a_minimum_above_the_calls_that_are_kept_is_those_calls(void **state) {
    (void)state;
    struct rig rig = resilience4j();
    rig.breaker.calls = 10;
    end(&rig, 5, 0, true);
    end(&rig, 4, 0, false);
    assert_true(is_closed(&rig));
    end(&rig, 1, 0, false);
    assert_true(is_open(&rig));
}

static void a_share_is_not_missed_by_a_last_bit(void **state) {
    (void)state;
    struct rig rig = resilience4j();
    rig.breaker.share = 0.55; /* 0.55 x 100 is 55.00000000000001 */
    end(&rig, 45, 0, true);
    end(&rig, 54, 0, false);
    assert_true(is_closed(&rig));
    end(&rig, 1, 0, false);
    assert_true(is_open(&rig));
}

static void a_tenth_of_a_hundred_calls_in_thirty_seconds_opens_it(void **state) {
    (void)state;
    struct rig rig = polly();
    end(&rig, 9, 0, false);
    end(&rig, 90, 0, true);
    assert_true(is_closed(&rig));
    end(&rig, 1, 29 * STORM_SECOND, false);
    assert_true(is_open(&rig));
}

static void failures_older_than_the_window_are_forgotten(void **state) {
    (void)state;
    struct rig rig = polly();
    end(&rig, 99, 0, false);
    end(&rig, 1, 30 * STORM_SECOND, false);
    assert_true(is_closed(&rig));
    end(&rig, 98, 32 * STORM_SECOND, true);
    assert_true(is_closed(&rig)); /* 1 of 99 */
    end(&rig, 10, 40 * STORM_SECOND, false);
    assert_true(is_open(&rig)); /* 10 of 108 and then 11 of 109 */
    assert_int_equal(rig.state.until, 45 * STORM_SECOND);
}

/* ---- open and half-open ---------------------------------------------------------------------- */

static struct rig opened(struct rig rig) {
    while (!is_open(&rig))
        end(&rig, 1, 0, false);
    return rig;
}

static void ten_good_probes_close_it_and_an_eleventh_is_not_let_through(void **state) {
    (void)state;
    struct rig rig = opened(resilience4j());
    storm_time now = 60 * STORM_SECOND;
    assert_false(allows(&rig, now - 1));
    for (int i = 0; i < 10; i++)
        assert_true(allows(&rig, now));
    assert_false(allows(&rig, now));
    for (int i = 0; i < 9; i++)
        breaker_record(&rig.breaker, &rig.state, now, true);
    assert_false(allows(&rig, now)); /* nine are good, the tenth is on its way */
    assert_int_equal(rig.state.phase, STORM_BREAKER_HALF_OPEN);
    breaker_record(&rig.breaker, &rig.state, now, true);
    assert_true(is_closed(&rig));
    end(&rig, 99, now, false);
    assert_true(is_closed(&rig)); /* what was seen before is forgotten */
}

static void one_bad_probe_opens_it_again(void **state) {
    (void)state;
    struct rig rig = opened(resilience4j());
    storm_time now = 60 * STORM_SECOND;
    end(&rig, 9, now, true);
    end(&rig, 1, now, false);
    assert_true(is_open(&rig));
    assert_int_equal(rig.state.until, 120 * STORM_SECOND);
    end(&rig, 10, 120 * STORM_SECOND, true);
    assert_true(is_closed(&rig));
}

static void each_time_in_a_row_it_stays_open_longer_up_to_the_longest(void **state) {
    (void)state;
    static const int seconds[] = {5, 10, 20, 40, 80, 160, 300, 300, 300};
    struct rig rig = opened(finagle());
    storm_time now = 0;
    for (size_t i = 0; i < sizeof seconds / sizeof seconds[0]; i++) {
        assert_int_equal(rig.state.until - now, seconds[i] * STORM_SECOND);
        now = rig.state.until;
        end(&rig, 1, now, false);
    }
    now = rig.state.until;
    end(&rig, 1, now, true);
    end(&rig, 5, now, false);
    assert_int_equal(rig.state.until - now, 5 * STORM_SECOND); /* closed between: from the start */
    struct rig endless = opened(finagle());
    endless.breaker.open_factor = 1000;
    endless.breaker.open_longest = STORM_NEVER;
    for (int i = 0; i < 5; i++)
        end(&endless, 1, endless.state.until, false);
    assert_int_equal(endless.state.until, STORM_NEVER);
}

static void what_was_let_through_before_says_nothing_while_it_is_open(void **state) {
    (void)state;
    struct rig rig = finagle();
    for (int i = 0; i < 20; i++)
        assert_true(allows(&rig, 0));
    for (int i = 0; i < 20; i++)
        breaker_record(&rig.breaker, &rig.state, i, i >= 10);
    assert_true(is_open(&rig));
    assert_int_equal(rig.state.until, 5 * STORM_SECOND + 4);
    assert_int_equal(rig.state.opened, 1);
}

static void a_forgotten_probe_makes_room_for_another(void **state) {
    (void)state;
    struct rig rig = opened(polly());
    storm_time now = 5 * STORM_SECOND;
    assert_true(allows(&rig, now));
    assert_false(allows(&rig, now));
    breaker_forget(&rig.state);
    assert_true(allows(&rig, now));
    breaker_record(&rig.breaker, &rig.state, now, true);
    assert_true(is_closed(&rig));
    breaker_forget(&rig.state); /* one from before it opened */
    assert_true(is_closed(&rig));
}

static void an_outcome_when_no_probe_is_on_its_way_changes_nothing(void **state) {
    (void)state;
    struct rig rig = opened(resilience4j());
    assert_true(allows(&rig, 60 * STORM_SECOND));
    breaker_record(&rig.breaker, &rig.state, 60 * STORM_SECOND, true);
    breaker_record(&rig.breaker, &rig.state, 60 * STORM_SECOND, true);
    breaker_record(&rig.breaker, &rig.state, 60 * STORM_SECOND, false);
    breaker_forget(&rig.state);
    assert_int_equal(rig.state.probing, 0);
    assert_int_equal(rig.state.phase, STORM_BREAKER_HALF_OPEN);
    assert_int_equal(rig.state.probed, 1);
}

static void an_operator_may_make_the_ring_smaller(void **state) {
    (void)state;
    struct rig rig = resilience4j();
    end(&rig, 70, 0, false);
    rig.breaker.calls = 20;
    end(&rig, 19, 0, true);
    assert_int_equal(rig.state.count, 19);
    assert_true(is_closed(&rig));
}

static void no_breaker_never_opens(void **state) {
    (void)state;
    struct rig rig = {.breaker = {.kind = STORM_BREAKER_NONE}};
    end(&rig, 10000, 0, false);
    assert_true(is_closed(&rig));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(five_failures_in_a_row_open_it_and_a_success_between_starts_again),
        cmocka_unit_test(half_of_the_last_hundred_open_it_but_never_fewer_calls),
        cmocka_unit_test(the_ring_holds_the_last_hundred),
        cmocka_unit_test(a_minimum_above_the_calls_that_are_kept_is_those_calls),
        cmocka_unit_test(a_share_is_not_missed_by_a_last_bit),
        cmocka_unit_test(a_tenth_of_a_hundred_calls_in_thirty_seconds_opens_it),
        cmocka_unit_test(failures_older_than_the_window_are_forgotten),
        cmocka_unit_test(ten_good_probes_close_it_and_an_eleventh_is_not_let_through),
        cmocka_unit_test(one_bad_probe_opens_it_again),
        cmocka_unit_test(each_time_in_a_row_it_stays_open_longer_up_to_the_longest),
        cmocka_unit_test(what_was_let_through_before_says_nothing_while_it_is_open),
        cmocka_unit_test(a_forgotten_probe_makes_room_for_another),
        cmocka_unit_test(an_outcome_when_no_probe_is_on_its_way_changes_nothing),
        cmocka_unit_test(an_operator_may_make_the_ring_smaller),
        cmocka_unit_test(no_breaker_never_opens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
