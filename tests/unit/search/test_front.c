/* test_front.c: who is on the front, and who is beaten. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "search/front.h"

#include <math.h>

#include "base/stream.h"
#include "support/test.h"

static void only_points_that_no_other_beats_are_on_the_front(void **state) {
    (void)state;
    static const bool less[] = {false, false};
    const double values[] = {1, 9, 2, 5, 3, 5, 4, 4, 2, 5, 9, 1, 9, 2};
    static const bool truth[] = {true, true, false, true, true, true, false};
    bool is_front[7];
    front_mark(values, 7, 2, less, is_front);
    for (int i = 0; i < 7; i++) {
        assert_int_equal(is_front[i], truth[i]);
    }
}

static void more_may_be_better_and_no_number_is_worst(void **state) {
    (void)state;
    static const bool directions[] = {false, true};
    const double values[] = {1, .5, 2, .9, 3, .8, (double)NAN, .9, (double)NAN, 1, HUGE_VAL, .2};
    static const bool truth[] = {true, true, false, false, true, false};
    bool is_front[6];
    front_mark(values, 6, 2, directions, is_front);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(is_front[i], truth[i]);
    }
}

/* In one measure it is the least alone; the front of many random points is beaten by none. */
static void fronts_agree_with_their_definition(void **state) {
    (void)state;
    enum { POINTS = 200 };
    static const bool less[] = {false, false, false};
    double values[3 * POINTS];
    bool is_front[POINTS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < 3 * POINTS; i++) {
        values[i] = stream_uniform(11, STREAM_SERVICE, i);
    }
    front_mark(values, POINTS, 1, less, is_front);
    for (uint32_t i = 0; i < POINTS; i++) {
        count += is_front[i];
    }
    assert_int_equal(count, 1);
    front_mark(values, POINTS, 3, less, is_front);
    for (uint32_t i = 0; i < POINTS; i++) {
        bool beaten = false;
        for (uint32_t j = 0; j < POINTS; j++) {
            const double *a = values + 3 * j, *b = values + 3 * i;
            beaten = beaten || (a[0] < b[0] && a[1] < b[1] && a[2] < b[2]);
        }
        assert_int_equal(is_front[i], !beaten);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_points_that_no_other_beats_are_on_the_front),
        cmocka_unit_test(more_may_be_better_and_no_number_is_worst),
        cmocka_unit_test(fronts_agree_with_their_definition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
