/* test_fail_fast.c: an outage that refuses at once: the load that retries make of it, bin by bin,
   and who survives it. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "support/csv.h"
#include "support/page.h"
#include "support/test.h"
#include "support/world.h"

enum { BINS = 400, RUNS = 64, CLIENTS = 100000, YAML_MAX = 1024 };
#define BIN (100 * STORM_MILLISECOND)

/* ---- the load curve -------------------------------------------------------------------------- */

static const char *const policies[] = {"exponential", "full-jitter", "equal-jitter"};

/* What 64 runs came to, bin by bin, and of a few sums. */
struct sums {
    double expected, sum, squares;
};

struct curve {
    struct sums bins[BINS];
    struct sums total, before, after; /* attempts; rates at both sides of the outage's end */
    double lost;                      /* requests */
};

struct counts {
    double bins[BINS], dead;
};

static void count(void *context, const struct storm_fact *fact) {
    struct counts *counts = context;
    if (fact->kind == STORM_FACT_ARRIVED) {
        int64_t bin = fact->time / BIN;
        assert_true(bin < BINS);
        counts->bins[bin] += 1;
    }
    counts->dead += fact->kind == STORM_FACT_DEAD;
}

static void sum_up(struct sums *sums, double value) {
    double off = value - sums->expected;
    sums->sum += off;
    sums->squares += off * off;
}

/* Student's t of the mean of 64 values. */
static double score(const struct sums *sums) {
    double mean = sums->sum / RUNS;
    double variance = (sums->squares - mean * sums->sum) / (RUNS - 1);
    return variance > 0 ? mean / sqrt(variance / RUNS) : mean == 0 ? 0 : HUGE_VAL;
}

static void read_curve(struct curve *curve, const char *policy) {
    struct csv truths = csv_read(STORM_SOURCE_DIR "/tests/data/outage_load.csv");
    *curve = (struct curve){0};
    for (size_t row = 0; row < truths.rows; row++) {
        if (strcmp(csv_text(&truths, row, "policy"), policy) == 0) {
            size_t bin = (size_t)csv_number(&truths, row, "bin");
            assert_true(bin < BINS);
            curve->bins[bin].expected = csv_number(&truths, row, "expected");
            curve->total.expected += curve->bins[bin].expected;
        }
    }
    curve->before.expected = 10 * curve->bins[99].expected;
    curve->after.expected = 10 * curve->bins[100].expected;
    csv_free(&truths);
}

static void live_through(struct curve *curve, const char *policy) {
    char text[YAML_MAX];
    world_print(text, sizeof text,
                "version: 1\nduration: 39999999us\n"
                "policies: {app: {delay: %s, base: 1s, cap: 20s, attempts: 6}}\n"
                "clients: {all: {count: 100, arrivals: {poisson: 100/s}, "
                "calls: {to: api, retry: app}}}\n"
                "services: {api: {workers: unlimited}}\n"
                "faults: [{service: api, kind: down, at: 0s, for: 10s}]\n",
                policy);
    struct world_case world = world_write(text);
    for (uint32_t run = 0; run < RUNS; run++) {
        struct counts counts = {0};
        double total = 0;
        struct storm_listener listener = {count, &counts};
        world_live(&world, 1, run, &listener);
        for (size_t bin = 0; bin < BINS; bin++) {
            sum_up(&curve->bins[bin], counts.bins[bin]);
            total += counts.bins[bin];
        }
        sum_up(&curve->total, total);
        sum_up(&curve->before, 10 * counts.bins[99]);
        sum_up(&curve->after, 10 * counts.bins[100]);
        curve->lost += counts.dead;
    }
    world_free(&world);
}

static void add_sum(struct page *page, const char *policy, const char *quantity,
                    const struct sums *sums) {
    char cells[4][64];
    double t = score(sums), mean = sums->sum / RUNS;
    world_print(cells[0], sizeof cells[0], "%.8g", sums->expected);
    world_print(cells[1], sizeof cells[1], "%.6g", sums->expected + mean);
    world_print(cells[2], sizeof cells[2], "%.2g", t != 0 ? mean / t : 0);
    world_print(cells[3], sizeof cells[3], "t %.2f", t);
    page_add(page, &(struct page_row){"fail-fast outage", policy, quantity, cells[0], cells[1],
                                      cells[2], cells[3], "lambda (1 + sum of P(S_k <= t))"});
    assert_true(fabs(t) < 5);
}

/* Together the bins scatter as they should. They share requests, so that the sum of their squares
   varies more than chi-square does; a curve that is wrong by 2 % makes it 2. */
