/* call.c: a caller's side: send, wait, time out, back off, try again, give up. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/call.h"

#include <assert.h>

#include <retrystorm/dist.h>
#include <retrystorm/fact.h>
#include <retrystorm/policy.h>
#include <retrystorm/units.h>

#include "base/stream.h"
#include "model/network.h"
#include "model/orbit.h"
#include "model/population.h"
#include "model/station.h"
#include "model/world.h"
#include "policy/classify.h"
#include "policy/delay.h"
#include "policy/hint.h"

/* A chain of this many attempts, each caused by the one before without any delay between them, is a
   loop, not a policy. */
enum { CHAIN_MAX = 100000 };

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

bool call_succeeded(const struct world *world, uint32_t call) {
    return world->calls[call].reason == STORM_REASON_NONE;
}

static const struct storm_policy *policy_of(const struct world *world, const struct call *call) {
    uint32_t policy = edge_of(world, call)->policy;
    if (call->edge < world->scenario->population_count) {
        policy = population_policy(world, call->edge, call->owner);
    }
    return &world->scenario->policies[policy];
}

/* A fact about the caller's current try. */
static struct storm_fact fact_of(const struct world *world, const struct call *call,
                                 enum storm_fact_kind kind, uint64_t attempt_key) {
    return (struct storm_fact){.kind = (uint8_t)kind,
                               .place = (uint16_t)edge_of(world, call)->to,
                               .key = attempt_key,
                               .attempts = call->tries,
                               .retry = call->retried_above || call->tries > 1};
}

/* ---- the timer ------------------------------------------------------------------------------- */

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

/* ---- sending --------------------------------------------------------------------------------- */

/* The key of the call's current try. A population's call is edge 0 whatever its place (the key of
   the request names the population), so that another population changes nobody's luck. */
static uint64_t try_key(const struct world *world, const struct call *call) {
    uint32_t roots = world->scenario->population_count;
    return stream_child(call->key, call->edge < roots ? 0 : call->edge - roots + 1, call->tries);
}

/* An attempt of the call's current try, not yet sent. */
static void fill_attempt(const struct world *world, uint32_t call, struct attempt *attempt) {
    const struct call *c = &world->calls[call];
    bool is_root = c->edge < world->scenario->population_count;
    attempt->key = try_key(world, c);
    attempt->call = call;
    attempt->serial = c->serial;
    attempt->edge = c->edge;
    attempt->service = (uint16_t)edge_of(world, c)->to;
    attempt->state = ATTEMPT_OUTBOUND;
    attempt->retry = c->retried_above || c->tries > 1;
    attempt->origin = is_root ? (uint8_t)c->edge : world->attempts[c->owner].origin;
    attempt->status = is_root ? population_doom(world, c->edge, c->key) : 0;
}

/* Sends the next attempt. The timer is armed first, so that at equal times a timeout comes
   before the answer. */
static void send_next(struct world *world, uint32_t call, bool rested) {
    uint32_t attempt = world_take_attempt(world);
    struct call *c = &world->calls[call];
    struct attempt *a = &world->attempts[attempt];
    const struct storm_edge *edge = edge_of(world, c);
    storm_time now = world_now(world);
    storm_time latency = 0;
    uint32_t chain = c->chain + 1;
    assert(c->attempt == STORM_NONE);
    c->tries++;
    c->state = CALL_IN_FLIGHT;
    c->attempt = attempt;
    fill_attempt(world, call, a);
    storm_time patience = storm_dist_draw(&edge->timeout, a->key, STREAM_TIMEOUT);
    arm(world, call, storm_time_earlier(storm_time_add(now, patience), deadline_of(world, c)));
    c->chain = patience > 0 ? 0 : chain; /* a timeout takes its time */
    struct storm_fact fact = fact_of(world, c, STORM_FACT_SENT, a->key);
    fact.parent = c->key;
    fact.queued = rested;
    world_tell(world, &fact);
    if (!network_carries(world, a, NETWORK_OUT, &latency)) {
        station_vanish(world, attempt, 0);
        return;
    }
    a->chain = latency > 0 ? 0 : chain;
    world_schedule(world, storm_time_add(now, latency), EVENT_ARRIVES,
                   world_slot_of_attempt(world, attempt));
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
    send_next(world, call, false);
    return call;
}

/* ---- backing off ----------------------------------------------------------------------------- */

