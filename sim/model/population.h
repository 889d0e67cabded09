/* population.h: the clients: when they want something, and what became of it. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_POPULATION_H
#define MODEL_POPULATION_H

#include <stdbool.h>
#include <stdint.h>

struct world;

/* Prepares population `index` and schedules its first birth. False (with world->error set) at
   the memory limit. */
bool population_init(struct world *world, uint32_t index);

/* The moment of the population's next birth (for `at`: of all births) has come. */
void population_birth(struct world *world, uint32_t index);

/* The root call `call` has ended: the request succeeded or is a dead letter. The call is not
   freed. */
void population_request_ended(struct world *world, uint32_t call);

#endif
