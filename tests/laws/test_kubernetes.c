/* test_kubernetes.c: the reconnect storm of kubernetes issue 87794: the plateau that a fixed second
   makes, and what the published fix does to the load and to the tail. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "support/test.h"
#include "support/world.h"

static const char scenario_file[] = "04-kubernetes-reconnect.yaml";

enum { SECONDS_MAX = 400, WATCHERS = 18000, DOWN_FROM = 60, DOWN_TO = 120 };

/* Counts per second, and when the last watcher was back. */
struct storm {
    double first[SECONDS_MAX], retries[SECONDS_MAX];
    double back; /* s */
    int watchers;
};

static void hear(void *context, const struct storm_fact *fact) {
    struct storm *storm = context;
    int64_t second = fact->time / STORM_SECOND;
    assert_true(second < SECONDS_MAX);
    if (fact->kind == STORM_FACT_ARRIVED) {
        *(fact->retry ? &storm->retries[second] : &storm->first[second]) += 1;
    }
    if (fact->kind == STORM_FACT_SUCCEEDED && fact->place == 0) {
        storm->back = storm_time_to_seconds(fact->time);
        storm->watchers++;
    }
}

static struct storm live(const char *variant, const struct storm_override *sets, size_t count) {
    struct storm storm;
    memset(&storm, 0, sizeof storm);
    struct storm_listener listener = {hear, &storm};
    struct world_case world = world_read(scenario_file, variant, sets, count);
    world_live(&world, 1, 0, &listener);
    world_free(&world);
    return storm;
}

static void a_fixed_second_holds_18000_a_second(void **state) {
    (void)state;
    struct storm storm = live("fixed-second", NULL, 0);
    double first = 0;
    for (int second = DOWN_FROM + 2; second < DOWN_TO; second++) {
        assert_true(storm.retries[second] >= WATCHERS * .99);
        assert_true(storm.retries[second] <= WATCHERS);
    }
    for (int second = 10; second < DOWN_FROM; second++) {
        first += storm.first[second] / (DOWN_FROM - 10);
    }
    print_message("plateau %g/s, ordinary traffic %.0f/s\n", storm.retries[DOWN_TO - 10], first);
    assert_true(first > 2571 - 4 * 7.2 && first < 2571 + 4 * 7.2); /* sqrt(2571 / 50 s) */
}

/* The last of the watchers is back; all of them are. */
static double tail_of(const struct storm *storm) {
    assert_int_equal(storm->watchers, WATCHERS);
    return storm->back - DOWN_FROM;
}

static const struct storm_override six_thousand[] = {{"services.apiserver.workers", "60"}};

/* A rough simulation by others has the last watcher back 65.5 s after the outage began at 6,000/s;
   at 3,000/s it depends on whom the server prefers, and all that can be said is that it is soon. */
static void on_an_unbreakable_server_the_fixed_second_is_back_soon(void **state) {
    (void)state;
    struct storm three = live("fixed-second-unbreakable", NULL, 0);
    struct storm six = live("fixed-second-unbreakable", six_thousand, 1);
    print_message("the last watcher is back %.1f s after the outage began; with 6,000/s %.1f s\n",
                  tail_of(&three), tail_of(&six));
    assert_true(tail_of(&three) < 102);
    assert_true(tail_of(&six) > 64 && tail_of(&six) < 69);
}

/* The server that comes back is taken down again by 18,000 tries a second. */
static void a_server_that_can_break_is_taken_down_again(void **state) {
    (void)state;
    struct world_case world = world_read(scenario_file, "fixed-second", NULL, 0);
    world_live(&world, 1, 0, NULL);
    assert_true(world_metric(&world, "knock_downs") >= 1);
    world_free(&world);
    world = world_read(scenario_file, "published-fix", NULL, 0);
    world_live(&world, 1, 0, NULL);
    assert_true(world_metric(&world, "knock_downs") == 0);
    world_free(&world);
}

/* The same source has the last watcher back after 147 s (3,000/s) and 119 s (6,000/s), and the load
   below 700/s half a minute into the outage: between the fourth and the fifth wave. */
static void the_published_fix_lowers_the_load_and_lengthens_the_tail(void **state) {
    (void)state;
    struct storm three = live("published-fix", NULL, 0);
    struct storm six = live("published-fix", six_thousand, 1);
    double least = WATCHERS, most = 0;
    for (int second = DOWN_FROM + 25; second < DOWN_TO; second++) {
        least = three.retries[second] < least ? three.retries[second] : least;
        most = three.retries[second] > most ? three.retries[second] : most;
    }
    print_message("from 25 s on %g to %g tries/s; the last watcher back after %.1f s; with 6,000/s "
                  "%.1f s\n",
                  least, most, tail_of(&three), tail_of(&six));
    assert_true(least < 700 && most < WATCHERS * .1);
    assert_true(tail_of(&three) > 137 && tail_of(&three) < 157);
    assert_true(tail_of(&six) > 114 && tail_of(&six) < 124);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fixed_second_holds_18000_a_second),
        cmocka_unit_test(on_an_unbreakable_server_the_fixed_second_is_back_soon),
        cmocka_unit_test(a_server_that_can_break_is_taken_down_again),
        cmocka_unit_test(the_published_fix_lowers_the_load_and_lengthens_the_tail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
