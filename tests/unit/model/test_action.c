/* test_action.c: what operators do: pause, block, clear, admit, and change settings. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/small_world.h"

#include <math.h>

#include "support/test.h"

/* One request a second, at 0, 1, 2 ... 59 s, each answered at once. */
static void steady(struct small_world *w) {
    small_world_init(w);
    w->services[0].workers = STORM_UNLIMITED;
    w->services[0].service_time = small_world_constant(0);
    w->populations[0].arrival = STORM_ARRIVAL_EVEN;
    w->populations[0].rate = 1;
}

/* How many facts of a kind about a place there are in [from, to). */
static size_t count_in(const struct small_world *w, enum storm_fact_kind kind, uint16_t place,
                       storm_time from, storm_time to) {
    size_t count = 0;
    for (size_t i = 0; i < w->fact_count; i++) {
        const struct storm_fact *f = &w->facts[i];
        count += f->kind == kind && f->place == place && f->time >= from && f->time < to;
    }
    return count;
}

/* ---- pause ----------------------------------------------------------------------------------- */

static void while_they_are_paused_the_clients_want_nothing(void **state) {
    (void)state;
    struct small_world w;
    steady(&w);
    small_world_add_action(&w, STORM_ACTION_PAUSE, 10 * SEC, 5 * SEC);
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_BORN, 0), 55);
    assert_int_equal(count_in(&w, STORM_FACT_BORN, 0, 10 * SEC, 15 * SEC), 0);
    assert_true(small_world_fact(&w, STORM_FACT_BORN, 0, 10)->time == 15 * SEC);
    small_world_free(&w);
}

static void overlapping_pauses_last_until_the_last_one_ends(void **state) {
    (void)state;
    struct small_world w;
    steady(&w);
    small_world_add_action(&w, STORM_ACTION_PAUSE, 10 * SEC, 10 * SEC);
    small_world_add_action(&w, STORM_ACTION_PAUSE, 15 * SEC, 10 * SEC);
    small_world_add_action(&w, STORM_ACTION_PAUSE, 12 * SEC, SEC);
    small_world_add_action(&w, STORM_ACTION_PAUSE, 50 * SEC, STORM_NEVER);
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_BORN, 0), 10 + 25);
    assert_int_equal(count_in(&w, STORM_FACT_BORN, 0, 10 * SEC, 25 * SEC), 0);
    small_world_free(&w);
}

static void only_those_who_are_meant_are_paused(void **state) {
    (void)state;
    struct small_world w;
    steady(&w);
    small_world_add_population(&w, 12 * SEC, 3);
    small_world_add_action(&w, STORM_ACTION_PAUSE, 10 * SEC, 5 * SEC);
    w.actions[0].population = 1;
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_BORN, 0), 60);
    assert_int_equal(small_world_count(&w, STORM_FACT_BORN, 1), 0);
    small_world_free(&w);
}

/* What is under way goes on: a retry is no new wish. */
static void who_has_begun_goes_on_trying(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    small_world_retry(&w, 3, 1);
    small_world_add_fault(&w, STORM_FAULT_DOWN, 0, 2500 * MS);
    small_world_add_action(&w, STORM_ACTION_PAUSE, 1500 * MS, 10 * SEC);
    small_world_live(&w);
    assert_true(small_world_fact(&w, STORM_FACT_SUCCEEDED, 0, 0)->time == 3100 * MS);
    small_world_free(&w);
}

/* Thinks 3 s, is answered at once: wants something at 3, 6, 9 s; at 12 s it is paused until 20 s,
   and then wants it still. */
