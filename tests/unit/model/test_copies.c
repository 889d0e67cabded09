/* test_copies.c: dead letters that are sent once more: replays, their pace and their probes. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "model/model.h"
#include "support/test.h"
#include "unit/model/copying.h"

/* ---- replays and their pace ------------------------------------------------------------------ */

static void without_a_rate_all_dead_letters_go_at_once_in_the_order_of_their_deaths(void **state) {
    (void)state;
    struct small_world w;
    dying(&w, 3);
    add_copies(&w, STORM_ACTION_REPLAY, 20 * SEC);
    small_world_live(&w);
    assert_int_equal(count_births(&w, STORM_BIRTH_REPLAY), 3);
    for (uint32_t i = 0; i < 3; i++) {
        const struct storm_fact *f = find_birth(&w, STORM_BIRTH_REPLAY, i);
        assert_true(f->time == 20 * SEC && f->member == i && f->ordinal == 0);
    }
    assert_int_equal(small_world_count(&w, STORM_FACT_SUCCEEDED, 0), 3);
    expect_own_keys(&w);
    small_world_free(&w);
}

static void a_rate_spaces_them_evenly_without_the_error_of_added_gaps(void **state) {
    (void)state;
    static const double rates[] = {3, 0.7, 7};
    for (size_t r = 0; r < 3; r++) {
        struct small_world w;
        dying(&w, 25);
        add_copies(&w, STORM_ACTION_REPLAY, 20 * SEC)->pace.rate = rates[r];
        small_world_live(&w);
        assert_int_equal(count_births(&w, STORM_BIRTH_REPLAY), 25);
        for (uint32_t k = 0; k < 25; k++) {
            const struct storm_fact *f = find_birth(&w, STORM_BIRTH_REPLAY, k);
            assert_true(f->time == 20 * SEC + storm_time_from_seconds(k / rates[r]));
            assert_int_equal(f->member, k);
        }
        small_world_free(&w);
    }
}

/* From 1/s to 10/s in 2 s: t + 2.25 t^2 copies by then, 11 at its end, one each 100 ms after it. */
static void a_ramp_begins_at_a_tenth_of_the_rate(void **state) {
    (void)state;
    struct small_world w;
    dying(&w, 40);
    struct storm_action *action = add_copies(&w, STORM_ACTION_REPLAY, 20 * SEC);
    action->pace.rate = 10;
    action->pace.ramp = 2 * SEC;
    small_world_live(&w);
    assert_int_equal(count_births(&w, STORM_BIRTH_REPLAY), 40);
    for (uint32_t k = 0; k < 40; k++) {
        storm_time since = find_birth(&w, STORM_BIRTH_REPLAY, k)->time - 20 * SEC;
        double t = storm_time_to_seconds(since);
        if (k <= 11)
            assert_true(fabs(t + 2.25 * t * t - k) < 1e-8);
        if (k >= 11)
            assert_true(since == 2 * SEC + (k - 11) * 100 * MS);
    }
    small_world_free(&w);
}

static void a_limit_leaves_the_rest_for_the_next_replay(void **state) {
    (void)state;
    struct small_world w;
    dying(&w, 5);
    add_copies(&w, STORM_ACTION_REPLAY, 20 * SEC)->pace.limit = 3;
    add_copies(&w, STORM_ACTION_REPLAY, 30 * SEC);
    add_copies(&w, STORM_ACTION_REPLAY, 40 * SEC);
    small_world_live(&w);
    static const double times[] = {20, 20, 20, 30, 30};
    expect_times(&w, STORM_BIRTH_REPLAY, times, 5);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(find_birth(&w, STORM_BIRTH_REPLAY, i)->member, i);
    expect_own_keys(&w);
    small_world_free(&w);
}

/* Two operators at once: none of the letters goes twice. */
static void two_replays_share_the_letters(void **state) {
    (void)state;
    struct small_world w;
    dying(&w, 20);
    add_copies(&w, STORM_ACTION_REPLAY, 20 * SEC)->pace.rate = 1;
    add_copies(&w, STORM_ACTION_REPLAY, 20500 * MS)->pace.rate = 1;
    small_world_live(&w);
    assert_int_equal(count_births(&w, STORM_BIRTH_REPLAY), 20);
    for (uint32_t i = 0; i < 20; i++) {
        const struct storm_fact *f = find_birth(&w, STORM_BIRTH_REPLAY, i);
        assert_true(f->member == i && f->time == 20 * SEC + i * 500 * MS);
    }
    small_world_free(&w);
}

