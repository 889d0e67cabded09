/* test_paired.c: tests and intervals of paired values, against figures worked out elsewhere. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/paired.h"

#include <math.h>

#include "support/test.h"

enum { MOST = 1600 };

static void assert_near(double value, double expected, double error) {
    if (!(fabs(value - expected) <= error)) {
        fail_msg("%.12g instead of %.12g", value, expected);
    }
}

static void assert_same(double a, double b) { assert_true(a <= b && a >= b); }

static struct paired pair(enum paired_kind kind, const double *reference, const double *other,
                          uint32_t count) {
    static double scratch[MOST];
    return paired_of(kind, reference, other, count, scratch);
}

/* Student, "The probable error of a mean" (1908): hours of sleep won with two drugs. */
static const double sleep_1[] = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
static const double sleep_2[] = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};

static void means_are_compared_as_student_did(void **state) {
    (void)state;
    double lo, hi;
    struct paired paired = pair(PAIRED_MEAN, sleep_1, sleep_2, 10);
    assert_true(paired.pairs == 10 && !paired.is_equal);
    assert_near(paired.reference, 0.75, 1e-12);
    assert_near(paired.other, 2.33, 1e-12);
    assert_near(paired.difference, 1.58, 1e-12);
    assert_near(paired.p, 0.002832890, 1e-9); /* 20-digit integration of the density */
    paired_interval(&paired, 0.05, &lo, &hi);
    assert_near(lo, 0.7001142, 5e-8);
    assert_near(hi, 2.4598858, 5e-8);
}

/* Nine of the ten slept longer and one as long: 2 / 2^9. Of ten, the second and the ninth hold the
   median with 97.9 %. */
static void medians_are_compared_by_signs_and_order(void **state) {
    (void)state;
    double lo, hi;
    struct paired paired = pair(PAIRED_MEDIAN, sleep_1, sleep_2, 10);
    assert_true(paired.up == 9 && paired.down == 0);
    assert_near(paired.difference, 1.3, 1e-12);
    assert_near(paired.p, 2 / 512.0, 1e-9);
    paired_interval(&paired, 0.05, &lo, &hi);
    assert_near(lo, 0.8, 1e-12);
    assert_near(hi, 2.4, 1e-12);
    paired_interval(&paired, 0.0215, &lo, &hi); /* 2 x 11 / 1024 = .02148 */
    assert_near(lo, 0.8, 1e-12);
    paired_interval(&paired, 0.0214, &lo, &hi);
    assert_near(lo, 0, 1e-12);
    assert_near(hi, 4.6, 1e-12);
    paired_interval(&paired, 0.0019, &lo, &hi); /* 2 / 1024 = .00195: nothing bounds it */
    assert_true(isinf(lo) && lo < 0 && isinf(hi) && hi > 0);
}

static void the_median_interval_is_that_of_the_tables(void **state) {
    (void)state;
    /* The rank of the lower end at 95 % (David and Nagaraja, section 7.1; 0: none). */
    static const struct {
        uint32_t count, rank;
    } rows[] = {{5, 0}, {6, 1}, {8, 1}, {9, 2}, {10, 2}, {15, 4}, {20, 6}, {30, 10}, {100, 40}};
    static double reference[MOST], other[MOST];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double lo, hi;
        for (uint32_t run = 0; run < rows[i].count; run++) {
            other[run] = rows[i].count - run;
        }
        struct paired paired = pair(PAIRED_MEDIAN, reference, other, rows[i].count);
        paired_interval(&paired, 0.05, &lo, &hi);
        if (rows[i].rank == 0) {
            assert_true(isinf(lo) && isinf(hi));
        } else {
            assert_near(lo, rows[i].rank, 0);
            assert_near(hi, rows[i].count + 1 - rows[i].rank, 0);
        }
    }
}

/* 1600 people asked twice whether they approve: 794 did both times, 86 only the second time, 150
   only the first, 570 never (A. Agresti, "Categorical Data Analysis", the performance of a prime
   minister). */
static struct paired ratings(void) {
    static double first[MOST], second[MOST];
    for (int i = 0; i < MOST; i++) {
        first[i] = i < 794 + 150 ? 1 : 0;
        second[i] = i < 794 || i >= 1600 - 86 ? 1 : 0;
    }
    return pair(PAIRED_SHARE, first, second, MOST);
}

static void shares_are_compared_by_the_pairs_that_differ(void **state) {
    (void)state;
    double lo, hi;
    struct paired paired = ratings();
    assert_true(paired.pairs == 1600 && paired.up == 86 && paired.down == 150);
    assert_near(paired.reference, 0.59, 1e-12);
    assert_near(paired.other, 0.55, 1e-12);
    assert_near(paired.difference, -0.04, 1e-12);
    assert_near(paired.p, 2 * 0.00001857968, 2e-9);
    paired_interval(&paired, 0.05, &lo, &hi);
    /* (87 - 151) / 1602 -+ 1.959964 sqrt((238 / 1602 - (64 / 1602)^2) / 1602) */
    assert_near(lo, -0.0587224, 1e-6);
    assert_near(hi, -0.0211777, 1e-6);
}

