/* test_service.c: a service admits, queues, works, fails, calls others and answers, fact by
   fact. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/small_world.h"

#include "model/model.h"
#include "support/test.h"

static void a_full_queue_refuses_at_once_and_says_so(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    w.populations[0].count = 4;
    w.services[0].queue_limit = 2; /* waiting, not in service */
    w.services[0].on_full = 429;
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_STARTED, 0), 3);
    assert_int_equal(small_world_count(&w, STORM_FACT_REFUSED, 0), 1);
    const struct storm_fact *dead = small_world_fact(&w, STORM_FACT_DEAD, 0, 0);
    assert_true(dead->time == SEC && dead->member == 3 && dead->status == 429);
    small_world_free(&w);
}

static void without_a_queue_only_the_workers_are_used(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    w.populations[0].count = 3;
    w.services[0].workers = 2;
    w.services[0].queue_limit = 0;
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_QUEUED, 0), 0);
    assert_int_equal(small_world_count(&w, STORM_FACT_SUCCEEDED, 0), 2);
    assert_int_equal(small_world_count(&w, STORM_FACT_REFUSED, 0), 1);
    small_world_free(&w);
}

static void unlimited_workers_start_everybody(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    w.populations[0].count = 1000;
    w.services[0].workers = STORM_UNLIMITED;
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_SUCCEEDED, 0), 1000);
    assert_true(small_world_fact(&w, STORM_FACT_SUCCEEDED, 0, 999)->time == 1100 * MS);
    small_world_free(&w);
}

/* Three at once: the first is in service, the others wait. */
static void check_order(enum storm_order order, const uint32_t members[3]) {
    struct small_world w;
    small_world_init(&w);
    w.populations[0].count = 3;
    w.services[0].order = order;
    small_world_live(&w);
    for (size_t i = 0; i < 3; i++) {
        const struct storm_fact *f = small_world_fact(&w, STORM_FACT_SUCCEEDED, 0, i);
        assert_int_equal(f->member, members[i]);
        assert_true(f->time == SEC + (storm_time)(i + 1) * 100 * MS);
    }
    small_world_free(&w);
}

static void a_fifo_queue_serves_who_waited_longest(void **state) {
    (void)state;
    check_order(STORM_ORDER_FIFO, (const uint32_t[]){0, 1, 2});
}

static void a_lifo_queue_serves_who_came_last(void **state) {
    (void)state;
    check_order(STORM_ORDER_LIFO, (const uint32_t[]){0, 2, 1});
}

static void errors_are_decided_after_the_work_and_cost_it(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    w.services[0].error_count = 1;
    w.services[0].errors[0] = (struct storm_error_row){500, 1};
    small_world_live(&w);
    small_world_expect(&w, "1s born client 0\n"
                           "1s sent api try 1\n"
                           "1s arrived api\n"
                           "1s started api after 0s\n"
                           "1.1s served api 500 in 100ms\n"
                           "1.1s dead client 0 in 100ms tries 1 status 500 attempts_exhausted "
                           "since 1.1s\n");
    small_world_free(&w);
}

static void errors_before_the_work_cost_none(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    w.services[0].errors_before = true;
    w.services[0].error_count = 1;
    w.services[0].errors[0] = (struct storm_error_row){500, 1};
    small_world_live(&w);
    const struct storm_fact *dead = small_world_fact(&w, STORM_FACT_DEAD, 0, 0);
    assert_true(dead->time == SEC && dead->status == 500);
    small_world_free(&w);
}

/* 20 % of 500 and 30 % of 503 among 20000: known standard errors 56.6 and 64.8. */
static void rows_of_errors_share_one_draw(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    w.populations[0].count = 20000;
    w.services[0].workers = STORM_UNLIMITED;
    w.services[0].error_count = 2;
    w.services[0].errors[0] = (struct storm_error_row){500, 0.2};
    w.services[0].errors[1] = (struct storm_error_row){503, 0.3};
    small_world_live(&w);
    int counts[2] = {0, 0};
    for (size_t i = 0; i < w.fact_count; i++) {
        counts[0] += w.facts[i].kind == STORM_FACT_SERVED && w.facts[i].status == 500;
        counts[1] += w.facts[i].kind == STORM_FACT_SERVED && w.facts[i].status == 503;
    }
    assert_in_range(counts[0], 4000 - 4 * 56, 4000 + 4 * 56);
    assert_in_range(counts[1], 6000 - 4 * 64, 6000 + 4 * 64);
    small_world_free(&w);
}

/* A gateway of one worker calls two services one after the other. */
static void two_calls(struct small_world *w) {
    small_world_init(w);
    w->services[0].service_time = small_world_constant(10 * MS);
    uint32_t a = small_world_add_service(w, "a"), b = small_world_add_service(w, "b");
    small_world_add_call(w, 0, a);
    small_world_add_call(w, 0, b);
}

