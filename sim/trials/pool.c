/* pool.c: a few threads that take numbered jobs until none is left.

   1. `next` is only raised: each index is handed out once, in order, and then done.
   2. `done` and `running` change under the lock; the caller sleeps on `changed`. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trials/pool.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

enum { THREADS_MAX = 256, TICK_NANOSECONDS = 100000000 };

struct pool {
    const struct pool_work *work;
    uint32_t count;
    atomic_uint next;
    atomic_bool enough;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint32_t done, running;
};

static void take_jobs(struct pool *pool) {
    for (;;) {
        /* Looked at first: an index that is taken is done, and so are all before it. */
        if (atomic_load(&pool->enough)) {
            return;
        }
        uint32_t index = atomic_fetch_add(&pool->next, 1);
        if (index >= pool->count) {
            return;
        }
        if (!pool->work->job(pool->work->context, index)) {
            atomic_store(&pool->enough, true);
        }
        pthread_mutex_lock(&pool->lock);
        pool->done++;
        pthread_cond_signal(&pool->changed);
        pthread_mutex_unlock(&pool->lock);
    }
}

static void *worker(void *context) {
    struct pool *pool = context;
    take_jobs(pool);
    pthread_mutex_lock(&pool->lock);
    assert(pool->running > 0);
    pool->running--;
    pthread_cond_signal(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/* Waits until a job is done or a tenth of a second has passed. */
static void wait_for_change(struct pool *pool) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += TICK_NANOSECONDS;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    pthread_cond_timedwait(&pool->changed, &pool->lock, &until);
}

static uint32_t thread_count(uint32_t wanted, uint32_t jobs) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    uint32_t threads = wanted > 0 ? wanted : processors > 0 ? (uint32_t)processors : 1;
    threads = threads < jobs ? threads : jobs;
    return threads < THREADS_MAX ? threads : THREADS_MAX;
}

void pool_run(const struct pool_work *work, uint32_t count, uint32_t threads) {
    struct pool pool = {.work = work, .count = count};
    pthread_t ids[THREADS_MAX];
    uint32_t wanted = thread_count(threads, count), begun = 0;
    pthread_mutex_init(&pool.lock, NULL);
    pthread_cond_init(&pool.changed, NULL);
    pthread_mutex_lock(&pool.lock);
    while (begun < wanted && pthread_create(&ids[begun], NULL, worker, &pool) == 0) {
        begun++;
        pool.running++;
    }
    bool at_work = begun > 0;
    while (at_work) {
        if (pool.running > 0) {
            wait_for_change(&pool);
        }
        uint32_t done = pool.done;
        at_work = pool.running > 0;       /* so that the last tick sees the last job */
        pthread_mutex_unlock(&pool.lock); /* a slow terminal must not hold the workers up */
        if (work->tick != NULL) {
            work->tick(work->context, done);
        }
        pthread_mutex_lock(&pool.lock);
    }
    pthread_mutex_unlock(&pool.lock);
    for (uint32_t i = 0; i < begun; i++) {
        pthread_join(ids[i], NULL);
    }
    if (begun == 0) {
        take_jobs(&pool); /* the system gives no thread: this one does the work */
    }
    pthread_cond_destroy(&pool.changed);
    pthread_mutex_destroy(&pool.lock);
}
