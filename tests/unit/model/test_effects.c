/* test_effects.c: how often what was ordered happens: with every key, every mode, and every way of
   forgetting. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/effects.h"

#include "base/stream.h"
#include "model/world.h"
#include "support/small_world.h"
#include "support/test.h"

/* ---- the rules alone ------------------------------------------------------------------------- */

enum { MOST = 64 };

/* One service that counts its effects, and the attempts that come to it. */
struct shop {
    struct storm_service plan;
    struct storm_scenario scenario;
    struct service service;
    struct attempt attempts[MOST];
    uint32_t ranks[1];
    struct arena arena;
    struct world world;
    struct storm_fact last;
    uint32_t told, came;
};

static void hear(void *context, const struct storm_fact *fact) {
    struct shop *shop = context;
    assert_int_equal(fact->kind, STORM_FACT_EFFECT);
    shop->last = *fact;
    shop->told++;
}

/* By msg_id, for ever, and a duplicate waits for the first. */
static void open_shop(struct shop *s, enum storm_idempotency_mode mode) {
    *s = (struct shop){.scenario = {.service_count = 1, .population_count = 1}};
    s->plan.idempotency = (struct storm_idempotency){.counted = true,
                                                     .mode = mode,
                                                     .numbers = 100,
                                                     .retention = STORM_NEVER,
                                                     .retention_count = STORM_UNLIMITED,
                                                     .in_progress_waits = true};
    s->service.plan = &s->plan;
    arena_init(&s->arena, 64 << 20);
    s->world.scenario = &s->scenario;
    s->world.services = &s->service;
    s->world.attempts = s->attempts;
    s->world.arena = &s->arena;
    s->world.ranks = s->ranks;
    s->world.seed = 7;
    s->world.listener = (struct storm_listener){hear, s};
    assert_true(effects_init(&s->world));
}

static void close_shop(struct shop *s) { arena_free(&s->arena); }

/* Which request comes: of the first population. */
struct order {
    uint32_t member, ordinal, copy;
    uint16_t day;
};

static uint64_t act_of(struct order order) {
    return stream_request(7, 0, 0, order.member, order.ordinal);
}

/* An attempt comes at `now` and is taken up; its index. */
static uint32_t meet(struct shop *s, storm_time now, struct order order, enum effects_word word,
                     uint16_t status, bool is_other) {
    uint32_t index = s->came++ % MOST;
    s->attempts[index] = (struct attempt){.member = order.member,
                                          .ordinal = order.ordinal,
                                          .copy = order.copy,
                                          .message = order.copy,
                                          .day = order.day,
                                          .key = s->came,
                                          .call = STORM_NONE,
                                          .stamp = now};
    s->world.engine.now = now;
    uint16_t said = 0;
    bool other = false;
    assert_int_equal(effects_meet(&s->world, index, &said, &other), word);
    assert_int_equal(other, is_other);
    if (word == EFFECTS_KNOWN)
        assert_int_equal(said, status);
    return index;
}

static uint32_t begin(struct shop *s, storm_time now, struct order order) {
    return meet(s, now, order, EFFECTS_NEW, 0, false);
}

/* The attempt succeeds, and its effect is the n-th of its order. */
static void succeed(struct shop *s, storm_time now, uint32_t attempt, uint32_t n,
                    enum storm_effect cause) {
    const struct attempt *a = &s->attempts[attempt];
    uint32_t told = s->told;
    s->world.engine.now = now;
    effects_done(&s->world, attempt, true);
    assert_int_equal(s->told, told + 1);
    assert_true(s->last.key == a->key && s->last.time == now && s->last.ghost);
    assert_true(s->last.parent == act_of((struct order){a->member, a->ordinal, 0, 0}));
    assert_int_equal(s->last.attempts, n);
    assert_int_equal(s->last.level, cause);
}

static void do_at_once(struct shop *s, storm_time now, struct order order, uint32_t n,
                       enum storm_effect cause) {
    succeed(s, now, begin(s, now, order), n, cause);
}

