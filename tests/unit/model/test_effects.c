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

/* ---- in the world ---------------------------------------------------------------------------- */

/* The usual world, whose service counts its effects as above. */
static void counting(struct small_world *w, enum storm_idempotency_mode mode) {
    small_world_init(w);
    w->services[0].idempotency = (struct storm_idempotency){.counted = true,
                                                            .mode = mode,
                                                            .numbers = 100,
                                                            .retention = STORM_NEVER,
                                                            .retention_count = STORM_UNLIMITED,
                                                            .in_progress_waits = true};
}

static size_t effects_by(const struct small_world *w, enum storm_effect cause) {
    size_t count = 0;
    for (size_t i = 0; i < w->fact_count; i++)
        count += w->facts[i].kind == STORM_FACT_EFFECT && w->facts[i].level == (uint32_t)cause;
    return count;
}

/* So many effects for the first time and so many more for that cause, none for another, and so many
   duplicates kept out, `merged` of them requests of their own. */
static void expect_effects(const struct small_world *w, size_t first, size_t more,
                           enum storm_effect cause, size_t suppressed, size_t merged) {
    size_t others = 0;
    for (size_t i = 0; i < w->fact_count; i++)
        others += w->facts[i].kind == STORM_FACT_SUPPRESSED && w->facts[i].level == 1;
    assert_int_equal(w->error.status, STORM_OK);
    assert_int_equal(effects_by(w, STORM_EFFECT_FIRST), first);
    assert_int_equal(effects_by(w, cause), cause == STORM_EFFECT_FIRST ? first : more);
    assert_int_equal(small_world_count(w, STORM_FACT_EFFECT, 0), first + more);
    assert_int_equal(small_world_count(w, STORM_FACT_SUPPRESSED, 0), suppressed);
    assert_int_equal(others, merged);
}

/* The answer of 1.1 s is lost; the retry comes at 1.8 s. */
static void losing_a_reply(struct small_world *w, enum storm_idempotency_mode mode) {
    counting(w, mode);
    small_world_retry(w, 2, 0.5);
    w->populations[0].call.timeout.offset = 300 * MS;
    small_world_add_fault(w, STORM_FAULT_NETWORK, 1050 * MS, 100 * MS);
    w->faults[0].loss = 1;
}

static void a_retry_after_a_lost_reply_does_it_twice(void **state) {
    (void)state;
    struct small_world w;
    losing_a_reply(&w, STORM_IDEMPOTENCY_NONE);
    small_world_live(&w);
    expect_effects(&w, 1, 1, STORM_EFFECT_REPEATED, 0, 0);
    const struct storm_fact *f = small_world_fact(&w, STORM_FACT_EFFECT, 0, 1);
    assert_true(f->time == 1900 * MS && f->retry && !f->ghost && f->attempts == 2);
    assert_true(f->parent == small_world_fact(&w, STORM_FACT_BORN, 0, 0)->key);
    small_world_free(&w);
}

static void what_was_stored_answers_the_retry_at_once(void **state) {
    (void)state;
    struct small_world w;
    losing_a_reply(&w, STORM_IDEMPOTENCY_STORE_AND_RETURN);
    small_world_live(&w);
    expect_effects(&w, 1, 0, STORM_EFFECT_FIRST, 1, 0);
    const struct storm_fact *f = small_world_fact(&w, STORM_FACT_SUPPRESSED, 0, 0);
    assert_true(f->time == 1800 * MS && f->status == 200 && f->retry && !f->queued);
    assert_true(small_world_fact(&w, STORM_FACT_SUCCEEDED, 0, 0)->time == 1800 * MS);
    assert_int_equal(small_world_count(&w, STORM_FACT_STARTED, 0), 1);
    small_world_free(&w);
}

/* It is done, and its caller takes the conflict for a failure, unless it knows better. */
static void a_conflict_with_oneself_is_a_dead_letter_or_a_success(void **state) {
    (void)state;
    for (int knows = 0; knows < 2; knows++) {
        struct small_world w;
        losing_a_reply(&w, STORM_IDEMPOTENCY_REJECT);
        w.policies[0].class_count = (uint32_t)knows;
        w.policies[0].classes[0] = (struct storm_class_row){409, STORM_CLASS_SUCCESS};
        small_world_live(&w);
        expect_effects(&w, 1, 0, STORM_EFFECT_FIRST, 1, 0);
        enum storm_fact_kind kind = knows ? STORM_FACT_SUCCEEDED : STORM_FACT_DEAD;
        const struct storm_fact *end = small_world_fact(&w, kind, 0, 0);
        assert_true(end->time == 1800 * MS && end->status == 409);
        small_world_free(&w);
    }
}

