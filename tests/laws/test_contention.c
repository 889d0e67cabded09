/* test_contention.c: many who want one thing at once: balls in bins, herds, token buckets, and
   writes of which one wins. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "support/page.h"
#include "support/test.h"
#include "support/world.h"

enum { RUNS = 64, YAML_MAX = 1024, BINS_MAX = 1000, AGENTS = 500, RETRIES = 6 };
#define BIN (100 * STORM_MILLISECOND)

/* Mean and spread of 64 values about what is expected. */
struct sums {
    double expected, sum, squares;
};

static void sum_up(struct sums *sums, double value) {
    double off = value - sums->expected;
    sums->sum += off;
    sums->squares += off * off;
}

static double mean_of(const struct sums *sums) { return sums->expected + sums->sum / RUNS; }

static double error_of(const struct sums *sums) {
    double mean = sums->sum / RUNS;
    return sqrt((sums->squares - mean * sums->sum) / (RUNS - 1) / RUNS);
}

/* ---- balls in bins --------------------------------------------------------------------------- */

static void throw(void *context, const struct storm_fact *fact) {
    double *bins = context;
    if (fact->kind == STORM_FACT_SENT && fact->retry) {
        int64_t bin = fact->time / BIN;
        assert_true(bin < BINS_MAX);
        bins[bin] += 1;
    }
}

/* Clients that fail together and come back once, anywhere in a window of so many bins. */
static struct world_case write_throw(int balls, int bins) {
    char text[YAML_MAX];
    world_print(text, sizeof text,
                "version: 1\nduration: %ds\n"
                "clients: {herd: {count: %d, arrivals: {at: 0s}, calls: {to: api, retry: "
                "{delay: full-jitter, base: %dms, cap: %dms, attempts: 2}}}}\n"
                "services: {api: {}}\n"
                "faults: [{service: api, kind: down, at: 0s, for: %ds}]\n",
                bins / 10 + 1, balls, 100 * bins, 100 * bins, bins / 10 + 1);
    return world_write(text);
}

struct throws {
    struct sums most, single, none;
};

static void throw_often(struct throws *throws, int balls, int bins, uint64_t seed) {
    struct world_case world = write_throw(balls, bins);
    for (uint32_t run = 0; run < RUNS; run++) {
        double counts[BINS_MAX] = {0}, most = 0, single = 0, none = 0;
        struct storm_listener listener = {throw, counts};
        world_live(&world, seed, run, &listener);
        for (int i = 0; i < bins; i++) {
            most = counts[i] > most ? counts[i] : most;
            single += counts[i] == 1;
            none += counts[i] == 0;
        }
        sum_up(&throws->most, most);
        sum_up(&throws->single, single);
        sum_up(&throws->none, none);
    }
    world_free(&world);
}

