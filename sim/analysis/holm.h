/* holm.h: many questions asked of the same runs, and none answered too boldly. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ANALYSIS_HOLM_H
#define ANALYSIS_HOLM_H

#include <stdint.h>

/* Holm's step-down procedure: S. Holm, "A simple sequentially rejective multiple test procedure",
   Scandinavian Journal of Statistics 6 (1979), 65-70. The chance that any true hypothesis of the
   `count` is rejected is at most `alpha`, however the tests depend on each other.

   adjusted[i] is rejected exactly when it is at most alpha: the largest (count - r) p of the
   hypotheses up to it in the order of their p, where r of them come before; at most 1.

   alphas[i] is what an interval of its own may miss the truth by so that it says the same as the
   test: alpha / (count - r) as long as all before it were rejected; from the first that is not, all
   stand at that one's. An interval that misses 0 with chance alphas[i] thus holds 0 exactly when
   the hypothesis is not rejected. */
void holm(const double *p, uint32_t count, double alpha, double *adjusted, double *alphas);

#endif
