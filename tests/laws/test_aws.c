/* test_aws.c: the experiment of AWS 2015: a hundred clients and one row under an optimistic lock;
   each policy needs as many calls, and as long, as in the published simulator. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "support/csv.h"
#include "support/test.h"
#include "support/world.h"

static const char scenario_file[] = "06-aws-2015.yaml";

/* The largest crowds are the dearest: outside the long tests they have fewer trials, and the larger
   standard error says so. */
enum { TRIALS = 2000, TRIALS_OF_MANY = 200, MANY = 100 };

static const double z_most = 4;

struct sample {
    double sum, squares, count;
};

static void add(struct sample *sample, double value) {
    sample->sum += value;
    sample->squares += value * value;
    sample->count++;
}

static double mean_of(const struct sample *sample) { return sample->sum / sample->count; }

static double error_of(const struct sample *sample) {
    double mean = mean_of(sample);
    double variance = (sample->squares - mean * sample->sum) / (sample->count - 1);
    return sqrt(variance / sample->count);
}

/* The variant of the scenario that is this policy of the published simulator. */
static const char *variant_of(const char *policy) {
    static const char *const names[][2] = {{"None", "none"},
                                           {"Exponential", "exponential"},
                                           {"EqualJitter", "equal-jitter"},
                                           {"FullJitter", "full-jitter"},
                                           {"Decorr", "decorrelated-jitter"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i][0], policy) == 0) {
            return names[i][1];
        }
    }
    fail_msg("there is no policy '%s'", policy);
    return NULL;
}

/* Lets the crowd write, so many times. The end of the run is fixed, far beyond the last write, so
   that it need not be looked for. */
static void live(const char *variant, const char *clients, int trials, struct sample *time,
                 struct sample *calls) {
    const struct storm_override sets[] = {{"clients.writers.count", clients}, {"duration", "1h"}};
    struct world_case world = world_read(scenario_file, variant, sets, 2);
    for (int trial = 0; trial < trials; trial++) {
        world_live(&world, 2015, (uint32_t)trial, NULL);
        assert_true(world_metric(&world, "in_flight") == 0);
        add(time, world_metric(&world, "completion_time") * 1000);
        add(calls, world_metric(&world, "attempts.row"));
    }
    world_free(&world);
}

static bool agrees(const struct csv *csv, size_t row, const char *quantity,
                   const struct sample *ours) {
    char name[64];
    world_print(name, sizeof name, "%s_mean", quantity);
    double theirs = csv_number(csv, row, name);
    world_print(name, sizeof name, "%s_se", quantity);
    double their_error = csv_number(csv, row, name);
    double error = error_of(ours);
    double z = (mean_of(ours) - theirs) / sqrt(error * error + their_error * their_error);
    print_message("%3s clients %-12s %-8s published %10.2f ours %10.2f z %5.2f\n",
                  csv_text(csv, row, "clients"), csv_text(csv, row, "policy"), quantity, theirs,
                  mean_of(ours), z);
    return fabs(z) < z_most;
}

static void every_policy_needs_the_published_calls_and_time(void **state) {
    (void)state;
    struct csv csv = csv_read(STORM_SOURCE_DIR "/tests/data/aws_2015.csv");
    bool is_long = getenv("STORM_FULL") != NULL;
    int failures = 0;
    assert_int_equal(csv.rows, 20);
    for (size_t row = 0; row < csv.rows; row++) {
        bool many = csv_number(&csv, row, "clients") >= MANY;
        struct sample time = {0}, calls = {0};
        live(variant_of(csv_text(&csv, row, "policy")), csv_text(&csv, row, "clients"),
             many && !is_long ? TRIALS_OF_MANY : TRIALS, &time, &calls);
        failures += !agrees(&csv, row, "time_ms", &time);
        failures += !agrees(&csv, row, "calls", &calls);
    }
    csv_free(&csv);
    assert_int_equal(failures, 0);
}

/* Without any back-off and with a network that is always as fast, all clients move in lockstep: of
   n one wins each round, so there are n (n + 1) / 2 writes. */
static void in_lockstep_one_of_all_wins_each_round(void **state) {
    (void)state;
    const struct storm_override sets[] = {{"clients.writers.calls.network", "10ms"},
                                          {"duration", "1h"}};
    struct world_case world = world_read(scenario_file, "none", sets, 2);
    world_live(&world, 1, 0, NULL);
    assert_true(world_metric(&world, "attempts.row") == 5050);
    assert_true(world_metric(&world, "completion_time") == 4);
    world_free(&world);
}

/* Until idle: the run ends with the last answer. */
static void the_run_ends_with_the_last_write(void **state) {
    (void)state;
    struct world_case world = world_read(scenario_file, "full-jitter", NULL, 0);
    world_live(&world, 1, 0, NULL);
    assert_true(world_metric(&world, "in_flight") == 0);
    assert_true(world_metric(&world, "succeeded") == 100);
    world_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_policy_needs_the_published_calls_and_time),
        cmocka_unit_test(in_lockstep_one_of_all_wins_each_round),
        cmocka_unit_test(the_run_ends_with_the_last_write),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
