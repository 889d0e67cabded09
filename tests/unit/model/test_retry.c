/* test_retry.c: what a policy makes of failures: patience, persistence, exceptions, and waiting in
   line. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/small_world.h"

#include <math.h>

#include "base/stream.h"
#include "support/test.h"

/* The service answers every attempt at once, so many times of a thousand with 500. */
static void failing(struct small_world *w, uint32_t attempts, double delay, double share) {
    small_world_init(w);
    small_world_retry(w, attempts, delay);
    w->services[0].workers = STORM_UNLIMITED;
    w->services[0].service_time = small_world_constant(0);
    w->services[0].error_count = share > 0;
    w->services[0].errors[0] = (struct storm_error_row){500, share};
}

/* ---- timeouts -------------------------------------------------------------------------------- */

static void a_timeout_by_chance_is_drawn_for_each_attempt(void **state) {
    (void)state;
    enum { TRIES = 2000 };
    struct small_world w;
    double sum = 0;
    small_world_init(&w);
    small_world_retry(&w, TRIES, 0);
    w.populations[0].call.loss = 1;
    w.populations[0].call.timeout =
        (struct storm_dist){.law = STORM_LAW_UNIFORM, .offset = 5 * MS, .a = 0, .b = 0.01};
    small_world_live(&w);
    for (size_t i = 0; i < TRIES; i++) {
        const struct storm_fact *sent = small_world_fact(&w, STORM_FACT_SENT, 0, i);
        storm_time waited = small_world_fact(&w, STORM_FACT_GAVE_UP, 0, i)->time - sent->time;
        assert_true(waited ==
                    storm_dist_draw(&w.populations[0].call.timeout, sent->key, STREAM_TIMEOUT));
        sum += storm_time_to_seconds(waited);
    }
    assert_true(fabs(sum / TRIES - 0.01) < 4 * 0.01 / sqrt(12.0 * TRIES));
    small_world_free(&w);
}

/* Nobody waits no time for ever, however often. */
static void timeouts_of_no_length_without_delay_are_an_error(void **state) {
    (void)state;
    struct small_world w;
    failing(&w, STORM_ATTEMPTS_UNLIMITED, 0, 0);
    w.populations[0].call.timeout.offset = 0;
    small_world_live(&w);
    assert_int_equal(w.error.status, STORM_INVALID);
    small_world_free(&w);
}

/* ---- how often ------------------------------------------------------------------------------- */

static void unlimited_attempts_go_on_to_the_end(void **state) {
    (void)state;
    struct small_world w;
    failing(&w, STORM_ATTEMPTS_UNLIMITED, 0.5, 1);
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_SENT, 0), 118); /* 1 s, 1.5 s ... 59.5 s */
    assert_int_equal(small_world_count(&w, STORM_FACT_DEAD, 0), 0);
    small_world_free(&w);
}

static void unlimited_attempts_without_delay_are_an_error(void **state) {
    (void)state;
    struct small_world w;
    failing(&w, STORM_ATTEMPTS_UNLIMITED, 0, 1);
    small_world_live(&w);
    assert_int_equal(w.error.status, STORM_INVALID);
    small_world_free(&w);
}

/* Goes on with 90 % after each failure: ten tries on average, and the reason is said. */
static void who_is_not_persistent_loses_patience(void **state) {
    (void)state;
    enum { CLIENTS = 2000 };
    struct small_world w;
    double tries = 0, p = 0.9;
    failing(&w, STORM_ATTEMPTS_UNLIMITED, 0.01, 1);
    w.populations[0].count = CLIENTS;
    w.policies[0].persist = p;
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_DEAD, 0), CLIENTS);
    for (size_t i = 0; i < w.fact_count; i++) {
        const struct storm_fact *dead = &w.facts[i];
        if (dead->kind != STORM_FACT_DEAD)
            continue;
        assert_true(dead->reason == STORM_REASON_PATIENCE && dead->status == 500);
        tries += dead->attempts;
    }
    double error = sqrt(CLIENTS * p) / (1 - p);
    assert_true(fabs(tries - CLIENTS / (1 - p)) < 4 * error);
    small_world_free(&w);
}

static void the_last_attempt_is_the_reason_before_patience(void **state) {
    (void)state;
    struct small_world w;
    failing(&w, 1, 0, 1);
    w.policies[0].persist = 0;
    small_world_live(&w);
    assert_int_equal(small_world_fact(&w, STORM_FACT_DEAD, 0, 0)->reason, STORM_REASON_ATTEMPTS);
    small_world_free(&w);
}

