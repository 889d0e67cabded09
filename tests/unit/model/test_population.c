/* test_population.c: when the clients want something, who they are, and what they are called by
   chance. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/small_world.h"

#include <math.h>
#include <stdlib.h>

#include "base/stream.h"
#include "model/model.h"
#include "support/test.h"

/* A service that answers everybody at once, so that only the births matter. */
static void easy(struct small_world *w, uint32_t clients, enum storm_arrival arrival) {
    small_world_init(w);
    w->populations[0].count = clients;
    w->populations[0].arrival = arrival;
    w->services[0].workers = STORM_UNLIMITED;
    w->services[0].service_time = small_world_constant(0);
}

static void at_bears_all_at_one_instant_in_order(void **state) {
    (void)state;
    struct small_world w;
    easy(&w, 5000, STORM_ARRIVAL_AT);
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_BORN, 0), 5000);
    for (uint32_t i = 0; i < 5000; i++) {
        const struct storm_fact *f = &w.facts[0];
        f = i < 50 || i > 4990 ? small_world_fact(&w, STORM_FACT_BORN, 0, i) : NULL;
        assert_true(f == NULL || (f->time == SEC && f->member == i && f->ordinal == 0));
    }
    small_world_free(&w);
}

static void at_the_end_of_the_run_or_later_nobody_is_born(void **state) {
    (void)state;
    for (storm_time early = 0; early < 2; early++) {
        struct small_world w;
        easy(&w, 3, STORM_ARRIVAL_AT);
        w.populations[0].at = 60 * SEC - early;
        small_world_live(&w);
        assert_int_equal(small_world_count(&w, STORM_FACT_BORN, 0), 3 * early);
        small_world_free(&w);
    }
}

/* Birth k comes at k / rate, without the error of added gaps, and the clients take turns. */
static void even_births_come_at_k_over_the_rate(void **state) {
    (void)state;
    static const double rates[] = {145, 3, 0.7, 1000};
    for (size_t r = 0; r < 4; r++) {
        struct small_world w;
        easy(&w, 7, STORM_ARRIVAL_EVEN);
        w.populations[0].rate = rates[r];
        small_world_live(&w);
        uint32_t k = 0;
        for (size_t i = 0; i < w.fact_count; i++) {
            if (w.facts[i].kind != STORM_FACT_BORN)
                continue;
            assert_true(w.facts[i].time == storm_time_from_seconds(k / rates[r]));
            assert_int_equal(w.facts[i].member, k % 7);
            assert_int_equal(w.facts[i].ordinal, k / 7);
            k++;
        }
        assert_int_equal(k, (uint32_t)ceil(60 * rates[r]));
        small_world_free(&w);
    }
}

static void every_even_lays_the_clients_out_over_the_period(void **state) {
    (void)state;
    struct small_world w;
    easy(&w, 3, STORM_ARRIVAL_EVERY);
    w.populations[0].period = 10 * SEC;
    w.populations[0].spread = STORM_SPREAD_EVEN;
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_BORN, 0), 18);
    for (uint32_t k = 0; k < 18; k++) {
        const struct storm_fact *f = small_world_fact(&w, STORM_FACT_BORN, 0, k);
        assert_true(f->time == k / 3 * 10 * SEC + (storm_time)(k % 3) * 10 * SEC / 3);
        assert_true(f->member == k % 3 && f->ordinal == k / 3);
    }
    small_world_free(&w);
}

static void every_without_spread_is_a_herd_each_period(void **state) {
    (void)state;
    struct small_world w;
    easy(&w, 4, STORM_ARRIVAL_EVERY);
    w.populations[0].period = 25 * SEC;
    w.populations[0].spread = STORM_SPREAD_NONE;
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_BORN, 0), 12);
    for (uint32_t k = 0; k < 12; k++) {
        const struct storm_fact *f = small_world_fact(&w, STORM_FACT_BORN, 0, k);
        assert_true(f->time == k / 4 * 25 * SEC && f->member == k % 4);
    }
    small_world_free(&w);
}

/* Each client keeps its place in every period; the places are uniform over `span` (mean within 4
   standard errors). */
static void check_places(enum storm_spread spread, storm_time span) {
    enum { CLIENTS = 1000 };
    struct small_world w;
    storm_time place[CLIENTS], most = 0;
    double sum = 0;
    easy(&w, CLIENTS, STORM_ARRIVAL_EVERY);
    w.populations[0].period = 10 * SEC;
    w.populations[0].spread = spread;
    w.populations[0].spread_time = span;
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_BORN, 0), 6 * CLIENTS);
    for (size_t i = 0; i < w.fact_count; i++) {
        const struct storm_fact *f = &w.facts[i];
        if (f->kind != STORM_FACT_BORN)
            continue;
        storm_time offset = f->time - f->ordinal * 10 * SEC;
        assert_true(offset >= 0 && offset < span);
        assert_true(f->ordinal == 0 || offset == place[f->member]);
        place[f->member] = offset;
        most = offset > most ? offset : most;
        sum += f->ordinal == 0 ? (double)offset / (double)span : 0;
    }
    assert_true(fabs(sum / CLIENTS - 0.5) < 4 * sqrt(1.0 / 12 / CLIENTS));
    assert_true(most > span / 100 * 98);
    small_world_free(&w);
}

