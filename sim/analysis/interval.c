/* interval.c: how sure a mean is: Student's t over independent replications. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/interval.h"

#include <assert.h>
#include <math.h>

#include "analysis/quantile.h"

static const double upper_tail = 0.025;

/* Half the width of the interval. The sums are our own: they reach an output, and GSL's are in
   long double. */
static double half_width(const struct storm_metric *metric, uint32_t runs) {
    double squares = 0;
    for (uint32_t run = 0; run < runs; run++) {
        double d = metric->per_run[run] - metric->mean;
        if (d == d) {
            squares += d * d;
        }
    }
    double n = metric->applies;
    assert(n >= 2);
    return quantile_student(upper_tail, n - 1) * sqrt(squares / (n - 1) / n);
}

void interval_fill(struct storm_results *results) {
    for (uint32_t v = 0; v < results->variant_count; v++) {
        struct storm_variant *variant = &results->variants[v];
        for (uint32_t i = 0; i < variant->metric_count; i++) {
            struct storm_metric *metric = &variant->metrics[i];
            if (metric->applies >= 2) {
                double half = half_width(metric, variant->runs_done);
                metric->lo = metric->mean - half;
                metric->hi = metric->mean + half;
            }
        }
    }
}