/* The service never comes back: the copies die, and that is what the second replay sends. */
static void what_dies_again_is_left_to_the_next_replay(void **state) {
    (void)state;
    struct small_world w;
    dying(&w, 4);
    w.faults[0].length = STORM_NEVER;
    add_copies(&w, STORM_ACTION_REPLAY, 20 * SEC)->pace.rate = 1;
    add_copies(&w, STORM_ACTION_REPLAY, 30 * SEC)->pace.rate = 1;
    small_world_live(&w);
    static const double times[] = {20, 21, 22, 23, 30, 31, 32, 33};
    expect_times(&w, STORM_BIRTH_REPLAY, times, 8);
    assert_int_equal(small_world_count(&w, STORM_FACT_DEAD, 0), 12);
    expect_own_keys(&w);
    small_world_free(&w);
}

/* What comes in while a replay is under way was not there when it began. */
static void a_replay_takes_what_there_was_when_it_began(void **state) {
    (void)state;
    struct small_world w;
    dying(&w, 4);
    small_world_add_population(&w, 30 * SEC, 3);
    w.populations[0].arrival = STORM_ARRIVAL_EVEN; /* at 0, 5, 10 ... 55 s */
    w.populations[0].rate = 0.2;
    w.faults[0].length = STORM_NEVER;
    add_copies(&w, STORM_ACTION_REPLAY, 12 * SEC)->pace.rate = 0.1;
    small_world_live(&w);
    static const double times[] = {12, 22, 32};
    expect_times(&w, STORM_BIRTH_REPLAY, times, 3);
    small_world_free(&w);
}

/* A third of the requests are poisoned, and half of the others meet an error of the service. */
static void letters_that_are_their_own_fault_go_only_when_told_to(void **state) {
    (void)state;
    for (int with_data = 0; with_data < 2; with_data++) {
        struct small_world w;
        size_t dead[2] = {0};
        dying(&w, 100);
        w.scenario.fault_count = 0;
        w.populations[0].poison = 0.3;
        w.services[0].error_count = 1;
        w.services[0].errors[0] = (struct storm_error_row){503, 0.5};
        add_copies(&w, STORM_ACTION_REPLAY, 20 * SEC)->with_data = with_data > 0;
        small_world_live(&w);
        for (size_t i = 0; i < w.fact_count; i++)
            if (w.facts[i].kind == STORM_FACT_DEAD && w.facts[i].time == SEC)
                dead[w.facts[i].status == 400]++;
        assert_true(dead[0] > 10 && dead[1] > 10);
        assert_int_equal(count_births(&w, STORM_BIRTH_REPLAY),
                         dead[0] + (with_data > 0 ? dead[1] : 0));
        small_world_free(&w);
    }
}

/* At 1 s and at 15 s (another client) something dies; letters are kept for 10 s. */
static void letters_that_are_too_old_are_gone(void **state) {
    (void)state;
    struct small_world w;
    struct storm_letter_queue kept = {.name = "dead", .retention = 10 * SEC};
    dying(&w, 2);
    w.populations[0].arrival = STORM_ARRIVAL_EVEN; /* at 0 and 15 s */
    w.populations[0].rate = 1.0 / 15;
    w.faults[0].length = 16 * SEC;
    w.scenario.letter_queues = &kept;
    w.scenario.letter_queue_count = 1;
    add_copies(&w, STORM_ACTION_REPLAY, 20 * SEC);
    small_world_live(&w);
    static const double times[] = {20};
    expect_times(&w, STORM_BIRTH_REPLAY, times, 1);
    assert_int_equal(find_birth(&w, STORM_BIRTH_REPLAY, 0)->member, 1);
    small_world_free(&w);
}

static void letters_from_outside_are_sent_instead_of_the_runs_own(void **state) {
    (void)state;
    static const struct storm_letter letters[] = {{.member = 1, .ordinal = 40, .day = 3},
                                                  {.member = 2, .ordinal = 41, .data = true},
                                                  {.member = 0, .ordinal = 42, .copy = 2}};
    struct small_world w;
    dying(&w, 3);
    struct storm_action *action = add_copies(&w, STORM_ACTION_REPLAY, 20 * SEC);
    action->letters = letters;
    action->letter_count = 3;
    action->pace.rate = 1;
    small_world_live(&w);
    static const double times[] = {20, 21};
    expect_times(&w, STORM_BIRTH_REPLAY, times, 2);
    assert_int_equal(find_birth(&w, STORM_BIRTH_REPLAY, 0)->ordinal, 40);
    assert_int_equal(find_birth(&w, STORM_BIRTH_REPLAY, 1)->ordinal, 42);
    expect_own_keys(&w);
    small_world_free(&w);
}