static void every_random_gives_each_client_its_own_place(void **state) {
    (void)state;
    check_places(STORM_SPREAD_RANDOM, 10 * SEC);
}

static void every_within_keeps_to_the_beginning_of_the_period(void **state) {
    (void)state;
    check_places(STORM_SPREAD_WITHIN, 500 * MS);
}

/* 60 s at 500/s: 30000 births with a standard deviation of 173; the gaps are exponential, so their
   squares average twice the square of their mean (standard error sqrt(20 / n) of that mean). */
static void poisson_births_have_the_rate_and_exponential_gaps(void **state) {
    (void)state;
    struct small_world w;
    easy(&w, 10, STORM_ARRIVAL_POISSON);
    w.populations[0].rate = 500;
    small_world_live(&w);
    double last = 0, sum = 0, squares = 0, n = 0;
    for (size_t i = 0; i < w.fact_count; i++) {
        if (w.facts[i].kind != STORM_FACT_BORN)
            continue;
        double now = storm_time_to_seconds(w.facts[i].time), gap = now - last;
        assert_int_equal(w.facts[i].member, (uint32_t)n % 10);
        sum += gap * 500;
        squares += gap * gap * 500 * 500;
        last = now;
        n++;
    }
    assert_true(fabs(n - 30000) < 4 * sqrt(30000));
    assert_true(fabs(sum / n - 1) < 4 / sqrt(n));
    assert_true(fabs(squares / n - 2) < 4 * sqrt(20 / n));
    small_world_free(&w);
}

static void a_request_has_the_key_of_its_seed_run_population_member_and_ordinal(void **state) {
    (void)state;
    struct small_world w;
    easy(&w, 3, STORM_ARRIVAL_EVEN);
    w.populations[0].rate = 2;
    w.seed = 77;
    small_world_live(&w);
    for (uint32_t k = 0; k < 100; k++) {
        const struct storm_fact *f = small_world_fact(&w, STORM_FACT_BORN, 0, k);
        assert_true(f->key == stream_request(77, 0, 0, k % 3, k / 3));
        const struct storm_fact *end = small_world_fact(&w, STORM_FACT_SUCCEEDED, 0, k);
        assert_true(end->key == f->key && end->since == f->time && end->ordinal == f->ordinal);
    }
    small_world_free(&w);
}

/* Same seed, other policy and other service: the arrivals are the same. */
static void arrivals_do_not_depend_on_what_happens_to_them(void **state) {
    (void)state;
    struct small_world a, b;
    easy(&a, 10, STORM_ARRIVAL_POISSON);
    easy(&b, 10, STORM_ARRIVAL_POISSON);
    a.populations[0].rate = b.populations[0].rate = 20;
    small_world_retry(&b, 5, 0.3);
    b.services[0].workers = 1;
    b.services[0].queue_limit = 3;
    b.services[0].service_time = small_world_constant(100 * MS);
    small_world_live(&a);
    small_world_live(&b);
    size_t count = small_world_count(&a, STORM_FACT_BORN, 0);
    assert_int_equal(small_world_count(&b, STORM_FACT_BORN, 0), count);
    for (size_t i = 0; i < count; i++) {
        const struct storm_fact *x = small_world_fact(&a, STORM_FACT_BORN, 0, i);
        const struct storm_fact *y = small_world_fact(&b, STORM_FACT_BORN, 0, i);
        assert_true(x->time == y->time && x->key == y->key);
    }
    small_world_free(&a);
    small_world_free(&b);
}

static void periods_overlap_requests_still_pending(void **state) {
    (void)state;
    struct small_world w;
    easy(&w, 1, STORM_ARRIVAL_EVERY);
    w.populations[0].period = 2 * SEC;
    w.populations[0].spread = STORM_SPREAD_NONE;
    w.services[0].service_time = small_world_constant(5 * SEC);
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_BORN, 0), 30);
    assert_true(small_world_fact(&w, STORM_FACT_BORN, 0, 1)->time == 2 * SEC);
    assert_true(small_world_fact(&w, STORM_FACT_SUCCEEDED, 0, 0)->time == 5 * SEC);
    small_world_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_bears_all_at_one_instant_in_order),
        cmocka_unit_test(at_the_end_of_the_run_or_later_nobody_is_born),
        cmocka_unit_test(even_births_come_at_k_over_the_rate),
        cmocka_unit_test(every_even_lays_the_clients_out_over_the_period),
        cmocka_unit_test(every_without_spread_is_a_herd_each_period),
        cmocka_unit_test(every_random_gives_each_client_its_own_place),
        cmocka_unit_test(every_within_keeps_to_the_beginning_of_the_period),
        cmocka_unit_test(poisson_births_have_the_rate_and_exponential_gaps),
        cmocka_unit_test(a_request_has_the_key_of_its_seed_run_population_member_and_ordinal),
        cmocka_unit_test(arrivals_do_not_depend_on_what_happens_to_them),
        cmocka_unit_test(periods_overlap_requests_still_pending),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
