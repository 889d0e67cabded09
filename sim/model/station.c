/* station.c: the workers and the queue of a service: start, wait, answer, refuse, swallow, take
   back. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/station.h"

#include <assert.h>

#include <retrystorm/dist.h>
#include <retrystorm/fact.h>
#include <retrystorm/units.h>

#include "base/stream.h"
#include "model/call.h"
#include "model/effects.h"
#include "model/network.h"
#include "model/sharing.h"
#include "model/world.h"
#include "policy/hint.h"

/* A fact about an attempt at its service. */
static struct storm_fact fact_of(const struct world *world, const struct attempt *attempt,
                                 enum storm_fact_kind kind) {
    return (struct storm_fact){.kind = (uint8_t)kind,
                               .place = attempt->service,
                               .key = attempt->key,
                               .retry = attempt->retry,
                               .ghost = !world_is_heard(world, attempt)};
}

/* The attempt is gone without an answer: the call that waits for it waits in vain. */
static void swallow(struct world *world, uint32_t attempt) {
    call_forget(world, attempt);
    world_free_attempt(world, attempt);
}

void station_vanish(struct world *world, uint32_t attempt, uint16_t status) {
    struct storm_fact fact = fact_of(world, &world->attempts[attempt], STORM_FACT_VANISHED);
    fact.status = status;
    world_tell(world, &fact);
    swallow(world, attempt);
}

/* Sends the attempt's answer back to its caller, or frees the attempt when nobody waits. It must
   be in no list. */
static void send_back(struct world *world, uint32_t attempt, uint16_t status, storm_time hint) {
    struct attempt *a = &world->attempts[attempt];
    storm_time latency;
    if (!world_is_heard(world, a)) {
        world_free_attempt(world, attempt);
        return;
    }
    if (!network_carries(world, a, NETWORK_BACK, &latency)) {
        station_vanish(world, attempt, status);
        return;
    }
    a->status = status;
    a->state = ATTEMPT_RETURNING;
    a->stamp = hint;
    a->chain = latency > 0 ? 0 : a->chain;
    world_schedule(world, storm_time_add(world_now(world), latency), EVENT_RETURNS,
                   world_slot_of_attempt(world, attempt));
}

void station_refuse(struct world *world, uint32_t attempt, uint16_t status, storm_time hint) {
    struct attempt *a = &world->attempts[attempt];
    struct storm_fact fact = fact_of(world, a, STORM_FACT_REFUSED);
    assert(a->state == ATTEMPT_OUTBOUND);
    world->services[a->service].refused++;
    fact.status = status;
    fact.due = hint != HINT_NONE ? storm_time_add(world_now(world), hint) : 0;
    world_tell(world, &fact);
    if (status == 0) {
        swallow(world, attempt);
    } else {
        send_back(world, attempt, status, hint);
    }
}

/* Walks a table of error shares with one uniform; 0 when none is hit. */
static uint16_t draw_error(const struct storm_service *plan, uint64_t key) {
    if (plan->error_count == 0) {
        return 0;
    }
    double u = stream_uniform(key, STREAM_ERROR, 0);
    double sum = 0;
    for (uint32_t i = 0; i < plan->error_count; i++) {
        sum += plan->errors[i].share;
        if (u < sum) {
            return plan->errors[i].status;
        }
    }
    return 0;
}

/* Errors that scheduled faults add, each with its own draw. */
static uint16_t draw_fault_error(const struct world *world, const struct attempt *attempt) {
    storm_time now = world_now(world);
    for (uint32_t i = 0; i < world->scenario->fault_count; i++) {
        const struct storm_fault *fault = &world->scenario->faults[i];
        bool in_force = fault->kind == STORM_FAULT_ERRORS && fault->service == attempt->service &&
                        storm_fault_is_on(fault, now);
        if (in_force && stream_uniform(attempt->key, STREAM_FAULT_ERROR, i) < fault->share) {
            return fault->status;
        }
    }
    return 0;
}

uint16_t station_draw_error(const struct world *world, const struct attempt *attempt) {
    const struct service *s = &world->services[attempt->service];
    uint16_t status = draw_error(s->plan, attempt->key);
    if (status == 0 && s->error_faults) {
        status = draw_fault_error(world, attempt);
    }
    return status;
}

/* How long the attempt would work alone: its own work, longer by the slow faults in force and by
   the company it has, and what refusals have cost since the last start. */
static storm_time draw_work(struct service *service, uint64_t key) {
    const struct storm_service *plan = service->plan;
    storm_time work = storm_dist_draw(&plan->service_time, key, STREAM_SERVICE);
    double stretch = plan->sharing ? 1 : service->slow; /* sharing slows its clock instead */
    if (plan->slowdown > 0) {
        stretch *= 1 + plan->slowdown * service->busy.count;
    }
    if (stretch != 1 && work > 0) { /* no work stays none, however slow */
        work = storm_time_from_seconds(storm_time_to_seconds(work) * stretch);
    }
    work = storm_time_add(work, service->debt);
    service->debt = 0;
    return work;
}

