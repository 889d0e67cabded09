/* test_throttle.c: the brakes on all attempts: Google's adaptive throttle, and AWS's CUBIC. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policy/throttle.h"

#include <math.h>
#include <stdint.h>

#include <retrystorm/policy.h>

#include "base/stream.h"
#include "support/test.h"

/* A throttle and what it remembers. */
struct rig {
    struct storm_throttle throttle;
    struct throttle_state state;
};

static struct rig rig_of(struct storm_throttle throttle) {
    struct rig rig = {.throttle = throttle};
    throttle_init(&rig.throttle, &rig.state);
    return rig;
}

static struct throttle_word ask(struct rig *rig, storm_time now, double u) {
    return throttle_ask(&rig->throttle, &rig->state, now, u);
}

static void answer(struct rig *rig, int times, storm_time now, uint16_t status) {
    for (int i = 0; i < times; i++)
        throttle_answer(&rig->throttle, &rig->state, now, status);
}

static void near(double value, double wanted, double error) {
    if (!(fabs(value - wanted) <= error))
        fail_msg("%.9g is not %.9g within %.2g", value, wanted, error);
}

/* ---- adaptive -------------------------------------------------------------------------------- */

static struct rig google(double padding, storm_time window) {
    return rig_of((struct storm_throttle){
        .kind = STORM_THROTTLE_ADAPTIVE, .k = 2, .padding = padding, .most = 1, .window = window});
}

/* The chance of a rejection, found by halving; a look changes nothing. */
static double chance(const struct rig *rig, storm_time now) {
    double low = 0, high = 1;
    for (int i = 0; i < 52; i++) {
        struct rig copy = *rig;
        double middle = (low + high) / 2;
        *(ask(&copy, now, middle).rejected ? &low : &high) = middle;
    }
    return low;
}

static void half_of_the_requests_may_fail_before_any_is_rejected(void **state) {
    (void)state;
    struct rig rig = google(1, 120 * STORM_SECOND);
    assert_false(ask(&rig, 0, 0).rejected); /* nothing is known yet */
    answer(&rig, 50, 0, 200);
    answer(&rig, 50, 0, 503);
    assert_false(ask(&rig, 0, 0).rejected);
    answer(&rig, 1, 0, 503);
    near(chance(&rig, 0), 1.0 / 102, 1e-12);
    assert_true(ask(&rig, 0, 0).rejected);
    near(chance(&rig, 0), 2.0 / 103, 1e-12); /* the rejected one is a request, too */
}

static void the_chance_is_what_is_asked_in_excess_of_k_times_what_was_accepted(void **state) {
    (void)state;
    struct rig rig = google(8, 30 * STORM_SECOND); /* as gRPC has it */
    answer(&rig, 10, 0, 200);
    answer(&rig, 20, 0, 429);
    near(chance(&rig, 0), 10.0 / 38, 1e-12);
    rig.throttle.most = 0.2;
    near(chance(&rig, 0), 0.2, 1e-12);
    struct rig dead = google(1, 30 * STORM_SECOND);
    answer(&dead, 100, 0, STORM_OUTCOME_TIMEOUT);
    near(chance(&dead, 0), 100.0 / 101, 1e-12); /* never quite 1: some go to look */
}

static void what_is_older_than_the_window_is_forgotten(void **state) {
    (void)state;
    struct rig rig = google(1, 120 * STORM_SECOND);
    answer(&rig, 100, 0, 503);
    answer(&rig, 60, 12 * STORM_SECOND, 503);
    near(chance(&rig, 120 * STORM_SECOND - 1), 160.0 / 161, 1e-12);
    near(chance(&rig, 120 * STORM_SECOND), 60.0 / 61, 1e-12);
    near(chance(&rig, 132 * STORM_SECOND), 0, 1e-12);
    near(chance(&rig, 100000 * STORM_SECOND), 0, 1e-12);
    answer(&rig, 10, 120000 * STORM_SECOND, 200);
    answer(&rig, 30, 120012 * STORM_SECOND, 503);
    near(chance(&rig, 120119 * STORM_SECOND), 20.0 / 41, 1e-12);
    near(chance(&rig, 120120 * STORM_SECOND), 30.0 / 31, 1e-12);
}

