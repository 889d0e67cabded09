/* broker.h: message queues: who gets which message, for how long, and how often. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_BROKER_H
#define MODEL_BROKER_H

#include <stdbool.h>
#include <stdint.h>

struct attempt;
struct storm_letter;
struct world;

/* Prepares all queues and their consumers; nothing is scheduled. False (with world->error set) at
   the memory limit. */
bool broker_init(struct world *world);

/* Whether the queue of this service (its queue_index) has no memory left for one more message. */
bool broker_is_full(const struct world *world, uint32_t service);

/* The queue has the producer's message: a request of its consumers is born and waits to be
   delivered, or is at once. The attempt is answered by the caller of this function. */
void broker_take(struct world *world, uint32_t attempt);

/* A dead letter of the consumers is put into their queue again, as copy number `copy`. */
void broker_put(struct world *world, const struct storm_letter *letter, uint32_t copy);

/* The queue's timer (EVENT_QUEUE): visibilities that run out, delays that are over, workers that
   are back. */
void broker_timer(struct world *world, uint32_t queue);

/* A consumer's call has ended (its reason says how; NONE: well, unless call->requeued:
   see world.h): the message is done, dead, or back in the queue; the worker takes
   the next one. The call is not freed. */
void broker_settle(struct world *world, uint32_t call);

/* The queue's service is down: nothing is delivered, and without `durable` its messages are lost.
   And it is up again, or the consumers work again after a pause. */
void broker_down(struct world *world, uint32_t service);
void broker_wake(struct world *world, uint32_t service);

/* Asserts that the books of all queues are right (model_audit). */
void broker_audit(const struct world *world);

#endif