/* The end of the attempt's work is scheduled, or will be when those before it are done. */
static void begin_work(struct world *world, uint32_t attempt, storm_time work) {
    struct attempt *a = &world->attempts[attempt];
    if (world->services[a->service].plan->sharing) {
        sharing_join(world, attempt, work);
        return;
    }
    world_schedule(world, storm_time_add(world_now(world), work), EVENT_WORKED,
                   world_slot_of_attempt(world, attempt));
}

static void start(struct world *world, uint32_t attempt, bool waited) {
    struct attempt *a = &world->attempts[attempt];
    struct service *s = &world->services[a->service];
    struct storm_fact fact = fact_of(world, a, STORM_FACT_STARTED);
    assert(world_is_up(s) && (s->plan->sharing || s->busy.count < s->capacity));
    fact.since = a->stamp;
    fact.queued = waited;
    world_tell(world, &fact);
    if (a->status == 0 && s->plan->errors_before) {
        a->status = station_draw_error(world, a);
    }
    bool has_work = a->status == 0 || !s->plan->errors_before;
    storm_time work = has_work ? draw_work(s, a->key) : 0;
    lane_append(world, &s->busy, attempt);
    a->state = ATTEMPT_WORKING;
    a->stamp = world_now(world);
    a->chain = waited || work > 0 ? 0 : a->chain;
    begin_work(world, attempt, work);
}

/* ---- copies of requests that have been seen before ------------------------------------------- */

/* Another copy of the attempt's request is being worked on: it waits for that. It counts as queued,
   though it keeps no place from others. */
static void set_aside(struct world *world, uint32_t attempt, bool waited) {
    struct attempt *a = &world->attempts[attempt];
    struct storm_fact fact = fact_of(world, a, STORM_FACT_QUEUED);
    a->state = ATTEMPT_QUEUED;
    a->aside = true;
    lane_append(world, &world->services[a->service].aside, attempt);
    if (!waited) {
        world_tell(world, &fact);
    }
}

/* The attempt is answered without work: its request was done before. */
static void suppress(struct world *world, uint32_t attempt, uint16_t status, bool is_other,
                     bool waited) {
    struct attempt *a = &world->attempts[attempt];
    struct storm_fact fact = fact_of(world, a, STORM_FACT_SUPPRESSED);
    fact.status = status;
    fact.level = is_other;
    fact.queued = waited;
    world->services[a->service].suppressed++;
    world_tell(world, &fact);
    send_back(world, attempt, status, HINT_NONE);
}

void station_begin(struct world *world, uint32_t attempt, bool waited) {
    const struct service *s = &world->services[world->attempts[attempt].service];
    uint16_t status = 0;
    bool is_other = false;
    enum effects_word word = EFFECTS_NEW;
    if (s->plan->idempotency.counted) {
        word = effects_meet(world, attempt, &status, &is_other);
    }
    switch (word) {
    case EFFECTS_NEW:
        start(world, attempt, waited);
        break;
    case EFFECTS_WAIT:
        set_aside(world, attempt, waited);
        break;
    case EFFECTS_KNOWN:
        suppress(world, attempt, status, is_other, waited);
        break;
    }
}

/* ---- the queue ------------------------------------------------------------------------------- */

/* Takes the next attempt out of the queue. */
static uint32_t take_next(struct world *world, struct service *service) {
    uint32_t attempt =
        service->plan->order == STORM_ORDER_FIFO ? service->queue.head : service->queue.tail;
    assert(world->attempts[attempt].state == ATTEMPT_QUEUED);
    lane_remove(world, &service->queue, attempt);
    return attempt;
}

static void expire(struct world *world, uint32_t attempt) {
    struct attempt *a = &world->attempts[attempt];
    struct storm_fact fact = fact_of(world, a, STORM_FACT_EXPIRED);
    fact.since = a->stamp;
    world->services[a->service].expired++;
    world_tell(world, &fact);
    swallow(world, attempt);
}

/* Whether the service knows that nobody waits any more: it was told the deadline, or looks. */
static bool is_expired(const struct world *world, const struct attempt *attempt) {
    bool looks = world->services[attempt->service].plan->drop_expired;
    return world_now(world) >= attempt->due || (looks && !world_is_heard(world, attempt));
}

/* A worker is free for an attempt that has waited. */
static void take_up(struct world *world, uint32_t attempt) {
    if (is_expired(world, &world->attempts[attempt])) {
        expire(world, attempt);
    } else {
        station_begin(world, attempt, true);
    }
}

/* Those set aside whose other copy is no longer being worked on go before the queue. */
static void release(struct world *world, uint32_t index) {
    struct service *s = &world->services[index];
    while (s->aside.count > 0 && s->busy.count < s->capacity && world_is_up(s)) {
        uint32_t attempt = effects_ready(world, index);
        if (attempt == STORM_NONE) {
            return;
        }
        lane_remove(world, &s->aside, attempt);
        world->attempts[attempt].aside = false;
        take_up(world, attempt);
    }
}

