/* time_limit.h: whether a policy's total time leaves room for one more try. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef POLICY_TIME_LIMIT_H
#define POLICY_TIME_LIMIT_H

#include <stdbool.h>

#include <retrystorm/policy.h>
#include <retrystorm/units.h>

/* Whether a call may wait for *delay and try again, when `passed` is the time since its first
   attempt was sent. TRUNCATE may shorten *delay. INTERRUPT always allows: it is a deadline, and the
   caller's to keep. */
bool time_limit_allows(const struct storm_policy *policy, storm_time passed, storm_time *delay);

#endif
