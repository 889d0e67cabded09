/* track.c: a run as a few numbers along its time. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Invariants
   1. step is TRACK_STEP_LEAST times a power of two, so the points of any two tracks meet at the
   longer one's steps.
   2. No fact heard lies at or behind (count + 1) steps. */
#include "guard/track.h"

#include <assert.h>

#include "base/arena.h"
#include "base/rank.h"
#include "record/digest.h"

bool track_places_of(const struct storm_scenario *scenario, struct arena *arena,
                     struct track_places *places) {
    places->populations =
        arena_take_array(arena, scenario->population_count, sizeof *places->populations);
    places->services = arena_take_array(arena, scenario->service_count, sizeof *places->services);
    if (places->populations == NULL || places->services == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < scenario->population_count; i++) {
        places->populations[i] = (uint16_t)rank_of_population(scenario, i);
    }
    for (uint32_t i = 0; i < scenario->service_count; i++) {
        places->services[i] = (uint16_t)rank_of_service(scenario, i);
    }
    return true;
}

struct tracker tracker_begin(const struct track_places *places) {
    return (struct tracker){.track = {.step = TRACK_STEP_LEAST}, .places = places};
}

/* Whether the place of such a fact is a population; else it is a service. */
static bool is_of_population(const struct storm_fact *fact) {
    return fact->kind == STORM_FACT_BORN || fact->kind == STORM_FACT_SUCCEEDED ||
           fact->kind == STORM_FACT_DEAD || fact->kind == STORM_FACT_DELIVERED ||
           fact->kind == STORM_FACT_RETURNED;
}

/* The fact with its place by name. Where it stems from is a place, too, which its key says
   better. */
static struct storm_fact place_by_name(const struct storm_fact *fact,
                                       const struct track_places *places) {
    struct storm_fact named = *fact;
    named.place =
        is_of_population(fact) ? places->populations[fact->place] : places->services[fact->place];
    named.origin = 0;
    return named;
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

void tracker_hear(void *context, const struct storm_fact *fact) {
    struct tracker *tracker = context;
    struct track *track = &tracker->track;
    if (fact->kind == STORM_FACT_CAPACITY && fact->time == 0) {
        return; /* said at the start of a run by each service, in the order of the file */
    }
    struct storm_fact named = place_by_name(fact, tracker->places);
    assert(fact->time >= 0 && fact->time < STORM_NEVER);
    while (fact->time >= track->step * (storm_time)(track->count + 1)) {
        if (track->count == TRACK_POINTS) {
            lengthen(track);
        } else {
            track->points[track->count++] = (uint16_t)track->digest;
        }
    }
    track->digest = digest_add(track->digest, &named);
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