static void without_a_memory_each_copy_has_its_effect(void **state) {
    (void)state;
    struct shop s;
    open_shop(&s, STORM_IDEMPOTENCY_NONE);
    do_at_once(&s, SEC, (struct order){1, 2, 0, 0}, 1, STORM_EFFECT_FIRST);
    do_at_once(&s, 2 * SEC, (struct order){1, 2, 0, 0}, 2, STORM_EFFECT_REPEATED);
    do_at_once(&s, 3 * SEC, (struct order){1, 2, 1, 0}, 3, STORM_EFFECT_REPEATED);
    do_at_once(&s, 4 * SEC, (struct order){1, 3, 0, 0}, 1, STORM_EFFECT_FIRST);
    uint32_t a = begin(&s, 5 * SEC, (struct order){1, 4, 0, 0});
    uint32_t b = begin(&s, 5 * SEC, (struct order){1, 4, 0, 0});
    succeed(&s, 6 * SEC, b, 1, STORM_EFFECT_FIRST);
    succeed(&s, 6 * SEC, a, 2, STORM_EFFECT_REPEATED);
    close_shop(&s);
}

static void what_is_stored_is_returned_and_what_is_known_rejected(void **state) {
    (void)state;
    struct shop s;
    open_shop(&s, STORM_IDEMPOTENCY_STORE_AND_RETURN);
    do_at_once(&s, SEC, (struct order){1, 2, 0, 0}, 1, STORM_EFFECT_FIRST);
    meet(&s, 2 * SEC, (struct order){1, 2, 0, 0}, EFFECTS_KNOWN, 200, false);
    s.plan.idempotency.mode = STORM_IDEMPOTENCY_REJECT;
    meet(&s, 2 * SEC, (struct order){1, 2, 0, 0}, EFFECTS_KNOWN, 409, false);
    assert_int_equal(s.told, 1);
    close_shop(&s);
}

/* Who has failed has done nothing that a second one could repeat. */
static void failed_work_leaves_nothing_behind(void **state) {
    (void)state;
    struct shop s;
    open_shop(&s, STORM_IDEMPOTENCY_STORE_AND_RETURN);
    effects_done(&s.world, begin(&s, SEC, (struct order){1, 2, 0, 0}), false);
    effects_gone(&s.world, begin(&s, 2 * SEC, (struct order){1, 2, 0, 0}));
    assert_int_equal(s.told, 0);
    do_at_once(&s, 3 * SEC, (struct order){1, 2, 0, 0}, 1, STORM_EFFECT_FIRST);
    close_shop(&s);
}

/* ---- two at once ----------------------------------------------------------------------------- */

static void a_duplicate_waits_or_is_told_of_a_conflict(void **state) {
    (void)state;
    struct shop s;
    open_shop(&s, STORM_IDEMPOTENCY_STORE_AND_RETURN);
    uint32_t first = begin(&s, SEC, (struct order){1, 2, 0, 0});
    meet(&s, SEC, (struct order){1, 2, 0, 0}, EFFECTS_WAIT, 0, false);
    s.plan.idempotency.in_progress_waits = false;
    meet(&s, SEC, (struct order){1, 2, 0, 0}, EFFECTS_KNOWN, 409, false);
    begin(&s, SEC, (struct order){1, 3, 0, 0});
    succeed(&s, 2 * SEC, first, 1, STORM_EFFECT_FIRST);
    meet(&s, 2 * SEC, (struct order){1, 2, 0, 0}, EFFECTS_KNOWN, 200, false);
    close_shop(&s);
}

static void set_aside(struct shop *s, uint32_t attempt) {
    lane_append(&s->world, &s->service.aside, attempt);
}

static uint32_t release(struct shop *s) {
    uint32_t attempt = effects_ready(&s->world, 0);
    if (attempt != STORM_NONE)
        lane_remove(&s->world, &s->service.aside, attempt);
    return attempt;
}

/* Two wait for one that fails, and one for another: the first of the two works next, and when it
   has succeeded the second is answered. */
static void those_who_wait_are_released_in_turn(void **state) {
    (void)state;
    struct shop s;
    open_shop(&s, STORM_IDEMPOTENCY_STORE_AND_RETURN);
    struct order one = {1, 2, 0, 0}, two = {1, 3, 0, 0};
    uint32_t first = begin(&s, SEC, one), other = begin(&s, SEC, two);
    uint32_t waits = meet(&s, SEC, two, EFFECTS_WAIT, 0, false);
    uint32_t second = meet(&s, SEC, one, EFFECTS_WAIT, 0, false);
    uint32_t third = meet(&s, SEC, one, EFFECTS_WAIT, 0, false);
    set_aside(&s, waits);
    set_aside(&s, second);
    set_aside(&s, third);
    effects_done(&s.world, first, false);
    assert_int_equal(release(&s), second);
    uint16_t status;
    bool is_other;
    assert_int_equal(effects_meet(&s.world, second, &status, &is_other), EFFECTS_NEW);
    assert_int_equal(release(&s), STORM_NONE);
    succeed(&s, 2 * SEC, second, 1, STORM_EFFECT_FIRST);
    assert_int_equal(release(&s), third);
    assert_int_equal(effects_meet(&s.world, third, &status, &is_other), EFFECTS_KNOWN);
    assert_int_equal(release(&s), STORM_NONE);
    effects_gone(&s.world, other);
    assert_int_equal(release(&s), waits);
    assert_int_equal(release(&s), STORM_NONE);
    close_shop(&s);
}

