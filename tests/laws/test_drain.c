/* test_drain.c: how long a backlog takes to go, while others keep arriving. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "support/csv.h"
#include "support/page.h"
#include "support/test.h"
#include "support/world.h"

enum { RUNS = 200, YAML_MAX = 1024 };

/* A backlog of n0 at once, or of an outage of `down` seconds; the other one is +inf. */
struct drain {
    double n0, down, lambda, mu, cv, mean, variance;
    const char *model, *law;
};

struct sight {
    double level;
    storm_time begin, empty;
};

static void see(void *context, const struct storm_fact *fact) {
    struct sight *sight = context;
    sight->level += (fact->kind == STORM_FACT_ARRIVED) - (fact->kind == STORM_FACT_SERVED);
    if (sight->level == 0 && sight->empty == 0 && fact->time > sight->begin) {
        sight->empty = fact->time;
    }
}

static void write_law(const struct drain *drain, char *text, size_t size) {
    if (drain->cv < HUGE_VAL) {
        world_print(text, size, "{%s: {mean: %.9gs, cv: %g}}", drain->law, 1 / drain->mu,
                    drain->cv);
    } else {
        world_print(text, size, "{%s: %.9gs}", drain->law, 1 / drain->mu);
    }
}

/* A run long enough for all 200: ten standard deviations. */
static struct world_case write_world(const struct drain *drain) {
    char text[YAML_MAX], law[128], herd[128] = "", fault[128] = "";
    double begin = 0;
    write_law(drain, law, sizeof law);
    if (drain->n0 < HUGE_VAL) {
        world_print(herd, sizeof herd,
                    ", herd: {count: %.0f, arrivals: {at: 0s}, calls: {to: queue}}", drain->n0);
    } else {
        begin = drain->down;
        world_print(fault, sizeof fault,
                    "faults: [{service: queue, kind: capacity, share: 0%%, at: 0s, for: %gs}]\n",
                    drain->down);
    }
    world_print(text, sizeof text,
                "version: 1\nduration: %.9gs\n"
                "clients: {all: {count: 1, arrivals: {poisson: %.9g/s}, calls: {to: queue}}%s}\n"
                "services: {queue: {workers: 1, service_time: %s}}\n%s",
                begin + drain->mean + 10 * sqrt(drain->variance), drain->lambda, herd, law, fault);
    return world_write(text);
}

static void describe(const struct drain *drain, char *text, size_t size) {
    int used = drain->n0 < HUGE_VAL ? world_print(text, size, "%.0f at once", drain->n0)
                                    : world_print(text, size, "outage of %g s", drain->down);
    used += world_print(text + used, size - (size_t)used, ", lambda %g, mu %g, %s", drain->lambda,
                        drain->mu, drain->law);
    if (drain->cv < HUGE_VAL) {
        world_print(text + used, size - (size_t)used, " of cv %g", drain->cv);
    }
}

/* The mean is nearly normal over 200 runs, and so is each time: a sum of many busy periods. */
static void judge_drain(struct page *page, const struct drain *drain, uint64_t seed) {
    char system[160];
    double sum = 0, squares = 0;
    struct world_case world = write_world(drain);
    for (uint32_t run = 0; run < RUNS; run++) {
        struct sight sight = {.begin =
                                  storm_time_from_seconds(drain->n0 < HUGE_VAL ? 0 : drain->down)};
        struct storm_listener listener = {see, &sight};
        world_live(&world, seed, run, &listener);
        assert_true(sight.empty > 0);
        double off = storm_time_to_seconds(sight.empty - sight.begin) - drain->mean;
        sum += off;
        squares += off * off;
    }
    world_free(&world);
    double mean = sum / RUNS, variance = (squares - mean * sum) / (RUNS - 1);
    describe(drain, system, sizeof system);
    double z = page_add_z(page, "drain", system, "mean time to empty", drain->mean,
                          drain->mean + mean, sqrt(drain->variance / RUNS), "sum of busy periods");
    double z2 = page_add_z(page, "drain", system, "its variance", drain->variance, variance,
                           drain->variance * sqrt(2.0 / (RUNS - 1)), "sum of busy periods");
    assert_true(z < 4 && z2 < 4);
}

static void backlogs_drain_at_the_rate_that_is_left(void **state) {
    (void)state;
    struct csv truths = csv_read(STORM_SOURCE_DIR "/tests/data/drains.csv");
    struct page page =
        page_begin("drain", "Drains",
                   "One worker, a backlog, Poisson arrivals that go on: the time until the queue "
                   "is empty for the first time, in 200 runs.");
    for (size_t row = 0; row < truths.rows; row++) {
        struct drain drain = {.n0 = csv_number(&truths, row, "n0"),
                              .down = csv_number(&truths, row, "down"),
                              .lambda = csv_number(&truths, row, "lambda"),
                              .mu = csv_number(&truths, row, "mu"),
                              .cv = csv_number(&truths, row, "cv"),
                              .mean = csv_number(&truths, row, "mean"),
                              .variance = csv_number(&truths, row, "variance"),
                              .model = csv_text(&truths, row, "model"),
                              .law = csv_text(&truths, row, "law")};
        if (page_is_full() || strcmp(csv_text(&truths, row, "ci"), "yes") == 0) {
            judge_drain(&page, &drain, row + 1);
        }
    }
    assert_true(page.rows >= 14);
    csv_free(&truths);
    page_end(&page);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(backlogs_drain_at_the_rate_that_is_left)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
