/* test_queue_record.c: messages that wait and are in hand, and side effects, of made-up facts. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/queue_record.h"

#include <math.h>

#include "stage.h"
#include "support/test.h"

#define FACT(what, ...) ((struct storm_fact){.kind = STORM_FACT_##what, __VA_ARGS__})
#define TELL(s, at, what, ...) stage_tell(&(s)->stage, at, FACT(what, __VA_ARGS__))

/* Clients (0), a service (0) with side effects, and a queue (its place is service 1) whose
   consumers (1) have a dead-letter queue. */
struct post {
    struct stage stage;
    struct storm_service services[2];
    struct storm_population populations[2];
    struct storm_queue queue;
};

static void post_open(struct post *p) {
    stage_set(&p->stage, 100 * SEC);
    p->services[0] = p->services[1] = p->stage.service;
    p->services[0].idempotency.counted = true;
    p->services[1].name = "orders";
    p->populations[0] = p->populations[1] = p->stage.population;
    p->populations[1].name = "workers";
    p->populations[1].arrival = STORM_ARRIVAL_QUEUE;
    p->populations[1].in_time = STORM_NEVER;
    p->populations[1].dead_letter_queue = "orders.dead";
    p->queue = (struct storm_queue){.service = 1, .max_receives = 3, .consumers = 1};
    p->stage.scenario.services = p->services;
    p->stage.scenario.populations = p->populations;
    p->stage.scenario.queues = &p->queue;
    p->stage.scenario.service_count = p->stage.scenario.population_count = 2;
    p->stage.scenario.queue_count = 1;
    stage_open(&p->stage);
}

static void check(struct post *p, const char *metric, double expected) {
    double value = stage_metric(&p->stage, metric);
    if (!(fabs(value - expected) < 1e-12))
        fail_msg("%s: %.17g, not %.17g", metric, value, expected);
}

static void check_levels(const struct post *p, storm_time at, double ready, double held) {
    const struct queue_record *q = &p->stage.recorder->queues[0];
    uint32_t bin = recorder_bin_at(p->stage.recorder, at);
    if (q->ready_bins[bin] != ready || q->held_bins[bin] != held)
        fail_msg("%g wait and %g are in hand, not %g and %g", q->ready_bins[bin], q->held_bins[bin],
                 ready, held);
}

static void messages_wait_are_in_hand_and_are_done(void **state) {
    (void)state;
    struct post p;
    post_open(&p);
    for (uint64_t key = 1; key <= 3; key++)
        TELL(&p, SEC, BORN, .place = 1, .key = key, .parent = 7);
    TELL(&p, 2 * SEC, DELIVERED, .place = 1, .key = 11, .parent = 1, .attempts = 1);
    TELL(&p, 3 * SEC, DELIVERED, .place = 1, .key = 12, .parent = 2, .attempts = 1);
    TELL(&p, 4 * SEC, SUCCEEDED, .place = 1, .key = 1, .since = SEC, .attempts = 1);
    TELL(&p, 5 * SEC, RETURNED, .place = 1, .key = 12, .parent = 2, .level = STORM_RETURN_REQUEUED,
         .due = 9 * SEC);
    TELL(&p, 9 * SEC, DELIVERED, .place = 1, .key = 22, .parent = 2, .attempts = 2);
    TELL(&p, 10 * SEC, DEAD, .place = 1, .key = 2, .since = SEC, .first_failed = 5 * SEC,
         .attempts = 2, .reason = STORM_REASON_RECEIVES);
    stage_finish(&p.stage);
    check_levels(&p, 500 * MS, 0, 0);
    check_levels(&p, 1 * SEC, 3, 0);
    check_levels(&p, 2 * SEC, 2, 1);
    check_levels(&p, 3 * SEC, 1, 2);
    check_levels(&p, 4 * SEC, 1, 1);
    check_levels(&p, 5 * SEC, 2, 0);
    check_levels(&p, 9 * SEC, 1, 1);
    check_levels(&p, 10 * SEC, 1, 0);
    check_levels(&p, 99 * SEC, 1, 0);
    check(&p, "deliveries.orders", 3);
    check(&p, "redeliveries.orders", 1);
    check(&p, "queue_depth_peak.orders", 3);
    check(&p, "messages_lost.orders", 0);
    check(&p, "dead_letters.receives_exhausted", 1);
    check(&p, "letters_kept.orders.dead", 1);
    check(&p, "in_flight", 1);
    check(&p, "requests", 3);
    stage_close(&p.stage);
}

/* Its visibility runs out, it is handed out again, and comes back once more; then the first
   consumer is done with it, and the copy that waits is taken away: nothing is left. */
