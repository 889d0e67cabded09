/* test_layers.c: layers that retry multiply: 4 x 4 x 4 = 64, and what becomes of it when the
   last one fails at random. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "support/csv.h"
#include "support/test.h"
#include "support/world.h"

enum { YAML_MAX = 4096, LAYERS_MAX = 8, REQUESTS_MAX = 20000, ATTEMPTS_AIM = 100000 };

/* What one stack of layers is, and what came out of it. */
struct stack {
    uint32_t layers[LAYERS_MAX]; /* attempts that each makes at the next one */
    int count;
    double p;          /* with which the last service fails an attempt */
    uint32_t requests; /* all born in the first half of the run, so that all end in it */
    double reached[LAYERS_MAX + 1]; /* attempts that reached service i; the last one is the db */
    double failed;
};

/* "4x4x4" as numbers. */
static void read_layers(struct stack *stack, const char *text) {
    stack->count = 0;
    for (const char *next = text; next != NULL; next = strchr(next, 'x')) {
        next += *next == 'x';
        assert_true(stack->count < LAYERS_MAX);
        stack->layers[stack->count++] = (uint32_t)strtoul(next, NULL, 10);
    }
}

static void write_yaml(const struct stack *stack, char *text) {
    int used = world_print(text, YAML_MAX,
                           "version: 1\nduration: 60s\n"
                           "clients: {user: {count: %u, arrivals: {every: 60s, spread: 30s}, "
                           "calls: {to: s0}}}\n"
                           "services:\n",
                           stack->requests);
    for (int i = 0; i < stack->count; i++) {
        used += world_print(text + used, (size_t)(YAML_MAX - used),
                            "  s%d: {workers: unlimited, calls: [{to: s%d, retry: "
                            "{delay: no-backoff, attempts: %u}}]}\n",
                            i, i + 1, stack->layers[i]);
    }
    world_print(text + used, (size_t)(YAML_MAX - used),
                "  s%d: {workers: unlimited, service_time: 5ms, errors: {503: %.10g%%}}\n",
                stack->count, 100 * stack->p);
}

static void climb(struct stack *stack, uint64_t seed) {
    char text[YAML_MAX], name[32];
    write_yaml(stack, text);
    struct world_case world = world_write(text);
    world_live(&world, seed, 0, NULL);
    for (int i = 0; i <= stack->count; i++) {
        world_print(name, sizeof name, "attempts.s%d", i);
        stack->reached[i] = world_metric(&world, name);
    }
    stack->failed = world_metric(&world, "dead_letters");
    assert_true(world_metric(&world, "requests") == stack->requests);
    assert_true(world_metric(&world, "in_flight") == 0);
    world_free(&world);
}

static void each_layer_multiplies_by_its_attempts(void **state) {
    (void)state;
    struct stack stack = {.p = 1, .requests = 500};
    read_layers(&stack, "4x4x4");
    climb(&stack, 1);
    assert_true(stack.reached[0] == 500);
    assert_true(stack.reached[1] == 500 * 4);
    assert_true(stack.reached[2] == 500 * 16);
    assert_true(stack.reached[3] == 500 * 64);
    assert_true(stack.failed == 500);
    print_message("4x4x4, db always fails: %g / %g / %g / %g attempts per request\n",
                  stack.reached[0] / 500, stack.reached[1] / 500, stack.reached[2] / 500,
                  stack.reached[3] / 500);
}

static void five_layers_of_three_make_243(void **state) {
    (void)state;
    struct stack stack = {.p = 1, .requests = 200};
    read_layers(&stack, "3x3x3x3x3");
    climb(&stack, 1);
    assert_true(stack.reached[5] == 200 * 243);
    print_message("3x3x3x3x3, db always fails: %g attempts per request\n", stack.reached[5] / 200);
}

static void one_retrying_layer_makes_four(void **state) {
    (void)state;
    struct stack stack = {.p = 1, .requests = 500};
    read_layers(&stack, "4x1x1");
    climb(&stack, 1);
    assert_true(stack.reached[1] == 500 * 4 && stack.reached[2] == 500 * 4);
    assert_true(stack.reached[3] == 500 * 4);
}

