/* rows.h: rows of a check, and how runs differ from others. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef GUARD_ROWS_H
#define GUARD_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/check.h>

#include "guard/baseline.h"

struct arena;

/* Rows being gathered. Begins zeroed but for `usual` and the arena. */
struct rows {
    double usual; /* tolerance */
    struct arena *arena;
    uint32_t count, room;
    struct storm_check_row *list;
};

/* A row at the end, its numbers NaN; NULL at the arena's limit. */
struct storm_check_row *rows_add(struct rows *rows);

/* A variant (no metrics) or a metric that is there on one side only. False at the arena's limit. */
bool rows_add_lonely(struct rows *rows, enum storm_finding finding, const char *variant,
                     const struct storm_metric *old, const struct storm_metric *now);

/* How the runs of a variant differ from those it had, pair by pair, by the tolerances of `made`. A
   metric that only one of them has, or is a number in, has a row of its own. False at the arena's
   limit. */
bool rows_add_differences(struct rows *rows, const struct baseline_variant *old,
                          const struct baseline_variant *made);

/* Puts the worst first; rows that weigh the same stay in their order. */
void rows_sort(const struct rows *rows);

#endif
