/* test_arrival.c: clients who come at a rate that changes, within a while, or after they have
   thought; who they are, and what they bring. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/small_world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/test.h"

/* A service that answers everybody at once, so that only the births matter. */
static void easy(struct small_world *w, uint32_t clients, enum storm_arrival arrival) {
    small_world_init(w);
    w->populations[0].count = clients;
    w->populations[0].arrival = arrival;
    w->services[0].workers = STORM_UNLIMITED;
    w->services[0].service_time = small_world_constant(0);
}

/* How many births there are in [from, to). */
static double births_in(const struct small_world *w, storm_time from, storm_time to) {
    double count = 0;
    for (size_t i = 0; i < w->fact_count; i++) {
        const struct storm_fact *f = &w->facts[i];
        count += f->kind == STORM_FACT_BORN && f->time >= from && f->time < to;
    }
    return count;
}

static void expect_poisson(double count, double mean) {
    if (fabs(count - mean) > 4 * sqrt(mean))
        fail_msg("%g births, where %g were to be expected", count, mean);
}

/* ---- a rate ---------------------------------------------------------------------------------- */

/* Level at 100/s, up to 900/s from 10 to 20 s, at once down to nearly nothing, up to 300/s at 40 s,
   and level. */
static const struct storm_rate_point hills[] = {
    {10 * SEC, 100}, {20 * SEC, 900}, {20 * SEC + 1, 0}, {30 * SEC, 0}, {40 * SEC, 300}};

static double hill_at(double t) {
    if (t < 10)
        return 100;
    if (t < 20)
        return 100 + 80 * (t - 10);
    if (t < 30)
        return 0;
    return t < 40 ? 30 * (t - 30) : 300;
}

/* The integral of straight lines that break only at whole seconds, over [from, to). */
static double hill_between(int from, int to) {
    double sum = 0;
    for (int t = from; t < to; t++)
        sum += hill_at(t + 0.5);
    return sum;
}

static void a_rate_brings_its_integral(void **state) {
    (void)state;
    struct small_world w;
    easy(&w, 7, STORM_ARRIVAL_RATE);
    w.populations[0].points = hills;
    w.populations[0].point_count = 5;
    small_world_live(&w);
    static const int cuts[] = {0, 5, 10, 12, 15, 18, 20, 30, 33, 36, 40, 50, 60};
    for (size_t i = 0; i + 1 < sizeof cuts / sizeof cuts[0]; i++) {
        double count = births_in(&w, cuts[i] * SEC, cuts[i + 1] * SEC);
        expect_poisson(count, hill_between(cuts[i], cuts[i + 1]));
    }
    for (uint32_t i = 0; i < 100; i++)
        assert_int_equal(small_world_fact(&w, STORM_FACT_BORN, 0, i)->member, i % 7);
    small_world_free(&w);
}

/* The births of a rate, put through its integral, are those of a steady stream: gaps of mean 1 and
   mean square 2. */
static void its_gaps_are_exponential_in_its_own_time(void **state) {
    (void)state;
    struct small_world w;
    static const struct storm_rate_point line[] = {{0, 0}, {60 * SEC, 600}};
    easy(&w, 1, STORM_ARRIVAL_RATE);
    w.populations[0].points = line;
    w.populations[0].point_count = 2;
    small_world_live(&w);
    double last = 0, sum = 0, squares = 0, n = 0;
    for (size_t i = 0; i < w.fact_count; i++) {
        if (w.facts[i].kind != STORM_FACT_BORN)
            continue;
        double t = storm_time_to_seconds(w.facts[i].time), now = 5 * t * t; /* 10 t dt */
        sum += now - last;
        squares += (now - last) * (now - last);
        last = now;
        n++;
    }
    expect_poisson(n, 18000);
    assert_true(fabs(sum / n - 1) < 4 / sqrt(n));
    assert_true(fabs(squares / n - 2) < 4 * sqrt(20 / n));
    small_world_free(&w);
}

/* One point is a level rate, and as good as a Poisson stream. */
static void one_point_is_a_level(void **state) {
    (void)state;
    struct small_world w;
    static const struct storm_rate_point point = {30 * SEC, 200};
    easy(&w, 1, STORM_ARRIVAL_RATE);
    w.populations[0].points = &point;
    w.populations[0].point_count = 1;
    small_world_live(&w);
    expect_poisson(births_in(&w, 0, 30 * SEC), 6000);
    expect_poisson(births_in(&w, 30 * SEC, 60 * SEC), 6000);
    small_world_free(&w);
}

