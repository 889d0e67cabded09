/* sharing.h: a service whose workers all attempts share: each gets the same part of them, and at
   most one (processor sharing). */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_SHARING_H
#define MODEL_SHARING_H

#include <stdint.h>

#include <retrystorm/units.h>

struct service;
struct world;

/* The attempt, which is working, needs `work` of one worker alone; EVENT_SHARED comes when the
   first of all is done. At the memory limit world->error is set. */
void sharing_join(struct world *world, uint32_t attempt, storm_time work);

/* The one that is done first leaves; returned. */
uint32_t sharing_pop(struct world *world, uint32_t service);

/* The attempt leaves before it is done. */
void sharing_leave(struct world *world, uint32_t attempt);

/* The workers in force, or their speed, are about to change: what was done so far is noted. */
void sharing_settle(struct world *world, uint32_t service);

/* They have changed, or the crowd has: the next end is scheduled anew. */
void sharing_reschedule(struct world *world, uint32_t service);

#endif
