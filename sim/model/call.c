/* call.c: a caller's side: send, wait, time out, back off, try again, give up. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/call.h"

#include <assert.h>

#include <retrystorm/dist.h>
#include <retrystorm/fact.h>
#include <retrystorm/policy.h>
#include <retrystorm/units.h>

#include "base/stream.h"
#include "model/guard.h"
#include "model/messages.h"
#include "model/network.h"
#include "model/request.h"
#include "model/rest.h"
#include "model/station.h"
#include "model/try.h"
#include "model/world.h"
#include "policy/classify.h"
#include "policy/delay.h"
#include "policy/hint.h"
#include "policy/time_limit.h"

/* A chain of this many attempts, each caused by the one before without any delay between them, is a
   loop, not a policy. */
enum { CHAIN_MAX = 100000 };

bool call_succeeded(const struct world *world, uint32_t call) {
    const struct call *c = &world->calls[call];
    return c->reason == STORM_REASON_NONE && !c->requeued;
}

/* Consumers: what becomes of a message whose handling has failed. */
static enum storm_retries retries_of(const struct world *world, const struct call *call) {
    return world_is_root(world, call) ? world->scenario->populations[call->edge].retries
                                      : STORM_RETRIES_IN_PLACE;
}

/* ---- sending --------------------------------------------------------------------------------- */

/* An attempt of the call's current try, not yet sent. */
static void fill_attempt(const struct world *world, uint32_t call, struct attempt *attempt) {
    const struct call *c = &world->calls[call];
    uint64_t key = try_key(world, c);
    attempt->key = c->hedged == 0 ? key : stream_child(key, STREAM_EDGE_HEDGE, c->hedged);
    attempt->call = call;
    attempt->serial = c->serial;
    attempt->twin = c->attempt;
    attempt->edge = c->edge;
    attempt->service = (uint16_t)try_edge(world, c)->to;
    attempt->state = ATTEMPT_OUTBOUND;
    attempt->retry = c->retried_above || c->tries > 1 || c->hedged > 0;
    attempt->copy = c->copy;
    attempt->message = c->message;
    attempt->day = c->day;
    if (!world_is_root(world, c)) {
        const struct attempt *caller = &world->attempts[c->owner];
        attempt->origin = caller->origin;
        attempt->member = caller->member;
        attempt->ordinal = caller->ordinal;
    } else if (storm_is_consumer(&world->scenario->populations[c->edge])) {
        messages_describe(world, call, attempt);
    } else {
        attempt->origin = (uint8_t)c->edge;
        attempt->member = c->owner;
        attempt->ordinal = c->ordinal;
        uint64_t request = c->copy == 0 ? c->key : request_key_of(world, attempt);
        attempt->status = request_doom(world, c->edge, request);
    }
}

/* Sends an attempt of the call's current try. The timer is armed first, so that at equal times a
   timeout comes before the answer. */
static void send_copy(struct world *world, uint32_t call, bool rested) {
    uint32_t attempt = world_take_attempt(world);
    struct call *c = &world->calls[call];
    struct attempt *a = &world->attempts[attempt];
    const struct storm_edge *edge = try_edge(world, c);
    const struct storm_hedge *hedge = &world_policy_of(world, c)->hedge;
    storm_time now = world_now(world);
    storm_time latency = 0;
    uint32_t chain = c->chain + 1;
    c->state = CALL_IN_FLIGHT;
    fill_attempt(world, call, a);
    c->attempt = attempt;
    storm_time patience = storm_dist_draw(&edge->timeout, a->key, STREAM_TIMEOUT);
    storm_time deadline = storm_time_later(now, try_deadline(world, c)); /* operators move it */
    c->expires = storm_time_earlier(storm_time_add(now, patience), deadline);
    c->hedge_at =
        c->hedged + 1U < hedge->attempts ? storm_time_add(now, hedge->after) : STORM_NEVER;
    a->due = edge->pass_deadline ? c->expires : STORM_NEVER;
    try_arm(world, call, storm_time_earlier(c->expires, c->hedge_at));
    c->chain = patience > 0 ? 0 : chain; /* a timeout takes its time */
    struct storm_fact fact = try_fact(world, c, STORM_FACT_SENT, a->key);
    fact.parent = c->key;
    fact.queued = rested;
    fact.retry = a->retry;
    world_tell(world, &fact);
    if (!network_carries(world, a, NETWORK_OUT, &latency)) {
        station_vanish(world, attempt, 0);
        return;
    }
    a->chain = latency > 0 ? 0 : chain;
    world_schedule(world, storm_time_add(now, latency), EVENT_ARRIVES,
                   world_slot_of_attempt(world, attempt));
}

