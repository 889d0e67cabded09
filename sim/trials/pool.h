/* pool.h: a few threads that take numbered jobs until none is left. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TRIALS_POOL_H
#define TRIALS_POOL_H

#include <stdbool.h>
#include <stdint.h>

/* Does job number `index`. Returns false to make the pool hand out no more jobs (those before it
   are done all the same). Called from several threads at once, but only once per index. */
struct pool_work {
    bool (*job)(void *context, uint32_t index);
    void (*tick)(void *context,
                 uint32_t done); /* in the calling thread, about ten times a second; may be NULL */
    void *context;
};

/* Does jobs 0 .. count - 1, handed out in order, on `threads` threads (0: one per processor).
   Returns when all that were begun are done. */
void pool_run(const struct pool_work *work, uint32_t count, uint32_t threads);

#endif