/* The caller has waited for 60 ms of the 100 ms that the work takes, and sends it again: a second
   worker is free. */
static void being_impatient(struct small_world *w, enum storm_idempotency_mode mode) {
    counting(w, mode);
    small_world_retry(w, 2, 0);
    w->services[0].workers = 2;
    w->populations[0].call.timeout.offset = 60 * MS;
}

static void two_copies_at_work_slip_through_the_gap_between_look_and_note(void **state) {
    (void)state;
    struct small_world w;
    being_impatient(&w, STORM_IDEMPOTENCY_CHECK_THEN_INSERT);
    small_world_live(&w);
    expect_effects(&w, 1, 1, STORM_EFFECT_SLIPPED, 0, 0);
    assert_true(small_world_fact(&w, STORM_FACT_EFFECT, 0, 1)->time == 1160 * MS);
    small_world_free(&w);
    /* who is served in the order of arrival by one worker does not: the gap is empty then */
    being_impatient(&w, STORM_IDEMPOTENCY_CHECK_THEN_INSERT);
    w.services[0].workers = 1;
    small_world_live(&w);
    expect_effects(&w, 1, 0, STORM_EFFECT_FIRST, 1, 0);
    small_world_free(&w);
}

static void who_waits_for_the_first_copy_has_its_answer(void **state) {
    (void)state;
    struct small_world w;
    being_impatient(&w, STORM_IDEMPOTENCY_STORE_AND_RETURN);
    small_world_live(&w);
    expect_effects(&w, 1, 0, STORM_EFFECT_FIRST, 1, 0);
    assert_int_equal(small_world_count(&w, STORM_FACT_STARTED, 0), 1);
    const struct storm_fact *f = small_world_fact(&w, STORM_FACT_SUPPRESSED, 0, 0);
    assert_true(f->time == 1100 * MS && f->status == 200 && f->queued && !f->ghost);
    assert_true(small_world_fact(&w, STORM_FACT_SUCCEEDED, 0, 0)->time == 1100 * MS);
    small_world_free(&w);
}

/* It is done at 1.1 s all the same. */
static void who_is_told_of_the_conflict_gives_up_too_early(void **state) {
    (void)state;
    struct small_world w;
    being_impatient(&w, STORM_IDEMPOTENCY_STORE_AND_RETURN);
    w.services[0].idempotency.in_progress_waits = false;
    small_world_live(&w);
    expect_effects(&w, 1, 0, STORM_EFFECT_FIRST, 1, 0);
    const struct storm_fact *dead = small_world_fact(&w, STORM_FACT_DEAD, 0, 0);
    assert_true(dead->time == 1060 * MS && dead->status == 409);
    assert_int_equal(dead->reason, STORM_REASON_NOT_RETRYABLE);
    small_world_free(&w);
}

/* The first copy fails, with the copy that waits for it: that one works then. */
static void the_next_in_line_works_when_the_first_has_failed(void **state) {
    (void)state;
    struct small_world w;
    being_impatient(&w, STORM_IDEMPOTENCY_STORE_AND_RETURN);
    small_world_add_fault(&w, STORM_FAULT_ERRORS, 1050 * MS, 100 * MS);
    w.faults[0].share = 1;
    w.faults[0].status = 500;
    small_world_live(&w);
    expect_effects(&w, 1, 0, STORM_EFFECT_FIRST, 0, 0);
    assert_true(small_world_fact(&w, STORM_FACT_STARTED, 0, 1)->time == 1100 * MS);
    assert_true(small_world_fact(&w, STORM_FACT_EFFECT, 0, 0)->time == 1200 * MS);
    small_world_free(&w);
}

