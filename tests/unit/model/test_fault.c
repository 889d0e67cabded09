/* test_fault.c: each fault is in force from its beginning to just before its end, and does what
   its name says. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/small_world.h"

#include "model/model.h"
#include "support/test.h"

/* Five clients around a fault in [10 s, 15 s): one nanosecond before, at its beginning, inside,
   just before its end, at its end. Returns what became of client number `index`. */
static const storm_time around[] = {10 * SEC - 1, 10 * SEC, 12 * SEC, 15 * SEC - 1, 15 * SEC};

static void surround(struct small_world *w, enum storm_fault_kind kind) {
    small_world_init(w);
    w->populations[0].at = around[0];
    for (int i = 1; i < 5; i++)
        small_world_add_population(w, around[i], 1);
    w->services[0].workers = STORM_UNLIMITED;
    w->services[0].service_time = small_world_constant(0);
    small_world_add_fault(w, kind, 10 * SEC, 5 * SEC);
}

static void down_refuses_from_its_beginning_to_before_its_end(void **state) {
    (void)state;
    struct small_world w;
    surround(&w, STORM_FAULT_DOWN);
    small_world_live(&w);
    for (uint16_t i = 0; i < 5; i++) {
        bool meets = i >= 1 && i <= 3;
        assert_int_equal(small_world_count(&w, STORM_FACT_DEAD, i), meets);
        assert_int_equal(small_world_count(&w, STORM_FACT_SUCCEEDED, i), !meets);
    }
    assert_int_equal(small_world_count(&w, STORM_FACT_REFUSED, 0), 3);
    small_world_free(&w);
}

static void hang_answers_nothing_from_its_beginning_to_before_its_end(void **state) {
    (void)state;
    struct small_world w;
    surround(&w, STORM_FAULT_HANG);
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_LOST, 0), 3);
    assert_int_equal(small_world_count(&w, STORM_FACT_REFUSED, 0), 0);
    for (uint16_t i = 0; i < 5; i++) {
        assert_int_equal(small_world_count(&w, STORM_FACT_SUCCEEDED, i), i == 0 || i == 4);
        assert_int_equal(small_world_count(&w, STORM_FACT_DEAD, i), 0);
    }
    small_world_free(&w);
}

static void errors_hit_what_ends_its_work_while_they_are_in_force(void **state) {
    (void)state;
    struct small_world w;
    surround(&w, STORM_FAULT_ERRORS);
    w.faults[0].share = 1;
    w.faults[0].status = 503;
    small_world_live(&w);
    for (uint16_t i = 0; i < 5; i++)
        assert_int_equal(small_world_count(&w, STORM_FACT_DEAD, i), i >= 1 && i <= 3);
    small_world_free(&w);
}

static void a_share_of_errors_is_a_share(void **state) {
    (void)state;
    struct small_world w;
    surround(&w, STORM_FAULT_ERRORS);
    w.populations[2].count = 10000;
    w.faults[0].share = 0.3;
    w.faults[0].status = 503;
    small_world_live(&w);
    size_t dead = small_world_count(&w, STORM_FACT_DEAD, 2);
    assert_in_range(dead, 3000 - 4 * 46, 3000 + 4 * 46);
    small_world_free(&w);
}

/* Half of the service's own, half by each of two faults: an eighth is left over (standard error
   33 of 10000). */
static void errors_of_different_causes_are_independent(void **state) {
    (void)state;
    struct small_world w;
    surround(&w, STORM_FAULT_ERRORS);
    small_world_add_fault(&w, STORM_FAULT_ERRORS, 10 * SEC, 5 * SEC);
    w.populations[2].count = 10000;
    w.services[0].error_count = 1;
    w.services[0].errors[0] = (struct storm_error_row){500, 0.5};
    w.faults[0].share = w.faults[1].share = 0.5;
    w.faults[0].status = w.faults[1].status = 503;
    small_world_live(&w);
    size_t good = small_world_count(&w, STORM_FACT_SUCCEEDED, 2);
    assert_in_range(good, 1250 - 4 * 33, 1250 + 4 * 33);
    small_world_free(&w);
}

/* A service that is slow when the work begins takes long, even when the fault ends meanwhile; one
   that becomes slow later does not. */
