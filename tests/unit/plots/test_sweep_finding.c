/* test_sweep_finding.c: the sentence over a heat map is true of all the points that it speaks
   of. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "plots/sweep_finding.h"
#include "plots/swept.h"
#include "plots/words.h"
#include "support/sample_sweep.h"

static const struct sample_axis two[] = {{"policies.app.cap", "s", "s", true, 1, 16, 5, NULL},
                                         {"faults.0.for", "s", "s", false, 10, 50, 5, NULL}};

/* Ten runs at each point; `good` says how many of them recover, row by row of the last axis. */
static struct storm_sweep *made(const struct sample_axis *axes, uint32_t axis_count,
                                const uint32_t *good) {
    struct storm_sweep *sweep = sample_sweep(axes, axis_count, 0, 10, sample_wall);
    for (uint32_t i = 0; good != NULL && i < sweep->point_count; i++)
        sample_point(sweep, i)->good = good[i];
    return sweep;
}

static void assert_finding(struct storm_sweep *sweep, const char *expected) {
    struct arena arena;
    struct swept axes[4];
    char text[512];
    arena_init(&arena, 1 << 24);
    for (uint32_t i = 0; i < sweep->axis_count; i++)
        assert_true(swept_read(sweep, i, &arena, &axes[i]));
    assert_true(sweep_finding(sweep, axes, sweep->axis_count, &arena, text, sizeof text));
    assert_string_equal(text, expected);
    arena_free(&arena);
    sample_sweep_free(sweep);
}

#define S WORDS_THIN "s"

static void the_largest_corner_in_which_no_run_recovers_is_named(void **state) {
    static const uint32_t corner[] = {10, 10, 0,  0,  0, 10, 10, 0,  0,  0,  10, 10, 0,
                                      0,  0,  10, 10, 9, 9,  9,  10, 10, 10, 10, 10};
    static const uint32_t high[] = {10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 0,
                                    0,  0,  10, 10, 0,  0,  0,  10, 10, 0,  0,  0};
    static const uint32_t rows[] = {10, 10, 10, 0,  0,  10, 10, 10, 0,  0,  10, 10, 10,
                                    0,  0,  10, 10, 10, 0,  0,  10, 10, 10, 0,  0};
    (void)state;
    assert_finding(made(two, 2, corner),
                   "No run recovers with a cap of 4" S " or less and a fault of 30" S " or more");
    assert_finding(made(two, 2, high),
                   "No run recovers with a cap of 4" S " or more and a fault of 30" S " or more");
    assert_finding(made(two, 2, rows),
                   "No run recovers with a fault of 40" S " or more, whatever the cap");
}

static void a_point_that_was_not_judged_is_never_spoken_for(void **state) {
    static const uint32_t rows[] = {10, 10, 10, 0,  0,  10, 10, 10, 0,  0,  10, 10, 10,
                                    0,  0,  10, 10, 10, 0,  0,  10, 10, 10, 0,  0};
    struct storm_sweep *sweep = made(two, 2, rows);
    (void)state;
    sample_point(sweep, 3)->judged = 0;
    sample_point(sweep, 3)->good = 0;
    sweep->complete = false;
    assert_finding(sweep, "So far no run recovers with a cap of 2" S " or more and a fault of 40" S
                          " or more");
}

static void few_exceptions_are_admitted_but_said(void **state) {
    struct storm_sweep *sweep = sample_sweep(two, 2, 0, 100, sample_sharp);
    (void)state;
    for (uint32_t i = 0; i < sweep->point_count; i++)
        sample_point(sweep, i)->good = i % 5 < 3 ? 100 : i == 24 ? 5 : 0;
    assert_finding(sweep,
                   "Almost no run recovers with a fault of 40" S " or more, whatever the cap");
}

static void where_nearly_all_is_well_or_ill_that_is_said(void **state) {
    uint32_t good[25];
    (void)state;
    for (int i = 0; i < 25; i++)
        good[i] = 10;
    assert_finding(made(two, 2, good), "Every run recovers, whatever the cap and the fault");
    for (int i = 0; i < 25; i++)
        good[i] = 0;
    assert_finding(made(two, 2, good), "No run recovers, whatever the cap and the fault");
}

