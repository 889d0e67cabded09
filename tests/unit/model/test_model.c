/* test_model.c: a world as a whole: its memory, its pools, its independence of how it is stepped
   through. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/model.h"

#include <string.h>

#include "support/small_world.h"
#include "support/test.h"

static void a_busy_world_balances_its_books_after_every_event(void **state) {
    (void)state;
    struct small_world w;
    small_world_busy(&w);
    small_world_live(&w); /* audits */
    assert_int_equal(w.error.status, STORM_OK);
    size_t born = small_world_count(&w, STORM_FACT_BORN, 0);
    size_t ended =
        small_world_count(&w, STORM_FACT_SUCCEEDED, 0) + small_world_count(&w, STORM_FACT_DEAD, 0);
    assert_true(born > 2000 && ended <= born && ended > born - 100);
    assert_true(small_world_count(&w, STORM_FACT_CRASHED, 1) > 0);
    assert_true(small_world_count(&w, STORM_FACT_LOST, 1) > 0);
    small_world_free(&w);
}

static bool same_fact(const struct storm_fact *a, const struct storm_fact *b) {
    return a->time == b->time && a->since == b->since && a->first_failed == b->first_failed &&
           a->key == b->key && a->member == b->member && a->ordinal == b->ordinal &&
           a->attempts == b->attempts && a->level == b->level && a->place == b->place &&
           a->status == b->status && a->kind == b->kind && a->reason == b->reason &&
           a->retry == b->retry && a->ghost == b->ghost && a->queued == b->queued &&
           a->busy == b->busy;
}

static void one_seed_is_one_history_and_another_seed_another(void **state) {
    (void)state;
    struct small_world a, b, c;
    small_world_busy(&a);
    small_world_busy(&b);
    small_world_busy(&c);
    c.seed = 2;
    small_world_live(&a);
    small_world_live(&b);
    small_world_live(&c);
    assert_int_equal(a.fact_count, b.fact_count);
    for (size_t i = 0; i < a.fact_count; i++)
        assert_true(same_fact(&a.facts[i], &b.facts[i]));
    bool differs = a.fact_count != c.fact_count;
    for (size_t i = 0; !differs && i < a.fact_count; i++)
        differs = !same_fact(&a.facts[i], &c.facts[i]);
    assert_true(differs);
    small_world_free(&a);
    small_world_free(&b);
    small_world_free(&c);
}

static void ignore(void *context, const struct storm_fact *fact) {
    uint64_t *sum = context;
    *sum = *sum * 31 + (uint64_t)fact->time + fact->kind;
}

static uint64_t step_through(struct small_world *w, uint64_t stride, uint64_t *events) {
    uint64_t sum = 0;
    struct storm_error error = {.status = STORM_OK};
    arena_init(&w->arena, w->memory);
    struct model *model = model_new(&w->arena, &w->scenario, w->seed, 0,
                                    (struct storm_listener){ignore, &sum}, &error);
    assert_non_null(model);
    while (model_advance(model, stride)) {
    }
    assert_false(model_advance(model, stride)); /* over is over */
    *events = model_events(model);
    return sum;
}

static void strides_do_not_matter(void **state) {
    (void)state;
    uint64_t sums[3], events[3];
    static const uint64_t strides[] = {1, 7, 1000000000};
    for (int i = 0; i < 3; i++) {
        struct small_world w;
        small_world_busy(&w);
        sums[i] = step_through(&w, strides[i], &events[i]);
        small_world_free(&w);
    }
    assert_true(sums[0] == sums[1] && sums[1] == sums[2]);
    assert_true(events[0] == events[1] && events[1] == events[2]);
}

static void the_capacities_are_said_before_anything_else(void **state) {
    (void)state;
    struct small_world w;
    small_world_busy(&w);
    small_world_live(&w);
    for (uint16_t i = 0; i < 2; i++) {
        assert_int_equal(w.facts[i].kind, STORM_FACT_CAPACITY);
        assert_int_equal(w.facts[i].place, i);
        assert_int_equal(w.facts[i].level, w.services[i].workers);
    }
    small_world_free(&w);
}

/* The limit may be met while the world is built or at any event after; either way it is said,
   and the books balance. */
static void the_memory_limit_ends_a_run_and_names_the_option(void **state) {
    (void)state;
    static const size_t limits[] = {2000,   20000,   100000,  250000, 500000,
                                    700000, 1000000, 2000000, 16000000};
    uint32_t built = 0, failed = 0;
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        struct small_world w;
        small_world_busy(&w);
        w.populations[0].arrival = STORM_ARRIVAL_AT;
        w.populations[0].count = 20000;
        w.memory = limits[i];
        small_world_live(&w);
        failed += w.error.status == STORM_LIMIT;
        built += w.model != NULL;
        assert_true(w.error.status == STORM_LIMIT || w.error.status == STORM_OK);
        assert_true(w.error.status == STORM_OK || w.model == NULL ||
                    strstr(w.error.message, "--max-memory") != NULL);
        assert_true(w.arena.held <= limits[i]);
        small_world_free(&w);
    }
    assert_true(failed >= 6 && failed < 9 && built >= 4);
}

