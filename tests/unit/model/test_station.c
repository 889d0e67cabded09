/* test_station.c: workers and queues of every kind: held or parked, with what expires, what is
   dropped, what refusals cost, what company costs, and locks. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/small_world.h"

#include "support/test.h"

/* ---- parked ---------------------------------------------------------------------------------- */

static void who_does_not_hold_its_worker_is_parked(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    w.populations[0].count = 2;
    w.services[0].hold = false;
    small_world_add_call(&w, 0, small_world_add_service(&w, "db"));
    w.services[1].service_time = small_world_constant(250 * MS);
    small_world_live(&w);
    small_world_expect(&w, "1s born client 0\n"
                           "1s sent api try 1\n"
                           "1s born client 1\n"
                           "1s sent api try 1\n"
                           "1s arrived api\n"
                           "1s started api after 0s\n"
                           "1s arrived api\n"
                           "1s queued api\n"
                           "1.1s parked api after 100ms\n"
                           "1.1s started api after 100ms queued\n"
                           "1.1s sent db try 1\n"
                           "1.1s arrived db\n"
                           "1.1s started db after 0s\n"
                           "1.2s parked api after 100ms\n"
                           "1.2s sent db try 1\n"
                           "1.2s arrived db\n"
                           "1.2s queued db\n"
                           "1.35s served db 200 in 250ms\n"
                           "1.35s started db after 150ms queued\n"
                           "1.35s served api 200 in 350ms parked\n"
                           "1.35s succeeded client 0 in 350ms tries 1\n"
                           "1.6s served db 200 in 250ms\n"
                           "1.6s served api 200 in 500ms parked\n"
                           "1.6s succeeded client 1 in 600ms tries 1\n");
    small_world_free(&w);
}

/* It is parked once, however many calls follow each other. */
static void it_is_parked_once_and_needs_no_worker_to_go_on(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    w.services[0].hold = false;
    uint32_t db = small_world_add_service(&w, "db");
    small_world_add_call(&w, 0, db);
    small_world_add_call(&w, 0, db);
    small_world_add_call(&w, 0, db);
    small_world_add_population(&w, 1150 * MS, 5); /* they keep the worker busy from 1.15 s on */
    w.populations[1].call.to = 0;
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_PARKED, 0), 6);
    assert_true(small_world_fact(&w, STORM_FACT_SUCCEEDED, 0, 0)->time < 2100 * MS);
    small_world_free(&w);
}

static void an_outage_takes_the_parked_as_well(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    w.services[0].hold = false;
    small_world_add_call(&w, 0, small_world_add_service(&w, "db"));
    small_world_add_fault(&w, STORM_FAULT_DOWN, 1150 * MS, SEC);
    small_world_live(&w);
    const struct storm_fact *lost = small_world_fact(&w, STORM_FACT_LOST, 0, 0);
    assert_true(!lost->busy && !lost->queued && lost->since == SEC);
    assert_true(small_world_fact(&w, STORM_FACT_SERVED, 1, 0)->ghost);
    small_world_free(&w);
}

static void without_calls_of_its_own_nobody_is_parked(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    w.services[0].hold = false;
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_PARKED, 0), 0);
    assert_true(small_world_fact(&w, STORM_FACT_SERVED, 0, 0)->busy);
    small_world_free(&w);
}

/* ---- fan-out --------------------------------------------------------------------------------- */

/* Calls to three services at once; they work 50, 100 and 150 ms. */
static void fanned(struct small_world *w) {
    static const char *const names[] = {"fast", "usual", "slow"};
    small_world_init(w);
    w->services[0].fan_out = true;
    w->services[0].service_time = small_world_constant(0);
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t service = small_world_add_service(w, names[i]);
        small_world_add_call(w, 0, service);
        w->services[service].service_time = small_world_constant((i + 1) * 50 * MS);
    }
}

