/* spans.h: the faults of a scenario as labelled bands on the time axis. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TRIALS_SPANS_H
#define TRIALS_SPANS_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/results.h>
#include <retrystorm/scenario.h>

struct arena;

/* One span per fault, in file order, cut at the run's end. False at the arena's limit. */
bool spans_of(const struct storm_scenario *scenario, struct arena *arena, struct storm_span **spans,
              uint32_t *count);

#endif
