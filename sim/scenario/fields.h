/* fields.h: the scenario's tables of settings, one per kind of map, and the readers they share. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SCENARIO_FIELDS_H
#define SCENARIO_FIELDS_H

#include <retrystorm/scenario.h>

#include "scenario/decode.h"

/* The tables, from the top of the file down. Offsets are into the struct named. */
extern const struct shape scenario_shape;   /* storm_scenario */
extern const struct shape policy_shape;     /* storm_policy */
extern const struct shape population_shape; /* storm_population */
extern const struct shape edge_shape;       /* storm_edge */
extern const struct shape service_shape;    /* storm_service */
extern const struct shape fault_shape;      /* storm_fault */
extern const struct shape expect_shape;     /* storm_expect */
extern const struct shape dist_shape;       /* storm_dist */

row_reader policies_read, clients_read, services_read, faults_read, expects_read; /* of the top */
row_reader variants_check; /* stores nothing */

dist_reader dist_read; /* a distribution: a bare duration or a map of dist_shape */

/* A call: `node` is a map of edge_shape. */
void edge_read(struct reader *reader, const struct trail *trail, const struct node *node,
               struct storm_edge *edge);

/* The policy that a `retry:` means (a name, or a map of policy_shape; NULL: no-retry), as an index
   into the scenario's policies; STORM_NONE after an error. */
uint32_t retry_read(struct reader *reader, const struct trail *trail, const struct node *node);

/* The time of an RFC 3339 text in nanoseconds since 1970, and back. Years 1970 to 2199. */
bool epoch_parse(const char *text, int64_t *epoch);
const char *epoch_print(int64_t epoch, char *buffer, size_t size);

/* Blames every circle of calls. */
void calls_check(struct reader *reader);

#endif
