/* near.h: are two numbers equal up to rounding? */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef UNIT_PLOTS_NEAR_H
#define UNIT_PLOTS_NEAR_H

#include "support/test.h"

/* Fails at the caller's line, showing both numbers, when they differ by more than `tolerance`. */
#define assert_near(found, wanted, tolerance)                                                      \
    near_check((found), (wanted), (tolerance), __FILE__, __LINE__)

static inline void near_check(double found, double wanted, double tolerance, const char *file,
                              int line) {
    double difference = found < wanted ? wanted - found : found - wanted;
    if (!(difference <= tolerance)) {
        print_error("%.17g is not %.17g within %g\n", found, wanted, tolerance);
        _fail(file, line);
    }
}

#endif
