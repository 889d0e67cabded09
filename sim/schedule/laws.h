/* laws.h: the ways in which the law of the delays and of their sums is found; one file each. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SCHEDULE_LAWS_H
#define SCHEDULE_LAWS_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/policy.h>

#include "schedule/delays.h"

/* The largest uniform draw there is. */
#define LAWS_ALMOST_ONE 0x1.fffffffffffffp-1

/* The delay before retry n (1 ...) of a policy whose delays are independent, at one draw. */
double windows_delay(const struct storm_delay *delay, uint32_t n, double u);

/* Whether that delay is uniform on a window (of any width), and whether its law has no atoms. */
bool windows_fit(const struct storm_delay *delay, uint32_t n);
bool windows_smooth(const struct storm_delay *delay, uint32_t n);

/* Each fills delays[0 .. count - 1] of the schedule. False without memory. */
bool windows_describe(struct schedule *schedule);
bool chain_describe(struct schedule *schedule);
bool sample_describe(struct schedule *schedule);

/* Each does what schedule_first does for the retries from + 1 ... count, where the moment's times
   count from the begin of retry `from` (0: of the first attempt). windows_first also says false
   when rounding would spoil the result: then the grid is as good. */
bool windows_first(const struct schedule *schedule, const struct schedule_moment *moment,
                   uint32_t from, double *first);
bool grid_first(const struct schedule *schedule, const struct schedule_moment *moment,
                uint32_t from, double *first);
bool chain_first(const struct schedule *schedule, const struct schedule_moment *moment,
                 uint32_t from, double *first);
bool sample_first(const struct schedule *schedule, const struct schedule_moment *moment,
                  double *first);

#endif