/* The time of the first in an orbit begins to run; its deadline may be past where operators have
   moved it. */
static void promote(struct world *world, uint32_t call) {
    const struct call *c = &world->calls[call];
    storm_time now = world_now(world);
    storm_time due = storm_time_earlier(storm_time_add(now, c->wait), deadline_of(world, c));
    assert(c->state == CALL_BACKING_OFF);
    disarm(world, call);
    arm(world, call, storm_time_later(now, due));
}

/* The call waits for `delay` from now on, or from when it is its turn. */
static void rest(struct world *world, uint32_t call, uint64_t attempt_key, storm_time delay,
                 bool head_only) {
    struct call *c = &world->calls[call];
    storm_time due =
        storm_time_earlier(storm_time_add(world_now(world), delay), deadline_of(world, c));
    c->state = CALL_BACKING_OFF;
    c->wait = delay;
    c->orbiting = head_only && delay > 0;
    if (c->orbiting && !orbit_join(world, call)) {
        due = STORM_NEVER; /* as long as others go before it */
        arm(world, call, deadline_of(world, c));
    } else {
        arm(world, call, due);
    }
    if (delay > 0) { /* who retries at once does not back off */
        struct storm_fact fact = fact_of(world, c, STORM_FACT_BACKED_OFF, attempt_key);
        fact.status = c->status;
        fact.due = due;
        world_tell(world, &fact);
    }
}

