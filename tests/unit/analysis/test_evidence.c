/* test_evidence.c: intervals of shares, quantiles and means, and what they say about a bound. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/evidence.h"

#include <math.h>
#include <stdlib.h>

#include "base/stream.h"
#include "support/test.h"

enum { VALUES_MAX = 1000 };

static const struct measure recovers = {"recovers", "share", STORM_BETTER_HIGHER, true};
static const struct measure letters = {"dead_letters", "requests", STORM_BETTER_LOWER, false};

static struct criterion read_criterion(const char *text) {
    struct criterion criterion;
    struct storm_error error;
    assert_true(criterion_parse(text, &criterion, &error));
    return criterion;
}

/* So many runs of which the first `good` come back. */
static struct storm_evidence of_share(const char *text, uint32_t good, uint32_t runs,
                                      double alpha) {
    double values[VALUES_MAX];
    struct criterion criterion = read_criterion(text);
    for (uint32_t i = 0; i < runs; i++) {
        values[i] = i < good;
    }
    return evidence_of(&criterion, &recovers, values, runs, alpha);
}

/* The numbers 1 .. count, from the greatest on. */
static struct storm_evidence of_numbers(const char *text, uint32_t count, double alpha) {
    double values[VALUES_MAX];
    struct criterion criterion = read_criterion(text);
    for (uint32_t i = 0; i < count; i++) {
        values[i] = count - i;
    }
    return evidence_of(&criterion, &letters, values, count, alpha);
}

static void is_near(double value, double truth) { assert_true(fabs(value - truth) < 1e-6); }

static void shares_have_the_interval_of_clopper_and_pearson(void **state) {
    (void)state;
    static const struct {
        uint32_t good, runs;
        double lo, hi;
    } cases[] = {
        {0, 10, 0, .3084971}, {10, 10, .6915029, 1}, {7, 10, .3475471, .9332605}, {1, 1, .025, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct storm_evidence evidence =
            of_share("recovers >= 99%", cases[i].good, cases[i].runs, .025);
        is_near(evidence.lo, cases[i].lo);
        is_near(evidence.hi, cases[i].hi);
        is_near(evidence.value, (double)cases[i].good / cases[i].runs);
        assert_int_equal(evidence.good, cases[i].good);
    }
}

static void shares_are_proven_when_the_interval_is_on_one_side(void **state) {
    (void)state;
    /* .99^298 is more than .05, .99^299 less. */
    assert_false(of_share("recovers >= 99%", 298, 298, .05).is_proven);
    struct storm_evidence enough = of_share("recovers >= 99%", 299, 299, .05);
    assert_true(enough.is_proven && enough.holds);
    struct storm_evidence never = of_share("recovers >= 99%", 0, 1, .05);
    assert_true(never.is_proven && !never.holds);
    struct storm_evidence until = of_share("recovers < 99%", 0, 1, .05);
    assert_true(until.is_proven && until.holds);
}

/* Ranks of printed tables: n = 10 has 2 and 9, and 6 is the least that has any; of p95, 59. */
static void quantiles_have_the_interval_of_order_statistics(void **state) {
    (void)state;
    struct storm_evidence ten = of_numbers("dead_letters < 9.5", 10, .025);
    is_near(ten.lo, 2);
    is_near(ten.hi, 9);
    is_near(ten.value, 5.5);
    assert_true(ten.is_proven && ten.holds);
    assert_int_equal(ten.good, 9);
    assert_false(of_numbers("dead_letters < 9", 10, .025).is_proven);
    is_near(of_numbers("dead_letters < 9", 6, .025).hi, 6);
    assert_true(of_numbers("dead_letters < 9", 5, .025).hi == HUGE_VAL);
    is_near(of_numbers("dead_letters p95 < 9", 59, .05).hi, 59);
    assert_true(of_numbers("dead_letters p95 < 9", 58, .05).hi == HUGE_VAL);
}

static void
one_run_proves_what_is_said_of_the_least_and_none_what_is_said_of_the_greatest(void **state) {
    (void)state;
    assert_true(of_numbers("dead_letters min < 2", 3, .05).is_proven);
    assert_false(of_numbers("dead_letters min > 0", 3, .05).is_proven);
    struct storm_evidence beyond = of_numbers("dead_letters max < 2", 3, .05);
    assert_true(beyond.is_proven && !beyond.holds);
    struct storm_evidence within = of_numbers("dead_letters max < 4", 3, .05);
    assert_true(!within.is_proven && within.holds);
}

static void means_have_students_interval(void **state) {
    (void)state;
    struct storm_evidence five = of_numbers("dead_letters mean > 1", 5, .025);
    is_near(five.value, 3);
    is_near(five.lo, 3 - 2.776445105 * sqrt(2.5 / 5));
    assert_true(five.is_proven && five.holds);
    assert_true(of_numbers("dead_letters mean > 1", 1, .025).lo == -HUGE_VAL);
}

static void what_does_not_come_back_takes_for_ever_and_has_no_mean(void **state) {
    (void)state;
    double values[] = {HUGE_VAL, 3, (double)NAN, 4};
    struct criterion mean = read_criterion("time_to_recover mean < 1h");
    struct storm_evidence evidence = evidence_of(&mean, &letters, values, 4, .05);
    assert_int_equal(evidence.runs, 3);
    assert_true(evidence.value == HUGE_VAL && !evidence.holds && !evidence.is_proven);
    double holes[] = {(double)NAN, (double)NAN};
    evidence = evidence_of(&mean, &letters, holes, 2, .05);
    assert_true(evidence.runs == 0 && !evidence.is_proven && !evidence.holds);
}

/* Of 500 intervals of 95 % as many hold the truth as should: .95 within four standard errors, and
   more, as exact intervals of few runs do. */
static void intervals_hold_the_truth(void **state) {
    (void)state;
    static const struct criterion share = {.name = "recovers", .bound = .5};
    static const struct criterion middle = {.name = "dead_letters", .bound = .5};
    uint32_t shares = 0, medians = 0;
    for (uint32_t study = 0; study < 500; study++) {
        double good[60], values[60];
        for (uint32_t k = 0; k < 60; k++) {
            double u = stream_uniform(stream_child(7, study, 1), STREAM_SERVICE, k);
            good[k] = u < .9;
            values[k] = u;
        }
        struct storm_evidence a = evidence_of(&share, &recovers, good, 60, .025);
        struct storm_evidence b = evidence_of(&middle, &letters, values, 60, .025);
        shares += a.lo <= .9 && .9 <= a.hi;
        medians += b.lo <= .5 && .5 <= b.hi;
    }
    print_message("of 500: %u intervals of shares, %u of medians hold the truth\n", shares,
                  medians);
    assert_true(shares >= 456 && medians >= 456);
    assert_true(shares < 500 && medians < 500);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_have_the_interval_of_clopper_and_pearson),
        cmocka_unit_test(shares_are_proven_when_the_interval_is_on_one_side),
        cmocka_unit_test(quantiles_have_the_interval_of_order_statistics),
        cmocka_unit_test(
            one_run_proves_what_is_said_of_the_least_and_none_what_is_said_of_the_greatest),
        cmocka_unit_test(means_have_students_interval),
        cmocka_unit_test(what_does_not_come_back_takes_for_ever_and_has_no_mean),
        cmocka_unit_test(intervals_hold_the_truth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
