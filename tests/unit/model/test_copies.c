/* test_copies.c: requests that are sent once more: replays, resends and reruns. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/small_world.h"

#include <math.h>

#include "model/model.h"
#include "support/test.h"

/* So many clients want something at 1 s, and at once, and only then, the service is down: all of
   their requests are dead letters. */
static void dying(struct small_world *w, uint32_t clients) {
    small_world_init(w);
    w->populations[0].count = clients;
    w->services[0].workers = STORM_UNLIMITED;
    w->services[0].service_time = small_world_constant(0);
    small_world_add_fault(w, STORM_FAULT_DOWN, 0, 10 * SEC);
}

/* One request a second, at 0, 1, 2 ... s by seven clients in turn, each answered at once. */
static void steady(struct small_world *w) {
    small_world_init(w);
    w->services[0].workers = STORM_UNLIMITED;
    w->services[0].service_time = small_world_constant(0);
    w->populations[0].arrival = STORM_ARRIVAL_EVEN;
    w->populations[0].rate = 1;
    w->populations[0].count = 7;
}

/* Adds an action on the first population that sends copies, all of them at once. */
static struct storm_action *add_copies(struct small_world *w, enum storm_action_kind kind,
                                       storm_time at) {
    struct storm_action *action = &w->actions[small_world_add_action(w, kind, at, STORM_NEVER)];
    action->population = 0;
    action->pace.limit = STORM_UNLIMITED;
    return action;
}

/* Number `index` of the births of that kind; NULL: there are not so many. */
static const struct storm_fact *find_birth(const struct small_world *w, enum storm_birth kind,
                                           size_t index) {
    for (size_t i = 0; i < w->fact_count; i++) {
        const struct storm_fact *f = &w->facts[i];
        if (f->kind == STORM_FACT_BORN && f->level == (uint32_t)kind && index-- == 0)
            return f;
    }
    return NULL;
}

static size_t count_births(const struct small_world *w, enum storm_birth kind) {
    size_t count = 0;
    for (size_t i = 0; i < w->fact_count; i++)
        count += w->facts[i].kind == STORM_FACT_BORN && w->facts[i].level == (uint32_t)kind;
    return count;
}

/* The births of that kind are at these times, in seconds. */
static void expect_times(const struct small_world *w, enum storm_birth kind, const double *times,
                         size_t count) {
    assert_int_equal(w->error.status, STORM_OK);
    assert_int_equal(count_births(w, kind), count);
    for (size_t i = 0; i < count; i++)
        assert_true(find_birth(w, kind, i)->time == storm_time_from_seconds(times[i]));
}

/* Nothing was born twice under one key, copies included. */
static void expect_own_keys(const struct small_world *w) {
    for (size_t i = 0; i < w->fact_count; i++)
        for (size_t j = 0; j < i && w->facts[i].kind == STORM_FACT_BORN; j++)
            assert_true(w->facts[j].kind != STORM_FACT_BORN || w->facts[j].key != w->facts[i].key);
}

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

/* ---- resends and reruns ---------------------------------------------------------------------- */

/* Copy number `index` of that kind is of turn `turn` of seven clients. */
static void expect_turn(const struct small_world *w, enum storm_birth kind, size_t index,
                        uint32_t turn) {
    const struct storm_fact *f = find_birth(w, kind, index);
    assert_int_equal(f->member, turn % 7);
    assert_int_equal(f->ordinal, turn / 7);
}

static void a_resend_sends_the_last_ones_again_in_their_order(void **state) {
    (void)state;
    struct small_world w;
    steady(&w);
    struct storm_action *action = add_copies(&w, STORM_ACTION_RESEND, 30500 * MS);
    action->pace.limit = 5;
    action->pace.rate = 2;
    small_world_live(&w);
    static const double times[] = {30.5, 31, 31.5, 32, 32.5};
    expect_times(&w, STORM_BIRTH_RESEND, times, 5);
    for (uint32_t i = 0; i < 5; i++)
        expect_turn(&w, STORM_BIRTH_RESEND, i, 26 + i);
    assert_int_equal(count_births(&w, STORM_BIRTH_FRESH), 60);
    expect_own_keys(&w);
    small_world_free(&w);
}

