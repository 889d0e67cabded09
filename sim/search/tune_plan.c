/* tune_plan.c: what a tuning looks for, and what a point of it gives. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "search/tune_plan.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"

const struct statistic *tune_statistic(const struct tune_plan *plan, uint32_t measure) {
    assert(measure <= plan->constraint_count);
    return measure == 0 ? &plan->goal.statistic : &plan->constraints[measure - 1].statistic;
}

void tune_point(const struct tune_plan *plan, const char *const *labels,
                struct probe_point *point) {
    *point = (struct probe_point){.set_count = 0};
    for (uint32_t a = 0; a < plan->axis_count; a++) {
        if (strcmp(plan->axes[a].path, "variant") == 0) {
            point->variant = labels[a];
        } else {
            point->sets[point->set_count++] =
                (struct storm_override){plan->axes[a].path, labels[a]};
        }
    }
}

enum tune_reply tune_probe_measure(void *context, const struct axis_value *values, uint32_t runs,
                                   double *measured, struct storm_error *error) {
    const struct tune_probe *source = context;
    const struct tune_plan *plan = source->plan;
    const char *labels[PROBE_AXES_MAX];
    struct probe_point point;
    struct storm_errors refusals = {0};
    for (uint32_t a = 0; a < plan->axis_count; a++) {
        labels[a] = values[a].text;
    }
    tune_point(plan, labels, &point);
    const struct storm_variant *variant = probe_runs(source->probe, &point, runs, &refusals, error);
    if (refusals.count > 0) {
        *source->refusals = refusals;
        return TUNE_REFUSED;
    }
    double *scratch = arena_take_array(source->arena, runs, sizeof *scratch);
    if (variant == NULL || scratch == NULL) {
        return TUNE_FAILED;
    }
    struct storm_variant first = *variant;
    first.runs_done = runs;
    for (uint32_t m = 0; m <= plan->constraint_count; m++) {
        measure_values(&first, &plan->measures[m], scratch);
        measured[m] = statistic_of(tune_statistic(plan, m), &plan->measures[m], scratch, runs);
    }
    return TUNE_VALUES;
}