/* Sends the attempt whose try has begun. */
static void send_try(struct world *world, uint32_t call, bool rested) {
    struct call *c = &world->calls[call];
    assert(c->attempt == STORM_NONE);
    c->hedged = 0;
    if (c->braked && c->tries > 1) {
        guard_sent(world, c);
    }
    send_copy(world, call, rested);
}

bool call_forget(struct world *world, uint32_t attempt) {
    const struct attempt *a = &world->attempts[attempt];
    if (!world_is_heard(world, a)) {
        return false;
    }
    uint32_t *link = &world->calls[a->call].attempt;
    while (*link != attempt && *link != STORM_NONE) {
        link = &world->attempts[*link].twin;
    }
    bool is_awaited = *link == attempt;
    if (is_awaited) {
        *link = a->twin;
    }
    return is_awaited;
}

/* ---- held back by its own brakes ------------------------------------------------------------- */

/* Tells that a brake does not let a try out, or a retry after the attempt of that key. */
static void tell_held_back(struct world *world, const struct call *call, uint64_t key,
                           enum storm_reason brake) {
    struct storm_fact fact = try_fact(world, call, STORM_FACT_HELD_BACK, key);
    fact.reason = (uint8_t)brake;
    fact.parent = call->key;
    world_tell(world, &fact);
}

/* A brake does not let the try out: it has failed, which the call learns at this same instant. */
static void hold_back(struct world *world, uint32_t call, enum storm_reason brake) {
    struct call *c = &world->calls[call];
    tell_held_back(world, c, try_key(world, c), brake);
    c->state = CALL_BACKING_OFF;
    c->held = (uint8_t)brake;
    c->chain++;
    try_arm(world, call, world_now(world));
}

/* The try of a call with brakes is sent, waits, or is held back. */
static void ask_brakes(struct world *world, uint32_t call, bool rested) {
    struct call *c = &world->calls[call];
    struct throttle_word word = {.rejected = false};
    if (!c->asked) {
        word = guard_asks(world, c, try_key(world, c));
    }
    bool is_held = word.rejected || word.wait > 0 || !guard_lets(world, c);
    if (!is_held) {
        c->asked = false;
        send_try(world, call, rested);
        return;
    }
    if (rested) {
        rest_tell_end(world, c, c->asked ? c->tries : c->tries - 1);
    }
    if (word.wait > 0 && !word.rejected) {
        rest_for_throttle(world, call, word.wait);
    } else {
        c->asked = false;
        hold_back(world, call, word.rejected ? STORM_REASON_THROTTLED : STORM_REASON_BREAKER);
    }
}

/* The next try begins. */
static void begin_try(struct world *world, uint32_t call, bool rested) {
    struct call *c = &world->calls[call];
    c->tries++;
    if (c->braked) {
        ask_brakes(world, call, rested);
    } else {
        send_try(world, call, rested);
    }
}

/* ---- beginning ------------------------------------------------------------------------------- */

static void fill_call(struct world *world, uint32_t edge, const struct caller *caller,
                      struct call *call) {
    call->key = caller->key;
    call->begun = world_now(world);
    call->edge = edge;
    call->owner = caller->owner;
    call->ordinal = caller->ordinal;
    call->copy = caller->copy;
    call->message = caller->message;
    call->day = caller->day;
    call->due = caller->due;
    call->chain = caller->chain;
    call->retried_above = caller->retried;
    call->first_failed = -1;
    call->attempt = STORM_NONE;
    call->policy = world_is_root(world, call) ? request_policy(world, edge, caller->owner)
                                              : world->edges[edge]->policy;
    call->braked = storm_policy_has_brakes(world_policy_of(world, call));
    call->status = STORM_OUTCOME_REJECTED; /* until an attempt has been answered */
    if (caller->past != NULL) {
        call->delay = caller->past->delay;
        call->first_failed = caller->past->first_failed;
        call->tries = caller->past->tries;
        call->paid = caller->past->paid;
    }
}