/* ---- within a while -------------------------------------------------------------------------- */

static void at_with_a_spread_bears_each_once_at_a_random_place(void **state) {
    (void)state;
    enum { CLIENTS = 1000 };
    struct small_world w;
    bool seen[CLIENTS] = {false};
    double sum = 0;
    easy(&w, CLIENTS, STORM_ARRIVAL_AT);
    w.populations[0].at = 10 * SEC;
    w.populations[0].spread = STORM_SPREAD_WITHIN;
    w.populations[0].spread_time = 500 * MS;
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_BORN, 0), CLIENTS);
    for (size_t i = 0; i < w.fact_count; i++) {
        const struct storm_fact *f = &w.facts[i];
        if (f->kind != STORM_FACT_BORN)
            continue;
        assert_true(f->time >= 10 * SEC && f->time < 10500 * MS);
        assert_false(seen[f->member]);
        assert_int_equal(f->ordinal, 0);
        seen[f->member] = true;
        sum += storm_time_to_seconds(f->time - 10 * SEC) / 0.5;
    }
    assert_true(fabs(sum / CLIENTS - 0.5) < 4 * sqrt(1.0 / 12 / CLIENTS));
    small_world_free(&w);
}

/* ---- thinking -------------------------------------------------------------------------------- */

/* Thinks 2 s, asks, waits 100 ms, thinks again: asks at 2 s, 4.1 s, 6.2 s ... */
static void a_client_thinks_asks_waits_and_thinks_again(void **state) {
    (void)state;
    struct small_world w;
    easy(&w, 3, STORM_ARRIVAL_CLOSED);
    w.populations[0].think = small_world_constant(2 * SEC);
    w.services[0].service_time = small_world_constant(100 * MS);
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_BORN, 0), 3 * 28);
    for (uint32_t i = 0; i < 3 * 28; i++) {
        const struct storm_fact *born = small_world_fact(&w, STORM_FACT_BORN, 0, i);
        assert_int_equal(born->member, i % 3);
        assert_int_equal(born->ordinal, i / 3);
        assert_true(born->time == 2 * SEC + (storm_time)(i / 3) * 2100 * MS);
    }
    small_world_free(&w);
}

/* However long it takes, and however it ends. */
static void each_client_has_one_request_in_flight(void **state) {
    (void)state;
    enum { CLIENTS = 40 };
    struct small_world w;
    int in_flight[CLIENTS] = {0};
    uint32_t ordinals[CLIENTS] = {0};
    small_world_busy(&w);
    w.populations[0].count = CLIENTS;
    w.populations[0].arrival = STORM_ARRIVAL_CLOSED;
    w.populations[0].think = (struct storm_dist){.law = STORM_LAW_EXPONENTIAL, .a = 0.3};
    storm_dist_prepare(&w.populations[0].think);
    small_world_live(&w);
    for (size_t i = 0; i < w.fact_count; i++) {
        const struct storm_fact *f = &w.facts[i];
        if (f->kind == STORM_FACT_BORN) {
            assert_int_equal(++in_flight[f->member], 1);
            assert_int_equal(f->ordinal, ordinals[f->member]++);
        } else if (f->kind == STORM_FACT_SUCCEEDED || f->kind == STORM_FACT_DEAD) {
            assert_int_equal(--in_flight[f->member], 0);
        }
    }
    assert_true(small_world_count(&w, STORM_FACT_DEAD, 0) > 100);
    small_world_free(&w);
}

/* The machine repairman: N clients think Z and one worker serves S, all exponential; the worker's
   idle share follows from the sum of N! / (N - k)! (S / Z)^k. */
