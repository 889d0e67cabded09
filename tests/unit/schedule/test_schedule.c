/* test_schedule.c: when tries happen, against closed forms, tables and drawn lives. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "policy/registry.h"
#include "schedule/schedule.h"
#include "support/csv.h"
#include "support/test.h"

/* A headline policy with its own base and cap. */
static struct storm_policy policy_of(const char *headline, double base, double cap) {
    struct storm_policy policy = policy_headline_find(headline)->policy;
    policy.persist = 1;
    policy.delay.base = base;
    policy.delay.cap = cap;
    return policy;
}

static struct schedule schedule_of(const struct storm_policy *policy, uint32_t count,
                                   enum schedule_way way) {
    struct schedule schedule;
    assert_true(schedule_make(&schedule, policy, count));
    assert_int_equal(schedule.way, way);
    return schedule;
}

static void survive(const struct schedule *schedule, double outage, double each, double *shares) {
    struct schedule_moment moment = {storm_time_from_seconds(outage), STORM_NEVER,
                                     storm_time_from_seconds(each)};
    assert_true(schedule_survive(schedule, &moment, shares));
}

static void near(double value, double wanted, double error) {
    if (!(fabs(value - wanted) <= error)) {
        fail_msg("%.9g is not %.9g within %.2g", value, wanted, error);
    }
}

static void an_exponential_delay_capped_at_20_s_takes_51_s_in_6_retries(void **state) {
    (void)state;
    static const double delays[] = {1, 2, 4, 8, 16, 20};
    struct storm_policy policy = policy_of("exponential", 1, 20);
    struct schedule schedule = schedule_of(&policy, 6, SCHEDULE_FIXED);
    for (int k = 0; k < 6; k++) {
        assert_true(schedule.delays[k].low == delays[k] && schedule.delays[k].high == delays[k]);
    }
    struct schedule_sum sum = schedule_sum(&schedule, 6, 0);
    assert_true(sum.low == 51 && sum.mean == 51 && sum.high == 51);
    assert_true(schedule_sum(&schedule, 6, 2 * STORM_SECOND).mean == 63);
}

/* ---- the facts ------------------------------------------------------------------------------- */

/* Totals of six delays: closed forms, so exact. */
static void check_total(const char *quantity, double value) {
    const char *name = quantity[0] == 'p'   ? "exponential"
                       : quantity[0] == 'f' ? "full-jitter"
                                            : "equal-jitter";
    struct storm_policy policy = policy_of(name, 1, 20);
    struct schedule schedule;
    double variance = 0;
    assert_true(schedule_make(&schedule, &policy, 6));
    for (int k = 0; k < 6; k++) {
        variance += schedule.delays[k].variance;
    }
    bool is_variance = strstr(quantity, "Var") != NULL;
    near(is_variance ? variance : schedule_sum(&schedule, 6, 0).mean, value, 1e-12);
}

static double fact_of(const struct schedule_delay *law, const char *quantity) {
    static const char *const words[] = {"mean delay", "var delay", "P(delay=cap)",
                                        "q5",         "q50",       "q95"};
    const double values[] = {law->mean, law->variance, law->at_cap,
                             law->q05,  law->median,   law->q95};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(words[i], quantity) == 0) {
            return values[i];
        }
    }
    fail_msg("no fact of the name %s", quantity);
    return 0;
}

static void every_fact_about_back_off_is_found_again(void **state) {
    (void)state;
    struct csv csv = csv_read("tests/data/backoff_facts.csv");
    double worst = 0;
    assert_int_equal(csv.rows, 165);
    for (size_t row = 0; row < csv.rows; row++) {
        const char *parameters = csv_text(&csv, row, "parameters");
        const char *quantity = csv_text(&csv, row, "quantity");
        double value = csv_number(&csv, row, "value"), cap = HUGE_VAL;
        const char *number = strstr(parameters, "retry k=");
        if (number == NULL) {
            check_total(quantity, value);
            continue;
        }
        int k = 0;
        sscanf(number, "retry k=%d", &k);
        if (strstr(parameters, "cap=") != NULL) {
            sscanf(strstr(parameters, "cap="), "cap=%lf", &cap);
        }
        struct storm_policy policy = policy_of("decorrelated-jitter", 1, cap);
        struct schedule schedule = schedule_of(&policy, (uint32_t)k, SCHEDULE_CHAIN);
        double ours = fact_of(&schedule.delays[k - 1], quantity);
        double error = value > 0 ? fabs(ours / value - 1) : ours;
        worst = error > worst ? error : worst;
        near(ours, value, isinf(cap) ? 1e-9 * value : 1e-4 * value);
    }
    print_message("largest error: %.2g of the value\n", worst);
    csv_free(&csv);
}

