/* rest.c: a call backs off: how long it waits, whose turn it is, and when that is over.

   1. A call that rests is CALL_BACKING_OFF, and its timer is armed for the moment when it goes on:
      the end of its wait or its deadline, whichever comes first; never is no event. In an orbit the
      wait begins when all that joined before have left: until then the timer is that of the
      deadline alone.
   2. `wait` is not 0 as long as there is a back-off that was told of (BACKED_OFF), so that its end
      is told of once: by the attempt that follows, or by RESTED. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/rest.h"

#include <assert.h>

#include <retrystorm/fact.h>
#include <retrystorm/policy.h>
#include <retrystorm/units.h>

#include "model/orbit.h"
#include "model/try.h"
#include "model/world.h"

/* Who sends a try that has not been sent, and may never be; 0 where the fact is about one that
   was. */
static uint64_t parent_of_unsent(const struct call *call) {
    bool is_unsent = call->asked || call->status == STORM_OUTCOME_REJECTED;
    return is_unsent ? call->key : 0;
}

void rest_tell_end(struct world *world, const struct call *call, uint32_t tries) {
    struct storm_fact fact =
        try_fact(world, call, STORM_FACT_RESTED, try_key_of(world, call, tries));
    fact.attempts = tries;
    fact.retry = call->retried_above || tries > 1;
    fact.parent = parent_of_unsent(call);
    world_tell(world, &fact);
}

void rest_for_throttle(struct world *world, uint32_t call, storm_time wait) {
    struct call *c = &world->calls[call];
    storm_time due =
        storm_time_earlier(storm_time_add(world_now(world), wait), try_deadline(world, c));
    assert(wait > 0 && c->wait == 0); /* invariant 2 */
    c->state = CALL_BACKING_OFF;
    c->wait = wait;
    c->asked = true;
    struct storm_fact fact = try_fact(world, c, STORM_FACT_BACKED_OFF, try_key(world, c));
    fact.status = c->status;
    fact.due = due;
    fact.parent = c->key;
    world_tell(world, &fact);
    try_arm(world, call, storm_time_later(world_now(world), due));
}

/* The time of the first in an orbit begins to run; its deadline may be past where operators have
   moved it. */
static void promote(struct world *world, uint32_t call) {
    const struct call *c = &world->calls[call];
    storm_time now = world_now(world);
    storm_time due = storm_time_earlier(storm_time_add(now, c->wait), try_deadline(world, c));
    assert(c->state == CALL_BACKING_OFF && c->orbiting);
    try_disarm(world, call);
    try_arm(world, call, storm_time_later(now, due));
}

void rest_begin(struct world *world, uint32_t call, uint64_t attempt_key, storm_time delay,
                bool head_only) {
    struct call *c = &world->calls[call];
    storm_time due =
        storm_time_earlier(storm_time_add(world_now(world), delay), try_deadline(world, c));
    assert(c->wait == 0 && !c->orbiting); /* invariant 2 */
    c->state = CALL_BACKING_OFF;
    c->wait = delay;
    c->orbiting = head_only && delay > 0;
    if (c->orbiting && !orbit_join(world, call)) {
        due = STORM_NEVER; /* as long as others go before it */
        try_arm(world, call, try_deadline(world, c));
    } else {
        try_arm(world, call, due);
    }
    if (delay > 0) { /* who retries at once does not back off */
        struct storm_fact fact = try_fact(world, c, STORM_FACT_BACKED_OFF, attempt_key);
        fact.status = c->status;
        fact.due = due;
        fact.parent = parent_of_unsent(c);
        world_tell(world, &fact);
    }
}

bool rest_stop(struct world *world, uint32_t call) {
    struct call *c = &world->calls[call];
    bool rested = c->wait > 0;
    assert(c->state == CALL_BACKING_OFF);
    c->wait = 0;
    if (c->orbiting) {
        c->orbiting = false;
        uint32_t first = orbit_leave(world, call);
        if (first != STORM_NONE) {
            promote(world, first);
        }
    }
    return rested;
}

void rest_end(struct world *world, uint32_t call) {
    const struct call *c = &world->calls[call];
    if (c->state == CALL_BACKING_OFF && rest_stop(world, call)) {
        rest_tell_end(world, c, c->tries);
    }
}
