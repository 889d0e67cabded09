/* chart_load.h: the chart "load over time". */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef PLOTS_CHART_LOAD_H
#define PLOTS_CHART_LOAD_H

#include <stdbool.h>

#include <retrystorm/chart.h>
#include <retrystorm/error.h>
#include <retrystorm/results.h>

#include "plots/scene.h"

/* Draws the results into an empty scene: one panel per variant, 1 to 9. False after filling
   `error`. */
bool chart_load(const struct storm_results *results, const struct storm_chart_options *options,
                struct scene *scene, struct storm_error *error);

#endif
