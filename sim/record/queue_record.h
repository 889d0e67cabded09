/* queue_record.h: what the facts of one message queue add to its counts and curves. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RECORD_QUEUE_RECORD_H
#define RECORD_QUEUE_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/fact.h>

struct arena;
struct recorder;

/* Takes the curves of all queues. False at the arena's limit. */
bool queue_record_init(struct recorder *recorder, struct arena *arena);

/* Hears a fact whose place is the consumers of a queue: BORN, DELIVERED, RETURNED, SUCCEEDED or
   DEAD. */
void queue_record_hear(struct recorder *recorder, const struct storm_fact *fact);

/* Completes the curves. */
void queue_record_finish(struct recorder *recorder);

#endif
