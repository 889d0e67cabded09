/* action.h: what operators do while the run goes on. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_ACTION_H
#define MODEL_ACTION_H

#include <stdbool.h>
#include <stdint.h>

struct world;

/* Schedules the beginning and the end of every action. False (with world->error set) at the memory
   limit. */
bool action_schedule(struct world *world);

/* Action number `index` begins or ends. */
void action_begin(struct world *world, uint32_t index);
void action_end(struct world *world, uint32_t index);

#endif
