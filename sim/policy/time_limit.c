/* time_limit.c: whether a policy's total time leaves room for one more try. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policy/time_limit.h"

#include <assert.h>

bool time_limit_allows(const struct storm_policy *policy, storm_time passed, storm_time *delay) {
    storm_time total = policy->total_time;
    assert(passed >= 0 && *delay >= 0);
    switch ((enum storm_time_rule)policy->time_rule) {
    case STORM_TIME_BEFORE:
        return storm_time_add(passed, *delay) <= total;
    case STORM_TIME_AFTER:
        return passed < total;
    case STORM_TIME_TRUNCATE:
        if (passed < total) {
            *delay = storm_time_earlier(*delay, total - passed);
        }
        return passed < total;
    case STORM_TIME_INTERRUPT:
        return true;
    }
    assert(0 && "no such rule");
    return false;
}