static void add_bins(struct page *page, const char *policy, const struct curve *curve) {
    char cells[2][64];
    double worst = 0, squares = 0;
    for (size_t bin = 0; bin < BINS; bin++) {
        double t = score(&curve->bins[bin]);
        worst = fabs(t) > worst ? fabs(t) : worst;
        squares += t * t;
    }
    world_print(cells[0], sizeof cells[0], "chi2 / df %.3f", squares / BINS);
    world_print(cells[1], sizeof cells[1], "worst t %.2f", worst);
    page_add(page,
             &(struct page_row){"fail-fast outage", policy, "attempts in each of 400 bins", "curve",
                                cells[0], "", cells[1], "lambda (1 + sum of P(S_k <= t))"});
    assert_true(worst < 5);
    assert_true(squares / BINS > .75 && squares / BINS < 1.3);
}

static void add_load(struct page *page) {
    static const double lost[] = {0, 40.19332, 0};
    for (size_t i = 0; i < 3; i++) {
        static struct curve curve;
        read_curve(&curve, policies[i]);
        live_through(&curve, policies[i]);
        add_bins(page, policies[i], &curve);
        add_sum(page, policies[i], "attempts in 40 s", &curve.total);
        add_sum(page, policies[i], "attempts/s just before the end", &curve.before);
        add_sum(page, policies[i], "attempts/s just after the end", &curve.after);
        double z =
            page_add_z(page, "fail-fast outage", policies[i], "requests lost per outage", lost[i],
                       curve.lost / RUNS, sqrt(lost[i] / RUNS), "lambda integral of P(S_5 < v)");
        assert_true(z < 4);
    }
}

/* ---- survival -------------------------------------------------------------------------------- */

static const char *headline(const char *policy) {
    static const char *const words[][2] = {{"pure", "exponential"},
                                           {"full", "full-jitter"},
                                           {"equal", "equal-jitter"},
                                           {"decorrelated", "decorrelated-jitter"}};
    for (size_t i = 0; i < 4; i++) {
        if (strcmp(words[i][0], policy) == 0) {
            return words[i][1];
        }
    }
    fail_msg("there is no policy '%s'", policy);
    return NULL;
}

/* The share of clients that get through, when all of them begin with the outage. */
static double survive(const struct csv *truths, size_t row, uint64_t seed) {
    char text[YAML_MAX];
    world_print(text, sizeof text,
                "version: 1\nduration: 600s\n"
                "policies: {app: {delay: %s, base: %ss, cap: %ss, attempts: %s}}\n"
                "clients: {all: {count: %d, arrivals: {at: 0s}, calls: {to: api, retry: app}}}\n"
                "services: {api: {workers: unlimited}}\n"
                "faults: [{service: api, kind: down, at: 0s, for: %ss}]\n",
                headline(csv_text(truths, row, "policy")), csv_text(truths, row, "base"),
                csv_text(truths, row, "cap"), csv_text(truths, row, "attempts_total"), CLIENTS,
                csv_text(truths, row, "outage_T"));
    struct world_case world = world_write(text);
    world_live(&world, seed, 0, NULL);
    double share = world_metric(&world, "succeeded") / CLIENTS;
    assert_true(world_metric(&world, "requests") == CLIENTS);
    world_free(&world);
    return share;
}

/* Rows whose outcome is not a matter of course; in every build one in seven of them. */
static bool is_wanted(double share, size_t *informative) {
    bool open = share > .001 && share < .999;
    *informative += open;
    return page_is_full() || (open && *informative % 7 == 1);
}

static void add_survival(struct page *page) {
    struct csv truths = csv_read(STORM_SOURCE_DIR "/tests/data/outage_survival.csv");
    size_t informative = 0;
    for (size_t row = 0; row < truths.rows; row++) {
        char system[160];
        double share = csv_number(&truths, row, "P_survive");
        if (!is_wanted(share, &informative)) {
            continue;
        }
        bool sure = share < 1e-4 || share > 1 - 1e-4;
        double ours = survive(&truths, row, row + 1);
        world_print(system, sizeof system, "%s, base %s s, cap %s s, %s attempts, outage of %s s",
                    headline(csv_text(&truths, row, "policy")), csv_text(&truths, row, "base"),
                    csv_text(&truths, row, "cap"), csv_text(&truths, row, "attempts_total"),
                    csv_text(&truths, row, "outage_T"));
        double z = page_add_z(page, "surviving an outage", system, "share of clients", share, ours,
                              sqrt(share * (1 - share) / CLIENTS), "P(S_(m-1) >= T)");
        /* Where hardly any is expected, more than 25 of the 100,000 are too many. */
        assert_true(sure ? fabs(ours - share) * CLIENTS <= 25 : z < 4);
    }
    assert_true(informative > 70);
    csv_free(&truths);
}

static void outages_that_refuse_follow_the_curves(void **state) {
    (void)state;
    struct page page = page_begin(
        "fail_fast", "Outages that refuse at once",
        "Load: Poisson arrivals of 100/s, an outage of the first 10 s, 6 attempts, base 1 s, cap "
        "20 s, 64 runs. Survival: 100,000 clients that begin with the outage.");
    add_load(&page);
    add_survival(&page);
    page_end(&page);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(outages_that_refuse_follow_the_curves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