static void a_service_works_first_and_then_calls_in_order_holding_its_worker(void **state) {
    (void)state;
    struct small_world w;
    two_calls(&w);
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
                           "1.01s sent a try 1\n"
                           "1.01s arrived a\n"
                           "1.01s started a after 0s\n"
                           "1.11s served a 200 in 100ms\n"
                           "1.11s sent b try 1\n"
                           "1.11s arrived b\n"
                           "1.11s started b after 0s\n"
                           "1.21s served b 200 in 100ms\n"
                           "1.21s served api 200 in 210ms\n"
                           "1.21s started api after 210ms queued\n"
                           "1.21s succeeded client 0 in 210ms tries 1\n"
                           "1.22s sent a try 1\n"
                           "1.22s arrived a\n"
                           "1.22s started a after 0s\n"
                           "1.32s served a 200 in 100ms\n"
                           "1.32s sent b try 1\n"
                           "1.32s arrived b\n"
                           "1.32s started b after 0s\n"
                           "1.42s served b 200 in 100ms\n"
                           "1.42s served api 200 in 210ms\n"
                           "1.42s succeeded client 1 in 420ms tries 1\n");
    small_world_free(&w);
}

static void the_first_call_that_fails_ends_the_sequence(void **state) {
    (void)state;
    struct small_world w;
    two_calls(&w);
    w.services[1].error_count = 1;
    w.services[1].errors[0] = (struct storm_error_row){404, 1};
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_SENT, 2), 0);
    assert_int_equal(small_world_fact(&w, STORM_FACT_SERVED, 0, 0)->status, 404);
    assert_int_equal(small_world_fact(&w, STORM_FACT_DEAD, 0, 0)->status, 404);
    small_world_free(&w);
}

static uint16_t status_when_a_is(enum storm_fault_kind kind, storm_time timeout) {
    struct small_world w;
    two_calls(&w);
    small_world_add_fault(&w, kind, 0, 60 * SEC);
    w.faults[0].service = 1;
    w.faults[0].share = 1;
    w.faults[0].status = 500;
    w.calls[0].timeout.offset = timeout;
    small_world_live(&w);
    uint16_t status = small_world_fact(&w, STORM_FACT_DEAD, 0, 0)->status;
    assert_int_equal(small_world_fact(&w, STORM_FACT_SERVED, 0, 0)->status, status);
    small_world_free(&w);
    return status;
}

static void a_service_passes_on_502_for_refused_504_for_a_timeout_and_http_as_it_is(void **state) {
    (void)state;
    assert_int_equal(status_when_a_is(STORM_FAULT_DOWN, STORM_NEVER), 502);
    assert_int_equal(status_when_a_is(STORM_FAULT_HANG, SEC), 504);
    assert_int_equal(status_when_a_is(STORM_FAULT_ERRORS, STORM_NEVER), 500);
}

static void a_reset_downstream_is_passed_on_as_502(void **state) {
    (void)state;
    struct small_world w;
    two_calls(&w);
    small_world_add_fault(&w, STORM_FAULT_DOWN, 1050 * MS, SEC);
    w.faults[0].service = 1;
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_LOST, 1), 1);
    const struct storm_fact *dead = small_world_fact(&w, STORM_FACT_DEAD, 0, 0);
    assert_true(dead->time == 1050 * MS && dead->status == 502);
    small_world_free(&w);
}

/* Attempts of a retried attempt are retries, whatever their own number. */
static void what_a_retry_causes_downstream_counts_as_retry(void **state) {
    (void)state;
    struct small_world w;
    two_calls(&w);
    small_world_retry(&w, 2, 0);
    w.policies[1] = w.policies[0];
    w.policies[1].attempts = 1;
    w.scenario.policy_count = 2;
    w.calls[0].policy = w.calls[1].policy = 1;
    w.services[1].error_count = 1;
    w.services[1].errors[0] = (struct storm_error_row){500, 1};
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_SENT, 1), 2);
    const struct storm_fact *second = small_world_fact(&w, STORM_FACT_SENT, 1, 1);
    assert_false(small_world_fact(&w, STORM_FACT_SENT, 1, 0)->retry);
    assert_true(second->retry && second->attempts == 1);
    small_world_free(&w);
}

/* 4 tries at each of three layers over one that always fails: 4 x 4 x 4. */
static void layers_of_retries_multiply(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    small_world_retry(&w, 4, 0);
    for (uint32_t i = 0; i < 3; i++) {
        small_world_add_service(&w, i == 0 ? "a" : i == 1 ? "b" : "db");
        small_world_add_call(&w, i, i + 1);
    }
    w.policies[1] = w.policies[0];
    w.policies[1].attempts = 1;
    w.scenario.policy_count = 2;
    w.populations[0].call.policy = 1;
    w.services[3].error_count = 1;
    w.services[3].errors[0] = (struct storm_error_row){503, 1};
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_ARRIVED, 0), 1);
    assert_int_equal(small_world_count(&w, STORM_FACT_ARRIVED, 1), 4);
    assert_int_equal(small_world_count(&w, STORM_FACT_ARRIVED, 2), 16);
    assert_int_equal(small_world_count(&w, STORM_FACT_ARRIVED, 3), 64);
    small_world_free(&w);
}