static void all_calls_begin_at_once_and_the_last_answer_counts(void **state) {
    (void)state;
    struct small_world w;
    fanned(&w);
    small_world_live(&w);
    small_world_expect(&w, "1s born client 0\n"
                           "1s sent api try 1\n"
                           "1s arrived api\n"
                           "1s started api after 0s\n"
                           "1s sent fast try 1\n"
                           "1s sent usual try 1\n"
                           "1s sent slow try 1\n"
                           "1s arrived fast\n"
                           "1s started fast after 0s\n"
                           "1s arrived usual\n"
                           "1s started usual after 0s\n"
                           "1s arrived slow\n"
                           "1s started slow after 0s\n"
                           "1.05s served fast 200 in 50ms\n"
                           "1.1s served usual 200 in 100ms\n"
                           "1.15s served slow 200 in 150ms\n"
                           "1.15s served api 200 in 150ms\n"
                           "1.15s succeeded client 0 in 150ms tries 1\n");
    small_world_free(&w);
}

/* The first failure is the answer; the others go on as orphans, or are taken back where their edge
   says so. */
static void the_first_failure_is_the_answer(void **state) {
    (void)state;
    struct small_world w;
    fanned(&w);
    w.services[2].error_count = 1;
    w.services[2].errors[0] = (struct storm_error_row){418, 1};
    w.calls[2].cancel = STORM_CANCEL_ALL;
    small_world_live(&w);
    assert_int_equal(small_world_fact(&w, STORM_FACT_DEAD, 0, 0)->status, 418);
    assert_true(small_world_fact(&w, STORM_FACT_DEAD, 0, 0)->time == 1100 * MS);
    assert_true(small_world_fact(&w, STORM_FACT_CANCELLED, 3, 0)->time == 1100 * MS);
    assert_int_equal(small_world_count(&w, STORM_FACT_SERVED, 0), 1);
    small_world_free(&w);

    fanned(&w);
    w.services[2].error_count = 1;
    w.services[2].errors[0] = (struct storm_error_row){418, 1};
    small_world_live(&w);
    assert_true(small_world_fact(&w, STORM_FACT_SERVED, 3, 0)->ghost);
    assert_int_equal(small_world_count(&w, STORM_FACT_SERVED, 0), 1);
    small_world_free(&w);
}

/* A failing call may be tried again on its own; its siblings are not repeated. */
static void a_failing_call_is_retried_alone(void **state) {
    (void)state;
    struct small_world w;
    fanned(&w);
    w.calls[1].policy = small_world_add_policy(&w, 5, 0.1);
    small_world_add_fault(&w, STORM_FAULT_DOWN, 0, 1250 * MS);
    w.faults[0].service = 2;
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_SENT, 1), 1);
    assert_int_equal(small_world_count(&w, STORM_FACT_SENT, 2), 4);
    assert_int_equal(small_world_count(&w, STORM_FACT_SENT, 3), 1);
    assert_true(small_world_fact(&w, STORM_FACT_SUCCEEDED, 0, 0)->time == 1400 * MS);
    small_world_free(&w);
}

/* Twice the pools' first room at once. */
static void a_fan_out_of_many_finds_room(void **state) {
    (void)state;
    enum { CALLS = 31, CLIENTS = 3000 };
    struct small_world w;
    small_world_init(&w);
    w.populations[0].count = CLIENTS;
    w.services[0].workers = STORM_UNLIMITED;
    w.services[0].fan_out = true;
    uint32_t db = small_world_add_service(&w, "db");
    w.services[db].workers = STORM_UNLIMITED;
    for (int i = 0; i < CALLS; i++)
        small_world_add_call(&w, 0, db);
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_SERVED, 1), CALLS * CLIENTS);
    assert_int_equal(small_world_count(&w, STORM_FACT_SUCCEEDED, 0), CLIENTS);
    small_world_free(&w);
}

/* ---- the queue ------------------------------------------------------------------------------- */

