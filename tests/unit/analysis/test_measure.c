/* test_measure.c: names that people use find their values, and statistics of them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/measure.h"

#include <math.h>
#include <string.h>

#include "support/test.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

enum { RUNS = 4 };

static const double hole = (double)NAN;

/* Four runs: never harmed, back after 30 s, stuck, and too short to tell. */
static uint8_t verdicts[RUNS] = {STORM_VERDICT_UNHARMED, STORM_VERDICT_RECOVERED,
                                 STORM_VERDICT_STUCK, STORM_VERDICT_TOO_SHORT};
static double recover[RUNS],
    load_web[RUNS] = {1, 5, 3, (double)NAN}, load_db[RUNS] = {2, 4, (double)NAN, (double)NAN},
    useful_web[RUNS] = {9, 2, 5, 1}, useful_db[RUNS] = {3, 6, 5, 2}, busy_web[RUNS] = {1, 2, 3, 4},
    busy_db[RUNS] = {4, 3, 2, 1}, dead[RUNS] = {7, 8, 9, 10}, dead_full[RUNS] = {1, 1, 1, 1};

static struct storm_metric metrics[] = {
    {.name = "dead_letters", .unit = "requests", .per_run = dead},
    {.name = "dead_letters.refused", .unit = "requests", .per_run = dead_full},
    {.name = "peak_load.web", .unit = "attempts/s", .per_run = load_web},
    {.name = "peak_load.db", .unit = "attempts/s", .per_run = load_db},
    {.name = "useful_work.web", .better = STORM_BETTER_HIGHER, .per_run = useful_web},
    {.name = "useful_work.db", .better = STORM_BETTER_HIGHER, .per_run = useful_db},
    {.name = "mean_busy.web", .better = STORM_BETTER_NEITHER, .per_run = busy_web},
    {.name = "mean_busy.db", .better = STORM_BETTER_NEITHER, .per_run = busy_db},
    {.name = "time_to_recover", .unit = "s", .per_run = recover},
};

static struct storm_variant variant_of(void) {
    const double times[RUNS] = {(double)NAN, 30, (double)NAN, (double)NAN};
    memcpy(recover, times, sizeof times);
    return (struct storm_variant){.name = "base",
                                  .runs_done = RUNS,
                                  .verdict_per_run = verdicts,
                                  .metric_count = LENGTH(metrics),
                                  .metrics = metrics};
}

static void check(const char *name, const double expected[RUNS]) {
    struct storm_variant variant = variant_of();
    struct measure measure;
    struct storm_error error = {0};
    double values[RUNS];
    assert_true(measure_find(&variant, name, &measure, &error));
    measure_values(&variant, &measure, values);
    for (int run = 0; run < RUNS; run++) {
        assert_true(isnan(expected[run]) == (bool)isnan(values[run]));
        if (!isnan(expected[run]) &&
            !(values[run] <= expected[run] && values[run] >= expected[run])) {
            fail_msg("%s, run %d: %g instead of %g", name, run, values[run], expected[run]);
        }
    }
}

static void a_name_without_its_place_is_the_worst_place_of_each_run(void **state) {
    (void)state;
    check("peak_load", (const double[]){2, 5, 3, hole});
    check("useful_work", (const double[]){3, 2, 5, 1});
    check("mean_busy", (const double[]){4, 3, 3, 4});
    check("peak_load.db", (const double[]){2, 4, hole, hole});
}

static void the_whole_beats_its_parts(void **state) {
    (void)state;
    check("dead_letters", dead);
    check("dead_letters.refused", dead_full);
}

static void who_stays_away_takes_for_ever_and_who_was_not_harmed_no_time(void **state) {
    (void)state;
    check("time_to_recover", (const double[]){0, 30, HUGE_VAL, hole});
    check("recovers", (const double[]){1, 1, 0, hole});
}

static void a_measure_is_found_before_there_are_runs(void **state) {
    (void)state;
    struct storm_variant variant = variant_of();
    struct measure measure;
    struct storm_error error = {0};
    variant.runs_done = 0;
    variant.verdict_per_run = NULL;
    assert_true(measure_find(&variant, "peak_load", &measure, &error));
    assert_string_equal(measure.unit, "attempts/s");
    assert_false(measure.is_share_of_runs);
    assert_true(measure_find(&variant, "recovers", &measure, &error));
    assert_true(measure.is_share_of_runs);
    assert_int_equal(measure.better, STORM_BETTER_HIGHER);
    measure_values(&variant, &measure, NULL);
}