/* The client gives up; the gateway and its call go on as orphans, and the gateway still retries
   for nobody. */
static void when_the_outer_timeout_fires_the_inner_tree_goes_on(void **state) {
    (void)state;
    struct small_world w;
    two_calls(&w);
    w.populations[0].call.timeout.offset = 50 * MS;
    small_world_live(&w);
    small_world_expect(&w, "1s born client 0\n"
                           "1s sent api try 1\n"
                           "1s arrived api\n"
                           "1s started api after 0s\n"
                           "1.01s sent a try 1\n"
                           "1.01s arrived a\n"
                           "1.01s started a after 0s\n"
                           "1.05s gave up api try 1\n"
                           "1.05s dead client 0 in 50ms tries 1 status 3 attempts_exhausted since "
                           "1.05s\n"
                           "1.11s served a 200 in 100ms\n"
                           "1.11s sent b try 1\n"
                           "1.11s arrived b\n"
                           "1.11s started b after 0s\n"
                           "1.21s served b 200 in 100ms\n"
                           "1.21s served api 200 in 210ms ghost\n");
    small_world_free(&w);
}

static void the_call_of_a_killed_attempt_is_dropped_and_its_work_is_a_ghost(void **state) {
    (void)state;
    struct small_world w;
    two_calls(&w);
    w.policies[1] = w.policies[0];
    w.policies[1].attempts = 5; /* of the gateway: nobody is left to use them */
    w.scenario.policy_count = 2;
    w.calls[0].policy = 1;
    w.calls[0].timeout.offset = 70 * MS;
    small_world_add_fault(&w, STORM_FAULT_DOWN, 1050 * MS, SEC);
    small_world_live(&w);
    small_world_expect(&w, "1s born client 0\n"
                           "1s sent api try 1\n"
                           "1s arrived api\n"
                           "1s started api after 0s\n"
                           "1.01s sent a try 1\n"
                           "1.01s arrived a\n"
                           "1.01s started a after 0s\n"
                           "1.05s lost api reset busy\n"
                           "1.05s outage api 1\n"
                           "1.05s capacity api 0\n"
                           "1.05s dead client 0 in 50ms tries 1 status 2 attempts_exhausted since "
                           "1.05s\n"
                           "1.11s served a 200 in 100ms ghost\n"
                           "2.05s outage api 0\n"
                           "2.05s capacity api 1\n");
    small_world_free(&w);
}

/* The gateway backs off for 200 ms inside its worker; a second client must wait. */
static void back_off_inside_a_service_holds_its_worker(void **state) {
    (void)state;
    struct small_world w;
    two_calls(&w);
    small_world_add_population(&w, 1050 * MS, 1);
    w.services[0].call_count = 1;
    w.scenario.call_count = 1;
    w.policies[1] = w.policies[0];
    w.policies[1].attempts = 2;
    w.policies[1].delay.base = 0.2;
    w.scenario.policy_count = 2;
    w.calls[0].policy = 1;
    small_world_add_fault(&w, STORM_FAULT_DOWN, 0, 1100 * MS);
    w.faults[0].service = 1;
    small_world_live(&w);
    /* refused at 1.01, again at 1.21, 100 ms of work: free at 1.31 */
    assert_true(small_world_fact(&w, STORM_FACT_SERVED, 0, 0)->time == 1310 * MS);
    const struct storm_fact *second = small_world_fact(&w, STORM_FACT_STARTED, 0, 1);
    assert_true(second->time == 1310 * MS && second->since == 1050 * MS && second->queued);
    small_world_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_queue_refuses_at_once_and_says_so),
        cmocka_unit_test(without_a_queue_only_the_workers_are_used),
        cmocka_unit_test(unlimited_workers_start_everybody),
        cmocka_unit_test(a_fifo_queue_serves_who_waited_longest),
        cmocka_unit_test(a_lifo_queue_serves_who_came_last),
        cmocka_unit_test(errors_are_decided_after_the_work_and_cost_it),
        cmocka_unit_test(errors_before_the_work_cost_none),
        cmocka_unit_test(rows_of_errors_share_one_draw),
        cmocka_unit_test(a_service_works_first_and_then_calls_in_order_holding_its_worker),
        cmocka_unit_test(the_first_call_that_fails_ends_the_sequence),
        cmocka_unit_test(a_service_passes_on_502_for_refused_504_for_a_timeout_and_http_as_it_is),
        cmocka_unit_test(a_reset_downstream_is_passed_on_as_502),
        cmocka_unit_test(what_a_retry_causes_downstream_counts_as_retry),
        cmocka_unit_test(layers_of_retries_multiply),
        cmocka_unit_test(when_the_outer_timeout_fires_the_inner_tree_goes_on),
        cmocka_unit_test(the_call_of_a_killed_attempt_is_dropped_and_its_work_is_a_ghost),
        cmocka_unit_test(back_off_inside_a_service_holds_its_worker),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
