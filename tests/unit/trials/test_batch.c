/* test_batch.c: single runs are the same runs, in whatever batch and by however many threads. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trials/batch.h"

#include <string.h>

#include "base/arena.h"
#include "support/small_world.h"
#include "support/test.h"
#include "trials/trials.h"

enum { RUNS = 6 };

struct bench {
    struct small_world world;
    struct batch_rules rules;
    struct batch_job jobs[RUNS];
    struct storm_run_result results[RUNS];
    struct arena arena;
    struct storm_error error;
};

static void bench_set(struct bench *b) {
    *b = (struct bench){.rules = {.seed = 5, .threads = 1}};
    small_world_busy(&b->world);
    b->world.populations[0].in_time = 400 * MS;
    for (uint32_t i = 0; i < RUNS; i++) {
        b->jobs[i] = (struct batch_job){.scenario = &b->world.scenario, .run = i};
    }
    arena_init(&b->arena, (size_t)1 << 30);
}

static void bench_free(struct bench *b) {
    arena_free(&b->arena);
    small_world_free(&b->world);
}

static void a_batch_gives_what_trials_give(void **state) {
    (void)state;
    struct bench b;
    bench_set(&b);
    struct trials_variant column = {.name = "as-is", .scenario = &b.world.scenario};
    struct trials_plan plan = {
        .file = "busy", .variants = &column, .variant_count = 1, .runs = RUNS, .seed = 5};
    const struct storm_results *r = trials_run(&plan, &b.arena, &b.error);
    assert_int_equal(batch_run(&b.rules, b.jobs, RUNS, b.results, &b.arena, &b.error), RUNS);
    const struct storm_variant *folded =
        batch_fold("as-is", &b.world.scenario, b.results, RUNS, &b.arena);
    const struct storm_variant *same = &r->variants[0];
    assert_int_equal(folded->metric_count, same->metric_count);
    assert_memory_equal(folded->verdict_per_run, same->verdict_per_run, RUNS);
    for (uint32_t i = 0; i < same->metric_count; i++) {
        assert_memory_equal(folded->metrics[i].per_run, same->metrics[i].per_run,
                            RUNS * sizeof(double));
    }
    assert_true(b.results[0].digest == same->digest && b.results[0].events > 0);
    bench_free(&b);
}

static void neither_order_nor_threads_change_a_run(void **state) {
    (void)state;
    struct bench b, other;
    bench_set(&b);
    bench_set(&other);
    other.rules.threads = 3;
    for (uint32_t i = 0; i < RUNS; i++) {
        other.jobs[i].run = RUNS - 1 - i;
    }
    assert_int_equal(batch_run(&b.rules, b.jobs, RUNS, b.results, &b.arena, &b.error), RUNS);
    assert_int_equal(
        batch_run(&other.rules, other.jobs, RUNS, other.results, &other.arena, &other.error), RUNS);
    for (uint32_t i = 0; i < RUNS; i++) {
        assert_true(b.results[i].digest == other.results[RUNS - 1 - i].digest);
    }
    bench_free(&other);
    bench_free(&b);
}

static void what_was_done_before_an_error_is_kept(void **state) {
    (void)state;
    struct bench b;
    bench_set(&b);
    volatile sig_atomic_t stop = 1;
    b.rules.stop = &stop;
    assert_int_equal(batch_run(&b.rules, b.jobs, RUNS, b.results, &b.arena, &b.error), 0);
    assert_int_equal(b.error.status, STORM_INTERRUPTED);
    bench_free(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_batch_gives_what_trials_give),
        cmocka_unit_test(neither_order_nor_threads_change_a_run),
        cmocka_unit_test(what_was_done_before_an_error_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
