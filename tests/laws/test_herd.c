/* test_herd.c: a herd of ten thousand against a dead server: when its retries come, in bins of
   100 ms, against the exact curves. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "support/csv.h"
#include "support/test.h"
#include "support/world.h"

enum { CLIENTS = 10000, ATTEMPTS = 5, BINS = 760, YAML_MAX = 1024 };
#define BIN (100 * STORM_MILLISECOND)

/* A bin that expects fewer is merged with its neighbours. */
static const double least_expected = 5;

struct curve {
    double expected[BINS], deviation[BINS];
};

static void count_arrival(void *context, const struct storm_fact *fact) {
    double *counts = context;
    if (fact->kind == STORM_FACT_ARRIVED) {
        /* A nanosecond off the grid, on which the retries without jitter lie. */
        int64_t bin = (fact->time + 1) / BIN;
        assert_true(bin < BINS);
        counts[bin] += 1;
    }
}

/* Fails ten thousand clients at t = 0 and counts their attempts. */
static void stampede(const char *policy, uint64_t seed, double *counts) {
    char text[YAML_MAX];
    world_print(text, sizeof text,
                "version: 1\nduration: 76s\n"
                "policies: {app: {delay: %s, base: 1s, cap: 30s, attempts: %d}}\n"
                "clients: {herd: {count: %d, arrivals: {at: 0s}, calls: {to: api, retry: app}}}\n"
                "services: {api: {}}\n"
                "faults: [{service: api, kind: down, at: 0s, for: 100s}]\n",
                policy, ATTEMPTS, CLIENTS);
    memset(counts, 0, BINS * sizeof *counts);
    struct storm_listener listener = {count_arrival, counts};
    struct world_case world = world_write(text);
    world_live(&world, seed, 0, &listener);
    assert_true(world_metric(&world, "attempts.api") == CLIENTS * ATTEMPTS);
    assert_true(world_metric(&world, "dead_letters") == CLIENTS);
    world_free(&world);
}

static struct curve read_curve(const char *policy) {
    struct curve curve = {0};
    struct csv truths = csv_read(STORM_SOURCE_DIR "/tests/data/herd_curves.csv");
    for (size_t row = 0; row < truths.rows; row++) {
        if (strcmp(csv_text(&truths, row, "policy"), policy) == 0) {
            int bin = (int)csv_number(&truths, row, "bin");
            assert_true(bin >= 0 && bin < BINS);
            curve.expected[bin] = csv_number(&truths, row, "expected");
            curve.deviation[bin] = csv_number(&truths, row, "deviation");
        }
    }
    csv_free(&truths);
    return curve;
}

/* The worst |z| and the mean of z squared over the bins. */
struct fit {
    double worst, squares;
    int bins;
};

static void judge(struct fit *fit, double count, double expected, double deviation) {
    if (deviation == 0) {
        assert_true(count == expected); /* nothing random reaches this bin */
        return;
    }
    double z = (count - expected) / deviation;
    fit->worst = fabs(z) > fit->worst ? fabs(z) : fit->worst;
    fit->squares += z * z;
    fit->bins++;
}

/* A merged bin holds few attempts of many clients: its count is Poisson's. */
static void compare(struct fit *fit, const struct curve *curve, const double *counts) {
    double expected = 0, count = 0;
    for (int bin = 0; bin < BINS; bin++) {
        if (expected == 0 &&
            (curve->expected[bin] >= least_expected || curve->expected[bin] == 0)) {
            judge(fit, counts[bin], curve->expected[bin], curve->deviation[bin]);
            continue;
        }
        expected += curve->expected[bin];
        count += counts[bin];
        if (expected >= least_expected) {
            judge(fit, count, expected, sqrt(expected));
            expected = count = 0;
        }
    }
    if (expected > 0) {
        assert_true(count <= 25); /* fewer than 5 are expected: P < 1e-10 */
    }
}

static void follow(const char *policy) {
    struct curve curve = read_curve(policy);
    struct fit fit = {0};
    double counts[BINS], total = 0;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        stampede(policy, seed, counts);
        compare(&fit, &curve, counts);
    }
    for (int bin = 0; bin < BINS; bin++) {
        total += counts[bin];
    }
    assert_true(total == CLIENTS * ATTEMPTS);
    print_message(
        "%-20s %4d random bins of 3 seeds, worst |z| %.2f, mean z^2 %.3f; bin 0 %g, bin 9 "
        "%g, bin 10 %g\n",
        policy, fit.bins, fit.worst, fit.bins > 0 ? fit.squares / fit.bins : 0, counts[0],
        counts[9], counts[10]);
    assert_true(fit.worst < 5);
    /* Together the bins scatter as they should: chi-square per degree of freedom is 1 -+ 4
       standard deviations. */
    assert_true(fit.bins == 0 || fabs(fit.squares / fit.bins - 1) < 4 * sqrt(2.0 / fit.bins));
}

static void without_jitter_the_herd_comes_back_whole_four_times(void **state) {
    (void)state;
    double counts[BINS];
    stampede("exponential", 1, counts);
    assert_true(counts[0] == CLIENTS && counts[10] == CLIENTS && counts[30] == CLIENTS);
    assert_true(counts[70] == CLIENTS && counts[150] == CLIENTS);
    follow("exponential");
}

static void full_jitter_follows_its_curve(void **state) {
    (void)state;
    follow("full-jitter");
}

static void equal_jitter_follows_its_curve(void **state) {
    (void)state;
    follow("equal-jitter");
}

static void decorrelated_jitter_follows_its_curve(void **state) {
    (void)state;
    follow("decorrelated-jitter");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_jitter_the_herd_comes_back_whole_four_times),
        cmocka_unit_test(full_jitter_follows_its_curve),
        cmocka_unit_test(equal_jitter_follows_its_curve),
        cmocka_unit_test(decorrelated_jitter_follows_its_curve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
