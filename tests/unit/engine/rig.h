/* rig.h: a queue beside a plain heap that is told the same; what differs is written down. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef UNIT_ENGINE_RIG_H
#define UNIT_ENGINE_RIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "engine/queue.h"
#include "support/heap.h"

/* A pending event occupies one slot of `room`; cancelling or popping it frees the slot under its
   next generation. */
struct rig {
    struct arena arena;
    struct queue *queue;
    struct heap heap;
    uint32_t *generation; /* [room] the queue's view of who is stale */
    uint64_t *sequence;   /* [room] the heap's view: number of the slot's pending event, 0 = none */
    uint32_t *slots;      /* [room] pending slots first (in no order), then free ones */
    uint32_t *place;      /* [room] where a slot stands in `slots` */
    uint32_t room, pending;
    uint64_t pushed, now; /* events pushed so far; key last popped */
    const char *wrong;    /* the first thing that differed; NULL = nothing yet */
};

/* A rig for at most `room` pending events, whose queue may take `limit` bytes. */
void rig_init(struct rig *rig, uint32_t room, size_t limit);

void rig_free(struct rig *rig);

/* Pushes an event (key >= now, pending < room). */
void rig_push(struct rig *rig, uint64_t key);

/* Cancels the pending event at `index` < pending of `slots`. */
void rig_cancel(struct rig *rig, uint32_t index);

/* Pops from both and compares; false when nothing was left. */
bool rig_pop(struct rig *rig);

#endif
