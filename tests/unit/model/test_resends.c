/* test_resends.c: requests that are sent once more by hand, or with their whole batch; and what any
   copy is taken for. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/test.h"
#include "unit/model/copying.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_resend_sends_the_last_ones_again_in_their_order),
        cmocka_unit_test(copies_are_not_what_is_resent),
        cmocka_unit_test(what_a_pause_has_swallowed_is_not_resent),
        cmocka_unit_test(a_rerun_sends_what_was_born_whatever_the_arrivals),
        cmocka_unit_test(a_rerun_goes_back_to_its_last_checkpoint),
        cmocka_unit_test(births_that_nobody_will_want_take_no_memory),
        cmocka_unit_test(what_a_copy_is_taken_for),
        cmocka_unit_test(a_letter_from_outside_is_of_the_day_that_it_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
