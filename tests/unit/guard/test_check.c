/* test_check.c: bounds and differences become findings, and findings an answer. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "guard/bounds.h"
#include "guard/check.h"
#include "guard/tolerance.h"

/* Bounds without a unit. */
#define COUNTS STORM_UNIT_COUNT, STORM_UNIT_COUNT

enum { RUNS = 20 };

static struct arena arena;

/* Runs with two metrics: waits, which are better when they are shorter, and births, which are
   neither. Run k's wait is `wait` + k. */
static struct baseline_variant make_runs(const char *name, double wait, uint32_t good_runs) {
    struct baseline_variant made = {.runs = {.name = name, .runs_done = RUNS, .metric_count = 2},
                                    .tolerance = (double)NAN};
    made.runs.verdict_per_run = arena_take_array(&arena, RUNS, 1);
    made.runs.metrics = arena_take_array(&arena, 2, sizeof *made.runs.metrics);
    made.tolerances = arena_take_array(&arena, 2, sizeof *made.tolerances);
    made.tracks = arena_take_array(&arena, RUNS, sizeof *made.tracks);
    made.runs.metrics[0] =
        (struct storm_metric){.name = "births", .unit = "requests", .better = STORM_BETTER_NEITHER};
    made.runs.metrics[1] =
        (struct storm_metric){.name = "wait.api", .unit = "s", .better = STORM_BETTER_LOWER};
    for (int i = 0; i < 2; i++) {
        made.runs.metrics[i].per_run = arena_take_array(&arena, RUNS, sizeof(double));
        made.runs.metrics[i].applies = RUNS;
        made.tolerances[i] = (double)NAN;
    }
    for (uint32_t run = 0; run < RUNS; run++) {
        made.runs.metrics[0].per_run[run] = 100;
        made.runs.metrics[1].per_run[run] = wait + run;
        made.runs.verdict_per_run[run] =
            run < good_runs ? STORM_VERDICT_RECOVERED : STORM_VERDICT_STUCK;
        made.runs.verdicts[made.runs.verdict_per_run[run]]++;
        made.tracks[run] =
            (struct track){.digest = (uint64_t)(wait * 1000) + run, .step = STORM_SECOND};
    }
    return made;
}

static struct baseline_scenario wrap(struct baseline_variant *variant) {
    return (struct baseline_scenario){
        .name = "a.yaml", .seed = 1, .runs = RUNS, .variant_count = 1, .variants = variant};
}

/* Judges runs against older ones (NULL: none) and what is expected of them. */
static struct storm_check_scenario judge(struct baseline_variant *now, struct baseline_variant *old,
                                         struct storm_expect *expects, uint32_t expect_count,
                                         const char *tolerance) {
    const struct storm_scenario plan = {.expects = expects, .expect_count = expect_count};
    struct subject_variant variant = {.name = now->runs.name, .scenario = &plan};
    const struct subject subject = {
        .file = "a.yaml", .name = "a.yaml", .variant_count = 1, .variants = &variant};
    struct baseline_scenario made = wrap(now), before = old != NULL ? wrap(old) : made;
    const struct baseline baseline = {.scenario_count = 1, .scenarios = &before};
    struct tolerances tolerances = tolerances_usual();
    struct storm_check_scenario scenario;
    struct storm_error error;
    assert_true(tolerance == NULL || tolerances_add(&tolerances, tolerance, &error));
    assert_true(check_judge(&subject, &made, old != NULL ? &baseline : NULL, &tolerances, &arena,
                            &scenario));
    return scenario;
}

static const struct storm_check_row *find(const struct storm_check_scenario *scenario,
                                          const char *metric) {
    for (uint32_t i = 0; i < scenario->row_count; i++) {
        if (scenario->rows[i].metric != NULL && strcmp(scenario->rows[i].metric, metric) == 0) {
            return &scenario->rows[i];
        }
    }
    fail_msg("there is no row of %s", metric);
    return NULL;
}

static void runs_are_the_same_as_themselves(void **state) {
    (void)state;
    struct baseline_variant now = make_runs("v", 10, 20), old = make_runs("v", 10, 20);
    struct storm_check_scenario scenario = judge(&now, &old, NULL, 0, NULL);
    assert_int_equal(scenario.row_count, 3);
    assert_int_equal(scenario.counts[STORM_FINDING_SAME], 3);
    assert_int_equal(scenario.differing_runs, 0);
    assert_null(scenario.divergence.variant);
}

