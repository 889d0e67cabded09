/* schedule.h: when the tries of one call happen, and which outages they ride out. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SCHEDULE_SCHEDULE_H
#define SCHEDULE_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/policy.h>
#include <retrystorm/units.h>

#include "schedule/delays.h"

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
