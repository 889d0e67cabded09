/* bounds.h: whether runs keep what their scenario expects of them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef GUARD_BOUNDS_H
#define GUARD_BOUNDS_H

#include <stdbool.h>

#include <retrystorm/check.h>
#include <retrystorm/error.h>
#include <retrystorm/scenario.h>

#include "guard/subject.h"

struct arena;

/* Whether every expectation is of a metric that there is. One of a variant must be among that
   one's; one of every variant concerns those that have it, and one of them must. Adds an error with
   its line otherwise; needs no runs. */
bool bounds_known(const struct subject *subject, struct storm_errors *errors);

/* Whether an expectation concerns a variant. */
bool bound_concerns(const struct storm_expect *expect, const struct storm_variant *variant);

/* Looks at one expectation in the runs of a variant that it concerns. A value that is not a number
   keeps no bound. False at the arena's limit. */
bool bound_judge(const struct storm_expect *expect, const struct storm_variant *variant,
                 struct arena *arena, struct storm_check_row *row);

#endif
