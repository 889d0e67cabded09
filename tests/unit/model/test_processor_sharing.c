/* test_processor_sharing.c: attempts that share a service's workers, to the nanosecond. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/small_world.h"

#include "base/stream.h"
#include "support/test.h"

/* One worker that all share; the first client comes at 1 s. Each wants 100 ms of it. */
static void shared(struct small_world *w) {
    small_world_init(w);
    w->services[0].sharing = true;
}

/* The answer number `index` was given at 1 s and so many milliseconds. */
static void expect_served(const struct small_world *w, size_t index, storm_time after) {
    const struct storm_fact *served = small_world_fact(w, STORM_FACT_SERVED, 0, index);
    if (served->time != SEC + after)
        fail_msg("answer %zu after %lld ns, not %lld", index, (long long)(served->time - SEC),
                 (long long)after);
}

static void two_get_half_of_a_worker_each(void **state) {
    (void)state;
    struct small_world w;
    shared(&w);
    w.populations[0].count = 2;
    small_world_live(&w);
    small_world_expect(&w, "1s born client 0\n"
                           "1s sent api try 1\n"
                           "1s born client 1\n"
                           "1s sent api try 1\n"
                           "1s arrived api\n"
                           "1s started api after 0s\n"
                           "1s arrived api\n"
                           "1s started api after 0s\n"
                           "1.2s served api 200 in 200ms\n"
                           "1.2s served api 200 in 200ms\n"
                           "1.2s succeeded client 0 in 200ms tries 1\n"
                           "1.2s succeeded client 1 in 200ms tries 1\n");
    small_world_free(&w);
}

/* 40 ms alone; then two share until the first has its other 60 ms at 160 ms; the second has had 60
   ms by then, and its last 40 alone. */
static void one_that_comes_in_the_middle_shares_from_then_on(void **state) {
    (void)state;
    struct small_world w;
    shared(&w);
    small_world_add_population(&w, 1040 * MS, 1);
    small_world_live(&w);
    expect_served(&w, 0, 160 * MS);
    expect_served(&w, 1, 200 * MS);
    small_world_free(&w);
}

/* Two of three workers are used by two; all three by six, in halves. */
static void nobody_has_more_than_one_worker(void **state) {
    (void)state;
    static const struct {
        uint32_t clients;
        storm_time time;
    } rows[] = {{1, 100}, {2, 100}, {3, 100}, {4, 0}, {6, 200}, {9, 300}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct small_world w;
        shared(&w);
        w.services[0].workers = 3;
        w.populations[0].count = rows[i].clients;
        small_world_live(&w);
        for (uint32_t k = 0; k < rows[i].clients && rows[i].time > 0; k++)
            expect_served(&w, k, rows[i].time * MS);
        if (rows[i].time == 0) /* 4/3 of 100 ms, rounded once */
            expect_served(&w, 3, 133333333);
        small_world_free(&w);
    }
}

static void unlimited_workers_are_not_shared(void **state) {
    (void)state;
    struct small_world w;
    shared(&w);
    w.services[0].workers = STORM_UNLIMITED;
    w.populations[0].count = 50;
    small_world_live(&w);
    expect_served(&w, 0, 100 * MS);
    expect_served(&w, 49, 100 * MS);
    small_world_free(&w);
}

/* 50 ms at full speed, and 100 ms at half. */
static void a_slow_fault_slows_what_is_under_way(void **state) {
    (void)state;
    struct small_world w;
    shared(&w);
    small_world_add_fault(&w, STORM_FAULT_SLOW, 1050 * MS, 60 * SEC);
    w.faults[0].factor = 2;
    small_world_live(&w);
    expect_served(&w, 0, 150 * MS);
    small_world_free(&w);
}

/* 50 ms, three quarters of a second at a tenth of the speed: 75 ms of 100 at 300 ms; the rest at
   full speed again. */
static void and_its_end_lets_it_go_on_as_before(void **state) {
    (void)state;
    struct small_world w;
    shared(&w);
    small_world_add_fault(&w, STORM_FAULT_SLOW, 1050 * MS, 250 * MS);
    w.faults[0].factor = 10;
    small_world_live(&w);
    expect_served(&w, 0, 325 * MS);
    small_world_free(&w);
}

/* Two workers for two: 50 ms of work each. Then one worker: 25 ms each until 100 ms. Then none
   until 500 ms, and two again for the last 25 ms. */
static void capacity_that_goes_and_comes_changes_the_pace(void **state) {
    (void)state;
    struct small_world w;
    shared(&w);
    w.services[0].workers = 2;
    w.populations[0].count = 2;
    small_world_add_fault(&w, STORM_FAULT_CAPACITY, 1050 * MS, 450 * MS);
    w.faults[0].share = 0.5;
    small_world_add_fault(&w, STORM_FAULT_CAPACITY, 1100 * MS, 400 * MS);
    w.faults[1].share = 0;
    small_world_live(&w);
    expect_served(&w, 0, 525 * MS);
    expect_served(&w, 1, 525 * MS);
    small_world_free(&w);
}

static void places_are_bounded_by_workers_and_queue(void **state) {
    (void)state;
    struct small_world w;
    shared(&w);
    w.services[0].workers = 2;
    w.services[0].queue_limit = 3;
    w.populations[0].count = 8;
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_STARTED, 0), 5);
    assert_int_equal(small_world_count(&w, STORM_FACT_QUEUED, 0), 0);
    assert_int_equal(small_world_count(&w, STORM_FACT_REFUSED, 0), 3);
    expect_served(&w, 4, 250 * MS);
    small_world_free(&w);
}