/* An error of the service is an answer: it had taken the attempt. */
static void only_what_was_turned_away_is_held_against_the_server(void **state) {
    (void)state;
    static const uint16_t away[] = {STORM_OUTCOME_REFUSED, STORM_OUTCOME_RESET,
                                    STORM_OUTCOME_TIMEOUT, 429, 503};
    static const uint16_t taken[] = {200, 400, 404, 409, 500, 502, 504};
    for (size_t i = 0; i < sizeof away / sizeof away[0]; i++) {
        struct rig rig = google(1, 120 * STORM_SECOND);
        answer(&rig, 1, 0, away[i]);
        near(chance(&rig, 0), 1.0 / 2, 1e-12);
    }
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
        struct rig rig = google(1, 120 * STORM_SECOND);
        answer(&rig, 1, 0, taken[i]);
        near(chance(&rig, 0), 0, 1e-12);
    }
}

/* A service takes 100 of 1000 requests per second. With K = 2 it is asked twice what it takes. */
static void a_server_is_asked_k_times_what_it_takes(void **state) {
    (void)state;
    struct rig rig = google(1, 120 * STORM_SECOND);
    double sent = 0, squares = 0;
    int seconds = 0;
    for (int second = 0; second < 600; second++) {
        int now_sent = 0;
        for (int i = 0; i < 1000; i++) {
            storm_time now = second * STORM_SECOND + i * STORM_MILLISECOND;
            double u = stream_uniform(stream_mix64((uint64_t)(second * 1000 + i + 1)), 0, 0);
            if (ask(&rig, now, u).rejected)
                continue;
            now_sent++;
            answer(&rig, 1, now, now_sent <= 100 ? 200 : 503);
        }
        if (second >= 300) {
            sent += now_sent;
            squares += (double)now_sent * now_sent;
            seconds++;
        }
    }
    double mean = sent / seconds, deviation = sqrt(squares / seconds - mean * mean);
    print_message("%.1f per second are sent, sd %.1f\n", mean, deviation);
    near(mean, 200, 4 * deviation / sqrt(seconds) + 2); /* the padding is worth 1 of 1000 */
}

/* ---- cubic ----------------------------------------------------------------------------------- */

static struct rig aws(void) {
    return rig_of((struct storm_throttle){
        .kind = STORM_THROTTLE_CUBIC, .beta = 0.7, .scale = 0.4, .smoothing = 0.8, .least = 0.5});
}

/* The test that the AWS SDKs have in common (aws-sdk-go-v2, smithy-rs, the JavaScript, Java, Kotlin
   and .NET SDKs, each "update client sending rate"): an answer every 200 ms, two of them 429. */
static void seventeen_answers_give_the_rates_that_the_sdks_are_tested_by(void **state) {
    (void)state;
    static const double measured[] = {0,       0,       4.8,      4.8,      4.16,    4.16,
                                      4.16,    5.632,   5.632,    4.3264,   4.3264,  4.3264,
                                      5.66528, 5.66528, 4.333056, 4.333056, 4.333056};
    static const double rates[] = {0.5,      0.5,      0.5,      0.5,      0.5,      0.6912,
                                   1.0976,   1.6384,   2.3328,   3.02848,  3.486639, 3.821874,
                                   4.053386, 4.200373, 4.282037, 2.997426, 3.452226};
    struct rig rig = aws();
    ask(&rig, 0, 0);
    for (int i = 1; i <= 17; i++) {
        bool is_throttled = i == 10 || i == 16;
        answer(&rig, 1, i * 200 * STORM_MILLISECOND, is_throttled ? 429 : 200);
        near(rig.state.measured, measured[i - 1], 1e-9);
        near(rig.state.fill_rate, rates[i - 1], 5e-7);
        assert_true(rig.state.enabled == (i >= 10));
    }
}

/* The other one: cut at 5 s from 10 per second to 7, which are 10 again after the cube root of
   7.5 s. */
