/* test_no_false_alarm.c: a healthy system with a trigger that does nothing is unharmed, seed
   after seed. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>

#include "support/test.h"
#include "support/world.h"

/* Each case: the seeds of a normal run (together more than a thousand), and of a full one
   (STORM_FULL=1). */
enum { SEEDS = 250, SEEDS_FULL = 1000 };

/* A slow fault that multiplies by 1 is the trigger: declared, and without any effect. */
#define NOTHING_HAPPENS "faults: [{service: api, kind: slow, factor: 1, at: 60s, for: 10s}]\n"

static const char half_loaded[] =
    "version: 1\nduration: 180s\n"
    "clients: {web: {count: 1000, arrivals: {poisson: 20/s}, "
    "calls: {to: api, timeout: 2s, retry: {delay: full-jitter, base: 100ms}}}}\n"
    "services: {api: {workers: 4, service_time: {exponential: 100ms}, queue: {limit: 200}}}\n" //
    NOTHING_HAPPENS;

static const char four_fifths_loaded[] =
    "version: 1\nduration: 180s\n"
    "clients: {web: {count: 1000, arrivals: {poisson: 32/s}, "
    "calls: {to: api, timeout: 2s, retry: {delay: full-jitter, base: 100ms}}}}\n"
    "services: {api: {workers: 4, service_time: {exponential: 100ms}, queue: {limit: 200}}}\n" //
    NOTHING_HAPPENS;

static const char two_services[] =
    "version: 1\nduration: 180s\n"
    "policies: {app: {delay: exponential, base: 200ms, attempts: 4}}\n"
    "clients: {web: {count: 1000, arrivals: {poisson: 30/s}, "
    "calls: {to: front, timeout: 4s, network: {exponential: 5ms}, retry: app}}}\n"
    "services:\n"
    "  front: {workers: 40, service_time: {lognormal: {mean: 20ms, cv: 1}}, "
    "calls: [{to: api, timeout: 2s, network: {constant: 1ms}, retry: app}]}\n"
    "  api: {workers: 6, service_time: {exponential: 150ms}, queue: {limit: 300}, "
    "errors: {500: 1%}}\n" //
    NOTHING_HAPPENS;

/* A healthy service fails now and then: then the share of successes is itself chance. */
#define FAILS_ALONE(share)                                                                         \
    "version: 1\nduration: 180s\n"                                                                 \
    "clients: {web: {count: 1000, arrivals: {poisson: 20/s}, calls: {to: api, timeout: 2s}}}\n"    \
    "services: {api: {workers: 10, service_time: {exponential: 100ms}, errors: {500: " share       \
    "}}}\n" NOTHING_HAPPENS

static void stays_unharmed(const char *name, const char *text) {
    const char *full = getenv("STORM_FULL");
    uint64_t seeds = full != NULL && full[0] == '1' ? SEEDS_FULL : SEEDS;
    uint64_t unharmed = 0;
    struct world_case world = world_write(text);
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        world_live(&world, seed, 0, NULL);
        if (world.result.verdict == STORM_VERDICT_UNHARMED) {
            unharmed++;
        } else {
            print_message("seed %llu: %s\n", (unsigned long long)seed,
                          storm_verdict_word(world.result.verdict));
        }
    }
    world_free(&world);
    print_message("%s: unharmed in %llu of %llu seeds\n", name, (unsigned long long)unharmed,
                  (unsigned long long)seeds);
    assert_int_equal(unharmed, seeds);
}

static void half_a_load_is_unharmed(void **state) {
    (void)state;
    stays_unharmed("M/M/4, load .5", half_loaded);
}

static void four_fifths_of_a_load_are_unharmed(void **state) {
    (void)state;
    stays_unharmed("M/M/4, load .8", four_fifths_loaded);
}

static void two_services_in_a_row_are_unharmed(void **state) {
    (void)state;
    stays_unharmed("two services", two_services);
}

static void errors_that_were_there_before_are_no_harm(void **state) {
    (void)state;
    stays_unharmed("errors 0.1 %, no retry", FAILS_ALONE("0.1%"));
    stays_unharmed("errors 1 %, no retry", FAILS_ALONE("1%"));
    stays_unharmed("errors 5 %, no retry", FAILS_ALONE("5%"));
    stays_unharmed("errors 20 %, no retry", FAILS_ALONE("20%"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_a_load_is_unharmed),
        cmocka_unit_test(four_fifths_of_a_load_are_unharmed),
        cmocka_unit_test(two_services_in_a_row_are_unharmed),
        cmocka_unit_test(errors_that_were_there_before_are_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
