/* charts.h: every chart of charts.def, declared from it. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef PLOTS_CHARTS_H
#define PLOTS_CHARTS_H

#include <stdbool.h>

#include <retrystorm/chart.h>
#include <retrystorm/error.h>
#include <retrystorm/results.h>
#include <retrystorm/sweep.h>

#include "plots/scene.h"

/* Each draws results, or a sweep, into an empty scene. False after filling `error`. */
#define CHART(name, function, summary)                                                             \
    bool function(const struct storm_results *results, const struct storm_chart_options *options,  \
                  struct scene *scene, struct storm_error *error);
#define SWEEP_CHART(name, function, summary)                                                       \
    bool function(const struct storm_sweep *sweep, const struct storm_chart_options *options,      \
                  struct scene *scene, struct storm_error *error);
#include "plots/charts.def"
#undef CHART
#undef SWEEP_CHART

#endif
