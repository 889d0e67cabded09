/* outage.h: how a service goes away, is knocked down by overload, comes back, and recovers. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_OUTAGE_H
#define MODEL_OUTAGE_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/scenario.h>
#include <retrystorm/units.h>

struct service;
struct world;

/* Prepares the service's overload window. False (with world->error set) at the memory limit. */
bool outage_init(struct world *world, struct service *service);

/* Counts an arrival at `now`; true when it is one too many for the service's crash rule. */
bool outage_is_overload(struct service *service, storm_time now, bool is_full);

/* Overload knocks the service down; only its return is scheduled. */
void outage_crash(struct world *world, uint32_t index);

/* One more cause for the service to be away: with `down` queue and work in progress are reset, with
   `hang` they vanish silently, unless `lost` says otherwise. A hang hides a simultaneous down:
   nobody answers. */
void outage_begin(struct world *world, uint32_t index, enum storm_outage kind,
                  enum storm_lost lost);

/* One cause less; with the last one the service is up, its overload window is empty, and its
   recovery begins. */
void outage_end(struct world *world, uint32_t index, enum storm_outage kind);

/* A service that overload knocked down comes up. */
void outage_return(struct world *world, uint32_t index);

/* One more worker of a recovering service. */
void outage_ramp(struct world *world, uint32_t index);

/* The factors of the faults in force have changed: capacity follows, and waiting attempts may
   start. */
void outage_set_factors(struct world *world, uint32_t index, double slow, double share);

/* The plan has changed from `before` to what it is now: its workers are in force at once. */
void outage_replan(struct world *world, uint32_t index, const struct storm_service *before);

#endif
