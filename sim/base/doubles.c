/* doubles.c: what several statistics do with their numbers first. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/doubles.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *left, const void *right) {
    double a, b;
    memcpy(&a, left, sizeof a);
    memcpy(&b, right, sizeof b);
    assert(!isnan(a) && !isnan(b));
    return a < b ? -1 : a > b;
}

void doubles_sort(double *values, size_t count) {
    if (count > 0) {
        qsort(values, count, sizeof *values, compare);
    }
}

uint32_t doubles_drop_holes(double *values, uint32_t count) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!isnan(values[i])) {
            values[kept++] = values[i];
        }
    }
    return kept;
}
