/* engine.c: a clock that runs from event to event. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Invariants:
   1. 0 <= now <= STORM_NEVER, and now never goes back.
   2. No event in the queue lies before now: engine_at refuses an earlier time here, and an earlier
   class at the same time in queue_push, which compares whole keys. */

#include "engine/engine.h"

#include <assert.h>

bool engine_init(struct engine *engine, struct arena *arena) {
    assert(engine != NULL && arena != NULL);
    *engine = (struct engine){.queue = queue_new(arena)};
    return engine->queue != NULL;
}

/* How many events room is asked for at a time. */
enum { ROOM_AT_ONCE = 256 };

bool engine_make_room(struct engine *engine) {
    assert(engine->room == 0);
    if (!queue_reserve(engine->queue, ROOM_AT_ONCE))
        return false;
    engine->room = ROOM_AT_ONCE;
    return true;
}

bool engine_next(struct engine *engine, const uint32_t *generation, struct event *event) {
    if (!queue_pop(engine->queue, generation, event))
        return false;
    assert(event_time(event) >= engine->now); /* 1 and 2 */
    engine->now = event_time(event);
    engine->popped++;
    return true;
}
