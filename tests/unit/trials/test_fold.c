/* test_fold.c: made-up runs become counts, means, medians and ranges. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trials/fold.h"

#include <math.h>

#include "base/arena.h"
#include "support/test.h"

enum { RUNS_MOST = 100 };

/* One variant with two metrics: the values given, and the same times ten. */
struct folded {
    struct arena arena;
    struct storm_metric metrics[2];
    struct storm_variant variant;
    uint8_t verdicts[RUNS_MOST];
};

static void fold(struct folded *f, const double *values, const uint8_t *verdicts, uint32_t runs) {
    *f = (struct folded){.variant = {.runs_done = runs, .metric_count = 2}};
    f->variant.metrics = f->metrics;
    f->variant.verdict_per_run = f->verdicts;
    arena_init(&f->arena, 1 << 20);
    assert_true(fold_metrics_begin(&f->variant, runs, &f->arena));
    for (uint32_t run = 0; run < runs; run++) {
        double two[2] = {values != NULL ? values[run] : 0, values != NULL ? 10 * values[run] : 0};
        struct storm_run_result result = {.verdict = verdicts != NULL
                                                         ? (enum storm_verdict)verdicts[run]
                                                         : STORM_VERDICT_UNHARMED,
                                          .metrics = two};
        fold_run(&f->variant, run, &result);
    }
    assert_true(fold_metrics_end(&f->variant, &f->arena));
}

static void check(const struct storm_metric *m, uint32_t applies, double mean, double median,
                  double min, double max) {
    assert_int_equal(m->applies, applies);
    assert_true(m->mean == mean && m->median == median && m->min == min && m->max == max);
    assert_true(isnan(m->lo) && isnan(m->hi)); /* left to the analysis */
}

static void mean_median_and_range_of_an_odd_number_of_runs(void **state) {
    (void)state;
    static const double values[] = {5, 1, 3};
    struct folded f;
    fold(&f, values, NULL, 3);
    check(&f.metrics[0], 3, 3, 3, 1, 5);
    check(&f.metrics[1], 3, 30, 30, 10, 50);
    assert_true(f.metrics[0].per_run[0] == 5 && f.metrics[0].per_run[2] == 3); /* in run order */
    arena_free(&f.arena);
}

static void the_median_of_an_even_number_is_between_the_middle_two(void **state) {
    (void)state;
    static const double values[] = {8, 1, 2, 4};
    struct folded f;
    fold(&f, values, NULL, 4);
    check(&f.metrics[0], 4, 3.75, 3, 1, 8);
    arena_free(&f.arena);
}

static void runs_to_which_a_metric_does_not_apply_are_left_out(void **state) {
    (void)state;
    static const double values[] = {(double)NAN, 4, (double)NAN, -2, (double)NAN};
    struct folded f;
    fold(&f, values, NULL, 5);
    check(&f.metrics[0], 2, 1, 1, -2, 4);
    assert_true(isnan(f.metrics[0].per_run[0]));
    arena_free(&f.arena);
}

static void a_metric_that_never_applies_has_no_statistics(void **state) {
    (void)state;
    static const double values[] = {(double)NAN, (double)NAN};
    struct folded f;
    fold(&f, values, NULL, 2);
    assert_int_equal(f.metrics[0].applies, 0);
    assert_true(isnan(f.metrics[0].mean) && isnan(f.metrics[0].median) && isnan(f.metrics[0].min) &&
                isnan(f.metrics[0].max));
    arena_free(&f.arena);
}

static void one_run_and_no_run_are_no_special_cases(void **state) {
    (void)state;
    static const double values[] = {7};
    struct folded f;
    fold(&f, values, NULL, 1);
    check(&f.metrics[0], 1, 7, 7, 7, 7);
    arena_free(&f.arena);
    fold(&f, values, NULL, 0);
    assert_int_equal(f.metrics[0].applies, 0);
    assert_true(isnan(f.metrics[0].mean));
    arena_free(&f.arena);
}