static void a_client_of_a_closed_population_wants_it_when_the_pause_is_over(void **state) {
    (void)state;
    struct small_world w;
    steady(&w);
    w.populations[0].arrival = STORM_ARRIVAL_CLOSED;
    w.populations[0].think = small_world_constant(3 * SEC);
    small_world_add_action(&w, STORM_ACTION_PAUSE, 10 * SEC, 5 * SEC);
    small_world_add_action(&w, STORM_ACTION_PAUSE, 14 * SEC, 6 * SEC);
    small_world_add_action(&w, STORM_ACTION_PAUSE, 27 * SEC, STORM_NEVER);
    small_world_live(&w);
    static const storm_time times[] = {3 * SEC, 6 * SEC, 9 * SEC, 20 * SEC, 23 * SEC, 26 * SEC};
    assert_int_equal(small_world_count(&w, STORM_FACT_BORN, 0), 6);
    for (uint32_t i = 0; i < 6; i++) {
        const struct storm_fact *born = small_world_fact(&w, STORM_FACT_BORN, 0, i);
        assert_true(born->time == times[i] && born->ordinal == i);
    }
    small_world_free(&w);
}

/* ---- at the door ----------------------------------------------------------------------------- */

static void a_block_refuses_what_stems_from_those_who_are_meant(void **state) {
    (void)state;
    struct small_world w;
    steady(&w);
    small_world_add_population(&w, 12 * SEC, 3);
    small_world_add_action(&w, STORM_ACTION_BLOCK, 10 * SEC, 5 * SEC);
    w.actions[0].population = 1;
    w.actions[0].status = 429;
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_SUCCEEDED, 0), 60);
    assert_int_equal(small_world_count(&w, STORM_FACT_REFUSED, 0), 3);
    assert_int_equal(small_world_fact(&w, STORM_FACT_DEAD, 1, 2)->status, 429);
    small_world_free(&w);
}

/* The block is on db, which only api calls: it knows whose request it is. */
static void a_block_knows_whose_request_an_inner_call_is_from(void **state) {
    (void)state;
    struct small_world w;
    steady(&w);
    small_world_add_population(&w, 12 * SEC, 3);
    small_world_add_call(&w, 0, small_world_add_service(&w, "db"));
    w.services[1].workers = STORM_UNLIMITED;
    small_world_add_action(&w, STORM_ACTION_BLOCK, 10 * SEC, 5 * SEC);
    w.actions[0].population = 0;
    w.actions[0].service = 1;
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_DEAD, 0), 5);
    assert_int_equal(small_world_count(&w, STORM_FACT_SUCCEEDED, 1), 3);
    small_world_free(&w);
}

/* 20 a second come, and 2 a second are let in. */
static void so_many_a_second_are_admitted(void **state) {
    (void)state;
    struct small_world w;
    steady(&w);
    w.populations[0].rate = 20;
    small_world_add_action(&w, STORM_ACTION_ADMIT, 10 * SEC, 5 * SEC);
    w.actions[0].rate = 2;
    small_world_live(&w);
    assert_int_equal(count_in(&w, STORM_FACT_STARTED, 0, 10 * SEC, 15 * SEC), 10);
    assert_int_equal(small_world_count(&w, STORM_FACT_REFUSED, 0), 90);
    assert_int_equal(small_world_fact(&w, STORM_FACT_DEAD, 0, 0)->status, 503);
    small_world_free(&w);
}

/* ---- clear ----------------------------------------------------------------------------------- */

static void clearing_resets_what_waits_and_nothing_else(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    w.populations[0].count = 3;
    small_world_add_action(&w, STORM_ACTION_CLEAR, 1050 * MS, STORM_NEVER);
    small_world_live(&w);
    small_world_expect(&w, "1s born client 0\n"
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
                           "1.05s lost api reset queued\n"
                           "1.05s lost api reset queued\n"
                           "1.05s dead client 1 in 50ms tries 1 status 2 attempts_exhausted since "
                           "1.05s\n"
                           "1.05s dead client 2 in 50ms tries 1 status 2 attempts_exhausted since "
                           "1.05s\n"
                           "1.1s served api 200 in 100ms\n"
                           "1.1s succeeded client 0 in 100ms tries 1\n");
    small_world_free(&w);
}