static void an_interval_of_shares_is_no_bolder_than_the_exact_test(void **state) {
    (void)state;
    double reference[30] = {0}, other[30] = {1, 1, 1, 1, 1}, lo, hi;
    struct paired paired = pair(PAIRED_SHARE, reference, other, 30);
    assert_near(paired.p, 0.0625, 1e-12); /* 2 / 2^5 */
    paired_interval(&paired, 0.05, &lo, &hi);
    assert_same(lo, 0);
    assert_true(hi > 5 / 30.0 && hi < 0.5);
    paired_interval(&paired, 0.0625, &lo, &hi); /* it just rejects */
    assert_true(lo > 0);
    for (int i = 0; i < 30; i++) {
        other[i] = 1;
    }
    paired = pair(PAIRED_SHARE, reference, other, 30);
    paired_interval(&paired, 0.05, &lo, &hi);
    assert_true(lo > 0.8 && lo < 1);
    assert_same(hi, 1);
}

static void equal_pairs_differ_by_nothing(void **state) {
    (void)state;
    for (int kind = PAIRED_MEAN; kind <= PAIRED_SHARE; kind++) {
        const double ones[] = {1, 1, 1};
        double lo, hi;
        struct paired paired = pair((enum paired_kind)kind, ones, ones, 3);
        assert_true(paired.is_equal);
        assert_same(paired.p, 1);
        assert_same(paired.difference, 0);
        paired_interval(&paired, 0.001, &lo, &hi);
        assert_same(lo, 0);
        assert_same(hi, 0);
    }
}

static void a_pair_has_two_numbers(void **state) {
    (void)state;
    const double hole = (double)NAN;
    const double reference[] = {1, hole, 3, 4}, other[] = {2, 5, hole, 7};
    struct paired paired = pair(PAIRED_MEAN, reference, other, 4);
    assert_int_equal(paired.pairs, 2);
    assert_near(paired.reference, 2.5, 0);
    assert_near(paired.other, 4.5, 0);
    assert_near(paired.difference, 2, 0);
    paired = pair(PAIRED_MEDIAN, reference, &other[1], 1);
    assert_int_equal(paired.pairs, 1);
    paired = pair(PAIRED_MEDIAN, &reference[1], other, 1);
    assert_true(paired.pairs == 0 && isnan(paired.difference) && !paired.is_equal);
}

static void one_pair_that_differs_tells_nothing(void **state) {
    (void)state;
    const double reference[] = {1}, other[] = {2};
    for (int kind = PAIRED_MEAN; kind <= PAIRED_MEDIAN; kind++) {
        double lo, hi;
        struct paired paired = pair((enum paired_kind)kind, reference, other, 1);
        assert_same(paired.p, 1);
        paired_interval(&paired, 0.05, &lo, &hi);
        assert_true(isinf(lo) && isinf(hi));
    }
}

static void the_same_difference_in_six_pairs_is_certain_and_in_fewer_is_not(void **state) {
    (void)state;
    const double reference[] = {1, 5, 9, 2, 4, 8}, other[] = {3, 7, 11, 4, 6, 10};
    double lo, hi;
    struct paired paired = pair(PAIRED_MEAN, reference, other, 6);
    assert_same(paired.p, 0);
    paired_interval(&paired, 0.05, &lo, &hi);
    assert_same(lo, 2);
    assert_same(hi, 2);
    paired = pair(PAIRED_MEAN, reference, other, 2);
    assert_same(paired.p, 0.5);
    paired_interval(&paired, 0.05, &lo, &hi);
    assert_true(isinf(lo) && isinf(hi));
}

static void without_chance_one_look_is_enough(void **state) {
    (void)state;
    const double reference[] = {4, 4}, other[] = {6, 6};
    double lo, hi;
    struct paired paired = pair(PAIRED_MEDIAN, reference, other, 2);
    paired_settle(&paired);
    assert_same(paired.p, 0);
    paired_interval(&paired, 0.05, &lo, &hi);
    assert_same(lo, 2);
    assert_same(hi, 2);
}

static void the_last_bits_of_a_sum_are_no_difference(void **state) {
    (void)state;
    const double reference[] = {0.3, 0.3}, other[] = {0.1 + 0.2, 0.1 + 0.2};
    assert_true(pair(PAIRED_MEAN, reference, other, 2).is_equal);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means_are_compared_as_student_did),
        cmocka_unit_test(medians_are_compared_by_signs_and_order),
        cmocka_unit_test(the_median_interval_is_that_of_the_tables),
        cmocka_unit_test(shares_are_compared_by_the_pairs_that_differ),
        cmocka_unit_test(an_interval_of_shares_is_no_bolder_than_the_exact_test),
        cmocka_unit_test(equal_pairs_differ_by_nothing),
        cmocka_unit_test(a_pair_has_two_numbers),
        cmocka_unit_test(one_pair_that_differs_tells_nothing),
        cmocka_unit_test(the_same_difference_in_six_pairs_is_certain_and_in_fewer_is_not),
        cmocka_unit_test(without_chance_one_look_is_enough),
        cmocka_unit_test(the_last_bits_of_a_sum_are_no_difference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
