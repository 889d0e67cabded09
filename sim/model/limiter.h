/* limiter.h: a token bucket: who is let in now, and when the next may come. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_LIMITER_H
#define MODEL_LIMITER_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/units.h>

struct limiter;

/* Takes one token of a bucket of `burst` that fills at `rate` per second; false when it is empty.
   The generic cell rate algorithm (ITU-T I.371): the bucket is known by the time at which it will
   be full again. A zeroed limiter is full. */
bool limiter_admits(struct limiter *limiter, double rate, uint32_t burst, storm_time now);

/* How long someone refused at `now` should wait: until the first token that has not been promised
   to another one. At least 1 ns. */
storm_time limiter_promise(struct limiter *limiter, double rate, uint32_t burst, storm_time now);

#endif