static void a_stale_delivery_that_succeeds_takes_the_waiting_copy_along(void **state) {
    (void)state;
    struct post p;
    post_open(&p);
    TELL(&p, SEC, BORN, .place = 1, .key = 1);
    TELL(&p, SEC, DELIVERED, .place = 1, .key = 11, .parent = 1, .attempts = 1);
    TELL(&p, 2 * SEC, RETURNED, .place = 1, .key = 11, .parent = 1, .level = STORM_RETURN_LEASE);
    TELL(&p, 2 * SEC, DELIVERED, .place = 1, .key = 12, .parent = 1, .attempts = 2);
    TELL(&p, 3 * SEC, RETURNED, .place = 1, .key = 12, .parent = 1, .level = STORM_RETURN_LEASE);
    TELL(&p, 4 * SEC, SUCCEEDED, .place = 1, .key = 1, .since = SEC, .attempts = 2);
    TELL(&p, 5 * SEC, BORN, .place = 1, .key = 2);
    stage_finish(&p.stage);
    check_levels(&p, 1 * SEC, 0, 1);
    check_levels(&p, 2 * SEC, 0, 1);
    check_levels(&p, 3 * SEC, 1, 0);
    check_levels(&p, 4 * SEC, 0, 0);
    check_levels(&p, 5 * SEC, 1, 0);
    check(&p, "redeliveries.orders", 1);
    check(&p, "queue_depth_peak.orders", 1);
    stage_close(&p.stage);
}

static void a_message_that_the_broker_lost_is_dead_but_no_letter(void **state) {
    (void)state;
    struct post p;
    post_open(&p);
    TELL(&p, SEC, BORN, .place = 1, .key = 1);
    TELL(&p, SEC, BORN, .place = 1, .key = 2);
    TELL(&p, 2 * SEC, DEAD, .place = 1, .key = 1, .since = SEC, .reason = STORM_REASON_LOST);
    TELL(&p, 3 * SEC, DEAD, .place = 1, .key = 2, .since = SEC, .reason = STORM_REASON_ATTEMPTS);
    stage_finish(&p.stage);
    check(&p, "dead_letters", 2);
    check(&p, "dead_letters.lost_by_broker", 1);
    check(&p, "messages_lost.orders", 1);
    check(&p, "letters_kept.orders.dead", 1);
    stage_close(&p.stage);
}

/* A request of the clients becomes a message: users have asked once. */
static void amplification_is_per_request_of_the_users(void **state) {
    (void)state;
    struct post p;
    post_open(&p);
    TELL(&p, SEC, BORN, .key = 5);
    TELL(&p, SEC, BORN, .place = 1, .key = 1);
    TELL(&p, SEC, BORN, .key = 6, .level = STORM_BIRTH_RESEND);
    TELL(&p, SEC, ARRIVED, .place = 1);
    TELL(&p, 2 * SEC, ARRIVED);
    TELL(&p, 2 * SEC, ARRIVED, .retry = true);
    stage_finish(&p.stage);
    check(&p, "amplification.api", 2);
    check(&p, "amplification.orders", 1);
    check(&p, "requests", 3);
    stage_close(&p.stage);
}

static void side_effects_are_counted_by_why_they_happened(void **state) {
    (void)state;
    struct post p;
    post_open(&p);
    TELL(&p, SEC, EFFECT, .attempts = 1, .level = STORM_EFFECT_FIRST);
    TELL(&p, SEC, EFFECT, .attempts = 1, .level = STORM_EFFECT_FIRST);
    TELL(&p, 2 * SEC, EFFECT, .attempts = 2, .level = STORM_EFFECT_REPEATED);
    TELL(&p, 3 * SEC, EFFECT, .attempts = 3, .level = STORM_EFFECT_SLIPPED);
    TELL(&p, 3 * SEC, EFFECT, .attempts = 4, .level = STORM_EFFECT_SLIPPED);
    TELL(&p, 4 * SEC, EFFECT, .attempts = 5, .level = STORM_EFFECT_PURGED);
    TELL(&p, 4 * SEC, EFFECT, .attempts = 6, .level = STORM_EFFECT_UNKEYED);
    TELL(&p, 5 * SEC, QUEUED);
    TELL(&p, 7 * SEC, SUPPRESSED, .status = 200, .queued = true);
    TELL(&p, 7 * SEC, SUPPRESSED, .status = 409, .level = 1);
    stage_finish(&p.stage);
    check(&p, "effects.api", 7);
    check(&p, "duplicates.api", 5);
    check(&p, "duplicates_slipped.api", 2);
    check(&p, "duplicates_purged.api", 1);
    check(&p, "duplicates_unkeyed.api", 1);
    check(&p, "duplicates_suppressed.api", 1);
    check(&p, "wrongly_merged.api", 1);
    check(&p, "mean_queue.api", 0.02);
    const struct recorder *r = p.stage.recorder;
    assert_true(r->services[0].duplicate_bins[recorder_bin_at(r, 1 * SEC)] == 0);
    assert_true(r->services[0].duplicate_bins[recorder_bin_at(r, 3 * SEC)] == 3);
    assert_true(r->services[0].duplicate_bins[r->bin_count - 1] == 5);
    stage_close(&p.stage);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_wait_are_in_hand_and_are_done),
        cmocka_unit_test(a_stale_delivery_that_succeeds_takes_the_waiting_copy_along),
        cmocka_unit_test(a_message_that_the_broker_lost_is_dead_but_no_letter),
        cmocka_unit_test(amplification_is_per_request_of_the_users),
        cmocka_unit_test(side_effects_are_counted_by_why_they_happened),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
