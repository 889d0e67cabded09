/* metrics.h: the table of metrics, laid out for one scenario, and their values for one run. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RECORD_METRICS_H
#define RECORD_METRICS_H

#include <stdint.h>

#include <retrystorm/results.h>
#include <retrystorm/scenario.h>

struct arena;
struct recorder;
struct verdict;

/* How many metrics a scenario has: run metrics once, service metrics once for each service ... */
uint32_t metrics_count(const struct storm_scenario *scenario);

/* Their names, units and directions; statistics zero. NULL at the arena's limit. */
struct storm_metric *metrics_list(const struct storm_scenario *scenario, struct arena *arena);

/* Their values for a finished run, in the same order, into values[metrics_count]. */
void metrics_measure(const struct recorder *recorder, const struct verdict *verdict,
                     double *values);

#endif
