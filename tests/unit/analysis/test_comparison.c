/* test_comparison.c: two variants become better, worse, same or not told, metric by metric. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/comparison.h"

#include <math.h>
#include <string.h>

#include "analysis/holm.h"
#include "base/arena.h"
#include "base/ziggurat.h"
#include "support/test.h"

enum { RUNS = 40, METRICS = 6 };

static void assert_near(double value, double expected) {
    if (!(fabs(value - expected) <= 1e-12)) {
        fail_msg("%.12g instead of %.12g", value, expected);
    }
}

/* ---- Holm ------------------------------------------------------------------------------------ */

/* Four chances by hand: .005 x 4, .01 x 3, .03 x 2; .04 is no surer than what comes before. */
static void each_step_asks_for_less(void **state) {
    (void)state;
    const double p[] = {0.01, 0.04, 0.03, 0.005};
    const double expected[] = {0.03, 0.06, 0.06, 0.02};
    double adjusted[4], alphas[4];
    holm(p, 4, 0.05, adjusted, alphas);
    for (int i = 0; i < 4; i++) {
        assert_near(adjusted[i], expected[i]);
    }
    /* The third fails at .05 / 2, and the last is not asked more kindly. */
    assert_near(alphas[3], 0.05 / 4);
    assert_near(alphas[0], 0.05 / 3);
    assert_near(alphas[2], 0.05 / 2);
    assert_near(alphas[1], 0.05 / 2);
}

static void what_is_rejected_is_what_its_interval_says(void **state) {
    (void)state;
    for (uint64_t key = 1; key <= 300; key++) {
        double p[7], adjusted[7], alphas[7];
        uint32_t k = 0;
        for (int i = 0; i < 7; i++) {
            double x = ziggurat_exponential(key, 1, &k);
            p[i] = x < 10 ? x * x * x / 1000 : 1;
        }
        holm(p, 7, 0.05, adjusted, alphas);
        for (int i = 0; i < 7; i++) {
            assert_true((adjusted[i] <= 0.05) == (p[i] <= alphas[i]));
            assert_true(adjusted[i] >= p[i] && adjusted[i] <= 1);
        }
    }
}

static void equal_chances_are_alike(void **state) {
    (void)state;
    const double p[] = {0.02, 0.02, 0.02};
    double adjusted[3], alphas[3];
    holm(p, 3, 0.05, adjusted, alphas);
    for (int i = 0; i < 3; i++) {
        assert_near(adjusted[i], 0.06);
        assert_near(alphas[i], 0.05 / 3);
    }
    holm(p, 0, 0.05, adjusted, alphas);
}

/* ---- variants -------------------------------------------------------------------------------- */

/* A variant whose runs share their luck with those of the same index of any other. */
struct bench {
    struct storm_variant variant;
    struct storm_metric metrics[METRICS];
    double values[METRICS][RUNS];
    uint8_t verdicts[RUNS];
};

static double luck(uint32_t run, uint32_t purpose) {
    uint32_t k = 0;
    return ziggurat_normal(run + 1, purpose, &k);
}