/* No worker was free when the first had succeeded; in the meantime others have, too. */
static void who_is_ready_stays_ready_until_it_is_released(void **state) {
    (void)state;
    struct shop s;
    open_shop(&s, STORM_IDEMPOTENCY_STORE_AND_RETURN);
    uint32_t first = begin(&s, SEC, (struct order){1, 2, 0, 0});
    uint32_t second = meet(&s, SEC, (struct order){1, 2, 0, 0}, EFFECTS_WAIT, 0, false);
    uint32_t third = meet(&s, SEC, (struct order){1, 2, 0, 0}, EFFECTS_WAIT, 0, false);
    set_aside(&s, second);
    set_aside(&s, third);
    succeed(&s, 2 * SEC, first, 1, STORM_EFFECT_FIRST);
    do_at_once(&s, 3 * SEC, (struct order){1, 3, 0, 0}, 1, STORM_EFFECT_FIRST);
    assert_int_equal(release(&s), second);
    assert_int_equal(release(&s), third);
    assert_int_equal(release(&s), STORM_NONE);
    close_shop(&s);
}

static void two_who_look_before_either_notes_both_slip_through(void **state) {
    (void)state;
    struct shop s;
    open_shop(&s, STORM_IDEMPOTENCY_CHECK_THEN_INSERT);
    struct order order = {1, 2, 0, 0};
    uint32_t a = begin(&s, SEC, order), b = begin(&s, 1500 * MS, order);
    succeed(&s, 2 * SEC, a, 1, STORM_EFFECT_FIRST);
    meet(&s, 2 * SEC, order, EFFECTS_KNOWN, 200, false);
    succeed(&s, 2500 * MS, b, 2, STORM_EFFECT_SLIPPED);
    meet(&s, 3 * SEC, order, EFFECTS_KNOWN, 200, false);
    close_shop(&s);
}

/* The second looks in the instant of the first one's note, and before it. */
static void the_gap_reaches_to_the_instant_of_the_note(void **state) {
    (void)state;
    struct shop s;
    open_shop(&s, STORM_IDEMPOTENCY_CHECK_THEN_INSERT);
    struct order order = {1, 2, 0, 0};
    uint32_t a = begin(&s, SEC, order), b = begin(&s, 2 * SEC, order);
    succeed(&s, 2 * SEC, a, 1, STORM_EFFECT_FIRST);
    succeed(&s, 3 * SEC, b, 2, STORM_EFFECT_SLIPPED);
    close_shop(&s);
}

/* In one instant, too: the order of events counts. */
static void work_without_a_duration_leaves_no_gap(void **state) {
    (void)state;
    struct shop s;
    open_shop(&s, STORM_IDEMPOTENCY_CHECK_THEN_INSERT);
    do_at_once(&s, SEC, (struct order){1, 2, 0, 0}, 1, STORM_EFFECT_FIRST);
    meet(&s, SEC, (struct order){1, 2, 0, 0}, EFFECTS_KNOWN, 200, false);
    close_shop(&s);
}

/* ---- forgetting ------------------------------------------------------------------------------ */

static void a_key_is_forgotten_at_its_age_and_not_before(void **state) {
    (void)state;
    struct shop s;
    open_shop(&s, STORM_IDEMPOTENCY_STORE_AND_RETURN);
    s.plan.idempotency.retention = 10 * SEC;
    struct order order = {1, 2, 0, 0};
    do_at_once(&s, SEC, order, 1, STORM_EFFECT_FIRST);
    meet(&s, 11 * SEC - 1, order, EFFECTS_KNOWN, 200, false);
    do_at_once(&s, 11 * SEC, order, 2, STORM_EFFECT_PURGED);
    meet(&s, 21 * SEC - 1, order, EFFECTS_KNOWN, 200, false);
    do_at_once(&s, 21 * SEC, order, 3, STORM_EFFECT_PURGED);
    close_shop(&s);
}