/* Survival of up to eight attempts by the policy and the outage of a row; rows of fewer attempts
   are the beginning of the same. */
static void survive_row(const struct csv *csv, size_t row, enum schedule_way way, double *shares) {
    const char *word = csv_text(csv, row, "policy");
    char name[32];
    snprintf(name, sizeof name, "%s-jitter", word);
    struct storm_policy policy =
        policy_of(way == SCHEDULE_FIXED ? "exponential" : name, csv_number(csv, row, "base"),
                  csv_number(csv, row, "cap"));
    struct schedule schedule = schedule_of(&policy, 7, way);
    survive(&schedule, csv_number(csv, row, "outage_T"), 0, shares);
}

/* The first row of the same policy and outage. */
static size_t first_alike(const struct csv *csv, size_t row) {
    static const char *const columns[] = {"base", "cap", "policy", "outage_T"};
    for (size_t other = 0; other < row; other++) {
        size_t alike = 0;
        for (int i = 0; i < 4; i++) {
            alike += strcmp(csv_text(csv, row, columns[i]), csv_text(csv, other, columns[i])) == 0;
        }
        if (alike == 4) {
            return other;
        }
    }
    return row;
}

static void every_outage_is_survived_as_often_as_is_known(void **state) {
    (void)state;
    static double shares[207][SCHEDULE_ROOM + 1];
    struct csv csv = csv_read("tests/data/outage_survival.csv");
    double worst = 0;
    assert_int_equal(csv.rows, 207);
    for (size_t row = 0; row < csv.rows; row++) {
        const char *word = csv_text(&csv, row, "policy");
        bool is_pure = strcmp(word, "pure") == 0, is_chain = strcmp(word, "decorrelated") == 0;
        size_t first = first_alike(&csv, row);
        if (first == row) {
            survive_row(&csv, row,
                        is_pure    ? SCHEDULE_FIXED
                        : is_chain ? SCHEDULE_CHAIN
                                   : SCHEDULE_WINDOWS,
                        shares[row]);
        }
        size_t attempts = (size_t)csv_number(&csv, row, "attempts_total");
        double value = csv_number(&csv, row, "P_survive"), ours = shares[first][attempts - 1];
        near(ours, value, is_pure ? 0 : is_chain ? 2e-4 : 5.1e-9);
        worst = is_chain && fabs(ours - value) > worst ? fabs(ours - value) : worst;
    }
    print_message("largest error of decorrelated: %.2g\n", worst);
    csv_free(&csv);
}

/* ---- the ways agree -------------------------------------------------------------------------- */

/* The same moment by two ways. */
static void compare_ways(const struct storm_policy *policy, uint32_t count, enum schedule_way way,
                         enum schedule_way other, struct schedule_moment moment, double error) {
    double a[SCHEDULE_ROOM], b[SCHEDULE_ROOM], sum = 0, other_sum = 0;
    struct schedule schedule = schedule_of(policy, count, way);
    assert_true(schedule_first(&schedule, &moment, a));
    schedule.way = other;
    assert_true(schedule_first(&schedule, &moment, b));
    for (uint32_t k = 0; k < count; k++) {
        sum += a[k];
        other_sum += b[k];
        near(a[k], b[k], error);
        near(sum, other_sum, error);
    }
    assert_true(sum > 0.01 && sum < 1 + 1e-9);
}

static struct schedule_moment moment_of(double time, double limit, double each) {
    return (struct schedule_moment){storm_time_from_seconds(time), storm_time_from_seconds(limit),
                                    storm_time_from_seconds(each)};
}

