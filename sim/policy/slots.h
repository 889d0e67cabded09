/* slots.h: what happened in the last while, remembered in ten slots of time. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef POLICY_SLOTS_H
#define POLICY_SLOTS_H

#include <assert.h>
#include <stdint.h>

#include <retrystorm/units.h>

/* Slot number n is the time from n while / 10 on. */
enum { SLOTS_COUNT = 10 };

/* Where a slot is kept. Slots before the beginning have places, too. */
static inline uint32_t slots_place(int64_t slot) {
    assert(slot > -SLOTS_COUNT);
    return (uint32_t)((slot + SLOTS_COUNT) % SLOTS_COUNT);
}

/* Moves `*newest` to the slot of `now`. Returns how many slots, from the newest down, are to be
   emptied: all of them when time seems to run back, as another length of the while makes it. */
static inline int64_t slots_turn(int64_t *newest, storm_time length, storm_time now) {
    assert(length >= SLOTS_COUNT && now >= 0);
    int64_t slot = now / (length / SLOTS_COUNT), passed = slot - *newest;
    *newest = slot;
    return passed < 0 || passed > SLOTS_COUNT ? SLOTS_COUNT : passed;
}

#endif
