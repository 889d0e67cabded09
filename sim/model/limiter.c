/* limiter.c: a token bucket: who is let in now, and when the next may come. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/limiter.h"

#include <assert.h>
#include <math.h>

#include "model/world.h"

/* Times are whole nanoseconds: who comes as often as allowed may come half of one late and then
   half of one early; the last bits of a sum of intervals are off by a little more. */
static const double grain = 1.5;

static double later(double a, double b) { return a > b ? a : b; }

/* The time between two tokens. */
static double interval_of(double rate) { return 1e9 / rate; }

bool limiter_admits(struct limiter *limiter, double rate, uint32_t burst, storm_time now) {
    double interval = interval_of(rate);
    double full_at = later((double)now, limiter->full_at);
    assert(rate > 0 && burst > 0);
    if (full_at - (double)now > interval * (burst - 1) + grain) {
        return false;
    }
    limiter->full_at = full_at + interval;
    return true;
}

storm_time limiter_promise(struct limiter *limiter, double rate, uint32_t burst, storm_time now) {
    double interval = interval_of(rate);
    double first = limiter->full_at - interval * (burst - 1);
    assert(rate > 0 && burst > 0);
    limiter->promised = later(limiter->promised + interval, first);
    double wait = floor(limiter->promised - (double)now + 0.5);
    return wait >= 1 ? storm_time_from_seconds(wait * 1e-9) : 1;
}
