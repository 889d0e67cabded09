/* test_interval.c: the 95 % interval of a mean: its quantiles, and how often it holds the truth. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/interval.h"

#include <math.h>

#include "base/ziggurat.h"
#include "support/test.h"

enum { RUNS_MOST = 1000 };

/* One variant with one metric. */
struct bench {
    struct storm_results results;
    struct storm_variant variant;
    struct storm_metric metric;
    double values[RUNS_MOST];
};

/* Fills the interval over the first `runs` values, as the trials would have left them. */
static void fill(struct bench *b, uint32_t runs) {
    double sum = 0;
    b->metric = (struct storm_metric){
        .name = "x", .per_run = b->values, .lo = (double)NAN, .hi = (double)NAN};
    for (uint32_t run = 0; run < runs; run++) {
        if (isnan(b->values[run]))
            continue;
        sum += b->values[run];
        b->metric.applies++;
    }
    b->metric.mean = b->metric.applies > 0 ? sum / b->metric.applies : (double)NAN;
    b->variant = (struct storm_variant){.runs_done = runs, .metric_count = 1};
    b->variant.metrics = &b->metric;
    b->results = (struct storm_results){.runs = runs, .variant_count = 1};
    b->results.variants = &b->variant;
    interval_fill(&b->results);
}

/* Values 1 .. n have the mean (n + 1) / 2 and the variance n (n + 1) / 12, so half the interval is
   t sqrt((n + 1) / 12). The quantiles are from 20-digit integration of Student's density. */
static void the_quantiles_are_those_of_student(void **state) {
    (void)state;
    static const struct {
        uint32_t runs;
        double t;
    } rows[] = {{2, 12.70620473617},   {5, 2.776445105198},  {10, 2.262157162798},
                {20, 2.093024054408},  {30, 2.045229642133}, {100, 1.984216951586},
                {1000, 1.962341461133}};
    static struct bench b;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t n = rows[i].runs;
        for (uint32_t run = 0; run < n; run++)
            b.values[run] = run + 1;
        fill(&b, n);
        double half = rows[i].t * sqrt((n + 1) / 12.0), mean = (n + 1) / 2.0;
        assert_true(fabs(b.metric.lo - (mean - half)) < 1e-9 * n);
        assert_true(fabs(b.metric.hi - (mean + half)) < 1e-9 * n);
    }
}

static void fewer_than_two_values_have_no_interval(void **state) {
    (void)state;
    static struct bench b;
    for (uint32_t n = 0; n < 2; n++) {
        b.values[0] = 3;
        fill(&b, n);
        assert_true(isnan(b.metric.lo) && isnan(b.metric.hi));
    }
    b.values[0] = (double)NAN;
    b.values[1] = 3;
    b.values[2] = (double)NAN;
    fill(&b, 3);
    assert_true(isnan(b.metric.lo) && isnan(b.metric.hi));
}

static void equal_values_have_an_interval_of_no_width(void **state) {
    (void)state;
    static struct bench b;
    for (uint32_t run = 0; run < 30; run++)
        b.values[run] = 0.1;
    fill(&b, 30);
    assert_true(fabs(b.metric.hi - b.metric.lo) < 1e-15);
    assert_true(fabs(b.metric.lo - 0.1) < 1e-15);
}

/* What does not apply is neither a value nor counts for the freedom: 1 .. 5 among holes. */
static void runs_to_which_the_metric_does_not_apply_are_left_out(void **state) {
    (void)state;
    static struct bench b;
    for (uint32_t run = 0; run < 10; run++)
        b.values[run] = run % 2 == 0 ? (double)NAN : (run + 1) / 2.0;
    fill(&b, 10);
    assert_int_equal(b.metric.applies, 5);
    assert_true(fabs(b.metric.hi - (3 + 2.776445105198 * sqrt(0.5))) < 1e-9);
}

/* 1000 times the interval of ten normal numbers: 95 % hold the mean, within 4 standard errors
   (2.76 points). */
static void ninety_five_of_a_hundred_intervals_hold_the_truth(void **state) {
    (void)state;
    static struct bench b;
    int held = 0;
    for (uint64_t trial = 1; trial <= 1000; trial++) {
        uint32_t k = 0;
        for (uint32_t run = 0; run < 10; run++)
            b.values[run] = 7 + 3 * ziggurat_normal(trial, 1, &k);
        fill(&b, 10);
        held += b.metric.lo <= 7 && 7 <= b.metric.hi;
    }
    assert_in_range(held, 950 - 27, 950 + 27);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_quantiles_are_those_of_student),
        cmocka_unit_test(fewer_than_two_values_have_no_interval),
        cmocka_unit_test(equal_values_have_an_interval_of_no_width),
        cmocka_unit_test(runs_to_which_the_metric_does_not_apply_are_left_out),
        cmocka_unit_test(ninety_five_of_a_hundred_intervals_hold_the_truth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