static void the_direction_of_a_change_counts_and_the_worst_stands_first(void **state) {
    (void)state;
    struct baseline_variant old = make_runs("v", 10, 20), longer = make_runs("v", 11, 20);
    struct baseline_variant stuck = make_runs("v", 11, 4);
    struct storm_check_scenario worse = judge(&longer, &old, NULL, 0, NULL);
    assert_int_equal(find(&worse, "wait.api")->finding, STORM_FINDING_WORSE);
    assert_true(find(&worse, "wait.api")->baseline == 19.5);
    assert_int_equal(worse.differing_runs, RUNS);
    assert_string_equal(worse.divergence.variant, "v");
    assert_int_equal(worse.divergence.run, 0);
    struct storm_check_scenario better = judge(&old, &longer, NULL, 0, NULL);
    assert_int_equal(better.rows[0].finding, STORM_FINDING_BETTER);
    struct storm_check_scenario lost = judge(&stuck, &old, NULL, 0, NULL);
    assert_string_equal(lost.rows[0].metric, "recovers");
    assert_int_equal(lost.rows[0].finding, STORM_FINDING_WORSE);
    stuck.runs.metrics[0].per_run[3] = 99;
    for (uint32_t run = 0; run < RUNS; run++) {
        longer.runs.metrics[0].per_run[run] = 50;
    }
    struct storm_check_scenario fewer = judge(&longer, &old, NULL, 0, NULL);
    assert_int_equal(find(&fewer, "births")->finding, STORM_FINDING_DIFFERENT);
}

static void a_tolerance_of_a_metric_is_its_own_and_is_kept(void **state) {
    (void)state;
    struct baseline_variant old = make_runs("v", 10, 20), longer = make_runs("v", 11, 20);
    struct storm_check_scenario allowed = judge(&longer, &old, NULL, 0, "wait=10%");
    assert_int_equal(find(&allowed, "wait.api")->finding, STORM_FINDING_SAME);
    assert_true(longer.tolerances[1] == 0.1 && isnan(longer.tolerances[0]));
    struct baseline_variant again = make_runs("v", 12, 20);
    struct storm_check_scenario still = judge(&again, &longer, NULL, 0, NULL);
    assert_int_equal(find(&still, "wait.api")->finding, STORM_FINDING_SAME); /* as it was kept */
    struct storm_check_scenario usual = judge(&again, &longer, NULL, 0, "wait.api=1%");
    assert_int_equal(find(&usual, "wait.api")->finding, STORM_FINDING_WORSE);
}

static void what_is_new_or_gone_is_told(void **state) {
    (void)state;
    struct baseline_variant old = make_runs("v", 10, 20), now = make_runs("v", 10, 20);
    now.runs.metrics[0].name = "arrivals";
    for (uint32_t run = 0; run < RUNS; run++) {
        now.runs.metrics[1].per_run[run] = (double)NAN;
    }
    now.runs.metrics[1].applies = 0;
    struct storm_check_scenario scenario = judge(&now, &old, NULL, 0, NULL);
    assert_int_equal(find(&scenario, "births")->finding, STORM_FINDING_GONE);
    assert_int_equal(find(&scenario, "wait.api")->finding, STORM_FINDING_GONE);
    assert_int_equal(find(&scenario, "arrivals")->finding, STORM_FINDING_NEW);
    struct baseline_variant other = make_runs("w", 10, 20);
    struct storm_check_scenario moved = judge(&other, &old, NULL, 0, NULL);
    assert_int_equal(moved.row_count, 2);
    assert_int_equal(moved.rows[0].finding, STORM_FINDING_MISSING);
    assert_string_equal(moved.rows[0].variant, "w");
    assert_null(moved.rows[0].metric);
    assert_int_equal(moved.rows[1].finding, STORM_FINDING_GONE);
    assert_string_equal(moved.rows[1].variant, "v");
}

static void bounds_are_of_the_statistic_that_was_asked_for(void **state) {
    (void)state;
    struct baseline_variant now = make_runs("v", 1, 18);
    struct storm_expect expects[] = {
        {"v", "wait", STORM_STATISTIC_MEDIAN, (double)NAN, 10.5, STORM_SEVERITY_ERROR, 1, 5,
         COUNTS},
        {"", "wait.api", STORM_STATISTIC_MAX, (double)NAN, 19.9, STORM_SEVERITY_ERROR, 2, 5,
         COUNTS},
        {"v", "wait.api", STORM_STATISTIC_P95, (double)NAN, 19, STORM_SEVERITY_ERROR, 3, 5, COUNTS},
        {"v", "recovers", STORM_STATISTIC_MEDIAN, 0.9, 0.9, STORM_SEVERITY_ERROR, 4, 5, COUNTS},
        {"v", "recovers", STORM_STATISTIC_MEDIAN, 0.95, (double)NAN, STORM_SEVERITY_WARN, 5, 5,
         COUNTS},
        {"other", "recovers", STORM_STATISTIC_MEDIAN, 1, (double)NAN, STORM_SEVERITY_ERROR, 6, 5,
         COUNTS},
    };
    static const enum storm_finding wanted[] = {0,
                                                STORM_FINDING_KEPT,
                                                STORM_FINDING_CROSSED,
                                                STORM_FINDING_KEPT,
                                                STORM_FINDING_KEPT,
                                                STORM_FINDING_WARNED};
    struct storm_check_scenario scenario = judge(&now, NULL, expects, 6, NULL);
    assert_int_equal(scenario.row_count, 5);
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(scenario.rows[i].finding, wanted[scenario.rows[i].line]);
        assert_int_equal(scenario.rows[i].numbers, RUNS);
    }
}

