/* world.h: what the files of the model share: the pools of calls and attempts, and each place. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A call:     in flight <-> backing off -> ended (freed)
     in flight   -> backing off   [call_answered, call_timer: a failure worth a retry]
     backing off -> in flight     [call_timer: the back-off is over]
     either      -> ended         [call_answered, call_timer: success, or nothing left to try]
     either      -> dropped       [call_drop: its caller was lost in an outage]

   An attempt: outbound -> queued -> working -> waiting -> returning -> freed
     outbound         -> queued | working | returning
                                  [service_admit: it waits, starts, or is refused]
     queued           -> working  [station_pull]
     working          -> waiting  [service_worked: it calls other services]
     working, waiting -> returning    [station_answer]
     queued, working, waiting -> returning | freed
                                  [outage_begin: reset, or swallowed]
   Abandoned is a bit, not a state: call == STORM_NONE. The attempt goes on as ghost work; nobody
   hears its answer.

   Invariants, cited by the asserts:
   1. A call in flight has at most one attempt that knows it, and calls[c].attempt names it.
   2. Each call has one timer slot, each attempt one progress slot: at most one live event each. A
      call's is live when it is armed, an attempt's while it is outbound, working or returning.
   3. A service's busy count is the number of its attempts that are working or waiting; its queued
      count is the length of its queue. Attempts are in exactly one of the two lists while they are
      at the service.
   4. No pointer into a pool survives a take: each step first reserves what it may take
      (world_reserve). */
#ifndef MODEL_WORLD_H
#define MODEL_WORLD_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/error.h>
#include <retrystorm/fact.h>
#include <retrystorm/scenario.h>

#include "engine/engine.h"

struct arena;

/* What an event means; its slot tells for whom. */
enum event_meaning {
    EVENT_END = 0,
    EVENT_FAULT_BEGINS,
    EVENT_FAULT_ENDS,
    EVENT_COMES_UP, /* a crashed service */
    EVENT_RAMPS,    /* one more worker of a recovering service */
    EVENT_BIRTH,
    EVENT_TIMER, /* of a call: timeout, deadline or end of back-off */
    EVENT_ARRIVES,
    EVENT_WORKED,
    EVENT_RETURNS
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
    storm_time begun, sent, first_failed;
    struct storm_delay_state delay;
    uint32_t edge;    /* index into world.edges */
    uint32_t owner;   /* a population's member, or the index of the calling attempt */
    uint32_t ordinal; /* of the member's request; for a service: which of its calls */
    uint32_t attempt; /* the one on its way, or STORM_NONE */
    uint32_t tries;
    uint32_t chain;  /* as of its last attempt */
    uint16_t status; /* of the last failure, or of the end */
    uint8_t state;
    uint8_t reason; /* why it ended, enum storm_reason */
    bool retried_above;
    bool armed; /* its timer slot has a live event */
};

struct attempt {
    uint64_t key;
    storm_time stamp;        /* of arrival while it waits, of the start of service after that */
    uint32_t call;           /* who hears the answer; STORM_NONE: abandoned */
    uint32_t child;          /* the call it waits for, or STORM_NONE */
    uint32_t next, previous; /* in its service's list, or the free list */
    uint32_t edge;
    uint32_t chain; /* events that led here, each caused by the one before, all at this instant */
    uint16_t service;
    uint16_t status; /* of its answer */
    uint16_t step;   /* how many of the service's own calls are done */
    uint8_t state;
    bool retry;
};

/* A pool of calls or of attempts: items[0 .. taken) with the free ones in a list by index. */
struct pool {
    uint32_t taken, capacity, free_head, free_count;
};

/* A list of attempts by index. */
struct lane {
    uint32_t head, tail, count;
};

/* Arrivals of the last crash_window: a ring of times, just long enough to see one too many. */
struct crash_window {
    storm_time *times;
    uint32_t size, next, count;
};

struct service {
    const struct storm_service *plan;
    struct lane queue, busy;
    struct crash_window window;
    double slow;           /* product of the slow faults in force */
    double share;          /* product of the capacity faults in force */
    uint32_t ramp_workers; /* workers that the recovery allows */
    storm_time ramp_start; /* -1: not recovering */
    uint32_t capacity;     /* workers in force */
    uint32_t outages[2];   /* by enum storm_outage: how many causes are in force */
    bool error_faults;     /* at least one errors fault is in force */
    uint64_t arrived, refused, lost, served; /* for the audit */
};

/* A member and its place in the period. */
struct place {
    storm_time offset;
    uint32_t member;
};

struct population {
    const struct storm_population *plan;
    uint64_t key;
    uint64_t births;      /* so far */
    uint32_t draws;       /* of the arrival stream */
    struct place *places; /* EVERY: the members in the order of their places in the period */
    uint64_t succeeded, dead, in_flight;
};

struct world {
    const struct storm_scenario *scenario;
    struct arena *arena;
    struct storm_listener listener;
    struct engine engine;
    uint64_t seed;
    uint32_t run;
    struct storm_error error; /* sticky; status STORM_OK while all is well */
    uint32_t edge_count;
    const struct storm_edge **edges; /* first one for each population, then the services' calls */
    struct population *populations;
    struct service *services;
    struct call *calls;
    struct attempt *attempts;
    struct pool call_pool, attempt_pool;
    uint32_t *generations; /* [slot]: standing slots first, then calls and attempts in turn */
    uint32_t standing;
};

static inline storm_time world_now(const struct world *world) { return world->engine.now; }

/* Slots. Standing slots never go stale, but for the ramps, which a new outage cancels. */
uint32_t world_slot_of_population(const struct world *world, uint32_t population);
uint32_t world_slot_of_service(const struct world *world, uint32_t service);
uint32_t world_slot_of_return(const struct world *world, uint32_t service);
uint32_t world_slot_of_fault(const struct world *world, uint32_t fault);
static inline uint32_t world_slot_of_call(const struct world *world, uint32_t call) {
    return world->standing + 2 * call;
}
static inline uint32_t world_slot_of_attempt(const struct world *world, uint32_t attempt) {
    return world->standing + 2 * attempt + 1;
}

/* Sets world->error for a run that needs more memory than its limit, unless there is an error
   already. Returns false. */
bool world_out_of_memory(struct world *world);

/* Lays out the standing slots and empty pools. False (with world->error set) at the memory
   limit. */
bool world_init(struct world *world);

/* Makes sure that so many calls, attempts and events can be taken without failing (invariant 4). */
bool world_reserve(struct world *world, uint32_t calls, uint32_t attempts, uint32_t events);

/* Takes a zeroed call or attempt from its pool. Room must have been reserved. */
uint32_t world_take_call(struct world *world);
uint32_t world_take_attempt(struct world *world);
void world_free_call(struct world *world, uint32_t call);
void world_free_attempt(struct world *world, uint32_t attempt);

/* Schedules the one event of a slot. */
void world_schedule(struct world *world, storm_time time, enum event_meaning meaning,
                    uint32_t slot);

/* Cancels the live event of a slot, which must exist. */
void world_cancel(struct world *world, uint32_t slot);

/* Lists of attempts. */
void lane_append(struct world *world, struct lane *lane, uint32_t attempt);
void lane_remove(struct world *world, struct lane *lane, uint32_t attempt);

/* Tells the listener. The time is filled in. */
void world_tell(struct world *world, struct storm_fact fact);

#endif