static void verdicts_are_counted(void **state) {
    (void)state;
    static const uint8_t verdicts[] = {STORM_VERDICT_STUCK, STORM_VERDICT_RECOVERED,
                                       STORM_VERDICT_STUCK, STORM_VERDICT_TOO_SHORT};
    struct folded f;
    fold(&f, NULL, verdicts, 4);
    assert_int_equal(f.variant.verdicts[STORM_VERDICT_STUCK], 2);
    assert_int_equal(f.variant.verdicts[STORM_VERDICT_RECOVERED], 1);
    assert_int_equal(f.variant.verdicts[STORM_VERDICT_TOO_SHORT], 1);
    assert_int_equal(f.variant.verdicts[STORM_VERDICT_UNHARMED], 0);
    assert_memory_equal(f.verdicts, verdicts, 4);
    arena_free(&f.arena);
}

/* Of `runs` runs those in [from, to) have the other word. */
static uint32_t ghost_of(enum storm_verdict usual, enum storm_verdict other, uint32_t runs,
                         uint32_t from, uint32_t to) {
    uint8_t verdicts[RUNS_MOST];
    struct folded f;
    for (uint32_t run = 0; run < runs; run++)
        verdicts[run] = (uint8_t)(run >= from && run < to ? other : usual);
    fold(&f, NULL, verdicts, runs);
    uint32_t ghost = fold_ghost(&f.variant);
    arena_free(&f.arena);
    return ghost;
}

static void the_ghost_is_the_first_run_that_went_the_other_way_if_5_percent_do(void **state) {
    (void)state;
    const enum storm_verdict well = STORM_VERDICT_RECOVERED, ill = STORM_VERDICT_STUCK;
    assert_int_equal(ghost_of(well, ill, 100, 40, 45), 40);
    assert_int_equal(ghost_of(well, ill, 100, 40, 44), UINT32_MAX);
    assert_int_equal(ghost_of(ill, well, 100, 95, 100), 95);
    assert_int_equal(ghost_of(ill, well, 20, 19, 20), 19);
    assert_int_equal(ghost_of(ill, well, 21, 20, 21), UINT32_MAX);
    assert_int_equal(ghost_of(well, ill, 100, 0, 1), 1); /* run 0 is the odd one */
    assert_int_equal(ghost_of(well, ill, 1, 0, 1), UINT32_MAX);
    assert_int_equal(ghost_of(well, ill, 0, 0, 0), UINT32_MAX);
}

static void unharmed_and_recovered_went_the_same_way(void **state) {
    (void)state;
    assert_int_equal(ghost_of(STORM_VERDICT_UNHARMED, STORM_VERDICT_RECOVERED, 10, 3, 9),
                     UINT32_MAX);
    assert_int_equal(ghost_of(STORM_VERDICT_DEGRADED, STORM_VERDICT_STUCK, 10, 3, 9), UINT32_MAX);
    assert_int_equal(ghost_of(STORM_VERDICT_UNHARMED, STORM_VERDICT_DEGRADED, 10, 3, 9), 3);
}

static void without_memory_there_is_no_fold(void **state) {
    (void)state;
    struct folded f = {.variant = {.runs_done = 100, .metric_count = 2}};
    f.variant.metrics = f.metrics;
    arena_init(&f.arena, 100);
    assert_false(fold_metrics_begin(&f.variant, 100, &f.arena));
    arena_free(&f.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mean_median_and_range_of_an_odd_number_of_runs),
        cmocka_unit_test(the_median_of_an_even_number_is_between_the_middle_two),
        cmocka_unit_test(runs_to_which_a_metric_does_not_apply_are_left_out),
        cmocka_unit_test(a_metric_that_never_applies_has_no_statistics),
        cmocka_unit_test(one_run_and_no_run_are_no_special_cases),
        cmocka_unit_test(verdicts_are_counted),
        cmocka_unit_test(the_ghost_is_the_first_run_that_went_the_other_way_if_5_percent_do),
        cmocka_unit_test(unharmed_and_recovered_went_the_same_way),
        cmocka_unit_test(without_memory_there_is_no_fold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