static void add_balls(struct page *page) {
    static const struct {
        int balls, bins;
        double most, single, none, variance; /* of none */
    } cases[] = {{10, 10, 2.7486891, 3.8742049, 3.4867844, .99279536},
                 {100, 100, 4.2325952, 36.972964, 36.603234, 9.7400889},
                 {1000, 1000, 5.5141593, 368.06349, 367.69542, 97.227952},
                 {1000, 10, 115.66358, 0, 0, 0},
                 {1000, 100, 18.76166, .043607321, 0, 0},
                 {10000, 10, 1048.942, 0, 0, 0},
                 {10000, 100, 125.95939, 0, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char system[160];
        struct throws throws = {{.expected = cases[i].most},
                                {.expected = cases[i].single},
                                {.expected = cases[i].none}};
        throw_often(&throws, cases[i].balls, cases[i].bins, i + 1);
        world_print(system, sizeof system, "%d clients, first full-jitter retry, %d bins",
                    cases[i].balls, cases[i].bins);
        assert_true(page_add_z(page, "balls in bins", system, "fullest bin", cases[i].most,
                               mean_of(&throws.most), error_of(&throws.most), "convolution") < 5);
        if (cases[i].none > 0) {
            assert_true(page_add_z(page, "balls in bins", system, "bins with one", cases[i].single,
                                   mean_of(&throws.single), error_of(&throws.single),
                                   "n (1 - 1/m)^(n-1)") < 5);
            assert_true(page_add_z(page, "balls in bins", system, "empty bins", cases[i].none,
                                   mean_of(&throws.none), sqrt(cases[i].variance / RUNS),
                                   "m (1 - 1/m)^n") < 4);
        }
    }
}

/* ---- a published table of herds -------------------------------------------------------------- */

/* When the agents make each of their retries. */
struct retries {
    storm_time at[RETRIES][AGENTS];
    int count[RETRIES];
};

static void note(void *context, const struct storm_fact *fact) {
    struct retries *retries = context;
    if (fact->kind == STORM_FACT_SENT && fact->attempts > 1) {
        uint32_t k = fact->attempts - 2;
        assert_true(k < RETRIES && retries->count[k] < AGENTS);
        retries->at[k][retries->count[k]++] = fact->time; /* in the order of time */
    }
}

/* The most in any 100 ms. */
static double peak(const storm_time *times, int count) {
    int most = 0;
    for (int first = 0, last = 0; last < count; last++) {
        while (times[last] - times[first] >= BIN) {
            first++;
        }
        most = last - first + 1 > most ? last - first + 1 : most;
    }
    return most;
}

static void add_herd(struct page *page, const char *policy, const double *published) {
    static struct retries retries;
    struct sums sums[RETRIES];
    char text[YAML_MAX];
    world_print(text, sizeof text,
                "version: 1\nduration: 120s\n"
                "clients: {herd: {count: %d, arrivals: {at: 0s}, calls: {to: api, retry: "
                "{delay: %s, base: 1s, cap: 32s, attempts: %d}}}}\n"
                "services: {api: {}}\n"
                "faults: [{service: api, kind: down, at: 0s, for: 120s}]\n",
                AGENTS, policy, RETRIES + 1);
    struct world_case world = world_write(text);
    for (int k = 0; k < RETRIES; k++) {
        sums[k] = (struct sums){.expected = published[k]};
    }
    for (uint32_t run = 0; run < RUNS; run++) {
        memset(&retries, 0, sizeof retries);
        struct storm_listener listener = {note, &retries};
        world_live(&world, 1, run, &listener);
        for (int k = 0; k < RETRIES; k++) {
            assert_int_equal(retries.count[k], AGENTS);
            sum_up(&sums[k], peak(retries.at[k], AGENTS));
        }
    }
    world_free(&world);
    for (int k = 0; k < RETRIES; k++) {
        char system[160], quantity[64], cells[4][32];
        double ours = mean_of(&sums[k]), off = 100 * (ours / published[k] - 1);
        world_print(system, sizeof system, "500 agents, %s, delays 1, 2, 4 .. 32 s", policy);
        world_print(quantity, sizeof quantity, "retry %d: most in 100 ms", k + 1);
        world_print(cells[0], sizeof cells[0], "%g", published[k]);
        world_print(cells[1], sizeof cells[1], "%.4g", ours);
        world_print(cells[2], sizeof cells[2], "%.2g", error_of(&sums[k]));
        world_print(cells[3], sizeof cells[3], "%+.1f %%", off);
        page_add(page, &(struct page_row){"published herds", system, quantity, cells[0], cells[1],
                                          cells[2], cells[3], "microsoft/retina PR 2609"});
        /* Measured there by a simulation of unknown size. */
        assert_true(fabs(off) < 8);
    }
}

static void add_herds(struct page *page) {
    static const double none[] = {500, 500, 500, 500, 500, 500};
    static const double equal[] = {119.2, 62.5, 36.1, 22.8, 13.6, 9.3};
    static const double full[] = {66.5, 37.1, 22.4, 14.7, 9.7, 6.8};
    add_herd(page, "exponential", none);
    add_herd(page, "equal-jitter", equal);
    add_herd(page, "full-jitter", full);
}

/* ---- token buckets --------------------------------------------------------------------------- */

struct bucket {
    double calls, rounds;
    storm_time last, done;
};

static void draw(void *context, const struct storm_fact *fact) {
    struct bucket *bucket = context;
    if (fact->kind == STORM_FACT_SENT) {
        bucket->calls++;
        bucket->rounds += bucket->rounds == 0 || fact->time > bucket->last;
        bucket->last = fact->time;
    }
    bucket->done = fact->kind == STORM_FACT_SUCCEEDED ? fact->time : bucket->done;
}

static struct bucket drain(int clients, int rate, int burst, const char *hint) {
    char text[YAML_MAX];
    world_print(text, sizeof text,
                "version: 1\nduration: 200s\n"
                "clients: {herd: {count: %d, arrivals: {at: 0s}, calls: {to: api, retry: "
                "{delay: no-backoff, attempts: unlimited}}}}\n"
                "services: {api: {workers: unlimited, rate_limit: {rate: %d/s, burst: %d, "
                "status: 429, retry_after: %s}}}\n",
                clients, rate, burst, hint);
    struct bucket bucket = {0};
    struct storm_listener listener = {draw, &bucket};
    struct world_case world = world_write(text);
    world_live(&world, 1, 0, &listener);
    assert_true(world_metric(&world, "succeeded") == clients);
    world_free(&world);
    return bucket;
}

static void add_buckets(struct page *page) {
    static const struct {
        int clients, rate, burst, after;
        double rounds, seconds, calls, own_seconds, own_calls;
    } cases[] = {{10000, 100, 100, 1, 100, 99, 505000, 99, 19900},
                 {10000, 100, 1000, 1, 91, 90, 419500, 90, 19000},
                 {10000, 100, 1000, 5, 19, 90, 95500, 90, 19000},
                 {1000, 50, 10, 1, 100, 99, 50500, 19.8, 1990},
                 {1000, 50, 100, 1, 19, 18, 9550, 18, 1900}};
    static const char source[] = "rounds of min(B, R w)";
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char system[160], hint[16];
        world_print(hint, sizeof hint, "%ds", cases[i].after);
        struct bucket all = drain(cases[i].clients, cases[i].rate, cases[i].burst, hint);
        struct bucket own = drain(cases[i].clients, cases[i].rate, cases[i].burst, "personal");
        world_print(system, sizeof system, "%d clients, %d/s, burst %d, Retry-After %s",
                    cases[i].clients, cases[i].rate, cases[i].burst, hint);
        page_add_exact(page, "rate limit", system, "rounds", cases[i].rounds, all.rounds, source);
        page_add_exact(page, "rate limit", system, "seconds", cases[i].seconds,
                       storm_time_to_seconds(all.done), source);
        page_add_exact(page, "rate limit", system, "calls", cases[i].calls, all.calls, source);
        world_print(system, sizeof system, "%d clients, %d/s, burst %d, personal Retry-After",
                    cases[i].clients, cases[i].rate, cases[i].burst);
        page_add_exact(page, "rate limit", system, "seconds", cases[i].own_seconds,
                       storm_time_to_seconds(own.done), "(N - B) / R");
        page_add_exact(page, "rate limit", system, "calls", cases[i].own_calls, own.calls,
                       "2 N - B");
    }
}

