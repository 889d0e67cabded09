/* rules_text.h: what decides about retries beside their delays, told below a schedule. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef REPORT_RULES_TEXT_H
#define REPORT_RULES_TEXT_H

#include <stdint.h>

#include <retrystorm/policy.h>
#include <retrystorm/units.h>

#include "report/page.h"
#include "schedule/schedule.h"

/* The cell of a table for the wait before retry k when every answer says `hint`. */
const char *rules_hinted(struct page *page, const struct schedule *schedule, uint32_t k,
                         storm_time hint);

/* Each writes a line, or nothing where the policy has no such rule: what it makes of hints, when
   its total_time ends it where no column shows that, and what its budget allows. */
void rules_write_hint(struct page *page, const struct schedule *schedule, storm_time hint);
void rules_write_time(struct page *page, const struct storm_policy *policy);
void rules_write_budget(struct page *page, const struct storm_policy *policy);

#endif