/* ---- probes ---------------------------------------------------------------------------------- */

/* 20 letters are replayed from 20 s on at 10/s, four of them first; each takes 200 ms. */
static struct storm_action *probing(struct small_world *w, double success) {
    dying(w, 20);
    w->services[0].service_time = small_world_constant(200 * MS);
    struct storm_action *action = add_copies(w, STORM_ACTION_REPLAY, 20 * SEC);
    action->pace.rate = 10;
    action->pace.probe = 4;
    action->pace.probe_success = success;
    return action;
}

static void the_rest_goes_when_the_whole_probe_has_succeeded(void **state) {
    (void)state;
    struct small_world w;
    probing(&w, 1);
    small_world_live(&w);
    assert_int_equal(count_births(&w, STORM_BIRTH_REPLAY), 20);
    for (uint32_t i = 0; i < 20; i++) { /* the last of the four ends at 20.5 s */
        storm_time since = i < 4 ? i * 100 * MS : 500 * MS + (i - 4) * 100 * MS;
        assert_true(find_birth(&w, STORM_BIRTH_REPLAY, i)->time == 20 * SEC + since);
    }
    small_world_free(&w);
}

static void without_a_rate_the_rest_goes_at_once_after_the_probe(void **state) {
    (void)state;
    struct small_world w;
    probing(&w, 1)->pace.rate = 0;
    small_world_live(&w);
    assert_int_equal(count_births(&w, STORM_BIRTH_REPLAY), 20);
    assert_true(find_birth(&w, STORM_BIRTH_REPLAY, 3)->time == 20 * SEC);
    assert_true(find_birth(&w, STORM_BIRTH_REPLAY, 4)->time == 20200 * MS);
    assert_true(find_birth(&w, STORM_BIRTH_REPLAY, 19)->time == 20200 * MS);
    small_world_free(&w);
}

/* The second of the four meets a service that is down for a moment. */
static void a_probe_with_too_few_successes_is_the_end(void **state) {
    (void)state;
    static const double shares[] = {0, 0.75, 0.76, 1};
    for (size_t i = 0; i < 4; i++) {
        struct small_world w;
        probing(&w, shares[i]);
        small_world_add_fault(&w, STORM_FAULT_DOWN, 20050 * MS, 100 * MS);
        w.faults[1].lost = STORM_LOST_KEPT;
        small_world_live(&w);
        assert_int_equal(count_births(&w, STORM_BIRTH_REPLAY), shares[i] <= 0.75 ? 20 : 4);
        small_world_free(&w);
    }
}

/* 28 of 100 are 28 %, although 0.28 * 100 is a little more than 28 in binary. */
static void a_share_that_is_just_met_is_met(void **state) {
    (void)state;
    struct small_world w;
    dying(&w, 101);
    struct storm_action *action = add_copies(&w, STORM_ACTION_REPLAY, 20 * SEC);
    action->pace =
        (struct storm_pace){.rate = 10, .limit = 101, .probe = 100, .probe_success = 0.28};
    small_world_add_fault(&w, STORM_FAULT_DOWN, 22750 * MS, 20 * SEC);
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_SUCCEEDED, 0), 28);
    assert_int_equal(count_births(&w, STORM_BIRTH_REPLAY), 101);
    small_world_free(&w);
}

static void fewer_letters_than_a_probe_all_go(void **state) {
    (void)state;
    for (uint32_t clients = 3; clients <= 4; clients++) {
        struct small_world w;
        probing(&w, 1);
        w.populations[0].count = clients;
        small_world_live(&w);
        assert_int_equal(count_births(&w, STORM_BIRTH_REPLAY), clients);
        small_world_free(&w);
    }
}

/* Others' copies come to their ends meanwhile: they are not the probe's. */
static void a_probe_waits_for_its_own_copies(void **state) {
    (void)state;
    struct small_world w;
    probing(&w, 1);
    w.scenario.fault_count = 2;
    w.faults[1] = w.faults[0];
    w.faults[1].at = 20010 * MS; /* what began at 20 s survives, all else is refused */
    w.faults[1].length = STORM_NEVER;
    w.faults[1].lost = STORM_LOST_KEPT;
    w.actions[0].pace.probe = 1;
    add_copies(&w, STORM_ACTION_RESEND, 20050 * MS);
    small_world_live(&w);
    assert_int_equal(count_births(&w, STORM_BIRTH_RESEND), 20);
    assert_int_equal(count_births(&w, STORM_BIRTH_REPLAY), 20);
    small_world_free(&w);
}

