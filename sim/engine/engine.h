/* engine.h: a clock that runs from event to event. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/units.h>

#include "engine/queue.h"

struct arena;

/* Which of two events at the same time comes first: every change of the world, then everything
   else. Within a class they come in the order in which they were scheduled. */
enum engine_class {
    ENGINE_CHANGE = 0, /* faults, operator actions, changes of capacity */
    ENGINE_STEP = 1    /* everything else */
};

/* A queue of events and the time of the one being handled. The engine hands out payloads and does
   not know what they mean: the caller has the one switch that acts on them. */
struct engine {
    struct queue *queue;
    storm_time now;  /* time of the event last handed out; 0 before the first */
    uint64_t popped; /* events handed out so far */
    uint32_t room;   /* events that the queue is known to have room for */
};

/* An engine at time 0 with an empty queue that takes its memory from `arena`. False at the
   arena's limit. */
bool engine_init(struct engine *engine, struct arena *arena);

/* Finds room for some more events. False at the arena's limit. */
bool engine_make_room(struct engine *engine);

/* Schedules an event at `time`, from now to STORM_NEVER. Neither its time nor, at the same time,
   its class may lie before the event being handled (asserted): the past is over. False at the
   arena's limit. */
static inline bool engine_at(struct engine *engine, storm_time time, enum engine_class event_class,
                             event_payload payload) {
    assert(time >= engine->now && time <= STORM_NEVER);
    if (engine->room == 0 && !engine_make_room(engine))
        return false;
    engine->room--;
    queue_push(engine->queue, 2 * (uint64_t)time + (uint64_t)event_class, payload);
    return true;
}

/* Moves the clock to the next live event and hands it out; false when none is left, and the clock
   stays. `generation` is as in queue_pop. Cancelling is queue_cancelled on the engine's queue. */
bool engine_next(struct engine *engine, const uint32_t *generation, struct event *event);

/* The time of an event that was handed out. */
static inline storm_time event_time(const struct event *event) {
    return (storm_time)(event->key >> 1);
}

#endif