static void copies_are_not_what_is_resent(void **state) {
    (void)state;
    struct small_world w;
    steady(&w);
    add_copies(&w, STORM_ACTION_RESEND, 10500 * MS)->pace.limit = 3;
    add_copies(&w, STORM_ACTION_RESEND, 10700 * MS)->pace.limit = 4;
    add_copies(&w, STORM_ACTION_RESEND, 3500 * MS)->pace.limit = 100;
    small_world_live(&w);
    assert_int_equal(count_births(&w, STORM_BIRTH_RESEND), 4 + 3 + 4);
    for (uint32_t i = 0; i < 11; i++)
        expect_turn(&w, STORM_BIRTH_RESEND, i, i < 4 ? i : i < 7 ? 4 + i : i);
    expect_own_keys(&w);
    small_world_free(&w);
}

/* Nobody has wanted anything from 5 to 8 s. */
static void what_a_pause_has_swallowed_is_not_resent(void **state) {
    (void)state;
    struct small_world w;
    steady(&w);
    small_world_add_action(&w, STORM_ACTION_PAUSE, 5 * SEC, 3 * SEC);
    add_copies(&w, STORM_ACTION_RESEND, 10500 * MS)->pace.limit = 5;
    small_world_live(&w);
    static const uint32_t turns[] = {3, 4, 8, 9, 10};
    assert_int_equal(count_births(&w, STORM_BIRTH_RESEND), 5);
    for (uint32_t i = 0; i < 5; i++)
        expect_turn(&w, STORM_BIRTH_RESEND, i, turns[i]);
    small_world_free(&w);
}

/* Whatever tells the clients when to want something: the copies of a rerun are the births. */
static void a_rerun_sends_what_was_born_whatever_the_arrivals(void **state) {
    (void)state;
    static const enum storm_arrival arrivals[] = {STORM_ARRIVAL_AT, STORM_ARRIVAL_EVERY,
                                                  STORM_ARRIVAL_POISSON, STORM_ARRIVAL_CLOSED};
    for (size_t a = 0; a < 4; a++) {
        struct small_world w;
        steady(&w);
        w.populations[0].arrival = arrivals[a];
        w.populations[0].at = SEC;
        w.populations[0].period = 10 * SEC;
        w.populations[0].spread = a == 1 ? STORM_SPREAD_RANDOM : STORM_SPREAD_NONE;
        w.populations[0].think = small_world_constant(2900 * MS);
        add_copies(&w, STORM_ACTION_RERUN, 58 * SEC);
        small_world_live(&w);
        size_t count = count_births(&w, STORM_BIRTH_RERUN);
        assert_true(count >= 7);
        for (size_t i = 0; i < count; i++) {
            const struct storm_fact *first = find_birth(&w, STORM_BIRTH_FRESH, i);
            const struct storm_fact *copy = find_birth(&w, STORM_BIRTH_RERUN, i);
            assert_true(first->time <= 58 * SEC && copy->time == 58 * SEC);
            assert_true(first->member == copy->member && first->ordinal == copy->ordinal);
        }
        const struct storm_fact *next = find_birth(&w, STORM_BIRTH_FRESH, count);
        assert_true(next == NULL || next->time >= 58 * SEC);
        small_world_free(&w);
    }
}

