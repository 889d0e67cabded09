/* world.h: what the files of the model share: the pools of calls and attempts, and each place. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A call:     in flight <-> backing off -> ended (freed)
     begun       -> in flight     [call_begin: its first attempt is sent]
     begun       -> backing off   [call_begin: its brakes hold it back, or it is too late]
     in flight   -> in flight     [call_answered, call_timer: it hedges]
     in flight   -> backing off   [call_answered, call_timer: a failure worth a retry]
     backing off -> in flight     [call_timer: the back-off is over]
     backing off -> backing off   [call_timer: its brakes hold the retry back]
     either      -> ended         [call_answered, call_timer: success, or nothing left to try]
     either      -> dropped       [call_drop_children: its caller is gone]

   An attempt: outbound -> queued -> working -> waiting -> returning -> freed
     outbound         -> outbound [service_admit: it has read a version, goes back and comes to
                                  write]
     outbound         -> queued | working | returning
                                  [service_admit: it waits, starts, or is refused]
     queued           -> working | returning | freed
                                  [station_pull: it starts, its request was done before, or nobody
                                  waits for it]
     working          -> waiting  [service_worked: it calls other services]
     working, waiting -> returning    [station_answer]
     queued, working, waiting -> returning | freed
                                  [station_lose: reset, or swallowed by an outage]
     all but returning -> freed   [station_cancel: its caller takes it back]
   Abandoned is a bit, not a state: the attempt's caller no longer waits for it. It goes on as ghost
   work; nobody hears its answer, unless late replies are accepted and the call still lives.

   Invariants, cited by the asserts:
   1. A call in flight waits for the attempts of the list calls[c].attempt, linked by `twin`: one,
      or several where it hedges. Each names the call and its serial number. An attempt whose serial
      is no longer its call's speaks to nobody: the call has ended.
   2. Each call has one timer slot, each attempt one progress slot: at most one live event each. A
      call's is live when it is armed, an attempt's while it is outbound, working (at a service that
      does not share its workers) or returning.
   3. A service's busy count is the number of its attempts that are working, or waiting while they
      hold a worker; its parked count is that of the others that wait; its queued count is the
      length of its queue, and those that wait for another copy of their request are set aside.
      Attempts are in exactly one of the four lists while they are at the service.
   4. No pointer into a pool survives a take: each step first reserves what it may take
      (world_reserve).
   5. After an error the run is over: nothing more is scheduled or cancelled, so that a step that
      meets the memory limit half way can still go on to its end. */
#ifndef MODEL_WORLD_H
#define MODEL_WORLD_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/error.h>
#include <retrystorm/fact.h>
#include <retrystorm/scenario.h>

#include "engine/engine.h"

struct arena;
struct ban_list;
struct broker;
struct copies;
struct effects;
struct guard;

/* What an event means; its slot tells for whom. The first ones change the world, and come before
   all else of their instant. */
enum event_meaning {
    EVENT_END = 0,
    EVENT_FAULT_BEGINS,
    EVENT_FAULT_ENDS,
    EVENT_ACTION_BEGINS,
    EVENT_ACTION_ENDS,
    EVENT_COMES_UP, /* a crashed service */
    EVENT_RAMPS,    /* one more worker of a recovering service */
    EVENT_BIRTH,
    EVENT_THOUGHT, /* a member of a closed population wants something */
    EVENT_TIMER,   /* of a call: timeout, deadline, next copy or end of back-off */
    EVENT_ARRIVES,
    EVENT_WORKED,
    EVENT_SHARED, /* the first of those who share a service's workers is done */
    EVENT_RETURNS,
    EVENT_QUEUE, /* a message of a queue can be delivered, or its consumer works again */
    EVENT_COPIES /* the next copy of a replay, resend or rerun (an action's slot), or the next dead
                    letter that is sent again by itself (a population's letters' slot) */
};

/* Whose slot it is, of those that stand for the whole run; calls and attempts come after them. */
enum slot_kind {
    SLOT_END,
    SLOT_POPULATION,
    SLOT_RAMP,   /* of a service */
    SLOT_RETURN, /* of a crashed service */
    SLOT_SHARING,
    SLOT_FAULT,
    SLOT_ACTION,
    SLOT_QUEUE,   /* of a message queue */
    SLOT_LETTERS, /* of a population */
    SLOT_MEMBER,  /* of the closed populations, in their order */
    SLOT_KINDS
};

