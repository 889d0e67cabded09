/* service.c: a callee's side: what becomes of an attempt that arrives, has been worked on, or
   whose own call has ended. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/service.h"

#include <assert.h>

#include <retrystorm/fact.h>

#include "model/ban.h"
#include "model/broker.h"
#include "model/call.h"
#include "model/effects.h"
#include "model/limiter.h"
#include "model/network.h"
#include "model/orders.h"
#include "model/outage.h"
#include "model/sharing.h"
#include "model/station.h"
#include "model/world.h"
#include "policy/classify.h"
#include "policy/hint.h"

enum { CONFLICT = 409 };

bool service_init(struct world *world, uint32_t index) {
    struct service *s = &world->services[index];
    s->plan = &world->scenario->services[index];
    s->queue_index = storm_queue_at(world->scenario, index);
    s->slow = 1;
    s->share = 1;
    s->ramp_workers = s->plan->workers;
    s->capacity = s->plan->workers;
    s->ramp_start = -1;
    return outage_init(world, s);
}

/* ---- arriving -------------------------------------------------------------------------------- */

/* One more message of an optimistic lock: the version goes back, or the write comes. A caller who
   has given up meanwhile sends nothing; what the network loses is waited for in vain. */
static void travel(struct world *world, uint32_t attempt, enum network_leg leg) {
    struct attempt *a = &world->attempts[attempt];
    storm_time latency = 0;
    a->reading = leg == NETWORK_READ_BACK;
    if (!world_is_heard(world, a) || !network_carries(world, a, leg, &latency)) {
        station_vanish(world, attempt, 0);
        return;
    }
    a->chain = latency > 0 ? 0 : a->chain + 1;
    world_schedule(world, storm_time_add(world_now(world), latency), EVENT_ARRIVES,
                   world_slot_of_attempt(world, attempt));
}

/* Places that may be taken at once where all are served together. */
static uint32_t places_of(const struct storm_service *plan) {
    bool is_bounded = plan->workers != STORM_UNLIMITED && plan->queue_limit != STORM_UNLIMITED;
    uint32_t most = STORM_UNLIMITED - 1;
    if (!is_bounded || plan->queue_limit > most - plan->workers) {
        return STORM_UNLIMITED;
    }
    return plan->workers + plan->queue_limit;
}

/* What an arriving attempt finds. */
struct welcome {
    bool has_worker, has_room;
};

static struct welcome look_around(const struct service *service) {
    const struct storm_service *plan = service->plan;
    if (plan->sharing) {
        return (struct welcome){.has_worker = service->busy.count < places_of(plan)};
    }
    return (struct welcome){.has_worker = service->busy.count < service->capacity,
                            .has_room = service->queue.count < plan->queue_limit};
}

/* A refusal by the service itself costs its next attempt some time. */
static void turn_down(struct world *world, uint32_t attempt, uint16_t status, storm_time hint) {
    struct service *s = &world->services[world->attempts[attempt].service];
    s->debt = storm_time_add(s->debt, s->plan->reject_time);
    station_refuse(world, attempt, status, hint);
}

/* The rate limit, and what it says about when to come back. True when the attempt may come in. */
static bool pass_limit(struct world *world, uint32_t attempt) {
    struct service *s = &world->services[world->attempts[attempt].service];
    const struct storm_service *plan = s->plan;
    storm_time now = world_now(world), hint = HINT_NONE;
    if (plan->limit_rate <= 0 ||
        limiter_admits(&s->limiter, plan->limit_rate, plan->limit_burst, now)) {
        if (plan->ban.strikes > 0) {
            ban_admitted(world, &world->attempts[attempt]);
        }
        return true;
    }
    if (plan->retry_after == STORM_RETRY_AFTER_CONSTANT) {
        hint = plan->retry_after_time;
    } else if (plan->retry_after == STORM_RETRY_AFTER_PERSONAL) {
        hint = limiter_promise(&s->limiter, plan->limit_rate, plan->limit_burst, now);
    }
    if (plan->ban.strikes > 0) {
        ban_refused(world, &world->attempts[attempt], hint);
    }
    turn_down(world, attempt, plan->limit_status, hint);
    return false;
}

