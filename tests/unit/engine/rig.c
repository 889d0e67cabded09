/* rig.c: a queue beside a plain heap that is told the same; what differs is written down. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit/engine/rig.h"

#include <assert.h>
#include <stdlib.h>

void rig_init(struct rig *rig, uint32_t room, size_t limit) {
    *rig = (struct rig){.room = room};
    arena_init(&rig->arena, limit);
    heap_init(&rig->heap, 2);
    rig->queue = queue_new(&rig->arena);
    rig->generation = calloc(room, sizeof rig->generation[0]);
    rig->sequence = calloc(room, sizeof rig->sequence[0]);
    rig->slots = calloc(room, sizeof rig->slots[0]);
    rig->place = calloc(room, sizeof rig->place[0]);
    assert(rig->queue != NULL && rig->generation != NULL && rig->sequence != NULL);
    assert(rig->slots != NULL && rig->place != NULL);
    for (uint32_t i = 0; i < room; i++) {
        rig->slots[i] = rig->place[i] = i;
        rig->generation[i] = i * 7;
    }
}

void rig_free(struct rig *rig) {
    free(rig->place);
    free(rig->slots);
    free(rig->sequence);
    free(rig->generation);
    heap_free(&rig->heap);
    arena_free(&rig->arena);
}

static void differs(struct rig *rig, const char *what) {
    if (rig->wrong == NULL)
        rig->wrong = what;
}

/* What must hold after every call. */
static void check_counts(struct rig *rig) {
    uint64_t live = queue_live(rig->queue);
    uint64_t held = queue_held(rig->queue);
    if (live != rig->pending)
        differs(rig, "the live count is wrong");
    if (held < live)
        differs(rig, "fewer events are held than live");
    if (held > 2 * live + QUEUE_SLACK)
        differs(rig, "more is held than twice the live events and the slack");
}

/* Frees a slot: it changes places with the last pending one. */
static void slot_free(struct rig *rig, uint32_t slot) {
    assert(rig->pending > 0);
    rig->sequence[slot] = 0;
    rig->generation[slot]++;
    uint32_t other = rig->slots[--rig->pending];
    uint32_t place = rig->place[slot];
    rig->slots[place] = other;
    rig->place[other] = place;
    rig->slots[rig->pending] = slot;
    rig->place[slot] = rig->pending;
}

void rig_push(struct rig *rig, uint64_t key) {
    assert(rig->pending < rig->room && key >= rig->now);
    uint32_t slot = rig->slots[rig->pending++];
    rig->sequence[slot] = ++rig->pushed;
    bool has_room = queue_reserve(rig->queue, 1);
    assert(has_room);
    queue_push(rig->queue, key, event_pack(slot & 15U, slot, rig->generation[slot]));
    heap_push(&rig->heap, (struct heap_item){key, rig->pushed << EVENT_SLOT_BITS | slot});
    check_counts(rig);
}

void rig_cancel(struct rig *rig, uint32_t index) {
    assert(index < rig->pending);
    slot_free(rig, rig->slots[index]);
    queue_cancelled(rig->queue, rig->generation);
    check_counts(rig);
}

/* The heap forgets cancelled events only when they come up. */
static bool heap_next(struct rig *rig, struct heap_item *item) {
    while (heap_pop(&rig->heap, item)) {
        if (rig->sequence[item->order & EVENT_SLOT_MAX] == item->order >> EVENT_SLOT_BITS)
            return true;
    }
    return false;
}

bool rig_pop(struct rig *rig) {
    struct heap_item item;
    struct event event;
    bool expected = heap_next(rig, &item);
    bool got = queue_pop(rig->queue, rig->generation, &event);
    if (got != expected) {
        differs(rig, expected ? "the queue has lost an event" : "the queue has an event too many");
        return false;
    }
    if (!got)
        return false;
    uint32_t slot = (uint32_t)item.order & EVENT_SLOT_MAX;
    if (event.key != item.key)
        differs(rig, "an event came at a wrong time");
    if (event.payload != event_pack(slot & 15U, slot, rig->generation[slot]))
        differs(rig, "a wrong event came");
    rig->now = item.key;
    slot_free(rig, slot);
    check_counts(rig);
    return true;
}
