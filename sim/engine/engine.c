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

void engine_at(struct engine *engine, storm_time time, enum engine_class event_class,
               event_payload payload) {
    assert(time >= engine->now && time <= STORM_NEVER);
    assert(event_class == ENGINE_CHANGE || event_class == ENGINE_STEP);
    queue_push(engine->queue, 2 * (uint64_t)time + (uint64_t)event_class, payload);
}

bool engine_next(struct engine *engine, const uint32_t *generation, struct event *event) {
    if (!queue_pop(engine->queue, generation, event))
        return false;
    assert(event_time(event) >= engine->now); /* 1 and 2 */
    engine->now = event_time(event);
    engine->popped++;
    return true;
}