/* Bans, and the rate limit. True when the attempt may come in. */
static bool pass_door(struct world *world, uint32_t attempt) {
    const struct attempt *a = &world->attempts[attempt];
    storm_time left = 0;
    uint16_t banned = 0;
    if (world->services[a->service].plan->ban.strikes > 0) {
        banned = ban_meets(world, a, &left);
    }
    if (banned != 0) {
        bool says_when = world->services[a->service].plan->retry_after != STORM_RETRY_AFTER_NONE;
        turn_down(world, attempt, banned, says_when ? left : HINT_NONE);
        return false;
    }
    return pass_limit(world, attempt);
}

/* No place is free. */
static void turn_down_full(struct world *world, uint32_t attempt) {
    const struct service *s = &world->services[world->attempts[attempt].service];
    storm_time hint = s->plan->full_retry_after;
    turn_down(world, attempt, s->plan->on_full, hint > 0 && hint < STORM_NEVER ? hint : HINT_NONE);
}

/* The service is up: the attempt is turned away, starts, waits, or finds no place. */
static void take_in(struct world *world, uint32_t attempt, struct welcome welcome) {
    const struct service *s = &world->services[world->attempts[attempt].service];
    uint16_t away = s->doors > 0 ? orders_turn_away(world, &world->attempts[attempt]) : 0;
    if (away != 0) {
        station_refuse(world, attempt, away, HINT_NONE);
    } else if (!pass_door(world, attempt)) {
        return;
    } else if (welcome.has_worker) {
        station_begin(world, attempt, false);
    } else if (welcome.has_room) {
        station_queue(world, attempt);
    } else {
        turn_down_full(world, attempt);
    }
}

/* A message queue without memory for one more has no room, whatever its workers do. Whether that,
   or the load, knocks the service down. */
static bool is_overload(struct world *world, uint16_t index, struct welcome *welcome) {
    const struct service *s = &world->services[index];
    uint32_t queue = s->queue_index;
    bool is_full = !welcome->has_room && !welcome->has_worker;
    if (queue != STORM_NONE && broker_is_full(world, index)) {
        *welcome = (struct welcome){.has_worker = false};
        return world->scenario->queues[queue].on_full == STORM_FULL_CRASH;
    }
    return outage_is_overload(&world->services[index], world_now(world), is_full);
}

void service_admit(struct world *world, uint32_t attempt) {
    struct attempt *a = &world->attempts[attempt];
    uint16_t index = a->service;
    struct service *s = &world->services[index];
    assert(a->state == ATTEMPT_OUTBOUND);
    if (a->reading) { /* the version is with the caller */
        travel(world, attempt, NETWORK_WRITE);
        return;
    }
    if (s->plan->optimistic_lock && a->version == STORM_NONE && world_is_up(s)) {
        a->version = s->version;
        travel(world, attempt, NETWORK_READ_BACK);
        return;
    }
    a->stamp = world_now(world);
    s->arrived++;
    world_tell(world, &(struct storm_fact){.kind = STORM_FACT_ARRIVED,
                                           .place = index,
                                           .key = a->key,
                                           .retry = a->retry,
                                           .ghost = !world_is_heard(world, a)});
    struct welcome welcome = look_around(s);
    if (world_is_up(s) && is_overload(world, index, &welcome)) {
        outage_crash(world, index);
    }
    if (s->outages[STORM_OUTAGE_HANG] > 0) {
        station_lose(world, attempt, 0);
    } else if (s->outages[STORM_OUTAGE_DOWN] > 0) {
        station_refuse(world, attempt, STORM_OUTCOME_REFUSED, HINT_NONE);
    } else {
        take_in(world, attempt, welcome);
    }
}

/* ---- calling others -------------------------------------------------------------------------- */

