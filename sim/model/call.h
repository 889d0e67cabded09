/* call.h: a caller's side: send, wait, time out, back off, try again, give up. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_CALL_H
#define MODEL_CALL_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/scenario.h>

struct call_past;
struct world;

/* Who makes a call: a member of a population with its request, or a service's attempt. */
struct caller {
    uint64_t key;     /* the request's, or the attempt's */
    uint32_t owner;   /* the member, or the index of the attempt */
    uint32_t ordinal; /* of the member's request, or of the service's call */
    uint32_t copy;    /* of the request: 0 the first */
    uint32_t message; /* the copy whose message it is */
    uint32_t chain;   /* attempts that led here at this instant */
    uint16_t day;     /* of the birth of the request's first copy */
    bool retried;     /* the caller is there because of a retry */
    storm_time due;   /* by when the caller itself must be over; STORM_NEVER: any time */
    const struct call_past *past; /* what an earlier delivery of the same message has left; NULL */
};

/* Begins a call over `edge` (index into world.edges) and sends its first attempt, unless its brakes
   hold it back. Returns it. */
uint32_t call_begin(struct world *world, uint32_t edge, const struct caller *caller);

/* The answer of `attempt` has reached its caller, if there still is one; the attempt is freed.
   Returns the call when it has ended (status and reason are set; the caller of this function frees
   it), else STORM_NONE. */
uint32_t call_answered(struct world *world, uint32_t attempt);

/* The timer of `call` has fired: a timeout, a deadline, the time of its next copy, or the end of
   its back-off. Returns as call_answered. */
uint32_t call_timer(struct world *world, uint32_t call);

/* Forgets the calls of an attempt that is gone: nothing is retried, the calls are freed. What they
   sent goes on unheard, or is taken back as their edges or `least` say, whichever is more. */
void call_drop_children(struct world *world, uint32_t attempt, enum storm_cancel least);

/* The call that waits for the attempt does so no more: it has its answer, or waits in vain. False
   when none did. */
bool call_forget(struct world *world, uint32_t attempt);

/* True when the call ended well, and its message, if it has one, is not to be delivered again. */
bool call_succeeded(const struct world *world, uint32_t call);

#endif