static void what_is_no_number_keeps_no_bound(void **state) {
    (void)state;
    struct baseline_variant now = make_runs("v", 1, 20);
    for (uint32_t run = 0; run < RUNS; run++) {
        now.runs.metrics[1].per_run[run] = (double)NAN;
    }
    struct storm_expect expect = {
        "", "wait", STORM_STATISTIC_MEDIAN, (double)NAN, 1e9, STORM_SEVERITY_ERROR, 1, 5, COUNTS};
    struct storm_check_scenario scenario = judge(&now, NULL, &expect, 1, NULL);
    assert_int_equal(scenario.rows[0].finding, STORM_FINDING_CROSSED);
    assert_int_equal(scenario.rows[0].numbers, 0);
}

static void a_bound_of_another_kind_than_its_metric_is_an_error(void **state) {
    (void)state;
    struct baseline_variant runs = make_runs("v", 1, 20);
    struct storm_expect expect = {.variant = "",
                                  .metric = "recovers",
                                  .at_least = 30,
                                  .at_most = (double)NAN,
                                  .line = 7,
                                  .at_least_unit = STORM_UNIT_DURATION};
    const struct storm_scenario plan = {.expects = &expect, .expect_count = 1};
    struct subject_variant variant = {.name = "v", .scenario = &plan, .blank = runs.runs};
    const struct subject subject = {.variant_count = 1, .variants = &variant};
    struct storm_errors errors = {0};
    assert_false(bounds_known(&subject, &errors));
    assert_int_equal(errors.list[0].status, STORM_INVALID);
    assert_int_equal(errors.list[0].line, 7);
    expect.at_least = 0.9;
    expect.at_least_unit = STORM_UNIT_SHARE;
    assert_true(bounds_known(&subject, &errors));
}

static void a_bound_of_an_unknown_metric_is_an_error_with_its_line(void **state) {
    (void)state;
    struct baseline_variant runs = make_runs("v", 1, 20), bare = make_runs("w", 1, 20);
    bare.runs.metric_count = 1;
    struct storm_expect expects[] = {
        {"", "wait", STORM_STATISTIC_MEDIAN, 1, 2, STORM_SEVERITY_ERROR, 7, 5, COUNTS},
        {"", "wiat", STORM_STATISTIC_MEDIAN, 1, 2, STORM_SEVERITY_WARN, 8, 5, COUNTS},
        {"w", "wait", STORM_STATISTIC_MEDIAN, 1, 2, STORM_SEVERITY_ERROR, 9, 5, COUNTS},
    };
    const struct storm_scenario plan = {.expects = expects, .expect_count = 3};
    struct subject_variant variants[] = {{.name = "v", .scenario = &plan, .blank = runs.runs},
                                         {.name = "w", .scenario = &plan, .blank = bare.runs}};
    const struct subject subject = {.variant_count = 2, .variants = variants};
    struct storm_errors errors = {0};
    assert_false(bounds_known(&subject, &errors));
    assert_int_equal(errors.count, 2); /* once for both variants */
    assert_int_equal(errors.list[0].line, 8);
    assert_int_equal(errors.list[1].line, 9);
    assert_non_null(strstr(errors.list[0].suggestion, "wait"));
}

/* The answer of a check of one scenario with one finding. */
static enum storm_check_answer answer(enum storm_finding finding, enum storm_baseline_state state,
                                      bool is_updated, enum storm_doubt doubt) {
    struct storm_check_scenario scenario = {.state = state};
    struct storm_check check = {
        .is_updated = is_updated, .doubt = doubt, .scenario_count = 1, .scenarios = &scenario};
    scenario.counts[finding] = 1;
    check_conclude(&check);
    assert_int_equal(check.counts[finding], 1);
    return check.answer;
}

