/* spans.h: the faults of a scenario, and what operators do, as labelled bands on the time axis. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TRIALS_SPANS_H
#define TRIALS_SPANS_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/results.h>
#include <retrystorm/scenario.h>

struct arena;

/* A fault that comes back has a span for each time, unless there are more than this: then it has
   one from the first to the last. */
enum { SPANS_OF_A_FAULT = 20 };

/* The spans of all faults and then of all actions, in file order, cut at the end of a run of
   `duration`. False at the arena's limit. */
bool spans_of(const struct storm_scenario *scenario, storm_time duration, struct arena *arena,
              struct storm_span **spans, uint32_t *count);

#endif
