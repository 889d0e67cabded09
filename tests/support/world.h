/* world.h: a scenario from YAML text or from a file, and its runs, for tests that watch the
   whole simulator. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SUPPORT_WORLD_H
#define SUPPORT_WORLD_H

#include <stddef.h>
#include <stdint.h>

#include <retrystorm/fact.h>
#include <retrystorm/load.h>
#include <retrystorm/run.h>
#include <retrystorm/scenario.h>

#include "base/arena.h"

/* A decoded scenario and the results of its last run. All memory is its own; give it back with
   world_free. */
struct world_case {
    struct storm_document *document;
    const struct storm_scenario *scenario;
    struct arena arena;
    struct storm_run_result result;
    struct storm_metric *metrics; /* names only; made by the first run */
    uint32_t metric_count;
};

/* Decodes YAML text; what the reader has against it fails the test. */
struct world_case world_write(const char *text);

/* Decodes a file of scenarios/ with the overrides of one variant (NULL: none) and `sets`. */
struct world_case world_read(const char *name, const char *variant,
                             const struct storm_override *sets, size_t set_count);

void world_free(struct world_case *world);

/* Simulates one run; `also` may be NULL. An error fails the test. */
void world_live(struct world_case *world, uint64_t seed, uint32_t run,
                const struct storm_listener *also);

/* The value of a metric in the last run, e.g. "amplification.db". An unknown name fails the
   test. */
double world_metric(const struct world_case *world, const char *name);

/* The index of a service by name, which must exist. */
uint32_t world_service(const struct world_case *world, const char *name);

/* printf into a buffer that must be large enough. Returns the length. */
int world_print(char *buffer, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
