/* tune_confirm.c: fresh runs of the best settings, beside those of whom they are to beat. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <assert.h>
#include <math.h>

#include "analysis/evidence.h"
#include "analysis/paired.h"
#include "base/arena.h"
#include "search/tune.h"

static const double tail = 0.025; /* on each side of an interval of 95 % */

/* One confirmation. */
struct confirmation {
    const struct tune_plan *plan;
    struct probe *probe;
    struct arena *arena;
    struct storm_errors *errors;
    struct storm_error *error;
    uint32_t from, runs; /* fresh runs are from .. from + runs - 1 */
};

/* What the runs of one point say. */
struct column {
    double *goal; /* [from + runs] */
    double searched, fresh_goal;
    struct storm_evidence *fresh; /* [measure] */
    bool is_feasible;
};

static bool fail_memory(const struct confirmation *now) {
    return storm_fail(now->error, STORM_LIMIT, "no memory for the runs that confirm");
}

/* The evidence of a measure in the fresh runs among values[from + runs], which get out of order. */
static struct storm_evidence weigh(const struct confirmation *now, uint32_t measure,
                                   double *values) {
    const struct tune_plan *plan = now->plan;
    double *fresh = values + now->from;
    return measure == 0 ? evidence_of_statistic(&plan->goal.statistic, &plan->measures[0], fresh,
                                                now->runs, tail)
                        : evidence_of(&plan->constraints[measure - 1], &plan->measures[measure],
                                      fresh, now->runs, tail);
}

static bool fill_column(const struct confirmation *now, const struct probe_point *point,
                        struct column *column) {
    const struct tune_plan *plan = now->plan;
    uint32_t all = now->from + now->runs;
    const struct storm_variant *variant =
        probe_runs(now->probe, point, all, now->errors, now->error);
    if (variant == NULL) {
        return false;
    }
    double *values = arena_take_array(now->arena, all, sizeof *values);
    column->goal = arena_take_array(now->arena, all, sizeof *column->goal);
    column->fresh = arena_take_array(now->arena, 1 + plan->constraint_count, sizeof *column->fresh);
    if (values == NULL || column->goal == NULL || column->fresh == NULL) {
        return fail_memory(now);
    }
    struct storm_variant first = *variant;
    assert(variant->runs_done >= all);
    first.runs_done = all;
    measure_values(&first, &plan->measures[0], column->goal);
    column->is_feasible = true;
    for (uint32_t m = 0; m <= plan->constraint_count; m++) {
        measure_values(&first, &plan->measures[m], values);
        column->fresh[m] = weigh(now, m, values);
        column->is_feasible = column->is_feasible && (m == 0 || column->fresh[m].holds);
        if (m == 0) {
            column->searched =
                statistic_of(tune_statistic(plan, 0), &plan->measures[0], values, now->from);
        }
    }
    return true;
}

/* Shares are compared as shares and means as means, where they have one; everything else by the
   median of its pairs. */
static enum paired_kind kind_of(const struct confirmation *now, const double *a, const double *b) {
    if (now->plan->measures[0].is_share_of_runs) {
        return PAIRED_SHARE;
    }
    for (uint32_t i = 0; i < now->runs; i++) {
        if (isinf(a[i]) || isinf(b[i])) {
            return PAIRED_MEDIAN;
        }
    }
    return now->plan->goal.statistic.kind == STATISTIC_MEAN ? PAIRED_MEAN : PAIRED_MEDIAN;
}

/* Pairs of which neither comes back are equal, though the difference of infinities is none. */
static void settle_pairs(double *a, double *b, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (isinf(a[i]) && isinf(b[i]) && (a[i] > 0) == (b[i] > 0)) {
            a[i] = b[i] = 0;
        }
    }
}

static double gain_of(const struct confirmation *now, double rival, double best) {
    return now->plan->goal.is_max ? best - rival : rival - best;
}

static bool fill_gain(const struct confirmation *now, const struct column *best,
                      struct column *column, struct storm_tune_rival *rival) {
    double *ours = arena_take_array(now->arena, now->runs, sizeof *ours);
    double *scratch = arena_take_array(now->arena, now->runs, sizeof *scratch);
    double *theirs = column->goal + now->from;
    if (ours == NULL || scratch == NULL) {
        return fail_memory(now);
    }
    for (uint32_t i = 0; i < now->runs; i++) {
        ours[i] = best->goal[now->from + i];
    }
    enum paired_kind kind = kind_of(now, ours, theirs);
    settle_pairs(ours, theirs, now->runs);
    bool is_max = now->plan->goal.is_max;
    struct paired paired =
        paired_of(kind, is_max ? theirs : ours, is_max ? ours : theirs, now->runs, scratch);
    rival->pairs = paired.pairs;
    rival->better = paired.up;
    rival->worse = paired.down;
    rival->gain = paired.difference;
    rival->p = paired.p;
    rival->lo = -HUGE_VAL;
    rival->hi = HUGE_VAL;
    if (paired.pairs > 0) {
        paired_interval(&paired, 2 * tail, &rival->lo, &rival->hi);
    }
    return true;
}

static void fill_luck(const struct confirmation *now, const struct column *best,
                      const struct column *column, struct storm_tune_rival *rival) {
    rival->searched = column->searched;
    rival->searched_gain = gain_of(now, column->searched, best->searched);
    rival->fresh_gain = gain_of(now, column->fresh[0].value, best->fresh[0].value);
    bool is_told =
        isfinite(rival->searched_gain) && isfinite(rival->fresh_gain) && rival->searched_gain > 0;
    rival->luck = is_told ? 1 - rival->fresh_gain / rival->searched_gain : (double)NAN;
}

bool tune_confirm(const struct tune_plan *plan, struct probe *probe, const char *const *variants,
                  uint32_t variant_count, uint32_t runs, struct arena *arena,
                  struct storm_tune *tune, struct storm_errors *errors, struct storm_error *error) {
    struct confirmation now = {.plan = plan,
                               .probe = probe,
                               .arena = arena,
                               .errors = errors,
                               .error = error,
                               .from = TUNE_FINAL_TIMES * plan->runs,
                               .runs = runs};
    struct column best;
    struct probe_point point;
    struct storm_tune_rival *rivals = arena_take_array(arena, variant_count + 1, sizeof *rivals);
    if (rivals == NULL) {
        return fail_memory(&now);
    }
    tune_point(plan, tune->points[tune->best].labels, &point);
    if (!fill_column(&now, &point, &best)) {
        return false;
    }
    for (uint32_t i = 0; i <= variant_count; i++) {
        struct column column;
        struct probe_point rival = {.variant = i > 0 ? variants[i - 1] : NULL};
        if (!fill_column(&now, &rival, &column) || !fill_gain(&now, &best, &column, &rivals[i])) {
            return false;
        }
        rivals[i].name = rival.variant;
        rivals[i].fresh = column.fresh;
        rivals[i].is_feasible = column.is_feasible;
        fill_luck(&now, &best, &column, &rivals[i]);
    }
    tune->rivals = rivals;
    tune->rival_count = variant_count + 1;
    tune->fresh = best.fresh;
    tune->is_feasible = best.is_feasible;
    tune->fresh_from = now.from;
    tune->fresh_runs = runs;
    tune->is_confirmed = true;
    return true;
}