/* load: unimodal, lower; served: bimodal, higher; level: neither; share: unimodal; equal; time. */
static void fill(struct bench *b, double factor) {
    static const struct storm_metric kinds[METRICS] = {
        {.name = "load", .unit = "attempts/s", .better = STORM_BETTER_LOWER},
        {.name = "served", .unit = "requests", .better = STORM_BETTER_HIGHER, .bimodal = true},
        {.name = "level", .unit = "workers", .better = STORM_BETTER_NEITHER},
        {.name = "in_time", .unit = "share", .better = STORM_BETTER_HIGHER},
        {.name = "equal", .unit = "requests", .better = STORM_BETTER_LOWER},
        {.name = "time", .unit = "s", .better = STORM_BETTER_LOWER, .bimodal = true},
    };
    memcpy(b->metrics, kinds, sizeof kinds);
    for (uint32_t m = 0; m < METRICS; m++) {
        b->metrics[m].per_run = b->values[m];
    }
    for (uint32_t run = 0; run < RUNS; run++) {
        double own = 0.002 * luck(run, factor > 1 ? 9 : 8); /* what the shared luck leaves */
        double heap = run % 3 == 0 ? 10 : 1;
        b->values[0][run] = factor * (100 + 10 * luck(run, 1)) + 100 * own;
        b->values[1][run] = factor * heap * (1000 + 50 * luck(run, 2));
        b->values[2][run] = factor * (5 + luck(run, 3));
        b->values[3][run] = 0.9 + 0.05 * luck(run, 4) + 0.1 * (factor - 1) + own;
        b->values[4][run] = run;
        b->values[5][run] = run % 2 == 0 ? (double)NAN : factor * run;
        b->verdicts[run] = run % 4 == 0 ? STORM_VERDICT_STUCK : STORM_VERDICT_RECOVERED;
    }
    b->variant = (struct storm_variant){.runs_done = RUNS,
                                        .verdict_per_run = b->verdicts,
                                        .metric_count = METRICS,
                                        .metrics = b->metrics};
}

static const struct storm_difference *find(const struct storm_comparison *comparison,
                                           const char *metric) {
    for (uint32_t i = 0; i < comparison->difference_count; i++) {
        if (strcmp(comparison->differences[i].metric, metric) == 0) {
            return &comparison->differences[i];
        }
    }
    return NULL;
}

static void differences_are_told_with_their_direction(void **state) {
    (void)state;
    static struct bench a, b;
    struct storm_comparison c;
    struct arena arena;
    arena_init(&arena, 1 << 20);
    fill(&a, 1);
    fill(&b, 1.05);
    assert_true(comparison_of(&a.variant, &b.variant, 0.01, &arena, &c));
    assert_int_equal(c.difference_count, METRICS + 1);
    assert_string_equal(c.differences[0].metric, "recovers");
    assert_int_equal(c.differences[0].change, STORM_CHANGE_SAME);
    assert_int_equal(find(&c, "load")->change, STORM_CHANGE_WORSE);
    assert_int_equal(find(&c, "served")->change, STORM_CHANGE_BETTER);
    assert_int_equal(find(&c, "level")->change, STORM_CHANGE_DIFFERENT);
    assert_int_equal(find(&c, "in_time")->change, STORM_CHANGE_SAME); /* half a point */
    assert_int_equal(find(&c, "equal")->change, STORM_CHANGE_SAME);
    const struct storm_difference *load = find(&c, "load"), *served = find(&c, "served");
    assert_true(!load->exact && served->exact);
    assert_true(load->lo < load->difference && load->difference < load->hi);
    assert_near(load->other - load->reference, load->difference);
    assert_near(load->tolerance, 0.01 * load->reference);
    assert_near(find(&c, "in_time")->tolerance, 0.01);
    assert_int_equal(find(&c, "time")->pairs, RUNS / 2);
    assert_true(comparison_of(&b.variant, &a.variant, 0.01, &arena, &c)); /* and back */
    assert_int_equal(find(&c, "load")->change, STORM_CHANGE_BETTER);
    assert_int_equal(find(&c, "served")->change, STORM_CHANGE_WORSE);
    arena_free(&arena);
}

static void what_is_the_same_is_the_same(void **state) {
    (void)state;
    static struct bench a, b;
    struct storm_comparison c;
    struct arena arena;
    arena_init(&arena, 1 << 20);
    fill(&a, 1);
    fill(&b, 1);
    assert_true(comparison_of(&a.variant, &b.variant, 0, &arena, &c));
    for (uint32_t i = 0; i < c.difference_count; i++) {
        assert_int_equal(c.differences[i].change, STORM_CHANGE_SAME);
        assert_near(c.differences[i].hi - c.differences[i].lo, 0);
        assert_near(c.differences[i].p, 1);
    }
    arena_free(&arena);
}

