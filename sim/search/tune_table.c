/* tune_table.c: the points that a search for the best settings has tried. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Invariants:
   1. No two trials have the same values.
   2. There are never more trials than the budget allows.
   3. Trials stay where they are: their addresses may be kept. */

#include "search/tune_table.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/mathx.h"

bool tune_table_begin(struct tune_table *table, const struct tune_plan *plan,
                      const struct tune_source *source, struct arena *arena,
                      struct storm_error *error) {
    assert(plan->axis_count > 0 && plan->axis_count <= PROBE_AXES_MAX && plan->budget > 0);
    *table = (struct tune_table){.plan = plan, .source = source, .arena = arena, .error = error};
    table->trials = arena_take_array(arena, plan->budget, sizeof *table->trials);
    return table->trials != NULL ||
           storm_fail(error, STORM_LIMIT, "no memory for %u points", plan->budget);
}

/* ---- how good a point is --------------------------------------------------------------------- */

/* How far a value is from keeping a bound, as a share of it. */
static double violation_of(const struct criterion *criterion, double value) {
    static const double hopeless = 1e6;
    if (criterion_holds(criterion, value)) {
        return 0;
    }
    double scale = fabs(criterion->bound) > 0 ? fabs(criterion->bound) : 1;
    double far = fabs(value - criterion->bound) / scale;
    return far < hopeless ? far : hopeless; /* NaN, too */
}

/* -1 .. 1 for -inf .. inf */
static double squash(double x) { return isinf(x) ? (x > 0 ? 1 : -1) : x / (1 + fabs(x)); }

static void judge(const struct tune_plan *plan, struct trial *trial) {
    double goal = plan->goal.is_max ? -trial->measured[0] : trial->measured[0];
    trial->violation = 0;
    for (uint32_t i = 0; i < plan->constraint_count; i++) {
        trial->violation += violation_of(&plan->constraints[i], trial->measured[i + 1]);
    }
    trial->is_feasible = !trial->is_refused && !(trial->violation > 0);
    trial->rank = trial->is_refused    ? 4
                  : trial->is_feasible ? (isnan(goal) ? 1 : squash(goal))
                                       : 2 + squash(trial->violation);
}

/* False after filling the error. */
static bool measure(struct tune_table *table, struct trial *trial, uint32_t runs) {
    enum tune_reply reply = table->source->measure(table->source->context, trial->values, runs,
                                                   trial->measured, table->error);
    if (reply == TUNE_FAILED) {
        table->failed = table->is_over = true;
        return false;
    }
    trial->runs = runs;
    trial->is_refused = reply == TUNE_REFUSED;
    for (uint32_t i = 0; trial->is_refused && i <= table->plan->constraint_count; i++) {
        trial->measured[i] = (double)NAN;
    }
    judge(table->plan, trial);
    return true;
}

/* ---- trials ---------------------------------------------------------------------------------- */

static const struct trial *find_trial(const struct tune_table *table,
                                      const struct axis_value *values) {
    for (uint32_t i = 0; i < table->count; i++) {
        bool same = true;
        for (uint32_t a = 0; same && a < table->plan->axis_count; a++) {
            same = strcmp(table->trials[i].values[a].text, values[a].text) == 0;
        }
        if (same) {
            return &table->trials[i];
        }
    }
    return NULL;
}

const struct trial *tune_table_try(struct tune_table *table, const struct axis_value *values) {
    uint32_t axis_count = table->plan->axis_count;
    const struct trial *found = find_trial(table, values);
    if (found != NULL || table->is_over) {
        return found;
    }
    struct axis_value *kept = arena_take_array(table->arena, axis_count, sizeof *kept);
    if (kept == NULL) {
        storm_fail(table->error, STORM_LIMIT, "no memory for one more point");
        table->failed = table->is_over = true;
        return NULL;
    }
    memcpy(kept, values, axis_count * sizeof *kept);
    struct trial *trial = &table->trials[table->count];
    *trial = (struct trial){.values = kept};
    if (!measure(table, trial, table->plan->runs)) {
        return NULL;
    }
    table->count++;
    table->is_over = table->count == table->plan->budget; /* (2) */
    return trial;
}

const struct trial *tune_table_at(struct tune_table *table, const double *u) {
    struct axis_value values[PROBE_AXES_MAX];
    for (uint32_t a = 0; a < table->plan->axis_count; a++) {
        const struct axis *axis = &table->plan->axes[a];
        double place = u[a] < 0 ? 0 : u[a] > 1 ? 1 : u[a];
        uint32_t index = (uint32_t)(place * axis->count);
        values[a] = axis->is_range ? axis_at(axis, place, table->arena)
                                   : axis->values[index < axis->count ? index : axis->count - 1];
        if (values[a].text == NULL) {
            storm_fail(table->error, STORM_LIMIT, "no memory for one more point");
            table->failed = table->is_over = true;
            return NULL;
        }
    }
    return tune_table_try(table, values);
}

double tune_table_place(const struct axis *axis, const struct axis_value *value) {
    if (axis->is_range) {
        return axis->is_log
                   ? mathx_log(value->number / axis->from) / mathx_log(axis->to / axis->from)
                   : (value->number - axis->from) / (axis->to - axis->from);
    }
    for (uint32_t i = 0; i < axis->count; i++) {
        if (strcmp(axis->values[i].text, value->text) == 0) {
            return (i + 0.5) / axis->count;
        }
    }
    assert(false && "a value of the axis");
    return 0;
}

bool tune_table_again(struct tune_table *table, uint32_t index, uint32_t runs) {
    assert(index < table->count);
    struct trial fresh = table->trials[index];
    if (!measure(table, &fresh, runs)) {
        return false;
    }
    table->trials[index] = fresh;
    return true;
}

uint32_t tune_table_best(const struct tune_table *table, uint32_t *indices, uint32_t count) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < table->count; i++) {
        uint32_t at = kept < count ? kept++ : count;
        while (at > 0 && table->trials[i].rank < table->trials[indices[at - 1]].rank) {
            if (at < count) {
                indices[at] = indices[at - 1];
            }
            at--;
        }
        if (at < count) {
            indices[at] = i;
        }
    }
    return kept;
}
