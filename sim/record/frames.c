/* frames.c: who is drawn in a window, in which lane, and what of theirs has begun.

   A request has a lane of its clients' process, an attempt one of the service that it visits, a
   delivery one of its consumers, a message one of its queue: their frames. What a frame's owner
   does (attempts, back-offs) are its steps: they lie in the frame's own lane, but for those that
   begin while another is there (hedges, calls that are made at once): they take a lane of their
   own.

   1. drawn[i] is about whoever has index i in the lineage now: it is zeroed when that one begins.
   2. The steps of a frame are in its list from `first_step`, and end before it. At most one of them
      lies in the frame's lane; `has_step` says so. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/frames.h"

#include <assert.h>

#include "base/arena.h"

bool frames_init(struct frames *f, struct arena *arena, const struct storm_scenario *scenario,
                 struct drawing drawing) {
    uint32_t count = scenario->population_count + scenario->service_count;
    *f = (struct frames){.scenario = scenario, .arena = arena, .drawing = drawing};
    f->lanes = arena_take_array(arena, count, sizeof *f->lanes);
    return f->lanes != NULL;
}

/* 0 without memory. */
static uint32_t take_lane(struct frames *f, uint32_t process) {
    uint32_t lane = lanes_take(&f->lanes[process], f->arena);
    f->drawing.failed = f->drawing.failed || lane == 0;
    return lane;
}

static void give_lane(struct frames *f, uint32_t process, uint32_t lane) {
    lanes_give(&f->lanes[process], lane);
}

/* ---- who is drawn ---------------------------------------------------------------------------- */

uint32_t frames_process_of_service(const struct frames *f, uint32_t service) {
    return f->scenario->population_count + service;
}

uint32_t frames_process_of(const struct frames *f, const struct storm_kin *kin) {
    const struct storm_scenario *scenario = f->scenario;
    uint32_t place = kin->attempt.place;
    switch ((enum storm_story_kind)kin->attempt.kind) {
    case STORM_STORY_ATTEMPT:
        return frames_process_of_service(f, place);
    case STORM_STORY_MESSAGE:
        return frames_process_of_service(
            f, scenario->queues[scenario->populations[place].queue].service);
    case STORM_STORY_DELIVERY:
    case STORM_STORY_COPY:
    case STORM_STORY_REQUEST:
        break;
    }
    return place;
}

bool frames_have_met(const struct frames *f, uint32_t index) { return index < f->drawn_room; }

struct drawn *frames_at(struct frames *f, uint32_t index) {
    assert(index < f->drawn_room);
    return &f->drawn[index];
}

/* Somebody new (invariant 1). NULL without memory. */
struct drawn *frames_meet(struct frames *f, uint32_t index) {
    if (index >= f->drawn_room) {
        uint32_t room = index + 1 > 2 * f->drawn_room ? index + 256 : 2 * f->drawn_room;
        struct drawn *grown =
            arena_grow_array(f->arena, f->drawn, f->drawn_room, room, sizeof *grown);
        if (grown == NULL) {
            f->drawing.failed = true;
            return NULL;
        }
        f->drawn = grown;
        f->drawn_room = room;
    }
    assert(!f->drawn[index].has_frame && !f->drawn[index].is_step); /* who was there has gone */
    f->drawn[index] = (struct drawn){.has_frame = false};
    return &f->drawn[index];
}

/* The frame of who has sent it, or NULL. */
struct drawn *frames_caller(struct frames *f, const struct storm_kin *kin) {
    if (kin->parent == STORM_NONE || kin->parent >= f->drawn_room) {
        return NULL;
    }
    struct drawn *caller = frames_at(f, kin->parent);
    return caller->has_frame ? caller : NULL;
}

/* ---- steps ----------------------------------------------------------------------------------- */

void frames_begin_step(struct frames *f, const struct storm_kin *kin, enum storm_slice_kind kind,
                       const struct storm_fact *fact) {
    struct drawn *caller = frames_caller(f, kin), *d = frames_at(f, kin->index);
    if (caller == NULL || d->is_step) {
        return;
    }
    bool has_own_lane = caller->has_step;
    uint32_t lane = has_own_lane ? take_lane(f, caller->process) : caller->lane;
    if (!drawing_begin(&f->drawing, kind, caller->process, lane, fact, kin)) {
        if (has_own_lane && lane > 0) {
            give_lane(f, caller->process, lane);
        }
        return;
    }
    caller->has_step = true;
    d->is_step = true;
    d->is_back_off = kind == STORM_SLICE_BACK_OFF;
    d->has_own_lane = has_own_lane;
    d->step_lane = lane;
    d->next_step = caller->first_step;
    caller->first_step = kin->index + 1;
}

