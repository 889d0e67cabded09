/* chart.h: results become a picture. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RETRYSTORM_CHART_H
#define RETRYSTORM_CHART_H

#include <stdbool.h>

#include <retrystorm/error.h>
#include <retrystorm/results.h>
#include <retrystorm/sweep.h>

struct storm_chart_options {
    bool dark;
    const char *service; /* the service whose load is drawn; NULL: the one most attempts reach */
    const char *chart;   /* which one; NULL: "load" of results, "heat" of a sweep */
};

/* Draws a chart, one panel per variant, into `file`; the format follows its extension (.png .svg
   .pdf). NULL options: light, all defaults. The file is written under a temporary name and renamed,
   so a failure leaves no half file. False after filling `error`. */
bool storm_chart_write(const struct storm_results *results,
                       const struct storm_chart_options *options, const char *file,
                       struct storm_error *error);

/* The same of a sweep: "heat", the share of runs that recovers over what was varied, or "front",
   the peak load against the time to recover. */
bool storm_chart_write_sweep(const struct storm_sweep *sweep,
                             const struct storm_chart_options *options, const char *file,
                             struct storm_error *error);

#endif
