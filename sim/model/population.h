/* population.h: the clients: when they want something, and what became of it. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_POPULATION_H
#define MODEL_POPULATION_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/scenario.h>

struct attempt;
struct world;

/* Prepares population `index` and schedules its first birth. False (with world->error set) at
   the memory limit. */
bool population_init(struct world *world, uint32_t index);

/* The moment of the population's next birth (for a herd: of all births) has come. */
void population_birth(struct world *world, uint32_t index);

/* A member of a closed population, by its number among all of them, has thought long enough. */
void population_thought(struct world *world, uint32_t number);

/* What makes a birth. */
struct birth {
    uint32_t member, ordinal;
    uint32_t copy;    /* 0: fresh */
    uint32_t message; /* the copy whose message it is */
    uint16_t day;     /* of the first copy's birth; of a fresh one it is today */
    enum storm_birth kind;
};

/* One member wants something done: a request is born and its call begins. Room for one call and
   one attempt must have been reserved. Consumers have no births of their own: see broker_put. */
void population_bear(struct world *world, uint32_t index, const struct birth *birth);

/* The root call `call` has ended: the request succeeded or is a dead letter. The call is not
   freed. */
void population_request_ended(struct world *world, uint32_t call);

/* The plan has changed from `before` to what it is now: the next birth is scheduled anew where the
   rate is another. */
void population_replan(struct world *world, uint32_t index, const struct storm_population *before);

#endif
