/* chart.h: results become a picture. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RETRYSTORM_CHART_H
#define RETRYSTORM_CHART_H

#include <stdbool.h>

#include <retrystorm/error.h>
#include <retrystorm/results.h>

struct storm_chart_options {
    bool dark;
    const char *service; /* the service whose load is drawn; NULL: the one most attempts reach */
    const char *chart;   /* which one; NULL: "load", load over time */
};

/* Draws a chart, one panel per variant, into `file`; the format follows its extension (.png .svg
   .pdf). NULL options: light, all defaults. The file is written under a temporary name and renamed,
   so a failure leaves no half file. False after filling `error`. */
bool storm_chart_write(const struct storm_results *results,
                       const struct storm_chart_options *options, const char *file,
                       struct storm_error *error);

#endif