static void the_grid_agrees_with_the_exact_sums(void **state) {
    (void)state;
    static const char *const names[] = {"full-jitter", "equal-jitter", "additive-jitter"};
    for (int i = 0; i < 3; i++) {
        struct storm_policy policy = policy_of(names[i], 1, 20);
        compare_ways(&policy, 7, SCHEDULE_WINDOWS, SCHEDULE_INDEPENDENT, moment_of(30, HUGE_VAL, 0),
                     1e-5);
        compare_ways(&policy, 7, SCHEDULE_WINDOWS, SCHEDULE_INDEPENDENT,
                     moment_of(30, HUGE_VAL, 0.7), 1e-5);
    }
}

/* Five standard errors of a million lives are 0.0025. */
static void drawn_lives_agree_with_every_other_way(void **state) {
    (void)state;
    struct schedule_moment moments[] = {moment_of(12, HUGE_VAL, 0), moment_of(12, 17, 0.5)};
    for (int i = 0; i < 2; i++) {
        struct storm_policy full = policy_of("full-jitter", 1, 20);
        compare_ways(&full, 6, SCHEDULE_WINDOWS, SCHEDULE_SAMPLE, moments[i], 2.5e-3);
        struct storm_policy chain = policy_of("decorrelated-jitter", 1, 20);
        compare_ways(&chain, 6, SCHEDULE_CHAIN, SCHEDULE_SAMPLE, moments[i], 2.5e-3);
        chain.delay.decorrelated_low = STORM_DECORRELATED_PREVIOUS;
        compare_ways(&chain, 6, SCHEDULE_CHAIN, SCHEDULE_SAMPLE, moments[i], 2.5e-3);
        struct storm_policy low = chain;
        low.delay.cap = 5;
        compare_ways(&low, 6, SCHEDULE_CHAIN, SCHEDULE_SAMPLE, moments[i], 2.5e-3);
        chain.delay.plain_first = 1;
        compare_ways(&chain, 6, SCHEDULE_CHAIN, SCHEDULE_SAMPLE, moments[i], 2.5e-3);
        struct storm_policy exponential = policy_of("exponential", 1, 20);
        exponential.delay.law = STORM_JITTER_EXPONENTIAL;
        compare_ways(&exponential, 6, SCHEDULE_INDEPENDENT, SCHEDULE_SAMPLE, moments[i], 2.5e-3);
        exponential.delay.plain_first = 2;
        compare_ways(&exponential, 6, SCHEDULE_INDEPENDENT, SCHEDULE_SAMPLE, moments[i], 2.5e-3);
    }
    struct storm_policy narrow = policy_of("decorrelated-jitter", 1, 30);
    narrow.delay.factor = 1.25;
    compare_ways(&narrow, 12, SCHEDULE_CHAIN, SCHEDULE_SAMPLE, moment_of(9.7, HUGE_VAL, 0), 2.5e-3);
    compare_ways(&narrow, 16, SCHEDULE_CHAIN, SCHEDULE_SAMPLE, moment_of(15, HUGE_VAL, 0), 2.5e-3);
    struct storm_policy tiny = policy_of("decorrelated-jitter", 1e-9, HUGE_VAL);
    compare_ways(&tiny, 36, SCHEDULE_CHAIN, SCHEDULE_SAMPLE, moment_of(0.01, HUGE_VAL, 0), 2.5e-3);
    struct storm_policy small = policy_of("decorrelated-jitter", 0.01, 30);
    compare_ways(&small, 12, SCHEDULE_CHAIN, SCHEDULE_SAMPLE, moment_of(60, HUGE_VAL, 0), 2.5e-3);
}

/* The first delay is uniform from 10 to 30 s and so the cap of 20 s in half of the cases; the next
   after it is the cap in 40 of 50. */
static void calls_that_were_always_at_the_cap_are_counted(void **state) {
    (void)state;
    struct storm_policy policy = policy_of("decorrelated-jitter", 10, 20);
    struct schedule schedule = schedule_of(&policy, 3, SCHEDULE_CHAIN);
    double shares[SCHEDULE_ROOM + 1];
    survive(&schedule, 20, 0, shares);
    near(shares[1], 0.5, 5e-4);
    survive(&schedule, 40, 0, shares);
    near(shares[2], 0.4, 5e-4);
    survive(&schedule, 60, 0, shares);
    near(shares[3], 0.32, 5e-4);
    compare_ways(&policy, 5, SCHEDULE_CHAIN, SCHEDULE_SAMPLE, moment_of(40, 60, 0), 2.5e-3);
}