/* ---- a population's own replay --------------------------------------------------------------- */

/* A poisoned message takes 100 ms to fail, and goes again 10 s after that, and so on for ever. */
static void a_poisoned_letter_that_goes_by_itself_comes_back_for_ever(void **state) {
    (void)state;
    struct small_world w;
    dying(&w, 1);
    w.scenario.fault_count = 0;
    w.services[0].service_time = small_world_constant(100 * MS);
    w.populations[0].poison = 1;
    w.populations[0].auto_replay = 10 * SEC;
    small_world_live(&w);
    static const double times[] = {11.1, 21.2, 31.3, 41.4, 51.5};
    expect_times(&w, STORM_BIRTH_REPLAY, times, 5);
    assert_int_equal(small_world_count(&w, STORM_FACT_DEAD, 0), 6);
    expect_own_keys(&w);
    small_world_free(&w);
}

/* What dies at 3 to 23 s goes again 17 s later; at 20 to 23 s it meets the outage once more. */
static void each_letter_goes_so_long_after_its_own_death(void **state) {
    (void)state;
    struct small_world w;
    steady(&w);
    small_world_add_fault(&w, STORM_FAULT_DOWN, 3 * SEC, 20500 * MS);
    w.populations[0].auto_replay = 17 * SEC;
    small_world_live(&w);
    assert_int_equal(count_births(&w, STORM_BIRTH_REPLAY), 21 + 4);
    for (uint32_t i = 0; i < 25; i++) {
        const struct storm_fact *f = find_birth(&w, STORM_BIRTH_REPLAY, i);
        storm_time first = (f->ordinal * 7 + f->member) * SEC;
        assert_true(f->time == first + 17 * SEC || (i >= 17 && f->time == first + 34 * SEC));
    }
    assert_int_equal(small_world_count(&w, STORM_FACT_SUCCEEDED, 0), 60);
    expect_own_keys(&w);
    small_world_free(&w);
}

/* An operator is faster with two of the three. */
static void what_an_operator_has_sent_does_not_go_by_itself(void **state) {
    (void)state;
    struct small_world w;
    dying(&w, 3);
    w.populations[0].auto_replay = 30 * SEC;
    struct storm_action *action = add_copies(&w, STORM_ACTION_REPLAY, 20 * SEC);
    action->pace.limit = 2;
    small_world_live(&w);
    static const double times[] = {20, 20, 31};
    expect_times(&w, STORM_BIRTH_REPLAY, times, 3);
    assert_int_equal(find_birth(&w, STORM_BIRTH_REPLAY, 2)->member, 2);
    small_world_free(&w);
}

static void settings_switch_it_on_and_off(void **state) {
    (void)state;
    struct small_world w, on, off;
    steady(&w);
    small_world_add_fault(&w, STORM_FAULT_DOWN, 0, STORM_NEVER);
    small_world_add_change(&w, 10500 * MS, &on);
    on.populations[0].auto_replay = 5 * SEC; /* for what dies at 11, 12 ... s */
    small_world_add_change(&w, 18500 * MS, &off);
    small_world_live(&w);
    static const double times[] = {16, 17, 18};
    expect_times(&w, STORM_BIRTH_REPLAY, times, 3);
    small_world_free(&w);
}

/* A hundred thousand letters come and go; what has gone is forgotten. */
static void letters_that_have_gone_take_no_memory(void **state) {
    (void)state;
    struct small_world w;
    dying(&w, 100);
    w.scenario.duration = 1001 * SEC;
    w.faults[0].length = STORM_NEVER;
    w.populations[0].auto_replay = SEC;
    w.memory = (size_t)3 << 20;
    small_world_live(&w);
    assert_int_equal(w.error.status, STORM_OK);
    assert_int_equal(count_births(&w, STORM_BIRTH_REPLAY), 999 * 100);
    small_world_free(&w);
}

/* ---- the run --------------------------------------------------------------------------------- */