enum call_state { CALL_FREE, CALL_IN_FLIGHT, CALL_BACKING_OFF };
enum attempt_state {
    ATTEMPT_FREE,
    ATTEMPT_OUTBOUND,
    ATTEMPT_QUEUED,
    ATTEMPT_WORKING,
    ATTEMPT_WAITING,
    ATTEMPT_RETURNING
};

struct call {
    uint64_t key; /* of the caller: the request's, or the calling attempt's */
    storm_time begun, first_failed;
    storm_time wait;     /* length of the back-off at hand; 0 when there is none */
    storm_time expires;  /* when the attempts that it waits for time out */
    storm_time hedge_at; /* when the next copy is sent beside them; STORM_NEVER: no more */
    storm_time due;      /* by when its own caller must be over; STORM_NEVER: any time */
    double paid;         /* what its budget took for the last retry */
    struct storm_delay_state delay;
    uint32_t edge;    /* index into world.edges */
    uint32_t owner;   /* a population's member, or the index of the calling attempt */
    uint32_t ordinal; /* of the member's request; for a service: which of its calls; for consumers:
                         the index of the delivery */
    uint32_t copy;    /* of the request: 0 the first */
    uint32_t message; /* the copy whose message it is: a replay sends the same one again */
    uint32_t attempt; /* the last one on its way, or STORM_NONE (invariant 1) */
    uint32_t tries;
    uint32_t chain;          /* as of its last attempt */
    uint32_t serial;         /* changes whenever the slot is freed */
    uint32_t sibling;        /* the next call of the same attempt; or the free list */
    uint32_t next, previous; /* in its edge's orbit */
    uint32_t policy;         /* index; it goes by the one it began with to its end */
    uint16_t status;         /* of the last failure, or of the end */
    uint16_t hedged;         /* copies of the current attempt that were sent beside it */
    uint16_t retrying;       /* retries of it that its budget counts as under way */
    uint16_t day;            /* of the birth of the request's first copy */
    uint8_t state;
    uint8_t reason; /* why it ended, enum storm_reason; NONE: well */
    bool retried_above;
    bool armed; /* its timer slot has a live event */
    bool orbiting;
    bool asked;    /* its throttle has been asked for the attempt that it waits to send */
    bool passed;   /* its breaker has let it (or its attempt) through and waits for the outcome */
    bool requeued; /* it ends because its message goes back to the queue, to wait for `wait` */
    uint8_t held;  /* enum storm_reason: a brake holds its attempt back; NONE: none does */
    bool braked;   /* its policy has brakes: guard.c */
    bool budgeted; /* it began by a budget, which counts it as under way */
};

/* What a message remembers of its deliveries, so that the next one goes on with the policy where
   the last one stopped. */
struct call_past {
    struct storm_delay_state delay;
    storm_time first_failed;
    double paid; /* what a budget took for the last retry */
    uint32_t tries;
};

struct attempt {
    uint64_t key;
    storm_time due;          /* by when whoever waits for it will have gone; STORM_NEVER: unknown */
    storm_time stamp;        /* of arrival while it waits, of the start of service after that; while
                                it returns: the server's hint about when to come back (HINT_NONE) */
    uint32_t call, serial;   /* who hears the answer; STORM_NONE: nobody (invariant 1) */
    uint32_t child;          /* the first of the calls it waits for, or STORM_NONE */
    uint32_t next, previous; /* in its service's list, or the free list */
    uint32_t twin;           /* the next of those that its call waits for, or STORM_NONE */
    uint32_t member, ordinal, copy; /* which request it stems from; with its origin */
    uint32_t message;               /* as the call's */
    uint32_t edge;
    uint32_t chain;   /* events that led here, each caused by the one before, all at this instant */
    uint32_t version; /* of the optimistic lock, as read; STORM_NONE: not yet */
    uint32_t heap_at; /* its place among those who share the workers */
    uint16_t service;
    uint16_t status; /* of its answer, when that is known before */
    uint16_t step;   /* how many of the service's own calls are done */
    uint16_t day;    /* as the call's */
    uint8_t state;
    uint8_t origin; /* the population its request is from */
    bool retry;
    bool reading; /* its optimistic lock's version is on its way back */
    bool aside;   /* it waits for another copy of its request */
};

/* A pool of calls or of attempts: items[0 .. taken) with the free ones in a list by index. */
struct pool {
    uint32_t taken, capacity, free_head, free_count;
};

/* A list of attempts, or of calls, by index. */
struct lane {
    uint32_t head, tail, count;
};

/* Arrivals of the last crash_window: a ring of times, just long enough to see one too many. */
struct crash_window {
    storm_time *times;
    uint32_t size, next, count;
};

