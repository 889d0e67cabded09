/* arrival.h: when the next request of a population is born. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_ARRIVAL_H
#define MODEL_ARRIVAL_H

#include <stdbool.h>

#include <retrystorm/units.h>

struct population;
struct world;

/* Lays out where the members lie in their period or spread, if they do. False (with world->error
   set) at the memory limit. */
bool arrival_init(struct world *world, struct population *population);

/* The time of the birth of turn number `turns`, drawn as seen from `now`; STORM_NEVER when there is
   none any more. Closed populations have none: their members have times of their own. */
storm_time arrival_next(struct population *population, storm_time now);

/* The rate has changed by a factor while a birth was awaited: what is left of the wait shrinks by
   it. */
storm_time arrival_rescale(struct population *population, storm_time now, double factor);

/* Whether one birth event brings all members; else it brings one. */
bool arrival_is_herd(const struct population *population);

#endif
