/* test_cancel.c: a caller that stops waiting takes back nothing, what waits, or all; and what a
   late answer is worth to it. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/small_world.h"

#include "support/test.h"

/* A client that stops waiting after 60 ms and does not try again. */
static void impatient(struct small_world *w, enum storm_cancel cancel) {
    small_world_init(w);
    w->populations[0].call.timeout.offset = 60 * MS;
    w->populations[0].call.cancel = cancel;
}

static void what_is_on_its_way_is_taken_back(void **state) {
    (void)state;
    for (int all = 0; all < 2; all++) {
        struct small_world w;
        impatient(&w, all ? STORM_CANCEL_ALL : STORM_CANCEL_WAITING);
        w.populations[0].call.network = small_world_constant(80 * MS);
        small_world_live(&w);
        small_world_expect(&w, "1s born client 0\n"
                               "1s sent api try 1\n"
                               "1.06s gave up api try 1\n"
                               "1.06s cancelled api ghost\n"
                               "1.06s dead client 0 in 60ms tries 1 status 3 attempts_exhausted "
                               "since 1.06s\n");
        small_world_free(&w);
    }
}

static void what_waits_is_taken_out_of_the_queue_and_what_works_goes_on(void **state) {
    (void)state;
    struct small_world w;
    impatient(&w, STORM_CANCEL_WAITING);
    w.populations[0].count = 2;
    small_world_live(&w);
    small_world_expect(&w, "1s born client 0\n"
                           "1s sent api try 1\n"
                           "1s born client 1\n"
                           "1s sent api try 1\n"
                           "1s arrived api\n"
                           "1s started api after 0s\n"
                           "1s arrived api\n"
                           "1s queued api\n"
                           "1.06s gave up api try 1\n"
                           "1.06s dead client 0 in 60ms tries 1 status 3 attempts_exhausted since "
                           "1.06s\n"
                           "1.06s gave up api try 1\n"
                           "1.06s cancelled api ghost queued\n"
                           "1.06s dead client 1 in 60ms tries 1 status 3 attempts_exhausted since "
                           "1.06s\n"
                           "1.1s served api 200 in 100ms ghost\n");
    small_world_free(&w);
}

/* The worker is free for a patient client that waits. */
static void work_in_progress_stops_and_its_worker_takes_the_next(void **state) {
    (void)state;
    struct small_world w;
    impatient(&w, STORM_CANCEL_ALL);
    small_world_add_population(&w, 1010 * MS, 1);
    small_world_live(&w);
    small_world_expect(&w, "1s born client 0\n"
                           "1s sent api try 1\n"
                           "1s arrived api\n"
                           "1s started api after 0s\n"
                           "1.01s born other 0\n"
                           "1.01s sent api try 1\n"
                           "1.01s arrived api\n"
                           "1.01s queued api\n"
                           "1.06s gave up api try 1\n"
                           "1.06s cancelled api ghost busy\n"
                           "1.06s started api after 50ms queued\n"
                           "1.06s dead client 0 in 60ms tries 1 status 3 attempts_exhausted since "
                           "1.06s\n"
                           "1.16s served api 200 in 100ms\n"
                           "1.16s succeeded other 0 in 150ms tries 1\n");
    assert_true(small_world_fact(&w, STORM_FACT_CANCELLED, 0, 0)->since == SEC);
    small_world_free(&w);
}

static void an_answer_on_its_way_back_cannot_be_taken_back(void **state) {
    (void)state;
    struct small_world w;
    impatient(&w, STORM_CANCEL_ALL);
    w.services[0].service_time = small_world_constant(10 * MS);
    w.populations[0].call.network = small_world_constant(40 * MS);
    small_world_live(&w);
    small_world_expect(&w, "1s born client 0\n"
                           "1s sent api try 1\n"
                           "1.04s arrived api\n"
                           "1.04s started api after 0s\n"
                           "1.05s served api 200 in 10ms\n"
                           "1.06s gave up api try 1\n"
                           "1.06s dead client 0 in 60ms tries 1 status 3 attempts_exhausted since "
                           "1.06s\n");
    small_world_free(&w);
}

