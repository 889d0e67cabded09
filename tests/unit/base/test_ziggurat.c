/* test_ziggurat.c: the layers recomputed, and the laws by moments, distribution function and
   tail. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>
#include <mpfr.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/stream.h"
#include "base/ziggurat.h"
#include "base/ziggurat_tables.h"
#include "support/test.h"

enum { DRAWS = 1000000, TAIL_DRAWS = 8000000, BITS = 300 };

typedef double (*draw_function)(uint64_t key, uint32_t purpose, uint32_t *k);

/* ---- the tables ------------------------------------------------------------------------------ */

/* A density's shape f with f(0) = 1, its inverse, and the area beyond x. Each may write over its
   argument. */
struct shape {
    void (*height)(mpfr_t y, const mpfr_t x);
    void (*inverse)(mpfr_t x, const mpfr_t y);
    void (*tail)(mpfr_t area, const mpfr_t x);
    double least, most; /* bounds of x[1] */
    const double *edges, *heights;
};

static void exponential_height(mpfr_t y, const mpfr_t x) {
    mpfr_neg(y, x, MPFR_RNDN);
    mpfr_exp(y, y, MPFR_RNDN);
}

static void exponential_inverse(mpfr_t x, const mpfr_t y) {
    mpfr_log(x, y, MPFR_RNDN);
    mpfr_neg(x, x, MPFR_RNDN);
}

static void normal_height(mpfr_t y, const mpfr_t x) {
    mpfr_sqr(y, x, MPFR_RNDN);
    mpfr_div_si(y, y, -2, MPFR_RNDN);
    mpfr_exp(y, y, MPFR_RNDN);
}

static void normal_inverse(mpfr_t x, const mpfr_t y) {
    mpfr_log(x, y, MPFR_RNDN);
    mpfr_mul_si(x, x, -2, MPFR_RNDN);
    mpfr_sqrt(x, x, MPFR_RNDN);
}

/* sqrt(pi / 2) erfc(x / sqrt(2)) */
static void normal_tail(mpfr_t area, const mpfr_t x) {
    mpfr_t factor;
    mpfr_init2(factor, BITS);
    mpfr_sqrt_ui(factor, 2, MPFR_RNDN);
    mpfr_div(area, x, factor, MPFR_RNDN);
    mpfr_erfc(area, area, MPFR_RNDN);
    mpfr_const_pi(factor, MPFR_RNDN);
    mpfr_div_ui(factor, factor, 2, MPFR_RNDN);
    mpfr_sqrt(factor, factor, MPFR_RNDN);
    mpfr_mul(area, area, factor, MPFR_RNDN);
    mpfr_clear(factor);
}

/* Lays all layers from a first edge r; true if they reach above 1, i.e. r is too small. */
static bool layers_lay(const struct shape *shape, const mpfr_t r, mpfr_t *edges) {
    mpfr_t area, height;
    mpfr_inits2(BITS, area, height, (mpfr_ptr)NULL);
    shape->tail(area, r);
    shape->height(height, r);
    mpfr_fma(area, r, height, area, MPFR_RNDN);
    mpfr_div(edges[0], area, height, MPFR_RNDN);
    mpfr_set(edges[1], r, MPFR_RNDN);
    bool above = false;
    for (int i = 1; i < ZIGGURAT_LAYERS && !above; i++) {
        shape->height(height, edges[i]);
        mpfr_div(edges[i + 1], area, edges[i], MPFR_RNDN);
        mpfr_add(height, height, edges[i + 1], MPFR_RNDN);
        above = mpfr_cmp_ui(height, 1) > 0;
        if (!above)
            shape->inverse(edges[i + 1], height);
    }
    mpfr_clears(area, height, (mpfr_ptr)NULL);
    return above;
}

