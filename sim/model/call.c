/* call.c: a caller's side: send, wait, time out, back off, try again, give up. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/call.h"

#include <assert.h>

#include <retrystorm/dist.h>
#include <retrystorm/policy.h>
#include <retrystorm/units.h>

#include "base/stream.h"
#include "model/world.h"
#include "policy/classify.h"
#include "policy/delay.h"

/* A chain of this many attempts, each caused by the one before without any delay between them, is a
   loop, not a policy. */
enum { CHAIN_MAX = 100000 };

static storm_time earlier(storm_time a, storm_time b) { return a < b ? a : b; }

static const struct storm_edge *edge_of(const struct world *world, const struct call *call) {
    assert(call->edge < world->edge_count);
    return world->edges[call->edge];
}

static storm_time deadline_of(const struct world *world, const struct call *call) {
    return storm_time_add(call->begun, edge_of(world, call)->deadline);
}

bool call_is_root(const struct world *world, uint32_t call) {
    return world->calls[call].edge < world->scenario->population_count;
}

/* Arms the call's one timer at `time`; never is not scheduled at all. */
static void arm(struct world *world, uint32_t call, storm_time time) {
    struct call *c = &world->calls[call];
    assert(!c->armed);
    if (time < STORM_NEVER) {
        world_schedule(world, time, EVENT_TIMER, world_slot_of_call(world, call));
        c->armed = true;
    }
}

static void disarm(struct world *world, uint32_t call) {
    struct call *c = &world->calls[call];
    if (c->armed) {
        c->armed = false;
        world_cancel(world, world_slot_of_call(world, call));
    }
}

/* The key of the call's current try. A population's call is edge 0 whatever its place (the key of
   the request names the population), so that another population changes nobody's luck. */
static uint64_t try_key(const struct world *world, const struct call *call) {
    uint32_t roots = world->scenario->population_count;
    return stream_child(call->key, call->edge < roots ? 0 : call->edge - roots + 1, call->tries);
}

/* Sends the next attempt. The timer is armed first, so that at equal times a timeout comes
   before the answer. */
static void send_next(struct world *world, uint32_t call) {
    uint32_t attempt = world_take_attempt(world);
    struct call *c = &world->calls[call];
    struct attempt *a = &world->attempts[attempt];
    const struct storm_edge *edge = edge_of(world, c);
    assert(c->attempt == STORM_NONE);
    c->tries++;
    c->state = CALL_IN_FLIGHT;
    c->sent = world_now(world);
    c->attempt = attempt;
    a->key = try_key(world, c);
    a->call = call;
    a->edge = c->edge;
    a->service = (uint16_t)edge->to;
    a->state = ATTEMPT_OUTBOUND;
    a->retry = c->retried_above || c->tries > 1;
    arm(world, call, earlier(storm_time_add(c->sent, edge->timeout), deadline_of(world, c)));
    storm_time latency = storm_dist_draw(&edge->network, a->key, STREAM_OUTBOUND);
    a->chain = latency > 0 ? 0 : c->chain + 1;
    world_schedule(world, storm_time_add(c->sent, latency), EVENT_ARRIVES,
                   world_slot_of_attempt(world, attempt));
    world_tell(world, (struct storm_fact){.kind = STORM_FACT_SENT,
                                          .place = a->service,
                                          .attempts = c->tries,
                                          .retry = a->retry});
}

uint32_t call_begin(struct world *world, uint32_t edge, const struct caller *caller) {
    uint32_t call = world_take_call(world);
    struct call *c = &world->calls[call];
    c->key = caller->key;
    c->begun = world_now(world);
    c->edge = edge;
    c->owner = caller->owner;
    c->ordinal = caller->ordinal;
    c->chain = caller->chain;
    c->retried_above = caller->retried;
    send_next(world, call);
    return call;
}

static uint32_t end(struct world *world, uint32_t call, uint16_t status, enum storm_reason reason) {
    struct call *c = &world->calls[call];
    disarm(world, call);
    c->status = status;
    c->reason = (uint8_t)reason;
    return call;
}