/* What an outage resets, or a caller takes back, has happened neither once nor half. */
static void work_that_is_cut_short_is_done_once_by_the_next(void **state) {
    (void)state;
    struct small_world w;
    counting(&w, STORM_IDEMPOTENCY_REJECT);
    small_world_retry(&w, 2, 0.5);
    small_world_add_fault(&w, STORM_FAULT_DOWN, 1050 * MS, 100 * MS);
    small_world_live(&w);
    expect_effects(&w, 1, 0, STORM_EFFECT_FIRST, 0, 0);
    assert_true(small_world_fact(&w, STORM_FACT_EFFECT, 0, 0)->time == 1650 * MS);
    small_world_free(&w);
    being_impatient(&w, STORM_IDEMPOTENCY_REJECT);
    w.populations[0].call.cancel = STORM_CANCEL_ALL;
    small_world_add_fault(&w, STORM_FAULT_SLOW, 0, 1050 * MS);
    w.faults[0].factor = 2;
    w.services[0].service_time = small_world_constant(55 * MS);
    small_world_live(&w);
    expect_effects(&w, 1, 0, STORM_EFFECT_FIRST, 0, 0);
    assert_true(small_world_fact(&w, STORM_FACT_EFFECT, 0, 0)->time == 1115 * MS);
    small_world_free(&w);
}

/* A hedge waits for the first copy, which is done when both workers are held by calls to a slow
   service: the hedge has its turn when one is free again. */
static void who_waits_is_answered_when_a_worker_is_free(void **state) {
    (void)state;
    struct small_world w;
    counting(&w, STORM_IDEMPOTENCY_STORE_AND_RETURN);
    w.services[0].workers = 2;
    small_world_add_call(&w, 0, small_world_add_service(&w, "db"));
    w.services[1].workers = 2;
    w.services[1].service_time = small_world_constant(500 * MS);
    w.policies[0].hedge = (struct storm_hedge){.after = 50 * MS, .attempts = 2};
    small_world_add_population(&w, 1060 * MS, 1);
    w.populations[1].call.policy = small_world_add_policy(&w, 1, 0);
    small_world_live(&w);
    expect_effects(&w, 2, 0, STORM_EFFECT_FIRST, 1, 0);
    assert_true(small_world_fact(&w, STORM_FACT_SUPPRESSED, 0, 0)->time == 1600 * MS);
    small_world_free(&w);
}

/* ---- through a queue ------------------------------------------------------------------------- */

/* The client puts its order into a queue, from which two workers carry it to the service. */
static void queueing(struct small_world *w, struct storm_queue *queue,
                     enum storm_idempotency_mode mode) {
    counting(w, mode);
    uint32_t place = small_world_add_service(w, "orders");
    uint32_t workers = small_world_add_population(w, 0, 2);
    *queue = (struct storm_queue){.service = place,
                                  .visibility = 30 * SEC,
                                  .max_receives = STORM_UNLIMITED,
                                  .partitions = 1,
                                  .memory = STORM_UNLIMITED,
                                  .durable = true,
                                  .consumers = workers};
    w->scenario.queues = queue;
    w->scenario.queue_count = 1;
    w->services[0].workers = 2;
    w->services[place].workers = STORM_UNLIMITED;
    w->services[place].service_time = small_world_constant(0);
    w->populations[0].call.to = place;
    w->populations[workers].name = "worker";
    w->populations[workers].arrival = STORM_ARRIVAL_QUEUE;
    w->populations[workers].prefetch = 1;
}

/* The work takes longer than the message stays out of sight: it is handed out once more. */
static void a_redelivery_is_done_twice_or_answered_from_the_store(void **state) {
    (void)state;
    struct storm_queue queue;
    struct small_world w;
    queueing(&w, &queue, STORM_IDEMPOTENCY_NONE);
    queue.visibility = 60 * MS;
    small_world_live(&w);
    expect_effects(&w, 1, 1, STORM_EFFECT_REPEATED, 0, 0);
    assert_int_equal(small_world_count(&w, STORM_FACT_DELIVERED, 1), 2);
    assert_int_equal(small_world_count(&w, STORM_FACT_SUCCEEDED, 1), 1);
    small_world_free(&w);
    queueing(&w, &queue, STORM_IDEMPOTENCY_STORE_AND_RETURN);
    queue.visibility = 60 * MS;
    small_world_live(&w);
    expect_effects(&w, 1, 0, STORM_EFFECT_FIRST, 1, 0);
    assert_int_equal(small_world_count(&w, STORM_FACT_DELIVERED, 1), 2);
    small_world_free(&w);
    queueing(&w, &queue, STORM_IDEMPOTENCY_CHECK_THEN_INSERT);
    queue.visibility = 60 * MS;
    small_world_live(&w);
    expect_effects(&w, 1, 1, STORM_EFFECT_SLIPPED, 0, 0);
    small_world_free(&w);
}