/* Three are kept: the fourth pushes the first one out, however young. */
static void the_oldest_key_is_forgotten_when_there_are_too_many(void **state) {
    (void)state;
    struct shop s;
    open_shop(&s, STORM_IDEMPOTENCY_STORE_AND_RETURN);
    s.plan.idempotency.retention_count = 3;
    for (uint32_t i = 0; i < 3; i++)
        do_at_once(&s, SEC, (struct order){i, 0, 0, 0}, 1, STORM_EFFECT_FIRST);
    meet(&s, SEC, (struct order){0, 0, 0, 0}, EFFECTS_KNOWN, 200, false);
    do_at_once(&s, SEC, (struct order){3, 0, 0, 0}, 1, STORM_EFFECT_FIRST);
    for (uint32_t i = 1; i < 4; i++)
        meet(&s, SEC, (struct order){i, 0, 0, 0}, EFFECTS_KNOWN, 200, false);
    do_at_once(&s, SEC, (struct order){0, 0, 0, 0}, 2, STORM_EFFECT_PURGED);
    do_at_once(&s, SEC, (struct order){1, 0, 0, 0}, 2, STORM_EFFECT_PURGED);
    close_shop(&s);
}

/* ---- keys ------------------------------------------------------------------------------------ */

static void a_resend_has_a_new_msg_id_and_the_same_order_no(void **state) {
    (void)state;
    struct shop s;
    open_shop(&s, STORM_IDEMPOTENCY_STORE_AND_RETURN);
    do_at_once(&s, SEC, (struct order){1, 2, 0, 0}, 1, STORM_EFFECT_FIRST);
    do_at_once(&s, SEC, (struct order){1, 2, 1, 0}, 2, STORM_EFFECT_UNKEYED);
    meet(&s, SEC, (struct order){1, 2, 1, 0}, EFFECTS_KNOWN, 200, false);
    close_shop(&s);
    open_shop(&s, STORM_IDEMPOTENCY_STORE_AND_RETURN);
    s.plan.idempotency.key = STORM_KEY_ORDER_NO;
    do_at_once(&s, SEC, (struct order){1, 2, 0, 0}, 1, STORM_EFFECT_FIRST);
    meet(&s, SEC, (struct order){1, 2, 1, 0}, EFFECTS_KNOWN, 200, false);
    close_shop(&s);
}

/* Request 102 has the number 2 again, with a hundred numbers to a sender: it is taken for request
   2. */
static void a_number_that_begins_anew_merges_two_requests(void **state) {
    (void)state;
    struct shop s;
    open_shop(&s, STORM_IDEMPOTENCY_STORE_AND_RETURN);
    s.plan.idempotency.key = STORM_KEY_SENDER_NUMBER;
    do_at_once(&s, SEC, (struct order){1, 2, 0, 0}, 1, STORM_EFFECT_FIRST);
    meet(&s, SEC, (struct order){1, 2, 1, 0}, EFFECTS_KNOWN, 200, false);
    meet(&s, SEC, (struct order){1, 102, 0, 1}, EFFECTS_KNOWN, 200, true);
    do_at_once(&s, SEC, (struct order){2, 2, 0, 0}, 1, STORM_EFFECT_FIRST);
    close_shop(&s);
}

static void the_day_tells_them_apart(void **state) {
    (void)state;
    struct shop s;
    open_shop(&s, STORM_IDEMPOTENCY_STORE_AND_RETURN);
    s.plan.idempotency.key = STORM_KEY_SENDER_NUMBER_DAY;
    do_at_once(&s, SEC, (struct order){1, 2, 0, 0}, 1, STORM_EFFECT_FIRST);
    do_at_once(&s, SEC, (struct order){1, 102, 0, 1}, 1, STORM_EFFECT_FIRST);
    meet(&s, SEC, (struct order){1, 102, 3, 1}, EFFECTS_KNOWN, 200, false);
    meet(&s, SEC, (struct order){1, 202, 0, 1}, EFFECTS_KNOWN, 200, true);
    close_shop(&s);
}