/* Finds the first edge by halving, and compares every edge and height with the tables. */
static void assert_tables(const struct shape *shape) {
    static mpfr_t edges[ZIGGURAT_LAYERS + 1];
    mpfr_t low, high, middle;
    mpfr_inits2(BITS, low, high, middle, (mpfr_ptr)NULL);
    for (int i = 0; i <= ZIGGURAT_LAYERS; i++)
        mpfr_init2(edges[i], BITS);
    mpfr_set_d(low, shape->least, MPFR_RNDN);
    mpfr_set_d(high, shape->most, MPFR_RNDN);
    for (int step = 0; step < 130; step++) {
        mpfr_add(middle, low, high, MPFR_RNDN);
        mpfr_div_ui(middle, middle, 2, MPFR_RNDN);
        mpfr_set(layers_lay(shape, middle, edges) ? low : high, middle, MPFR_RNDN);
    }
    assert_false(layers_lay(shape, high, edges));
    assert_true(shape->edges[ZIGGURAT_LAYERS] == 0.0);
    assert_true(shape->heights[0] == 0.0 && shape->heights[ZIGGURAT_LAYERS] == 1.0);
    for (int i = 0; i < ZIGGURAT_LAYERS; i++) {
        assert_true(mpfr_get_d(edges[i], MPFR_RNDN) == shape->edges[i]);
        shape->height(middle, edges[i]);
        assert_true(i == 0 || mpfr_get_d(middle, MPFR_RNDN) == shape->heights[i]);
    }
    for (int i = 0; i <= ZIGGURAT_LAYERS; i++)
        mpfr_clear(edges[i]);
    mpfr_clears(low, high, middle, (mpfr_ptr)NULL);
}

static void the_exponential_layers_are_those_of_equal_area(void **state) {
    (void)state;
    assert_tables(&(struct shape){exponential_height, exponential_inverse, exponential_height, 7.0,
                                  8.0, exponential_edges, exponential_heights});
}

static void the_normal_layers_are_those_of_equal_area(void **state) {
    (void)state;
    assert_tables(&(struct shape){normal_height, normal_inverse, normal_tail, 3.0, 4.0,
                                  normal_edges, normal_heights});
}

/* ---- the laws -------------------------------------------------------------------------------- */

/* Draws one number each for many keys: as a run does. */
static double draw_one(draw_function draw, uint64_t seed, uint32_t i) {
    uint32_t k = 0;
    double x = draw(stream_child(seed, 1, i), STREAM_SERVICE, &k);
    assert_true(k >= 1);
    return x;
}

/* The mean of x^power must be `mean`, given the variance of x^power. */
static void assert_moment(draw_function draw, int power, double mean, double variance) {
    double sum = 0.0;
    for (uint32_t i = 0; i < DRAWS; i++) {
        double x = draw_one(draw, (uint64_t)power, i);
        double product = x;
        for (int n = 1; n < power; n++)
            product *= x;
        sum += product;
    }
    double z = (sum / DRAWS - mean) / sqrt(variance / DRAWS);
    if (fabs(z) >= 4.0)
        fail_msg("moment %d: z = %.2f", power, z);
}

static void exponential_moments_are_right(void **state) {
    (void)state;
    assert_moment(ziggurat_exponential, 1, 1.0, 1.0);
    assert_moment(ziggurat_exponential, 2, 2.0, 20.0);
    assert_moment(ziggurat_exponential, 3, 6.0, 684.0);
    assert_moment(ziggurat_exponential, 4, 24.0, 39744.0);
}

static void normal_moments_are_right(void **state) {
    (void)state;
    assert_moment(ziggurat_normal, 1, 0.0, 1.0);
    assert_moment(ziggurat_normal, 2, 1.0, 2.0);
    assert_moment(ziggurat_normal, 3, 0.0, 15.0);
    assert_moment(ziggurat_normal, 4, 3.0, 96.0);
    assert_moment(ziggurat_normal, 6, 15.0, 10170.0);
}

static double exponential_below(double x) { return -expm1(-x); }
static double normal_below(double x) { return 0.5 * erfc(-x * sqrt(0.5)); }