void frames_end_step(struct frames *f, struct drawn *caller, uint32_t index,
                     const struct storm_fact *fact) {
    struct drawn *d = frames_at(f, index);
    uint32_t *link = &caller->first_step;
    assert(d->is_step);
    while (*link != index + 1) {
        assert(*link > 0); /* invariant 2 */
        link = &frames_at(f, *link - 1)->next_step;
    }
    *link = d->next_step;
    drawing_end(&f->drawing, d->is_back_off ? STORM_SLICE_BACK_OFF : STORM_SLICE_ATTEMPT,
                caller->process, d->step_lane, fact);
    if (d->has_own_lane) {
        give_lane(f, caller->process, d->step_lane);
    } else {
        caller->has_step = false;
    }
    d->is_step = false;
}

/* The caller's step, if there is one. */
void frames_end_own_step(struct frames *f, const struct storm_kin *kin,
                         const struct storm_fact *fact) {
    struct drawn *caller = frames_caller(f, kin);
    if (caller != NULL && frames_at(f, kin->index)->is_step) {
        frames_end_step(f, caller, kin->index, fact);
    }
}

/* Before a try that was not let out: the caller itself rests. */
void frames_begin_rest(struct frames *f, const struct storm_kin *caller,
                       const struct storm_fact *fact) {
    struct drawn *d = frames_at(f, caller->index);
    if (d->has_frame && !d->has_step &&
        drawing_begin(&f->drawing, STORM_SLICE_BACK_OFF, d->process, d->lane, fact, caller)) {
        d->has_step = true;
        d->rests = true;
    }
}

void frames_end_rest(struct frames *f, struct drawn *caller, const struct storm_fact *fact) {
    if (caller->rests) {
        drawing_end(&f->drawing, STORM_SLICE_BACK_OFF, caller->process, caller->lane, fact);
        caller->has_step = false;
        caller->rests = false;
    }
}

/* ---- frames ---------------------------------------------------------------------------------- */

static enum storm_slice_kind frame_kind(const struct storm_kin *kin) {
    static const enum storm_slice_kind kinds[] = {[STORM_STORY_ATTEMPT] = STORM_SLICE_VISIT,
                                                  [STORM_STORY_MESSAGE] = STORM_SLICE_MESSAGE,
                                                  [STORM_STORY_DELIVERY] = STORM_SLICE_DELIVERY,
                                                  [STORM_STORY_COPY] = STORM_SLICE_REQUEST,
                                                  [STORM_STORY_REQUEST] = STORM_SLICE_REQUEST};
    assert(kin->attempt.kind < sizeof kinds / sizeof kinds[0]);
    return kinds[kin->attempt.kind];
}

void frames_begin(struct frames *f, const struct storm_kin *kin, const struct storm_fact *fact) {
    uint32_t process = frames_process_of(f, kin);
    struct drawn *d = frames_at(f, kin->index);
    assert(!d->has_frame);
    uint32_t lane = take_lane(f, process);
    if (!drawing_begin(&f->drawing, frame_kind(kin), process, lane, fact, kin)) {
        if (lane > 0) {
            give_lane(f, process, lane);
        }
        return;
    }
    d->has_frame = true;
    d->process = process;
    d->lane = lane;
}

/* Begins or ends the part of a frame in the queue, or the one in service. */
static void set_part(struct frames *f, const struct storm_kin *kin, bool *part, bool value,
                     const struct storm_fact *fact) {
    struct drawn *d = frames_at(f, kin->index);
    if (!d->has_frame || *part == value) {
        return;
    }
    enum storm_slice_kind kind = part == &d->in_queue ? STORM_SLICE_QUEUE : STORM_SLICE_SERVICE;
    if (!value) {
        drawing_end(&f->drawing, kind, d->process, d->lane, fact);
        *part = false;
        return;
    }
    *part = drawing_begin(&f->drawing, kind, d->process, d->lane, fact, kin);
}

void frames_wait(struct frames *f, const struct storm_kin *kin, const struct storm_fact *fact) {
    struct drawn *d = frames_at(f, kin->index);
    set_part(f, kin, &d->in_service, false, fact);
    set_part(f, kin, &d->in_queue, true, fact);
}

void frames_serve(struct frames *f, const struct storm_kin *kin, const struct storm_fact *fact) {
    struct drawn *d = frames_at(f, kin->index);
    set_part(f, kin, &d->in_queue, false, fact);
    set_part(f, kin, &d->in_service, true, fact);
}

/* Ends what is in the frame, and the frame. Of a message the steps are deliveries, which have
   frames of their own instead. */
void frames_end(struct frames *f, const struct storm_kin *kin, const struct storm_fact *fact) {
    struct drawn *d = frames_at(f, kin->index);
    if (!d->has_frame) {
        return;
    }
    frames_end_rest(f, d, fact);
    while (d->first_step > 0) {
        frames_end_step(f, d, d->first_step - 1, fact);
    }
    set_part(f, kin, &d->in_queue, false, fact);
    set_part(f, kin, &d->in_service, false, fact);
    drawing_end(&f->drawing, frame_kind(kin), d->process, d->lane, fact);
    give_lane(f, d->process, d->lane);
    d->has_frame = false;
}
