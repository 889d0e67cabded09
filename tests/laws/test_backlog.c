/* test_backlog.c: how long a paced replay takes, whom it harms, and how wide the jitter of a
   reconnect must be. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "support/page.h"
#include "support/test.h"
#include "support/world.h"

/* ---- replays --------------------------------------------------------------------------------- */

/* A service that does 1000/s, live traffic of 800/s, and a backlog that is sent at a limit. What is
   to spare is 200/s, so the backlog is through after B / min(limit, 200) seconds, and nobody waits
   for it if the limit is below 200. */
enum { LETTERS = 100000, CAPACITY = 1000 };

struct sight {
    int64_t level, left; /* at the service; letters that have not arrived */
    storm_time drained;  /* when nothing is left of either */
    storm_time longest;  /* of the live requests */
};

static void see(void *context, const struct storm_fact *fact) {
    struct sight *sight = context;
    bool is_letter = fact->kind == STORM_FACT_BORN && fact->level == STORM_BIRTH_REPLAY;
    bool is_live = fact->kind == STORM_FACT_SUCCEEDED && fact->level == 0;
    storm_time took = fact->time - fact->since;
    sight->left -= is_letter;
    sight->level += (fact->kind == STORM_FACT_ARRIVED) - (fact->kind == STORM_FACT_SERVED);
    if (is_live && took > sight->longest) {
        sight->longest = took;
    }
    if (sight->left == 0 && sight->level == 0 && sight->drained == 0) {
        sight->drained = fact->time;
    }
}

static const struct storm_letter *make_letters(void) {
    struct storm_letter *letters = calloc(LETTERS, sizeof *letters);
    assert_non_null(letters);
    for (uint32_t i = 0; i < LETTERS; i++) {
        letters[i].member = i;
        letters[i].ordinal = UINT32_MAX; /* no live request has it */
    }
    return letters;
}

static struct sight replay(double limit) {
    struct world_case world = world_write(
        "version: 1\nduration: 1010s\n"
        "clients: {live: {count: 100000, arrivals: {even: 800/s}, calls: {to: queue}}}\n"
        "services: {queue: {workers: 1, service_time: 1ms}}\n");
    const struct storm_letter *letters = make_letters();
    struct storm_action action = {.kind = STORM_ACTION_REPLAY,
                                  .pace = {.rate = limit, .limit = LETTERS},
                                  .letters = letters,
                                  .letter_count = LETTERS};
    struct storm_scenario with_replay = *world.scenario;
    with_replay.actions = &action;
    with_replay.action_count = 1;
    world.scenario = &with_replay;
    struct sight sight = {.left = LETTERS};
    struct storm_listener listener = {see, &sight};
    world_live(&world, 1, 0, &listener);
    world_free(&world);
    free((void *)letters);
    return sight;
}

/* Within two services of the truth, which counts in a stream without grains. */
static void add_seconds(struct page *page, const char *system, double truth, storm_time ours) {
    char said[32], measured[32];
    double seconds = storm_time_to_seconds(ours);
    assert_true(fabs(seconds - truth) <= 0.011);
    world_print(said, sizeof said, "%g", truth);
    world_print(measured, sizeof measured, "%.3f", seconds);
    page_add(page, &(struct page_row){"replay", system, "seconds to drain", said, measured, "0.011",
                                      "grain", "B / min(limit, mu - lambda)"});
}

static void a_backlog_goes_at_the_limit_or_at_what_is_to_spare(void **state) {
    (void)state;
    static const struct {
        double limit, seconds;
        bool is_harmless;
        const char *system;
    } rows[] = {{100, 1000, true, "100,000 letters, live 800/s of 1000/s, limit 100/s"},
                {500, 500, false, "100,000 letters, live 800/s of 1000/s, limit 500/s"},
                {1e9, 500, false, "100,000 letters, live 800/s of 1000/s, all at once"}};
    struct page page = page_begin("replay", "Replays",
                                  "A backlog of dead letters is sent at a limit to a service that "
                                  "has live traffic: the time until all is through.");
    for (size_t i = 0; i < 3; i++) {
        struct sight sight = replay(rows[i].limit);
        add_seconds(&page, rows[i].system, rows[i].seconds, sight.drained);
        /* Live traffic alone never waits; behind one letter it waits for one service at most. */
        bool is_harmless = sight.longest <= 2 * STORM_MILLISECOND;
        assert_true(is_harmless == rows[i].is_harmless);
    }
    page_end(&page);
}

/* ---- the jitter of a reconnect --------------------------------------------------------------- */

/* N clients come back within J seconds, at random: they take the service no longer than J if
   N / J <= mu - lambda. At just that width the queue is a Brownian bridge, whose peak is above
   3 sqrt(N) with a chance of exp(-18). */
static double peak_of_reconnect(double jitter, double live, uint64_t seed) {
    char text[512];
    world_print(text, sizeof text,
                "version: 1\nduration: 400s\n"
                "clients: {live: {count: 1, arrivals: {even: %.0f/s}, calls: {to: queue}},\n"
                "          back: {count: 10000, arrivals: {at: 0s, spread: %.0fs}, "
                "calls: {to: queue}}}\n"
                "services: {queue: {workers: 1, service_time: 1ms}}\n",
                live, jitter);
    struct world_case world = world_write(text);
    world_live(&world, seed, 0, NULL);
    double peak = world_metric(&world, "queue_peak.queue");
    world_free(&world);
    return peak;
}

static void a_reconnect_needs_a_jitter_of_n_over_what_is_to_spare(void **state) {
    (void)state;
    static const struct { double live, least; } rows[] = {{800, 50}, {900, 100}};
    const double clients = 10000;
    for (size_t i = 0; i < 2; i++) {
        double spare = CAPACITY - rows[i].live;
        assert_true(clients / spare == rows[i].least);
        double wide = peak_of_reconnect(rows[i].least, rows[i].live, i + 1);
        double narrow = peak_of_reconnect(rows[i].least / 2, rows[i].live, i + 1);
        assert_true(wide < 3 * sqrt(clients));
        /* Half of it: the half for which there is no room waits at its end. */
        assert_true(fabs(narrow - clients / 2) < 4 * sqrt(clients));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_backlog_goes_at_the_limit_or_at_what_is_to_spare),
        cmocka_unit_test(a_reconnect_needs_a_jitter_of_n_over_what_is_to_spare),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
