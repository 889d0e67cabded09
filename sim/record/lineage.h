/* lineage.h: whose is an attempt: the requests under way, and all that is done for them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RECORD_LINEAGE_H
#define RECORD_LINEAGE_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/fact.h>
#include <retrystorm/window.h>

struct arena;
struct lineage;

/* How many are at a service, or in a queue. */
struct lineage_level {
    uint32_t waiting, served;
    uint64_t arrived; /* since the run began */
};

/* Memory is the arena's, as much as most of them at once have needed; NULL at its limit. */
struct lineage *lineage_new(struct arena *arena, const struct storm_scenario *scenario);

/* Hears the next fact of a run, from its first on, and returns whom it is about (of what was held
   back before it was sent: who would have sent it); NULL: no request, or none that is known. What
   is returned is as it is after the fact, and lives until the next one. */
const struct storm_kin *lineage_hear(struct lineage *lineage, const struct storm_fact *fact);

/* Whether memory has run out: then some are missing. */
bool lineage_failed(const struct lineage *lineage);

/* The one of that index; it must be under way. */
const struct storm_kin *lineage_at(const struct lineage *lineage, uint32_t index);

/* All that are under way, in the order in which they began. The array is the arena's; NULL at its
   limit. */
uint32_t *lineage_list(struct lineage *lineage, uint32_t *count);

const struct lineage_level *lineage_level(const struct lineage *lineage, uint32_t service);

#endif
