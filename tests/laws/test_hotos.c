/* test_hotos.c: the metastable failure of HotOS 2021, section 2.1: which loads never recover,
   and when the others do. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "support/test.h"
#include "support/world.h"

static const char scenario_file[] = "03-metastable-hotos21.yaml";

enum { SECONDS_MAX = 1000, NEVER_BACK = -1 };

/* Counts per second. */
struct seconds {
    double born[SECONDS_MAX], attempts[SECONDS_MAX], good[SECONDS_MAX];
    double good_births[SECONDS_MAX]; /* requests born then that succeed */
    int count;
};

static void count_fact(void *context, const struct storm_fact *fact) {
    struct seconds *seconds = context;
    int64_t second = fact->time / STORM_SECOND;
    assert_true(second < SECONDS_MAX);
    seconds->born[second] += fact->kind == STORM_FACT_BORN;
    seconds->attempts[second] += fact->kind == STORM_FACT_ARRIVED;
    if (fact->kind == STORM_FACT_SUCCEEDED) {
        seconds->good[second] += 1;
        seconds->good_births[fact->since / STORM_SECOND] += 1;
    }
}

/* Runs a variant of the file, with settings on top. */
static enum storm_verdict live(const char *variant, const struct storm_override *sets, size_t count,
                               uint64_t seed, struct seconds *seconds) {
    memset(seconds, 0, sizeof *seconds);
    struct storm_listener listener = {count_fact, seconds};
    struct world_case world = world_read(scenario_file, variant, sets, count);
    world_live(&world, seed, 0, &listener);
    enum storm_verdict verdict = world.result.verdict;
    seconds->count = (int)(world.scenario->duration / STORM_SECOND);
    world_free(&world);
    return verdict;
}

/* The second from which on at least 90 % of the births succeed, to the run's end; NEVER_BACK
   when there is none. */
static int find_recovery(const struct seconds *seconds) {
    int back = seconds->count;
    while (back > 0 && seconds->good_births[back - 1] >= .9 * seconds->born[back - 1]) {
        back--;
    }
    return back == seconds->count ? NEVER_BACK : back;
}

static void attempts_of_280_stay_at_560_and_none_is_in_time(void **state) {
    (void)state;
    static struct seconds seconds;
    enum storm_verdict verdict = live("280-per-second", NULL, 0, 1, &seconds);
    print_message("280/s: %g attempts/s and %g answers/s at 400 s, %s\n", seconds.attempts[400],
                  seconds.good[400], storm_verdict_word(verdict));
    for (int second = 380; second < seconds.count - 1; second++) {
        assert_true(fabs(seconds.attempts[second] - 560) <= .05 * 560);
        assert_true(seconds.good[second] == 0);
    }
    assert_int_equal(verdict, STORM_VERDICT_STUCK);
}

static void load_of_155_never_recovers(void **state) {
    (void)state;
    static struct seconds seconds;
    enum storm_verdict verdict = live("155-per-second", NULL, 0, 1, &seconds);
    assert_int_equal(find_recovery(&seconds), NEVER_BACK);
    assert_int_equal(verdict, STORM_VERDICT_STUCK);
}

/* The same 300/s from many slow workers: a wait of .9 s is then already too long, which costs a
   second more. */
static const struct storm_override thirty_slow_workers[] = {{"services.db.workers", "30"},
                                                            {"services.db.service_time", "100ms"}};

static void recovers_near(const char *variant, const struct storm_override *sets, size_t count,
                          int expected) {
    static struct seconds seconds;
    enum storm_verdict verdict = live(variant, sets, count, 1, &seconds);
    int back = find_recovery(&seconds);
    print_message("%s, %s: back at %d s (truth %d s), %s\n", variant,
                  count > 0 ? "30 workers x 100 ms" : "3 workers x 10 ms", back, expected,
                  storm_verdict_word(verdict));
    assert_true(back >= expected - 2 && back <= expected + 2);
    assert_int_equal(verdict, STORM_VERDICT_RECOVERED);
}

static void load_of_145_recovers_at_275_s(void **state) {
    (void)state;
    recovers_near("145-per-second", NULL, 0, 275);
    recovers_near("145-per-second", thirty_slow_workers, 2, 275);
}

static void load_of_130_recovers_at_84_s(void **state) {
    (void)state;
    recovers_near("130-per-second", NULL, 0, 84);
    recovers_near("130-per-second", thirty_slow_workers, 2, 84);
}

static void random_arrivals_are_trapped_the_same_way(void **state) {
    (void)state;
    static struct seconds seconds;
    static const struct storm_override poisson[] = {{"clients.user.arrivals", "{poisson: 280/s}"},
                                                    {"clients.user.arrivals", "{poisson: 155/s}"}};
    for (uint64_t seed = 1; seed <= 3; seed++) {
        live(NULL, &poisson[0], 1, seed, &seconds);
        double sum = 0;
        for (int second = 395; second < 405; second++) {
            sum += seconds.attempts[second];
            assert_true(seconds.good[second] == 0);
        }
        assert_true(fabs(sum / 10 - 560) <= .05 * 560);
        live(NULL, &poisson[1], 1, seed, &seconds);
        assert_int_equal(find_recovery(&seconds), NEVER_BACK);
    }
}

/* Half the capacity divides the loads: with two retries it is a third. */
static void two_retries_lower_the_threshold_to_100(void **state) {
    (void)state;
    static struct seconds seconds;
    static const struct storm_override above[] = {{"clients.user.calls.retry.attempts", "3"},
                                                  {"clients.user.arrivals.even", "110/s"}};
    static const struct storm_override below[] = {{"clients.user.calls.retry.attempts", "3"},
                                                  {"clients.user.arrivals.even", "90/s"}};
    live(NULL, above, 2, 1, &seconds);
    assert_int_equal(find_recovery(&seconds), NEVER_BACK);
    live(NULL, below, 2, 1, &seconds);
    assert_true(find_recovery(&seconds) > 30);
}

/* An outage no longer than the timeout lets no attempt time out. */
static void an_outage_shorter_than_the_timeout_harms_nobody(void **state) {
    (void)state;
    static const struct storm_override sets[] = {{"faults.0.for", "950ms"}};
    struct world_case world = world_read(scenario_file, "280-per-second", sets, 1);
    world_live(&world, 1, 0, NULL);
    assert_true(world_metric(&world, "timeouts.db") == 0);
    assert_true(world_metric(&world, "dead_letters") == 0);
    world_free(&world);
}

/* Longer than T + T (1 - load) = 1.067 s, and it is trapped for ever. */
static void an_outage_of_1200_ms_is_enough(void **state) {
    (void)state;
    static struct seconds seconds;
    static const struct storm_override sets[] = {{"faults.0.for", "1200ms"}};
    live("280-per-second", sets, 1, 1, &seconds);
    assert_int_equal(find_recovery(&seconds), NEVER_BACK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attempts_of_280_stay_at_560_and_none_is_in_time),
        cmocka_unit_test(load_of_155_never_recovers),
        cmocka_unit_test(load_of_145_recovers_at_275_s),
        cmocka_unit_test(load_of_130_recovers_at_84_s),
        cmocka_unit_test(random_arrivals_are_trapped_the_same_way),
        cmocka_unit_test(two_retries_lower_the_threshold_to_100),
        cmocka_unit_test(an_outage_shorter_than_the_timeout_harms_nobody),
        cmocka_unit_test(an_outage_of_1200_ms_is_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
