/* hinted.h: how long a caller waits that was told when to come back. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SCHEDULE_HINTED_H
#define SCHEDULE_HINTED_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/units.h>

#include "schedule/schedule.h"

/* The shortest and the longest wait before a retry. */
struct hinted {
    storm_time low, high;
};

/* The wait before retry k (1 .. count) when every answer said `hint`. */
struct hinted hinted_wait(const struct schedule *schedule, uint32_t k, storm_time hint);

/* Whether the hint makes the policy give up. */
bool hinted_gives_up(const struct schedule *schedule, storm_time hint);

/* What the policy's rule for hints is called, and what it means. */
const char *hinted_rule(const struct schedule *schedule);
const char *hinted_meaning(const struct schedule *schedule);

#endif