/* 31 requests by then; every tenth is a checkpoint. */
static void a_rerun_goes_back_to_its_last_checkpoint(void **state) {
    (void)state;
    static const struct {
        uint32_t checkpoint, limit, first, count;
    } cases[] = {{0, STORM_UNLIMITED, 0, 31},   {10, STORM_UNLIMITED, 30, 1},
                 {16, STORM_UNLIMITED, 16, 15}, {31, STORM_UNLIMITED, 31, 0},
                 {32, STORM_UNLIMITED, 0, 31},  {16, 5, 16, 5}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct small_world w;
        steady(&w);
        struct storm_action *action = add_copies(&w, STORM_ACTION_RERUN, 30500 * MS);
        action->checkpoint = cases[i].checkpoint;
        action->pace.limit = cases[i].limit;
        small_world_live(&w);
        assert_int_equal(count_births(&w, STORM_BIRTH_RERUN), cases[i].count);
        for (uint32_t k = 0; k < cases[i].count; k++)
            expect_turn(&w, STORM_BIRTH_RERUN, k, cases[i].first + k);
        small_world_free(&w);
    }
}

/* 120,000 births of which the last three are wanted. */
static void births_that_nobody_will_want_take_no_memory(void **state) {
    (void)state;
    struct small_world w;
    steady(&w);
    w.populations[0].rate = 2000;
    w.memory = (size_t)3 << 19;
    add_copies(&w, STORM_ACTION_RESEND, 59999700 * STORM_MICROSECOND)->pace.limit = 3;
    add_copies(&w, STORM_ACTION_RERUN, 59999700 * STORM_MICROSECOND)->checkpoint = 1000;
    small_world_live(&w);
    assert_int_equal(w.error.status, STORM_OK);
    assert_int_equal(count_births(&w, STORM_BIRTH_RESEND), 3);
    assert_int_equal(count_births(&w, STORM_BIRTH_RERUN), 0);
    for (uint32_t i = 0; i < 3; i++)
        expect_turn(&w, STORM_BIRTH_RESEND, i, 119997 + i);
    small_world_free(&w);
}

/* ---- what a copy is taken for ---------------------------------------------------------------- */

/* Three clients of a service that keeps duplicates out by `key`. The effects happen at 1.1 s, but
   the clients have stopped waiting by then. Midnight is at 30 s. */
static void ordering(struct small_world *w, enum storm_effect_key key) {
    small_world_init(w);
    w->scenario.epoch = INT64_C(86370) * SEC;
    w->populations[0].count = 3;
    w->populations[0].call.timeout = small_world_constant(50 * MS);
    w->services[0].workers = STORM_UNLIMITED;
    w->services[0].idempotency =
        (struct storm_idempotency){.counted = true,
                                   .mode = STORM_IDEMPOTENCY_STORE_AND_RETURN,
                                   .key = key,
                                   .numbers = 10,
                                   .retention = STORM_NEVER,
                                   .retention_count = STORM_UNLIMITED,
                                   .in_progress_waits = true};
}

/* A replay on the next day brings the same message, of the day of its birth; a resend is a new
   message, but of the same order and number. */
static void what_a_copy_is_taken_for(void **state) {
    (void)state;
    static const struct {
        enum storm_effect_key key;
        enum storm_action_kind kind;
        size_t suppressed;
    } cases[] = {{STORM_KEY_MSG_ID, STORM_ACTION_REPLAY, 3},
                 {STORM_KEY_MSG_ID, STORM_ACTION_RESEND, 0},
                 {STORM_KEY_MSG_ID, STORM_ACTION_RERUN, 0},
                 {STORM_KEY_ORDER_NO, STORM_ACTION_RESEND, 3},
                 {STORM_KEY_SENDER_NUMBER_DAY, STORM_ACTION_REPLAY, 3},
                 {STORM_KEY_SENDER_NUMBER_DAY, STORM_ACTION_RESEND, 3},
                 {STORM_KEY_SENDER_NUMBER_DAY, STORM_ACTION_RERUN, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct small_world w;
        ordering(&w, cases[i].key);
        add_copies(&w, cases[i].kind, 40 * SEC);
        small_world_live(&w);
        assert_int_equal(w.error.status, STORM_OK);
        assert_int_equal(small_world_count(&w, STORM_FACT_SUPPRESSED, 0), cases[i].suppressed);
        assert_int_equal(small_world_count(&w, STORM_FACT_EFFECT, 0), 6 - cases[i].suppressed);
        small_world_free(&w);
    }
}

/* The letters of another run say of which day they are: only the second one's number has been seen
   on that day. */
static void a_letter_from_outside_is_of_the_day_that_it_says(void **state) {
    (void)state;
    static const struct storm_letter letters[] = {{.member = 1, .day = 1}, {.member = 2, .day = 0}};
    struct small_world w;
    ordering(&w, STORM_KEY_SENDER_NUMBER_DAY);
    struct storm_action *action = add_copies(&w, STORM_ACTION_REPLAY, 40 * SEC);
    action->letters = letters;
    action->letter_count = 2;
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_SUPPRESSED, 0), 1);
    assert_int_equal(small_world_count(&w, STORM_FACT_EFFECT, 0), 4);
    small_world_free(&w);
}

