/* sharing.c: a service whose workers all attempts share: each gets the same part of them, and at
   most one (processor sharing).

   The service has a clock of its own that counts the work each attempt has received. An attempt
   that joins when it shows c is done when it shows c + work, whatever happens in between; so a heap
   by that reading gives the next to be done.
   1. heap[i] is not after heap[2i + 1] and heap[2i + 2]; attempts[heap[i].attempt].heap_at == i.
   2. The sharing slot has a live event when and only when `scheduled`. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/sharing.h"

#include <assert.h>

#include "base/arena.h"
#include "model/world.h"

/* How fast the clock runs: the part of a worker that each attempt has, times its speed. */
static double pace_of(const struct service *service) {
    double crowd = service->sharing.count, workers = service->capacity;
    double part = service->capacity == STORM_UNLIMITED || crowd <= workers ? 1 : workers / crowd;
    return service->slow > 0 ? part / service->slow : part;
}

static bool is_before(const struct share *a, const struct share *b) {
    return a->finish != b->finish ? a->finish < b->finish : a->order < b->order;
}

static void put(struct world *world, struct sharing *sharing, uint32_t at, struct share share) {
    sharing->heap[at] = share;
    world->attempts[share.attempt].heap_at = at;
}

/* Moves a share from place `at` to where it belongs: first up, then down. */
static void sift(struct world *world, struct sharing *sharing, uint32_t at, struct share share) {
    assert(at < sharing->count);
    while (at > 0 && is_before(&share, &sharing->heap[(at - 1) / 2])) {
        put(world, sharing, at, sharing->heap[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child + 1 < sharing->count &&
            is_before(&sharing->heap[child + 1], &sharing->heap[child])) {
            child++;
        }
        if (child >= sharing->count || is_before(&share, &sharing->heap[child])) {
            break;
        }
        put(world, sharing, at, sharing->heap[child]);
        at = child;
    }
    put(world, sharing, at, share);
}

static void take_out(struct world *world, struct sharing *sharing, uint32_t at) {
    assert(at < sharing->count);
    struct share last = sharing->heap[--sharing->count];
    if (at < sharing->count) {
        sift(world, sharing, at, last);
    }
    if (sharing->count == 0) {
        sharing->clock = 0; /* what was counted is of no use any more, and its last bits return */
    }
}

void sharing_settle(struct world *world, uint32_t service) {
    struct service *s = &world->services[service];
    storm_time now = world_now(world);
    if (s->sharing.count > 0) {
        s->sharing.clock += storm_time_to_seconds(now - s->sharing.changed) * pace_of(s);
    }
    s->sharing.changed = now;
}

void sharing_reschedule(struct world *world, uint32_t service) {
    struct service *s = &world->services[service];
    uint32_t slot = world_slot(world, SLOT_SHARING, service);
    double pace = pace_of(s);
    if (s->sharing.scheduled) {
        world_cancel(world, slot);
        s->sharing.scheduled = false;
    }
    if (s->sharing.count > 0 && pace > 0) {
        double left = (s->sharing.heap[0].finish - s->sharing.clock) / pace;
        storm_time wait = storm_time_from_seconds(left > 0 ? left : 0);
        world_schedule(world, storm_time_add(world_now(world), wait), EVENT_SHARED, slot);
        s->sharing.scheduled = true;
    }
}

void sharing_join(struct world *world, uint32_t attempt, storm_time work) {
    uint32_t service = world->attempts[attempt].service;
    struct sharing *sharing = &world->services[service].sharing;
    if (sharing->count == sharing->room) {
        uint32_t room = sharing->room > 0 ? 2 * sharing->room : 64;
        struct share *moved = arena_grow_array(world->arena, sharing->heap, sharing->room, room,
                                               sizeof *sharing->heap);
        if (moved == NULL) {
            world_out_of_memory(world);
            return;
        }
        sharing->heap = moved;
        sharing->room = room;
    }
    sharing_settle(world, service);
    struct share share = {.finish = sharing->clock + storm_time_to_seconds(work),
                          .order = sharing->joined++,
                          .attempt = attempt};
    sharing->count++;
    sift(world, sharing, sharing->count - 1, share);
    sharing_reschedule(world, service);
}

uint32_t sharing_pop(struct world *world, uint32_t service) {
    struct sharing *sharing = &world->services[service].sharing;
    assert(sharing->count > 0 && sharing->scheduled);
    uint32_t attempt = sharing->heap[0].attempt;
    sharing->scheduled = false;
    sharing->clock = sharing->heap[0].finish; /* its time was rounded to the nanosecond */
    sharing->changed = world_now(world);
    take_out(world, sharing, 0);
    sharing_reschedule(world, service);
    return attempt;
}

void sharing_leave(struct world *world, uint32_t attempt) {
    uint32_t service = world->attempts[attempt].service;
    struct sharing *sharing = &world->services[service].sharing;
    assert(sharing->heap[world->attempts[attempt].heap_at].attempt == attempt);
    sharing_settle(world, service);
    take_out(world, sharing, world->attempts[attempt].heap_at);
    sharing_reschedule(world, service);
}
