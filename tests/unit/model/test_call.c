/* test_call.c: a caller sends, waits, times out, backs off, tries again and gives up, fact by
   fact. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/small_world.h"

#include <string.h>

#include "model/model.h"
#include "support/test.h"

static void a_call_that_goes_well_tells_this_story(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    w.populations[0].call.network = small_world_constant(20 * MS);
    small_world_live(&w);
    small_world_expect(&w, "1s born client 0\n"
                           "1s sent api try 1\n"
                           "1.02s arrived api\n"
                           "1.02s started api after 0s\n"
                           "1.12s served api 200 in 100ms\n"
                           "1.14s succeeded client 0 in 140ms tries 1\n");
    small_world_free(&w);
}

/* 20 ms there, 100 ms of work, 20 ms back: the answer and the timeout fall on one instant. */
static void a_timeout_comes_before_an_answer_of_the_same_instant(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    w.populations[0].call.network = small_world_constant(20 * MS);
    w.populations[0].call.timeout.offset = 140 * MS;
    small_world_live(&w);
    small_world_expect(&w, "1s born client 0\n"
                           "1s sent api try 1\n"
                           "1.02s arrived api\n"
                           "1.02s started api after 0s\n"
                           "1.12s served api 200 in 100ms\n"
                           "1.14s gave up api try 1\n"
                           "1.14s dead client 0 in 140ms tries 1 status 3 attempts_exhausted since "
                           "1.14s\n");
    small_world_free(&w);
}

static void an_answer_one_nanosecond_before_the_timeout_counts(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    w.populations[0].call.timeout.offset = 100 * MS + 1;
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_GAVE_UP, 0), 0);
    assert_int_equal(small_world_count(&w, STORM_FACT_SUCCEEDED, 0), 1);
    small_world_free(&w);
}

/* The callee does not know that nobody waits: the first try is served as a ghost, the second
   waits behind it. */
static void after_a_timeout_the_attempt_goes_on_as_a_ghost(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    small_world_retry(&w, 2, 0.01);
    w.populations[0].call.timeout.offset = 60 * MS;
    small_world_live(&w);
    small_world_expect(
        &w, "1s born client 0\n"
            "1s sent api try 1\n"
            "1s arrived api\n"
            "1s started api after 0s\n"
            "1.06s gave up api try 1\n"
            "1.07s sent api try 2 retry\n"
            "1.07s arrived api retry\n"
            "1.07s queued api retry\n"
            "1.1s served api 200 in 100ms ghost\n"
            "1.1s started api after 30ms retry queued\n"
            "1.13s gave up api try 2 retry\n"
            "1.13s dead client 0 in 130ms tries 2 status 3 attempts_exhausted since 1.06s\n"
            "1.2s served api 200 in 100ms retry ghost\n");
    small_world_free(&w);
}

/* The answer of try 1 is on the wire when its caller gives up; it must not end try 2. */
static void a_late_answer_is_ignored(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    small_world_retry(&w, 2, 0);
    w.services[0].workers = 2;
    w.services[0].service_time = small_world_constant(10 * MS);
    w.populations[0].call.network = small_world_constant(100 * MS);
    w.populations[0].call.timeout.offset = 205 * MS;
    small_world_live(&w);
    small_world_expect(&w, "1s born client 0\n"
                           "1s sent api try 1\n"
                           "1.1s arrived api\n"
                           "1.1s started api after 0s\n"
                           "1.11s served api 200 in 10ms\n"
                           "1.205s gave up api try 1\n"
                           "1.205s sent api try 2 retry\n"
                           "1.305s arrived api retry\n"
                           "1.305s started api after 0s retry\n"
                           "1.315s served api 200 in 10ms retry\n"
                           "1.41s gave up api try 2 retry\n"
                           "1.41s dead client 0 in 410ms tries 2 status 3 attempts_exhausted since "
                           "1.205s\n");
    small_world_free(&w);
}

static void an_attempt_abandoned_on_the_wire_arrives_as_a_ghost(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    w.populations[0].call.network = small_world_constant(100 * MS);
    w.populations[0].call.timeout.offset = 50 * MS;
    small_world_live(&w);
    assert_true(small_world_fact(&w, STORM_FACT_ARRIVED, 0, 0)->ghost);
    assert_true(small_world_fact(&w, STORM_FACT_STARTED, 0, 0)->ghost);
    assert_true(small_world_fact(&w, STORM_FACT_SERVED, 0, 0)->ghost);
    small_world_free(&w);
}

static void a_deadline_cuts_the_attempt_under_way(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    small_world_retry(&w, 5, 0);
    w.populations[0].call.timeout.offset = 60 * MS;
    w.populations[0].call.deadline = 90 * MS;
    small_world_live(&w);
    const struct storm_fact *dead = small_world_fact(&w, STORM_FACT_DEAD, 0, 0);
    assert_int_equal(small_world_count(&w, STORM_FACT_GAVE_UP, 0), 2);
    assert_true(dead->time == 1090 * MS && dead->attempts == 2);
    assert_int_equal(dead->reason, STORM_REASON_DEADLINE);
    assert_int_equal(dead->status, STORM_OUTCOME_TIMEOUT);
    small_world_free(&w);
}

