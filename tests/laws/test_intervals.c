/* test_intervals.c: intervals hold the truth and tests err as often as they say, and the figures of
   the textbooks come out. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include <gsl/gsl_cdf.h>

#include "analysis/holm.h"
#include "analysis/interval.h"
#include "analysis/paired.h"
#include "analysis/quantile.h"
#include "analysis/warmup.h"
#include "base/mathx.h"
#include "base/stream.h"
#include "base/ziggurat.h"
#include "support/csv.h"
#include "support/test.h"
#include "support/world.h"
#include "trials/batch.h"

enum { INTERVALS = 500, RUNS = 10, PAIRS_MOST = 100, SERIES = 400 };

static const double alpha = 0.05;

/* ---- figures --------------------------------------------------------------------------------- */

static struct csv figures(void) { return csv_read(STORM_SOURCE_DIR "/tests/data/statistics.csv"); }

/* What the table says of a law, whose other rows are not asked. */
static double figure(const char *law) {
    struct csv csv = figures();
    double value = (double)NAN;
    for (size_t row = 0; row < csv.rows && isnan(value); row++) {
        if (strcmp(csv_text(&csv, row, "law"), law) == 0) {
            value = csv_number(&csv, row, "value");
        }
    }
    csv_free(&csv);
    assert_true(value == value); /* a number */
    return value;
}

static void assert_near(double value, double expected, double error) {
    if (!(fabs(value - expected) <= error)) {
        fail_msg("%.10g instead of %.10g", value, expected);
    }
}

static double chi_square(double a, double b) { return gsl_cdf_chisq_Q(a, b); }
static double normal(double a, double b) {
    (void)b; /* it has one argument */
    return quantile_normal(a);
}

static double coin(double a, double b) { return quantile_coin((uint32_t)a, (uint32_t)b); }
static double median_holds(double a, double b) { return 1 - 2 * coin(a, b); }

static void the_laws_are_those_of_the_tables(void **state) {
    (void)state;
    static const struct {
        const char *name;
        double (*value)(double a, double b);
        double error; /* of the printed figure */
    } laws[] = {{"student_upper", quantile_student, 5e-7},
                {"chi_square_exceeds", chi_square, 5e-7},
                {"normal_upper", normal, 5e-7},
                {"coin", coin, 1e-9},
                {"median_holds", median_holds, 2e-9}};
    struct csv csv = figures();
    int asked = 0;
    for (size_t row = 0; row < csv.rows; row++) {
        for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++) {
            if (strcmp(csv_text(&csv, row, "law"), laws[i].name) == 0) {
                double a = csv_number(&csv, row, "a"), b = csv_number(&csv, row, "b");
                assert_near(laws[i].value(a, b), csv_number(&csv, row, "value"), laws[i].error);
                asked++;
            }
        }
    }
    assert_true(asked >= 14);
    csv_free(&csv);
}

static void the_sleep_of_ten_patients_is_compared_as_in_1908(void **state) {
    (void)state;
    static const double first[] = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
    static const double second[] = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};
    double scratch[10], lo, hi;
    struct paired paired = paired_of(PAIRED_MEAN, first, second, 10, scratch);
    paired_interval(&paired, alpha, &lo, &hi);
    assert_near(paired.difference, figure("sleep_difference"), 1e-12);
    assert_near(lo, figure("sleep_lo"), 5e-8);
    assert_near(hi, figure("sleep_hi"), 5e-8);
    assert_near(paired.p, figure("sleep_p"), 5e-7);
}

static void the_worked_example_is_cut_where_it_should_be(void **state) {
    (void)state;
    double values[SERIES];
    for (int i = 0; i < SERIES; i++) {
        values[i] = 10 * mathx_exp(-i / 20.0) + (7 * i % 11) / 11.0;
    }
    struct warmup found = warmup_mser5(values, SERIES);
    assert_int_equal(found.cut, (int)figure("mser5_cut"));
    assert_near(found.statistic, figure("mser5_statistic"), 5e-13);
    assert_near(found.mean, figure("mser5_mean"), 5e-9);
}

/* ---- coverage -------------------------------------------------------------------------------- */

/* Whether so many of 500 are what a chance of `expected` gives. */
static void assert_share(const char *what, int count, double expected) {
    double share = (double)count / INTERVALS, allowed = figure("coverage");
    print_message("    %s: %.3f of %d\n", what, share, INTERVALS);
    if (!(fabs(share - expected) <= allowed)) {
        fail_msg("%s: %.3f is not within %.3f of %.3f", what, share, allowed, expected);
    }
}