static void a_run_until_idle_waits_for_copies_to_come(void **state) {
    (void)state;
    struct small_world w;
    dying(&w, 5);
    w.scenario.duration = STORM_NEVER;
    w.populations[0].auto_replay = 100 * SEC;
    struct storm_action *action = add_copies(&w, STORM_ACTION_REPLAY, 20 * SEC);
    action->pace.rate = 0.5;
    action->pace.limit = 3;
    small_world_live(&w);
    static const double times[] = {20, 22, 24, 101, 101};
    expect_times(&w, STORM_BIRTH_REPLAY, times, 5);
    assert_true(w.facts[w.fact_count - 1].time == 101 * SEC);
    small_world_free(&w);
}

/* The last copy is the end: nobody waits for the moment at which one more would go. */
static void a_run_until_idle_does_not_wait_for_what_will_not_come(void **state) {
    (void)state;
    struct small_world w;
    dying(&w, 2);
    w.scenario.duration = STORM_NEVER;
    add_copies(&w, STORM_ACTION_REPLAY, 20 * SEC)->pace.rate = 0.01;
    small_world_live(&w);
    assert_true(model_now(w.model) == 120 * SEC);
    small_world_free(&w);
}

static void copies_due_after_the_end_of_the_run_do_not_come(void **state) {
    (void)state;
    struct small_world w;
    dying(&w, 9);
    w.populations[0].auto_replay = 59 * SEC;
    add_copies(&w, STORM_ACTION_REPLAY, 55 * SEC)->pace.rate = 1;
    add_copies(&w, STORM_ACTION_REPLAY, 60 * SEC);
    add_copies(&w, STORM_ACTION_RESEND, 70 * SEC);
    small_world_live(&w);
    static const double times[] = {55, 56, 57, 58, 59};
    expect_times(&w, STORM_BIRTH_REPLAY, times, 5);
    small_world_free(&w);
}

/* Wherever the memory runs out, in the middle of a herd or of a batch, the run says so. */
static void at_the_memory_limit_the_run_ends_with_an_error(void **state) {
    (void)state;
    size_t failures = 0;
    enum storm_status status = STORM_LIMIT;
    for (size_t memory = 100000; status == STORM_LIMIT; memory += memory / 20) {
        struct small_world w;
        dying(&w, 5000);
        w.memory = memory;
        add_copies(&w, STORM_ACTION_REPLAY, 20 * SEC)->pace.probe = 3000;
        add_copies(&w, STORM_ACTION_RERUN, 20 * SEC);
        small_world_live(&w);
        status = w.error.status;
        failures += status == STORM_LIMIT;
        assert_true(memory < 10000000);
        small_world_free(&w);
    }
    assert_int_equal(status, STORM_OK);
    assert_true(failures > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_rate_all_dead_letters_go_at_once_in_the_order_of_their_deaths),
        cmocka_unit_test(a_rate_spaces_them_evenly_without_the_error_of_added_gaps),
        cmocka_unit_test(a_ramp_begins_at_a_tenth_of_the_rate),
        cmocka_unit_test(a_limit_leaves_the_rest_for_the_next_replay),
        cmocka_unit_test(two_replays_share_the_letters),
        cmocka_unit_test(what_dies_again_is_left_to_the_next_replay),
        cmocka_unit_test(a_replay_takes_what_there_was_when_it_began),
        cmocka_unit_test(letters_that_are_their_own_fault_go_only_when_told_to),
        cmocka_unit_test(letters_that_are_too_old_are_gone),
        cmocka_unit_test(letters_from_outside_are_sent_instead_of_the_runs_own),
        cmocka_unit_test(the_rest_goes_when_the_whole_probe_has_succeeded),
        cmocka_unit_test(without_a_rate_the_rest_goes_at_once_after_the_probe),
        cmocka_unit_test(a_probe_with_too_few_successes_is_the_end),
        cmocka_unit_test(a_share_that_is_just_met_is_met),
        cmocka_unit_test(fewer_letters_than_a_probe_all_go),
        cmocka_unit_test(a_probe_waits_for_its_own_copies),
        cmocka_unit_test(a_poisoned_letter_that_goes_by_itself_comes_back_for_ever),
        cmocka_unit_test(each_letter_goes_so_long_after_its_own_death),
        cmocka_unit_test(what_an_operator_has_sent_does_not_go_by_itself),
        cmocka_unit_test(settings_switch_it_on_and_off),
        cmocka_unit_test(letters_that_have_gone_take_no_memory),
        cmocka_unit_test(a_run_until_idle_waits_for_copies_to_come),
        cmocka_unit_test(a_run_until_idle_does_not_wait_for_what_will_not_come),
        cmocka_unit_test(copies_due_after_the_end_of_the_run_do_not_come),
        cmocka_unit_test(at_the_memory_limit_the_run_ends_with_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
