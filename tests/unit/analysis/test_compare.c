/* test_compare.c: every variant against a reference, rankings, and runs that are added. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/compare.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "support/small_world.h"
#include "support/test.h"
#include "trials/trials.h"

enum { VARIANTS = 3, FIRST_RUNS = 8, RUNS_MOST = 100 };

/* The busy world with four, two and one attempts. */
struct bench {
    struct small_world worlds[VARIANTS];
    struct trials_variant variants[VARIANTS];
    struct trials_plan runs;
    struct arena arena;
    struct storm_error error;
};

static void bench_set(struct bench *b) {
    static const char *const names[] = {"four", "two", "one"};
    static const struct storm_setting settings[] = {{"x", "y"}};
    *b = (struct bench){.runs = {.file = "busy.yaml",
                                 .variants = b->variants,
                                 .variant_count = VARIANTS,
                                 .threads = 1,
                                 .seed = 5}};
    for (int i = 0; i < VARIANTS; i++) {
        small_world_busy(&b->worlds[i]);
        b->worlds[i].populations[0].in_time = 400 * MS;
        b->variants[i] =
            (struct trials_variant){names[i], &b->worlds[i].scenario, settings, 1, .also = {0}};
    }
    b->worlds[0].policies[0].attempts = 4;
    b->worlds[1].policies[0].attempts = 2;
    b->worlds[2].policies[0].attempts = 1;
    arena_init(&b->arena, (size_t)1 << 30);
}

static void bench_free(struct bench *b) {
    arena_free(&b->arena);
    for (int i = 0; i < VARIANTS; i++) {
        small_world_free(&b->worlds[i]);
    }
}

static const struct storm_results *compared(struct bench *b, struct compare_plan plan) {
    struct trials *trials = trials_begin(&b->runs, &b->arena, &b->error);
    const struct storm_results *r = compare_trials(trials, &plan, &b->arena, &b->error);
    trials_end(trials);
    assert_non_null(r);
    return r;
}

static void all_are_compared_with_the_reference_and_neighbours_ranked(void **state) {
    (void)state;
    struct bench b;
    bench_set(&b);
    const struct storm_results *r =
        compared(&b, (struct compare_plan){.reference = 1, .tolerance = 0.01, .runs = 20});
    assert_int_equal(r->runs, 20);
    assert_int_equal(storm_results_compared(r), 2);
    assert_true(r->comparisons[0].reference == 1 && r->comparisons[0].other == 0);
    assert_true(r->comparisons[1].reference == 1 && r->comparisons[1].other == 2);
    const struct storm_difference *more =
        storm_comparison_difference(&r->comparisons[0], "attempts_per_request");
    assert_int_equal(more->change, STORM_CHANGE_WORSE);
    assert_true(more->pairs == 20 && more->lo > 0);
    assert_null(storm_comparison_difference(&r->comparisons[0], "no such"));
    for (uint32_t c = 2; c < r->comparison_count; c++) {
        const struct storm_comparison *rank = &r->comparisons[c];
        assert_int_equal(rank->difference_count, 1);
        assert_true(rank->differences[0].difference <= 0); /* the better one first */
        assert_ptr_equal(
            storm_results_ranking(r, rank->other, rank->reference, rank->differences[0].metric),
            &rank->differences[0]);
    }
    /* Three variants have two places where one stands below another. */
    uint32_t ranked = 0;
    for (uint32_t a = 0; a < VARIANTS; a++) {
        for (uint32_t z = a + 1; z < VARIANTS; z++) {
            ranked += storm_results_ranking(r, a, z, "success_share") != NULL;
        }
    }
    assert_int_equal(ranked, 2);
    bench_free(&b);
}

static void one_variant_is_compared_with_none(void **state) {
    (void)state;
    struct bench b;
    bench_set(&b);
    b.runs.variant_count = 1;
    const struct storm_results *r =
        compared(&b, (struct compare_plan){.tolerance = 0.01, .precision = 0.01, .runs = 2});
    assert_true(r->comparison_count == 0 && storm_results_compared(r) == 0 && r->runs == 2);
    bench_free(&b);
}