static void a_weak_key_is_in_conflict_with_another_request(void **state) {
    (void)state;
    struct shop s;
    open_shop(&s, STORM_IDEMPOTENCY_STORE_AND_RETURN);
    s.plan.idempotency.key = STORM_KEY_SENDER_NUMBER;
    s.plan.idempotency.in_progress_waits = false;
    uint32_t first = begin(&s, SEC, (struct order){1, 2, 0, 0});
    meet(&s, SEC, (struct order){1, 102, 0, 0}, EFFECTS_KNOWN, 409, true);
    effects_done(&s.world, first, false);
    do_at_once(&s, SEC, (struct order){1, 102, 0, 0}, 1, STORM_EFFECT_FIRST);
    meet(&s, SEC, (struct order){1, 2, 0, 0}, EFFECTS_KNOWN, 200, true);
    close_shop(&s);
}

/* Two requests with one number slip through together, each for the first time: the number stands
   for the one that was noted. */
static void a_key_is_whose_work_was_noted_first(void **state) {
    (void)state;
    struct shop s;
    open_shop(&s, STORM_IDEMPOTENCY_CHECK_THEN_INSERT);
    s.plan.idempotency.key = STORM_KEY_SENDER_NUMBER;
    uint32_t a = begin(&s, SEC, (struct order){1, 2, 0, 0});
    uint32_t b = begin(&s, SEC, (struct order){1, 102, 0, 0});
    succeed(&s, 2 * SEC, a, 1, STORM_EFFECT_FIRST);
    succeed(&s, 2 * SEC, b, 1, STORM_EFFECT_FIRST);
    meet(&s, 3 * SEC, (struct order){1, 2, 0, 0}, EFFECTS_KNOWN, 200, false);
    meet(&s, 3 * SEC, (struct order){1, 102, 0, 0}, EFFECTS_KNOWN, 200, true);
    close_shop(&s);
}

/* ---- many ------------------------------------------------------------------------------------ */

/* The tables grow under it, and nothing is lost: the second round knows the whole of the first. */
static void a_hundred_thousand_are_told_apart(void **state) {
    (void)state;
    struct shop s;
    open_shop(&s, STORM_IDEMPOTENCY_STORE_AND_RETURN);
    s.plan.idempotency.key = STORM_KEY_SENDER_NUMBER;
    for (uint32_t i = 0; i < 100000; i++)
        do_at_once(&s, SEC, (struct order){i / 100, i % 100, 0, 0}, 1, STORM_EFFECT_FIRST);
    for (uint32_t i = 0; i < 100000; i++)
        meet(&s, SEC, (struct order){i / 100, i % 100, 1, 0}, EFFECTS_KNOWN, 200, false);
    close_shop(&s);
}

static void the_memory_limit_is_an_error(void **state) {
    (void)state;
    struct shop s;
    open_shop(&s, STORM_IDEMPOTENCY_STORE_AND_RETURN);
    s.arena.limit = 200000;
    for (uint32_t i = 0; i < 10000 && s.world.error.status == STORM_OK; i++)
        begin(&s, SEC, (struct order){i, 0, 0, 0});
    assert_int_equal(s.world.error.status, STORM_LIMIT);
    close_shop(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_memory_each_copy_has_its_effect),
        cmocka_unit_test(what_is_stored_is_returned_and_what_is_known_rejected),
        cmocka_unit_test(failed_work_leaves_nothing_behind),
        cmocka_unit_test(a_duplicate_waits_or_is_told_of_a_conflict),
        cmocka_unit_test(those_who_wait_are_released_in_turn),
        cmocka_unit_test(who_is_ready_stays_ready_until_it_is_released),
        cmocka_unit_test(two_who_look_before_either_notes_both_slip_through),
        cmocka_unit_test(the_gap_reaches_to_the_instant_of_the_note),
        cmocka_unit_test(work_without_a_duration_leaves_no_gap),
        cmocka_unit_test(a_key_is_forgotten_at_its_age_and_not_before),
        cmocka_unit_test(the_oldest_key_is_forgotten_when_there_are_too_many),
        cmocka_unit_test(a_resend_has_a_new_msg_id_and_the_same_order_no),
        cmocka_unit_test(a_number_that_begins_anew_merges_two_requests),
        cmocka_unit_test(the_day_tells_them_apart),
        cmocka_unit_test(a_weak_key_is_in_conflict_with_another_request),
        cmocka_unit_test(a_key_is_whose_work_was_noted_first),
        cmocka_unit_test(a_hundred_thousand_are_told_apart),
        cmocka_unit_test(the_memory_limit_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