static void slow_is_decided_when_the_work_begins(void **state) {
    (void)state;
    struct small_world w;
    surround(&w, STORM_FAULT_SLOW);
    w.services[0].service_time = small_world_constant(100 * MS);
    w.faults[0].factor = 3;
    small_world_live(&w);
    for (uint16_t i = 0; i < 5; i++) {
        const struct storm_fact *f = small_world_fact(&w, STORM_FACT_SUCCEEDED, i, 0);
        bool slow = i >= 1 && i <= 3;
        assert_true(f->time - f->since == (slow ? 300 : 100) * MS);
    }
    small_world_free(&w);
}

static void slow_faults_multiply(void **state) {
    (void)state;
    struct small_world w;
    surround(&w, STORM_FAULT_SLOW);
    w.services[0].service_time = small_world_constant(100 * MS);
    w.faults[0].factor = 3;
    small_world_add_fault(&w, STORM_FAULT_SLOW, 11 * SEC, 2 * SEC);
    w.faults[1].factor = 0.5;
    small_world_live(&w);
    static const int took[] = {100, 300, 150, 300, 100};
    for (uint16_t i = 0; i < 5; i++) {
        const struct storm_fact *f = small_world_fact(&w, STORM_FACT_SUCCEEDED, i, 0);
        assert_true(f->time - f->since == took[i] * MS);
    }
    small_world_free(&w);
}

static void down_resets_what_waits_and_what_is_in_service(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    w.populations[0].count = 2;
    w.populations[0].call.network = small_world_constant(10 * MS);
    small_world_add_fault(&w, STORM_FAULT_DOWN, 1050 * MS, SEC);
    small_world_live(&w);
    small_world_expect(&w, "1s born client 0\n"
                           "1s sent api try 1\n"
                           "1s born client 1\n"
                           "1s sent api try 1\n"
                           "1.01s arrived api\n"
                           "1.01s started api after 0s\n"
                           "1.01s arrived api\n"
                           "1.01s queued api\n"
                           "1.05s lost api reset queued\n"
                           "1.05s lost api reset busy\n"
                           "1.05s outage api 1\n"
                           "1.05s capacity api 0\n"
                           "1.06s dead client 1 in 60ms tries 1 status 2 attempts_exhausted since "
                           "1.06s\n"
                           "1.06s dead client 0 in 60ms tries 1 status 2 attempts_exhausted since "
                           "1.06s\n"
                           "2.05s outage api 0\n"
                           "2.05s capacity api 1\n");
    small_world_free(&w);
}

static void hang_loses_them_silently_and_the_callers_learn_by_their_timeout(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    w.populations[0].count = 2;
    w.populations[0].call.timeout.offset = 500 * MS;
    small_world_add_fault(&w, STORM_FAULT_HANG, 1050 * MS, SEC);
    small_world_live(&w);
    small_world_expect(&w, "1s born client 0\n"
                           "1s sent api try 1\n"
                           "1s born client 1\n"
                           "1s sent api try 1\n"
                           "1s arrived api\n"
                           "1s started api after 0s\n"
                           "1s arrived api\n"
                           "1s queued api\n"
                           "1.05s lost api queued\n"
                           "1.05s lost api busy\n"
                           "1.05s outage api 1\n"
                           "1.05s capacity api 0\n"
                           "1.5s gave up api try 1\n"
                           "1.5s dead client 0 in 500ms tries 1 status 3 attempts_exhausted since "
                           "1.5s\n"
                           "1.5s gave up api try 1\n"
                           "1.5s dead client 1 in 500ms tries 1 status 3 attempts_exhausted since "
                           "1.5s\n"
                           "2.05s outage api 0\n"
                           "2.05s capacity api 1\n");
    small_world_free(&w);
}

/* No workers: who is in service finishes, who waits or comes waits on, and all start when the
   workers are back. */
static void capacity_zero_pauses_and_keeps(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    w.populations[0].count = 2;
    small_world_add_population(&w, 3 * SEC, 1);
    w.services[0].workers = 2;
    w.services[0].service_time = small_world_constant(600 * MS);
    w.populations[0].count = 3;
    small_world_add_fault(&w, STORM_FAULT_CAPACITY, 1500 * MS, 4500 * MS);
    w.faults[0].share = 0;
    small_world_live(&w);
    static const storm_time ended[] = {1600, 1600, 6600};
    for (size_t i = 0; i < 3; i++)
        assert_true(small_world_fact(&w, STORM_FACT_SUCCEEDED, 0, i)->time == ended[i] * MS);
    assert_true(small_world_fact(&w, STORM_FACT_SUCCEEDED, 1, 0)->time == 6600 * MS);
    assert_int_equal(small_world_count(&w, STORM_FACT_LOST, 0), 0);
    assert_int_equal(small_world_count(&w, STORM_FACT_OUTAGE, 0), 0);
    small_world_free(&w);
}