static void what_nobody_waits_for_is_not_started(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    w.services[0].drop_expired = true;
    w.populations[0].count = 3;
    small_world_add_population(&w, 1020 * MS, 1);
    w.populations[0].call.timeout.offset = 60 * MS;
    small_world_live(&w);
    small_world_expect(
        &w, "1s born client 0\n"
            "1s sent api try 1\n"
            "1s born client 1\n"
            "1s sent api try 1\n"
            "1s born client 2\n"
            "1s sent api try 1\n"
            "1s arrived api\n"
            "1s started api after 0s\n"
            "1s arrived api\n"
            "1s queued api\n"
            "1s arrived api\n"
            "1s queued api\n"
            "1.02s born other 0\n"
            "1.02s sent api try 1\n"
            "1.02s arrived api\n"
            "1.02s queued api\n"
            "1.06s gave up api try 1\n"
            "1.06s dead client 0 in 60ms tries 1 status 3 attempts_exhausted since 1.06s\n"
            "1.06s gave up api try 1\n"
            "1.06s dead client 1 in 60ms tries 1 status 3 attempts_exhausted since 1.06s\n"
            "1.06s gave up api try 1\n"
            "1.06s dead client 2 in 60ms tries 1 status 3 attempts_exhausted since 1.06s\n"
            "1.1s served api 200 in 100ms ghost\n"
            "1.1s expired api after 100ms ghost\n"
            "1.1s expired api after 100ms ghost\n"
            "1.1s started api after 80ms queued\n"
            "1.2s served api 200 in 100ms\n"
            "1.2s succeeded other 0 in 180ms tries 1\n");
    small_world_free(&w);
}

/* Who accepts late answers waits for every try until it has one. */
static void what_may_be_answered_late_does_not_expire(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    small_world_retry(&w, 9, 10);
    w.services[0].drop_expired = true;
    w.populations[0].count = 2;
    w.populations[0].call.timeout.offset = 60 * MS;
    w.populations[0].call.late_reply = STORM_LATE_ACCEPT;
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_EXPIRED, 0), 0);
    assert_true(small_world_fact(&w, STORM_FACT_SUCCEEDED, 0, 1)->time == 1200 * MS);
    small_world_free(&w);
}

static void a_full_queue_may_drop_without_a_word(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    w.services[0].queue_limit = 0;
    w.services[0].on_full = 0;
    w.populations[0].count = 2;
    w.populations[0].call.timeout.offset = 300 * MS;
    small_world_live(&w);
    small_world_expect(&w, "1s born client 0\n"
                           "1s sent api try 1\n"
                           "1s born client 1\n"
                           "1s sent api try 1\n"
                           "1s arrived api\n"
                           "1s started api after 0s\n"
                           "1s arrived api\n"
                           "1s refused api 0\n"
                           "1.1s served api 200 in 100ms\n"
                           "1.1s succeeded client 0 in 100ms tries 1\n"
                           "1.3s gave up api try 1\n"
                           "1.3s dead client 1 in 300ms tries 1 status 3 attempts_exhausted since "
                           "1.3s\n");
    small_world_free(&w);
}

/* Three refusals at 7 ms each: the next to start pays for them all, and the one after for none. */
static void refusals_cost_the_next_start_their_time(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    w.services[0].queue_limit = 2;
    w.services[0].reject_time = 7 * MS;
    w.populations[0].count = 6;
    small_world_live(&w);
    static const storm_time times[] = {1100 * MS, 1221 * MS, 1321 * MS};
    assert_int_equal(small_world_count(&w, STORM_FACT_REFUSED, 0), 3);
    for (size_t i = 0; i < 3; i++)
        assert_true(small_world_fact(&w, STORM_FACT_SERVED, 0, i)->time == times[i]);
    small_world_free(&w);
}