static void runs_are_doubled_until_the_intervals_are_narrow(void **state) {
    (void)state;
    struct bench b;
    const struct compare_plan plan = {
        .tolerance = 0.01, .precision = 0.2, .runs = FIRST_RUNS, .runs_most = RUNS_MOST};
    bench_set(&b);
    const struct storm_results *r = compared(&b, plan);
    assert_true(r->complete && r->runs > FIRST_RUNS && r->runs < RUNS_MOST);
    assert_int_equal(r->runs & (r->runs - 1), 0); /* 8, 16, 32, 64 */
    assert_true(compare_is_precise(r, plan.precision));
    assert_true(r->variants[0].series_count > 0);

    /* With half of them it was not precise enough, and these are the same runs. */
    struct bench half;
    bench_set(&half);
    const struct storm_results *before =
        compared(&half, (struct compare_plan){.tolerance = 0.01, .runs = r->runs / 2});
    assert_false(compare_is_precise(before, plan.precision));
    for (uint32_t m = 0; m < before->variants[2].metric_count; m++) {
        assert_memory_equal(before->variants[2].metrics[m].per_run,
                            r->variants[2].metrics[m].per_run, before->runs * sizeof(double));
    }
    bench_free(&half);
    bench_free(&b);
}

static void the_most_runs_end_it(void **state) {
    (void)state;
    struct bench b;
    bench_set(&b);
    const struct storm_results *r = compared(
        &b, (struct compare_plan){
                .tolerance = 0.01, .precision = 1e-6, .runs = FIRST_RUNS, .runs_most = 20});
    assert_int_equal(r->runs, 20);
    assert_true(r->complete && !compare_is_precise(r, 1e-6));
    bench_free(&b);
}

static void an_interrupted_comparison_keeps_what_is_done(void **state) {
    (void)state;
    static volatile sig_atomic_t stop;
    struct bench b;
    stop = 1;
    bench_set(&b);
    b.runs.stop = &stop;
    const struct storm_results *r = compared(
        &b, (struct compare_plan){.tolerance = 0.01, .precision = 0.1, .runs = 4, .runs_most = 8});
    assert_int_equal(b.error.status, STORM_INTERRUPTED);
    assert_true(r->runs == 0 && !r->complete);
    bench_free(&b);
}

/* ---- what leads ------------------------------------------------------------------------------ */

static void of_several_places_the_fullest_leads(void **state) {
    (void)state;
    struct storm_difference rows[] = {
        {.metric = "recovers", .reference = 1, .other = 1},
        {.metric = "dead_letters", .reference = 10, .other = 5},
        {.metric = "dead_letters.refused", .reference = 10, .other = 5},
        {.metric = "peak_load_capacity.web", .reference = 1, .other = 2},
        {.metric = "peak_load_capacity.db", .reference = 3, .other = 1},
        {.metric = "peak_load.db", .reference = 300, .other = 100},
        {.metric = "amplification.db", .reference = 1, .other = 1},
        {.metric = "mean_wait.db", .reference = 1, .other = 1},
    };
    static const bool expected[] = {true, true, false, false, true, false, true, false};
    struct storm_comparison comparison = {.difference_count = sizeof rows / sizeof rows[0],
                                          .differences = rows};
    for (uint32_t i = 0; i < comparison.difference_count; i++) {
        assert_int_equal(storm_comparison_leads(&comparison, i), expected[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_are_compared_with_the_reference_and_neighbours_ranked),
        cmocka_unit_test(one_variant_is_compared_with_none),
        cmocka_unit_test(runs_are_doubled_until_the_intervals_are_narrow),
        cmocka_unit_test(the_most_runs_end_it),
        cmocka_unit_test(an_interrupted_comparison_keeps_what_is_done),
        cmocka_unit_test(of_several_places_the_fullest_leads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
