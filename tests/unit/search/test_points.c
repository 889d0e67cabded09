/* test_points.c: where the points of a grid, of chance and of Sobol's sequence lie. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "search/points.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "support/test.h"

enum { AXES_MOST = 4 };

struct bench {
    struct arena arena;
    struct axis axes[AXES_MOST];
    struct points points;
    struct storm_error error;
};

static bool make(struct bench *bench, enum points_method method, uint32_t count, uint64_t seed,
                 uint32_t axis_count, const char *const *texts) {
    *bench = (struct bench){.points = {.count = 0}};
    arena_init(&bench->arena, 1 << 24);
    for (uint32_t i = 0; i < axis_count; i++) {
        assert_true(axis_parse(texts[i], &bench->arena, &bench->axes[i], &bench->error));
    }
    return points_make(method, bench->axes, axis_count, count, seed, &bench->arena, &bench->points,
                       &bench->error);
}

static void the_last_axis_of_a_grid_varies_fastest(void **state) {
    (void)state;
    static const char *const texts[] = {"a=1s,2s", "b=x,y,z", "c=0..1/2"};
    static const char *const wanted[] = {"1s x 0", "1s x 1", "1s y 0", "1s y 1",
                                         "1s z 0", "1s z 1", "2s x 0", "2s x 1",
                                         "2s y 0", "2s y 1", "2s z 0", "2s z 1"};
    struct bench bench;
    assert_true(make(&bench, POINTS_GRID, 0, 1, 3, texts));
    assert_int_equal(bench.points.count, 12);
    for (uint32_t p = 0; p < 12; p++) {
        char told[64];
        const struct axis_value *values = &bench.points.values[3 * p];
        snprintf(told, sizeof told, "%s %s %s", values[0].text, values[1].text, values[2].text);
        assert_string_equal(told, wanted[p]);
    }
    arena_free(&bench.arena);
}

/* Each point has its own draws: neither more points nor another axis behind moves it. */
static void random_points_stay_where_they_are(void **state) {
    (void)state;
    static const char *const texts[] = {"a=1s..60s/log", "b=x,y,z"};
    struct bench few, more, other;
    assert_true(make(&few, POINTS_RANDOM, 10, 7, 1, texts));
    assert_true(make(&more, POINTS_RANDOM, 1000, 7, 2, texts));
    assert_true(make(&other, POINTS_RANDOM, 10, 8, 1, texts));
    uint32_t alike = 0, x = 0;
    double logs = 0;
    for (uint32_t p = 0; p < 10; p++) {
        assert_string_equal(few.points.values[p].text, more.points.values[2 * p].text);
        alike += strcmp(few.points.values[p].text, other.points.values[p].text) == 0;
    }
    for (uint32_t p = 0; p < 1000; p++) {
        double number = more.points.values[2 * p].number;
        assert_true(number >= 1 && number <= 60);
        logs += log(number) / log(60);
        x += strcmp(more.points.values[2 * p + 1].text, "x") == 0;
    }
    assert_true(alike < 2);
    /* uniform by ratios: mean 1/2 with a standard error of .289 / sqrt(1000); a third are x */
    assert_true(fabs(logs / 1000 - .5) < 4 * .289 / sqrt(1000));
    assert_true(fabs(x / 1000. - 1 / 3.) < 4 * sqrt(2 / 9. / 1000));
    arena_free(&few.arena);
    arena_free(&more.arena);
    arena_free(&other.arena);
}

/* Of 2^k points each of 2^k equal intervals holds one, on every axis: of the first 2^k - 1 points,
   as GSL leaves out the origin, all intervals but the first. */
static void sobol_points_are_spread_evenly(void **state) {
    (void)state;
    static const char *const texts[] = {"a=0.0..64.0", "b=0.0..64.0", "c=0.0..64.0"};
    struct bench bench;
    assert_true(make(&bench, POINTS_SOBOL, 63, 1, 3, texts));
    for (uint32_t a = 0; a < 3; a++) {
        uint8_t held[64] = {0};
        for (uint32_t p = 0; p < 63; p++) {
            held[(int)bench.points.values[3 * p + a].number]++;
        }
        for (int i = 1; i < 64; i++) {
            assert_int_equal(held[i], 1);
        }
    }
    assert_true(bench.points.values[0].number == 32 && bench.points.values[1].number == 32);
    arena_free(&bench.arena);
}

static void what_a_method_needs_is_asked_for(void **state) {
    (void)state;
    static const struct {
        enum points_method method;
        const char *texts[2];
        const char *message;
    } cases[] = {
        {POINTS_GRID, {"a=1s..2s", "b=1,2"}, "a grid needs steps"},
        {POINTS_SOBOL, {"a=1s..2s/5", "b=1,2"}, "drawn points may be anywhere in a range"},
        {POINTS_GRID, {"a=1,2", "a=3,4"}, "this path is varied twice"},
        {POINTS_RANDOM, {"a", "b=1,2"}, "there are no values"},
        {POINTS_GRID, {"a=1..10000/10000", "b=1..101/101"}, "more than 1000000 points"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bench bench;
        assert_false(make(&bench, cases[i].method, 10, 1, 2, cases[i].texts));
        assert_int_equal(bench.error.status, STORM_USAGE);
        assert_non_null(strstr(bench.error.message, cases[i].message));
        arena_free(&bench.arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_axis_of_a_grid_varies_fastest),
        cmocka_unit_test(random_points_stay_where_they_are),
        cmocka_unit_test(sobol_points_are_spread_evenly),
        cmocka_unit_test(what_a_method_needs_is_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