static void cancelling_nothing_leaves_the_callee_in_the_dark(void **state) {
    (void)state;
    struct small_world w;
    impatient(&w, STORM_CANCEL_NONE);
    w.populations[0].count = 2;
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_CANCELLED, 0), 0);
    assert_int_equal(small_world_count(&w, STORM_FACT_SERVED, 0), 2);
    small_world_free(&w);
}

/* api works 10 ms and then waits for db, whose own edge would cancel nothing. */
static void layered(struct small_world *w, enum storm_cancel cancel) {
    impatient(w, cancel);
    w->services[0].service_time = small_world_constant(10 * MS);
    small_world_add_call(w, 0, small_world_add_service(w, "db"));
}

static void with_all_the_whole_tree_below_stops(void **state) {
    (void)state;
    struct small_world w;
    layered(&w, STORM_CANCEL_ALL);
    small_world_live(&w);
    small_world_expect(&w, "1s born client 0\n"
                           "1s sent api try 1\n"
                           "1s arrived api\n"
                           "1s started api after 0s\n"
                           "1.01s sent db try 1\n"
                           "1.01s arrived db\n"
                           "1.01s started db after 0s\n"
                           "1.06s gave up api try 1\n"
                           "1.06s cancelled db ghost busy\n"
                           "1.06s cancelled api ghost busy\n"
                           "1.06s dead client 0 in 60ms tries 1 status 3 attempts_exhausted since "
                           "1.06s\n");
    small_world_free(&w);
}

static void with_waiting_the_tree_below_goes_on(void **state) {
    (void)state;
    struct small_world w;
    layered(&w, STORM_CANCEL_WAITING);
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_CANCELLED, 0), 0);
    assert_int_equal(small_world_count(&w, STORM_FACT_CANCELLED, 1), 0);
    assert_true(small_world_fact(&w, STORM_FACT_SERVED, 0, 0)->time == 1110 * MS);
    small_world_free(&w);
}

/* The call below rests between two tries when it is forgotten: its back-off is over. */
static void a_call_that_backs_off_below_is_forgotten_with_the_rest(void **state) {
    (void)state;
    struct small_world w;
    layered(&w, STORM_CANCEL_ALL);
    w.with_rests = true;
    w.policies[1] = w.policies[0];
    w.policies[1].attempts = 9;
    w.policies[1].delay.base = 1;
    w.scenario.policy_count = 2;
    w.calls[0].policy = 1;
    small_world_add_fault(&w, STORM_FAULT_DOWN, 0, 60 * SEC);
    w.faults[0].service = 1;
    small_world_live(&w);
    small_world_expect(&w, "0s outage db 1\n"
                           "1s born client 0\n"
                           "1s sent api try 1\n"
                           "1s arrived api\n"
                           "1s started api after 0s\n"
                           "1.01s sent db try 1\n"
                           "1.01s arrived db\n"
                           "1.01s refused db 1\n"
                           "1.01s backed off db try 1 until 2.01s\n"
                           "1.06s gave up api try 1\n"
                           "1.06s rested db try 1\n"
                           "1.06s cancelled api ghost busy\n"
                           "1.06s dead client 0 in 60ms tries 1 status 3 attempts_exhausted since "
                           "1.06s\n");
    small_world_free(&w);
}

static void a_parked_attempt_is_taken_back_without_a_worker(void **state) {
    (void)state;
    struct small_world w;
    layered(&w, STORM_CANCEL_ALL);
    w.services[0].hold = false;
    small_world_live(&w);
    const struct storm_fact *cancelled = small_world_fact(&w, STORM_FACT_CANCELLED, 0, 0);
    assert_true(!cancelled->busy && !cancelled->queued && cancelled->since == SEC);
    assert_int_equal(small_world_count(&w, STORM_FACT_CANCELLED, 1), 1);
    small_world_free(&w);
}