/* The door is down, and refuses at no cost: nobody is there to do it. */
static void refusals_in_an_outage_cost_nothing(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    w.services[0].reject_time = 7 * MS;
    w.populations[0].count = 5;
    small_world_add_population(&w, 3 * SEC, 1);
    small_world_add_fault(&w, STORM_FAULT_DOWN, 0, 2 * SEC);
    small_world_live(&w);
    assert_true(small_world_fact(&w, STORM_FACT_SERVED, 0, 0)->time == 3100 * MS);
    small_world_free(&w);
}

/* Two refusals while one is in service; all of it is lost in the outage that follows. */
static void who_comes_back_from_an_outage_owes_nothing(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    w.services[0].queue_limit = 0;
    w.services[0].reject_time = 7 * MS;
    w.populations[0].count = 3;
    small_world_add_population(&w, 3 * SEC, 1);
    small_world_add_fault(&w, STORM_FAULT_DOWN, 1050 * MS, SEC);
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_REFUSED, 0), 2);
    assert_true(small_world_fact(&w, STORM_FACT_SERVED, 0, 0)->time == 3100 * MS);
    small_world_free(&w);
}

/* The first alone 100 ms; the second with one other 110 ms, the third with two 120 ms. */
static void company_slows_down_who_starts(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    w.services[0].workers = 5;
    w.services[0].slowdown = 0.1;
    w.populations[0].count = 3;
    small_world_add_population(&w, 1105 * MS, 1); /* two are left */
    small_world_live(&w);
    static const storm_time times[] = {1100 * MS, 1110 * MS, 1120 * MS, 1225 * MS};
    for (size_t i = 0; i < 4; i++)
        assert_true(small_world_fact(&w, STORM_FACT_SERVED, 0, i)->time == times[i]);
    small_world_free(&w);
}

/* ---- the lock -------------------------------------------------------------------------------- */

/* Two clients read and write over a network of 10 ms each way, with 5 ms of work. */
static void locked(struct small_world *w) {
    small_world_init(w);
    small_world_retry(w, 3, 0.1);
    w->services[0].optimistic_lock = true;
    w->services[0].workers = STORM_UNLIMITED;
    w->services[0].service_time = small_world_constant(5 * MS);
    w->populations[0].count = 2;
    w->populations[0].call.network = small_world_constant(10 * MS);
    w->policies[0].class_count = 1;
    w->policies[0].classes[0] = (struct storm_class_row){409, STORM_CLASS_RETRY};
}

static void who_read_an_old_version_writes_in_vain(void **state) {
    (void)state;
    struct small_world w;
    locked(&w);
    small_world_live(&w);
    small_world_expect(&w, "1s born client 0\n"
                           "1s sent api try 1\n"
                           "1s born client 1\n"
                           "1s sent api try 1\n"
                           "1.03s arrived api\n" /* there, back with the version, there */
                           "1.03s started api after 0s\n"
                           "1.03s arrived api\n"
                           "1.03s started api after 0s\n"
                           "1.035s served api 200 in 5ms\n"
                           "1.035s served api 409 in 5ms\n"
                           "1.045s succeeded client 0 in 45ms tries 1\n"
                           "1.145s sent api try 2 retry\n"
                           "1.175s arrived api retry\n"
                           "1.175s started api after 0s retry\n"
                           "1.18s served api 200 in 5ms retry\n"
                           "1.19s succeeded client 1 in 190ms tries 2\n");
    small_world_free(&w);
}

/* The second reads after the first has written. */
static void who_reads_after_the_write_succeeds(void **state) {
    (void)state;
    struct small_world w;
    locked(&w);
    w.populations[0].count = 1;
    small_world_add_population(&w, 1026 * MS, 1);
    w.populations[1].call.network = small_world_constant(10 * MS);
    small_world_live(&w);
    assert_int_equal(small_world_fact(&w, STORM_FACT_SERVED, 0, 1)->status, 200);
    small_world_free(&w);
}