static void a_long_queue_is_cleared_at_once(void **state) {
    (void)state;
    enum { CLIENTS = 50000 };
    struct small_world w;
    small_world_init(&w);
    w.populations[0].count = CLIENTS;
    w.services[0].service_time = small_world_constant(10 * SEC);
    small_world_add_action(&w, STORM_ACTION_CLEAR, 2 * SEC, STORM_NEVER);
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_LOST, 0), CLIENTS - 1);
    assert_int_equal(small_world_count(&w, STORM_FACT_DEAD, 0), CLIENTS - 1);
    small_world_free(&w);
}

/* ---- set ------------------------------------------------------------------------------------- */

/* Refused at 1 s, it waits 10 s by the old policy; after that it waits by the new one. */
static void a_new_policy_counts_from_the_next_failure_on(void **state) {
    (void)state;
    struct small_world w, after;
    small_world_init(&w);
    small_world_retry(&w, 9, 10);
    small_world_add_fault(&w, STORM_FAULT_DOWN, 0, 60 * SEC);
    small_world_add_change(&w, 5 * SEC, &after);
    small_world_retry(&after, 3, 2);
    small_world_live(&w);
    static const storm_time times[] = {1 * SEC, 11 * SEC, 13 * SEC};
    assert_int_equal(small_world_count(&w, STORM_FACT_SENT, 0), 3);
    for (size_t i = 0; i < 3; i++)
        assert_true(small_world_fact(&w, STORM_FACT_SENT, 0, i)->time == times[i]);
    small_world_free(&w);
}

static void new_numbers_of_a_service_hold_for_what_comes_next(void **state) {
    (void)state;
    struct small_world w, after;
    small_world_init(&w);
    w.populations[0].count = 4;
    small_world_add_change(&w, 1050 * MS, &after);
    after.services[0].service_time = small_world_constant(30 * MS);
    small_world_live(&w);
    static const storm_time times[] = {1100 * MS, 1130 * MS, 1160 * MS, 1190 * MS};
    for (size_t i = 0; i < 4; i++)
        assert_true(small_world_fact(&w, STORM_FACT_SERVED, 0, i)->time == times[i]);
    small_world_free(&w);
}

/* 1/s until 10.5 s: the birth of 11 s was half a second away, at 10/s it is 50 ms away. */
static void a_higher_rate_brings_the_next_birth_nearer(void **state) {
    (void)state;
    struct small_world w, after;
    steady(&w);
    small_world_add_change(&w, 10500 * MS, &after);
    after.populations[0].rate = 10;
    small_world_live(&w);
    assert_true(small_world_fact(&w, STORM_FACT_BORN, 0, 10)->time == 10 * SEC);
    for (size_t i = 0; i < 495; i += 99) {
        const struct storm_fact *born = small_world_fact(&w, STORM_FACT_BORN, 0, 11 + i);
        assert_true(born->time == 10550 * MS + (storm_time)i * 100 * MS);
    }
    assert_int_equal(small_world_count(&w, STORM_FACT_BORN, 0), 11 + 495);
    small_world_free(&w);
}

/* At the old rate the second birth would have come long after the end. */
static void a_higher_rate_wakes_those_who_would_not_have_come(void **state) {
    (void)state;
    static const enum storm_arrival arrivals[] = {STORM_ARRIVAL_EVEN, STORM_ARRIVAL_POISSON};
    for (int i = 0; i < 2; i++) {
        struct small_world w, after;
        steady(&w);
        w.populations[0].arrival = arrivals[i];
        w.populations[0].rate = 1e-4;
        small_world_add_change(&w, 10 * SEC, &after);
        after.populations[0].rate = 100;
        small_world_live(&w);
        double births = (double)small_world_count(&w, STORM_FACT_BORN, 0);
        assert_true(fabs(births - 5000) < 4 * sqrt(5000));
        assert_true(count_in(&w, STORM_FACT_BORN, 0, SEC, 10 * SEC) == 0);
        small_world_free(&w);
    }
}