/* One child works, one waits behind it, one is on its way, one has been answered: three stop. */
static void all_children_of_a_fan_out_stop(void **state) {
    (void)state;
    struct small_world w;
    layered(&w, STORM_CANCEL_ALL);
    w.services[0].fan_out = true;
    small_world_add_call(&w, 0, 1);
    small_world_add_call(&w, 0, 1);
    small_world_add_call(&w, 0, small_world_add_service(&w, "cache"));
    w.calls[2].network = small_world_constant(200 * MS);
    w.services[2].service_time = small_world_constant(0);
    small_world_live(&w);
    small_world_expect(&w, "1s born client 0\n"
                           "1s sent api try 1\n"
                           "1s arrived api\n"
                           "1s started api after 0s\n"
                           "1.01s sent db try 1\n"
                           "1.01s sent db try 1\n"
                           "1.01s sent db try 1\n"
                           "1.01s sent cache try 1\n"
                           "1.01s arrived db\n"
                           "1.01s started db after 0s\n"
                           "1.01s arrived db\n"
                           "1.01s queued db\n"
                           "1.01s arrived cache\n"
                           "1.01s started cache after 0s\n"
                           "1.01s served cache 200 in 0s\n"
                           "1.06s gave up api try 1\n"
                           "1.06s cancelled db ghost\n"
                           "1.06s cancelled db ghost queued\n"
                           "1.06s cancelled db ghost busy\n"
                           "1.06s cancelled api ghost busy\n"
                           "1.06s dead client 0 in 60ms tries 1 status 3 attempts_exhausted since "
                           "1.06s\n");
    small_world_free(&w);
}

/* A chain of services, each with one worker held by the same request and a queue of its own: taking
   the request back frees them all in one step. */
static void a_deep_tree_is_taken_back_in_one_step(void **state) {
    (void)state;
    enum { DEPTH = 30, CLIENTS = 200 };
    struct small_world w;
    impatient(&w, STORM_CANCEL_ALL);
    w.services[0].workers = CLIENTS;
    w.services[0].service_time = small_world_constant(0);
    w.populations[0].count = CLIENTS;
    for (uint32_t i = 1; i < DEPTH; i++) {
        small_world_add_call(&w, i - 1, small_world_add_service(&w, "next"));
        w.services[i].service_time = small_world_constant(i + 1 < DEPTH ? 0 : SEC);
        w.services[i].workers = CLIENTS - i;
    }
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_DEAD, 0), CLIENTS);
    assert_int_equal(small_world_count(&w, STORM_FACT_CANCELLED, 0), CLIENTS);
    assert_int_equal(small_world_count(&w, STORM_FACT_SERVED, DEPTH - 1), 0);
    small_world_free(&w);
}

/* First those that have called eight other services each, where each that is taken back lets
   another begin; then those that have called nobody. */
static void an_outage_resets_many_with_all_that_they_called(void **state) {
    (void)state;
    enum { EARLY = 3000, LATE = 500, CALLS = 8 };
    struct small_world w;
    small_world_init(&w);
    w.populations[0].count = EARLY;
    small_world_add_population(&w, 1900 * MS, LATE);
    w.services[0].workers = STORM_UNLIMITED;
    w.services[0].service_time = small_world_constant(500 * MS);
    w.services[0].fan_out = true;
    for (uint32_t i = 0; i < CALLS; i++) {
        small_world_add_call(&w, 0, small_world_add_service(&w, "db"));
        w.calls[i].cancel = STORM_CANCEL_ALL;
        w.services[1 + i].workers = EARLY / 2;
        w.services[1 + i].service_time = small_world_constant(10 * SEC);
    }
    small_world_add_fault(&w, STORM_FAULT_DOWN, 2 * SEC, SEC);
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_LOST, 0), EARLY + LATE);
    assert_int_equal(small_world_count(&w, STORM_FACT_DEAD, 0), EARLY);
    assert_int_equal(small_world_count(&w, STORM_FACT_DEAD, 1), LATE);
    for (uint16_t i = 1; i <= CALLS; i++)
        assert_int_equal(small_world_count(&w, STORM_FACT_CANCELLED, i), EARLY);
    small_world_free(&w);
}

