/* test_size.c: proposed policies do what is said of them, as lived lives show. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "schedule/size.h"

#include <math.h>
#include <stdint.h>

#include <retrystorm/policy.h>

#include "base/stream.h"
#include "policy/delay.h"
#include "policy/registry.h"
#include "support/test.h"

static struct size_question question_of(const char *shape, double recovery, double deadline,
                                        double timeout) {
    return (struct size_question){.policy = &policy_headline_find(shape)->policy,
                                  .recovery = storm_time_from_seconds(recovery),
                                  .deadline = storm_time_from_seconds(deadline),
                                  .timeout = storm_time_from_seconds(timeout),
                                  .target = 0.99};
}

static struct size_answer answer_to(const struct size_question *question) {
    struct size_answer answer;
    assert_true(size_find(question, &answer));
    assert_true(answer.count >= 1 && answer.count <= SIZE_CHOICES_MAX);
    assert_true(answer.best < answer.count);
    return answer;
}

/* One call of a policy whose attempts take `each` to fail until the service is back: the attempts
   that it makes. True when one begins after the service is back and before the deadline. */
static bool live(const struct storm_policy *policy, const struct size_question *question,
                 storm_time each, uint64_t life, uint32_t *attempts) {
    struct storm_delay_state state = {0};
    storm_time begins = 0;
    for (*attempts = 1; *attempts < policy->attempts && begins < question->recovery;
         *attempts += 1) {
        double u = stream_uniform(stream_mix64(life + 1), STREAM_BACKOFF, *attempts);
        storm_time delay = storm_time_from_seconds(delay_next(&policy->delay, &state, u));
        begins = storm_time_add(storm_time_add(begins, each), delay);
    }
    return begins >= question->recovery && begins < question->deadline;
}

enum { LIVES = 100000 };

/* How many standard errors the lives of a policy are from what is said of it. */
static double error_of(const struct storm_policy *policy, const struct size_question *question,
                       storm_time each, double share, double *expected) {
    uint32_t survived = 0, attempts;
    double sum = 0;
    for (uint64_t life = 0; life < LIVES; life++) {
        survived += live(policy, question, each, life, &attempts);
        sum += attempts;
    }
    *expected = sum / LIVES;
    double grid = 1e-3; /* what may be off where shares are computed on a grid */
    double sd = sqrt(fmax(share * (1 - share), 1e-9) / LIVES);
    return fmax(0, fabs((double)survived / LIVES - share) - grid) / sd;
}

static void check_lives(const struct size_question *question) {
    struct size_answer answer = answer_to(question);
    for (uint32_t i = 0; i < answer.count; i++) {
        const struct size_choice *choice = &answer.choices[i];
        struct storm_policy policy = size_policy(question, &answer, i);
        double expected, other;
        storm_time timeout = question->timeout < STORM_NEVER ? question->timeout : 0;
        assert_true(error_of(&policy, question, 0, choice->at_once, &expected) < 4);
        assert_true(error_of(&policy, question, timeout, choice->by_timeout, &other) < 4);
        if (fabs(expected - choice->expected) > 0.02)
            fail_msg("cap %g: %.4f attempts, not %.4f", policy.delay.cap, expected,
                     choice->expected);
    }
}

static void lives_are_as_often_ridden_out_as_is_said(void **state) {
    (void)state;
    struct size_question plain = question_of("full-jitter", 30, HUGE_VAL, HUGE_VAL);
    struct size_question dated = question_of("equal-jitter", 20, 35, 2);
    struct size_question tight = question_of("full-jitter", 55, 60, 10);
    check_lives(&plain);
    check_lives(&dated);
    check_lives(&tight);
}

/* The survival of an outage of 30 s by 10 and 11 attempts of full jitter, 1 s doubled to 20 s, is
   97.9% and 99.57%. */
static void thirty_seconds_need_eleven_attempts_with_a_cap_of_20_s(void **state) {
    (void)state;
    struct size_question question = question_of("full-jitter", 30, HUGE_VAL, HUGE_VAL);
    struct size_answer answer = answer_to(&question);
    static const double caps[] = {3, 5, 10, 15, 20, 30};
    assert_true(answer.base == STORM_SECOND);
    assert_int_equal(answer.count, 6);
    for (uint32_t i = 0; i < 6; i++) {
        assert_true(storm_time_to_seconds(answer.choices[i].cap) == caps[i]);
        assert_true(answer.choices[i].reaches);
    }
    const struct size_choice *choice = &answer.choices[4];
    assert_int_equal(choice->attempts, 11);
    assert_true(fabs(choice->at_once - 0.9957) < 5e-5);
    assert_true(choice->by_timeout == choice->at_once);
    assert_true(choice->longest == 1 + 2 + 4 + 8 + 16 + 5 * 20);
    assert_int_equal(answer.best, 5);
    assert_int_equal(answer.choices[5].attempts, 10);
}

