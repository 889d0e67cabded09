/* test_dist.c: each law's mean, spread and distribution, and draws that depend on their name
   alone. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include <retrystorm/dist.h>

#include "base/stream.h"
#include "support/test.h"

enum { DRAWS = 400000 };

/* A law with its parameters prepared. */
static struct storm_dist law(enum storm_law name, double a, double b) {
    struct storm_dist dist = {.law = name, .a = a, .b = b};
    storm_dist_prepare(&dist);
    return dist;
}

static double draw_seconds(const struct storm_dist *dist, uint32_t i) {
    return storm_time_to_seconds(storm_dist_draw(dist, stream_child(42, 1, i), STREAM_SERVICE));
}

/* The draws' average is storm_dist_mean, and `mean`, within four standard errors. */
static void assert_mean(struct storm_dist dist, double mean, double deviation) {
    double sum = 0.0;
    for (uint32_t i = 0; i < DRAWS; i++)
        sum += draw_seconds(&dist, i);
    assert_true(fabs(storm_dist_mean(&dist) - mean) <= 1e-14 * mean);
    double z = deviation == 0.0 ? 0.0 : (sum / DRAWS - mean) / (deviation / sqrt(DRAWS));
    if (fabs(z) >= 4.0)
        fail_msg("law %d: z = %.2f", (int)dist.law, z);
}

static void means_are_those_drawn(void **state) {
    (void)state;
    assert_mean(law(STORM_LAW_UNIFORM, 0.010, 0.050), 0.030, 0.040 / sqrt(12.0));
    assert_mean(law(STORM_LAW_EXPONENTIAL, 0.030, 0.0), 0.030, 0.030);
    assert_mean(law(STORM_LAW_EXPONENTIAL, 3600.0, 0.0), 3600.0, 3600.0);
    assert_mean(law(STORM_LAW_LOGNORMAL, 0.020, 0.5), 0.020, 0.010);
    assert_mean(law(STORM_LAW_LOGNORMAL, 2.0, 1.0), 2.0, 2.0);
}

static void the_folded_normal_has_its_closed_mean(void **state) {
    (void)state;
    static const double rows[][2] = {{0.010, 0.002}, {0.010, 0.010}, {0.010, 0.1}, {0.0, 1.0},
                                     {5.0, 0.1},     {3.0, 1.0},     {1.0, 0.18},  {1.0, 0.1178}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double m = rows[i][0];
        double s = rows[i][1];
        double mean =
            s * sqrt(2.0 / acos(-1.0)) * exp(-m * m / (2.0 * s * s)) + m * erf(m / s / sqrt(2.0));
        assert_mean(law(STORM_LAW_NORMAL, m, s), mean, sqrt(m * m + s * s - mean * mean));
    }
    assert_mean(law(STORM_LAW_NORMAL, 0.25, 0.0), 0.25, 0.0);
}

static void the_offset_is_added_to_mean_and_draw(void **state) {
    (void)state;
    struct storm_dist dist = law(STORM_LAW_EXPONENTIAL, 0.030, 0.0);
    storm_time bare = storm_dist_draw(&dist, 1, STREAM_SERVICE);
    dist.offset = 20 * STORM_MILLISECOND;
    assert_int_equal(storm_dist_draw(&dist, 1, STREAM_SERVICE), bare + 20 * STORM_MILLISECOND);
    assert_true(fabs(storm_dist_mean(&dist) - 0.050) < 1e-15);
    dist.offset = STORM_NEVER;
    assert_int_equal(storm_dist_draw(&dist, 1, STREAM_SERVICE), STORM_NEVER);
}

static void a_zeroed_dist_is_always_0(void **state) {
    (void)state;
    struct storm_dist dist = {0};
    storm_dist_prepare(&dist);
    assert_true(storm_dist_mean(&dist) == 0.0);
    assert_int_equal(storm_dist_draw(&dist, 9, STREAM_SERVICE), 0);
    dist.offset = 20 * STORM_MILLISECOND;
    assert_int_equal(storm_dist_draw(&dist, 9, STREAM_SERVICE), 20 * STORM_MILLISECOND);
}

static void laws_without_spread_are_constant(void **state) {
    (void)state;
    struct storm_dist dists[] = {law(STORM_LAW_UNIFORM, 0.5, 0.5), law(STORM_LAW_NORMAL, 0.5, 0.0),
                                 law(STORM_LAW_LOGNORMAL, 0.5, 0.0),
                                 law(STORM_LAW_EXPONENTIAL, 0.0, 0.0),
                                 law(STORM_LAW_LOGNORMAL, 0.0, 1.0)};
    for (size_t i = 0; i < sizeof dists / sizeof dists[0]; i++) {
        for (uint64_t key = 0; key < 1000; key++)
            assert_int_equal(storm_dist_draw(&dists[i], key, STREAM_SERVICE),
                             i < 3 ? 500 * STORM_MILLISECOND : 0);
    }
}