/* The broker's answer is lost, and the producer sends its order once more: two messages with one
   msg_id. */
static void a_producer_that_retries_puts_one_order_into_the_queue_twice(void **state) {
    (void)state;
    for (int stores = 0; stores < 2; stores++) {
        struct storm_queue queue;
        struct small_world w;
        queueing(&w, &queue, stores ? STORM_IDEMPOTENCY_STORE_AND_RETURN : STORM_IDEMPOTENCY_NONE);
        small_world_retry(&w, 2, 0.5);
        w.populations[0].call.timeout.offset = 300 * MS;
        w.populations[0].call.network = small_world_constant(10 * MS);
        small_world_add_fault(&w, STORM_FAULT_NETWORK, 1005 * MS, 100 * MS);
        w.faults[0].service = queue.service;
        w.faults[0].loss = 1;
        small_world_live(&w);
        expect_effects(&w, 1, stores ? 0 : 1, stores ? STORM_EFFECT_FIRST : STORM_EFFECT_REPEATED,
                       stores ? 1 : 0, 0);
        assert_int_equal(small_world_count(&w, STORM_FACT_SUCCEEDED, 0), 1);
        assert_int_equal(small_world_count(&w, STORM_FACT_SUCCEEDED, 1), 2);
        small_world_free(&w);
    }
}

/* ---- resends and reruns ---------------------------------------------------------------------- */

/* One client orders at 0, 1, 2 ... 9 s. At 30 s everything since request `checkpoint` is sent once
   more. */
static void running_again(struct small_world *w, enum storm_effect_key key,
                          enum storm_action_kind kind, uint32_t checkpoint) {
    counting(w, STORM_IDEMPOTENCY_STORE_AND_RETURN);
    w->services[0].idempotency.key = key;
    w->populations[0].arrival = STORM_ARRIVAL_EVEN;
    w->populations[0].rate = 1;
    small_world_add_action(w, STORM_ACTION_PAUSE, 9500 * MS, STORM_NEVER);
    uint32_t again = small_world_add_action(w, kind, 30 * SEC, STORM_NEVER);
    w->actions[again].population = 0;
    w->actions[again].checkpoint = checkpoint;
    w->actions[again].pace.limit = kind == STORM_ACTION_RESEND ? 4 : STORM_UNLIMITED;
}

static void a_resend_by_hand_is_told_by_its_order_no_only(void **state) {
    (void)state;
    struct small_world w;
    running_again(&w, STORM_KEY_MSG_ID, STORM_ACTION_RESEND, 0);
    small_world_live(&w);
    expect_effects(&w, 10, 4, STORM_EFFECT_UNKEYED, 0, 0);
    small_world_free(&w);
    running_again(&w, STORM_KEY_ORDER_NO, STORM_ACTION_RESEND, 0);
    small_world_live(&w);
    expect_effects(&w, 10, 0, STORM_EFFECT_FIRST, 4, 0);
    small_world_free(&w);
    running_again(&w, STORM_KEY_ORDER_NO, STORM_ACTION_RESEND, 0);
    w.services[0].idempotency.mode = STORM_IDEMPOTENCY_NONE;
    small_world_live(&w);
    expect_effects(&w, 10, 4, STORM_EFFECT_REPEATED, 0, 0);
    small_world_free(&w);
}

/* From the start, ten are sent again; from the last checkpoint of four, the last two. */
static void a_batch_run_again_repeats_what_its_checkpoint_leaves(void **state) {
    (void)state;
    for (uint32_t checkpoint = 0; checkpoint <= 4; checkpoint += 4) {
        struct small_world w;
        size_t again = checkpoint == 0 ? 10 : 2;
        running_again(&w, STORM_KEY_ORDER_NO, STORM_ACTION_RERUN, checkpoint);
        small_world_live(&w);
        expect_effects(&w, 10, 0, STORM_EFFECT_FIRST, again, 0);
        small_world_free(&w);
        running_again(&w, STORM_KEY_ORDER_NO, STORM_ACTION_RERUN, checkpoint);
        w.services[0].idempotency.mode = STORM_IDEMPOTENCY_NONE;
        small_world_live(&w);
        expect_effects(&w, 10, again, STORM_EFFECT_REPEATED, 0, 0);
        small_world_free(&w);
    }
}

