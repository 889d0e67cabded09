/* curves.h: what one panel of "load over time" shows, taken out of the results and put into the
   chart's units. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef PLOTS_CURVES_H
#define PLOTS_CURVES_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/error.h>
#include <retrystorm/results.h>

#include "base/arena.h"

/* All arrays have one value per bin. Rates are per second and finite; what is absent is NULL. */
struct curves {
    const double *first;    /* first attempts */
    const double *total;    /* first attempts + retries */
    const double *capacity; /* NaN where unlimited; NULL where it always is */
    const double *dead;     /* dead letters so far; NULL when there is none at the end */
    const double *born;     /* requests born in the bin; NULL: unknown */
    const double *failed;   /* how many of them fail; NaN: too young to be judged; NULL: unknown */
    const double *ghost;    /* the other outcome: 5 s mean of its attempts; NULL: none */
    uint32_t peak_bin;      /* where total is largest */
    double peak;            /* attempts in the busiest second, which may lie across two bins */
    double peak_factor;     /* that over the whole capacity; NaN: unknown or unlimited */
    double nominal;         /* the largest capacity; NaN: unlimited */
    double dead_end;        /* dead letters at the end */
    double late_share; /* of what the service does in the run's last quarter, how much nobody waits
                          for; 0..1 */
};

/* The service to draw: `wanted` if it has a load, else (NULL) the one that most retries reach, or
   where there are none most attempts, in all variants. NULL after filling `error` when there is
   none. */
const char *curves_service(const struct storm_results *results, const char *wanted,
                           struct storm_error *error);

/* The curves of a variant at a service. False when memory ran out. */
bool curves_read(const struct storm_results *results, const struct storm_variant *variant,
                 const char *service, struct arena *arena, struct curves *curves);

/* What the series of a name come to in each bin, of one subject or (NULL) of all; `per_second`: the
   counts of a bin over its length. NULL when memory ran out. */
double *curves_sum(const struct storm_results *results, const struct storm_variant *variant,
                   const char *subject, const char *name, bool per_second, struct arena *arena);

/* True when an earlier variant, or the same one before, has a series of that name and subject. */
bool curves_is_listed(const struct storm_results *results, uint32_t variant, uint32_t series);

#endif
