/* track.h: a run as a few numbers along its time, by which the first difference of two runs is
   found without keeping either. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef GUARD_TRACK_H
#define GUARD_TRACK_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/fact.h>
#include <retrystorm/scenario.h>
#include <retrystorm/units.h>

struct arena;

enum { TRACK_POINTS = 64 };

/* Where the names of a scenario stand in their order: facts say places in the file, and a file that
   only moves its blocks is the same. */
struct track_places {
    uint16_t *populations, *services; /* [place] */
};

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

/* Who listens to a run. */
struct tracker {
    struct track track;
    const struct track_places *places;
};

/* The places of a scenario; false at the arena's limit. */
bool track_places_of(const struct storm_scenario *scenario, struct arena *arena,
                     struct track_places *places);

/* A track of no facts. */
struct tracker tracker_begin(const struct track_places *places);

/* Hears a fact (a storm_listener; the context is the tracker). Steps become longer when points run
   out: which they are depends on the times of the facts alone. */
void tracker_hear(void *context, const struct storm_fact *fact);

/* Where two runs with different digests part: the first difference is in [*from, *to). */
void track_part(const struct track *a, const struct track *b, storm_time *from, storm_time *to);

#endif
