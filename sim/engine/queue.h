/* queue.h: the events still to come, in the order they must happen. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ENGINE_QUEUE_H
#define ENGINE_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/event.h"

struct arena;

struct queue;

/* A queue that takes its memory from `arena`; NULL at the arena's limit. */
struct queue *queue_new(struct arena *arena);

/* Makes sure that `count` pushes in a row cannot fail. False at the arena's limit. */
bool queue_reserve(struct queue *queue, uint32_t count);

/* Adds an event. key must be >= the key last popped (asserted), and room must have been reserved
   (asserted). */
void queue_push(struct queue *queue, uint64_t key, event_payload payload);

/* Takes the next live event; false when none is left. `generation` is the owner's table, valid for
   every slot pushed. */
bool queue_pop(struct queue *queue, const uint32_t *generation, struct event *event);

/* Tells the queue that one pushed event has just become stale (its slot's generation was raised):
   once for each, before the next is raised. Keeps the live count, and sweeps when more than twice
   the live entries are held. An event that became stale without this call may come out (while
   nothing is stale, nobody looks), or stops the program at the next sweep (asserted). */
void queue_cancelled(struct queue *queue, const uint32_t *generation);

/* Live events, and entries held (live + stale not yet dropped): held <= 2 * live + QUEUE_SLACK
   always. */
uint64_t queue_live(const struct queue *queue);
uint64_t queue_held(const struct queue *queue);
enum { QUEUE_SLACK = 128 };

#endif
