/* test_outage.c: overload knocks a service down at exactly its threshold; a service that comes
   back recovers in steps. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/small_world.h"

#include <math.h>

#include "model/model.h"
#include "support/test.h"

/* Ten workers of 100 ms: 100/s; more than 200 arrivals in a second are too many. Away for 500
   ms. */
static void fragile(struct small_world *w, uint32_t herd) {
    small_world_init(w);
    w->populations[0].count = herd;
    w->services[0].workers = 10;
    w->services[0].crash_when = STORM_CRASH_OFFERED;
    w->services[0].crash_offered = 2;
    w->services[0].crash_window = SEC;
    w->services[0].crash_kind = STORM_OUTAGE_HANG;
    w->services[0].crash_down_for = 500 * MS;
}

static size_t crashes_of(struct small_world *w) {
    small_world_live(w);
    size_t crashes = small_world_count(w, STORM_FACT_CRASHED, 0);
    assert_int_equal(w->error.status, STORM_OK);
    small_world_free(w);
    return crashes;
}

static void as_many_arrivals_as_allowed_do_not_crash_it_and_one_more_does(void **state) {
    (void)state;
    static const struct {
        double offered;
        uint32_t allowed;
    } rows[] = {{2, 200}, {1, 100}, {1.15, 115}, {2.3, 230}, {0.5, 50}, {0.005, 0}, {0.019, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (uint32_t more = 0; more < 2; more++) {
            struct small_world w;
            if (rows[i].allowed + more == 0)
                continue;
            fragile(&w, rows[i].allowed + more);
            w.services[0].crash_offered = rows[i].offered;
            if (crashes_of(&w) != more)
                fail_msg("%g x: wrong with %u", rows[i].offered, rows[i].allowed + more);
        }
    }
}

static void the_arrival_that_is_too_many_is_lost_with_all_the_others(void **state) {
    (void)state;
    struct small_world w;
    fragile(&w, 201);
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_ARRIVED, 0), 201);
    assert_int_equal(small_world_count(&w, STORM_FACT_LOST, 0), 201);
    assert_int_equal(small_world_count(&w, STORM_FACT_SERVED, 0), 0);
    const struct storm_fact *last = small_world_fact(&w, STORM_FACT_LOST, 0, 200);
    assert_true(!last->queued && !last->busy && last->time == SEC);
    const struct storm_fact *up = small_world_fact(&w, STORM_FACT_OUTAGE, 0, 1);
    assert_true(up->level == 0 && up->time == 1500 * MS);
    small_world_free(&w);
}

static void a_crash_of_kind_down_resets_and_refuses(void **state) {
    (void)state;
    struct small_world w;
    fragile(&w, 201);
    w.services[0].crash_kind = STORM_OUTAGE_DOWN;
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_LOST, 0), 200);
    assert_int_equal(small_world_count(&w, STORM_FACT_REFUSED, 0), 1);
    assert_int_equal(small_world_count(&w, STORM_FACT_DEAD, 0), 201);
    small_world_free(&w);
}

/* The window is (now - 1 s, now]: what came exactly 1 s ago is out of it. */
static void the_window_slides_and_is_open_at_its_far_end(void **state) {
    (void)state;
    for (storm_time early = 0; early < 2; early++) {
        struct small_world w;
        fragile(&w, 100);
        small_world_add_population(&w, 2 * SEC - early, 101);
        assert_int_equal(crashes_of(&w), early);
    }
}

static void a_steady_load_at_the_threshold_never_crashes_it_and_one_above_does(void **state) {
    (void)state;
    for (int above = 0; above < 2; above++) {
        struct small_world w;
        fragile(&w, 50);
        w.services[0].crash_offered = 1;
        w.populations[0].arrival = STORM_ARRIVAL_EVEN;
        w.populations[0].rate = 100 + above;
        assert_int_equal(crashes_of(&w) > 0, above);
    }
}

static void whatever_becomes_of_an_arrival_it_counts(void **state) {
    (void)state;
    struct small_world w;
    fragile(&w, 201);
    w.services[0].queue_limit = 5; /* 186 of the 201 are refused */
    assert_int_equal(crashes_of(&w), 1);
}