/* ---- late answers ---------------------------------------------------------------------------- */

/* Tries of 60 ms; the work takes 100 ms on one of two workers. */
static void forgiving(struct small_world *w, double delay) {
    impatient(w, STORM_CANCEL_NONE);
    small_world_retry(w, 3, delay);
    w->with_rests = true;
    w->services[0].workers = 2;
    w->populations[0].call.late_reply = STORM_LATE_ACCEPT;
}

static void a_late_answer_ends_a_call_whose_next_try_is_under_way(void **state) {
    (void)state;
    struct small_world w;
    forgiving(&w, 0);
    small_world_live(&w);
    small_world_expect(&w, "1s born client 0\n"
                           "1s sent api try 1\n"
                           "1s arrived api\n"
                           "1s started api after 0s\n"
                           "1.06s gave up api try 1\n"
                           "1.06s sent api try 2 retry\n"
                           "1.06s arrived api retry\n"
                           "1.06s started api after 0s retry\n"
                           "1.1s served api 200 in 100ms\n"
                           "1.1s succeeded client 0 in 100ms tries 2\n"
                           "1.16s served api 200 in 100ms retry ghost\n");
    small_world_free(&w);
}

static void a_late_answer_ends_a_call_that_backs_off(void **state) {
    (void)state;
    struct small_world w;
    forgiving(&w, 1);
    small_world_live(&w);
    small_world_expect(&w, "1s born client 0\n"
                           "1s sent api try 1\n"
                           "1s arrived api\n"
                           "1s started api after 0s\n"
                           "1.06s gave up api try 1\n"
                           "1.06s backed off api try 1 until 2.06s\n"
                           "1.1s served api 200 in 100ms\n"
                           "1.1s rested api try 1\n"
                           "1.1s succeeded client 0 in 100ms tries 1\n");
    small_world_free(&w);
}

static void after_the_end_of_the_call_nobody_takes_it(void **state) {
    (void)state;
    struct small_world w;
    forgiving(&w, 0);
    small_world_retry(&w, 1, 0);
    small_world_live(&w);
    small_world_expect(&w, "1s born client 0\n"
                           "1s sent api try 1\n"
                           "1s arrived api\n"
                           "1s started api after 0s\n"
                           "1.06s gave up api try 1\n"
                           "1.06s dead client 0 in 60ms tries 1 status 3 attempts_exhausted since "
                           "1.06s\n"
                           "1.1s served api 200 in 100ms ghost\n");
    small_world_free(&w);
}

/* The next request takes the slot of the call that has ended: the late answer is not for it. */
static void nor_does_the_next_call_in_its_place(void **state) {
    (void)state;
    struct small_world w;
    forgiving(&w, 0);
    small_world_retry(&w, 1, 0);
    small_world_add_population(&w, 1065 * MS, 1);
    w.populations[1].call.late_reply = STORM_LATE_ACCEPT;
    small_world_live(&w);
    assert_true(small_world_fact(&w, STORM_FACT_SUCCEEDED, 1, 0)->time == 1165 * MS);
    assert_int_equal(small_world_count(&w, STORM_FACT_SUCCEEDED, 0), 0);
    small_world_free(&w);
}

static void a_late_failure_changes_nothing(void **state) {
    (void)state;
    struct small_world w;
    forgiving(&w, 0);
    w.services[0].error_count = 1;
    w.services[0].errors[0] = (struct storm_error_row){500, 1};
    small_world_live(&w);
    const struct storm_fact *dead = small_world_fact(&w, STORM_FACT_DEAD, 0, 0);
    assert_true(dead->time == 1180 * MS && dead->attempts == 3);
    assert_int_equal(dead->status, STORM_OUTCOME_TIMEOUT);
    small_world_free(&w);
}

