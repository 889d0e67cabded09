/* test_doubles.c: what statistics do with their numbers first. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/test.h"

#include <math.h>

#include "base/doubles.h"

static void infinities_stand_at_the_ends_of_what_is_sorted(void **state) {
    (void)state;
    double values[] = {3, (double)INFINITY, -1, -(double)INFINITY, 2};
    doubles_sort(values, 5);
    assert_true(isinf(values[0]) && values[0] < 0);
    assert_true(values[1] <= -1 && values[2] <= 2 && values[2] >= 2 && values[3] >= 3);
    assert_true(isinf(values[4]) && values[4] > 0);
}

static void nothing_can_be_sorted(void **state) {
    (void)state;
    doubles_sort(NULL, 0);
}

static void holes_are_dropped_and_the_order_is_kept(void **state) {
    (void)state;
    double values[] = {(double)NAN, 3, 1, (double)NAN, 2};
    assert_int_equal(doubles_drop_holes(values, 5), 3);
    assert_true(values[0] >= 3 && values[1] <= 1 && values[2] >= 2 && values[2] <= 2);
    assert_int_equal(doubles_drop_holes(values, 0), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(infinities_stand_at_the_ends_of_what_is_sorted),
        cmocka_unit_test(nothing_can_be_sorted),
        cmocka_unit_test(holes_are_dropped_and_the_order_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
