/* front.c: the points that no other one beats in everything. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "search/front.h"

#include <assert.h>
#include <math.h>

static bool is_better(double a, double b, bool is_max) {
    if (isnan(a) || isnan(b)) {
        return isnan(b) && !isnan(a);
    }
    return is_max ? a > b : a < b;
}

/* Whether `a` is better in one measure, and `b` in none. */
static bool beats(const double *a, const double *b, uint32_t measures, const bool *is_max) {
    bool better = false;
    for (uint32_t i = 0; i < measures; i++) {
        if (is_better(b[i], a[i], is_max[i])) {
            return false;
        }
        better = better || is_better(a[i], b[i], is_max[i]);
    }
    return better;
}

void front_mark(const double *values, uint32_t points, uint32_t measures, const bool *is_max,
                bool *is_front) {
    assert(measures > 0);
    for (uint32_t i = 0; i < points; i++) {
        const double *point = values + (uint64_t)i * measures;
        is_front[i] = true;
        for (uint32_t j = 0; j < points && is_front[i]; j++) {
            is_front[i] = !beats(values + (uint64_t)j * measures, point, measures, is_max);
        }
    }
}
