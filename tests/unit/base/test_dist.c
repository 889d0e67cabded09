/* test_dist.c: each law's mean, spread and distribution, and draws that depend on their name
   alone. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <float.h>
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

static const struct storm_quantile points[] = {
    {0.0, 0.001}, {0.5, 0.020}, {0.9, 0.050}, {1.0, 1.0}};

/* The law of a table; its mean and spread are its own. */
static struct storm_dist table(const struct storm_quantile *quantiles, uint32_t count) {
    struct storm_dist dist = {
        .law = STORM_LAW_EMPIRICAL, .quantiles = quantiles, .quantile_count = count};
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

/* Mean and variance of the draws are those of the moments about 0 (m[1] to m[4]), within four
   standard errors. */
static void assert_moments(struct storm_dist dist, const double m[5]) {
    double variance = m[2] - m[1] * m[1];
    double fourth = m[4] - 4.0 * m[3] * m[1] + 6.0 * m[2] * m[1] * m[1] - 3.0 * pow(m[1], 4.0);
    double sum = 0.0;
    assert_mean(dist, m[1], sqrt(variance));
    for (uint32_t i = 0; i < DRAWS; i++)
        sum += pow(draw_seconds(&dist, i) - m[1], 2.0);
    double z = (sum / DRAWS - variance) / sqrt((fourth - variance * variance) / DRAWS);
    print_message("law %d, shape %g: z of the variance %.2f\n", (int)dist.law, dist.b, z);
    assert_true(fabs(z) < 4.0);
}

static void a_pareto_law_has_its_mean_and_variance(void **state) {
    (void)state;
    static const double shapes[] = {9.0, 12.5, 100.0};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        double m[5] = {1.0};
        for (int r = 1; r <= 4; r++)
            m[r] = shapes[i] * pow(3.0, r) / (shapes[i] - r);
        assert_moments(law(STORM_LAW_PARETO, 3.0, shapes[i]), m);
    }
    assert_mean(law(STORM_LAW_PARETO, 0.010, 2.5), 0.010 * 2.5 / 1.5,
                0.010 * sqrt(2.5 / 0.5 - pow(2.5 / 1.5, 2.0)));
}

static void a_weibull_law_has_its_mean_and_variance(void **state) {
    (void)state;
    static const double shapes[] = {0.7, 1.0, 2.0, 5.5};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        double m[5] = {1.0};
        for (int r = 1; r <= 4; r++)
            m[r] = pow(0.050, r) * tgamma(1.0 + r / shapes[i]);
        assert_moments(law(STORM_LAW_WEIBULL, 0.050, shapes[i]), m);
    }
}

static void a_gamma_law_has_its_mean_and_variance(void **state) {
    (void)state;
    static const double shapes[] = {0.05, 0.3, 0.999, 1.0, 2.5, 4.0, 60.0, 1e4};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        double m[5] = {1.0};
        for (int r = 1; r <= 4; r++)
            m[r] = m[r - 1] * (shapes[i] + r - 1) / shapes[i] * 2.0;
        m[1] = 2.0;
        assert_moments(law(STORM_LAW_GAMMA, 2.0, shapes[i]), m);
    }
}

static void a_hyperexponential_law_has_the_cv_it_is_given(void **state) {
    (void)state;
    static const double cvs[] = {1.0, 1.001, 1.5, 3.0, 8.0};
    for (size_t i = 0; i < sizeof cvs / sizeof cvs[0]; i++) {
        double square = cvs[i] * cvs[i];
        double fast = 0.5 * (1.0 + sqrt((square - 1.0) / (square + 1.0)));
        double m[5] = {1.0}, factorial = 1.0;
        for (int r = 1; r <= 4; r++) {
            factorial *= r;
            m[r] = factorial * pow(0.5 * 0.050, r) * (pow(fast, 1 - r) + pow(1.0 - fast, 1 - r));
        }
        m[1] = 0.050;
        assert_true(fabs(m[2] / (m[1] * m[1]) - 1.0 - square) < 1e-12 * square);
        assert_moments(law(STORM_LAW_HYPEREXPONENTIAL, 0.050, cvs[i]), m);
    }
}