/* A million requests one after the other live in the slots of a few. */
static void slots_are_used_again(void **state) {
    (void)state;
    struct small_world w;
    uint64_t events;
    small_world_init(&w);
    small_world_retry(&w, 2, 0.0001);
    w.populations[0].arrival = STORM_ARRIVAL_EVEN;
    w.populations[0].rate = 20000;
    w.populations[0].call.timeout.offset = 40 * STORM_MICROSECOND;
    w.services[0].service_time = small_world_constant(50 * STORM_MICROSECOND);
    w.services[0].queue_limit = 5;
    step_through(&w, 1000000, &events);
    assert_true(events > 6000000);
    assert_true(w.arena.held < 800000);
    small_world_free(&w);
}

/* ---- until idle ------------------------------------------------------------------------------ */

static void a_run_until_idle_ends_with_the_last_answer(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    w.scenario.duration = STORM_NEVER;
    w.populations[0].count = 3;
    small_world_add_population(&w, 5 * SEC, 1);
    small_world_add_fault(&w, STORM_FAULT_SLOW, 100 * SEC, SEC);
    small_world_live(&w);
    assert_int_equal(w.error.status, STORM_OK);
    assert_int_equal(small_world_count(&w, STORM_FACT_SUCCEEDED, 0), 3);
    assert_int_equal(small_world_count(&w, STORM_FACT_SUCCEEDED, 1), 1);
    assert_true(model_now(w.model) == 5100 * MS); /* and not with the fault */
    small_world_free(&w);
}

/* Nobody ever answers: there is nothing left that could happen. */
static void it_ends_when_everything_hangs(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    w.scenario.duration = STORM_NEVER;
    small_world_add_fault(&w, STORM_FAULT_HANG, 0, 10 * SEC);
    small_world_live(&w);
    assert_int_equal(w.error.status, STORM_OK);
    assert_int_equal(small_world_count(&w, STORM_FACT_LOST, 0), 1);
    assert_int_equal(small_world_count(&w, STORM_FACT_DEAD, 0), 0);
    assert_true(model_now(w.model) == 10 * SEC); /* the end of the fault, the last event */
    small_world_free(&w);
}

/* A message that takes for ever is none to wait for. */
static void it_ends_when_what_is_to_come_never_comes(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    w.scenario.duration = STORM_NEVER;
    w.populations[0].call.network.offset = STORM_NEVER;
    small_world_live(&w);
    assert_int_equal(w.error.status, STORM_OK);
    assert_int_equal(small_world_count(&w, STORM_FACT_SENT, 0), 1);
    assert_int_equal(small_world_count(&w, STORM_FACT_ARRIVED, 0), 0);
    assert_true(model_now(w.model) == SEC); /* its birth, the last event */
    small_world_free(&w);
}

/* What nobody waits for any more is not waited for. */
static void it_does_not_wait_for_ghosts(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    w.scenario.duration = STORM_NEVER;
    w.populations[0].call.timeout.offset = 30 * MS;
    small_world_live(&w);
    assert_true(model_now(w.model) == 1030 * MS);
    assert_int_equal(small_world_count(&w, STORM_FACT_SERVED, 0), 0);
    small_world_free(&w);
}

/* At a rate that falls to nothing at 10 s; the last births are tried again until the service is
   back. */
static void it_waits_for_births_to_come_and_for_retries(void **state) {
    (void)state;
    static const struct storm_rate_point points[] = {{0, 50}, {10 * SEC, 0}};
    struct small_world w;
    small_world_init(&w);
    small_world_retry(&w, STORM_ATTEMPTS_UNLIMITED, 1);
    w.scenario.duration = STORM_NEVER;
    w.services[0].workers = STORM_UNLIMITED;
    w.populations[0].arrival = STORM_ARRIVAL_RATE;
    w.populations[0].points = points;
    w.populations[0].point_count = 2;
    small_world_add_fault(&w, STORM_FAULT_DOWN, 5 * SEC, 60 * SEC);
    small_world_live(&w);
    size_t born = small_world_count(&w, STORM_FACT_BORN, 0);
    assert_true(born > 190 && born < 320);
    assert_int_equal(small_world_count(&w, STORM_FACT_SUCCEEDED, 0), born);
    assert_true(model_now(w.model) > 65 * SEC && model_now(w.model) < 66200 * MS);
    small_world_free(&w);
}

/* A pause swallows the only births there are. */
static void it_ends_at_once_when_the_operators_let_nobody_come(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    w.scenario.duration = STORM_NEVER;
    small_world_add_action(&w, STORM_ACTION_PAUSE, 0, 10 * SEC);
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_BORN, 0), 0);
    assert_true(model_now(w.model) == SEC);
    small_world_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_busy_world_balances_its_books_after_every_event),
        cmocka_unit_test(one_seed_is_one_history_and_another_seed_another),
        cmocka_unit_test(strides_do_not_matter),
        cmocka_unit_test(the_capacities_are_said_before_anything_else),
        cmocka_unit_test(the_memory_limit_ends_a_run_and_names_the_option),
        cmocka_unit_test(slots_are_used_again),
        cmocka_unit_test(a_run_until_idle_ends_with_the_last_answer),
        cmocka_unit_test(it_ends_when_everything_hangs),
        cmocka_unit_test(it_ends_when_what_is_to_come_never_comes),
        cmocka_unit_test(it_does_not_wait_for_ghosts),
        cmocka_unit_test(it_waits_for_births_to_come_and_for_retries),
        cmocka_unit_test(it_ends_at_once_when_the_operators_let_nobody_come),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
