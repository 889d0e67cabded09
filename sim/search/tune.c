/* tune.c: looks for the settings that are best for a goal and keep its constraints. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "search/tune.h"

#include <assert.h>
#include <math.h>

#include "base/arena.h"
#include "search/front.h"
#include "search/points.h"
#include "search/tune_table.h"

/* Where every axis is a range of numbers that have others beside them. */
static bool is_smooth(const struct tune_plan *plan) {
    for (uint32_t a = 0; a < plan->axis_count; a++) {
        if (!plan->axes[a].is_range || plan->axes[a].kind == AXIS_WHOLE) {
            return false;
        }
    }
    return true;
}

/* False when the points cannot be made: what they gave is in the table. */
static bool try_sobol(struct tune_table *table) {
    const struct tune_plan *plan = table->plan;
    struct points points;
    if (!points_make(POINTS_SOBOL, plan->axes, plan->axis_count, (plan->budget + 1) / 2, 0,
                     table->arena, &points, table->error)) {
        table->failed = true;
        return false;
    }
    for (uint32_t p = 0; p < points.count && !table->is_over; p++) {
        tune_table_try(table, &points.values[(size_t)p * plan->axis_count]);
    }
    return !table->failed;
}

/* More runs for the best few, so that it is less luck which of them is chosen. Returns its
   index. */
static uint32_t choose(struct tune_table *table) {
    uint32_t finalists[TUNE_FINALISTS];
    uint32_t count = tune_table_best(table, finalists, TUNE_FINALISTS);
    assert(count > 0);
    uint32_t best = finalists[0], last = 0;
    while (last < count &&
           tune_table_again(table, finalists[last], TUNE_FINAL_TIMES * table->plan->runs)) {
        bool is_better = table->trials[finalists[last]].rank < table->trials[best].rank;
        best = is_better ? finalists[last] : best;
        last++;
    }
    return table->failed ? finalists[0] : best;
}

/* ---- what is told of it ---------------------------------------------------------------------- */

/* Marks the front of the points that can be had. */
static bool mark_front(const struct tune_plan *plan, const struct tune_table *table,
                       struct storm_tune_point *points, struct arena *arena) {
    uint32_t measures = 1 + plan->constraint_count;
    double *values = arena_take_array(arena, (size_t)table->count * measures, sizeof *values);
    bool *is_front = arena_take_array(arena, table->count, sizeof *is_front);
    bool is_max[TUNE_MEASURES_MAX] = {plan->goal.is_max};
    if (values == NULL || is_front == NULL) {
        return false;
    }
    for (uint32_t m = 1; m < measures; m++) {
        is_max[m] = plan->constraints[m - 1].relation >= RELATION_MORE;
    }
    for (uint32_t i = 0; i < table->count; i++) {
        for (uint32_t m = 0; m < measures; m++) {
            values[(size_t)i * measures + m] = table->trials[i].measured[m];
        }
    }
    front_mark(values, table->count, measures, is_max, is_front);
    for (uint32_t i = 0; i < table->count; i++) {
        points[i].is_front = is_front[i] && !points[i].is_refused;
    }
    return true;
}

static const char *const *labels_of(const struct trial *trial, uint32_t axis_count,
                                    struct arena *arena) {
    const char **labels = arena_take_array(arena, axis_count, sizeof *labels);
    for (uint32_t a = 0; labels != NULL && a < axis_count; a++) {
        labels[a] = trial->values[a].text;
    }
    return labels;
}

static bool tell(const struct tune_table *table, struct arena *arena, struct storm_tune *tune) {
    const struct tune_plan *plan = table->plan;
    struct storm_tune_point *points = arena_take_array(arena, plan->budget, sizeof *points);
    bool good = points != NULL;
    for (uint32_t i = 0; good && i < table->count; i++) {
        const struct trial *trial = &table->trials[i];
        points[i] = (struct storm_tune_point){.labels = labels_of(trial, plan->axis_count, arena),
                                              .values = trial->measured,
                                              .runs = trial->runs,
                                              .is_refused = trial->is_refused,
                                              .is_feasible = trial->is_feasible,
                                              .violation = trial->violation};
        good = points[i].labels != NULL;
    }
    tune->points = points;
    tune->point_count = good ? table->count : 0;
    return good && (table->count == 0 || mark_front(plan, table, points, arena));
}

bool tune_search(const struct tune_plan *plan, const struct tune_source *source,
                 struct arena *arena, struct storm_tune *tune, struct storm_error *error) {
    struct tune_table table;
    tune->runs = plan->runs;
    tune->budget = plan->budget;
    if (!tune_table_begin(&table, plan, source, arena, error)) {
        return false;
    }
    if (try_sobol(&table) && is_smooth(plan)) {
        tune_simplex(&table);
    } else {
        tune_anneal(&table);
    }
    tune_table_best(&table, &tune->best, 1);
    if (!table.failed) {
        tune->best = choose(&table);
    }
    tune->is_complete = !table.failed;
    if (!tell(&table, arena, tune)) {
        return table.failed ? false
                            : storm_fail(error, STORM_LIMIT, "no memory for the points' values");
    }
    return !table.failed;
}