static void metrics_that_cannot_differ_take_nothing_from_the_others(void **state) {
    (void)state;
    static struct bench a, b;
    struct storm_comparison alone, among;
    struct arena arena;
    arena_init(&arena, 1 << 20);
    fill(&a, 1);
    fill(&b, 1.05);
    for (uint32_t m = 1; m < METRICS; m++) {
        memcpy(b.values[m], a.values[m], sizeof a.values[m]);
    }
    assert_true(comparison_of(&a.variant, &b.variant, 0.01, &arena, &among));
    assert_true(comparison_in(&a.variant, &b.variant, "load", 0.01, &arena, &alone));
    assert_int_equal(alone.difference_count, 1);
    assert_near(alone.differences[0].lo, find(&among, "load")->lo);
    assert_near(alone.differences[0].p, find(&among, "load")->p);
    arena_free(&arena);
}

static void too_few_runs_tell_nothing_and_say_so(void **state) {
    (void)state;
    static struct bench a, b;
    struct storm_comparison c;
    struct arena arena;
    arena_init(&arena, 1 << 20);
    fill(&a, 1);
    fill(&b, 1.5);
    a.variant.runs_done = 3; /* pairs are those that both have */
    assert_true(comparison_of(&a.variant, &b.variant, 0.01, &arena, &c));
    assert_int_equal(find(&c, "served")->pairs, 3);
    assert_int_equal(find(&c, "served")->change, STORM_CHANGE_INCONCLUSIVE);
    a.variant.runs_done = 0;
    assert_true(comparison_of(&a.variant, &b.variant, 0.01, &arena, &c));
    assert_int_equal(c.difference_count, 0);
    arena_free(&arena);
}

static void metrics_meet_by_name(void **state) {
    (void)state;
    static struct bench a, b;
    struct storm_comparison c;
    struct arena arena;
    arena_init(&arena, 1 << 20);
    fill(&a, 1);
    fill(&b, 1.05);
    b.metrics[0].name = "load.new";
    struct storm_metric swapped = b.metrics[1];
    b.metrics[1] = b.metrics[4];
    b.metrics[4] = swapped;
    assert_true(comparison_of(&a.variant, &b.variant, 0.01, &arena, &c));
    assert_int_equal(c.difference_count, METRICS);
    assert_null(find(&c, "load"));
    assert_int_equal(find(&c, "served")->change, STORM_CHANGE_BETTER);
    arena_free(&arena);
}

static void runs_without_a_verdict_are_no_pairs(void **state) {
    (void)state;
    static struct bench a, b;
    struct storm_comparison c;
    struct arena arena;
    arena_init(&arena, 1 << 20);
    fill(&a, 1);
    fill(&b, 1);
    for (uint32_t run = 0; run < RUNS; run++) {
        b.verdicts[run] = run < 10 ? STORM_VERDICT_TOO_SHORT : STORM_VERDICT_STUCK;
    }
    assert_true(comparison_in(&a.variant, &b.variant, "recovers", 0.01, &arena, &c));
    assert_int_equal(c.differences[0].pairs, RUNS - 10);
    assert_int_equal(c.differences[0].change, STORM_CHANGE_WORSE);
    for (uint32_t run = 0; run < RUNS; run++) {
        b.verdicts[run] = STORM_VERDICT_NOT_APPLICABLE;
    }
    assert_true(comparison_of(&a.variant, &b.variant, 0.01, &arena, &c));
    assert_null(find(&c, "recovers"));
    arena_free(&arena);
}

