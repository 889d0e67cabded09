/* comparison.c: whether one variant is better than another, metric by metric. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/comparison.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include <retrystorm/results.h>

#include "analysis/holm.h"
#include "analysis/measure.h"
#include "analysis/paired.h"
#include "analysis/quantile.h"
#include "base/arena.h"

/* Fewer metrics may agree by chance. */
enum { EXACT_METRICS_LEAST = 10 };

/* A comparison being made: its differences, and the pairs behind each. */
struct asking {
    const struct storm_variant *reference, *other;
    const char *only; /* NULL: everything */
    double tolerance;
    uint32_t runs; /* that both have */
    bool is_exact; /* no chance is left in either */
    uint32_t count;
    struct storm_difference *differences;
    struct paired *pairs;
    struct arena *arena;
};

/* ---- one metric ------------------------------------------------------------------------------ */

/* False at the arena's limit. */
static bool ask(struct asking *asking, enum paired_kind kind, const struct measure *measure,
                const double *reference, const double *other) {
    struct storm_difference *difference = &asking->differences[asking->count];
    if (asking->only != NULL && strcmp(asking->only, measure->name) != 0) {
        return true;
    }
    double *scratch = arena_take_array(asking->arena, asking->runs, sizeof *scratch);
    if (scratch == NULL) {
        return false;
    }
    struct paired paired = paired_of(kind, reference, other, asking->runs, scratch);
    if (paired.pairs == 0) {
        return true;
    }
    if (asking->is_exact) {
        paired_settle(&paired);
    }
    bool is_share = storm_unit_is_share(measure->unit);
    *difference = (struct storm_difference){
        .metric = measure->name,
        .unit = measure->unit,
        .better = measure->better,
        .reference = paired.reference,
        .other = paired.other,
        .difference = paired.difference,
        .p = paired.p,
        .tolerance = is_share ? asking->tolerance : asking->tolerance * fabs(paired.reference),
        .pairs = paired.pairs,
        .exact = kind != PAIRED_MEAN};
    asking->pairs[asking->count++] = paired;
    return true;
}

static bool ask_recovers(struct asking *asking) {
    struct measure measure = measure_of_recovery();
    uint32_t most = asking->reference->runs_done > asking->other->runs_done
                        ? asking->reference->runs_done
                        : asking->other->runs_done;
    double *reference = arena_take_array(asking->arena, most, sizeof *reference);
    double *other = arena_take_array(asking->arena, most, sizeof *other);
    if (reference == NULL || other == NULL) {
        return false;
    }
    measure_values(asking->reference, &measure, reference);
    measure_values(asking->other, &measure, other);
    return ask(asking, PAIRED_SHARE, &measure, reference, other);
}

static bool ask_metric(struct asking *asking, const struct storm_metric *reference) {
    const struct storm_metric *other = storm_variant_metric(asking->other, reference->name);
    struct measure measure = {reference->name, reference->unit, reference->better, false};
    return other == NULL || ask(asking, reference->bimodal ? PAIRED_MEDIAN : PAIRED_MEAN, &measure,
                                reference->per_run, other->per_run);
}

/* ---- all of them ----------------------------------------------------------------------------- */

void comparison_judge(struct storm_difference *difference) {
    double tolerance = difference->tolerance;
    bool up = difference->lo > tolerance, down = difference->hi < -tolerance;
    assert(!(up && down));
    if (difference->lo >= -tolerance && difference->hi <= tolerance) {
        difference->change = STORM_CHANGE_SAME;
    } else if (!up && !down) {
        difference->change = STORM_CHANGE_INCONCLUSIVE;
    } else if (difference->better == STORM_BETTER_NEITHER) {
        difference->change = STORM_CHANGE_DIFFERENT;
    } else {
        bool good = up == (difference->better == STORM_BETTER_HIGHER);
        difference->change = good ? STORM_CHANGE_BETTER : STORM_CHANGE_WORSE;
    }
}

/* Corrects the tests for their number, and gives each difference the interval that goes with it.
   False at the arena's limit. */
static bool conclude(struct asking *asking) {
    double *p = arena_take_array(asking->arena, asking->count, 3 * sizeof *p);
    if (p == NULL) {
        return false;
    }
    double *adjusted = p + asking->count, *alphas = adjusted + asking->count;
    uint32_t asked = 0;
    for (uint32_t i = 0; i < asking->count; i++) {
        if (!asking->pairs[i].is_equal) {
            p[asked++] = asking->pairs[i].p;
        }
    }
    holm(p, asked, COMPARISON_ALPHA, adjusted, alphas);
    asked = 0;
    for (uint32_t i = 0; i < asking->count; i++) {
        struct storm_difference *difference = &asking->differences[i];
        double alpha = COMPARISON_ALPHA;
        if (!asking->pairs[i].is_equal) {
            difference->p = quantile_cut(adjusted[asked]);
            alpha = alphas[asked++];
        }
        paired_interval(&asking->pairs[i], alpha, &difference->lo, &difference->hi);
        comparison_judge(difference);
    }
    return true;
}

/* Whether the runs, of which there are several, agree in every metric: dozens of them do not by
   chance. */
static bool is_without_chance(const struct storm_variant *variant) {
    for (uint32_t i = 0; i < variant->metric_count; i++) {
        const struct storm_metric *metric = &variant->metrics[i];
        uint32_t numbers = 0;
        for (uint32_t run = 0; run < variant->runs_done; run++) {
            double value = metric->per_run[run];
            if (value < metric->per_run[0] || value > metric->per_run[0]) {
                return false;
            }
            numbers += isnan(value) ? 0 : 1;
        }
        if (numbers != 0 && numbers != variant->runs_done) {
            return false;
        }
    }
    return variant->runs_done > 1 && variant->metric_count >= EXACT_METRICS_LEAST;
}

static bool compare(const struct storm_variant *reference, const struct storm_variant *other,
                    const char *only, double tolerance, struct arena *arena,
                    struct storm_comparison *comparison) {
    uint32_t most = reference->metric_count + 1;
    uint32_t runs =
        reference->runs_done < other->runs_done ? reference->runs_done : other->runs_done;
    struct asking asking = {reference, other, only, tolerance, runs, .arena = arena};
    assert(tolerance >= 0);
    asking.is_exact = is_without_chance(reference) && is_without_chance(other);
    asking.differences = arena_take_array(arena, most, sizeof *asking.differences);
    asking.pairs = arena_take_array(arena, most, sizeof *asking.pairs);
    bool good = asking.differences != NULL && asking.pairs != NULL && ask_recovers(&asking);
    for (uint32_t i = 0; good && i < reference->metric_count; i++) {
        good = ask_metric(&asking, &reference->metrics[i]);
    }
    good = good && conclude(&asking);
    comparison->difference_count = good ? asking.count : 0;
    comparison->differences = asking.differences;
    return good;
}

bool comparison_of(const struct storm_variant *reference, const struct storm_variant *other,
                   double tolerance, struct arena *arena, struct storm_comparison *comparison) {
    return compare(reference, other, NULL, tolerance, arena, comparison);
}

bool comparison_in(const struct storm_variant *reference, const struct storm_variant *other,
                   const char *metric, double tolerance, struct arena *arena,
                   struct storm_comparison *comparison) {
    assert(metric != NULL);
    return compare(reference, other, metric, tolerance, arena, comparison);
}