/* ---- exceptions ------------------------------------------------------------------------------ */

/* What becomes of a request that is answered with `status` by a policy with one exception. */
static const struct storm_fact *answered(struct small_world *w, uint16_t status,
                                         struct storm_class_row row) {
    failing(w, 3, 0.1, 1);
    w->services[0].errors[0].status = status;
    w->policies[0].class_count = 1;
    w->policies[0].classes[0] = row;
    small_world_live(w);
    return &w->facts[w->fact_count - 1];
}

static void a_policy_may_retry_what_others_give_up_on(void **state) {
    (void)state;
    struct small_world w;
    const struct storm_fact *end =
        answered(&w, 409, (struct storm_class_row){409, STORM_CLASS_RETRY});
    assert_true(end->kind == STORM_FACT_DEAD && end->attempts == 3);
    small_world_free(&w);
    end = answered(&w, 409, (struct storm_class_row){404, STORM_CLASS_RETRY});
    assert_true(end->attempts == 1 && end->reason == STORM_REASON_NOT_RETRYABLE);
    small_world_free(&w);
}

static void or_give_up_on_what_others_retry(void **state) {
    (void)state;
    struct small_world w;
    const struct storm_fact *end =
        answered(&w, 503, (struct storm_class_row){503, STORM_CLASS_GIVE_UP});
    assert_true(end->kind == STORM_FACT_DEAD && end->attempts == 1);
    assert_true(end->reason == STORM_REASON_NOT_RETRYABLE && end->status == 503);
    small_world_free(&w);
}

static void or_be_content_with_what_others_call_a_failure(void **state) {
    (void)state;
    struct small_world w;
    const struct storm_fact *end =
        answered(&w, 409, (struct storm_class_row){409, STORM_CLASS_SUCCESS});
    assert_true(end->kind == STORM_FACT_SUCCEEDED && end->attempts == 1);
    assert_int_equal(end->status, 409);
    small_world_free(&w);
}

static void a_timeout_can_be_given_up_on(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    small_world_retry(&w, 3, 0.1);
    w.populations[0].call.timeout.offset = 50 * MS;
    w.policies[0].class_count = 1;
    w.policies[0].classes[0] = (struct storm_class_row){STORM_OUTCOME_TIMEOUT, STORM_CLASS_GIVE_UP};
    small_world_live(&w);
    const struct storm_fact *dead = small_world_fact(&w, STORM_FACT_DEAD, 0, 0);
    assert_true(dead->attempts == 1 && dead->reason == STORM_REASON_NOT_RETRYABLE);
    small_world_free(&w);
}

/* db says 409, with which api is content: its caller never hears of it. */
static void a_service_is_content_as_well(void **state) {
    (void)state;
    struct small_world w;
    failing(&w, 1, 0, 0);
    small_world_add_call(&w, 0, small_world_add_service(&w, "db"));
    w.services[1].error_count = 1;
    w.services[1].errors[0] = (struct storm_error_row){409, 1};
    w.calls[0].policy = small_world_add_policy(&w, 1, 0);
    w.policies[1].class_count = 1;
    w.policies[1].classes[0] = (struct storm_class_row){409, STORM_CLASS_SUCCESS};
    small_world_live(&w);
    assert_int_equal(small_world_fact(&w, STORM_FACT_SERVED, 0, 0)->status, 200);
    assert_int_equal(small_world_count(&w, STORM_FACT_SUCCEEDED, 0), 1);
    small_world_free(&w);
}

/* ---- in line --------------------------------------------------------------------------------- */

/* Three are refused at 1 s and wait 2 s in line, until the service is up again at `up`. */
static void in_line(struct small_world *w, storm_time up) {
    failing(w, STORM_ATTEMPTS_UNLIMITED, 2, 0);
    w->with_rests = true;
    w->populations[0].count = 3;
    w->policies[0].head_only = true;
    small_world_add_fault(w, STORM_FAULT_DOWN, SEC, up - SEC);
}

