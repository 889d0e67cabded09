/* fault.h: scheduled faults: each is in force in [at, at + length). */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_FAULT_H
#define MODEL_FAULT_H

#include <stdint.h>

struct world;

/* Schedules the beginning and the end of every fault. All beginnings come first, so that of two
   faults that meet at one instant the second has begun when the first ends, and nothing recovers in
   between. */
void fault_schedule(struct world *world);

/* Fault number `index` begins or ends. */
void fault_begin(struct world *world, uint32_t index);
void fault_end(struct world *world, uint32_t index);

#endif
