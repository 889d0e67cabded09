/* test_hist.c: quantiles within one percent, exact at the ends, and merging that loses nothing. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hist.h"
#include "base/stream.h"
#include "support/test.h"

enum { VALUES = 20000 };
static const double quantiles[] = {0.0, 0.001, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999, 1.0};

static int by_time(const void *a, const void *b) {
    storm_time left = *(const storm_time *)a;
    storm_time right = *(const storm_time *)b;
    return (left > right) - (left < right);
}

/* Values over the whole range: up to 62 random bits. */
static storm_time value_of(uint32_t k) {
    storm_time value = (storm_time)(stream_bits(5, 1, k) >> (2 + stream_bits(5, 2, k) % 62));
    return value < STORM_NEVER ? value : STORM_NEVER;
}

static void an_empty_histogram_has_quantile_0(void **state) {
    (void)state;
    static struct hist hist;
    assert_int_equal(hist_quantile(&hist, 0.0), 0);
    assert_int_equal(hist_quantile(&hist, 0.99), 0);
}

static void quantiles_are_within_one_percent_of_the_sorted_values(void **state) {
    (void)state;
    static struct hist hist;
    static storm_time values[VALUES];
    for (uint32_t k = 0; k < VALUES; k++) {
        values[k] = value_of(k);
        hist_record(&hist, values[k]);
    }
    qsort(values, VALUES, sizeof values[0], by_time);
    assert_int_equal(hist.count, VALUES);
    for (size_t i = 0; i < sizeof quantiles / sizeof quantiles[0]; i++) {
        double rank = ceil(quantiles[i] * VALUES);
        storm_time exact = values[rank < 1.0 ? 0 : (size_t)rank - 1];
        storm_time found = hist_quantile(&hist, quantiles[i]);
        assert_true(fabs((double)(found - exact)) <= 0.0079 * (double)exact);
    }
    assert_int_equal(hist_quantile(&hist, 0.0), values[0]);
    assert_int_equal(hist_quantile(&hist, 1.0), values[VALUES - 1]);
}

/* Every power of two and its neighbours: where a bucket or an octave begins. */
static void every_edge_of_an_octave_lies_in_its_own_bucket(void **state) {
    (void)state;
    static struct hist hist;
    for (int power = 0; power < 62; power++) {
        for (storm_time value = (INT64_C(1) << power) - 1; value <= (INT64_C(1) << power) + 1;
             value++) {
            memset(&hist, 0, sizeof hist);
            hist_record(&hist, 0);
            hist_record(&hist, value);
            hist_record(&hist, STORM_NEVER);
            storm_time found = hist_quantile(&hist, 0.5);
            if (value < 128)
                assert_int_equal(found, value);
            assert_true(fabs((double)(found - value)) <= (double)value / 128.0);
        }
    }
}

static void small_values_are_exact(void **state) {
    (void)state;
    static struct hist hist;
    for (storm_time value = 1; value <= 100; value++)
        hist_record(&hist, value);
    for (int percent = 1; percent <= 100; percent++) /* 0.07 * 100 > 7 in doubles */
        assert_int_equal(hist_quantile(&hist, percent / 100.0), percent);
}

static void the_ends_are_exact_within_one_bucket(void **state) {
    (void)state;
    static struct hist hist;
    for (storm_time value = 1000000; value <= 1000200; value += 100)
        hist_record(&hist, value);
    assert_int_equal(hist_quantile(&hist, 0.0), 1000000);
    assert_int_equal(hist_quantile(&hist, 1.0), 1000200);
    assert_in_range(hist_quantile(&hist, 0.5), 1000000, 1000200);
}

static void never_is_a_value_like_others(void **state) {
    (void)state;
    static struct hist hist;
    hist_record(&hist, STORM_NEVER);
    assert_int_equal(hist_quantile(&hist, 0.5), STORM_NEVER);
    assert_true(isinf(hist.sum));
}

static void merging_equals_recording_together(void **state) {
    (void)state;
    static struct hist parts[3], merged, whole;
    for (uint32_t k = 0; k < VALUES; k++) {
        storm_time value = value_of(k) / 1024;
        hist_record(&parts[k % 2], value);
        hist_record(&whole, value);
    }
    for (int part = 2; part >= 0; part--) /* the third is empty */
        hist_merge(&merged, &parts[part]);
    assert_memory_equal(merged.buckets, whole.buckets, sizeof whole.buckets);
    assert_int_equal(merged.count, whole.count);
    assert_int_equal(merged.min, whole.min);
    assert_int_equal(merged.max, whole.max);
    assert_true(fabs(merged.sum - whole.sum) <= 1e-12 * whole.sum);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_histogram_has_quantile_0),
        cmocka_unit_test(quantiles_are_within_one_percent_of_the_sorted_values),
        cmocka_unit_test(every_edge_of_an_octave_lies_in_its_own_bucket),
        cmocka_unit_test(small_values_are_exact),
        cmocka_unit_test(the_ends_are_exact_within_one_bucket),
        cmocka_unit_test(never_is_a_value_like_others),
        cmocka_unit_test(merging_equals_recording_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
