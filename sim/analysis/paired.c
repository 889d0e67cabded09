/* paired.c: how much one thing differs from another whose runs had the same luck. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/paired.h"

#include <assert.h>
#include <math.h>

#include "analysis/measure.h"
#include "analysis/quantile.h"

/* ---- the pairs ------------------------------------------------------------------------------- */

/* Sums in another order end in other bits: so small a share of a value is no difference. */
static const double last_bits = 1e-12;

/* Whole numbers differ by the same in a few pairs by chance; the sign test asks for six, too. */
enum { CONSTANT_LEAST = 6 };

static bool is_pair(double reference, double other) { return !isnan(other - reference); }

/* Of `values`, those of the pairs, in their order. */
static void keep_pairs(const double *reference, const double *other, const double *values,
                       uint32_t count, double *kept) {
    uint32_t pairs = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (is_pair(reference[i], other[i])) {
            kept[pairs++] = values[i];
        }
    }
}

static uint32_t keep_differences(const double *reference, const double *other, uint32_t count,
                                 double *differences) {
    uint32_t pairs = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (is_pair(reference[i], other[i])) {
            double d = other[i] - reference[i];
            differences[pairs++] = fabs(d) > last_bits * fabs(reference[i]) ? d : 0;
        }
    }
    return pairs;
}

/* Sorts the values. */
static double typical_of(enum paired_kind kind, double *values, uint32_t count) {
    struct statistic statistic = {kind == PAIRED_MEDIAN ? STATISTIC_QUANTILE : STATISTIC_MEAN, 0.5};
    return statistic_of(&statistic, &(struct measure){.name = ""}, values, count);
}

static double error_of(const double *differences, uint32_t count, double mean) {
    double squares = 0;
    for (uint32_t i = 0; i < count; i++) {
        double d = differences[i] - mean;
        squares += d * d;
    }
    return count < 2 ? (double)NAN : sqrt(squares / (count - 1.0) / count);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static double sign_test(uint32_t up, uint32_t down) {
    return fmin(1, 2 * quantile_coin(up < down ? up : down, up + down));
}

/* Every pair has the same difference. */
static bool is_constant(const struct paired *paired) {
    return paired->error <= last_bits * fabs(paired->difference);
}

static double student_test(const struct paired *paired) {
    if (isnan(paired->error)) {
        return 1;
    }
    if (is_constant(paired)) {
        return paired->pairs < CONSTANT_LEAST ? sign_test(paired->up, paired->down) : 0;
    }
    return quantile_student_sides(paired->difference / paired->error, paired->pairs - 1.0);
}

struct paired paired_of(enum paired_kind kind, const double *reference, const double *other,
                        uint32_t count, double *scratch) {
    struct paired paired = {.kind = kind, .sorted = scratch};
    paired.pairs = keep_differences(reference, other, count, scratch);
    for (uint32_t i = 0; i < paired.pairs; i++) {
        paired.up += scratch[i] > 0;
        paired.down += scratch[i] < 0;
    }
    keep_pairs(reference, other, reference, count, scratch);
    paired.reference = typical_of(kind, scratch, paired.pairs);
    keep_pairs(reference, other, other, count, scratch);
    paired.other = typical_of(kind, scratch, paired.pairs);
    keep_differences(reference, other, count, scratch);
    paired.difference = typical_of(kind, scratch, paired.pairs);
    /* They are sorted by now, which is an order as good as any and the same on every machine. */
    paired.error = error_of(scratch, paired.pairs, paired.difference);
    paired.is_equal = paired.pairs > 0 && paired.up + paired.down == 0;
    assert(paired.up + paired.down <= paired.pairs);
    if (paired.up + paired.down == 0) {
        paired.p = 1;
    } else {
        paired.p = kind == PAIRED_MEAN ? student_test(&paired) : sign_test(paired.up, paired.down);
    }
    return paired;
}

void paired_settle(struct paired *paired) {
    paired->is_exact = true;
    paired->p = paired->is_equal ? 1 : 0;
}

/* ---- intervals ------------------------------------------------------------------------------- */

static double student_half(const struct paired *paired, double alpha) {
    if (isnan(paired->error)) {
        return (double)INFINITY;
    }
    if (is_constant(paired)) {
        return paired->pairs < CONSTANT_LEAST ? (double)INFINITY : 0;
    }
    return paired->error * quantile_student(alpha / 2, paired->pairs - 1.0);
}

/* How many of `count` ordered values may be left out on each side: as many as the median lies
   beyond with chance alpha / 2 at most. UINT32_MAX when not even none. */
static uint32_t order_cut(uint32_t count, double alpha) {
    uint32_t good = UINT32_MAX, bad = count / 2 + 1; /* good + 1 <= the answer < bad, mod 2^32 */
    while (bad - (good + 1) > 0) {
        uint32_t middle = (good + 1) + (bad - (good + 1)) / 2;
        if (2 * quantile_coin(middle, count) <= alpha) {
            good = middle;
        } else {
            bad = middle;
        }
    }
    return good;
}

static void median_interval(const struct paired *paired, double alpha, double *lo, double *hi) {
    uint32_t cut = order_cut(paired->pairs, alpha);
    if (cut == UINT32_MAX) {
        *lo = -(double)INFINITY;
        *hi = (double)INFINITY;
        return;
    }
    assert(2 * cut < paired->pairs);
    *lo = paired->sorted[cut];
    *hi = paired->sorted[paired->pairs - 1 - cut];
}

/* Bonett and Price: as if one more pair had gone up and one more down. */
static void share_interval(const struct paired *paired, double alpha, double *lo, double *hi) {
    double n = paired->pairs + 2.0;
    double up = (paired->up + 1.0) / n, down = (paired->down + 1.0) / n;
    double half = quantile_normal(alpha / 2) * sqrt((up + down - (up - down) * (up - down)) / n);
    *lo = fmax(up - down - half, -1);
    *hi = fmin(up - down + half, 1);
    if (paired->p > alpha) {
        *lo = fmin(*lo, 0);
        *hi = fmax(*hi, 0);
    }
}

void paired_interval(const struct paired *paired, double alpha, double *lo, double *hi) {
    double half;
    assert(paired->pairs > 0 && alpha > 0 && alpha < 1);
    if (paired->is_equal || paired->is_exact) {
        *lo = *hi = paired->difference;
        return;
    }
    switch (paired->kind) {
    case PAIRED_MEAN:
        half = student_half(paired, alpha);
        *lo = paired->difference - half;
        *hi = paired->difference + half;
        return;
    case PAIRED_MEDIAN:
        median_interval(paired, alpha, lo, hi);
        return;
    case PAIRED_SHARE:
        share_interval(paired, alpha, lo, hi);
        return;
    }
    assert(false && "a kind of pairs");
}
