/* evidence.h: what so many runs say about a number that is asked for, as plain data. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RETRYSTORM_EVIDENCE_H
#define RETRYSTORM_EVIDENCE_H

#include <stdbool.h>
#include <stdint.h>

/* A statistic over runs, and what it says about a bound. The interval is exact for shares of runs
   (Clopper-Pearson) and for quantiles (order statistics), Student's for means; an end that so few
   runs cannot give is infinite. */
struct storm_evidence {
    uint32_t runs;        /* in which there is a number */
    uint32_t good;        /* of those, that end in band, or whose own number keeps the bound */
    double value, lo, hi; /* the statistic, NaN without runs, and its interval */
    bool holds;           /* the statistic keeps the bound */
    bool is_proven;       /* so does all of the interval, or nothing of it; or the runs are alike */
    bool is_alike;        /* the runs are the same to the last fact: there is no chance in them */
};

#endif