/* The back-off is over. True when there was one that was told of. */
static bool stop_resting(struct world *world, uint32_t call) {
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

/* The call ends, or is dropped: if it backs off, there is no more need of it. */
static void rest_no_more(struct world *world, uint32_t call) {
    const struct call *c = &world->calls[call];
    if (c->state == CALL_BACKING_OFF && stop_resting(world, call)) {
        struct storm_fact fact = fact_of(world, c, STORM_FACT_RESTED, try_key(world, c));
        world_tell(world, &fact);
    }
}

/* ---- ending ---------------------------------------------------------------------------------- */

/* The caller stops waiting for its attempt. Whether the callee learns of it is the edge's matter;
   what an outage or the network has swallowed is gone already. */
static void abandon(struct world *world, uint32_t call, enum storm_cancel least) {
    struct call *c = &world->calls[call];
    const struct storm_edge *edge = edge_of(world, c);
    uint32_t attempt = c->attempt;
    if (attempt == STORM_NONE) {
        return;
    }
    struct attempt *a = &world->attempts[attempt];
    assert(a->call == call && a->serial == c->serial); /* invariant 1 */
    c->attempt = STORM_NONE;
    bool is_gone = station_cancel(world, attempt, edge->cancel > least ? edge->cancel : least);
    if (!is_gone && edge->late_reply == STORM_LATE_IGNORE) {
        a->call = STORM_NONE;
    }
}

static uint32_t end(struct world *world, uint32_t call, uint16_t status, enum storm_reason reason) {
    struct call *c = &world->calls[call];
    rest_no_more(world, call);
    disarm(world, call);
    c->status = status;
    c->reason = (uint8_t)reason;
    return call;
}

static void drop(struct world *world, uint32_t call, enum storm_cancel least) {
    rest_no_more(world, call);
    disarm(world, call);
    abandon(world, call, least);
    world_free_call(world, call);
}

void call_drop_children(struct world *world, uint32_t attempt, enum storm_cancel least) {
    uint32_t child = world->attempts[attempt].child;
    world->attempts[attempt].child = STORM_NONE;
    while (child != STORM_NONE) {
        uint32_t next = world->calls[child].sibling;
        drop(world, child, least);
        child = next;
    }
}

/* ---- deciding -------------------------------------------------------------------------------- */

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

/* What is known of an attempt that has ended, and what the caller's policy makes of it. */
struct answer {
    uint64_t key;
    storm_time hint; /* when the server wants to see the caller again; 0: it did not say */
    const struct storm_policy *policy;
    enum storm_class class;
    uint16_t status;
};

static struct answer judge(const struct world *world, uint32_t call, uint64_t attempt_key,
                           uint16_t status) {
    const struct storm_policy *policy = policy_of(world, &world->calls[call]);
    return (struct answer){.key = attempt_key,
                           .policy = policy,
                           .class = classify_status(policy, status),
                           .status = status};
}

/* Why the call may not go on after this failure; NONE: it may. */
static enum storm_reason reason_to_stop(const struct world *world, const struct call *call,
                                        const struct answer *failure) {
    const struct storm_policy *policy = failure->policy;
    if (failure->class == STORM_CLASS_GIVE_UP) {
        return STORM_REASON_NOT_RETRYABLE;
    }
    if (world_now(world) >= deadline_of(world, call)) {
        return STORM_REASON_DEADLINE;
    }
    if (policy->attempts != STORM_ATTEMPTS_UNLIMITED && call->tries >= policy->attempts) {
        return STORM_REASON_ATTEMPTS;
    }
    bool is_tested = policy->persist < 1;
    if (is_tested && stream_uniform(failure->key, STREAM_PERSIST, 0) >= policy->persist) {
        return STORM_REASON_PATIENCE;
    }
    return STORM_REASON_NONE;
}

/* An attempt has failed: back off and try again, or give up. Returns the call if it ended. */
static uint32_t decide(struct world *world, uint32_t call, const struct answer *failure) {
    struct call *c = &world->calls[call];
    const struct storm_policy *policy = failure->policy;
    storm_time now = world_now(world);
    if (c->tries == 1) {
        c->first_failed = now;
    }
    enum storm_reason reason = reason_to_stop(world, c, failure);
    if (reason != STORM_REASON_NONE) {
        return end(world, call, failure->status, reason);
    }
    double u = stream_uniform(failure->key, STREAM_BACKOFF, 0);
    storm_time own = storm_time_from_seconds(delay_next(&policy->delay, &c->delay, u));
    storm_time delay = hint_apply(policy->hint, own, failure->hint);
    if (storm_time_add(now, delay) > storm_time_add(c->begun, policy->total_time)) {
        return end(world, call, failure->status, STORM_REASON_TOTAL_TIME);
    }
    c->chain = delay > 0 ? 0 : c->chain;
    if (is_endless(world, c)) {
        return STORM_NONE;
    }
    disarm(world, call);
    c->status = failure->status;
    rest(world, call, failure->key, delay, policy->head_only);
    return STORM_NONE;
}

/* An answer that comes after its caller stopped waiting for it, where that still counts. */
static uint32_t accept_late(struct world *world, uint32_t call, const struct answer *answer) {
    if (answer->class != STORM_CLASS_SUCCESS) {
        return STORM_NONE;
    }
    abandon(world, call, STORM_CANCEL_NONE);
    return end(world, call, answer->status, STORM_REASON_NONE);
}

uint32_t call_answered(struct world *world, uint32_t attempt) {
    const struct attempt *a = &world->attempts[attempt];
    uint32_t call = world_is_heard(world, a) ? a->call : STORM_NONE;
    uint32_t chain = a->chain;
    assert(a->state == ATTEMPT_RETURNING);
    if (call == STORM_NONE) {
        world_free_attempt(world, attempt);
        return STORM_NONE; /* a late answer: ignored */
    }
    struct call *c = &world->calls[call];
    struct answer answer = judge(world, call, a->key, a->status);
    answer.hint = a->stamp;
    world_free_attempt(world, attempt);
    if (c->attempt != attempt) {
        return accept_late(world, call, &answer);
    }
    assert(c->state == CALL_IN_FLIGHT);
    c->attempt = STORM_NONE;
    c->chain = chain;
    if (answer.class == STORM_CLASS_SUCCESS) {
        return end(world, call, answer.status, STORM_REASON_NONE);
    }
    return decide(world, call, &answer);
}

uint32_t call_timer(struct world *world, uint32_t call) {
    struct call *c = &world->calls[call];
    assert(c->armed);
    c->armed = false;
    if (c->state == CALL_BACKING_OFF) {
        if (world_now(world) >= deadline_of(world, c)) {
            return end(world, call, c->status, STORM_REASON_DEADLINE);
        }
        bool rested = stop_resting(world, call);
        send_next(world, call, rested);
        return STORM_NONE;
    }
    assert(c->state == CALL_IN_FLIGHT);
    struct answer failure = judge(world, call, try_key(world, c), STORM_OUTCOME_TIMEOUT);
    struct storm_fact fact = fact_of(world, c, STORM_FACT_GAVE_UP, failure.key);
    world_tell(world, &fact);
    abandon(world, call, STORM_CANCEL_NONE);
    return decide(world, call, &failure);
}