static void one_attempt_less_would_not_do(void **state) {
    (void)state;
    struct size_question question = question_of("equal-jitter", 30, 60, 2);
    struct size_answer answer = answer_to(&question);
    for (uint32_t i = 0; i < answer.count; i++) {
        const struct size_choice *choice = &answer.choices[i];
        if (!choice->reaches)
            continue;
        struct storm_policy policy = size_policy(&question, &answer, i);
        struct schedule schedule;
        double at_once[SCHEDULE_ROOM + 1], by_timeout[SCHEDULE_ROOM + 1];
        struct schedule_moment moment = {question.recovery, question.deadline, 0};
        assert_true(schedule_make(&schedule, &policy, choice->attempts - 1));
        assert_true(schedule_survive(&schedule, &moment, at_once));
        moment.each = question.timeout;
        assert_true(schedule_survive(&schedule, &moment, by_timeout));
        uint32_t last = choice->attempts - 1;
        assert_true(fmin(at_once[last], by_timeout[last]) >= 0.99 - 1e-3);
        assert_true(fmin(at_once[last - 1], by_timeout[last - 1]) < 0.99 + 1e-3);
    }
}

static void without_jitter_all_calls_or_none_ride_it_out(void **state) {
    (void)state;
    struct size_question question = question_of("exponential", 30, HUGE_VAL, HUGE_VAL);
    struct size_answer answer = answer_to(&question);
    const struct size_choice *best = &answer.choices[answer.best];
    assert_true(best->at_once == 1);
    assert_int_equal(best->attempts, 6); /* 1 + 2 + 4 + 8 + 15 s is the first sum of 30 s */
    assert_true(best->cap == 15 * STORM_SECOND && best->longest == 30);
    assert_true(best->expected == 6);
}

static void a_deadline_that_is_near_asks_for_short_delays(void **state) {
    (void)state;
    struct size_question question = question_of("full-jitter", 30, 33, HUGE_VAL);
    struct size_answer answer = answer_to(&question);
    const struct size_choice *best = &answer.choices[answer.best];
    assert_true(best->reaches && best->cap == 3 * STORM_SECOND && best->longest == 33);
    question.deadline = 32 * STORM_SECOND; /* no share of the recovery is so short */
    answer = answer_to(&question);
    assert_true(answer.choices[0].cap == 2 * STORM_SECOND && answer.choices[0].reaches);
    assert_int_equal(answer.best, 0);
    question.deadline = 30 * STORM_SECOND + STORM_SECOND / 2; /* shorter than the base */
    answer = answer_to(&question);
    assert_false(answer.choices[answer.best].reaches);
    assert_true(answer.choices[answer.best].at_once < 0.9);
}

static void bases_and_caps_are_round_numbers(void **state) {
    (void)state;
    static const struct {
        double recovery, base, longest_cap;
    } rows[] = {{30, 1, 30},      {45, 1.5, 30}, {60, 2, 50},          {300, 10, 300},
                {0.1, 3e-3, 0.1}, {7, 0.2, 7},   {86400, 2000, 70000}, {1e-5, 1e-6, 1e-5}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct size_question question =
            question_of("exponential", rows[i].recovery, HUGE_VAL, HUGE_VAL);
        struct size_answer answer = answer_to(&question);
        assert_int_equal(answer.base, storm_time_from_seconds(rows[i].base));
        assert_int_equal(answer.choices[answer.count - 1].cap,
                         storm_time_from_seconds(rows[i].longest_cap));
        for (uint32_t k = 1; k < answer.count; k++)
            assert_true(answer.choices[k].cap > answer.choices[k - 1].cap);
    }
}

static void only_delays_that_grow_up_to_a_cap_have_a_size(void **state) {
    (void)state;
    static const char *const fit[] = {"exponential", "full-jitter", "equal-jitter",
                                      "additive-jitter", "decorrelated-jitter"};
    static const char *const other[] = {"no-retry", "no-backoff", "fixed", "linear"};
    for (int i = 0; i < 5; i++)
        assert_true(size_fits(&policy_headline_find(fit[i])->policy));
    for (int i = 0; i < 4; i++)
        assert_false(size_fits(&policy_headline_find(other[i])->policy));
    struct size_question question = question_of("additive-jitter", 60, HUGE_VAL, HUGE_VAL);
    struct size_answer answer = answer_to(&question);
    assert_true(size_policy(&question, &answer, 0).delay.jitter_add == 2); /* as the base */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lives_are_as_often_ridden_out_as_is_said),
        cmocka_unit_test(thirty_seconds_need_eleven_attempts_with_a_cap_of_20_s),
        cmocka_unit_test(one_attempt_less_would_not_do),
        cmocka_unit_test(without_jitter_all_calls_or_none_ride_it_out),
        cmocka_unit_test(a_deadline_that_is_near_asks_for_short_delays),
        cmocka_unit_test(bases_and_caps_are_round_numbers),
        cmocka_unit_test(only_delays_that_grow_up_to_a_cap_have_a_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
