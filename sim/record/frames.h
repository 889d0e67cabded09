/* frames.h: who is drawn in a window, in which lane, and what of theirs has begun. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RECORD_FRAMES_H
#define RECORD_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/scenario.h>
#include <retrystorm/window.h>

#include "record/drawing.h"
#include "record/lanes.h"

struct arena;

struct drawn {
    bool has_frame, has_step, rests; /* rests: before a try that was not let out */
    bool in_queue, in_service;       /* inside the frame */
    uint32_t process, lane;          /* of the frame */
    uint32_t first_step;             /* index, plus 1; 0: none */
    uint32_t delivery;               /* of a message: in a consumer's hands; index, plus 1 */
    /* as a step of its caller */
    bool is_step, is_back_off, has_own_lane, is_silent, has_flow;
    uint32_t step_lane;
    uint32_t next_step; /* of the same frame, plus 1 */
};

struct frames {
    const struct storm_scenario *scenario;
    struct arena *arena;
    struct drawing drawing;
    struct lanes *lanes; /* [process]: populations, then services */
    struct drawn *drawn; /* by the index in the lineage */
    uint32_t drawn_room;
};

/* Nobody is drawn yet. False at the arena's limit. */
bool frames_init(struct frames *frames, struct arena *arena, const struct storm_scenario *scenario,
                 struct drawing drawing);

/* The process in which a service's events are; and that in which the frame of `kin` is. */
uint32_t frames_process_of_service(const struct frames *frames, uint32_t service);
uint32_t frames_process_of(const struct frames *frames, const struct storm_kin *kin);

/* Somebody new; NULL without memory. From then on there is frames_at of that index. */
struct drawn *frames_meet(struct frames *frames, uint32_t index);
bool frames_have_met(const struct frames *frames, uint32_t index);
struct drawn *frames_at(struct frames *frames, uint32_t index);

/* Who has sent it, where that one has a frame; or NULL. */
struct drawn *frames_caller(struct frames *frames, const struct storm_kin *kin);

/* Begins a frame, unless it does not fit; ends it, with what is in it, if there is one. */
void frames_begin(struct frames *frames, const struct storm_kin *kin,
                  const struct storm_fact *fact);
void frames_end(struct frames *frames, const struct storm_kin *kin, const struct storm_fact *fact);

/* In the frame, if there is one, the part in the queue begins, or that in service; the other part
   ends. */
void frames_wait(struct frames *frames, const struct storm_kin *kin, const struct storm_fact *fact);
void frames_serve(struct frames *frames, const struct storm_kin *kin,
                  const struct storm_fact *fact);

/* Begins a step of its caller (ATTEMPT or BACK_OFF), if that one has a frame and it is not one
   already. */
void frames_begin_step(struct frames *frames, const struct storm_kin *kin,
                       enum storm_slice_kind kind, const struct storm_fact *fact);

/* Ends the step of that index, which is in the frame of `caller`; or that of `kin`, if there is
   one. */
void frames_end_step(struct frames *frames, struct drawn *caller, uint32_t index,
                     const struct storm_fact *fact);
void frames_end_own_step(struct frames *frames, const struct storm_kin *kin,
                         const struct storm_fact *fact);

/* Before a try that was not let out the caller itself rests, in its frame. */
void frames_begin_rest(struct frames *frames, const struct storm_kin *caller,
                       const struct storm_fact *fact);
void frames_end_rest(struct frames *frames, struct drawn *caller, const struct storm_fact *fact);

#endif