/* The third try is on its way when the answer to the first comes: it is taken back. */
static void an_accepted_answer_takes_the_other_tries_back(void **state) {
    (void)state;
    struct small_world w;
    forgiving(&w, 0);
    w.services[0].workers = 1;
    w.populations[0].call.network = small_world_constant(15 * MS);
    w.populations[0].call.cancel = STORM_CANCEL_WAITING;
    small_world_live(&w);
    small_world_expect(&w, "1s born client 0\n"
                           "1s sent api try 1\n"
                           "1.015s arrived api\n"
                           "1.015s started api after 0s\n"
                           "1.06s gave up api try 1\n"
                           "1.06s sent api try 2 retry\n"
                           "1.075s arrived api retry\n"
                           "1.075s queued api retry\n"
                           "1.115s served api 200 in 100ms\n"
                           "1.115s started api after 40ms retry queued\n"
                           "1.12s gave up api try 2 retry\n"
                           "1.12s sent api try 3 retry\n"
                           "1.13s cancelled api retry ghost\n"
                           "1.13s succeeded client 0 in 130ms tries 3\n"
                           "1.215s served api 200 in 100ms retry ghost\n");
    small_world_free(&w);
}

/* What is taken back cannot answer late. */
static void with_all_there_is_no_late_answer(void **state) {
    (void)state;
    struct small_world w;
    forgiving(&w, 0);
    w.populations[0].call.cancel = STORM_CANCEL_ALL;
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_CANCELLED, 0), 3);
    assert_int_equal(small_world_count(&w, STORM_FACT_SERVED, 0), 0);
    assert_int_equal(small_world_count(&w, STORM_FACT_DEAD, 0), 1);
    small_world_free(&w);
}

/* A service's own call takes a late answer, too, and goes on from there. */
static void a_late_answer_lets_a_service_go_on(void **state) {
    (void)state;
    struct small_world w;
    layered(&w, STORM_CANCEL_NONE);
    w.populations[0].call.timeout.offset = STORM_NEVER;
    small_world_retry(&w, 2, 1);
    w.calls[0].timeout.offset = 60 * MS;
    w.calls[0].late_reply = STORM_LATE_ACCEPT;
    small_world_live(&w);
    assert_true(small_world_fact(&w, STORM_FACT_SUCCEEDED, 0, 0)->time == 1110 * MS);
    assert_int_equal(small_world_count(&w, STORM_FACT_SENT, 1), 1);
    small_world_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_on_its_way_is_taken_back),
        cmocka_unit_test(what_waits_is_taken_out_of_the_queue_and_what_works_goes_on),
        cmocka_unit_test(work_in_progress_stops_and_its_worker_takes_the_next),
        cmocka_unit_test(an_answer_on_its_way_back_cannot_be_taken_back),
        cmocka_unit_test(cancelling_nothing_leaves_the_callee_in_the_dark),
        cmocka_unit_test(with_all_the_whole_tree_below_stops),
        cmocka_unit_test(with_waiting_the_tree_below_goes_on),
        cmocka_unit_test(a_call_that_backs_off_below_is_forgotten_with_the_rest),
        cmocka_unit_test(a_parked_attempt_is_taken_back_without_a_worker),
        cmocka_unit_test(all_children_of_a_fan_out_stop),
        cmocka_unit_test(a_deep_tree_is_taken_back_in_one_step),
        cmocka_unit_test(an_outage_resets_many_with_all_that_they_called),
        cmocka_unit_test(a_late_answer_ends_a_call_whose_next_try_is_under_way),
        cmocka_unit_test(a_late_answer_ends_a_call_that_backs_off),
        cmocka_unit_test(after_the_end_of_the_call_nobody_takes_it),
        cmocka_unit_test(nor_does_the_next_call_in_its_place),
        cmocka_unit_test(a_late_failure_changes_nothing),
        cmocka_unit_test(an_accepted_answer_takes_the_other_tries_back),
        cmocka_unit_test(with_all_there_is_no_late_answer),
        cmocka_unit_test(a_late_answer_lets_a_service_go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