uint32_t call_begin(struct world *world, uint32_t edge, const struct caller *caller) {
    uint32_t call = world_take_call(world);
    struct call *c = &world->calls[call];
    fill_call(world, edge, caller, c);
    const struct storm_policy *policy = world_policy_of(world, c);
    if (policy->time_rule == STORM_TIME_INTERRUPT) {
        c->due = storm_time_earlier(c->due, storm_time_add(c->begun, policy->total_time));
    }
    if (c->braked && !guard_begins(world, c)) {
        hold_back(world, call, STORM_REASON_BREAKER);
        return call;
    }
    if (world_now(world) >= try_deadline(world, c)) { /* whoever passed it down is late */
        c->state = CALL_BACKING_OFF;
        c->status = STORM_OUTCOME_TIMEOUT;
        try_arm(world, call, world_now(world));
        return call;
    }
    begin_try(world, call, false);
    return call;
}

/* What is known of an attempt that has ended, and what the caller's policy makes of it. */
struct answer {
    uint64_t key;
    storm_time hint; /* when the server wants to see the caller again; HINT_NONE: it did not say */
    const struct storm_policy *policy;
    enum storm_class class;
    uint16_t status;
};

/* ---- ending ---------------------------------------------------------------------------------- */

/* The caller stops waiting for its attempts. Whether the callee learns of it is the edge's matter;
   what an outage or the network has swallowed is gone already. */
static void abandon(struct world *world, uint32_t call, enum storm_cancel least) {
    struct call *c = &world->calls[call];
    const struct storm_edge *edge = try_edge(world, c);
    while (c->attempt != STORM_NONE) {
        uint32_t attempt = c->attempt;
        struct attempt *a = &world->attempts[attempt];
        assert(a->call == call && a->serial == c->serial); /* invariant 1 */
        c->attempt = a->twin;
        a->twin = STORM_NONE;
        bool is_gone = station_cancel(world, attempt, edge->cancel > least ? edge->cancel : least);
        if (!is_gone && edge->late_reply == STORM_LATE_IGNORE) {
            a->call = STORM_NONE;
        }
    }
}

/* The call is over. `class`: what its policy makes of the status. */
static uint32_t end(struct world *world, uint32_t call, uint16_t status, enum storm_reason reason,
                    enum storm_class class) {
    struct call *c = &world->calls[call];
    rest_end(world, call);
    try_disarm(world, call);
    if (c->attempt != STORM_NONE) {
        abandon(world, call, STORM_CANCEL_NONE);
    }
    c->status = status;
    c->reason = (uint8_t)reason;
    if (c->braked) {
        guard_ended(world, c, class == STORM_CLASS_SUCCESS, class == STORM_CLASS_RETRY);
    }
    return call;
}

/* The call ends in failure. */
static uint32_t give_up(struct world *world, uint32_t call, const struct answer *failure,
                        enum storm_reason reason) {
    struct call *c = &world->calls[call];
    bool comes_back =
        retries_of(world, c) == STORM_RETRIES_LEASE && reason != STORM_REASON_NOT_RETRYABLE;
    if (c->first_failed < 0) {
        c->first_failed = world_now(world);
    }
    end(world, call, failure->status, comes_back ? STORM_REASON_NONE : reason, failure->class);
    c->requeued = comes_back;
    return call;
}

/* The call ends since its message goes back to the queue, to be delivered again after `delay`. */
static uint32_t requeue(struct world *world, uint32_t call, const struct answer *failure,
                        storm_time delay) {
    end(world, call, failure->status, STORM_REASON_NONE, failure->class);
    world->calls[call].wait = delay;
    world->calls[call].requeued = true;
    return call;
}

static void drop(struct world *world, uint32_t call, enum storm_cancel least) {
    rest_end(world, call);
    try_disarm(world, call);
    abandon(world, call, least);
    if (world->calls[call].braked) {
        guard_dropped(world, &world->calls[call]);
    }
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
    const struct storm_edge *edge = try_edge(world, call);
    return !storm_fail(&world->error, STORM_INVALID,
                       "calls to '%s' went on for %d attempts in one instant: give a policy a "
                       "delay, a network a latency, or bound the attempts",
                       edge->to_name, CHAIN_MAX);
}

static struct answer judge(const struct world *world, uint32_t call, uint64_t attempt_key,
                           uint16_t status, storm_time hint) {
    const struct storm_policy *policy = world_policy_of(world, &world->calls[call]);
    enum storm_class class = classify_status(policy, status);
    if (class == STORM_CLASS_RETRY_HINTED) {
        class = hint == HINT_NONE ? STORM_CLASS_GIVE_UP : STORM_CLASS_RETRY;
    }
    return (struct answer){
        .key = attempt_key, .hint = hint, .policy = policy, .class = class, .status = status};
}