/* What was done at 0.1 s, 1.1 s ... is 29.9 s old and less when it comes again at 30 s. */
static void a_retention_shorter_than_the_replay_window_lets_old_copies_through(void **state) {
    (void)state;
    struct small_world w;
    running_again(&w, STORM_KEY_ORDER_NO, STORM_ACTION_RERUN, 0);
    w.services[0].workers = 10;
    w.services[0].idempotency.retention = 25 * SEC;
    small_world_live(&w);
    expect_effects(&w, 10, 5, STORM_EFFECT_PURGED, 5, 0);
    small_world_free(&w);
    running_again(&w, STORM_KEY_ORDER_NO, STORM_ACTION_RERUN, 0);
    w.services[0].idempotency.retention = 31 * SEC;
    small_world_live(&w);
    expect_effects(&w, 10, 0, STORM_EFFECT_FIRST, 10, 0);
    small_world_free(&w);
}

/* Seven keys are known: the first copy is of the first that is not. Done again, it pushes out the
   next one that will come: a cache of the last few keys forgets just what a rerun needs. */
static void a_retention_by_count_forgets_what_a_rerun_from_the_start_needs(void **state) {
    (void)state;
    struct small_world w;
    running_again(&w, STORM_KEY_ORDER_NO, STORM_ACTION_RERUN, 0);
    w.services[0].idempotency.retention_count = 7;
    small_world_live(&w);
    expect_effects(&w, 10, 10, STORM_EFFECT_PURGED, 0, 0);
    small_world_free(&w);
    running_again(&w, STORM_KEY_ORDER_NO, STORM_ACTION_RERUN, 0);
    w.services[0].idempotency.retention_count = 10;
    small_world_live(&w);
    expect_effects(&w, 10, 0, STORM_EFFECT_FIRST, 10, 0);
    small_world_free(&w);
}

/* Six numbers for ten orders: the last four have numbers that were used. Midnight is after the
   sixth. */
static void a_sender_that_counts_anew_each_day_needs_the_day_in_the_key(void **state) {
    (void)state;
    static const int64_t day = 86400 * (int64_t)STORM_SECOND;
    for (int with_day = 0; with_day < 2; with_day++) {
        struct small_world w;
        enum storm_effect_key key =
            with_day ? STORM_KEY_SENDER_NUMBER_DAY : STORM_KEY_SENDER_NUMBER;
        size_t merged = with_day ? 0 : 4;
        running_again(&w, key, STORM_ACTION_RERUN, 0);
        w.services[0].idempotency.numbers = 6;
        w.scenario.epoch = day - 5500 * MS;
        small_world_live(&w);
        expect_effects(&w, 10 - merged, 0, STORM_EFFECT_FIRST, 10 + merged, 2 * merged);
        small_world_free(&w);
    }
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
        cmocka_unit_test(a_retry_after_a_lost_reply_does_it_twice),
        cmocka_unit_test(what_was_stored_answers_the_retry_at_once),
        cmocka_unit_test(a_conflict_with_oneself_is_a_dead_letter_or_a_success),
        cmocka_unit_test(two_copies_at_work_slip_through_the_gap_between_look_and_note),
        cmocka_unit_test(who_waits_for_the_first_copy_has_its_answer),
        cmocka_unit_test(who_is_told_of_the_conflict_gives_up_too_early),
        cmocka_unit_test(the_next_in_line_works_when_the_first_has_failed),
        cmocka_unit_test(work_that_is_cut_short_is_done_once_by_the_next),
        cmocka_unit_test(who_waits_is_answered_when_a_worker_is_free),
        cmocka_unit_test(a_redelivery_is_done_twice_or_answered_from_the_store),
        cmocka_unit_test(a_producer_that_retries_puts_one_order_into_the_queue_twice),
        cmocka_unit_test(a_resend_by_hand_is_told_by_its_order_no_only),
        cmocka_unit_test(a_batch_run_again_repeats_what_its_checkpoint_leaves),
        cmocka_unit_test(a_retention_shorter_than_the_replay_window_lets_old_copies_through),
        cmocka_unit_test(a_retention_by_count_forgets_what_a_rerun_from_the_start_needs),
        cmocka_unit_test(a_sender_that_counts_anew_each_day_needs_the_day_in_the_key)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