/* After 200 days a time in seconds has no nanoseconds left: a gap of one is not to be lost in it,
   or the next birth lies in the past. */
static void the_highest_rate_after_the_longest_time_still_moves_on(void **state) {
    (void)state;
    for (int i = 0; i < 20; i++) {
        struct small_world w, after;
        storm_time late = (storm_time)200 * 86400 * SEC + 123456789 + i * 7777777777;
        steady(&w);
        w.populations[0].rate = 1e-8;
        w.scenario.duration = late + 1000;
        small_world_add_change(&w, late, &after);
        after.populations[0].rate = 1e9;
        small_world_live(&w);
        size_t births = small_world_count(&w, STORM_FACT_BORN, 0);
        assert_true(births >= 1000 && births <= 1002);
        small_world_free(&w);
    }
}

static void a_lower_rate_can_end_the_births(void **state) {
    (void)state;
    struct small_world w, after, again;
    steady(&w);
    small_world_add_change(&w, 10500 * MS, &after);
    after.populations[0].rate = 1e-4;
    small_world_add_change(&w, 50 * SEC, &again);
    again.populations[0].rate = 1;
    small_world_live(&w);
    assert_int_equal(count_in(&w, STORM_FACT_BORN, 0, 0, 10500 * MS), 11);
    /* 5000 s were left at 10.5 s, 4960.5 s of them at 50 s: half a second at the old rate */
    assert_true(small_world_fact(&w, STORM_FACT_BORN, 0, 11)->time == 50 * SEC + 496050000);
    small_world_free(&w);
}

static void more_workers_start_what_waits_and_fewer_let_work_finish(void **state) {
    (void)state;
    struct small_world w, more, fewer;
    small_world_init(&w);
    w.populations[0].count = 10;
    small_world_add_change(&w, 1050 * MS, &more);
    more.services[0].workers = 5;
    small_world_add_change(&w, 1080 * MS, &fewer);
    fewer.services[0].workers = 2;
    small_world_live(&w);
    /* 5 at work from 1.05 s on; one ends at 1.1 s, four at 1.15 s, and then two at a time */
    static const storm_time times[] = {1100, 1150, 1150, 1150, 1150, 1250, 1250, 1350, 1350, 1450};
    for (size_t i = 0; i < 10; i++)
        assert_true(small_world_fact(&w, STORM_FACT_SERVED, 0, i)->time == times[i] * MS);
    small_world_free(&w);
}

/* Away until 10 s, and back within 10 s from 10 % on: of 10 workers one more each second from 10 s
   on, 6 at 15 s. */
static void ramping(struct small_world *w) {
    steady(w);
    w->services[0].workers = 10;
    w->services[0].recovery_time = 9 * SEC;
    w->services[0].recovery_from = 0.1;
    small_world_add_fault(w, STORM_FAULT_DOWN, 5 * SEC, 5 * SEC);
}

static uint32_t workers_at(const struct small_world *w, storm_time time) {
    uint32_t workers = 0;
    for (size_t i = 0; i < w->fact_count && w->facts[i].time <= time; i++)
        workers = w->facts[i].kind == STORM_FACT_CAPACITY ? w->facts[i].level : workers;
    return workers;
}

static void workers_that_come_during_a_ramp_are_a_part_of_it(void **state) {
    (void)state;
    struct small_world w, after;
    ramping(&w);
    small_world_add_change(&w, 14400 * MS, &after);
    after.services[0].workers = 20;
    small_world_live(&w);
    assert_int_equal(workers_at(&w, 14400 * MS - 1), 6); /* ceil of 5.4 */
    assert_int_equal(workers_at(&w, 14400 * MS), 11);    /* and of 10.8 */
    assert_int_equal(workers_at(&w, 18 * SEC - 1), 18);
    assert_int_equal(workers_at(&w, 19 * SEC), 20);
    small_world_free(&w);
}

