/* evidence.h: how sure a statistic of runs is, and whether it keeps a bound. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ANALYSIS_EVIDENCE_H
#define ANALYSIS_EVIDENCE_H

#include <stdint.h>

#include <retrystorm/evidence.h>

#include "analysis/criterion.h"
#include "analysis/measure.h"

/* The statistic of values[count] and its interval, each end of which is wrong with a probability of
   at most `alpha`. Values that are NaN are left out. `holds` and what follows it stay false. Sorts
   `values`.
   Shares: C. Clopper, E. Pearson, "The use of confidence or fiducial limits", Biometrika 26 (1934).
   Quantiles: H. David, H. Nagaraja, "Order statistics", 3rd ed., section 7.1. */
struct storm_evidence evidence_of_statistic(const struct statistic *statistic,
                                            const struct measure *measure, double *values,
                                            uint32_t count, double alpha);

/* The same for the statistic of a criterion, with what it says about the bound. */
struct storm_evidence evidence_of(const struct criterion *criterion, const struct measure *measure,
                                  double *values, uint32_t count, double alpha);

#endif