static bool holds(double lo, double hi, double truth) { return lo <= truth && truth <= hi; }

/* Runs of a single server without a limit: its mean level is rho / (1 - rho), and 10 s are 85 times
   as long as the queue remembers. `values` has [INTERVALS * RUNS]. */
static void queue_levels(double rate, double *values) {
    char yaml[512];
    enum { JOBS = INTERVALS * RUNS };
    static struct batch_job jobs[JOBS];
    static struct storm_run_result results[JOBS];
    world_print(yaml, sizeof yaml,
                "version: 1\nduration: 10s\n"
                "policies: {once: {attempts: 1}}\n"
                "clients: {all: {count: 1, arrivals: {poisson: %.10g/s}, "
                "calls: {to: queue, timeout: 1000s, retry: once}}}\n"
                "services: {queue: {workers: 1, service_time: {exponential: 10ms}, "
                "queue: {limit: unlimited}}}\n",
                rate);
    struct world_case world = world_write(yaml);
    struct batch_rules rules = {.seed = 7};
    struct storm_error error;
    for (uint32_t i = 0; i < JOBS; i++) {
        jobs[i] = (struct batch_job){.scenario = world.scenario, .run = i};
    }
    assert_int_equal(batch_run(&rules, jobs, JOBS, results, &world.arena, &error), JOBS);
    uint32_t count, place = 0;
    const struct storm_metric *metrics = storm_run_metrics(world.scenario, &world.arena, &count);
    while (strcmp(metrics[place].name, "mean_level.queue") != 0) {
        place++;
    }
    for (uint32_t i = 0; i < JOBS; i++) {
        values[i] = results[i].metrics[place];
    }
    world_free(&world);
}

/* The interval of a mean, as the results have it. */
static bool mean_holds(double *values, double truth) {
    struct storm_metric metric = {.applies = RUNS, .per_run = values};
    struct storm_variant variant = {.runs_done = RUNS, .metric_count = 1, .metrics = &metric};
    struct storm_results results = {.runs = RUNS, .variant_count = 1, .variants = &variant};
    for (int i = 0; i < RUNS; i++) {
        metric.mean += values[i] / RUNS;
    }
    interval_fill(&results);
    return holds(metric.lo, metric.hi, truth);
}

static void intervals_of_a_queue_hold_its_true_level(void **state) {
    (void)state;
    static double half[INTERVALS * RUNS], third[INTERVALS * RUNS];
    queue_levels(50, half);         /* rho = 1/2: 1 */
    queue_levels(100 / 3.0, third); /* rho = 1/3: 1/2, less the same luck */
    int means = 0, differences = 0;
    for (int i = 0; i < INTERVALS; i++) {
        double scratch[RUNS], lo, hi;
        struct paired paired =
            paired_of(PAIRED_MEAN, &third[i * RUNS], &half[i * RUNS], RUNS, scratch);
        paired_interval(&paired, alpha, &lo, &hi);
        differences += holds(lo, hi, 0.5);
        means += mean_holds(&half[i * RUNS], 1);
    }
    assert_share("Student's interval of a queue's level", means, 0.95);
    assert_share("Student's interval of a difference of levels", differences, 0.95);
}

/* Differences of a skewed law in two heaps, as of runs that end in two ways: with chance .6 an
   exponential number of mean 1, else one beyond 100. Its median is -log(1 - .5 / .6) = log 6. */
static double two_heaps(uint64_t key, uint32_t run) {
    uint32_t k = 3 * run;
    double u = stream_uniform(key, 1, k++);
    double x = -mathx_log(1 - stream_uniform(key, 1, k));
    return u < 0.6 ? x : 100 + x;
}

/* The order statistics of 30 hold the median with .9572 exactly. */
static void intervals_of_a_median_hold_it_whatever_the_law(void **state) {
    (void)state;
    enum { PAIRS = 30 };
    double truth = mathx_log(6), reference[PAIRS] = {0}, other[PAIRS], scratch[PAIRS];
    int held = 0, rejected = 0;
    for (uint64_t key = 1; key <= INTERVALS; key++) {
        double lo, hi;
        for (uint32_t run = 0; run < PAIRS; run++) {
            other[run] = two_heaps(key, run);
        }
        struct paired paired = paired_of(PAIRED_MEDIAN, reference, other, PAIRS, scratch);
        paired_interval(&paired, alpha, &lo, &hi);
        held += holds(lo, hi, truth);
        for (uint32_t run = 0; run < PAIRS; run++) {
            other[run] -= truth;
        }
        paired = paired_of(PAIRED_MEDIAN, reference, other, PAIRS, scratch);
        rejected += paired.p <= alpha;
    }
    assert_share("the interval of a median", held, 0.95);
    assert_share("the sign test rejects what is true", rejected, alpha);
}

