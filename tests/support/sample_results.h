/* sample_results.h: made-up results for tests of readers: charts, reports. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SUPPORT_SAMPLE_RESULTS_H
#define SUPPORT_SAMPLE_RESULTS_H

#include <stdint.h>

#include <retrystorm/results.h>

/* How the drawn run of a made-up variant looks. */
enum sample_shape {
    SAMPLE_RECOVERS, /* a storm during the outage, then back to normal */
    SAMPLE_STUCK,    /* the storm never ends */
    SAMPLE_MIXED,    /* recovers in 42 of 100 runs; has a ghost */
    SAMPLE_AT_ONCE,  /* hardly any retries */
    SAMPLE_UNHARMED, /* nothing happens at all */
    SAMPLE_SHAPES
};

/* Results over 240 s in 1 s bins with an outage from 60 s to 90 s, 100 runs, one variant per shape.
   The names are borrowed and must outlive the results. Deterministic. Ends the test program when
   memory runs out. */
struct storm_results *sample_results(const enum sample_shape *shapes, const char *const *names,
                                     uint32_t count);

/* The four variants of the usual comparison. */
struct storm_results *sample_results_usual(void);

void sample_results_free(struct storm_results *results);

/* Adds a curve of zeros, which is returned; something that an operator does; an alarm. The names
   are borrowed. */
double *sample_add_series(struct storm_variant *variant, const char *subject, const char *name);
void sample_add_action(struct storm_variant *variant, const char *label, const char *subject,
                       storm_time from, storm_time to);
void sample_add_alarm(struct storm_variant *variant, const char *queue, const char *rule,
                      storm_time first_letter, storm_time raised);

/* The curve of a variant, to be changed by a test; NULL when it has none of that name. */
double *sample_series(const struct storm_variant *variant, const char *name);

/* The statistic of a variant, to be changed by a test; NULL when it has none of that name. */
struct storm_metric *sample_metric(const struct storm_variant *variant, const char *name);

#endif