static void without_a_corner_the_points_are_counted(void **state) {
    uint32_t good[25];
    (void)state;
    for (uint32_t i = 0; i < 25; i++)
        good[i] = i % 3 == 0 ? 10 : i % 3 == 1 ? 0 : 5;
    assert_finding(made(two, 2, good),
                   "Of 25 points 9 always recover, 8 never do, and 8 may do either");
}

static void along_one_axis_both_ends_are_said(void **state) {
    static const struct sample_axis one[] = {
        {"policies.app.attempts", "", "", false, 1, 8, 8, NULL}};
    static const uint32_t good[] = {10, 10, 10, 7, 2, 0, 0, 0};
    (void)state;
    assert_finding(made(one, 1, good),
                   "No run recovers with 6 or more attempts, every one with 3 or fewer");
}

static void along_words_those_at_fault_are_named(void **state) {
    static const char *const words[] = {"fixed", "exponential", "full-jitter", "none"};
    static const struct sample_axis one[] = {{"variant", NULL, "", false, 0, 0, 4, words}};
    static const uint32_t good[] = {0, 4, 10, 0};
    (void)state;
    assert_finding(made(one, 1, good), "No run recovers with fixed or none");
}

static void figures_are_cut_away_from_the_rest_so_that_the_sentence_stays_true(void **state) {
    static const struct sample_axis one[] = {{"policies.app.cap", "s", "s", true, 1, 60, 10, NULL}};
    static const uint32_t good[] = {10, 10, 10, 10, 5, 5, 0, 0, 0, 0}; /* 3.915 s and 15.33 s */
    (void)state;
    assert_finding(made(one, 1, good), "No run recovers with a cap of 16" S
                                       " or more, every one with 3.9" S " or less");
}

/* Whatever the points, a sentence about a corner holds for each point in it. */
static void scattered_points_are_spoken_of_as_truly(void **state) {
    static const struct sample_axis axes[] = {{"policies.app.cap", "s", "s", true, 1, 60, 0, NULL},
                                              {"faults.0.for", "s", "s", false, 5, 45, 0, NULL}};
    struct storm_sweep *sweep = sample_sweep(axes, 2, 200, 40, sample_sharp);
    struct arena arena;
    struct swept swept[2];
    char text[512];
    double cap, fault;
    (void)state;
    arena_init(&arena, 1 << 24);
    assert_true(swept_read(sweep, 0, &arena, &swept[0]) && swept_read(sweep, 1, &arena, &swept[1]));
    assert_true(sweep_finding(sweep, swept, 2, &arena, text, sizeof text));
    assert_int_equal(sscanf(text,
                            "No run recovers with a cap of %lf" S " or less and a fault of %lf" S
                            " or more",
                            &cap, &fault),
                     2);
    uint32_t bad = 0, spoken = 0;
    for (uint32_t i = 0; i < sweep->point_count; i++) {
        const struct storm_sweep_point *point = &sweep->points[i];
        bool is_meant = point->numbers[0] <= cap && point->numbers[1] >= fault;
        bad += point->good == 0;
        spoken += is_meant;
        if (is_meant)
            assert_int_equal(point->good, 0);
    }
    assert_true(spoken >= bad / 3);
    arena_free(&arena);
    sample_sweep_free(sweep);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_largest_corner_in_which_no_run_recovers_is_named),
        cmocka_unit_test(a_point_that_was_not_judged_is_never_spoken_for),
        cmocka_unit_test(few_exceptions_are_admitted_but_said),
        cmocka_unit_test(where_nearly_all_is_well_or_ill_that_is_said),
        cmocka_unit_test(without_a_corner_the_points_are_counted),
        cmocka_unit_test(along_one_axis_both_ends_are_said),
        cmocka_unit_test(along_words_those_at_fault_are_named),
        cmocka_unit_test(figures_are_cut_away_from_the_rest_so_that_the_sentence_stays_true),
        cmocka_unit_test(scattered_points_are_spoken_of_as_truly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