/* Refuses to go round forever at one instant. */
static bool is_endless(struct world *world, const struct call *call) {
    if (call->chain < CHAIN_MAX || world->error.status != STORM_OK) {
        return false;
    }
    const struct storm_edge *edge = edge_of(world, call);
    return !storm_fail(&world->error, STORM_INVALID,
                       "calls to '%s' went on for %d attempts in one instant: give a policy a "
                       "delay, a network a latency, or bound the attempts",
                       edge->to_name, CHAIN_MAX);
}

/* An attempt with key `attempt_key` has failed: back off and try again, or give up. Returns the
   call if it ended. */
static uint32_t decide(struct world *world, uint32_t call, uint64_t attempt_key, uint16_t status) {
    struct call *c = &world->calls[call];
    const struct storm_policy *policy = &world->scenario->policies[edge_of(world, c)->policy];
    storm_time now = world_now(world);
    if (c->tries == 1) {
        c->first_failed = now;
    }
    if (!classify_retryable(status)) {
        return end(world, call, status, STORM_REASON_NOT_RETRYABLE);
    }
    if (now >= deadline_of(world, c)) {
        return end(world, call, status, STORM_REASON_DEADLINE);
    }
    if (policy->attempts != STORM_ATTEMPTS_UNLIMITED && c->tries >= policy->attempts) {
        return end(world, call, status, STORM_REASON_ATTEMPTS);
    }
    double u = stream_uniform(attempt_key, STREAM_BACKOFF, 0);
    storm_time delay = storm_time_from_seconds(delay_next(&policy->delay, &c->delay, u));
    storm_time next = storm_time_add(now, delay);
    if (next > storm_time_add(c->begun, policy->total_time)) {
        return end(world, call, status, STORM_REASON_TOTAL_TIME);
    }
    c->chain = delay > 0 ? 0 : c->chain;
    if (is_endless(world, c)) {
        return STORM_NONE;
    }
    disarm(world, call);
    c->status = status;
    c->state = CALL_BACKING_OFF;
    arm(world, call, earlier(next, deadline_of(world, c)));
    return STORM_NONE;
}

uint32_t call_answered(struct world *world, uint32_t attempt) {
    struct attempt *a = &world->attempts[attempt];
    uint32_t call = a->call;
    uint16_t status = a->status;
    uint64_t key = a->key;
    uint32_t chain = a->chain;
    assert(a->state == ATTEMPT_RETURNING);
    a->call = STORM_NONE;
    world_free_attempt(world, attempt);
    if (call == STORM_NONE) {
        return STORM_NONE; /* a late answer: ignored */
    }
    struct call *c = &world->calls[call];
    assert(c->state == CALL_IN_FLIGHT && c->attempt == attempt); /* invariant 1 */
    c->attempt = STORM_NONE;
    c->chain = chain;
    if (classify_success(status)) {
        return end(world, call, status, STORM_REASON_NONE);
    }
    return decide(world, call, key, status);
}

/* The caller stops waiting for its attempt; the callee does not know. Returns the attempt's key. */
static uint64_t abandon(struct world *world, uint32_t call) {
    struct call *c = &world->calls[call];
    if (c->attempt == STORM_NONE) {
        /* An outage swallowed the attempt; its key is that of the try. */
        return try_key(world, c);
    }
    struct attempt *a = &world->attempts[c->attempt];
    assert(a->call == call); /* invariant 1 */
    a->call = STORM_NONE;
    c->attempt = STORM_NONE;
    return a->key;
}

uint32_t call_timer(struct world *world, uint32_t call) {
    struct call *c = &world->calls[call];
    assert(c->armed);
    c->armed = false;
    bool too_late = world_now(world) >= deadline_of(world, c);
    if (c->state == CALL_BACKING_OFF) {
        if (too_late) {
            return end(world, call, c->status, STORM_REASON_DEADLINE);
        }
        send_next(world, call);
        return STORM_NONE;
    }
    assert(c->state == CALL_IN_FLIGHT);
    uint64_t key = abandon(world, call);
    c->chain = 0; /* a timeout takes its time */
    world_tell(world, (struct storm_fact){.kind = STORM_FACT_GAVE_UP,
                                          .place = (uint16_t)edge_of(world, c)->to,
                                          .attempts = c->tries});
    return decide(world, call, key, STORM_OUTCOME_TIMEOUT);
}

void call_drop(struct world *world, uint32_t call) {
    disarm(world, call);
    abandon(world, call);
    world_free_call(world, call);
}