/* ---- consumers ------------------------------------------------------------------------------- */

enum { API = 0, ORDERS = 1, WORKERS = 1 };

/* So many messages reach the queue at 1 s; four workers hand them on to a service that is down
   until 10 s, and give each of them up at once. */
static void queueing(struct small_world *w, struct storm_queue *queue, uint32_t messages) {
    dying(w, messages);
    small_world_add_service(w, "orders");
    w->services[ORDERS].workers = STORM_UNLIMITED;
    w->services[ORDERS].service_time = small_world_constant(0);
    w->populations[0].call.to = ORDERS;
    small_world_add_population(w, 0, 4);
    w->populations[WORKERS].arrival = STORM_ARRIVAL_QUEUE;
    w->populations[WORKERS].prefetch = 1;
    *queue = (struct storm_queue){.service = ORDERS,
                                  .visibility = 30 * SEC,
                                  .max_receives = STORM_UNLIMITED,
                                  .memory = STORM_UNLIMITED,
                                  .durable = true,
                                  .partitions = 1,
                                  .consumers = WORKERS};
    w->scenario.queues = queue;
    w->scenario.queue_count = 1;
}

static void dead_messages_are_put_into_their_queue_again(void **state) {
    (void)state;
    struct small_world w;
    struct storm_queue queue;
    queueing(&w, &queue, 6);
    struct storm_action *action = add_copies(&w, STORM_ACTION_REPLAY, 20 * SEC);
    action->population = WORKERS;
    action->pace.rate = 2;
    small_world_live(&w);
    static const double times[] = {20, 20.5, 21, 21.5, 22, 22.5};
    expect_times(&w, STORM_BIRTH_REPLAY, times, 6);
    for (uint32_t i = 0; i < 6; i++) {
        const struct storm_fact *f = find_birth(&w, STORM_BIRTH_REPLAY, i);
        assert_true(f->place == WORKERS && f->member == i && f->parent == 0);
    }
    assert_int_equal(small_world_count(&w, STORM_FACT_DEAD, WORKERS), 6);
    assert_int_equal(small_world_count(&w, STORM_FACT_SUCCEEDED, WORKERS), 6);
    assert_int_equal(small_world_count(&w, STORM_FACT_BORN, 0), 6); /* nobody publishes again */
    expect_own_keys(&w);
    small_world_free(&w);
}

/* The first two take 100 ms; the other four follow when both are done. */
static void a_probe_of_messages_waits_until_they_are_done(void **state) {
    (void)state;
    struct small_world w;
    struct storm_queue queue;
    queueing(&w, &queue, 6);
    w.services[API].service_time = small_world_constant(100 * MS);
    struct storm_action *action = add_copies(&w, STORM_ACTION_REPLAY, 20 * SEC);
    action->population = WORKERS;
    action->pace.probe = 2;
    action->pace.probe_success = 1;
    small_world_live(&w);
    static const double times[] = {20, 20, 20.1, 20.1, 20.1, 20.1};
    expect_times(&w, STORM_BIRTH_REPLAY, times, 6);
    small_world_free(&w);
}