static void the_answer_is_that_of_the_worst(void **state) {
    (void)state;
    static const struct {
        enum storm_finding finding;
        enum storm_baseline_state state;
        bool is_updated;
        enum storm_doubt doubt;
        enum storm_check_answer answer;
    } cases[] = {
        {STORM_FINDING_SAME, STORM_BASELINE_FOUND, false, 0, STORM_CHECK_YES},
        {STORM_FINDING_BETTER, STORM_BASELINE_FOUND, false, 0, STORM_CHECK_YES},
        {STORM_FINDING_WARNED, STORM_BASELINE_FOUND, false, 0, STORM_CHECK_YES},
        {STORM_FINDING_GONE, STORM_BASELINE_FOUND, false, 0, STORM_CHECK_YES},
        {STORM_FINDING_MISSING, STORM_BASELINE_FOUND, false, 0, STORM_CHECK_NO_BASELINE},
        {STORM_FINDING_MISSING, STORM_BASELINE_FOUND, true, 0, STORM_CHECK_YES},
        {STORM_FINDING_WORSE, STORM_BASELINE_FOUND, false, 0, STORM_CHECK_NO},
        {STORM_FINDING_WORSE, STORM_BASELINE_FOUND, true, 0, STORM_CHECK_YES},
        {STORM_FINDING_CROSSED, STORM_BASELINE_UNASKED, false, 0, STORM_CHECK_NO},
        {STORM_FINDING_CROSSED, STORM_BASELINE_FOUND, true, 0, STORM_CHECK_NO},
        {STORM_FINDING_CROSSED, STORM_BASELINE_MISSING, false, 0, STORM_CHECK_NO},
        {STORM_FINDING_KEPT, STORM_BASELINE_MISSING, false, 0, STORM_CHECK_NO_BASELINE},
        {STORM_FINDING_KEPT, STORM_BASELINE_MISSING, true, 0, STORM_CHECK_YES},
        {STORM_FINDING_INCONCLUSIVE, STORM_BASELINE_FOUND, false, STORM_DOUBT_SAY,
         STORM_CHECK_INCONCLUSIVE},
        {STORM_FINDING_INCONCLUSIVE, STORM_BASELINE_FOUND, false, STORM_DOUBT_FAIL, STORM_CHECK_NO},
        {STORM_FINDING_INCONCLUSIVE, STORM_BASELINE_FOUND, false, STORM_DOUBT_PASS,
         STORM_CHECK_YES},
        {STORM_FINDING_INCONCLUSIVE, STORM_BASELINE_FOUND, true, STORM_DOUBT_FAIL, STORM_CHECK_YES},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(
            answer(cases[i].finding, cases[i].state, cases[i].is_updated, cases[i].doubt),
            cases[i].answer);
    }
}

static void tolerances_are_shares_of_metrics_that_there_are(void **state) {
    (void)state;
    static const char *const wrong[] = {"", "2", "=2%", "wait=", "wait=-2%", "wait=2s", "2%%"};
    struct tolerances tolerances = tolerances_usual();
    struct baseline_variant runs = make_runs("v", 1, 20);
    struct storm_error error;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(tolerances_add(&tolerances, wrong[i], &error));
        assert_int_equal(error.status, STORM_USAGE);
    }
    assert_true(tolerances_add(&tolerances, "2%", &error) && tolerances.usual == 0.02);
    assert_true(tolerances_add(&tolerances, "wait=150%", &error));
    assert_true(tolerances_add(&tolerances, "weight=3%", &error));
    tolerances_meet(&tolerances, &runs.runs);
    assert_false(tolerances_all_met(&tolerances, &error));
    assert_non_null(strstr(error.message, "weight"));
}

static int begin(void **state) {
    (void)state;
    arena_init(&arena, (size_t)1 << 28);
    return 0;
}

static int end(void **state) {
    (void)state;
    arena_free(&arena);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_are_the_same_as_themselves),
        cmocka_unit_test(the_direction_of_a_change_counts_and_the_worst_stands_first),
        cmocka_unit_test(a_tolerance_of_a_metric_is_its_own_and_is_kept),
        cmocka_unit_test(what_is_new_or_gone_is_told),
        cmocka_unit_test(bounds_are_of_the_statistic_that_was_asked_for),
        cmocka_unit_test(what_is_no_number_keeps_no_bound),
        cmocka_unit_test(a_bound_of_another_kind_than_its_metric_is_an_error),
        cmocka_unit_test(a_bound_of_an_unknown_metric_is_an_error_with_its_line),
        cmocka_unit_test(the_answer_is_that_of_the_worst),
        cmocka_unit_test(tolerances_are_shares_of_metrics_that_there_are),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