/* Pairs of which 30 % go up and 10 % go down, and as many both ways. */
static struct paired share_pairs(uint64_t key, double up, double down, double *scratch) {
    enum { PAIRS = PAIRS_MOST };
    double reference[PAIRS], other[PAIRS];
    for (uint32_t run = 0; run < PAIRS; run++) {
        double u = stream_uniform(key, 2, run);
        bool goes_up = u < up, goes_down = !goes_up && u < up + down;
        double same = u > 0.7 ? 1 : 0;
        reference[run] = goes_up ? 0 : goes_down ? 1 : same;
        other[run] = goes_up ? 1 : goes_down ? 0 : same;
    }
    return paired_of(PAIRED_SHARE, reference, other, PAIRS, scratch);
}

static void intervals_of_paired_shares_hold_the_difference(void **state) {
    (void)state;
    double scratch[PAIRS_MOST];
    int held = 0, rejected = 0;
    for (uint64_t key = 1; key <= INTERVALS; key++) {
        double lo, hi;
        struct paired paired = share_pairs(key, 0.3, 0.1, scratch);
        paired_interval(&paired, alpha, &lo, &hi);
        held += holds(lo, hi, 0.2);
        paired = share_pairs(key, 0.25, 0.25, scratch);
        rejected += paired.p <= alpha;
    }
    assert_share("the interval of paired shares", held, 0.95);
    assert_share("McNemar's test rejects what is true", rejected, alpha);
}

static void the_t_test_rejects_what_is_true_as_rarely_as_it_says(void **state) {
    (void)state;
    double reference[RUNS], other[RUNS], scratch[RUNS];
    int rejected = 0;
    for (uint64_t key = 1; key <= INTERVALS; key++) {
        uint32_t k = 0;
        for (int run = 0; run < RUNS; run++) {
            double luck = ziggurat_normal(key, 3, &k);
            reference[run] = 10 * luck + ziggurat_normal(key, 3, &k);
            other[run] = 10 * luck + ziggurat_normal(key, 3, &k);
        }
        rejected += paired_of(PAIRED_MEAN, reference, other, RUNS, scratch).p <= alpha;
    }
    assert_share("the t test rejects what is true", rejected, alpha);
}

/* Of 20 true hypotheses at once, in at most one comparison of twenty any is rejected; and nearly in
   one of twenty, since the hypotheses are independent: 1 - (1 - .05 / 20)^20 = .0488. */
static void holm_asks_many_questions_and_errs_as_rarely_as_with_one(void **state) {
    (void)state;
    enum { QUESTIONS = 20 };
    int rejected = 0;
    for (uint64_t key = 1; key <= INTERVALS; key++) {
        double p[QUESTIONS], adjusted[QUESTIONS], alphas[QUESTIONS], scratch[RUNS];
        double reference[RUNS] = {0}, other[RUNS];
        uint32_t k = 0;
        bool any = false;
        for (int q = 0; q < QUESTIONS; q++) {
            for (int run = 0; run < RUNS; run++) {
                other[run] = ziggurat_normal(key, 4, &k);
            }
            p[q] = paired_of(PAIRED_MEAN, reference, other, RUNS, scratch).p;
        }
        holm(p, QUESTIONS, alpha, adjusted, alphas);
        for (int q = 0; q < QUESTIONS; q++) {
            any = any || adjusted[q] <= alpha;
        }
        rejected += any;
    }
    assert_share("any of 20 true hypotheses is rejected", rejected, alpha);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_laws_are_those_of_the_tables),
        cmocka_unit_test(the_sleep_of_ten_patients_is_compared_as_in_1908),
        cmocka_unit_test(the_worked_example_is_cut_where_it_should_be),
        cmocka_unit_test(intervals_of_a_queue_hold_its_true_level),
        cmocka_unit_test(intervals_of_a_median_hold_it_whatever_the_law),
        cmocka_unit_test(intervals_of_paired_shares_hold_the_difference),
        cmocka_unit_test(the_t_test_rejects_what_is_true_as_rarely_as_it_says),
        cmocka_unit_test(holm_asks_many_questions_and_errs_as_rarely_as_with_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
