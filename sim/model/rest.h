/* rest.h: a call backs off: how long it waits, whose turn it is, and when that is over. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_REST_H
#define MODEL_REST_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/units.h>

struct call;
struct world;

/* The call, whose timer is not armed, waits for `delay` after the attempt of that key: from now on,
   or, with `head_only`, from when it has waited longest of its edge (orbit.h). It tells of that
   unless the delay is 0. */
void rest_begin(struct world *world, uint32_t call, uint64_t attempt_key, storm_time delay,
                bool head_only);

/* The throttle makes the current try wait before it is sent. */
void rest_for_throttle(struct world *world, uint32_t call, storm_time wait);

/* The back-off is over; the timer is left as it is. True when there was one that was told of. */
bool rest_stop(struct world *world, uint32_t call);

/* The call ends, or is dropped: if it backs off, there is no more need of it, which is told. */
void rest_end(struct world *world, uint32_t call);

/* Tells that the back-off after try number `tries` is over and no attempt follows. */
void rest_tell_end(struct world *world, const struct call *call, uint32_t tries);

#endif