void station_pull(struct world *world, uint32_t index) {
    struct service *s = &world->services[index];
    release(world, index);
    while (s->queue.count > 0 && s->busy.count < s->capacity && world_is_up(s)) {
        take_up(world, take_next(world, s));
    }
}

void station_queue(struct world *world, uint32_t attempt) {
    struct attempt *a = &world->attempts[attempt];
    struct storm_fact fact = fact_of(world, a, STORM_FACT_QUEUED);
    assert(a->state == ATTEMPT_OUTBOUND);
    a->state = ATTEMPT_QUEUED;
    lane_append(world, &world->services[a->service].queue, attempt);
    world_tell(world, &fact);
}

/* Whether a waiting attempt has given its worker free. */
static bool is_parked(const struct world *world, const struct attempt *attempt) {
    return attempt->state == ATTEMPT_WAITING && !world->services[attempt->service].plan->hold;
}

void station_park(struct world *world, uint32_t attempt) {
    struct attempt *a = &world->attempts[attempt];
    struct service *s = &world->services[a->service];
    struct storm_fact fact = fact_of(world, a, STORM_FACT_PARKED);
    assert(is_parked(world, a));
    fact.since = a->stamp;
    lane_remove(world, &s->busy, attempt);
    lane_append(world, &s->parked, attempt);
    world_tell(world, &fact);
    station_pull(world, a->service);
}

void station_answer(struct world *world, uint32_t attempt, uint16_t status) {
    struct attempt *a = &world->attempts[attempt];
    uint16_t index = a->service;
    struct storm_fact fact = fact_of(world, a, STORM_FACT_SERVED);
    assert(a->state == ATTEMPT_WORKING || a->state == ATTEMPT_WAITING);
    fact.busy = !is_parked(world, a);
    fact.since = a->stamp;
    fact.status = status;
    lane_remove(world, fact.busy ? &world->services[index].busy : &world->services[index].parked,
                attempt);
    world->services[index].served++;
    world_tell(world, &fact);
    send_back(world, attempt, status, HINT_NONE);
    station_pull(world, index);
}

void station_lose(struct world *world, uint32_t attempt, uint16_t status) {
    struct attempt *a = &world->attempts[attempt];
    struct storm_fact fact = fact_of(world, a, STORM_FACT_LOST);
    world->services[a->service].lost++;
    fact.status = status;
    fact.since = a->stamp;
    fact.queued = a->state == ATTEMPT_QUEUED;
    fact.busy =
        (a->state == ATTEMPT_WORKING || a->state == ATTEMPT_WAITING) && !is_parked(world, a);
    world_tell(world, &fact);
    if (status == 0) {
        swallow(world, attempt);
    } else {
        send_back(world, attempt, status, HINT_NONE);
    }
}

void station_remove(struct world *world, uint32_t attempt) {
    struct attempt *a = &world->attempts[attempt];
    struct service *s = &world->services[a->service];
    if (a->state == ATTEMPT_QUEUED) {
        lane_remove(world, a->aside ? &s->aside : &s->queue, attempt);
        a->aside = false;
        return;
    }
    assert(a->state == ATTEMPT_WORKING || a->state == ATTEMPT_WAITING);
    lane_remove(world, is_parked(world, a) ? &s->parked : &s->busy, attempt);
    if (a->state == ATTEMPT_WORKING && s->plan->idempotency.counted) {
        effects_gone(world, attempt);
    }
    if (a->state == ATTEMPT_WORKING && s->plan->sharing) {
        sharing_leave(world, attempt);
    } else if (a->state == ATTEMPT_WORKING) {
        world_cancel(world, world_slot_of_attempt(world, attempt));
    }
}

bool station_cancel(struct world *world, uint32_t attempt, enum storm_cancel mode) {
    struct attempt *a = &world->attempts[attempt];
    bool is_coming = a->state == ATTEMPT_OUTBOUND, is_queued = a->state == ATTEMPT_QUEUED;
    bool is_served = a->state == ATTEMPT_WORKING || a->state == ATTEMPT_WAITING;
    bool is_reached = is_coming || is_queued || (is_served && mode == STORM_CANCEL_ALL);
    assert(a->state != ATTEMPT_FREE);
    if (mode == STORM_CANCEL_NONE || !is_reached) {
        return false;
    }
    struct storm_fact fact = fact_of(world, a, STORM_FACT_CANCELLED);
    uint16_t service = a->service;
    fact.queued = is_queued;
    fact.busy = is_served && !is_parked(world, a);
    fact.since = a->stamp;
    fact.ghost = true;
    if (is_coming) {
        world_cancel(world, world_slot_of_attempt(world, attempt));
    } else {
        world->services[service].taken_back++;
        station_remove(world, attempt);
    }
    call_drop_children(world, attempt, mode);
    world_tell(world, &fact);
    call_forget(world, attempt);
    world_free_attempt(world, attempt);
    station_pull(world, service);
    return true;
}