static int by_size(const void *a, const void *b) {
    double left = *(const double *)a;
    double right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Kolmogorov's test at 0.1 %, and chi-square over 4096 cells of equal chance, which sees single
   layers. */
static void assert_law(draw_function draw, double (*below)(double), uint64_t seed) {
    enum { CELLS = 4096 };
    static double draws[DRAWS];
    static double cells[CELLS];
    for (int i = 0; i < CELLS; i++)
        cells[i] = 0.0;
    for (uint32_t i = 0; i < DRAWS; i++)
        draws[i] = draw_one(draw, seed, i);
    qsort(draws, DRAWS, sizeof draws[0], by_size);
    double distance = 0.0;
    for (int i = 0; i < DRAWS; i++) {
        double share = below(draws[i]);
        distance = fmax(distance, fmax(share - (double)i / DRAWS, (i + 1.0) / DRAWS - share));
        cells[(int)fmin(share * CELLS, CELLS - 1)] += 1.0;
    }
    double expected = (double)DRAWS / CELLS;
    double chi_square = 0.0;
    for (int i = 0; i < CELLS; i++)
        chi_square += (cells[i] - expected) * (cells[i] - expected) / expected;
    double z = (chi_square - (CELLS - 1)) / sqrt(2.0 * (CELLS - 1));
    print_message("D sqrt(n) = %.3f, chi-square z = %.2f\n", distance * sqrt(DRAWS), z);
    assert_true(distance * sqrt(DRAWS) < 1.95);
    assert_true(fabs(z) < 4.0);
}

static void exponential_draws_follow_their_law(void **state) {
    (void)state;
    assert_law(ziggurat_exponential, exponential_below, 11);
}

static void normal_draws_follow_their_law(void **state) {
    (void)state;
    assert_law(ziggurat_normal, normal_below, 12);
}

/* How many draws lie beyond the first edge, and how far on average: the part that no layer
   covers. */
static void assert_tail(draw_function draw, double edge, double chance, double mean,
                        double deviation, uint64_t seed) {
    double count = 0.0;
    double sum = 0.0;
    for (uint32_t i = 0; i < TAIL_DRAWS; i++) {
        double x = fabs(draw_one(draw, seed, i));
        if (x < edge)
            continue;
        count += 1.0;
        sum += x;
    }
    double z_count = (count - TAIL_DRAWS * chance) / sqrt(TAIL_DRAWS * chance);
    double z_mean = (sum / count - mean) / (deviation / sqrt(count));
    print_message("%g draws in the tail: z = %.2f, of their mean %.2f\n", count, z_count, z_mean);
    assert_true(fabs(z_count) < 4.0);
    assert_true(fabs(z_mean) < 4.0);
}

static void exponential_draws_reach_beyond_the_layers(void **state) {
    (void)state;
    double edge = exponential_edges[1];
    assert_tail(ziggurat_exponential, edge, exp(-edge), edge + 1.0, 1.0, 13);
}

static void normal_draws_reach_beyond_the_layers(void **state) {
    (void)state;
    double edge = normal_edges[1];
    double chance = erfc(edge * sqrt(0.5));
    double mean = exp(-0.5 * edge * edge) * sqrt(2.0 / acos(-1.0)) / chance;
    double variance = 1.0 + edge * mean - mean * mean;
    assert_tail(ziggurat_normal, edge, chance, mean, sqrt(variance), 14);
}

static void successive_draws_are_uncorrelated(void **state) {
    (void)state;
    uint32_t k = 0;
    double last = ziggurat_exponential(5, STREAM_ARRIVAL, &k);
    double sum = 0.0;
    for (uint32_t i = 0; i < DRAWS; i++) {
        double next = ziggurat_exponential(5, STREAM_ARRIVAL, &k);
        sum += (last - 1.0) * (next - 1.0);
        last = next;
    }
    assert_true(fabs(sum / sqrt(DRAWS)) < 4.0);
    assert_in_range(k, DRAWS * 1.01, DRAWS * 1.05); /* about 1.1 % need a second hash or a third */
}

static void a_draw_depends_on_key_purpose_and_k_alone(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 10000; i++) {
        uint32_t k = i;
        double first = ziggurat_exponential(i, STREAM_SERVICE, &k);
        uint32_t after = k;
        ziggurat_exponential(i, STREAM_SERVICE, &k);
        k = i;
        assert_true(ziggurat_exponential(i, STREAM_SERVICE, &k) == first);
        assert_int_equal(k, after);
        k = i;
        assert_true(ziggurat_exponential(i, STREAM_OUTBOUND, &k) != first);
    }
}

/* The first draws as numbers: every build must find them. */
static void every_build_draws_the_same_numbers(void **state) {
    (void)state;
    uint64_t digest = 0;
    for (uint32_t i = 0; i < 200000; i++) {
        double both = draw_one(ziggurat_exponential, 1, i) * draw_one(ziggurat_normal, 2, i);
        digest = stream_mix64(digest ^ (uint64_t)(int64_t)(both * 0x1p40));
    }
    assert_int_equal(digest, UINT64_C(0xfc52a8c5c22147ac));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_exponential_layers_are_those_of_equal_area),
        cmocka_unit_test(the_normal_layers_are_those_of_equal_area),
        cmocka_unit_test(exponential_moments_are_right),
        cmocka_unit_test(normal_moments_are_right),
        cmocka_unit_test(exponential_draws_follow_their_law),
        cmocka_unit_test(normal_draws_follow_their_law),
        cmocka_unit_test(exponential_draws_reach_beyond_the_layers),
        cmocka_unit_test(normal_draws_reach_beyond_the_layers),
        cmocka_unit_test(successive_draws_are_uncorrelated),
        cmocka_unit_test(a_draw_depends_on_key_purpose_and_k_alone),
        cmocka_unit_test(every_build_draws_the_same_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