static void a_full_queue_can_be_what_crashes_it(void **state) {
    (void)state;
    for (uint32_t more = 0; more < 2; more++) {
        struct small_world w;
        fragile(&w, 12 + more); /* ten in service, two wait */
        w.services[0].crash_when = STORM_CRASH_QUEUE_FULL;
        w.services[0].queue_limit = 2;
        assert_int_equal(crashes_of(&w), more);
    }
}

static void a_free_worker_is_no_full_queue_even_without_any_queue(void **state) {
    (void)state;
    for (uint32_t more = 0; more < 2; more++) {
        struct small_world w;
        fragile(&w, 10 + more);
        w.services[0].crash_when = STORM_CRASH_QUEUE_FULL;
        w.services[0].queue_limit = 0;
        assert_int_equal(crashes_of(&w), more);
    }
}

/* Sent before the crash, 600 ms on the wire: it arrives at the very instant at which the service
   is up again. */
static void an_arrival_at_the_instant_of_the_return_is_served(void **state) {
    (void)state;
    struct small_world w;
    fragile(&w, 1);
    w.populations[0].at = 900 * MS;
    w.populations[0].call.network = small_world_constant(600 * MS);
    small_world_add_population(&w, SEC, 201);
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_CRASHED, 0), 1);
    assert_true(small_world_fact(&w, STORM_FACT_STARTED, 0, 10)->time == 1500 * MS);
    assert_int_equal(small_world_count(&w, STORM_FACT_SUCCEEDED, 0), 1);
    small_world_free(&w);
}

static void when_it_comes_up_its_window_is_empty(void **state) {
    (void)state;
    for (uint32_t more = 0; more < 2; more++) {
        struct small_world w;
        fragile(&w, 201);
        small_world_add_population(&w, 1500 * MS,
                                   200 + more); /* the very instant at which it is up */
        assert_int_equal(crashes_of(&w), 1 + more);
    }
}

static void arrivals_while_it_is_away_do_not_count(void **state) {
    (void)state;
    struct small_world w;
    fragile(&w, 201);
    small_world_add_population(&w, 1500 * MS - 1, 1000);
    small_world_add_population(&w, 1500 * MS, 200);
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_CRASHED, 0), 1);
    assert_int_equal(small_world_count(&w, STORM_FACT_SUCCEEDED, 2), 200);
    small_world_free(&w);
}

static void a_fault_that_outlasts_the_crash_keeps_it_away(void **state) {
    (void)state;
    struct small_world w;
    fragile(&w, 201);
    small_world_add_fault(&w, STORM_FAULT_DOWN, 1200 * MS, 2 * SEC);
    small_world_live(&w);
    static const uint32_t levels[] = {1, 2, 1, 0};
    static const storm_time times[] = {1000, 1200, 1500, 3200};
    for (size_t i = 0; i < 4; i++) {
        const struct storm_fact *f = small_world_fact(&w, STORM_FACT_OUTAGE, 0, i);
        assert_true(f->level == levels[i] && f->time == times[i] * MS);
    }
    small_world_free(&w);
}

/* A service of `workers` that is down in [10 s, 20 s) and recovers in 10 s from `from`. */
static void recovering(struct small_world *w, uint32_t workers, double from,
                       enum storm_ramp shape) {
    small_world_init(w);
    w->services[0].workers = workers;
    w->services[0].recovery_time = 10 * SEC;
    w->services[0].recovery_from = from;
    w->services[0].recovery_shape = shape;
    small_world_add_fault(w, STORM_FAULT_DOWN, 10 * SEC, 10 * SEC);
}

/* The changes of capacity from 20 s on are exactly these. */
static void check_levels(const struct small_world *w, size_t count, const storm_time *times,
                         const uint32_t *levels) {
    size_t next = 0;
    for (size_t i = 0; i < w->fact_count; i++) {
        const struct storm_fact *f = &w->facts[i];
        if (f->kind != STORM_FACT_CAPACITY || f->time < 20 * SEC)
            continue;
        if (next == count || f->time != times[next] || f->level != levels[next])
            fail_msg("change %zu: %u at %lld ms", next, f->level, (long long)(f->time / MS));
        next++;
    }
    assert_int_equal(next, count);
}