/* z of the mean attempts at the db, whose variance per request is known. */
static double score_mean(const struct stack *stack, double mean, double variance) {
    double ours = stack->reached[stack->count] / stack->requests;
    if (variance == 0) {
        return ours == mean ? 0 : HUGE_VAL;
    }
    return (ours - mean) / sqrt(variance / stack->requests);
}

/* z of the share of requests that fail; where hardly any is expected, more than 20 are too many. */
static double score_failures(const struct stack *stack, double fails) {
    double expected = fails * stack->requests;
    if (fails == 1 || expected < 1e-6) {
        return stack->failed == expected || (fails < 1 && stack->failed == 0) ? 0 : HUGE_VAL;
    }
    if (expected < 5) {
        return stack->failed <= 20 ? 0 : HUGE_VAL;
    }
    return (stack->failed - expected) / sqrt(expected * (1 - fails));
}

/* One row of the table: runs it, prints it, and tells whether truth and simulation agree. */
static bool agrees(const struct csv *truths, size_t row) {
    double mean = csv_number(truths, row, "mean");
    double requests = ATTEMPTS_AIM / mean;
    struct stack stack = {.p = csv_number(truths, row, "p")};
    stack.requests = requests < REQUESTS_MAX ? (uint32_t)requests : REQUESTS_MAX;
    read_layers(&stack, csv_text(truths, row, "layers"));
    climb(&stack, row + 1); /* rows of one seed would share their luck */
    double z = score_mean(&stack, mean, csv_number(truths, row, "variance"));
    double z_fails = score_failures(&stack, csv_number(truths, row, "fails"));
    print_message("%-10s p %-5g truth %-13.10g ours %-10.6g z %5.2f  fails z %5.2f\n",
                  csv_text(truths, row, "layers"), stack.p, mean,
                  stack.reached[stack.count] / stack.requests, z, z_fails);
    return fabs(z) < 4 && fabs(z_fails) < 4;
}

static void random_failures_give_the_mean_of_one_flat_loop(void **state) {
    (void)state;
    struct csv truths = csv_read(STORM_SOURCE_DIR "/tests/data/layers.csv");
    assert_true(truths.rows >= 60);
    for (size_t row = 0; row < truths.rows; row++) {
        assert_true(agrees(&truths, row));
    }
    csv_free(&truths);
}

static void independent_failures_double_quadruple_and_decuple(void **state) {
    (void)state;
    static const struct {
        double p, mean, variance;
    } cases[] = {{.5, 2.0, 2.0}, {.75, 4.0, 12.0}, {.9, 9.98820981542, 88.5025075502}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct stack stack = {.p = cases[i].p, .requests = 50000};
        read_layers(&stack, "4x4x4");
        climb(&stack, 42);
        double z = score_mean(&stack, cases[i].mean, cases[i].variance);
        print_message("4x4x4, p = %g: truth %.5f ours %.5f z %.2f\n", cases[i].p, cases[i].mean,
                      stack.reached[3] / stack.requests, z);
        assert_true(fabs(z) < 4);
    }
}

static void the_scenario_file_shows_64_and_4(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct world_case all = world_read("02-layers-4x4x4.yaml", "four-by-four-by-four", NULL, 0);
        struct world_case one = world_read("02-layers-4x4x4.yaml", "one-layer", NULL, 0);
        world_live(&all, seed, 0, NULL);
        world_live(&one, seed, 0, NULL);
        assert_true(world_metric(&all, "amplification.db") == 64);
        assert_true(world_metric(&all, "in_flight") == 0);
        assert_true(world_metric(&one, "amplification.db") == 4);
        world_free(&all);
        world_free(&one);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_layer_multiplies_by_its_attempts),
        cmocka_unit_test(five_layers_of_three_make_243),
        cmocka_unit_test(one_retrying_layer_makes_four),
        cmocka_unit_test(random_failures_give_the_mean_of_one_flat_loop),
        cmocka_unit_test(independent_failures_double_quadruple_and_decuple),
        cmocka_unit_test(the_scenario_file_shows_64_and_4),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
