/* compare.c: every variant against one of them, with as many runs as it takes to tell. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/compare.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include <retrystorm/results.h>
#include <retrystorm/scenario.h>

#include "analysis/comparison.h"
#include "base/arena.h"
#include "trials/trials.h"

/* ---- rankings -------------------------------------------------------------------------------- */

static const char recovers[] = STORM_EXPECT_RECOVERS, success[] = "success_share";

/* What ranks a variant, more being better; NaN when nothing does. */
static double rank_value(const struct storm_variant *variant, const char *metric) {
    if (strcmp(metric, recovers) == 0) {
        uint32_t judged = storm_variant_good_runs(variant) + storm_variant_bad_runs(variant);
        return judged > 0 ? (double)storm_variant_good_runs(variant) / judged : (double)NAN;
    }
    const struct storm_metric *found = storm_variant_metric(variant, metric);
    return found == NULL ? (double)NAN : found->bimodal ? found->median : found->mean;
}

/* The variant that comes next after `last` (UINT32_MAX: the best); equal ones as they stand.
   UINT32_MAX: none. */
static uint32_t next_in_rank(const struct storm_results *results, const char *metric,
                             uint32_t last) {
    uint32_t next = UINT32_MAX;
    double next_value = -(double)INFINITY;
    double last_value =
        last == UINT32_MAX ? (double)INFINITY : rank_value(&results->variants[last], metric);
    for (uint32_t v = 0; v < results->variant_count; v++) {
        double value = rank_value(&results->variants[v], metric);
        bool after = value < last_value || (value <= last_value && last != UINT32_MAX && v > last);
        if (after && value > next_value) {
            next = v;
            next_value = value;
        }
    }
    return next;
}

/* Compares those that stand side by side. */
static bool fill_rank(struct storm_results *results, const char *metric, double tolerance,
                      struct arena *arena) {
    uint32_t better = next_in_rank(results, metric, UINT32_MAX);
    while (better != UINT32_MAX) {
        uint32_t worse = next_in_rank(results, metric, better);
        if (worse != UINT32_MAX) {
            struct storm_comparison *comparison = &results->comparisons[results->comparison_count];
            if (!comparison_in(&results->variants[better], &results->variants[worse], metric,
                               tolerance, arena, comparison)) {
                return false;
            }
            comparison->reference = better;
            comparison->other = worse;
            results->comparison_count += comparison->difference_count > 0;
        }
        better = worse;
    }
    return true;
}

/* ---- comparisons ----------------------------------------------------------------------------- */

bool compare_fill(struct storm_results *results, uint32_t reference, double tolerance,
                  struct arena *arena) {
    uint32_t most = 3 * results->variant_count;
    assert(reference < results->variant_count);
    results->comparison_count = 0;
    results->comparisons = arena_take_array(arena, most, sizeof *results->comparisons);
    if (results->comparisons == NULL) {
        return false;
    }
    for (uint32_t v = 0; v < results->variant_count; v++) {
        struct storm_comparison *comparison = &results->comparisons[results->comparison_count];
        if (v == reference) {
            continue;
        }
        if (!comparison_of(&results->variants[reference], &results->variants[v], tolerance, arena,
                           comparison)) {
            return false;
        }
        comparison->reference = reference;
        comparison->other = v;
        results->comparison_count++;
    }
    bool good = fill_rank(results, recovers, tolerance, arena) &&
                fill_rank(results, success, tolerance, arena);
    assert(results->comparison_count <= most);
    return good;
}

static bool is_narrow(const struct storm_difference *difference, double precision) {
    bool is_share = storm_unit_is_share(difference->unit);
    double value = fmax(fabs(difference->reference), fabs(difference->other));
    return (difference->hi - difference->lo) / 2 <= precision * (is_share ? 1 : value);
}

bool compare_is_precise(const struct storm_results *results, double precision) {
    for (uint32_t c = 0; c < storm_results_compared(results); c++) {
        const struct storm_comparison *comparison = &results->comparisons[c];
        for (uint32_t i = 0; i < comparison->difference_count; i++) {
            if (storm_comparison_leads(comparison, i) &&
                !is_narrow(&comparison->differences[i], precision)) {
                return false;
            }
        }
    }
    return true;
}

/* Whether more runs are asked for after those of the results. */
static bool needs_more(struct trials *trials, const struct compare_plan *plan, uint32_t runs,
                       struct arena *arena, struct storm_error *error) {
    if (!(plan->precision > 0) || runs >= plan->runs_most) {
        return false;
    }
    struct storm_results *results = trials_results(trials, false, error);
    return results != NULL && compare_fill(results, plan->reference, plan->tolerance, arena) &&
           !compare_is_precise(results, plan->precision);
}

struct storm_results *compare_trials(struct trials *trials, const struct compare_plan *plan,
                                     struct arena *arena, struct storm_error *error) {
    struct storm_error later;
    uint32_t runs = plan->runs;
    *error = (struct storm_error){.status = STORM_OK};
    bool good = trials_extend(trials, runs, error);
    while (good && needs_more(trials, plan, runs, arena, error)) {
        runs = runs > plan->runs_most / 2 ? plan->runs_most : 2 * runs;
        good = trials_extend(trials, runs, error);
    }
    struct storm_results *results = trials_results(trials, true, good ? error : &later);
    if (results == NULL || !compare_fill(results, plan->reference, plan->tolerance, arena)) {
        if (error->status == STORM_OK) {
            storm_fail(error, STORM_LIMIT, "no memory for the comparison of %u runs", runs);
        }
        return NULL;
    }
    return results;
}