static double uniform_below(double x) { return (x - 0.010) / 0.040; }
static double exponential_below(double x) { return -expm1(-x / 0.030); }
static double normal_part(double z) { return 0.5 * erfc(-z * sqrt(0.5)); }
static double folded_below(double x) {
    return normal_part((x - 0.010) / 0.020) - normal_part((-x - 0.010) / 0.020);
}
static double lognormal_below(double x) { /* mean 0.020, cv 1.5 */
    double variance = log1p(2.25);
    return x <= 0.0 ? 0.0 : normal_part((log(x / 0.020) + 0.5 * variance) / sqrt(variance));
}

static int by_size(const void *a, const void *b) {
    double left = *(const double *)a;
    double right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Kolmogorov's test at 0.1 %. */
static void assert_law(struct storm_dist dist, double (*below)(double)) {
    static double draws[DRAWS];
    for (uint32_t i = 0; i < DRAWS; i++)
        draws[i] = draw_seconds(&dist, i);
    qsort(draws, DRAWS, sizeof draws[0], by_size);
    double distance = 0.0;
    for (int i = 0; i < DRAWS; i++) {
        double share = below(draws[i]);
        distance = fmax(distance, fmax(share - (double)i / DRAWS, (i + 1.0) / DRAWS - share));
    }
    print_message("law %d: D sqrt(n) = %.3f\n", (int)dist.law, distance * sqrt(DRAWS));
    assert_true(distance * sqrt(DRAWS) < 1.95);
}

static void draws_follow_their_laws(void **state) {
    (void)state;
    assert_law(law(STORM_LAW_UNIFORM, 0.010, 0.050), uniform_below);
    assert_law(law(STORM_LAW_EXPONENTIAL, 0.030, 0.0), exponential_below);
    assert_law(law(STORM_LAW_NORMAL, 0.010, 0.020), folded_below);
    assert_law(law(STORM_LAW_LOGNORMAL, 0.020, 1.5), lognormal_below);
}

static void a_draw_depends_on_key_and_purpose_alone(void **state) {
    (void)state;
    struct storm_dist fast = law(STORM_LAW_EXPONENTIAL, 0.001, 0.0);
    struct storm_dist slow = law(STORM_LAW_EXPONENTIAL, 1000.0, 0.0);
    for (uint64_t key = 0; key < 1000; key++) {
        storm_time first = storm_dist_draw(&slow, key, STREAM_SERVICE);
        storm_time scaled = storm_dist_draw(&fast, key, STREAM_SERVICE);
        assert_int_equal(storm_dist_draw(&slow, key, STREAM_SERVICE), first);
        assert_true(llabs(first / 1000000 - scaled) <= 1); /* the same luck */
        assert_int_not_equal(storm_dist_draw(&slow, key, STREAM_RETURN), first);
    }
}

/* Draws of one entity for two purposes, and of neighbouring keys, have nothing in common. */
static void purposes_and_neighbours_are_uncorrelated(void **state) {
    (void)state;
    struct storm_dist dist = law(STORM_LAW_EXPONENTIAL, 1.0, 0.0);
    double purposes = 0.0;
    double neighbours = 0.0;
    double last = 1.0;
    for (uint64_t key = 0; key < DRAWS; key++) {
        double out = storm_time_to_seconds(storm_dist_draw(&dist, key, STREAM_OUTBOUND)) - 1.0;
        double back = storm_time_to_seconds(storm_dist_draw(&dist, key, STREAM_RETURN)) - 1.0;
        purposes += out * back;
        neighbours += out * last;
        last = out;
    }
    assert_true(fabs(purposes / sqrt(DRAWS)) < 4.0);
    assert_true(fabs(neighbours / sqrt(DRAWS)) < 4.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means_are_those_drawn),
        cmocka_unit_test(the_folded_normal_has_its_closed_mean),
        cmocka_unit_test(the_offset_is_added_to_mean_and_draw),
        cmocka_unit_test(a_zeroed_dist_is_always_0),
        cmocka_unit_test(laws_without_spread_are_constant),
        cmocka_unit_test(draws_follow_their_laws),
        cmocka_unit_test(a_draw_depends_on_key_and_purpose_alone),
        cmocka_unit_test(purposes_and_neighbours_are_uncorrelated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