/* What dies at 1 s goes again every 3 s until the service is up. */
static void dead_messages_go_again_by_themselves(void **state) {
    (void)state;
    struct small_world w;
    struct storm_queue queue;
    queueing(&w, &queue, 2);
    w.populations[WORKERS].auto_replay = 3 * SEC;
    small_world_live(&w);
    static const double times[] = {4, 4, 7, 7, 10, 10};
    expect_times(&w, STORM_BIRTH_REPLAY, times, 6);
    assert_int_equal(small_world_count(&w, STORM_FACT_SUCCEEDED, WORKERS), 2);
    small_world_free(&w);
}

/* The message of the first resend is done after 10 ms, but its sender waits in vain for the answer
   until 15 ms: a failure. */
static void the_end_of_its_message_is_not_the_end_of_a_copy(void **state) {
    (void)state;
    struct small_world w;
    struct storm_queue queue;
    queueing(&w, &queue, 3);
    w.populations[0].call.network = small_world_constant(10 * MS);
    w.populations[0].call.timeout = small_world_constant(15 * MS);
    struct storm_action *action = add_copies(&w, STORM_ACTION_RESEND, 20 * SEC);
    action->pace.probe = 1;
    action->pace.probe_success = 1;
    small_world_live(&w);
    static const double times[] = {20};
    expect_times(&w, STORM_BIRTH_RESEND, times, 1);
    assert_int_equal(small_world_count(&w, STORM_FACT_SUCCEEDED, WORKERS), 1);
    small_world_free(&w);
}

/* Two shops have letters; the first copy of either has the same number. One goes at 19.5 s, another
   shop's, a probe, at 20 s; each takes 1 s. */
static void a_probe_tells_the_copies_of_two_shops_apart(void **state) {
    (void)state;
    struct small_world w;
    struct storm_queue queue;
    queueing(&w, &queue, 1);
    w.services[API].service_time = small_world_constant(SEC);
    w.populations[2] = w.populations[WORKERS]; /* the consumers are the last */
    w.populations[WORKERS] = w.populations[0];
    w.populations[WORKERS].count = 2;
    w.scenario.population_count = 3;
    queue.consumers = 2;
    add_copies(&w, STORM_ACTION_REPLAY, 19500 * MS)->pace.limit = 1;
    struct storm_action *action = add_copies(&w, STORM_ACTION_REPLAY, 20 * SEC);
    w.actions[0].population = action->population = 2;
    action->pace.probe = 1;
    action->pace.probe_success = 1;
    small_world_live(&w);
    static const double times[] = {19.5, 20, 21};
    expect_times(&w, STORM_BIRTH_REPLAY, times, 3);
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
        cmocka_unit_test(a_resend_sends_the_last_ones_again_in_their_order),
        cmocka_unit_test(copies_are_not_what_is_resent),
        cmocka_unit_test(what_a_pause_has_swallowed_is_not_resent),
        cmocka_unit_test(a_rerun_sends_what_was_born_whatever_the_arrivals),
        cmocka_unit_test(a_rerun_goes_back_to_its_last_checkpoint),
        cmocka_unit_test(births_that_nobody_will_want_take_no_memory),
        cmocka_unit_test(what_a_copy_is_taken_for),
        cmocka_unit_test(a_letter_from_outside_is_of_the_day_that_it_says),
        cmocka_unit_test(dead_messages_are_put_into_their_queue_again),
        cmocka_unit_test(a_probe_of_messages_waits_until_they_are_done),
        cmocka_unit_test(dead_messages_go_again_by_themselves),
        cmocka_unit_test(the_end_of_its_message_is_not_the_end_of_a_copy),
        cmocka_unit_test(a_probe_tells_the_copies_of_two_shops_apart),
        cmocka_unit_test(a_run_until_idle_waits_for_copies_to_come),
        cmocka_unit_test(a_run_until_idle_does_not_wait_for_what_will_not_come),
        cmocka_unit_test(copies_due_after_the_end_of_the_run_do_not_come),
        cmocka_unit_test(at_the_memory_limit_the_run_ends_with_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
