/* quantile.c: the laws that tests and intervals ask for, the same on every machine. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/quantile.h"

#include <assert.h>
#include <math.h>

#include <gsl/gsl_cdf.h>

double quantile_cut(double value) { return floor(value * 1e9 + 0.5) / 1e9; }

double quantile_student(double tail, double freedom) {
    assert(tail > 0 && tail < 1 && freedom > 0);
    return quantile_cut(gsl_cdf_tdist_Qinv(tail, freedom));
}

double quantile_normal(double tail) {
    assert(tail > 0 && tail < 1);
    return quantile_cut(gsl_cdf_ugaussian_Qinv(tail));
}

double quantile_student_sides(double t, double freedom) {
    assert(freedom > 0);
    return quantile_cut(2 * gsl_cdf_tdist_Q(fabs(t), freedom));
}

double quantile_coin(uint32_t count, uint32_t tosses) {
    assert(count <= tosses);
    return quantile_cut(gsl_cdf_binomial_P(count, 0.5, tosses));
}
