/* test_tune.c: the best of settings whose values are known is found, and what stands in its way is
   said. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "search/tune.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "search/tune_table.h"
#include "support/test.h"

/* How a landscape goes: fills measured[] for the values of a point. */
struct landscape {
    void (*fill)(const struct axis_value *values, double *measured);
    double refused_below;     /* of the first axis; 0: nowhere */
    uint32_t calls, stops_at; /* 0: never */
    uint32_t most_runs;
};

static enum tune_reply measure(void *context, const struct axis_value *values, uint32_t runs,
                               double *measured, struct storm_error *error) {
    struct landscape *landscape = context;
    landscape->calls++;
    landscape->most_runs = runs > landscape->most_runs ? runs : landscape->most_runs;
    if (landscape->calls == landscape->stops_at) {
        storm_fail(error, STORM_INTERRUPTED, "interrupted");
        return TUNE_FAILED;
    }
    if (values[0].number < landscape->refused_below) {
        return TUNE_REFUSED;
    }
    landscape->fill(values, measured);
    return TUNE_VALUES;
}

struct hunt {
    struct arena arena;
    struct axis axes[3];
    struct criterion constraints[2];
    struct tune_plan plan;
    struct storm_tune tune;
    struct storm_error error;
    bool done;
};

static void look(struct hunt *hunt, struct landscape *landscape, const char *const *vary,
                 uint32_t axes, const char *goal, const char *subject_to, uint32_t budget) {
    struct tune_source source = {measure, landscape};
    *hunt = (struct hunt){.done = false};
    arena_init(&hunt->arena, 1 << 24);
    for (uint32_t a = 0; a < axes; a++) {
        assert_true(axis_parse(vary[a], &hunt->arena, &hunt->axes[a], &hunt->error));
    }
    hunt->plan = (struct tune_plan){.axes = hunt->axes,
                                    .axis_count = axes,
                                    .constraints = hunt->constraints,
                                    .constraint_count = subject_to != NULL,
                                    .runs = 4,
                                    .budget = budget,
                                    .seed = 1};
    assert_true(goal_parse(goal, &hunt->plan.goal, &hunt->error));
    assert_true(subject_to == NULL ||
                criterion_parse(subject_to, &hunt->constraints[0], &hunt->error));
    hunt->done = tune_search(&hunt->plan, &source, &hunt->arena, &hunt->tune, &hunt->error);
}

static const struct storm_tune_point *best(const struct hunt *hunt) {
    return &hunt->tune.points[hunt->tune.best];
}

/* The least of a bowl at (10, .3), whose second measure is the first number. */
static void bowl(const struct axis_value *values, double *measured) {
    double x = log(values[0].number / 10), y = values[1].number - .3;
    measured[0] = 5 + x * x + 4 * y * y;
    measured[1] = values[0].number;
}

static const char *const bowl_axes[] = {"x=1..1000/log", "y=0%..100%"};
static const char *const smooth_axes[] = {"x=1.0s..1000.0s/log", "y=0%..100%"};

static void a_simplex_finds_the_bottom_of_a_bowl(void **state) {
    (void)state;
    struct landscape landscape = {.fill = bowl};
    struct hunt hunt;
    look(&hunt, &landscape, smooth_axes, 2, "min requests", NULL, 80);
    assert_true(hunt.done && hunt.tune.is_complete);
    print_message("smooth: %s %s: %.5g after %u points\n", best(&hunt)->labels[0],
                  best(&hunt)->labels[1], best(&hunt)->values[0], hunt.tune.point_count);
    assert_true(best(&hunt)->values[0] < 5.01);
    assert_true(hunt.tune.point_count <= 80);
    assert_int_equal(best(&hunt)->runs, 12);
    assert_int_equal(landscape.most_runs, 12);
    arena_free(&hunt.arena);
}

static void annealing_finds_it_among_whole_numbers(void **state) {
    (void)state;
    struct landscape landscape = {.fill = bowl};
    struct hunt hunt;
    look(&hunt, &landscape, bowl_axes, 2, "min requests", NULL, 80);
    assert_true(hunt.done);
    print_message("whole: %s %s: %.5g\n", best(&hunt)->labels[0], best(&hunt)->labels[1],
                  best(&hunt)->values[0]);
    assert_true(best(&hunt)->values[0] < 5.05);
    arena_free(&hunt.arena);
}

/* The best of what is allowed lies on the constraint: x below 5. */
static void the_best_that_keeps_the_constraints_is_chosen(void **state) {
    (void)state;
    double truth = 5 + pow(log(.5), 2);
    for (int i = 0; i < 2; i++) {
        struct landscape landscape = {.fill = bowl};
        struct hunt hunt;
        look(&hunt, &landscape, i == 0 ? smooth_axes : bowl_axes, 2, "min requests",
             "dead_letters <= 5", 80);
        assert_true(hunt.done && best(&hunt)->is_feasible);
        assert_true(best(&hunt)->values[1] <= 5);
        print_message("constrained: %.5g, at best %.5g\n", best(&hunt)->values[0], truth);
        assert_true(best(&hunt)->values[0] < truth + .1);
        arena_free(&hunt.arena);
    }
}

