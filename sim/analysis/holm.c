/* holm.c: many questions asked of the same runs, and none answered too boldly. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/holm.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

/* Whether hypothesis `i` comes before `j`: by its p, and equal ones as they stand. */
static bool is_before(const double *p, uint32_t i, uint32_t j) {
    return p[i] < p[j] || (!(p[j] < p[i]) && i < j);
}

/* The first of those that come after `last`; after none (UINT32_MAX), the first of all. */
static uint32_t next_after(const double *p, uint32_t count, uint32_t last) {
    uint32_t next = UINT32_MAX;
    for (uint32_t i = 0; i < count; i++) {
        bool after = last == UINT32_MAX || is_before(p, last, i);
        if (after && (next == UINT32_MAX || is_before(p, i, next))) {
            next = i;
        }
    }
    assert(next != UINT32_MAX);
    return next;
}

void holm(const double *p, uint32_t count, double alpha, double *adjusted, double *alphas) {
    double largest = 0, step = alpha;
    bool failed = false;
    uint32_t last = UINT32_MAX;
    for (uint32_t rank = 0; rank < count; rank++) {
        uint32_t i = next_after(p, count, last);
        double scaled = (count - rank) * p[i];
        assert(p[i] >= 0 && p[i] <= 1);
        largest = fmax(largest, fmin(scaled, 1));
        step = failed ? step : alpha / (count - rank);
        failed = failed || scaled > alpha;
        adjusted[i] = largest;
        alphas[i] = step;
        last = i;
    }
}