/* Sums of whole seconds are often the very moment: 1, 1 or 2, and 1 to 4 (rounded up) are 5 or more
   in five of eight cases, 7 in one. */
static void ties_of_rounded_delays_are_counted(void **state) {
    (void)state;
    struct storm_policy policy = policy_of("full-jitter", 1, 30);
    policy.delay.quantum = 1;
    policy.delay.rounding = STORM_ROUND_UP;
    struct schedule schedule = schedule_of(&policy, 3, SCHEDULE_SAMPLE);
    double shares[SCHEDULE_ROOM + 1];
    survive(&schedule, 5, 0, shares);
    near(shares[3], 0.625, 2.5e-3);
    survive(&schedule, 7, 0, shares);
    near(shares[3], 0.125, 2.5e-3);
}

static void the_laws_of_single_delays_agree_with_drawn_lives(void **state) {
    (void)state;
    struct storm_policy policies[] = {policy_of("full-jitter", 1, 20),
                                      policy_of("decorrelated-jitter", 1, 20),
                                      policy_of("exponential", 1, 20)};
    policies[2].delay.law = STORM_JITTER_EXPONENTIAL;
    for (int i = 0; i < 3; i++) {
        struct schedule schedule, drawn;
        struct storm_policy other = policies[i];
        other.delay.sticky = true; /* no cap is reached: the rule is the same, and not recognised */
        other.delay.cap = policies[i].delay.cap = 4000;
        assert_true(schedule_make(&schedule, &policies[i], 5));
        assert_true(schedule_make(&drawn, &other, 5));
        assert_true(i == 1 || (schedule.way != SCHEDULE_SAMPLE && drawn.way == SCHEDULE_SAMPLE));
        for (int k = 0; k < 5; k++) {
            const struct schedule_delay *a = &schedule.delays[k], *b = &drawn.delays[k];
            near(a->mean, b->mean, 5e-3 * sqrt(a->variance));
            near(sqrt(a->variance / b->variance), 1, 0.01);
            near(a->median, b->median, 0.03 * sqrt(a->variance));
            near(a->q95, b->q95, 0.06 * sqrt(a->variance));
            assert_true(b->low >= a->low && b->high <= a->high);
        }
    }
}

/* Sums of exponential delays of one mean are Erlang. */
static void exponential_delays_of_one_mean_add_up_to_erlang(void **state) {
    (void)state;
    struct storm_policy policy = policy_of("fixed", 2, HUGE_VAL);
    policy.delay.law = STORM_JITTER_EXPONENTIAL;
    struct schedule schedule = schedule_of(&policy, 5, SCHEDULE_INDEPENDENT);
    double shares[SCHEDULE_ROOM + 1], term = 1, sum = 0;
    survive(&schedule, 9, 0, shares);
    for (uint32_t k = 1; k <= 5; k++) {
        sum += term * exp(-4.5);
        term *= 4.5 / k;
        near(shares[k], sum, 1e-4);
        near(schedule.delays[k - 1].mean, 2, 1e-4);
        assert_true(isinf(schedule.delays[k - 1].high));
    }
}

/* ---- the edges of outages -------------------------------------------------------------------- */

static void a_try_at_the_very_end_of_an_outage_succeeds(void **state) {
    (void)state;
    struct storm_policy policy = policy_of("exponential", 1, 30);
    struct schedule schedule = schedule_of(&policy, 3, SCHEDULE_FIXED);
    double shares[SCHEDULE_ROOM + 1];
    survive(&schedule, 7, 0, shares);
    assert_true(shares[0] == 0 && shares[2] == 0 && shares[3] == 1);
    survive(&schedule, 7.000000001, 0, shares);
    assert_true(shares[3] == 0);
    survive(&schedule, 0, 0, shares);
    assert_true(shares[0] == 1 && shares[3] == 1);
}

