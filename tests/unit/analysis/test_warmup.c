/* test_warmup.c: where a series stops to show how it was begun. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/warmup.h"

#include <math.h>

#include "support/test.h"

enum { COUNT = 103 };

static void a_step_is_cut_at_the_first_batch_after_it(void **state) {
    (void)state;
    double values[COUNT];
    for (int i = 0; i < COUNT; i++) {
        values[i] = (i < 23 ? 100 : 1) + (i % 5 == 2 ? 0.5 : 0);
    }
    struct warmup found = warmup_mser5(values, COUNT);
    assert_int_equal(found.cut, 25);
    assert_true(fabs(found.mean - 1.1) < 0.01 && found.statistic < 1e-20);
}

/* Batches of means 0, 2, 2, 4: 8 / 16 with all of them, (24 / 9) / 9 without the first, 2 / 4
   without two. */
static void the_least_of_squares_over_squared_count_is_taken(void **state) {
    (void)state;
    static const double means[] = {0, 2, 2, 4};
    double values[20];
    for (int i = 0; i < 20; i++) {
        values[i] = means[i / 5] + (i % 5 - 2); /* what is within a batch counts for nothing */
    }
    struct warmup found = warmup_mser5(values, 20);
    assert_int_equal(found.cut, 5);
    assert_true(fabs(found.statistic - 8 / 27.0) < 1e-12 && fabs(found.mean - 8 / 3.0) < 1e-12);
}

static void a_series_that_is_always_alike_is_not_cut(void **state) {
    (void)state;
    double values[COUNT];
    for (int i = 0; i < COUNT; i++) {
        values[i] = 7;
    }
    struct warmup found = warmup_mser5(values, COUNT);
    assert_int_equal(found.cut, 0);
    assert_true(fabs(found.mean - 7) < 1e-12);
    found = warmup_mser5(values, 5);
    assert_int_equal(found.cut, 0);
}

static void never_more_than_half_is_cut(void **state) {
    (void)state;
    double values[COUNT];
    for (int i = 0; i < COUNT; i++) {
        values[i] = i < 90 ? i : 90;
    }
    assert_int_equal(warmup_mser5(values, COUNT).cut, 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_is_cut_at_the_first_batch_after_it),
        cmocka_unit_test(the_least_of_squares_over_squared_count_is_taken),
        cmocka_unit_test(a_series_that_is_always_alike_is_not_cut),
        cmocka_unit_test(never_more_than_half_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