/* The whole queue starts at one instant, however long it is. */
static void capacity_comes_back_for_many_at_once(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    w.populations[0].count = 5000;
    w.services[0].workers = 5000;
    small_world_add_fault(&w, STORM_FAULT_CAPACITY, 0, 6 * SEC);
    w.faults[0].share = 0;
    small_world_live(&w);
    assert_int_equal(w.error.status, STORM_OK);
    assert_true(small_world_fact(&w, STORM_FACT_SUCCEEDED, 0, 4999)->time == 6100 * MS);
    small_world_free(&w);
}

static void a_share_of_the_workers_is_rounded_up_and_shares_multiply(void **state) {
    (void)state;
    static const struct {
        uint32_t workers;
        double first, second;
        uint32_t left;
    } rows[] = {{10, 0.3, 1, 3},      {10, 0.31, 1, 4},  {10, 0.3, 0.5, 2},  {1, 0.01, 1, 1},
                {100, 0.55, 1, 55},   {100, 0.07, 1, 7}, {100, 0.28, 1, 28}, {100, 0.29, 1, 29},
                {1000, 0.1, 0.07, 7}, {40, 0, 1, 0},     {40, 1, 1, 40},     {3, 0.999, 1, 3}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct small_world w;
        small_world_init(&w);
        w.services[0].workers = rows[i].workers;
        small_world_add_fault(&w, STORM_FAULT_CAPACITY, 10 * SEC, 10 * SEC);
        small_world_add_fault(&w, STORM_FAULT_CAPACITY, 10 * SEC, 10 * SEC);
        w.faults[0].share = rows[i].first;
        w.faults[1].share = rows[i].second;
        small_world_live(&w);
        uint32_t level = rows[i].workers;
        for (size_t f = 0; f < w.fact_count; f++) {
            if (w.facts[f].kind == STORM_FACT_CAPACITY && w.facts[f].time == 10 * SEC)
                level = w.facts[f].level;
        }
        if (level != rows[i].left)
            fail_msg("%u workers x %g x %g: %u left", rows[i].workers, rows[i].first,
                     rows[i].second, level);
        small_world_free(&w);
    }
}

static void a_smaller_capacity_interrupts_nobody(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    w.populations[0].count = 6;
    w.services[0].workers = 4;
    w.services[0].service_time = small_world_constant(SEC);
    small_world_add_fault(&w, STORM_FAULT_CAPACITY, 1500 * MS, 40 * SEC);
    w.faults[0].share = 0.25;
    small_world_live(&w);
    static const storm_time ended[] = {2, 2, 2, 2, 3, 4}; /* four together, then one by one */
    for (size_t i = 0; i < 6; i++)
        assert_true(small_world_fact(&w, STORM_FACT_SUCCEEDED, 0, i)->time == ended[i] * SEC);
    small_world_free(&w);
}

static void of_two_overlapping_outages_the_last_to_end_counts(void **state) {
    (void)state;
    struct small_world w;
    surround(&w, STORM_FAULT_DOWN);
    small_world_add_fault(&w, STORM_FAULT_DOWN, 11 * SEC, 9 * SEC);
    w.populations[4].at = 20 * SEC - 1;
    small_world_live(&w);
    static const uint32_t levels[] = {1, 2, 1, 0};
    static const storm_time times[] = {10, 11, 15, 20};
    for (size_t i = 0; i < 4; i++) {
        const struct storm_fact *f = small_world_fact(&w, STORM_FACT_OUTAGE, 0, i);
        assert_true(f->level == levels[i] && f->time == times[i] * SEC);
    }
    assert_int_equal(small_world_count(&w, STORM_FACT_REFUSED, 0), 4);
    small_world_free(&w);
}

/* While a hang and a down are both in force nobody answers; when the hang is over, the down
   refuses. */
