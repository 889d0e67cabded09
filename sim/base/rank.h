/* rank.h: the places of a scenario in the order of their names, whatever the order of its file. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BASE_RANK_H
#define BASE_RANK_H

#include <stdint.h>

#include <retrystorm/scenario.h>

/* Luck is keyed by ranks, so that a file whose maps are written in another order says the same. */

/* A population's place among the clients by name; consumers come after all clients. */
uint32_t rank_of_population(const struct storm_scenario *scenario, uint32_t index);

/* A service's place among the services by name. */
uint32_t rank_of_service(const struct storm_scenario *scenario, uint32_t index);

/* The place of a service's call (an index into `calls`) by the service's name, and among its own as
   they are listed. */
uint32_t rank_of_call(const struct storm_scenario *scenario, uint32_t index);

#endif