static void a_linear_ramp_adds_workers_one_by_one(void **state) {
    (void)state;
    static const storm_time times[] = {20000 * MS, 20000 * MS, 21250 * MS, 22500 * MS, 23750 * MS,
                                       25000 * MS, 26250 * MS, 27500 * MS, 28750 * MS};
    static const uint32_t levels[] = {2, 3, 4, 5, 6, 7, 8, 9, 10};
    struct small_world w;
    recovering(&w, 10, 0.2, STORM_RAMP_LINEAR);
    small_world_live(&w);
    check_levels(&w, 9, times, levels);
    small_world_free(&w);
}

/* Between any two changes the workers in force are ceil(share x all), the share growing from
   `from` to 1. */
static void a_linear_ramp_is_the_share_of_the_workers_rounded_up(void **state) {
    (void)state;
    static const struct {
        uint32_t workers;
        double from;
    } rows[] = {{10, 0.2},   {40, 0.2},   {1, 0},        {7, 0},
                {100, 0.07}, {100, 0.55}, {1000, 0.333}, {3, 0.9}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct small_world w;
        recovering(&w, rows[i].workers, rows[i].from, STORM_RAMP_LINEAR);
        small_world_live(&w);
        for (storm_time t = 20 * SEC + 3 * MS + 1; t < 32 * SEC; t += 7 * MS) {
            double share = rows[i].from + (1 - rows[i].from) * (double)(t - 20 * SEC) / 1e10;
            double expected = ceil((share < 1 ? share : 1) * rows[i].workers);
            uint32_t level = 0;
            for (size_t k = 0; k < w.fact_count && w.facts[k].time <= t; k++) {
                if (w.facts[k].kind == STORM_FACT_CAPACITY)
                    level = w.facts[k].level;
            }
            if (level != expected)
                fail_msg("%u workers from %g at %lld: %u, not %g", rows[i].workers, rows[i].from,
                         (long long)t, level, expected);
        }
        small_world_free(&w);
    }
}

static void a_step_has_its_share_until_the_whole_time_is_over(void **state) {
    (void)state;
    struct small_world w;
    recovering(&w, 10, 0.45, STORM_RAMP_STEP);
    small_world_live(&w);
    check_levels(&w, 2, (const storm_time[]){20 * SEC, 30 * SEC}, (const uint32_t[]){5, 10});
    small_world_free(&w);
}

static void without_a_recovery_time_all_workers_are_back_at_once(void **state) {
    (void)state;
    struct small_world w;
    recovering(&w, 10, 0.2, STORM_RAMP_LINEAR);
    w.services[0].recovery_time = 0;
    small_world_live(&w);
    check_levels(&w, 1, (const storm_time[]){20 * SEC}, (const uint32_t[]){10});
    small_world_free(&w);
}

static void unlimited_workers_do_not_ramp(void **state) {
    (void)state;
    struct small_world w;
    recovering(&w, STORM_UNLIMITED, 0.2, STORM_RAMP_LINEAR);
    small_world_live(&w);
    check_levels(&w, 1, (const storm_time[]){20 * SEC}, (const uint32_t[]){STORM_UNLIMITED});
    small_world_free(&w);
}

static void a_new_outage_ends_the_ramp_which_then_begins_anew(void **state) {
    (void)state;
    static const storm_time times[] = {20 * SEC, 20 * SEC,   22500 * MS, 23 * SEC,  25 * SEC,
                                       25 * SEC, 27500 * MS, 30 * SEC,   32500 * MS};
    static const uint32_t levels[] = {1, 2, 3, 0, 1, 2, 3, 4, 5};
    struct small_world w;
    recovering(&w, 5, 0, STORM_RAMP_LINEAR);
    w.services[0].recovery_from = 0.2;
    small_world_add_fault(&w, STORM_FAULT_HANG, 23 * SEC, 2 * SEC);
    small_world_live(&w);
    check_levels(&w, 9, times, levels);
    small_world_free(&w);
}