/* A token bucket by the time at which it will be full again (GCRA); times in nanoseconds. */
struct limiter {
    double full_at;
    double promised; /* the last moment that was promised to someone refused */
};

/* An attempt among those who share the workers: it is done when the service's own clock, which
   counts what each of them has received, shows `finish`. */
struct share {
    double finish;
    uint64_t order; /* of joining: ties are broken by it */
    uint32_t attempt;
};

/* Processor sharing: a heap by (finish, order), and that clock. */
struct sharing {
    struct share *heap;
    uint32_t count, room;
    uint64_t joined;
    double clock; /* seconds of work that each has received, as of `changed` */
    storm_time changed;
    bool scheduled; /* the service's sharing slot has a live event */
};

struct service {
    const struct storm_service *plan;
    uint32_t queue_index; /* of the message queue whose place it is; STORM_NONE: none */
    struct lane queue, busy, parked, aside;
    struct crash_window window;
    struct sharing sharing;
    struct limiter limiter;
    storm_time debt;       /* time that refusals cost and no attempt has paid yet */
    uint32_t version;      /* of the optimistic lock: how many writes succeeded */
    double slow;           /* product of the slow faults in force */
    double share;          /* product of the capacity faults in force */
    uint32_t ramp_workers; /* workers that the recovery allows */
    storm_time ramp_start; /* -1: not recovering */
    uint32_t capacity;     /* workers in force */
    uint32_t outages[2];   /* by enum storm_outage: how many causes are in force */
    uint32_t doors;        /* operators' actions in force at its door */
    bool error_faults;     /* at least one errors fault is in force */
    bool network_faults;   /* at least one network fault is in force */
    uint64_t arrived, refused, lost, served, taken_back, expired, suppressed; /* for the audit */
};

/* A member and its place in the period. */
struct place {
    storm_time offset;
    uint32_t member;
};

struct population {
    const struct storm_population *plan;
    uint64_t key;
    uint64_t turns;       /* births so far, and those that a pause has swallowed */
    uint64_t anchor_turn; /* EVEN: turns are counted from this one ... */
    storm_time anchor;    /* ... which was, or is, at this time */
    storm_time next;      /* of the next birth */
    uint32_t draws;       /* of the arrival stream */
    uint32_t segment;     /* RATE: between which points */
    uint32_t first_slot;  /* CLOSED: of its first member, among the members' */
    uint32_t *ordinals;   /* CLOSED: [member] of its next request */
    storm_time instant;   /* CLOSED: when somebody last took no time to ask and to think ... */
    uint64_t rounds;      /* ... and how often that happened at this instant */
    struct place *places; /* EVERY, AT with a spread: the members in the order of their places */
    uint64_t births, succeeded, dead, in_flight;
    uint32_t copies; /* births that are no first copies: each has its number */
};

struct world {
    const struct storm_scenario *scenario; /* as it is now: actions may change its numbers */
    const struct storm_scenario *original; /* as the run began; the actions are its own */
    struct arena *arena;
    struct storm_listener listener;
    struct engine engine;
    uint64_t seed;
    uint32_t run;
    struct storm_error error; /* sticky; status STORM_OK while all is well */
    uint32_t edge_count;
    const struct storm_edge **edges; /* first one for each population, then the services' calls */
    uint32_t *ranks;     /* [edge]: of the population, of the service's call: base/rank.h */
    struct lane *orbits; /* [edge]: calls backing off of which only the first retries */
    struct population *populations;
    struct service *services;
    struct limiter *admissions; /* [action] */
    struct guard *guards;       /* the brakes of the edges: guard.c */
    struct broker *brokers;     /* [queue]: broker.c */
    struct effects *effects;    /* [service]: effects.c */
    struct ban_list *bans;      /* [service]: ban.c */
    struct copies *copies;      /* the replays and their like: copies.c */
    uint32_t pauses;            /* in force */
    uint32_t rollouts;          /* begun */
    storm_time day_ends;        /* when the next day of the calendar begins */
    uint16_t day;               /* today, from 0 */
    uint32_t arriving;          /* populations with births to come */
    uint64_t in_flight;         /* requests */
    struct call *calls;
    struct attempt *attempts;
    struct pool call_pool, attempt_pool;
    uint32_t *generations;      /* [slot]: standing slots first, then calls and attempts in turn */
    uint32_t slots[SLOT_KINDS]; /* the first slot of each kind */
    uint32_t standing;
};

static inline storm_time world_now(const struct world *world) { return world->engine.now; }