/* Begins one of the service's own calls for the attempt. Room must have been reserved. */
static void begin_call(struct world *world, uint32_t attempt, uint32_t number) {
    struct attempt *a = &world->attempts[attempt];
    const struct storm_service *plan = world->services[a->service].plan;
    uint32_t edge = world->scenario->population_count + plan->call_first + number;
    assert(number < plan->call_count);
    struct caller caller = {.key = a->key,
                            .owner = attempt,
                            .ordinal = number,
                            .copy = a->copy,
                            .message = a->message,
                            .day = a->day,
                            .chain = a->chain,
                            .retried = a->retry,
                            .due = a->due};
    uint32_t child = call_begin(world, edge, &caller);
    a = &world->attempts[attempt];
    world->calls[child].sibling = a->child;
    a->child = child;
}

/* The attempt begins to wait for other services. */
static void begin_waiting(struct world *world, uint32_t attempt) {
    struct attempt *a = &world->attempts[attempt];
    const struct storm_service *plan = world->services[a->service].plan;
    if (a->state == ATTEMPT_WAITING) {
        return;
    }
    a->state = ATTEMPT_WAITING;
    if (!plan->hold) {
        station_park(world, attempt);
    }
}

/* Begins all of the service's own calls at once. */
static void fan_out(struct world *world, uint32_t attempt, uint32_t count) {
    if (!world_reserve(world, count, count)) {
        return;
    }
    begin_waiting(world, attempt);
    for (uint32_t i = 0; i < count; i++) {
        begin_call(world, attempt, i);
    }
}

/* Begins what the service's own calls ask for next, or answers when all are done. */
static void go_on(struct world *world, uint32_t attempt) {
    const struct attempt *a = &world->attempts[attempt];
    const struct storm_service *plan = world->services[a->service].plan;
    if (a->step >= plan->call_count) {
        station_answer(world, attempt, STORM_OUTCOME_OK);
    } else if (!plan->fan_out) {
        uint32_t step = a->step;
        begin_waiting(world, attempt);
        begin_call(world, attempt, step);
    } else if (a->step == 0) {
        fan_out(world, attempt, plan->call_count);
    }
}

/* The status that the service's own work has come to; 0: well. */
static uint16_t judge_work(struct world *world, const struct attempt *attempt) {
    struct service *s = &world->services[attempt->service];
    uint16_t failed = s->queue_index == STORM_NONE ? attempt->status : 0;
    if (failed == 0 && !s->plan->errors_before) {
        failed = station_draw_error(world, attempt);
    }
    if (failed == 0 && s->plan->optimistic_lock) {
        failed = attempt->version == s->version ? 0 : CONFLICT;
        s->version += failed == 0;
    }
    return failed;
}

void service_worked(struct world *world, uint32_t attempt) {
    const struct attempt *a = &world->attempts[attempt];
    assert(a->state == ATTEMPT_WORKING);
    uint16_t service = a->service;
    uint16_t failed = judge_work(world, a);
    const struct storm_service *plan = world->services[service].plan;
    if (plan->idempotency.counted) {
        effects_done(world, attempt, failed == 0);
    }
    if (failed == 0 && world->services[service].queue_index != STORM_NONE) {
        broker_take(world, attempt);
    }
    if (failed != 0) {
        station_answer(world, attempt, failed);
    } else {
        go_on(world, attempt);
    }
    if (plan->idempotency.counted) { /* who waits for it may go on, though no worker is free anew */
        station_pull(world, service);
    }
}

void service_shared(struct world *world, uint32_t index) {
    service_worked(world, sharing_pop(world, index));
}

void service_unlink(struct world *world, uint32_t attempt, uint32_t call) {
    uint32_t *link = &world->attempts[attempt].child;
    while (*link != call) {
        assert(*link != STORM_NONE); /* the call is one of the attempt's */
        link = &world->calls[*link].sibling;
    }
    *link = world->calls[call].sibling;
}

void service_resume(struct world *world, uint32_t attempt, const struct outcome *outcome) {
    struct attempt *a = &world->attempts[attempt];
    assert(a->state == ATTEMPT_WAITING);
    a->chain = outcome->chain;
    if (outcome->success) {
        a->step++;
        go_on(world, attempt);
    } else {
        call_drop_children(world, attempt, STORM_CANCEL_NONE);
        station_answer(world, attempt, classify_passed_on(outcome->status));
    }
}