static void workers_that_go_during_a_ramp_end_it(void **state) {
    (void)state;
    struct small_world w, after;
    ramping(&w);
    small_world_add_change(&w, 14500 * MS, &after);
    after.services[0].workers = 4;
    small_world_live(&w);
    assert_int_equal(workers_at(&w, 14500 * MS), 4);
    assert_int_equal(workers_at(&w, 59 * SEC), 4);
    small_world_free(&w);
}

static void unlimited_workers_know_no_ramp(void **state) {
    (void)state;
    struct small_world w, after;
    ramping(&w);
    small_world_add_change(&w, 14500 * MS, &after);
    after.services[0].workers = STORM_UNLIMITED;
    small_world_live(&w);
    assert_int_equal(workers_at(&w, 14500 * MS), STORM_UNLIMITED);
    assert_int_equal(workers_at(&w, 59 * SEC), STORM_UNLIMITED);
    small_world_free(&w);
}

/* The first to retry gives up at 31 s; the next in line then learns that its own time, by the new
   deadline, was up long ago. */
static void a_deadline_moved_into_the_past_ends_the_call_when_its_turn_comes(void **state) {
    (void)state;
    struct small_world w, after;
    small_world_init(&w);
    small_world_retry(&w, 9, 30);
    w.policies[0].head_only = true;
    w.populations[0].count = 2;
    w.populations[0].call.deadline = 50 * SEC;
    small_world_add_fault(&w, STORM_FAULT_DOWN, 0, 60 * SEC);
    small_world_add_change(&w, 5 * SEC, &after);
    after.populations[0].call.deadline = 10 * SEC;
    small_world_live(&w);
    for (size_t i = 0; i < 2; i++) {
        const struct storm_fact *dead = small_world_fact(&w, STORM_FACT_DEAD, 0, i);
        assert_true(dead->time == 31 * SEC && dead->reason == STORM_REASON_DEADLINE);
    }
    small_world_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(while_they_are_paused_the_clients_want_nothing),
        cmocka_unit_test(overlapping_pauses_last_until_the_last_one_ends),
        cmocka_unit_test(only_those_who_are_meant_are_paused),
        cmocka_unit_test(who_has_begun_goes_on_trying),
        cmocka_unit_test(a_client_of_a_closed_population_wants_it_when_the_pause_is_over),
        cmocka_unit_test(a_block_refuses_what_stems_from_those_who_are_meant),
        cmocka_unit_test(a_block_knows_whose_request_an_inner_call_is_from),
        cmocka_unit_test(so_many_a_second_are_admitted),
        cmocka_unit_test(clearing_resets_what_waits_and_nothing_else),
        cmocka_unit_test(a_long_queue_is_cleared_at_once),
        cmocka_unit_test(a_new_policy_counts_from_the_next_failure_on),
        cmocka_unit_test(new_numbers_of_a_service_hold_for_what_comes_next),
        cmocka_unit_test(a_higher_rate_brings_the_next_birth_nearer),
        cmocka_unit_test(a_higher_rate_wakes_those_who_would_not_have_come),
        cmocka_unit_test(the_highest_rate_after_the_longest_time_still_moves_on),
        cmocka_unit_test(a_lower_rate_can_end_the_births),
        cmocka_unit_test(more_workers_start_what_waits_and_fewer_let_work_finish),
        cmocka_unit_test(workers_that_come_during_a_ramp_are_a_part_of_it),
        cmocka_unit_test(workers_that_go_during_a_ramp_end_it),
        cmocka_unit_test(unlimited_workers_know_no_ramp),
        cmocka_unit_test(a_deadline_moved_into_the_past_ends_the_call_when_its_turn_comes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
