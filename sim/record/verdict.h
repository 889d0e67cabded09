/* verdict.h: did the system come back by itself? */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RECORD_VERDICT_H
#define RECORD_VERDICT_H

#include <stdint.h>

#include <retrystorm/results.h>

struct arena;
struct recorder;

struct verdict {
    enum storm_verdict word;
    double time_to_recover; /* seconds from the trigger's end; NaN unless it recovered or was
                               unharmed */
    double last_bad;        /* seconds; NaN when no bin was bad */
};

/* Judges a finished run. Windows of 10 s (or 100 births, whichever is longer) begin at every bin of
   the track. A window is in band when its success share, by time of birth, is within max(1 point, 4
   standard errors) of the baseline's, and every service's mean backlog is at most max(2 x the
   baseline's largest, half a timeout of work). The standard errors are those of the difference of
   two samples, as large as the baseline's own windows scatter, with an allowance for few failures.
   The baseline is what came before the trigger; without a before it is 100 % and empty. */
struct verdict verdict_judge(const struct recorder *recorder);

#endif