static void only_the_first_in_line_counts_down(void **state) {
    (void)state;
    struct small_world w;
    in_line(&w, 4 * SEC);
    small_world_live(&w);
    small_world_expect(&w, "1s outage api 1\n"
                           "1s capacity api 0\n"
                           "1s born client 0\n"
                           "1s sent api try 1\n"
                           "1s born client 1\n"
                           "1s sent api try 1\n"
                           "1s born client 2\n"
                           "1s sent api try 1\n"
                           "1s arrived api\n"
                           "1s refused api 1\n"
                           "1s arrived api\n"
                           "1s refused api 1\n"
                           "1s arrived api\n"
                           "1s refused api 1\n"
                           "1s backed off api try 1 until 3s\n"
                           "1s backed off api try 1 until never\n"
                           "1s backed off api try 1 until never\n"
                           "3s sent api try 2 retry\n"
                           "3s arrived api retry\n"
                           "3s refused api 1 retry\n"
                           "3s backed off api try 2 until never retry\n"
                           "4s outage api 0\n"
                           "4s capacity api 4294967295\n"
                           "5s sent api try 2 retry\n"
                           "5s arrived api retry\n"
                           "5s started api after 0s retry\n"
                           "5s served api 200 in 0s retry\n"
                           "5s succeeded client 1 in 4s tries 2\n"
                           "7s sent api try 2 retry\n"
                           "7s arrived api retry\n"
                           "7s started api after 0s retry\n"
                           "7s served api 200 in 0s retry\n"
                           "7s succeeded client 2 in 6s tries 2\n"
                           "9s sent api try 3 retry\n"
                           "9s arrived api retry\n"
                           "9s started api after 0s retry\n"
                           "9s served api 200 in 0s retry\n"
                           "9s succeeded client 0 in 8s tries 3\n");
    small_world_free(&w);
}

/* One each 2 s from 3 s on; whoever waits still when its deadline comes dies in line. */
static void a_deadline_ends_waiting_in_line(void **state) {
    (void)state;
    struct small_world w;
    in_line(&w, 2 * SEC);
    w.populations[0].count = 5;
    small_world_add_population(&w, SEC, 5);
    w.populations[1].call.deadline = 4 * SEC;
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_SUCCEEDED, 0), 5);
    assert_true(small_world_fact(&w, STORM_FACT_SUCCEEDED, 0, 4)->time == 11 * SEC);
    /* a population has a line of its own: at 3 s one, and all are dead when the next is due */
    assert_int_equal(small_world_count(&w, STORM_FACT_SUCCEEDED, 1), 1);
    assert_int_equal(small_world_count(&w, STORM_FACT_DEAD, 1), 4);
    for (size_t i = 0; i < 4; i++) {
        const struct storm_fact *dead = small_world_fact(&w, STORM_FACT_DEAD, 1, i);
        assert_true(dead->time == 5 * SEC && dead->reason == STORM_REASON_DEADLINE);
    }
    small_world_free(&w);
}

/* Whoever becomes the first in line has to count down from then on. */
static void who_is_next_in_line_has_its_whole_wait_before_it(void **state) {
    (void)state;
    struct small_world w;
    failing(&w, STORM_ATTEMPTS_UNLIMITED, 2, 0);
    w.policies[0].head_only = true;
    w.populations[0].arrival = STORM_ARRIVAL_EVEN;
    w.populations[0].rate = 10;
    w.populations[0].count = 100;
    w.populations[0].call.deadline = 2500 * MS;
    small_world_add_fault(&w, STORM_FAULT_DOWN, 0, SEC);
    small_world_live(&w);
    /* refused at 0, 0.1 ... 0.9 s; the first goes at 2 s, which makes the second the next: its time
       would be up at 4 s, but it dies at 2.6 s, as the others do after it */
    size_t dead = small_world_count(&w, STORM_FACT_DEAD, 0);
    assert_int_equal(dead, 9);
    for (size_t i = 0; i < dead; i++)
        assert_true(small_world_fact(&w, STORM_FACT_DEAD, 0, i)->time ==
                    2600 * MS + (storm_time)i * 100 * MS);
    small_world_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_timeout_by_chance_is_drawn_for_each_attempt),
        cmocka_unit_test(timeouts_of_no_length_without_delay_are_an_error),
        cmocka_unit_test(unlimited_attempts_go_on_to_the_end),
        cmocka_unit_test(unlimited_attempts_without_delay_are_an_error),
        cmocka_unit_test(who_is_not_persistent_loses_patience),
        cmocka_unit_test(the_last_attempt_is_the_reason_before_patience),
        cmocka_unit_test(a_policy_may_retry_what_others_give_up_on),
        cmocka_unit_test(or_give_up_on_what_others_retry),
        cmocka_unit_test(or_be_content_with_what_others_call_a_failure),
        cmocka_unit_test(a_timeout_can_be_given_up_on),
        cmocka_unit_test(a_service_is_content_as_well),
        cmocka_unit_test(only_the_first_in_line_counts_down),
        cmocka_unit_test(a_deadline_ends_waiting_in_line),
        cmocka_unit_test(who_is_next_in_line_has_its_whole_wait_before_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
