/* orbit.h: the calls of one edge that back off under a policy by which only the one that has waited
   longest retries (constant retrial): a queue of its own. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_ORBIT_H
#define MODEL_ORBIT_H

#include <stdbool.h>
#include <stdint.h>

struct world;

/* The call joins the end of its edge's orbit. True when it is first, so that its time runs. */
bool orbit_join(struct world *world, uint32_t call);

/* The call leaves, from wherever it is. Returns the call that is first in its place and was not
   before, STORM_NONE when there is none. */
uint32_t orbit_leave(struct world *world, uint32_t call);

#endif
