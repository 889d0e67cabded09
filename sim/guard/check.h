/* check.h: the rows of a check: the runs of a scenario beside its bounds and its baseline. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef GUARD_CHECK_H
#define GUARD_CHECK_H

#include <stdbool.h>

#include <retrystorm/check.h>

#include "guard/baseline.h"
#include "guard/subject.h"
#include "guard/tolerance.h"

struct arena;

/* Judges the runs of a subject beside those that a baseline (NULL: it was not asked) has of the
   same name and seed. Gives `made` the tolerances that it was judged by. False at the arena's
   limit. */
bool check_judge(const struct subject *subject, struct baseline_scenario *made,
                 const struct baseline *baseline, const struct tolerances *tolerances,
                 struct arena *arena, struct storm_check_scenario *scenario);

/* Adds the scenarios of the baseline that are none of the subjects to those of the check, which has
   room for them; they are taken out of a baseline that `is_replaced`. */
void check_find_gone(struct storm_check *check, struct baseline *baseline,
                     const struct subject *subjects, uint32_t count, bool is_replaced);

/* Puts the scenarios of a check into order, counts over them, and answers. Where the baseline was
   updated only bounds can fail. */
void check_conclude(struct storm_check *check);

#endif