/* Two for 60 ms: 30 ms each; the one left needs 70 ms more, alone. */
static void one_that_is_taken_back_leaves_its_part_to_the_others(void **state) {
    (void)state;
    struct small_world w;
    shared(&w);
    small_world_add_population(&w, SEC, 1);
    w.populations[0].call.timeout.offset = 60 * MS;
    w.populations[0].call.cancel = STORM_CANCEL_ALL;
    small_world_live(&w);
    assert_true(small_world_fact(&w, STORM_FACT_CANCELLED, 0, 0)->busy);
    expect_served(&w, 0, 130 * MS);
    assert_int_equal(small_world_count(&w, STORM_FACT_SUCCEEDED, 1), 1);
    small_world_free(&w);
}

/* 10 ms each for three until 30 ms, when one leaves from its place in the heap; the two others need
   180 ms more, and end together. */
static void from_wherever_it_is(void **state) {
    (void)state;
    for (uint32_t which = 0; which < 3; which++) {
        struct small_world w;
        shared(&w);
        small_world_add_population(&w, SEC, 1);
        small_world_add_population(&w, SEC, 1);
        w.populations[which].call.timeout.offset = 30 * MS;
        w.populations[which].call.cancel = STORM_CANCEL_ALL;
        small_world_live(&w);
        expect_served(&w, 0, 210 * MS);
        expect_served(&w, 1, 210 * MS);
        assert_int_equal(small_world_count(&w, STORM_FACT_DEAD, (uint16_t)which), 1);
        small_world_free(&w);
    }
}

static void an_outage_takes_all_who_share(void **state) {
    (void)state;
    struct small_world w;
    shared(&w);
    w.populations[0].count = 3;
    small_world_add_population(&w, 1080 * MS, 1);
    small_world_add_fault(&w, STORM_FAULT_DOWN, 1050 * MS, 20 * MS);
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_LOST, 0), 3);
    assert_int_equal(small_world_count(&w, STORM_FACT_DEAD, 0), 3);
    expect_served(&w, 0, 180 * MS); /* alone, with a clock of its own */
    small_world_free(&w);
}

static void an_outage_that_loses_nothing_lets_them_go_on(void **state) {
    (void)state;
    struct small_world w;
    shared(&w);
    w.populations[0].count = 2;
    small_world_add_fault(&w, STORM_FAULT_DOWN, 1050 * MS, 20 * MS);
    w.faults[0].lost = STORM_LOST_KEPT;
    small_world_live(&w);
    expect_served(&w, 0, 200 * MS);
    expect_served(&w, 1, 200 * MS);
    small_world_free(&w);
}

/* While they wait for another service they take no part of a worker, but keep a place. */
static void who_waits_for_another_service_shares_no_work(void **state) {
    (void)state;
    for (int hold = 0; hold < 2; hold++) {
        struct small_world w;
        shared(&w);
        small_world_add_population(&w, 1150 * MS, 1);
        small_world_add_call(&w, 0, small_world_add_service(&w, "db"));
        w.services[0].queue_limit = 0;
        w.services[0].hold = hold;
        small_world_live(&w);
        /* the first works until 100 ms and waits until 200 ms; the second comes at 150 ms */
        assert_int_equal(small_world_count(&w, STORM_FACT_REFUSED, 0), hold);
        assert_true(small_world_fact(&w, STORM_FACT_SUCCEEDED, 0, 0)->time == 1200 * MS);
        if (!hold)
            assert_true(small_world_fact(&w, STORM_FACT_SUCCEEDED, 1, 0)->time == 1350 * MS);
        small_world_free(&w);
    }
}

/* Work of any length: by the rules of sharing they end in the order of their work, and the last one
   when all work is done, as the worker never rests. */
static void the_worker_never_rests(void **state) {
    (void)state;
    enum { CLIENTS = 500 };
    struct small_world w;
    shared(&w);
    w.populations[0].count = CLIENTS;
    w.services[0].service_time = (struct storm_dist){.law = STORM_LAW_EXPONENTIAL, .a = 0.05};
    storm_dist_prepare(&w.services[0].service_time);
    small_world_live(&w);
    double sum = 0;
    for (size_t i = 0; i < CLIENTS; i++) {
        const struct storm_fact *started = small_world_fact(&w, STORM_FACT_STARTED, 0, i);
        sum += storm_time_to_seconds(
            storm_dist_draw(&w.services[0].service_time, started->key, STREAM_SERVICE));
    }
    storm_time end = small_world_fact(&w, STORM_FACT_SERVED, 0, CLIENTS - 1)->time;
    storm_time expected = SEC + storm_time_from_seconds(sum);
    assert_true(end - expected >= -CLIENTS && end - expected <= CLIENTS); /* roundings */
    small_world_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_get_half_of_a_worker_each),
        cmocka_unit_test(one_that_comes_in_the_middle_shares_from_then_on),
        cmocka_unit_test(nobody_has_more_than_one_worker),
        cmocka_unit_test(unlimited_workers_are_not_shared),
        cmocka_unit_test(a_slow_fault_slows_what_is_under_way),
        cmocka_unit_test(and_its_end_lets_it_go_on_as_before),
        cmocka_unit_test(capacity_that_goes_and_comes_changes_the_pace),
        cmocka_unit_test(places_are_bounded_by_workers_and_queue),
        cmocka_unit_test(one_that_is_taken_back_leaves_its_part_to_the_others),
        cmocka_unit_test(from_wherever_it_is),
        cmocka_unit_test(an_outage_takes_all_who_share),
        cmocka_unit_test(an_outage_that_loses_nothing_lets_them_go_on),
        cmocka_unit_test(who_waits_for_another_service_shares_no_work),
        cmocka_unit_test(the_worker_never_rests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