static void a_closed_population_is_served_as_the_book_says(void **state) {
    (void)state;
    enum { CLIENTS = 5 };
    struct small_world w;
    double term = 1, sum = 0, busy = 0;
    easy(&w, CLIENTS, STORM_ARRIVAL_CLOSED);
    w.scenario.duration = 4000 * SEC;
    w.services[0].workers = 1;
    w.services[0].service_time = (struct storm_dist){.law = STORM_LAW_EXPONENTIAL, .a = 0.1};
    w.populations[0].think = (struct storm_dist){.law = STORM_LAW_EXPONENTIAL, .a = 0.5};
    storm_dist_prepare(&w.services[0].service_time);
    storm_dist_prepare(&w.populations[0].think);
    small_world_live(&w);
    for (int k = 0; k <= CLIENTS; k++) {
        sum += term;
        term *= (CLIENTS - k) * 0.1 / 0.5;
    }
    busy = 1 - 1 / sum;
    double served = (double)small_world_count(&w, STORM_FACT_SERVED, 0);
    /* a renewal stream of about this rate, less variable than a Poisson one */
    assert_true(fabs(served - 4000 * busy / 0.1) < 4 * sqrt(served));
    small_world_free(&w);
}

/* Two closed populations and an open one: each thought is its own member's. */
static void closed_populations_beside_others_keep_their_members(void **state) {
    (void)state;
    struct small_world w;
    easy(&w, 3, STORM_ARRIVAL_CLOSED);
    small_world_add_population(&w, 5 * SEC, 100);
    small_world_add_population(&w, 0, 5);
    w.populations[0].think = small_world_constant(4 * SEC);
    w.populations[2].arrival = STORM_ARRIVAL_CLOSED;
    w.populations[2].think = small_world_constant(7 * SEC);
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_BORN, 0), 3 * 14);
    assert_int_equal(small_world_count(&w, STORM_FACT_BORN, 1), 100);
    assert_int_equal(small_world_count(&w, STORM_FACT_BORN, 2), 5 * 8);
    for (uint32_t i = 0; i < 40; i++) {
        const struct storm_fact *born = small_world_fact(&w, STORM_FACT_BORN, 2, i);
        assert_true(born->member == i % 5 && born->time == (storm_time)(1 + i / 5) * 7 * SEC);
    }
    small_world_free(&w);
}

static void a_hundred_thousand_may_think_at_once(void **state) {
    (void)state;
    enum { CLIENTS = 100000 };
    struct small_world w;
    easy(&w, CLIENTS, STORM_ARRIVAL_CLOSED);
    small_world_add_population(&w, 5 * SEC, 10);
    w.scenario.duration = 8 * SEC;
    w.populations[0].think = small_world_constant(5 * SEC);
    small_world_live(&w);
    assert_int_equal(w.error.status, STORM_OK);
    assert_int_equal(small_world_count(&w, STORM_FACT_SUCCEEDED, 0), CLIENTS);
    small_world_free(&w);
}

/* Neither thinking nor the answer takes time: nothing would ever come after this instant. */
static void asking_for_ever_in_one_instant_is_an_error_that_names_the_clients(void **state) {
    (void)state;
    struct small_world w;
    easy(&w, 1, STORM_ARRIVAL_CLOSED);
    w.populations[0].think = small_world_constant(0);
    small_world_live(&w);
    assert_int_equal(w.error.status, STORM_INVALID);
    assert_non_null(strstr(w.error.message, "the clients of 'client' ask again and again"));
    small_world_free(&w);
}

/* With a service time, however short, it goes on. */
static void asking_again_at_once_is_none(void **state) {
    (void)state;
    struct small_world w;
    easy(&w, 2, STORM_ARRIVAL_CLOSED);
    w.scenario.duration = SEC;
    w.populations[0].think = small_world_constant(0);
    w.services[0].service_time = small_world_constant(MS);
    small_world_live(&w);
    assert_int_equal(w.error.status, STORM_OK);
    assert_int_equal(small_world_count(&w, STORM_FACT_BORN, 0), 2000);
    small_world_free(&w);
}

/* ---- fleets and messages --------------------------------------------------------------------- */

/* Everything fails; one fleet tries twice, another three times, the rest once. A member is of one
   fleet for all its requests. */
