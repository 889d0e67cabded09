/* evidence.c: how sure a statistic of runs is, and whether it keeps a bound. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/evidence.h"

#include <assert.h>
#include <math.h>

#include <gsl/gsl_cdf.h>

#include "analysis/quantile.h"
#include "base/doubles.h"

/* ---- the three intervals --------------------------------------------------------------------- */

static void share_interval(struct storm_evidence *evidence, uint32_t good, double alpha) {
    double n = evidence->runs, k = good;
    evidence->lo = good > 0 ? quantile_cut(gsl_cdf_beta_Pinv(alpha, k, n - k + 1)) : 0;
    evidence->hi =
        good < evidence->runs ? quantile_cut(gsl_cdf_beta_Pinv(1 - alpha, k + 1, n - k)) : 1;
}

/* The quantile lies below the l-th of the values only if fewer than l of them are no greater than
   it, and above the u-th only if at least u of them are less. */
static void quantile_interval(struct storm_evidence *evidence, const double *sorted, double q,
                              double alpha) {
    uint32_t below = 0, above = evidence->runs;
    while (below < evidence->runs && gsl_cdf_binomial_P(below, q, evidence->runs) <= alpha) {
        below++;
    }
    while (above > 0 && gsl_cdf_binomial_Q(above - 1, q, evidence->runs) <= alpha) {
        above--;
    }
    evidence->lo = below > 0 ? sorted[below - 1] : -HUGE_VAL;
    evidence->hi = above < evidence->runs ? sorted[above] : HUGE_VAL;
}

static void mean_interval(struct storm_evidence *evidence, const double *values, double alpha) {
    double squares = 0, n = evidence->runs;
    for (uint32_t i = 0; i < evidence->runs; i++) {
        squares += (values[i] - evidence->value) * (values[i] - evidence->value);
    }
    bool known = evidence->runs >= 2 && isfinite(squares);
    double half = known ? quantile_student(alpha, n - 1) * sqrt(squares / (n - 1) / n) : HUGE_VAL;
    evidence->lo = known ? evidence->value - half : -HUGE_VAL;
    evidence->hi = known ? evidence->value + half : HUGE_VAL;
}

/* ---- what they say --------------------------------------------------------------------------- */

struct storm_evidence evidence_of_statistic(const struct statistic *statistic,
                                            const struct measure *measure, double *values,
                                            uint32_t count, double alpha) {
    struct storm_evidence evidence = {.runs = doubles_drop_holes(values, count)};
    assert(alpha > 0 && alpha < 0.5);
    evidence.value = statistic_of(statistic, measure, values, evidence.runs);
    evidence.lo = -HUGE_VAL;
    evidence.hi = HUGE_VAL;
    if (evidence.runs == 0) {
        return evidence;
    }
    if (measure->is_share_of_runs) {
        for (uint32_t i = 0; i < evidence.runs; i++) {
            evidence.good += values[i] > 0;
        }
        evidence.value = (double)evidence.good / evidence.runs;
        share_interval(&evidence, evidence.good, alpha);
    } else if (statistic->kind == STATISTIC_MEAN) {
        mean_interval(&evidence, values, alpha);
    } else {
        bool is_usual = statistic->kind == STATISTIC_USUAL;
        quantile_interval(&evidence, values, is_usual ? 0.5 : statistic->quantile, alpha);
    }
    return evidence;
}

struct storm_evidence evidence_of(const struct criterion *criterion, const struct measure *measure,
                                  double *values, uint32_t count, double alpha) {
    struct storm_evidence evidence =
        evidence_of_statistic(&criterion->statistic, measure, values, count, alpha);
    for (uint32_t i = 0; !measure->is_share_of_runs && i < evidence.runs; i++) {
        evidence.good += criterion_holds(criterion, values[i]);
    }
    evidence.holds = criterion_holds(criterion, evidence.value);
    evidence.is_proven = evidence.runs > 0 && criterion_holds(criterion, evidence.lo) ==
                                                  criterion_holds(criterion, evidence.hi);
    return evidence;
}
