/* track.h: a run as a few numbers along its time, by which the first difference of two runs is
   found without keeping either. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef GUARD_TRACK_H
#define GUARD_TRACK_H

#include <stdint.h>

#include <retrystorm/fact.h>
#include <retrystorm/units.h>

enum { TRACK_POINTS = 64 };

/* Steps are this long, times a power of two: from some length on whole seconds. */
#define TRACK_STEP_LEAST (STORM_SECOND / 512)

/* points[i] is the low end of the digest of all facts before (i + 1) steps; behind the last point
   it stays that of the whole run. */
struct track {
    uint64_t digest; /* of all facts */
    storm_time step;
    uint32_t count;
    uint16_t points[TRACK_POINTS];
};

/* A track of no facts. */
struct track track_begin(void);

/* Hears a fact (a storm_listener; the context is the track). Steps become longer when points run
   out: which they are depends on the times of the facts alone. */
void track_hear(void *context, const struct storm_fact *fact);

/* Where two runs with different digests part: the first difference is in [*from, *to). */
void track_part(const struct track *a, const struct track *b, storm_time *from, storm_time *to);

#endif
