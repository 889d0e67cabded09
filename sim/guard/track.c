/* track.c: a run as a few numbers along its time. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Invariants
   1. step is TRACK_STEP_LEAST times a power of two, so the points of any two tracks meet at the
   longer one's steps.
   2. No fact heard lies at or behind (count + 1) steps. */
#include "guard/track.h"

#include <assert.h>

#include "record/digest.h"

struct track track_begin(void) {
    return (struct track){.step = TRACK_STEP_LEAST};
}

/* Keeps every second point: the digest of the facts before it is what it was. */
static void lengthen(struct track *track) {
    assert(track->count == TRACK_POINTS);
    track->count = TRACK_POINTS / 2;
    track->step *= 2;
    for (uint32_t i = 0; i < track->count; i++) {
        track->points[i] = track->points[2 * i + 1];
    }
}

void track_hear(void *context, const struct storm_fact *fact) {
    struct track *track = context;
    assert(fact->time >= 0 && fact->time < STORM_NEVER);
    while (fact->time >= track->step * (storm_time)(track->count + 1)) {
        if (track->count == TRACK_POINTS) {
            lengthen(track);
        } else {
            track->points[track->count++] = (uint16_t)track->digest;
        }
    }
    track->digest = digest_add(track->digest, fact);
}

/* The point that covers the first `index + 1` steps of the length `step`. */
static uint16_t point_at(const struct track *track, uint32_t index, storm_time step) {
    uint64_t own = (uint64_t)(index + 1) * (uint64_t)(step / track->step) - 1;
    assert(step % track->step == 0); /* invariant 1 */
    return own < track->count ? track->points[own] : (uint16_t)track->digest;
}

void track_part(const struct track *a, const struct track *b, storm_time *from, storm_time *to) {
    storm_time step = storm_time_later(a->step, b->step);
    uint32_t index = 0;
    while (index < TRACK_POINTS && point_at(a, index, step) == point_at(b, index, step)) {
        index++;
    }
    *from = step * (storm_time)index;
    *to = *from + step;
}
