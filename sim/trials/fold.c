/* fold.c: the runs of one variant become shares, means, medians and ranges, in run order. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trials/fold.h"

#include <assert.h>
#include <math.h>

#include "base/arena.h"
#include "base/doubles.h"

static const double ghost_share = 0.05;

bool fold_metrics_begin(struct storm_variant *variant, uint32_t runs, struct arena *arena) {
    for (uint32_t i = 0; i < variant->metric_count; i++) {
        variant->metrics[i].per_run = arena_take_array(arena, runs, sizeof(double));
        if (variant->metrics[i].per_run == NULL) {
            return false;
        }
    }
    return true;
}

void fold_run(struct storm_variant *variant, uint32_t run, const struct storm_run_result *result) {
    assert(result->verdict < STORM_VERDICT_COUNT);
    variant->verdicts[result->verdict]++;
    variant->verdict_per_run[run] = (uint8_t)result->verdict;
    for (uint32_t i = 0; i < variant->metric_count; i++) {
        variant->metrics[i].per_run[run] = result->metrics[i];
    }
}

static void summarise(struct storm_metric *metric, uint32_t runs, double *sorted) {
    double sum = 0;
    uint32_t count = 0;
    for (uint32_t run = 0; run < runs; run++) {
        double value = metric->per_run[run];
        if (value == value) { /* a number */
            sorted[count++] = value;
            sum += value;
        }
    }
    metric->applies = count;
    metric->lo = metric->hi = (double)NAN;
    if (count == 0) {
        metric->mean = metric->median = metric->min = metric->max = (double)NAN;
        return;
    }
    doubles_sort(sorted, count);
    metric->mean = sum / count;
    metric->median = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
    metric->min = sorted[0];
    metric->max = sorted[count - 1];
}

bool fold_metrics_end(struct storm_variant *variant, struct arena *arena) {
    double *sorted = arena_take_array(arena, variant->runs_done, sizeof *sorted);
    for (uint32_t i = 0; sorted != NULL && i < variant->metric_count; i++) {
        summarise(&variant->metrics[i], variant->runs_done, sorted);
    }
    return sorted != NULL;
}

uint32_t fold_ghost(const struct storm_variant *variant) {
    uint32_t first = UINT32_MAX, others = 0;
    for (uint32_t run = 1; run < variant->runs_done; run++) {
        bool other = storm_verdict_is_good(variant->verdict_per_run[run]) !=
                     storm_verdict_is_good(variant->verdict_per_run[0]);
        others += other;
        first = other && first == UINT32_MAX ? run : first;
    }
    return others >= ghost_share * variant->runs_done ? first : UINT32_MAX;
}