static void an_unknown_name_is_refused_with_the_nearest(void **state) {
    (void)state;
    static const struct {
        const char *typed, *hint;
    } rows[] = {
        {"recover", "did you mean 'recovers'?"},
        {"peak_laod", "did you mean 'peak_load'?"},
        {"peak_load.dc", "did you mean 'peak_load.db'?"},
        {"time-to-recover", "did you mean 'time_to_recover'?"},
        {"peak_loa", "did you mean 'peak_load'?"},
        {"peak", "one of: recovers, dead_letters, dead_letters.refused, peak_load.web, "
                 "peak_load.db, useful_work.web, useful_work.db, mean_busy.web, mean_busy.db, "
                 "time_to_recover"},
    };
    struct storm_variant variant = variant_of();
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct measure measure;
        struct storm_error error = {0};
        assert_false(measure_find(&variant, rows[i].typed, &measure, &error));
        assert_int_equal(error.status, STORM_INVALID);
        assert_string_equal(error.suggestion, rows[i].hint);
    }
}

static void statistics_have_words(void **state) {
    (void)state;
    static const struct {
        const char *word;
        enum statistic_kind kind;
        double quantile;
    } rows[] = {{"mean", STATISTIC_MEAN, 0},       {"median", STATISTIC_QUANTILE, 0.5},
                {"min", STATISTIC_QUANTILE, 0},    {"max", STATISTIC_QUANTILE, 1},
                {"p95", STATISTIC_QUANTILE, 0.95}, {"p99.9", STATISTIC_QUANTILE, 0.999},
                {"p55", STATISTIC_QUANTILE, 0.55}, {"p7", STATISTIC_QUANTILE, 0.07}};
    char word[32];
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct statistic statistic;
        assert_true(statistic_parse(rows[i].word, strlen(rows[i].word), &statistic));
        assert_int_equal(statistic.kind, rows[i].kind);
        assert_true(fabs(statistic.quantile - rows[i].quantile) < 1e-15);
        assert_string_equal(statistic_print(&statistic, word, sizeof word), rows[i].word);
    }
    struct statistic usual = {.kind = STATISTIC_USUAL};
    assert_string_equal(statistic_print(&usual, word, sizeof word), "");
    static const char *const others[] = {"", "p", "p101", "p-5", "p95%", "pp5", "medians", "P95"};
    for (size_t i = 0; i < LENGTH(others); i++) {
        assert_false(statistic_parse(others[i], strlen(others[i]), &usual));
    }
}

static double of(const char *word, const double *values, uint32_t count) {
    struct statistic statistic = {.kind = STATISTIC_USUAL};
    struct measure measure = {.name = "x", .unit = "s"};
    double copy[32];
    memcpy(copy, values, count * sizeof *copy);
    assert_true(*word == '\0' || statistic_parse(word, strlen(word), &statistic));
    return statistic_of(&statistic, &measure, copy, count);
}

static void assert_same(double a, double b) { assert_true(a <= b && a >= b); }

static void statistics_leave_out_holes(void **state) {
    (void)state;
    const double four[] = {9, hole, 1, 4, hole, 2};
    assert_same(of("", four, 6), 3);
    assert_same(of("median", four, 6), 3);
    assert_same(of("mean", four, 6), 4);
    assert_same(of("min", four, 6), 1);
    assert_same(of("max", four, 6), 9);
    assert_true(isnan(of("mean", &four[1], 1)) && isnan(of("", four, 0)));
}

static void a_quantile_is_a_value_that_so_many_do_not_exceed(void **state) {
    (void)state;
    double twenty[20];
    for (int i = 0; i < 20; i++) {
        twenty[i] = 20 - i;
    }
    assert_same(of("p95", twenty, 20), 19);
    assert_same(of("p95.1", twenty, 20), 20);
    assert_same(of("p55", twenty, 20), 11); /* 0.55 x 20 is 11.000000000000002 */
    assert_same(of("p5", twenty, 20), 1);
    assert_same(of("p25", twenty, 1), 20);
}

static void half_of_the_runs_that_stay_away_make_no_median(void **state) {
    (void)state;
    const double values[] = {HUGE_VAL, 3, HUGE_VAL, 5};
    assert_true(isinf(of("", values, 4)) && isinf(of("mean", values, 4)));
    assert_same(of("", values, 2), HUGE_VAL);
    assert_same(of("min", values, 4), 3);
}

static void the_usual_statistic_of_recovers_is_its_share(void **state) {
    (void)state;
    struct measure recovers = {.name = "recovers", .is_share_of_runs = true};
    struct statistic usual = {.kind = STATISTIC_USUAL};
    double values[] = {1, 1, 0, hole, 1};
    assert_same(statistic_of(&usual, &recovers, values, 5), 0.75);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_without_its_place_is_the_worst_place_of_each_run),
        cmocka_unit_test(the_whole_beats_its_parts),
        cmocka_unit_test(who_stays_away_takes_for_ever_and_who_was_not_harmed_no_time),
        cmocka_unit_test(a_measure_is_found_before_there_are_runs),
        cmocka_unit_test(an_unknown_name_is_refused_with_the_nearest),
        cmocka_unit_test(statistics_have_words),
        cmocka_unit_test(statistics_leave_out_holes),
        cmocka_unit_test(a_quantile_is_a_value_that_so_many_do_not_exceed),
        cmocka_unit_test(half_of_the_runs_that_stay_away_make_no_median),
        cmocka_unit_test(the_usual_statistic_of_recovers_is_its_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