static void attempts_that_time_out_ride_out_more(void **state) {
    (void)state;
    struct storm_policy policy = policy_of("exponential", 1, 30);
    struct schedule schedule = schedule_of(&policy, 3, SCHEDULE_FIXED);
    double shares[SCHEDULE_ROOM + 1];
    survive(&schedule, 13, 2, shares);
    assert_true(shares[2] == 0 && shares[3] == 1);
    survive(&schedule, 13.1, 2, shares);
    assert_true(shares[3] == 0);
}

static void no_try_begins_at_the_limit(void **state) {
    (void)state;
    struct storm_policy policy = policy_of("exponential", 1, 30);
    struct schedule schedule = schedule_of(&policy, 3, SCHEDULE_FIXED);
    double shares[SCHEDULE_ROOM + 1], in_time[SCHEDULE_ROOM];
    struct schedule_moment moment = moment_of(5, 7, 0);
    assert_true(schedule_survive(&schedule, &moment, shares));
    assert_true(shares[3] == 0);
    moment.limit++;
    assert_true(schedule_survive(&schedule, &moment, shares));
    assert_true(shares[3] == 1);
    moment.time = 7 * STORM_SECOND;
    assert_true(schedule_in_time(&schedule, &moment, in_time));
    assert_true(in_time[0] == 1 && in_time[1] == 1 && in_time[2] == 0);
}

static void a_caller_that_may_lose_patience_survives_less(void **state) {
    (void)state;
    struct storm_policy policy = policy_of("exponential", 1, 30);
    policy.persist = 0.5;
    struct schedule schedule = schedule_of(&policy, 4, SCHEDULE_FIXED);
    double shares[SCHEDULE_ROOM + 1];
    survive(&schedule, 7, 0, shares);
    assert_true(shares[3] == 0.125 && shares[4] == 0.125);
}

static void tries_in_time_are_those_before_the_moment(void **state) {
    (void)state;
    struct storm_policy policy = policy_of("full-jitter", 1, 20);
    struct schedule schedule = schedule_of(&policy, 4, SCHEDULE_WINDOWS);
    double in_time[SCHEDULE_ROOM];
    struct schedule_moment moment = moment_of(5, HUGE_VAL, 0);
    assert_true(schedule_in_time(&schedule, &moment, in_time));
    assert_true(in_time[0] == 1 && in_time[1] == 1);
    near(in_time[2], 1 - 0.14583333, 1e-8);
    near(in_time[3], 1 - 0.802734375, 1e-8);
}

/* Sixteen windows from 1 ms to 30 s: the terms of the exact sum cancel too much. */
static void windows_of_very_different_widths_are_left_to_the_grid(void **state) {
    (void)state;
    struct storm_policy policy = policy_of("full-jitter", 0.001, 60);
    compare_ways(&policy, 18, SCHEDULE_WINDOWS, SCHEDULE_SAMPLE, moment_of(60, HUGE_VAL, 0),
                 2.5e-3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_exponential_delay_capped_at_20_s_takes_51_s_in_6_retries),
        cmocka_unit_test(every_fact_about_back_off_is_found_again),
        cmocka_unit_test(every_outage_is_survived_as_often_as_is_known),
        cmocka_unit_test(the_grid_agrees_with_the_exact_sums),
        cmocka_unit_test(drawn_lives_agree_with_every_other_way),
        cmocka_unit_test(calls_that_were_always_at_the_cap_are_counted),
        cmocka_unit_test(ties_of_rounded_delays_are_counted),
        cmocka_unit_test(the_laws_of_single_delays_agree_with_drawn_lives),
        cmocka_unit_test(exponential_delays_of_one_mean_add_up_to_erlang),
        cmocka_unit_test(a_try_at_the_very_end_of_an_outage_succeeds),
        cmocka_unit_test(attempts_that_time_out_ride_out_more),
        cmocka_unit_test(no_try_begins_at_the_limit),
        cmocka_unit_test(a_caller_that_may_lose_patience_survives_less),
        cmocka_unit_test(tries_in_time_are_those_before_the_moment),
        cmocka_unit_test(windows_of_very_different_widths_are_left_to_the_grid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
