/* action.h: what operators do while the run goes on. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_ACTION_H
#define MODEL_ACTION_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/units.h>

struct attempt;
struct world;

/* Schedules the beginning and the end of every action. False (with world->error set) at the memory
   limit. */
bool action_schedule(struct world *world);

/* Action number `index` begins or ends. */
void action_begin(struct world *world, uint32_t index);
void action_end(struct world *world, uint32_t index);

/* Until when a population is paused, STORM_NEVER: to the end; a time that is not in the future when
   it is not paused. */
storm_time action_pause_end(const struct world *world, uint32_t population);

/* The status with which the operators turn an arriving attempt away at its service's door; 0: it
   may come in. Takes a place of those that are admitted. */
uint16_t action_turns_away(struct world *world, const struct attempt *attempt);

#endif