/* The deadline that is over: the policy's own, or the call's. */
static enum storm_reason deadline_reason(const struct world *world, const struct call *call,
                                         const struct storm_policy *policy) {
    bool is_policys = policy->time_rule == STORM_TIME_INTERRUPT &&
                      world_now(world) >= storm_time_add(call->begun, policy->total_time);
    return is_policys ? STORM_REASON_TOTAL_TIME : STORM_REASON_DEADLINE;
}

/* Why the call may not go on after this failure; NONE: it may. */
static enum storm_reason reason_to_stop(const struct world *world, const struct call *call,
                                        const struct answer *failure) {
    const struct storm_policy *policy = failure->policy;
    if (failure->class == STORM_CLASS_GIVE_UP) {
        bool is_held = failure->status == STORM_OUTCOME_REJECTED;
        return is_held ? (enum storm_reason)call->held : STORM_REASON_NOT_RETRYABLE;
    }
    if (world_now(world) >= try_deadline(world, call)) {
        return deadline_reason(world, call, policy);
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

/* How long to wait before the next try. */
static storm_time choose_delay(struct call *call, const struct answer *failure) {
    const struct storm_policy *policy = failure->policy;
    double u = stream_uniform(failure->key, STREAM_BACKOFF, 0);
    storm_time own = storm_time_from_seconds(delay_next(&policy->delay, &call->delay, u));
    if (failure->hint == HINT_NONE) {
        return own;
    }
    if (policy->hint.restarts) {
        call->delay = (struct storm_delay_state){0};
    }
    double v = stream_uniform(failure->key, STREAM_HINT, 0);
    return hint_apply(&policy->hint, own, failure->hint, v);
}

/* An attempt has failed: back off and try again, or give up. Returns the call if it ended. */
static uint32_t decide(struct world *world, uint32_t call, const struct answer *failure) {
    struct call *c = &world->calls[call];
    const struct storm_policy *policy = failure->policy;
    if (c->first_failed < 0) {
        c->first_failed = world_now(world);
    }
    enum storm_reason reason = reason_to_stop(world, c, failure);
    if (reason != STORM_REASON_NONE) {
        return give_up(world, call, failure, reason);
    }
    storm_time delay = choose_delay(c, failure);
    if (hint_gives_up(&policy->hint, failure->hint)) {
        return give_up(world, call, failure, STORM_REASON_HINT);
    }
    if (!time_limit_allows(policy, world_now(world) - c->begun, &delay)) {
        return give_up(world, call, failure, STORM_REASON_TOTAL_TIME);
    }
    if (c->braked && !guard_allows(world, c, failure->status)) {
        tell_held_back(world, c, failure->key, STORM_REASON_BUDGET);
        return give_up(world, call, failure, STORM_REASON_BUDGET);
    }
    c->chain = delay > 0 ? 0 : c->chain;
    if (is_endless(world, c)) {
        return STORM_NONE;
    }
    if (retries_of(world, c) == STORM_RETRIES_REQUEUE) {
        return requeue(world, call, failure, delay);
    }
    try_disarm(world, call);
    c->status = failure->status;
    rest_begin(world, call, failure->key, delay, policy->head_only);
    return STORM_NONE;
}

/* ---- hedging --------------------------------------------------------------------------------- */

/* One more copy of the current try goes out beside the others. False if the budget has none left:
   then there are no more. */
static bool hedge(struct world *world, uint32_t call) {
    struct call *c = &world->calls[call];
    assert(c->state == CALL_IN_FLIGHT && !c->armed);
    if (c->braked && !guard_allows(world, c, STORM_OUTCOME_TIMEOUT)) {
        c->hedge_at = STORM_NEVER;
        return false;
    }
    if (c->braked) {
        guard_sent(world, c);
    }
    c->hedged++;
    send_copy(world, call, false);
    return true;
}

/* One of several copies has failed in a way that is worth a retry. True when the call goes on by
   another one: it is on its way, or is sent at once, or when the server wants it. */
static bool hedges_on(struct world *world, uint32_t call, const struct answer *failure) {
    struct call *c = &world->calls[call];
    if (failure->class != STORM_CLASS_RETRY ||
        (c->attempt == STORM_NONE && c->hedge_at == STORM_NEVER)) {
        return false;
    }
    try_disarm(world, call);
    if (c->hedge_at < STORM_NEVER && failure->hint != HINT_NONE) {
        c->hedge_at = storm_time_add(world_now(world), failure->hint);
    } else if (c->hedge_at < STORM_NEVER && hedge(world, call)) {
        return true;
    }
    if (c->attempt == STORM_NONE && c->hedge_at == STORM_NEVER) {
        return false;
    }
    try_arm(world, call, storm_time_earlier(c->expires, c->hedge_at));
    return true;
}

/* ---- what happens to it ---------------------------------------------------------------------- */

/* An answer that comes after its caller stopped waiting for it, where that still counts. */
static uint32_t accept_late(struct world *world, uint32_t call, const struct answer *answer) {
    if (answer->class != STORM_CLASS_SUCCESS) {
        return STORM_NONE;
    }
    return end(world, call, answer->status, STORM_REASON_NONE, answer->class);
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
    uint64_t key = c->hedged == 0 ? a->key : try_key(world, c); /* copies are one try */
    struct answer answer = judge(world, call, key, a->status, a->stamp);
    bool is_awaited = call_forget(world, attempt);
    world_free_attempt(world, attempt);
    if (!is_awaited) {
        return accept_late(world, call, &answer);
    }
    assert(c->state == CALL_IN_FLIGHT);
    c->chain = chain;
    if (c->braked) {
        guard_answered(world, c, answer.status, answer.class);
    }
    if (answer.class == STORM_CLASS_SUCCESS) {
        return end(world, call, answer.status, STORM_REASON_NONE, answer.class);
    }
    if (hedges_on(world, call, &answer)) {
        return STORM_NONE;
    }
    return decide(world, call, &answer);
}

/* The attempts that the call waits for time out. */
static uint32_t time_out(struct world *world, uint32_t call) {
    struct call *c = &world->calls[call];
    struct answer failure = judge(world, call, try_key(world, c), STORM_OUTCOME_TIMEOUT, HINT_NONE);
    struct storm_fact fact = try_fact(world, c, STORM_FACT_GAVE_UP, failure.key);
    for (uint32_t i = c->attempt; i != STORM_NONE; i = world->attempts[i].twin) {
        fact.key = world->attempts[i].key;
        world_tell(world, &fact);
    }
    if (c->attempt == STORM_NONE) { /* it was waited for in vain */
        world_tell(world, &fact);
    }
    abandon(world, call, STORM_CANCEL_NONE);
    if (c->braked) {
        guard_answered(world, c, failure.status, failure.class);
    }
    return decide(world, call, &failure);
}

/* The call learns that its brakes have held its try back. */
static uint32_t be_held_back(struct world *world, uint32_t call) {
    struct call *c = &world->calls[call];
    struct answer failure =
        judge(world, call, try_key(world, c), STORM_OUTCOME_REJECTED, HINT_NONE);
    enum storm_reason brake = (enum storm_reason)c->held;
    bool is_outside = c->tries == 0;
    uint32_t ended = STORM_NONE;
    if (is_outside) { /* the breaker around the whole call: there is nothing to retry */
        ended = give_up(world, call, &failure, brake);
    } else {
        guard_held(world, c);
        ended = decide(world, call, &failure);
    }
    c->held = STORM_REASON_NONE;
    return ended;
}

uint32_t call_timer(struct world *world, uint32_t call) {
    struct call *c = &world->calls[call];
    storm_time now = world_now(world);
    assert(c->armed);
    c->armed = false;
    if (c->state == CALL_IN_FLIGHT) {
        if (now < c->expires) {
            if (!hedge(world, call)) {
                try_arm(world, call, c->expires);
            }
            return STORM_NONE;
        }
        return time_out(world, call);
    }
    assert(c->state == CALL_BACKING_OFF);
    if (c->held != STORM_REASON_NONE) {
        return be_held_back(world, call);
    }
    if (now >= try_deadline(world, c)) {
        struct answer failure = judge(world, call, try_key(world, c), c->status, HINT_NONE);
        return give_up(world, call, &failure, deadline_reason(world, c, failure.policy));
    }
    bool rested = rest_stop(world, call);
    if (c->asked) {
        ask_brakes(world, call, rested);
    } else {
        begin_try(world, call, rested);
    }
    return STORM_NONE;
}
