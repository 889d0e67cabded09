/* delays.h: what is known of the delays of a policy, however it was found. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SCHEDULE_DELAYS_H
#define SCHEDULE_DELAYS_H

#include <stdint.h>

#include <retrystorm/policy.h>
#include <retrystorm/units.h>

/* How many retries can be looked at, and how many are where nobody has said how many: searches end
   there, as more take longer and are of little use. */
enum { SCHEDULE_ROOM = 256, SCHEDULE_RETRIES_MAX = 64 };

/* How the law of the delays and of their sums is found. */
enum schedule_way {
    SCHEDULE_FIXED,   /* no chance in it: exact, in nanoseconds */
    SCHEDULE_WINDOWS, /* independent, each uniform on a window: exact by inclusion and exclusion */
    SCHEDULE_INDEPENDENT, /* independent, any law without atoms: on a grid; error below 1e-3 */
    SCHEDULE_CHAIN,       /* each delay depends on the last (decorrelated): a grid over delay and
                             sum; error below 1e-3 */
    SCHEDULE_SAMPLE       /* any other rule: a million lives are drawn; error below 2.5e-3 (five
                             standard errors) */
};

/* The law of one delay, in seconds. */
struct schedule_delay {
    double low, high; /* what it can be at least and at most; of a sample: what it was */
    double mean, variance;
    double q05, median, q95;
    double at_cap; /* probability that it is exactly the policy's cap */
};

/* The delays before retries 1 .. count. */
struct schedule {
    const struct storm_policy *policy;
    enum schedule_way way;
    uint32_t count;
    struct schedule_delay delays[SCHEDULE_ROOM];
};

/* A moment that the tries are held against. Times count from the start of the first attempt. */
struct schedule_moment {
    storm_time time;
    storm_time limit; /* no try begins at this time or later; STORM_NEVER: no limit */
    storm_time each;  /* how long every attempt takes to fail: 0, or its timeout */
};

#endif
