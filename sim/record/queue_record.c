/* queue_record.c: what the facts of one message queue add to its counts and curves.

   1. Messages in flight wait or are in hand; `waiting` are those of which a copy is in the queue.
      Who ends while it waits (a stale delivery has succeeded) is taken from the queue.
   2. The curves are complete up to `drawn` bins; no level changes before they are brought up to the
      bin of the change. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/queue_record.h"

#include <assert.h>

#include "base/arena.h"
#include "record/recording.h"

bool queue_record_init(struct recorder *r, struct arena *arena) {
    uint32_t count = r->scenario->queue_count;
    r->queues = arena_take_array(arena, count, sizeof *r->queues);
    for (uint32_t i = 0; r->queues != NULL && i < count; i++) {
        struct queue_record *q = &r->queues[i];
        q->ready_bins = arena_take_array(arena, r->bin_count, sizeof(double));
        q->held_bins = arena_take_array(arena, r->bin_count, sizeof(double));
        if (q->ready_bins == NULL || q->held_bins == NULL) {
            return false;
        }
    }
    return r->queues != NULL;
}

/* Draws the levels at the ends of all bins before `bin`. */
static void draw(struct queue_record *q, uint32_t bin) {
    assert(q->in_flight >= q->waiting.count); /* invariant 1 */
    for (; q->drawn < bin; q->drawn++) {
        q->ready_bins[q->drawn] = q->waiting.count;
        q->held_bins[q->drawn] = q->in_flight - q->waiting.count;
    }
}

/* A message is in the queue, for the first time or again. */
static void enter(struct recorder *r, struct queue_record *q, uint64_t message, bool again) {
    if (!key_map_put(&q->waiting, r->arena, message, again)) {
        r->out_of_memory = true;
    }
    q->waiting_peak = q->waiting.count > q->waiting_peak ? q->waiting.count : q->waiting_peak;
}

static void hear_delivery(struct queue_record *q, const struct storm_fact *fact) {
    uint32_t again = 0;
    key_map_take(&q->waiting, fact->parent, &again);
    q->deliveries++;
    q->redeliveries += again;
}

static void hear_end(struct queue_record *q, const struct storm_fact *fact) {
    key_map_take(&q->waiting, fact->key, NULL);
    assert(q->in_flight > 0);
    q->in_flight--;
}

void queue_record_hear(struct recorder *r, const struct storm_fact *fact) {
    const struct storm_population *consumers = &r->scenario->populations[fact->place];
    struct queue_record *q = &r->queues[consumers->queue];
    assert(storm_is_consumer(consumers) && consumers->queue < r->scenario->queue_count);
    draw(q, recorder_bin_at(r, fact->time));
    if (fact->kind == STORM_FACT_BORN) {
        q->in_flight++;
        enter(r, q, fact->key, false);
    } else if (fact->kind == STORM_FACT_DELIVERED) {
        hear_delivery(q, fact);
    } else if (fact->kind == STORM_FACT_RETURNED) {
        enter(r, q, fact->parent, true);
    } else {
        hear_end(q, fact);
    }
}

void queue_record_finish(struct recorder *r) {
    for (uint32_t i = 0; i < r->scenario->queue_count; i++) {
        draw(&r->queues[i], r->bin_count);
    }
}
