/* orders.h: what operators have ordered and is in force at the moment: pauses, blocks, doors. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_ORDERS_H
#define MODEL_ORDERS_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/scenario.h>
#include <retrystorm/units.h>

struct attempt;
struct world;

/* Makes room for what is counted of each order. False (with world->error set) at the memory
   limit. */
bool orders_init(struct world *world);

/* When an action is over; STORM_NEVER: it lasts. */
storm_time orders_end(const struct storm_action *action);

/* Until when a population is paused, STORM_NEVER: to the end; a time that is not in the future when
   it is not paused. */
storm_time orders_pause_end(const struct world *world, uint32_t population);

/* The status with which the operators turn an arriving attempt away at its service's door; 0: it
   may come in. Takes a place of those that are admitted. */
uint16_t orders_turn_away(struct world *world, const struct attempt *attempt);

#endif
