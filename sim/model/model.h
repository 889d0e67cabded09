/* model.h: the simulated world of one run: clients call services, services break, callers retry. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/error.h>
#include <retrystorm/fact.h>
#include <retrystorm/scenario.h>

struct arena;
struct model;

/* Builds the world of run number `run` under `seed`; every fact goes to `listener`. The scenario
   must outlive it, all memory is the arena's. NULL after filling `error` (STORM_LIMIT). */
struct model *model_new(struct arena *arena, const struct storm_scenario *scenario, uint64_t seed,
                        uint32_t run, struct storm_listener listener, struct storm_error *error);

/* Handles up to `events` events. Returns true while there is more to do; false at the end of the
   run, or after an error (see model_error). */
bool model_advance(struct model *model, uint64_t events);

/* The time of the last event: of the run's end, when it is over. */
storm_time model_now(const struct model *model);

/* Events handled so far. */
uint64_t model_events(const struct model *model);

/* The first error, STORM_OK when there is none: the memory limit, or a loop without delay. */
const struct storm_error *model_error(const struct model *model);

/* Asserts conservation: every request born has succeeded, is dead, or is in flight; every attempt
   that arrived was answered, refused or lost, or is still there. Holds after any event. */
void model_audit(const struct model *model);

#endif