static void a_fleet_is_a_share_of_the_members_for_good(void **state) {
    (void)state;
    enum { CLIENTS = 3000 };
    struct small_world w;
    static uint32_t tries[CLIENTS];
    double counts[4] = {0};
    easy(&w, CLIENTS, STORM_ARRIVAL_EVERY);
    w.populations[0].period = 20 * SEC;
    w.services[0].error_count = 1;
    w.services[0].errors[0] = (struct storm_error_row){500, 1};
    w.populations[0].fleet_count = 2;
    w.populations[0].fleets[0] = (struct storm_fleet){small_world_add_policy(&w, 2, 0.1), 0.3};
    w.populations[0].fleets[1] = (struct storm_fleet){small_world_add_policy(&w, 3, 0.1), 0.2};
    small_world_live(&w);
    for (size_t i = 0; i < w.fact_count; i++) {
        const struct storm_fact *f = &w.facts[i];
        if (f->kind != STORM_FACT_DEAD)
            continue;
        assert_true(f->attempts >= 1 && f->attempts <= 3);
        assert_true(f->ordinal == 0 || tries[f->member] == f->attempts);
        tries[f->member] = f->attempts;
        counts[f->attempts] += f->ordinal == 0;
    }
    assert_true(counts[1] + counts[2] + counts[3] == CLIENTS);
    assert_true(fabs(counts[2] - 0.3 * CLIENTS) < 4 * sqrt(CLIENTS * 0.3 * 0.7));
    assert_true(fabs(counts[3] - 0.2 * CLIENTS) < 4 * sqrt(CLIENTS * 0.2 * 0.8));
    small_world_free(&w);
}

/* Poisoned messages fail with 400 and missing ones with 404, at every try: the policy insists. The
   service's own errors are another matter. */
static void a_bad_message_is_answered_badly_whatever_happens(void **state) {
    (void)state;
    enum { CLIENTS = 10000 };
    struct small_world w;
    easy(&w, CLIENTS, STORM_ARRIVAL_AT);
    small_world_retry(&w, 3, 0.1);
    w.populations[0].poison = 0.1;
    w.populations[0].missing = 0.05;
    w.policies[0].class_count = 2;
    w.policies[0].classes[0] = (struct storm_class_row){400, STORM_CLASS_RETRY};
    w.policies[0].classes[1] = (struct storm_class_row){404, STORM_CLASS_RETRY};
    small_world_live(&w);
    double poisoned = 0, missing = 0;
    for (size_t i = 0; i < w.fact_count; i++) {
        const struct storm_fact *f = &w.facts[i];
        if (f->kind != STORM_FACT_DEAD)
            continue;
        assert_true(f->attempts == 3 && (f->status == 400 || f->status == 404));
        *(f->status == 400 ? &poisoned : &missing) += 1;
    }
    assert_true(fabs(poisoned - 1000) < 4 * sqrt(CLIENTS * 0.1 * 0.9));
    assert_true(fabs(missing - 500) < 4 * sqrt(CLIENTS * 0.05 * 0.95));
    small_world_free(&w);
}

/* The service that is called answers so: it has done its work, and calls nobody. */
static void a_poisoned_message_costs_its_work_and_calls_nobody(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    small_world_add_call(&w, 0, small_world_add_service(&w, "db"));
    w.populations[0].poison = 1;
    small_world_live(&w);
    small_world_expect(&w, "1s born client 0\n"
                           "1s sent api try 1\n"
                           "1s arrived api\n"
                           "1s started api after 0s\n"
                           "1.1s served api 400 in 100ms\n"
                           "1.1s dead client 0 in 100ms tries 1 status 400 not_retryable since "
                           "1.1s\n");
    small_world_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rate_brings_its_integral),
        cmocka_unit_test(its_gaps_are_exponential_in_its_own_time),
        cmocka_unit_test(one_point_is_a_level),
        cmocka_unit_test(at_with_a_spread_bears_each_once_at_a_random_place),
        cmocka_unit_test(a_client_thinks_asks_waits_and_thinks_again),
        cmocka_unit_test(each_client_has_one_request_in_flight),
        cmocka_unit_test(a_closed_population_is_served_as_the_book_says),
        cmocka_unit_test(closed_populations_beside_others_keep_their_members),
        cmocka_unit_test(a_hundred_thousand_may_think_at_once),
        cmocka_unit_test(asking_for_ever_in_one_instant_is_an_error_that_names_the_clients),
        cmocka_unit_test(asking_again_at_once_is_none),
        cmocka_unit_test(a_fleet_is_a_share_of_the_members_for_good),
        cmocka_unit_test(a_bad_message_is_answered_badly_whatever_happens),
        cmocka_unit_test(a_poisoned_message_costs_its_work_and_calls_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