static void an_interval_is_judged_by_where_it_lies(void **state) {
    (void)state;
    static const struct {
        double lo, hi;
        enum storm_better better;
        enum storm_change change;
    } rows[] = {
        {-1, 1, STORM_BETTER_LOWER, STORM_CHANGE_SAME},
        {0, 1.5, STORM_BETTER_LOWER, STORM_CHANGE_INCONCLUSIVE},
        {0.5, 1.5, STORM_BETTER_LOWER, STORM_CHANGE_INCONCLUSIVE},
        {1, 1.5, STORM_BETTER_LOWER, STORM_CHANGE_INCONCLUSIVE},
        {1.1, 1.5, STORM_BETTER_LOWER, STORM_CHANGE_WORSE},
        {1.1, 1.5, STORM_BETTER_HIGHER, STORM_CHANGE_BETTER},
        {-9, -1.1, STORM_BETTER_HIGHER, STORM_CHANGE_WORSE},
        {-9, -1.1, STORM_BETTER_NEITHER, STORM_CHANGE_DIFFERENT},
        {-HUGE_VAL, HUGE_VAL, STORM_BETTER_LOWER, STORM_CHANGE_INCONCLUSIVE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct storm_difference difference = {
            .lo = rows[i].lo, .hi = rows[i].hi, .better = rows[i].better, .tolerance = 1};
        comparison_judge(&difference);
        assert_int_equal(difference.change, rows[i].change);
    }
}

static void a_full_arena_is_told(void **state) {
    (void)state;
    static struct bench a, b;
    struct storm_comparison c;
    fill(&a, 1);
    fill(&b, 1.05);
    bool done = false;
    for (size_t limit = 64; !done; limit += 512) {
        struct arena arena;
        arena_init(&arena, limit);
        done = comparison_of(&a.variant, &b.variant, 0.01, &arena, &c);
        assert_true(done || c.difference_count == 0);
        assert_true(limit < 1 << 20);
        arena_free(&arena);
    }
}

/* Ten metrics that are the same in both of two runs: `value` each. */
static struct storm_variant constant_variant(double *values, struct storm_metric *metrics,
                                             uint8_t *verdicts, double value) {
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
    values[0] = values[1] = value;
    verdicts[0] = verdicts[1] = STORM_VERDICT_RECOVERED;
    for (int i = 0; i < 10; i++) {
        metrics[i] = (struct storm_metric){.name = names[i],
                                           .unit = "s",
                                           .better = STORM_BETTER_LOWER,
                                           .bimodal = i % 2 == 0,
                                           .per_run = values};
    }
    return (struct storm_variant){
        .runs_done = 2, .verdict_per_run = verdicts, .metric_count = 10, .metrics = metrics};
}

static void runs_without_chance_need_no_third(void **state) {
    (void)state;
    double values[2][2];
    struct storm_metric metrics[2][10];
    uint8_t verdicts[2][2];
    struct storm_comparison c;
    struct arena arena;
    arena_init(&arena, 1 << 20);
    struct storm_variant a = constant_variant(values[0], metrics[0], verdicts[0], 5);
    struct storm_variant b = constant_variant(values[1], metrics[1], verdicts[1], 6);
    assert_true(comparison_of(&a, &b, 0.01, &arena, &c));
    for (uint32_t i = 1; i < c.difference_count; i++) {
        assert_int_equal(c.differences[i].change, STORM_CHANGE_WORSE);
    }
    metrics[1][9].per_run = (double[]){6, 7}; /* as soon as one has chance, all may have */
    assert_true(comparison_of(&a, &b, 0.01, &arena, &c));
    for (uint32_t i = 1; i < c.difference_count; i++) {
        assert_int_equal(c.differences[i].change, STORM_CHANGE_INCONCLUSIVE);
    }
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_step_asks_for_less),
        cmocka_unit_test(what_is_rejected_is_what_its_interval_says),
        cmocka_unit_test(equal_chances_are_alike),
        cmocka_unit_test(runs_without_chance_need_no_third),
        cmocka_unit_test(differences_are_told_with_their_direction),
        cmocka_unit_test(what_is_the_same_is_the_same),
        cmocka_unit_test(metrics_that_cannot_differ_take_nothing_from_the_others),
        cmocka_unit_test(too_few_runs_tell_nothing_and_say_so),
        cmocka_unit_test(metrics_meet_by_name),
        cmocka_unit_test(runs_without_a_verdict_are_no_pairs),
        cmocka_unit_test(an_interval_is_judged_by_where_it_lies),
        cmocka_unit_test(a_full_arena_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