static void a_hang_hides_a_down(void **state) {
    (void)state;
    struct small_world w;
    surround(&w, STORM_FAULT_HANG);
    small_world_add_fault(&w, STORM_FAULT_DOWN, 11 * SEC, 9 * SEC);
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_LOST, 0), 3);
    assert_int_equal(small_world_count(&w, STORM_FACT_REFUSED, 0), 1);
    assert_true(small_world_fact(&w, STORM_FACT_REFUSED, 0, 0)->time == 15 * SEC);
    small_world_free(&w);
}

/* In whichever order the file names them, nothing recovers for an instant in between. */
static void back_to_back_outages_are_one(void **state) {
    (void)state;
    for (int order = 0; order < 2; order++) {
        struct small_world w;
        surround(&w, STORM_FAULT_DOWN);
        small_world_add_fault(&w, STORM_FAULT_DOWN, 15 * SEC, 5 * SEC);
        if (order == 1) {
            struct storm_fault first = w.faults[0];
            w.faults[0] = w.faults[1];
            w.faults[1] = first;
        }
        small_world_live(&w);
        assert_int_equal(small_world_count(&w, STORM_FACT_REFUSED, 0), 4);
        assert_int_equal(small_world_fact(&w, STORM_FACT_OUTAGE, 0, 1)->level, 2);
        assert_int_equal(small_world_fact(&w, STORM_FACT_OUTAGE, 0, 2)->level, 1);
        small_world_free(&w);
    }
}

static void a_fault_beyond_the_end_of_the_run_is_cut_or_ignored(void **state) {
    (void)state;
    struct small_world w;
    surround(&w, STORM_FAULT_DOWN);
    w.faults[0].length = STORM_NEVER;
    small_world_add_fault(&w, STORM_FAULT_DOWN, 60 * SEC, SEC);
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_OUTAGE, 0), 1);
    assert_int_equal(small_world_count(&w, STORM_FACT_REFUSED, 0), 4);
    small_world_free(&w);
}

static void a_fault_concerns_its_own_service_only(void **state) {
    (void)state;
    struct small_world w;
    surround(&w, STORM_FAULT_DOWN);
    w.faults[0].service = small_world_add_service(&w, "other");
    small_world_live(&w);
    for (uint16_t i = 0; i < 5; i++)
        assert_int_equal(small_world_count(&w, STORM_FACT_SUCCEEDED, i), 1);
    small_world_free(&w);
}

/* Down for 2 s every 10 s from 5 s on; one request at 4.5, 5.5, 6.5, 7.5 s ... of each period. */
static void a_fault_that_comes_again_is_in_force_each_time(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    w.services[0].service_time = small_world_constant(0);
    w.populations[0].arrival = STORM_ARRIVAL_EVERY;
    w.populations[0].period = SEC;
    w.populations[0].spread = STORM_SPREAD_EVEN;
    w.populations[0].count = 2;
    small_world_add_fault(&w, STORM_FAULT_DOWN, 5 * SEC, 2 * SEC);
    w.faults[0].period = 10 * SEC;
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_REFUSED, 0), 6 * 4);
    assert_int_equal(small_world_count(&w, STORM_FACT_OUTAGE, 0), 6 * 2);
    for (size_t i = 0; i < 6; i++) {
        const struct storm_fact *down = small_world_fact(&w, STORM_FACT_OUTAGE, 0, 2 * i);
        const struct storm_fact *up = small_world_fact(&w, STORM_FACT_OUTAGE, 0, 2 * i + 1);
        assert_true(down->level == 1 && down->time == (storm_time)(5 + 10 * i) * SEC);
        assert_true(up->level == 0 && up->time == (storm_time)(7 + 10 * i) * SEC);
    }
    small_world_free(&w);
}

/* As long as its period: it ends never, and the service is not up for an instant. */
static void a_fault_that_fills_its_period_never_ends(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    w.services[0].recovery_time = SEC;
    w.services[0].workers = 10;
    small_world_add_fault(&w, STORM_FAULT_DOWN, 5 * SEC, 2 * SEC);
    w.faults[0].period = 2 * SEC;
    small_world_live(&w);
    for (size_t i = 0; i < w.fact_count; i++) {
        const struct storm_fact *f = &w.facts[i];
        if (f->kind == STORM_FACT_OUTAGE)
            assert_true(f->level >= 1);
        if (f->kind == STORM_FACT_CAPACITY && f->time > 0)
            assert_int_equal(f->level, 0);
    }
    small_world_free(&w);
}