static void a_failed_write_makes_no_version(void **state) {
    (void)state;
    struct small_world w;
    locked(&w);
    small_world_add_fault(&w, STORM_FAULT_ERRORS, 0, 1034 * MS);
    w.faults[0].share = 1;
    w.faults[0].status = 404;
    small_world_add_population(&w, 999 * MS, 1); /* would write at 1.034 s: the fault is over */
    w.populations[1].call.network = small_world_constant(10 * MS);
    w.populations[1].at = 998 * MS; /* fails at 1.033 s */
    small_world_live(&w);
    assert_int_equal(small_world_fact(&w, STORM_FACT_SERVED, 0, 0)->status, 404);
    assert_int_equal(small_world_fact(&w, STORM_FACT_SERVED, 0, 1)->status, 200);
    small_world_free(&w);
}

/* A read that the network loses, on its way back, is waited for in vain; one taken back is gone. */
static void a_read_can_be_lost_or_taken_back(void **state) {
    (void)state;
    struct small_world w;
    locked(&w);
    w.populations[0].count = 1;
    w.populations[0].call.timeout.offset = 15 * MS;
    w.populations[0].call.cancel = STORM_CANCEL_WAITING;
    small_world_retry(&w, 1, 0);
    small_world_live(&w);
    small_world_expect(&w, "1s born client 0\n"
                           "1s sent api try 1\n"
                           "1.015s gave up api try 1\n"
                           "1.015s cancelled api ghost\n"
                           "1.015s dead client 0 in 15ms tries 1 status 3 attempts_exhausted since "
                           "1.015s\n");
    small_world_free(&w);

    locked(&w);
    w.populations[0].count = 1;
    w.populations[0].call.timeout.offset = 50 * MS;
    small_world_retry(&w, 1, 0);
    small_world_add_fault(&w, STORM_FAULT_NETWORK, 1005 * MS, 10 * MS);
    w.faults[0].loss = 1;
    small_world_live(&w);
    small_world_expect(&w, "1s born client 0\n"
                           "1s sent api try 1\n"
                           "1.01s vanished api 0\n"
                           "1.05s gave up api try 1\n"
                           "1.05s dead client 0 in 50ms tries 1 status 3 attempts_exhausted since "
                           "1.05s\n");
    small_world_free(&w);
}

/* Whoever has given up before the version came back writes nothing. */
static void who_has_given_up_does_not_write(void **state) {
    (void)state;
    struct small_world w;
    locked(&w);
    w.populations[0].count = 1;
    w.populations[0].call.timeout.offset = 15 * MS;
    small_world_retry(&w, 1, 0);
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_ARRIVED, 0), 0);
    small_world_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_does_not_hold_its_worker_is_parked),
        cmocka_unit_test(it_is_parked_once_and_needs_no_worker_to_go_on),
        cmocka_unit_test(an_outage_takes_the_parked_as_well),
        cmocka_unit_test(without_calls_of_its_own_nobody_is_parked),
        cmocka_unit_test(all_calls_begin_at_once_and_the_last_answer_counts),
        cmocka_unit_test(the_first_failure_is_the_answer),
        cmocka_unit_test(a_failing_call_is_retried_alone),
        cmocka_unit_test(a_fan_out_of_many_finds_room),
        cmocka_unit_test(what_nobody_waits_for_is_not_started),
        cmocka_unit_test(what_may_be_answered_late_does_not_expire),
        cmocka_unit_test(a_full_queue_may_drop_without_a_word),
        cmocka_unit_test(refusals_cost_the_next_start_their_time),
        cmocka_unit_test(refusals_in_an_outage_cost_nothing),
        cmocka_unit_test(who_comes_back_from_an_outage_owes_nothing),
        cmocka_unit_test(company_slows_down_who_starts),
        cmocka_unit_test(who_read_an_old_version_writes_in_vain),
        cmocka_unit_test(who_reads_after_the_write_succeeds),
        cmocka_unit_test(a_failed_write_makes_no_version),
        cmocka_unit_test(a_read_can_be_lost_or_taken_back),
        cmocka_unit_test(who_has_given_up_does_not_write),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
