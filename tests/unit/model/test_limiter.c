/* test_limiter.c: a token bucket lets in exactly what it should, and what those it refuses are told
   brings them back at its pace. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/limiter.h"

#include "model/world.h"
#include "support/small_world.h"
#include "support/test.h"

/* ---- the bucket alone ------------------------------------------------------------------------ */

static uint32_t admitted(struct limiter *limiter, double rate, uint32_t burst, storm_time now) {
    uint32_t count = 0;
    while (limiter_admits(limiter, rate, burst, now))
        count++;
    return count;
}

static void a_full_bucket_gives_its_burst_and_then_its_rate(void **state) {
    (void)state;
    static const struct {
        double rate;
        uint32_t burst;
    } rows[] = {{100, 100}, {1, 1}, {3, 7}, {0.1, 2}, {1e6, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct limiter limiter = {0};
        storm_time gap = storm_time_from_seconds(1 / rows[i].rate) + 1;
        assert_int_equal(admitted(&limiter, rows[i].rate, rows[i].burst, 5 * SEC), rows[i].burst);
        assert_int_equal(admitted(&limiter, rows[i].rate, rows[i].burst, 5 * SEC + gap - 3), 0);
        assert_int_equal(admitted(&limiter, rows[i].rate, rows[i].burst, 5 * SEC + gap), 1);
        storm_time later = 5 * SEC + gap * (rows[i].burst + 10);
        assert_int_equal(admitted(&limiter, rows[i].rate, rows[i].burst, later), rows[i].burst);
    }
}

/* A third of a second is no whole number of nanoseconds: who comes as often as allowed, at the
   nearest one, is always let in. */
static void sums_of_intervals_do_not_drift(void **state) {
    (void)state;
    struct limiter limiter = {0};
    uint32_t count = 0;
    for (storm_time now = 0; now < 3000 * SEC; now += 10 * MS)
        count += admitted(&limiter, 3, 1, now);
    /* three tokens a second, each taken up to 10 ms late: it never fills in between */
    assert_true(count > 3000 * 3 * 0.97 && count <= 3000 * 3);
    limiter = (struct limiter){0};
    count = 0;
    for (uint32_t i = 0; i < 9000; i++)
        count += limiter_admits(&limiter, 3, 1, storm_time_from_seconds(i / 3.0));
    assert_int_equal(count, 9000);
}

static void promises_are_one_interval_apart_and_kept(void **state) {
    (void)state;
    struct limiter limiter = {0};
    storm_time due[50];
    assert_int_equal(admitted(&limiter, 100, 10, SEC), 10);
    for (int i = 0; i < 50; i++) {
        due[i] = SEC + limiter_promise(&limiter, 100, 10, SEC);
        assert_true(due[i] == SEC + (i + 1) * 10 * MS);
    }
    for (int i = 0; i < 50; i++) {
        assert_true(limiter_admits(&limiter, 100, 10, due[i]));
        assert_false(limiter_admits(&limiter, 100, 10, due[i]));
    }
    /* nobody was promised anything later than that */
    assert_true(limiter_promise(&limiter, 100, 10, due[49]) == 10 * MS);
}

/* ---- at a service ---------------------------------------------------------------------------- */

/* A thousand clients at once meet 100/s with a burst of 100. */
static void crowd(struct small_world *w, enum storm_retry_after retry_after) {
    small_world_init(w);
    small_world_retry(w, STORM_ATTEMPTS_UNLIMITED, 0.25);
    w->populations[0].count = 1000;
    w->services[0].workers = STORM_UNLIMITED;
    w->services[0].service_time = small_world_constant(0);
    w->services[0].limit_rate = 100;
    w->services[0].limit_burst = 100;
    w->services[0].limit_status = 429;
    w->services[0].retry_after = retry_after;
    w->services[0].retry_after_time = SEC;
}

/* How many calls it took, and when the last one was answered. */
static void expect_calls(struct small_world *w, size_t calls, storm_time end) {
    small_world_live(w);
    assert_int_equal(w->error.status, STORM_OK);
    assert_int_equal(small_world_count(w, STORM_FACT_SUCCEEDED, 0), 1000);
    assert_int_equal(small_world_count(w, STORM_FACT_ARRIVED, 0), calls);
    assert_int_equal(small_world_count(w, STORM_FACT_REFUSED, 0), calls - 1000);
    assert_int_equal(small_world_fact(w, STORM_FACT_REFUSED, 0, 0)->status, 429);
    assert_true(small_world_fact(w, STORM_FACT_SUCCEEDED, 0, 999)->time == end);
    small_world_free(w);
}

/* By hand: 1000, 900, 800 ... 100 calls, a second apart. */
static void told_the_same_they_all_come_back_together(void **state) {
    (void)state;
    struct small_world w;
    crowd(&w, STORM_RETRY_AFTER_CONSTANT);
    expect_calls(&w, 5500, 10 * SEC);
}

/* By hand: 1000 calls, 900 of which come back once, each at a moment of its own. */
static void told_each_their_own_moment_they_come_back_once(void **state) {
    (void)state;
    struct small_world w;
    crowd(&w, STORM_RETRY_AFTER_PERSONAL);
    w.policies[0].hint.rule = STORM_HINT_OVERRIDE;
    expect_calls(&w, 1900, 10 * SEC);
}

/* Their own 250 ms: 100 let in at once, then 25 every quarter of a second, 36 rounds of them: calls
   = 1000 + sum over k = 0 .. 35 of (900 - 25 k) = 1000 + 36 * 900 - 25 * 630. */
static void told_nothing_they_wait_as_their_policy_says(void **state) {
    (void)state;
    for (int ignored = 0; ignored < 2; ignored++) {
        struct small_world w;
        crowd(&w, ignored ? STORM_RETRY_AFTER_CONSTANT : STORM_RETRY_AFTER_NONE);
        w.policies[0].hint.rule = ignored ? STORM_HINT_IGNORE : STORM_HINT_OVERRIDE;
        expect_calls(&w, 1000 + 36 * 900 - 25 * 630, 10 * SEC);
    }
}

/* The first client takes the token, the second is refused: told 1 s, it would itself wait for
   `own`. When does it come back? */
static storm_time comes_back_after(enum storm_hint hint, double own) {
    struct small_world w;
    crowd(&w, STORM_RETRY_AFTER_CONSTANT);
    small_world_retry(&w, 9, own);
    w.populations[0].count = 2;
    w.services[0].limit_burst = 1;
    w.policies[0].hint.rule = (int)hint;
    small_world_live(&w);
    storm_time wait = small_world_fact(&w, STORM_FACT_SENT, 0, 2)->time - SEC;
    small_world_free(&w);
    return wait;
}

static void a_hint_is_a_floor_or_overrides_or_is_ignored(void **state) {
    (void)state;
    assert_true(comes_back_after(STORM_HINT_FLOOR, 0.25) == SEC);
    assert_true(comes_back_after(STORM_HINT_FLOOR, 3) == 3 * SEC);
    assert_true(comes_back_after(STORM_HINT_OVERRIDE, 0.25) == SEC);
    assert_true(comes_back_after(STORM_HINT_OVERRIDE, 3) == SEC);
    assert_true(comes_back_after(STORM_HINT_IGNORE, 0.25) == 250 * MS);
    assert_true(comes_back_after(STORM_HINT_IGNORE, 3) == 3 * SEC);
}

static void a_hint_beyond_the_total_time_ends_the_call(void **state) {
    (void)state;
    struct small_world w;
    crowd(&w, STORM_RETRY_AFTER_CONSTANT);
    w.policies[0].total_time = 500 * MS;
    small_world_live(&w);
    const struct storm_fact *dead = small_world_fact(&w, STORM_FACT_DEAD, 0, 0);
    assert_true(dead->time == SEC && dead->reason == STORM_REASON_TOTAL_TIME);
    assert_int_equal(dead->status, 429);
    small_world_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_bucket_gives_its_burst_and_then_its_rate),
        cmocka_unit_test(sums_of_intervals_do_not_drift),
        cmocka_unit_test(promises_are_one_interval_apart_and_kept),
        cmocka_unit_test(told_the_same_they_all_come_back_together),
        cmocka_unit_test(told_each_their_own_moment_they_come_back_once),
        cmocka_unit_test(told_nothing_they_wait_as_their_policy_says),
        cmocka_unit_test(a_hint_is_a_floor_or_overrides_or_is_ignored),
        cmocka_unit_test(a_hint_beyond_the_total_time_ends_the_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