static void the_rate_grows_back_as_the_cube_of_the_time(void **state) {
    (void)state;
    static const double rates[] = {7.0,
                                   9.64893600966,
                                   10.000030849917364,
                                   10.453284520772092,
                                   13.408697022224185,
                                   21.26626835427364,
                                   36.425998516920465};
    struct rig rig = aws();
    rig.state = (struct throttle_state){.enabled = true,
                                        .bucket = 1e9, /* the measured rate stays */
                                        .measured = 1000,
                                        .fill_rate = 7,
                                        .highest = 10,
                                        .last_throttle = 5,
                                        .window = cbrt(7.5)};
    for (int i = 0; i < 7; i++) {
        answer(&rig, 1, (5 + i) * STORM_SECOND, 200);
        near(rig.state.fill_rate, rates[i], 1e-9 * rates[i]);
    }
}

static void nobody_waits_before_the_first_429(void **state) {
    (void)state;
    struct rig rig = aws();
    for (int i = 0; i < 1000; i++) {
        assert_true(ask(&rig, i, 0.5).wait == 0);
        answer(&rig, 1, i, i % 2 == 0 ? 503 : 200);
    }
}

static void who_waits_goes_one_after_the_other(void **state) {
    (void)state;
    struct rig rig = aws();
    rig.state = (struct throttle_state){
        .enabled = true, .bucket = 1e9, .fill_rate = 2, .capacity = 2, .tokens = 1, .refilled = 10};
    assert_true(ask(&rig, 10 * STORM_SECOND, 0).wait == 0);
    for (int i = 1; i <= 20; i++) {
        struct throttle_word word = ask(&rig, 10 * STORM_SECOND, 0);
        assert_false(word.rejected);
        assert_true(word.wait == i * STORM_SECOND / 2);
    }
    assert_true(ask(&rig, 20 * STORM_SECOND, 0).wait == STORM_SECOND / 2); /* all owed is paid */
    ask(&rig, 1000 * STORM_SECOND, 0);
    assert_true(rig.state.tokens == 1); /* no more is saved than the capacity */
}

static void the_rate_is_never_below_the_least(void **state) {
    (void)state;
    struct rig rig = aws();
    answer(&rig, 100, STORM_SECOND, 429);
    assert_true(rig.state.fill_rate == 0.5 && rig.state.capacity == 1);
    ask(&rig, STORM_SECOND, 0);
    ask(&rig, STORM_SECOND, 0);
    assert_true(ask(&rig, STORM_SECOND, 0).wait <= 6 * STORM_SECOND);
}

/* A client that starts late measures from then on. */
static void a_late_first_attempt_does_not_make_the_rate_small(void **state) {
    (void)state;
    struct rig rig = aws();
    for (int i = 0; i < 50; i++) {
        storm_time now = 1000000 * STORM_SECOND + i * 20 * STORM_MILLISECOND;
        ask(&rig, now, 0);
        answer(&rig, 1, now, 200);
    }
    near(rig.state.measured, 41.6, 1); /* 0.8 x 50 after the first half second */
}

static void without_a_throttle_all_go(void **state) {
    (void)state;
    struct rig rig = rig_of((struct storm_throttle){.kind = STORM_THROTTLE_NONE});
    answer(&rig, 100, 0, 429);
    struct throttle_word word = ask(&rig, 0, 0);
    assert_true(!word.rejected && word.wait == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_of_the_requests_may_fail_before_any_is_rejected),
        cmocka_unit_test(the_chance_is_what_is_asked_in_excess_of_k_times_what_was_accepted),
        cmocka_unit_test(what_is_older_than_the_window_is_forgotten),
        cmocka_unit_test(only_what_was_turned_away_is_held_against_the_server),
        cmocka_unit_test(a_server_is_asked_k_times_what_it_takes),
        cmocka_unit_test(seventeen_answers_give_the_rates_that_the_sdks_are_tested_by),
        cmocka_unit_test(the_rate_grows_back_as_the_cube_of_the_time),
        cmocka_unit_test(nobody_waits_before_the_first_429),
        cmocka_unit_test(who_waits_goes_one_after_the_other),
        cmocka_unit_test(the_rate_is_never_below_the_least),
        cmocka_unit_test(a_late_first_attempt_does_not_make_the_rate_small),
        cmocka_unit_test(without_a_throttle_all_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
