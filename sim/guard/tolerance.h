/* tolerance.h: how much of a change is no news, by metric. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef GUARD_TOLERANCE_H
#define GUARD_TOLERANCE_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/error.h>
#include <retrystorm/results.h>

#include "guard/baseline.h"

enum { TOLERANCES_MAX = 64, TOLERANCE_NAME_MAX = 128 };

/* One metric's, or that of all places of a metric. */
struct tolerance {
    char metric[TOLERANCE_NAME_MAX];
    double share;
    bool is_met;                   /* some variant that is checked has such a metric */
    char meant[STORM_MESSAGE_MAX]; /* a hint for a name that is not met */
};

struct tolerances {
    double usual; /* of what nothing else is said about */
    uint32_t count;
    struct tolerance list[TOLERANCES_MAX];
};

/* Those of a program that was told nothing. */
struct tolerances tolerances_usual(void);

/* Reads "2%", the usual one, or "METRIC=5%". False after filling `error` (STORM_USAGE). */
bool tolerances_add(struct tolerances *tolerances, const char *text, struct storm_error *error);

/* Notes which of them a variant has a use for; needs no runs. */
void tolerances_meet(struct tolerances *tolerances, const struct storm_variant *variant);

/* False after filling `error` (STORM_INVALID) when one was met by no variant. */
bool tolerances_all_met(const struct tolerances *tolerances, struct storm_error *error);

/* Gives a variant the tolerances that were asked for, or else those of its baseline (NULL: there
   is none). */
void tolerances_keep(const struct tolerances *tolerances, const struct baseline_variant *old,
                     struct baseline_variant *made);

#endif