static void a_deadline_is_the_reason_even_of_the_last_attempt(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    w.populations[0].call.timeout.offset = 60 * MS;
    w.populations[0].call.deadline = 50 * MS;
    small_world_live(&w);
    const struct storm_fact *dead = small_world_fact(&w, STORM_FACT_DEAD, 0, 0);
    assert_true(dead->time == 1050 * MS && dead->reason == STORM_REASON_DEADLINE);
    small_world_free(&w);
}

static void a_deadline_cuts_the_back_off(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    small_world_retry(&w, 5, 10);
    w.services[0].error_count = 1;
    w.services[0].errors[0] = (struct storm_error_row){500, 1};
    w.populations[0].call.deadline = 2 * SEC;
    small_world_live(&w);
    small_world_expect(&w, "1s born client 0\n"
                           "1s sent api try 1\n"
                           "1s arrived api\n"
                           "1s started api after 0s\n"
                           "1.1s served api 500 in 100ms\n"
                           "3s dead client 0 in 2s tries 1 status 500 deadline_exceeded since "
                           "1.1s\n");
    small_world_free(&w);
}

/* Failures at 1.1 s and 1.9 s; the next tries would begin 700 ms and 1.5 s after the first. */
static void no_retry_begins_after_the_total_time_but_one_at_its_end_does(void **state) {
    (void)state;
    for (int over = 0; over < 2; over++) {
        struct small_world w;
        small_world_init(&w);
        small_world_retry(&w, 10, 0.6);
        w.services[0].error_count = 1;
        w.services[0].errors[0] = (struct storm_error_row){500, 1};
        w.policies[0].total_time = 700 * MS - over;
        small_world_live(&w);
        const struct storm_fact *dead = small_world_fact(&w, STORM_FACT_DEAD, 0, 0);
        assert_int_equal(dead->reason, STORM_REASON_TOTAL_TIME);
        assert_int_equal(dead->attempts, over ? 1 : 2);
        assert_true(dead->time == (over ? 1100 * MS : 1800 * MS)); /* it does not wait in vain */
        small_world_free(&w);
    }
}

static void a_refusal_costs_a_round_trip_and_no_work(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    small_world_retry(&w, 2, 0);
    w.populations[0].call.network = small_world_constant(30 * MS);
    small_world_add_fault(&w, STORM_FAULT_DOWN, 0, 60 * SEC);
    small_world_live(&w);
    small_world_expect(&w, "0s outage api 1\n"
                           "1s born client 0\n"
                           "1s sent api try 1\n"
                           "1.03s arrived api\n"
                           "1.03s refused api 1\n"
                           "1.06s sent api try 2 retry\n"
                           "1.09s arrived api retry\n"
                           "1.09s refused api 1 retry\n"
                           "1.12s dead client 0 in 120ms tries 2 status 1 attempts_exhausted since "
                           "1.06s\n");
    small_world_free(&w);
}

static void what_is_not_worth_a_retry_is_given_up_at_once(void **state) {
    (void)state;
    static const uint16_t statuses[] = {400, 401, 403, 404, 409, 422, 418, 501};
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
        struct small_world w;
        small_world_init(&w);
        small_world_retry(&w, 5, 0);
        w.services[0].error_count = 1;
        w.services[0].errors[0] = (struct storm_error_row){statuses[i], 1};
        small_world_live(&w);
        const struct storm_fact *dead = small_world_fact(&w, STORM_FACT_DEAD, 0, 0);
        assert_int_equal(dead->attempts, 1);
        assert_int_equal(dead->status, statuses[i]);
        assert_int_equal(dead->reason, STORM_REASON_NOT_RETRYABLE);
        small_world_free(&w);
    }
}

static void attempts_are_total_tries(void **state) {
    (void)state;
    for (uint32_t attempts = 1; attempts < 12; attempts++) {
        struct small_world w;
        small_world_init(&w);
        small_world_retry(&w, attempts, 0.5);
        w.services[0].error_count = 1;
        w.services[0].errors[0] = (struct storm_error_row){503, 1};
        small_world_live(&w);
        assert_int_equal(small_world_count(&w, STORM_FACT_SENT, 0), attempts);
        assert_int_equal(small_world_fact(&w, STORM_FACT_DEAD, 0, 0)->attempts, attempts);
        small_world_free(&w);
    }
}

