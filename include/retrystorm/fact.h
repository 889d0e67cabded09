/* fact.h: everything the model says about what happened, and the only way it says it. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RETRYSTORM_FACT_H
#define RETRYSTORM_FACT_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/units.h>

/* What `place` indexes, and which fields count, is said at each kind. Of an attempt `key`, `retry`
   and `ghost` are always said; fields not named are 0. */
enum storm_fact_kind {
    STORM_FACT_BORN,       /* population: member, ordinal, key of the request; level: enum
                              storm_birth; of consumers also origin, parent = the attempt that
                              brought it, or 0 */
    STORM_FACT_SENT,       /* service called: attempts, parent; an attempt leaves its caller; queued
                              if the call had backed off, which is over now */
    STORM_FACT_VANISHED,   /* service called: the network loses the attempt, or (status: what it
                              would have said) its answer */
    STORM_FACT_ARRIVED,    /* service: an attempt reaches it, whatever becomes of it */
    STORM_FACT_REFUSED,    /* service: status; answered without work (down, queue full, rate limit);
                              status 0: dropped without an answer; due = when the caller is told to
                              come back, 0: it is not told */
    STORM_FACT_LOST,       /* service: in an outage; status reset, or 0 if silent; queued, busy,
                              since = when it started */
    STORM_FACT_QUEUED,     /* service: it waits */
    STORM_FACT_EXPIRED,    /* service: nobody waits for it any more, so it is taken from the queue
                              and not started; since = when it arrived */
    STORM_FACT_STARTED,    /* service: since = when it arrived; queued if it had waited */
    STORM_FACT_PARKED,     /* service: it gives its worker free while it waits for other services;
                              since = when it started */
    STORM_FACT_SERVED,     /* service: status, since = when it started; busy if it held a worker */
    STORM_FACT_CANCELLED,  /* service: its caller took it back: from the queue (queued), from a
                              worker (busy, since = when it started), or from the way there */
    STORM_FACT_GAVE_UP,    /* service called: attempts; the caller's timeout fired on an attempt */
    STORM_FACT_BACKED_OFF, /* service called: attempts, status of the failure, due = when the next
                              try is planned, STORM_NEVER while others are to go before it */
    STORM_FACT_RESTED,     /* service called: attempts; a back-off is over, and no try follows */
    STORM_FACT_SUCCEEDED,  /* population: member, ordinal, key, since = birth, attempts, status;
                              level = which copy of the request, 0: the first; of consumers also
                              origin */
    STORM_FACT_DEAD,       /* population: as SUCCEEDED, and reason, first_failed */
    STORM_FACT_CAPACITY,   /* service: level = workers in force, pace = their speed */
    STORM_FACT_OUTAGE,     /* service: level = outages in force after this change */
    STORM_FACT_CRASHED,    /* service: overload, or a full memory, knocked it down */
    STORM_FACT_HELD_BACK,  /* service called: attempts so far, parent, reason (BUDGET, BREAKER,
                              THROTTLED): an attempt or a retry that the caller's own brakes did not
                              let out */
    STORM_FACT_BREAKER,    /* service called: level = enum storm_breaker_phase, which one of the
                              callers' breakers has come to; parent names the breaker */
    STORM_FACT_BANNED, /* service: member, origin: a client is banned, or for longer; due = until */
    STORM_FACT_DELIVERED, /* consumers: member = the worker, key of the delivery, parent = of the
                              message (its request), attempts = how often it was received, since =
                              when it was last put into the queue */
    STORM_FACT_RETURNED,  /* consumers: key of the delivery, parent = of the message, level = enum
                              storm_return, due = when it can be delivered again */
    STORM_FACT_EFFECT, /* service: key = of the attempt, parent = what was ordered (the key of the
                              first copy's request), attempts = how often by now, level = enum
                              storm_effect */
    STORM_FACT_SUPPRESSED /* service: key = of the attempt, status = the answer, level = 1 if it was
                              taken for another request than it was; queued if it had waited for
                              another copy, or in the queue */
};

enum storm_breaker_phase { STORM_BREAKER_CLOSED, STORM_BREAKER_OPEN, STORM_BREAKER_HALF_OPEN };

/* Why a message is in its queue again. */
enum storm_return {
    STORM_RETURN_LEASE,    /* its visibility ran out */
    STORM_RETURN_REQUEUED, /* the consumer gave it back */
    STORM_RETURN_CRASHED   /* the consumer is gone */
};

/* Why a side effect happened. */
enum storm_effect {
    STORM_EFFECT_FIRST,    /* as it should */
    STORM_EFFECT_REPEATED, /* nothing keeps duplicates out */
    STORM_EFFECT_SLIPPED,  /* two were at work at once */
    STORM_EFFECT_PURGED,   /* the key had been forgotten */
    STORM_EFFECT_UNKEYED   /* the key was another one: a resend under a new msg_id */
};

struct storm_fact {
    storm_time time;
    storm_time since;
    storm_time first_failed;
    storm_time due;
    uint64_t key;    /* of the request, or of the attempt; of BACKED_OFF, GAVE_UP and RESTED: of the
                        attempt that failed, or (parent is set) of one that is held back */
    uint64_t parent; /* of whoever sent the attempt: the key of a request or of another attempt */
    double pace;     /* 1: as planned; below 1 under a slow fault */
    uint32_t member, ordinal;
    uint32_t attempts; /* tries so far */
    uint32_t level;
    uint16_t place;
    uint16_t status; /* enum storm_outcome, or any HTTP status */
    uint8_t kind;    /* enum storm_fact_kind */
    uint8_t reason;  /* enum storm_reason */
    uint8_t origin;  /* of what consumers handle: the clients whose request it stems from */
    bool retry;      /* some try above or at this attempt is a second one or later */
    bool ghost;      /* nobody waits for it: neither its caller, nor one that takes late replies */
    bool queued;     /* it had been waiting */
    bool busy;       /* it had held a worker */
};

/* Whether a call stops backing off. */
static inline bool storm_fact_ends_back_off(const struct storm_fact *fact) {
    return fact->kind == STORM_FACT_RESTED || (fact->kind == STORM_FACT_SENT && fact->queued);
}

/* Who listens. Called once per fact, in the order in which they happen. */
struct storm_listener {
    void (*hear)(void *context, const struct storm_fact *fact);
    void *context;
};

#endif