static void a_capacity_fault_takes_its_share_of_what_the_ramp_allows(void **state) {
    (void)state;
    struct small_world w;
    recovering(&w, 10, 0.5, STORM_RAMP_STEP);
    small_world_add_fault(&w, STORM_FAULT_CAPACITY, 25 * SEC, 10 * SEC);
    w.faults[1].share = 0.3;
    small_world_live(&w);
    check_levels(&w, 4, (const storm_time[]){20 * SEC, 25 * SEC, 30 * SEC, 35 * SEC},
                 (const uint32_t[]){5, 2, 3, 10});
    small_world_free(&w);
}

static void a_recovering_service_serves_with_the_workers_it_has(void **state) {
    (void)state;
    struct small_world w;
    recovering(&w, 10, 0.5, STORM_RAMP_STEP);
    w.populations[0].at = 20 * SEC;
    w.populations[0].count = 12;
    small_world_live(&w);
    static const int ended[] = {1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3};
    for (size_t i = 0; i < 12; i++)
        assert_true(small_world_fact(&w, STORM_FACT_SUCCEEDED, 0, i)->time ==
                    20 * SEC + ended[i] * 100 * MS);
    small_world_free(&w);
}

static void overload_knocks_a_recovering_service_down_again(void **state) {
    (void)state;
    struct small_world w;
    fragile(&w, 201);
    w.services[0].recovery_time = 10 * SEC;
    w.services[0].recovery_from = 0.5;
    small_world_add_population(&w, 3 * SEC, 201);
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_CRASHED, 0), 2);
    const struct storm_fact *up = small_world_fact(&w, STORM_FACT_OUTAGE, 0, 3);
    assert_true(up->time == 3500 * MS && up->level == 0);
    const struct storm_fact *last = NULL;
    for (size_t i = 0; i < w.fact_count; i++)
        last = w.facts[i].kind == STORM_FACT_CAPACITY ? &w.facts[i] : last;
    assert_non_null(last);
    assert_true(last->level == 10 &&
                last->time == 3500 * MS + 8 * SEC); /* worker 10 passes at 90 % */
    small_world_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_many_arrivals_as_allowed_do_not_crash_it_and_one_more_does),
        cmocka_unit_test(the_arrival_that_is_too_many_is_lost_with_all_the_others),
        cmocka_unit_test(a_crash_of_kind_down_resets_and_refuses),
        cmocka_unit_test(the_window_slides_and_is_open_at_its_far_end),
        cmocka_unit_test(a_steady_load_at_the_threshold_never_crashes_it_and_one_above_does),
        cmocka_unit_test(whatever_becomes_of_an_arrival_it_counts),
        cmocka_unit_test(a_full_queue_can_be_what_crashes_it),
        cmocka_unit_test(a_free_worker_is_no_full_queue_even_without_any_queue),
        cmocka_unit_test(an_arrival_at_the_instant_of_the_return_is_served),
        cmocka_unit_test(when_it_comes_up_its_window_is_empty),
        cmocka_unit_test(arrivals_while_it_is_away_do_not_count),
        cmocka_unit_test(a_fault_that_outlasts_the_crash_keeps_it_away),
        cmocka_unit_test(a_linear_ramp_adds_workers_one_by_one),
        cmocka_unit_test(a_linear_ramp_is_the_share_of_the_workers_rounded_up),
        cmocka_unit_test(a_step_has_its_share_until_the_whole_time_is_over),
        cmocka_unit_test(without_a_recovery_time_all_workers_are_back_at_once),
        cmocka_unit_test(unlimited_workers_do_not_ramp),
        cmocka_unit_test(a_new_outage_ends_the_ramp_which_then_begins_anew),
        cmocka_unit_test(a_capacity_fault_takes_its_share_of_what_the_ramp_allows),
        cmocka_unit_test(a_recovering_service_serves_with_the_workers_it_has),
        cmocka_unit_test(overload_knocks_a_recovering_service_down_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