/* Tries at 1, 1.1 + 1, 2.2 + 2 ... s: the delays are counted from the failure, and grow. */
static void delays_grow_within_one_call(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    small_world_retry(&w, 4, 1);
    w.policies[0].delay.growth = STORM_GROWTH_EXPONENTIAL;
    w.services[0].error_count = 1;
    w.services[0].errors[0] = (struct storm_error_row){503, 1};
    small_world_live(&w);
    static const storm_time sent[] = {1000 * MS, 2100 * MS, 4200 * MS, 8300 * MS};
    for (size_t i = 0; i < 4; i++)
        assert_true(small_world_fact(&w, STORM_FACT_SENT, 0, i)->time == sent[i]);
    small_world_free(&w);
}

static void a_call_in_flight_at_the_end_of_the_run_stays_so(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    w.scenario.duration = 1100 * MS; /* the run is over before what else happens then */
    small_world_live(&w);
    small_world_expect(&w, "1s born client 0\n"
                           "1s sent api try 1\n"
                           "1s arrived api\n"
                           "1s started api after 0s\n");
    small_world_free(&w);
}

/* Nobody answers and there is no timeout: the caller waits for ever, which is no error. */
static void without_a_timeout_a_hung_service_keeps_its_caller(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    small_world_add_fault(&w, STORM_FAULT_HANG, 0, 2 * SEC);
    small_world_live(&w);
    small_world_expect(&w, "0s outage api 1\n"
                           "1s born client 0\n"
                           "1s sent api try 1\n"
                           "1s arrived api\n"
                           "1s lost api\n"
                           "2s outage api 0\n"
                           "2s capacity api 1\n");
    small_world_free(&w);
}

static void retries_without_any_delay_for_ever_are_an_error_that_names_the_call(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    small_world_retry(&w, STORM_ATTEMPTS_UNLIMITED, 0);
    small_world_add_fault(&w, STORM_FAULT_DOWN, 0, 60 * SEC);
    small_world_live(&w);
    assert_int_equal(w.error.status, STORM_INVALID);
    assert_non_null(strstr(w.error.message, "calls to 'api' went on for 100000 attempts"));
    assert_true(w.facts[w.fact_count - 1].time == SEC);
    small_world_free(&w);
}

/* As many retries, but each costs 10 us on the wire: foolish, and no error. */
static void retries_that_cost_time_may_go_on_for_ever(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    small_world_retry(&w, STORM_ATTEMPTS_UNLIMITED, 0);
    w.scenario.duration = 2500 * MS;
    w.populations[0].call.network = small_world_constant(5 * STORM_MICROSECOND);
    small_world_add_fault(&w, STORM_FAULT_DOWN, 0, 60 * SEC);
    small_world_live(&w);
    assert_int_equal(w.error.status, STORM_OK);
    assert_int_equal(small_world_count(&w, STORM_FACT_REFUSED, 0), 150000);
    small_world_free(&w);
}

/* Many chains at one instant, each short, are a herd and no loop. */
static void a_herd_at_one_instant_is_no_error(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    small_world_retry(&w, 60, 0);
    w.populations[0].count = 2000;
    small_world_add_fault(&w, STORM_FAULT_DOWN, 0, 60 * SEC);
    small_world_live(&w);
    assert_int_equal(w.error.status, STORM_OK);
    assert_int_equal(small_world_count(&w, STORM_FACT_REFUSED, 0), 120000);
    assert_true(small_world_fact(&w, STORM_FACT_DEAD, 0, 1999)->time == SEC);
    small_world_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_that_goes_well_tells_this_story),
        cmocka_unit_test(a_timeout_comes_before_an_answer_of_the_same_instant),
        cmocka_unit_test(an_answer_one_nanosecond_before_the_timeout_counts),
        cmocka_unit_test(after_a_timeout_the_attempt_goes_on_as_a_ghost),
        cmocka_unit_test(a_late_answer_is_ignored),
        cmocka_unit_test(an_attempt_abandoned_on_the_wire_arrives_as_a_ghost),
        cmocka_unit_test(a_deadline_cuts_the_attempt_under_way),
        cmocka_unit_test(a_deadline_is_the_reason_even_of_the_last_attempt),
        cmocka_unit_test(a_deadline_cuts_the_back_off),
        cmocka_unit_test(no_retry_begins_after_the_total_time_but_one_at_its_end_does),
        cmocka_unit_test(a_refusal_costs_a_round_trip_and_no_work),
        cmocka_unit_test(what_is_not_worth_a_retry_is_given_up_at_once),
        cmocka_unit_test(attempts_are_total_tries),
        cmocka_unit_test(delays_grow_within_one_call),
        cmocka_unit_test(a_call_in_flight_at_the_end_of_the_run_stays_so),
        cmocka_unit_test(without_a_timeout_a_hung_service_keeps_its_caller),
        cmocka_unit_test(retries_without_any_delay_for_ever_are_an_error_that_names_the_call),
        cmocka_unit_test(retries_that_cost_time_may_go_on_for_ever),
        cmocka_unit_test(a_herd_at_one_instant_is_no_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