/* ---- writes of which one wins ---------------------------------------------------------------- */

static void add_writes(struct page *page) {
    static const int writers[] = {10, 100};
    for (size_t i = 0; i < 2; i++) {
        char text[YAML_MAX], system[160];
        world_print(text, sizeof text,
                    "version: 1\nduration: 60s\n"
                    "clients: {all: {count: %d, arrivals: {at: 0s}, calls: {to: db, network: 5ms, "
                    "retry: {delay: no-backoff, attempts: unlimited, retry_on: [409]}}}}\n"
                    "services: {db: {workers: unlimited, optimistic_lock: true}}\n",
                    writers[i]);
        struct world_case world = world_write(text);
        world_live(&world, 1, 0, NULL);
        assert_true(world_metric(&world, "succeeded") == writers[i]);
        world_print(system, sizeof system, "%d writers in lockstep, no back-off", writers[i]);
        page_add_exact(page, "optimistic lock", system, "calls",
                       writers[i] * (writers[i] + 1) / 2.0, world_metric(&world, "attempts.db"),
                       "N (N + 1) / 2");
        world_free(&world);
    }
}

static void crowds_that_want_one_thing_get_in_line(void **state) {
    (void)state;
    struct page page =
        page_begin("contention", "Contention",
                   "Many at once: where their retries fall (64 runs), how a token bucket lets them "
                   "through, and how often they write before each has won.");
    add_balls(&page);
    add_herds(&page);
    add_buckets(&page);
    add_writes(&page);
    page_end(&page);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(crowds_that_want_one_thing_get_in_line)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
