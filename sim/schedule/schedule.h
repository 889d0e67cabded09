/* schedule.h: when the tries of one call happen, and which outages they ride out. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SCHEDULE_SCHEDULE_H
#define SCHEDULE_SCHEDULE_H

#include <stdbool.h>
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

/* The way that schedule_make would choose. */
enum schedule_way schedule_way_of(const struct storm_policy *policy, uint32_t count);

/* Finds the laws of the first `count` delays (at most SCHEDULE_ROOM) of a policy, which must
   outlive the schedule. False without memory. */
bool schedule_make(struct schedule *schedule, const struct storm_policy *policy, uint32_t count);

/* first[k - 1]: the probability that retry k is the first to begin at the moment or later, and
   before the limit, if all attempts fail. False without memory. */
bool schedule_first(const struct schedule *schedule, const struct schedule_moment *moment,
                    double first[SCHEDULE_ROOM]);

/* survive[n - 1]: the probability that a call with n attempts in all, 1 .. count + 1, has one at
   the moment or later: that it rides out an outage so long. Attempts beyond the policy's own count;
   its `persist` is heeded. False without memory. */
bool schedule_survive(const struct schedule *schedule, const struct schedule_moment *moment,
                      double survive[SCHEDULE_ROOM + 1]);

/* in_time[k - 1]: the probability that retry k begins before the moment (moment->limit is not
   looked at), if all attempts fail and nobody loses patience. False without memory. */
bool schedule_in_time(const struct schedule *schedule, const struct schedule_moment *moment,
                      double in_time[SCHEDULE_ROOM]);

/* The sums of the lows, means and highs of the first `retries` delays and of as many failures, in
   seconds. */
struct schedule_sum {
    double low, mean, high;
};
struct schedule_sum schedule_sum(const struct schedule *schedule, uint32_t retries,
                                 storm_time each);

#endif