/* Slots. Standing slots go stale only where an event of theirs is cancelled. */
static inline uint32_t world_slot(const struct world *world, enum slot_kind kind, uint32_t index) {
    return world->slots[kind] + index;
}
static inline uint32_t world_slot_of_call(const struct world *world, uint32_t call) {
    return world->standing + 2 * call;
}
static inline uint32_t world_slot_of_attempt(const struct world *world, uint32_t attempt) {
    return world->standing + 2 * attempt + 1;
}

/* Whether someone will hear the attempt's answer. */
static inline bool world_is_heard(const struct world *world, const struct attempt *attempt) {
    return attempt->call != STORM_NONE && world->calls[attempt->call].serial == attempt->serial;
}

/* Whether no outage is in force at a service (outage.h). */
static inline bool world_is_up(const struct service *service) {
    return service->outages[STORM_OUTAGE_DOWN] == 0 && service->outages[STORM_OUTAGE_HANG] == 0;
}

/* Whether the call belongs to a population (else to a service's attempt), and its policy. */
static inline bool world_is_root(const struct world *world, const struct call *call) {
    return call->edge < world->scenario->population_count;
}
static inline const struct storm_policy *world_policy_of(const struct world *world,
                                                         const struct call *call) {
    assert(call->policy < world->scenario->policy_count);
    return &world->scenario->policies[call->policy];
}

/* Sets world->error for a run that needs more memory than its limit, unless there is an error
   already. Returns false. */
bool world_out_of_memory(struct world *world);

/* Lays out the standing slots and empty pools. False (with world->error set) at the memory
   limit. */
bool world_init(struct world *world);

/* The key of a request of a population. */
uint64_t world_request_key(const struct world *world, uint32_t population, uint32_t member,
                           uint32_t ordinal);

/* Lists the scenario's edges: again after it has become another one. False (with world->error set)
   at the memory limit. */
bool world_list_edges(struct world *world);

/* Makes the pools so large. False (with world->error set) at the memory limit. */
bool world_grow(struct world *world, uint32_t calls, uint32_t attempts);

static inline bool pool_has_room(const struct pool *pool, uint32_t count) {
    return pool->capacity - pool->taken + pool->free_count >= count;
}

/* Takes an index from a pool that has room. `next` is what the first free item links to. */
static inline uint32_t pool_take(struct pool *pool, uint32_t next) {
    if (pool->free_count == 0) {
        assert(pool->taken < pool->capacity); /* invariant 4 */
        return pool->taken++;
    }
    uint32_t index = pool->free_head;
    pool->free_head = next;
    pool->free_count--;
    return index;
}

/* Gives an index back. Returns what the item has to link to. */
static inline uint32_t pool_give(struct pool *pool, uint32_t index) {
    uint32_t next = pool->free_head;
    pool->free_head = index;
    pool->free_count++;
    return next;
}

/* Makes sure that so many calls and attempts can be taken without failing (invariant 4). */
static inline bool world_reserve(struct world *world, uint32_t calls, uint32_t attempts) {
    return (pool_has_room(&world->call_pool, calls) &&
            pool_has_room(&world->attempt_pool, attempts)) ||
           world_grow(world, calls, attempts);
}

/* Takes a zeroed call or attempt from its pool. Room must have been reserved. */
uint32_t world_take_call(struct world *world);
uint32_t world_take_attempt(struct world *world);
void world_free_call(struct world *world, uint32_t call);
void world_free_attempt(struct world *world, uint32_t attempt);

/* Faults, actions, changes of capacity and the end of the run come before everything else of their
   instant. */
static inline enum engine_class world_class_of(enum event_meaning meaning) {
    return meaning <= EVENT_RAMPS ? ENGINE_CHANGE : ENGINE_STEP;
}

/* Schedules the one event of a slot. At the memory limit world->error is set (invariant 5). */
static inline void world_schedule(struct world *world, storm_time time, enum event_meaning meaning,
                                  uint32_t slot) {
    event_payload payload = event_pack((unsigned)meaning, slot, world->generations[slot]);
    bool is_on = world->error.status == STORM_OK;
    if (is_on && !engine_at(&world->engine, time, world_class_of(meaning), payload)) {
        world_out_of_memory(world);
    }
}

/* Cancels the live event of a slot, which must exist. */
void world_cancel(struct world *world, uint32_t slot);

/* Lists of attempts. */
void lane_append(struct world *world, struct lane *lane, uint32_t attempt);
void lane_remove(struct world *world, struct lane *lane, uint32_t attempt);

/* Tells the listener. The time is filled in. */
static inline void world_tell(struct world *world, struct storm_fact *fact) {
    fact->time = world_now(world);
    world->listener.hear(world->listener.context, fact);
}

#endif
