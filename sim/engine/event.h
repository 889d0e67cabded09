/* event.h: what waits in the queue: a key that orders it, and eight bytes that say what it is. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ENGINE_EVENT_H
#define ENGINE_EVENT_H

#include <stdint.h>

/* What an event carries: kind:4 | slot:28 | generation:32. The owner of the slots keeps
   generation[slot]; an event whose generation is no longer the slot's is stale: it was cancelled
   and never comes out. */
typedef uint64_t event_payload;

enum { EVENT_SLOT_BITS = 28 };
#define EVENT_SLOT_MAX ((UINT32_C(1) << EVENT_SLOT_BITS) - 1)

static inline event_payload event_pack(unsigned kind, uint32_t slot, uint32_t generation) {
    return ((uint64_t)(kind & 15U) << 60) | ((uint64_t)(slot & EVENT_SLOT_MAX) << 32) | generation;
}
static inline unsigned event_kind(event_payload payload) { return (unsigned)(payload >> 60); }
static inline uint32_t event_slot(event_payload payload) {
    return (uint32_t)(payload >> 32) & EVENT_SLOT_MAX;
}
static inline uint32_t event_generation(event_payload payload) { return (uint32_t)payload; }

struct event {
    uint64_t key; /* 2 * time + class: order is key, then order of scheduling */
    event_payload payload;
};

#endif
