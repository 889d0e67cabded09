/* test_effects_in_world.c: side effects of retries, redeliveries, resends and reruns, and what
   keeps them from happening twice. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/small_world.h"
#include "support/test.h"

/* ---- retries --------------------------------------------------------------------------------- */

/* The usual world, whose service counts its effects. */
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
        cmocka_unit_test(a_sender_that_counts_anew_each_day_needs_the_day_in_the_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
