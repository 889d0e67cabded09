/* warmup.c: how much of a long run's beginning still shows how it was begun. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/warmup.h"

#include <assert.h>
#include <math.h>

enum { BATCH = 5 };

static double mean_of(const double *values, uint32_t from, uint32_t count) {
    double sum = 0;
    assert(from < count);
    for (uint32_t i = from; i < count; i++) {
        sum += values[i];
    }
    return sum / (count - from);
}

static double batch_of(const double *values, uint32_t batch) {
    return mean_of(values, batch * BATCH, (batch + 1) * BATCH);
}

struct warmup warmup_mser5(const double *values, uint32_t count) {
    struct warmup best = {.statistic = (double)INFINITY};
    uint32_t batches = count / BATCH;
    double mean = 0, squares = 0; /* of the batches from the last to the present one */
    assert(batches > 0);
    /* From the end to the beginning, each batch moves the mean and the squares (Welford): the
       squares of every tail are known after one pass. */
    for (uint32_t left = batches; left-- > 0;) {
        double kept = batches - left, value = batch_of(values, left), off = value - mean;
        mean += off / kept;
        squares += off * (value - mean);
        double statistic = squares / (kept * kept);
        if (left <= batches / 2 && statistic <= best.statistic) {
            best.statistic = statistic;
            best.cut = left * BATCH;
        }
    }
    best.mean = mean_of(values, best.cut, count);
    return best;
}
