/* tune_table.h: the points that a search for the best settings has tried, and how good they are. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SEARCH_TUNE_TABLE_H
#define SEARCH_TUNE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/error.h>

#include "search/axis.h"
#include "search/tune_plan.h"

struct arena;

/* A point. `rank` orders them, the best first: by the goal from -1 to 1 where it keeps all
   constraints, by how far it is from that between 2 and 3 where not, and 4 where it cannot be
   had. */
struct trial {
    const struct axis_value *values; /* [axis] */
    uint32_t runs;
    bool is_refused, is_feasible;
    double measured[TUNE_MEASURES_MAX];
    double violation, rank;
};

struct tune_table {
    const struct tune_plan *plan;
    const struct tune_source *source;
    struct arena *arena;
    struct storm_error *error;
    uint32_t count;
    struct trial *trials; /* [plan->budget] */
    bool is_over;         /* the budget is used up, or a run could not be made (`failed`) */
    bool failed;
};

/* False at the arena's limit. */
bool tune_table_begin(struct tune_table *table, const struct tune_plan *plan,
                      const struct tune_source *source, struct arena *arena,
                      struct storm_error *error);

/* The trial of the values, or (tune_table_at) of the point at u[axis] of [0, 1] along the axes: the
   one that is there, or a new one. NULL when the table is over. */
const struct trial *tune_table_try(struct tune_table *table, const struct axis_value *values);
const struct trial *tune_table_at(struct tune_table *table, const double *u);

/* Where a value lies along its axis: the middle of its part where the values are listed. */
double tune_table_place(const struct axis *axis, const struct axis_value *value);

/* Measures a trial anew, over more runs. False after filling the error. */
bool tune_table_again(struct tune_table *table, uint32_t index, uint32_t runs);

/* Writes the indices of the `count` best trials, the best first; of equal ones the first that was
   tried. Returns how many there are. */
uint32_t tune_table_best(const struct tune_table *table, uint32_t *indices, uint32_t count);

/* The two ways to go on from the best trials, until the table is over or there is nothing left to
   find. */
void tune_simplex(struct tune_table *table);
void tune_anneal(struct tune_table *table);

#endif
