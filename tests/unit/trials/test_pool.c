/* test_pool.c: every job once, in order, on any number of threads, until one says enough. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trials/pool.h"

#include <pthread.h>
#include <stdatomic.h>

#include "support/test.h"

enum { JOBS = 5000 };

struct count {
    atomic_uint times[JOBS];
    atomic_uint last, enough_at;
    pthread_t caller;
    uint32_t ticks, seen;
    bool ticks_elsewhere;
};

static struct count count;

static bool do_count(void *context, uint32_t index) {
    struct count *c = context;
    atomic_fetch_add(&c->times[index], 1);
    return index != atomic_load(&c->enough_at);
}

static void do_tick(void *context, uint32_t done) {
    struct count *c = context;
    c->ticks++;
    c->seen = done;
    c->ticks_elsewhere |= !pthread_equal(pthread_self(), c->caller);
}

static void run(uint32_t jobs, uint32_t threads, uint32_t enough_at, bool ticks) {
    count = (struct count){.caller = pthread_self()};
    atomic_store(&count.enough_at, enough_at);
    struct pool_work work = {do_count, ticks ? do_tick : NULL, &count};
    pool_run(&work, jobs, threads);
}

static void every_index_is_done_once_on_any_number_of_threads(void **state) {
    (void)state;
    for (uint32_t threads = 0; threads <= 8; threads++) {
        run(JOBS, threads, UINT32_MAX, true);
        for (uint32_t i = 0; i < JOBS; i++)
            assert_int_equal(atomic_load(&count.times[i]), 1);
        assert_int_equal(count.seen, JOBS);
        assert_true(count.ticks > 0 && !count.ticks_elsewhere);
    }
}

static void more_threads_than_jobs_do_no_harm(void **state) {
    (void)state;
    for (uint32_t jobs = 0; jobs < 4; jobs++) {
        run(jobs, 1000, UINT32_MAX, false);
        for (uint32_t i = 0; i < JOBS; i++)
            assert_int_equal(atomic_load(&count.times[i]), i < jobs);
    }
}

/* With one thread exactly those up to the one that failed; with more, some others were under
   way. */
static void a_job_that_fails_is_the_last_to_be_handed_out(void **state) {
    (void)state;
    for (uint32_t threads = 1; threads <= 8; threads++) {
        run(JOBS, threads, 100, false);
        uint32_t beyond = 0;
        for (uint32_t i = 0; i < JOBS; i++) {
            assert_true(i > 100 || atomic_load(&count.times[i]) == 1);
            beyond += i > 100 ? atomic_load(&count.times[i]) : 0;
        }
        assert_true(threads > 1 || beyond == 0);
    }
}

static bool do_fail(void *context, uint32_t index) {
    struct count *c = context;
    atomic_fetch_add(&c->times[index], 1);
    return index < 20;
}

/* However many fail at once: whoever looks for the first of them finds all before it done. */
static void what_was_handed_out_is_done_whoever_fails_meanwhile(void **state) {
    (void)state;
    for (uint32_t round = 0; round < 300; round++) {
        count = (struct count){.caller = pthread_self()};
        struct pool_work work = {do_fail, NULL, &count};
        pool_run(&work, JOBS, 8);
        uint32_t done = 0;
        while (atomic_load(&count.times[done]) == 1)
            done++;
        assert_true(done > 20 && done < JOBS);
        for (uint32_t i = done; i < JOBS; i++)
            assert_int_equal(atomic_load(&count.times[i]), 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_index_is_done_once_on_any_number_of_threads),
        cmocka_unit_test(more_threads_than_jobs_do_no_harm),
        cmocka_unit_test(a_job_that_fails_is_the_last_to_be_handed_out),
        cmocka_unit_test(what_was_handed_out_is_done_whoever_fails_meanwhile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