static void an_empirical_law_has_the_moments_of_its_straight_lines(void **state) {
    (void)state;
    double m[5] = {1.0};
    for (int r = 1; r <= 4; r++) {
        for (int i = 1; i < 4; i++) {
            double low = points[i - 1].value, high = points[i].value;
            m[r] += (points[i].share - points[i - 1].share) * (pow(high, r + 1) - pow(low, r + 1)) /
                    ((r + 1) * (high - low));
        }
    }
    assert_moments(table(points, 4), m);
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
    dist.offset = STORM_NEVER; /* "none", of a timeout */
    assert_int_equal(storm_dist_draw(&dist, 9, STREAM_SERVICE), STORM_NEVER);
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

static double uniform_below(const struct storm_dist *dist, double x) {
    return (x - dist->a) / (dist->b - dist->a);
}

static double exponential_below(const struct storm_dist *dist, double x) {
    return -expm1(-x / dist->a);
}

static double normal_part(double z) { return 0.5 * erfc(-z * sqrt(0.5)); }

static double folded_below(const struct storm_dist *dist, double x) {
    return normal_part((x - dist->a) / dist->b) - normal_part((-x - dist->a) / dist->b);
}

static double lognormal_below(const struct storm_dist *dist, double x) {
    double variance = log1p(dist->b * dist->b);
    return x <= 0.0 ? 0.0 : normal_part((log(x / dist->a) + 0.5 * variance) / sqrt(variance));
}

static double pareto_below(const struct storm_dist *dist, double x) {
    return x <= dist->a ? 0.0 : 1.0 - pow(dist->a / x, dist->b);
}

static double weibull_below(const struct storm_dist *dist, double x) {
    return -expm1(-pow(x / dist->a, dist->b));
}

/* The series of the incomplete gamma function (Abramowitz and Stegun 6.5.29). */
static double gamma_below(const struct storm_dist *dist, double x) {
    double y = x * dist->b / dist->a;
    double term = y <= 0.0 ? 0.0 : exp(dist->b * log(y) - y - log(tgamma(dist->b + 1.0)));
    double sum = term;
    for (int n = 1; term > sum * 1e-17; n++) {
        term *= y / (dist->b + n);
        sum += term;
    }
    return sum;
}

static double hyperexponential_below(const struct storm_dist *dist, double x) {
    double square = dist->b * dist->b;
    double fast = 0.5 * (1.0 + sqrt((square - 1.0) / (square + 1.0)));
    double slow = 1.0 - fast;
    return -fast * expm1(-x * 2.0 * fast / dist->a) - slow * expm1(-x * 2.0 * slow / dist->a);
}

static double empirical_below(const struct storm_dist *dist, double x) {
    const struct storm_quantile *q = dist->quantiles;
    uint32_t i = 1;
    while (i + 1 < dist->quantile_count && x > q[i].value)
        i++;
    return q[i - 1].share +
           (x - q[i - 1].value) / (q[i].value - q[i - 1].value) * (q[i].share - q[i - 1].share);
}

static int by_size(const void *a, const void *b) {
    double left = *(const double *)a;
    double right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Kolmogorov's test at 0.1 %. */
static void assert_law(struct storm_dist dist,
                       double (*below)(const struct storm_dist *dist, double x)) {
    static double draws[DRAWS];
    for (uint32_t i = 0; i < DRAWS; i++)
        draws[i] = draw_seconds(&dist, i);
    qsort(draws, DRAWS, sizeof draws[0], by_size);
    double distance = 0.0;
    for (int i = 0; i < DRAWS; i++) {
        double share = below(&dist, draws[i]);
        distance = fmax(distance, fmax(share - (double)i / DRAWS, (i + 1.0) / DRAWS - share));
    }
    print_message("law %d, shape %g: D sqrt(n) = %.3f\n", (int)dist.law, dist.b,
                  distance * sqrt(DRAWS));
    assert_true(distance * sqrt(DRAWS) < 1.95);
}

static void draws_follow_their_laws(void **state) {
    (void)state;
    assert_law(law(STORM_LAW_UNIFORM, 0.010, 0.050), uniform_below);
    assert_law(law(STORM_LAW_EXPONENTIAL, 0.030, 0.0), exponential_below);
    assert_law(law(STORM_LAW_NORMAL, 0.010, 0.020), folded_below);
    assert_law(law(STORM_LAW_LOGNORMAL, 0.020, 1.5), lognormal_below);
    assert_law(law(STORM_LAW_PARETO, 0.010, 1.5), pareto_below);
    assert_law(law(STORM_LAW_PARETO, 0.010, 0.8), pareto_below);
    assert_law(law(STORM_LAW_WEIBULL, 0.050, 0.7), weibull_below);
    assert_law(law(STORM_LAW_WEIBULL, 0.050, 3.0), weibull_below);
    assert_law(law(STORM_LAW_HYPEREXPONENTIAL, 0.050, 3.0), hyperexponential_below);
    assert_law(table(points, 4), empirical_below);
}

/* In large units: of a shape of 0.3, one in 300 of 50 ms is shorter than a nanosecond. */
static void gamma_draws_follow_their_law_at_every_shape(void **state) {
    (void)state;
    static const double shapes[] = {0.3, 0.5, 1.0, 1.5, 2.5, 4.0, 100.0};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        assert_law(law(STORM_LAW_GAMMA, 1e6, shapes[i]), gamma_below);
    assert_law(law(STORM_LAW_GAMMA, 1e6, 1.0), exponential_below);
}

/* The same luck gives the same draw, bit by bit, where two laws are one. */
static void laws_that_are_one_draw_alike(void **state) {
    (void)state;
    static const struct storm_quantile line[] = {{0.0, 0.010}, {1.0, 0.050}};
    struct storm_dist exponential = law(STORM_LAW_EXPONENTIAL, 3600.0, 0.0);
    struct storm_dist hyper = law(STORM_LAW_HYPEREXPONENTIAL, 3600.0, 1.0);
    struct storm_dist weibull = law(STORM_LAW_WEIBULL, 3600.0, 1.0);
    struct storm_dist uniform = law(STORM_LAW_UNIFORM, 0.010, 0.050);
    struct storm_dist empirical = table(line, 2);
    for (uint64_t key = 0; key < 10000; key++) {
        storm_time time = storm_dist_draw(&exponential, key, STREAM_SERVICE);
        assert_int_equal(storm_dist_draw(&hyper, key, STREAM_SERVICE), time);
        assert_int_equal(storm_dist_draw(&weibull, key, STREAM_SERVICE), time);
        assert_int_equal(storm_dist_draw(&empirical, key, STREAM_SERVICE),
                         storm_dist_draw(&uniform, key, STREAM_SERVICE));
    }
}

/* Means that are plain numbers are exactly those. */
static void simple_means_are_exact(void **state) {
    (void)state;
    static const struct storm_quantile flat[] = {{0.0, 0.5}, {0.25, 0.5}, {1.0, 0.5}};
    static const struct {
        struct storm_dist dist;
        double mean;
    } rows[] = {
        {{.law = STORM_LAW_PARETO, .a = 0.5, .b = 3.0}, 0.75},
        {{.law = STORM_LAW_PARETO, .a = 0.5, .b = 1.0}, (double)INFINITY},
        {{.law = STORM_LAW_PARETO, .a = 0.5, .b = 0.01}, (double)INFINITY},
        {{.law = STORM_LAW_PARETO, .a = 0.0, .b = 0.01}, 0.0},
        {{.law = STORM_LAW_WEIBULL, .a = 0.5, .b = 1.0}, 0.5},
        {{.law = STORM_LAW_WEIBULL, .a = 0.5, .b = 0.5}, 1.0},
        {{.law = STORM_LAW_WEIBULL, .a = 0.5, .b = 0.125}, 20160.0},
        {{.law = STORM_LAW_WEIBULL, .a = 0.5, .b = 0x1p-10}, (double)INFINITY},
        {{.law = STORM_LAW_WEIBULL, .a = 0.0, .b = 0x1p-10}, 0.0},
        {{.law = STORM_LAW_GAMMA, .a = 0.1, .b = 0.7}, 0.1},
        {{.law = STORM_LAW_HYPEREXPONENTIAL, .a = 0.1, .b = 7.0}, 0.1},
        {{.law = STORM_LAW_EMPIRICAL, .quantiles = flat, .quantile_count = 3}, 0.5},
        {{.offset = 2 * STORM_SECOND, .law = STORM_LAW_PARETO, .a = 0.5, .b = 3.0}, 2.75},
        {{.offset = STORM_NEVER}, (double)INFINITY},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (storm_dist_mean(&rows[i].dist) != rows[i].mean)
            fail_msg("row %zu: %a", i, storm_dist_mean(&rows[i].dist));
    }
    assert_true(
        fabs(storm_dist_mean(&(struct storm_dist){.law = STORM_LAW_WEIBULL, .a = 2.0, .b = 2.0}) -
             sqrt(acos(-1.0))) < 1e-15);
}

/* A value that stands for a range of shares is drawn so often; the ends are never left. */
static void an_empirical_law_keeps_to_its_table(void **state) {
    (void)state;
    static const struct storm_quantile steps[] = {
        {0.0, 0.001}, {0.3, 0.001}, {0.4, 0.002}, {0.9, 0.002}, {1.0, 0.003}};
    struct storm_dist dist = table(steps, 5);
    int low = 0, middle = 0;
    for (uint64_t key = 0; key < DRAWS; key++) {
        storm_time time = storm_dist_draw(&dist, key, STREAM_SERVICE);
        double u = stream_uniform(key, STREAM_SERVICE, 0);
        assert_in_range(time, STORM_MILLISECOND, 3 * STORM_MILLISECOND);
        assert_true((u < 0.3) == (time == STORM_MILLISECOND) || fabs(u - 0.3) < 1e-6);
        if (u >= 0.9)
            assert_true(llabs(time - (storm_time)(2e6 + (u - 0.9) * 1e7)) <= 1);
        low += time == STORM_MILLISECOND;
        middle += time == 2 * STORM_MILLISECOND;
    }
    assert_true(fabs(low - 0.3 * DRAWS) < 4.0 * sqrt(0.3 * 0.7 * DRAWS));
    assert_true(fabs(middle - 0.5 * DRAWS) < 4.0 * sqrt(0.5 * 0.5 * DRAWS));
}

static void a_pareto_draw_is_never_below_the_least(void **state) {
    (void)state;
    struct storm_dist dist = law(STORM_LAW_PARETO, 0.010, 1e6);
    for (uint64_t key = 0; key < 10000; key++)
        assert_in_range(storm_dist_draw(&dist, key, STREAM_SERVICE), 10 * STORM_MILLISECOND,
                        11 * STORM_MILLISECOND);
}

/* Shapes and sizes far beyond reason give a time all the same, and a long one where it should. */
static void draws_beyond_all_numbers_are_never(void **state) {
    (void)state;
    static const enum storm_law laws[] = {STORM_LAW_PARETO, STORM_LAW_WEIBULL, STORM_LAW_GAMMA,
                                          STORM_LAW_HYPEREXPONENTIAL};
    static const double sizes[] = {0.0, 5e-324, 1e-9, 1.0, 1e9, DBL_MAX};
    static const double shapes[] = {5e-324, DBL_MIN, 1e-3, 1.0, 1e9, 1e18, 1e200, DBL_MAX};
    for (size_t i = 0; i < 4 * 6 * 8; i++) {
        double size = sizes[i / 4 % 6], shape = shapes[i / 24];
        if (laws[i % 4] == STORM_LAW_HYPEREXPONENTIAL && shape < 1.0)
            continue;
        struct storm_dist dist = law(laws[i % 4], size, shape);
        assert_true(storm_dist_mean(&dist) >= size || laws[i % 4] == STORM_LAW_WEIBULL);
        for (uint64_t key = 0; key < 1000; key++) {
            storm_time time = storm_dist_draw(&dist, key, STREAM_SERVICE);
            assert_in_range(time, 0, size == 0.0 ? 0 : STORM_NEVER);
        }
    }
    struct storm_dist heavy = law(STORM_LAW_PARETO, 1.0, 0.001);
    heavy.offset = STORM_SECOND;
    int never = 0;
    for (uint64_t key = 0; key < 1000; key++)
        never += storm_dist_draw(&heavy, key, STREAM_SERVICE) == STORM_NEVER;
    assert_in_range(never, 950, 999); /* P = 4.6e9^-0.001 = 0.978 */
    heavy = law(STORM_LAW_PARETO, DBL_MAX, 2.0);
    assert_int_equal(storm_dist_draw(&heavy, 1, STREAM_SERVICE), STORM_NEVER);
}

/* At huge shapes a gamma law is normal, and still has its mean and its deviation. */
static void a_gamma_law_of_huge_shape_is_narrow(void **state) {
    (void)state;
    struct storm_dist dist = law(STORM_LAW_GAMMA, 1e9, 1e12); /* a deviation of 1000 s */
    double sum = 0.0, squares = 0.0;
    for (uint32_t i = 0; i < DRAWS; i++) {
        double d = (draw_seconds(&dist, i) - 1e9) / 1e3;
        sum += d;
        squares += d * d;
    }
    assert_true(fabs(sum / sqrt(DRAWS)) < 4.0);
    assert_true(fabs(squares / DRAWS - 1.0) < 4.0 * sqrt(2.0 / DRAWS));
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

/* One number out of 680000 draws: it must be the same under every compiler, level and CPU. */
static void every_build_draws_the_same(void **state) {
    (void)state;
    static const double shapes[] = {1.0, 1.5, 3.0, 0.3, 50.0};
    uint64_t digest = 0;
    for (size_t i = 0; i < 7 * 5; i++) {
        enum storm_law name = (enum storm_law)(STORM_LAW_EXPONENTIAL + i / 5);
        double shape = shapes[i % 5];
        if (name == STORM_LAW_HYPEREXPONENTIAL && shape < 1.0)
            continue;
        struct storm_dist dist = law(name, 0.050, shape);
        for (uint64_t key = 0; key < 20000; key++) {
            uint64_t time = (uint64_t)storm_dist_draw(&dist, key, STREAM_SERVICE);
            digest = stream_mix64(digest ^ time);
        }
    }
    assert_int_equal(digest, UINT64_C(0x2f68a6b0dedda53c));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means_are_those_drawn),
        cmocka_unit_test(a_pareto_law_has_its_mean_and_variance),
        cmocka_unit_test(a_weibull_law_has_its_mean_and_variance),
        cmocka_unit_test(a_gamma_law_has_its_mean_and_variance),
        cmocka_unit_test(a_hyperexponential_law_has_the_cv_it_is_given),
        cmocka_unit_test(an_empirical_law_has_the_moments_of_its_straight_lines),
        cmocka_unit_test(the_folded_normal_has_its_closed_mean),
        cmocka_unit_test(the_offset_is_added_to_mean_and_draw),
        cmocka_unit_test(a_zeroed_dist_is_always_0),
        cmocka_unit_test(laws_without_spread_are_constant),
        cmocka_unit_test(draws_follow_their_laws),
        cmocka_unit_test(gamma_draws_follow_their_law_at_every_shape),
        cmocka_unit_test(laws_that_are_one_draw_alike),
        cmocka_unit_test(simple_means_are_exact),
        cmocka_unit_test(an_empirical_law_keeps_to_its_table),
        cmocka_unit_test(a_pareto_draw_is_never_below_the_least),
        cmocka_unit_test(draws_beyond_all_numbers_are_never),
        cmocka_unit_test(a_gamma_law_of_huge_shape_is_narrow),
        cmocka_unit_test(a_draw_depends_on_key_and_purpose_alone),
        cmocka_unit_test(purposes_and_neighbours_are_uncorrelated),
        cmocka_unit_test(every_build_draws_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