static void where_nothing_keeps_them_the_nearest_is_told(void **state) {
    (void)state;
    struct landscape landscape = {.fill = bowl};
    struct hunt hunt;
    look(&hunt, &landscape, smooth_axes, 2, "min requests", "dead_letters < 0.5", 60);
    assert_true(hunt.done);
    assert_false(best(&hunt)->is_feasible);
    assert_true(best(&hunt)->values[1] < 1.01); /* it cannot be less than 1 */
    assert_true(fabs(best(&hunt)->violation - (best(&hunt)->values[1] - .5) / .5) < 1e-9);
    arena_free(&hunt.arena);
}

/* Three words, of which the third is the best, with its own place along the other axis. */
static void rungs(const struct axis_value *values, double *measured) {
    static const char *const words[] = {"none", "equal", "full"};
    double x = values[1].number;
    for (int i = 0; i < 3; i++) {
        if (strcmp(values[0].text, words[i]) == 0) {
            measured[0] = i * 10 - fabs(x - 10 * (i + 1));
        }
    }
    measured[1] = 0;
}

static void words_are_searched_and_more_may_be_better(void **state) {
    (void)state;
    static const char *const vary[] = {"delay=none,equal,full", "x=1..60"};
    struct landscape landscape = {.fill = rungs};
    struct hunt hunt;
    look(&hunt, &landscape, vary, 2, "max requests", NULL, 60);
    assert_true(hunt.done);
    assert_string_equal(best(&hunt)->labels[0], "full");
    assert_true(best(&hunt)->values[0] >= 18);
    arena_free(&hunt.arena);
}

static void no_point_is_tried_twice_and_few_points_end_the_search(void **state) {
    (void)state;
    static const char *const vary[] = {"delay=none,equal,full", "x=10,20"};
    struct landscape landscape = {.fill = rungs};
    struct hunt hunt;
    look(&hunt, &landscape, vary, 2, "max requests", NULL, 500);
    assert_true(hunt.done);
    assert_int_equal(hunt.tune.point_count, 6);
    assert_int_equal(landscape.calls, 6 + TUNE_FINALISTS);
    arena_free(&hunt.arena);
}

static void points_that_the_scenario_refuses_are_passed_over(void **state) {
    (void)state;
    struct landscape landscape = {.fill = bowl, .refused_below = 15};
    struct hunt hunt;
    look(&hunt, &landscape, smooth_axes, 2, "min requests", NULL, 80);
    assert_true(hunt.done && !best(&hunt)->is_refused);
    assert_true(best(&hunt)->values[0] < 5 + pow(log(1.5), 2) + .05);
    uint32_t refused = 0;
    for (uint32_t i = 0; i < hunt.tune.point_count; i++) {
        refused += hunt.tune.points[i].is_refused;
        assert_false(hunt.tune.points[i].is_refused && hunt.tune.points[i].is_front);
    }
    assert_true(refused > 5);
    arena_free(&hunt.arena);
}

static void a_search_that_is_stopped_tells_the_best_so_far(void **state) {
    (void)state;
    struct landscape landscape = {.fill = bowl, .stops_at = 21};
    struct hunt hunt;
    look(&hunt, &landscape, smooth_axes, 2, "min requests", NULL, 80);
    assert_false(hunt.done);
    assert_false(hunt.tune.is_complete);
    assert_int_equal(hunt.tune.point_count, 20);
    for (uint32_t i = 0; i < 20; i++) {
        assert_true(best(&hunt)->values[0] <= hunt.tune.points[i].values[0]);
    }
    arena_free(&hunt.arena);
}

static void the_same_search_has_the_same_points(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct landscape first = {.fill = bowl}, second = {.fill = bowl};
        struct hunt a, b;
        look(&a, &first, i == 0 ? smooth_axes : bowl_axes, 2, "min requests", NULL, 50);
        look(&b, &second, i == 0 ? smooth_axes : bowl_axes, 2, "min requests", NULL, 50);
        assert_int_equal(a.tune.point_count, b.tune.point_count);
        for (uint32_t p = 0; p < a.tune.point_count; p++) {
            assert_string_equal(a.tune.points[p].labels[0], b.tune.points[p].labels[0]);
            assert_string_equal(a.tune.points[p].labels[1], b.tune.points[p].labels[1]);
        }
        arena_free(&a.arena);
        arena_free(&b.arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_simplex_finds_the_bottom_of_a_bowl),
        cmocka_unit_test(annealing_finds_it_among_whole_numbers),
        cmocka_unit_test(the_best_that_keeps_the_constraints_is_chosen),
        cmocka_unit_test(where_nothing_keeps_them_the_nearest_is_told),
        cmocka_unit_test(words_are_searched_and_more_may_be_better),
        cmocka_unit_test(no_point_is_tried_twice_and_few_points_end_the_search),
        cmocka_unit_test(points_that_the_scenario_refuses_are_passed_over),
        cmocka_unit_test(a_search_that_is_stopped_tells_the_best_so_far),
        cmocka_unit_test(the_same_search_has_the_same_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
