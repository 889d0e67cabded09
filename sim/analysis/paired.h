/* paired.h: how much one thing differs from another whose runs had the same luck. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ANALYSIS_PAIRED_H
#define ANALYSIS_PAIRED_H

#include <stdbool.h>
#include <stdint.h>

/* What is asked of the pairs' differences (other - reference).

   MEAN: the mean; Student's t over the differences.

   MEDIAN: the median, for values that may lie in two heaps. The exact sign test (differences of 0
   are dropped), and the exact interval between two order statistics, of all differences: H. A.
   David and H. N. Nagaraja, "Order Statistics" (3rd ed., 2003), section 7.1. It misses the truth by
   at most what was allowed, whatever the law of the differences. Too few pairs give no bounds.

   SHARE: values are 0 or 1, and the difference is that of two shares. McNemar's exact test (the
   sign test of the pairs that differ) and the interval of D. G. Bonett and R. M. Price, "Adjusted
   Wald confidence interval for a difference of binomial proportions based on paired data", Journal
   of Educational and Behavioral Statistics 37 (2012), 479-488; where it is bolder than the test, it
   is extended to 0. */
enum paired_kind { PAIRED_MEAN, PAIRED_MEDIAN, PAIRED_SHARE };

struct paired {
    enum paired_kind kind;
    uint32_t pairs;          /* in which both are numbers */
    double reference, other; /* the pairs' means, medians or shares */
    double difference;       /* the mean or median of the pairs' differences; NaN without pairs */
    double p;                /* of no difference; 1 where all pairs are equal, or too few to tell */
    bool is_equal;           /* every pair's difference is 0 */
    bool is_exact;           /* no chance is left in it: see paired_settle */
    double error;            /* MEAN: standard error of the difference; NaN for fewer than two */
    const double *sorted;    /* MEDIAN: the differences, least first */
    uint32_t up, down;       /* pairs in which the other is greater, and less */
};

/* Pairs values by their index. `scratch` has room for `count` values and must live as long as the
   result. */
struct paired paired_of(enum paired_kind kind, const double *reference, const double *other,
                        uint32_t count, double *scratch);

/* Says that neither side has any chance in it (its runs are all alike): the difference is what it
   is, however few the pairs. */
void paired_settle(struct paired *paired);

/* The interval that misses the true difference with chance `alpha`, half of it on each side.
   Infinite where the pairs bound nothing; of width 0 where all pairs are equal. */
void paired_interval(const struct paired *paired, double alpha, double *lo, double *hi);

#endif