/* One at work since 1 s and one in the queue when the service goes away for a second. */
static void lose(struct small_world *w, enum storm_fault_kind kind, enum storm_lost lost) {
    small_world_init(w);
    w->populations[0].count = 2;
    w->populations[0].call.timeout.offset = 5 * SEC;
    small_world_add_fault(w, kind, 1050 * MS, SEC);
    w->faults[0].lost = lost;
    small_world_live(w);
}

static void what_an_outage_loses_is_told_or_not_as_it_says(void **state) {
    (void)state;
    static const enum storm_fault_kind kinds[] = {STORM_FAULT_DOWN, STORM_FAULT_HANG};
    for (int i = 0; i < 2; i++) {
        struct small_world w;
        lose(&w, kinds[i], STORM_LOST_RESET);
        assert_int_equal(small_world_count(&w, STORM_FACT_LOST, 0), 2);
        assert_int_equal(small_world_fact(&w, STORM_FACT_DEAD, 0, 1)->status, STORM_OUTCOME_RESET);
        assert_true(small_world_fact(&w, STORM_FACT_DEAD, 0, 1)->time == 1050 * MS);
        small_world_free(&w);
        lose(&w, kinds[i], STORM_LOST_SILENT);
        assert_int_equal(small_world_count(&w, STORM_FACT_LOST, 0), 2);
        assert_int_equal(small_world_fact(&w, STORM_FACT_DEAD, 0, 1)->status,
                         STORM_OUTCOME_TIMEOUT);
        assert_true(small_world_fact(&w, STORM_FACT_DEAD, 0, 1)->time == 6 * SEC);
        small_world_free(&w);
    }
}

static void an_outage_that_keeps_what_it_has_lets_work_end_and_starts_nothing(void **state) {
    (void)state;
    struct small_world w;
    lose(&w, STORM_FAULT_DOWN, STORM_LOST_KEPT);
    small_world_expect(&w, "1s born client 0\n"
                           "1s sent api try 1\n"
                           "1s born client 1\n"
                           "1s sent api try 1\n"
                           "1s arrived api\n"
                           "1s started api after 0s\n"
                           "1s arrived api\n"
                           "1s queued api\n"
                           "1.05s outage api 1\n"
                           "1.05s capacity api 0\n"
                           "1.1s served api 200 in 100ms\n"
                           "1.1s succeeded client 0 in 100ms tries 1\n"
                           "2.05s outage api 0\n"
                           "2.05s capacity api 1\n"
                           "2.05s started api after 1.05s queued\n"
                           "2.15s served api 200 in 100ms\n"
                           "2.15s succeeded client 1 in 1.15s tries 1\n");
    small_world_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(down_refuses_from_its_beginning_to_before_its_end),
        cmocka_unit_test(hang_answers_nothing_from_its_beginning_to_before_its_end),
        cmocka_unit_test(errors_hit_what_ends_its_work_while_they_are_in_force),
        cmocka_unit_test(a_share_of_errors_is_a_share),
        cmocka_unit_test(errors_of_different_causes_are_independent),
        cmocka_unit_test(slow_is_decided_when_the_work_begins),
        cmocka_unit_test(slow_faults_multiply),
        cmocka_unit_test(down_resets_what_waits_and_what_is_in_service),
        cmocka_unit_test(hang_loses_them_silently_and_the_callers_learn_by_their_timeout),
        cmocka_unit_test(capacity_zero_pauses_and_keeps),
        cmocka_unit_test(capacity_comes_back_for_many_at_once),
        cmocka_unit_test(a_share_of_the_workers_is_rounded_up_and_shares_multiply),
        cmocka_unit_test(a_smaller_capacity_interrupts_nobody),
        cmocka_unit_test(of_two_overlapping_outages_the_last_to_end_counts),
        cmocka_unit_test(a_hang_hides_a_down),
        cmocka_unit_test(back_to_back_outages_are_one),
        cmocka_unit_test(a_fault_beyond_the_end_of_the_run_is_cut_or_ignored),
        cmocka_unit_test(a_fault_concerns_its_own_service_only),
        cmocka_unit_test(a_fault_that_comes_again_is_in_force_each_time),
        cmocka_unit_test(a_fault_that_fills_its_period_never_ends),
        cmocka_unit_test(what_an_outage_loses_is_told_or_not_as_it_says),
        cmocka_unit_test(an_outage_that_keeps_what_it_has_lets_work_end_and_starts_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
