/* service.c: a callee's side: what becomes of an attempt that arrives, has been worked on, or
   whose own call has ended. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/service.h"

#include <assert.h>

#include "model/call.h"
#include "model/outage.h"
#include "model/station.h"
#include "model/world.h"
#include "policy/classify.h"

bool service_init(struct world *world, uint32_t index) {
    struct service *s = &world->services[index];
    s->plan = &world->scenario->services[index];
    s->slow = 1;
    s->share = 1;
    s->ramp_workers = s->plan->workers;
    s->capacity = s->plan->workers;
    s->ramp_start = -1;
    return outage_init(world, s);
}

void service_admit(struct world *world, uint32_t attempt) {
    struct attempt *a = &world->attempts[attempt];
    uint16_t index = a->service;
    struct service *s = &world->services[index];
    assert(a->state == ATTEMPT_OUTBOUND);
    a->stamp = world_now(world);
    s->arrived++;
    world_tell(world, (struct storm_fact){.kind = STORM_FACT_ARRIVED,
                                          .place = index,
                                          .retry = a->retry,
                                          .ghost = a->call == STORM_NONE});
    bool has_room = s->queue.count < s->plan->queue_limit;
    bool has_worker = s->busy.count < s->capacity;
    if (outage_is_up(s) && outage_is_overload(s, world_now(world), !has_room && !has_worker)) {
        outage_crash(world, index);
    }
    if (s->outages[STORM_OUTAGE_HANG] > 0) {
        station_lose(world, attempt, 0);
    } else if (s->outages[STORM_OUTAGE_DOWN] > 0) {
        station_refuse(world, attempt, STORM_OUTCOME_REFUSED);
    } else if (has_worker) {
        station_start(world, attempt, false);
    } else if (has_room) {
        station_queue(world, attempt);
    } else {
        station_refuse(world, attempt, s->plan->on_full);
    }
}

/* Begins the service's next own call for the attempt, or answers it when all are done. */
static void go_on(struct world *world, uint32_t attempt) {
    struct attempt *a = &world->attempts[attempt];
    const struct storm_service *plan = world->services[a->service].plan;
    if (a->step >= plan->call_count) {
        station_answer(world, attempt, STORM_OUTCOME_OK);
        return;
    }
    uint32_t edge = world->scenario->population_count + plan->call_first + a->step;
    a->state = ATTEMPT_WAITING;
    struct caller caller = {.key = a->key,
                            .owner = attempt,
                            .ordinal = a->step,
                            .chain = a->chain,
                            .retried = a->retry};
    uint32_t child = call_begin(world, edge, &caller);
    world->attempts[attempt].child = child;
}

void service_worked(struct world *world, uint32_t attempt) {
    struct attempt *a = &world->attempts[attempt];
    const struct service *s = &world->services[a->service];
    assert(a->state == ATTEMPT_WORKING);
    uint16_t failed = s->plan->errors_before ? a->status : station_draw_error(world, a);
    if (failed != 0) {
        station_answer(world, attempt, failed);
    } else {
        go_on(world, attempt);
    }
}

void service_resume(struct world *world, uint32_t attempt, uint16_t status, uint32_t chain) {
    struct attempt *a = &world->attempts[attempt];
    assert(a->state == ATTEMPT_WAITING);
    a->child = STORM_NONE;
    a->chain = chain;
    if (classify_success(status)) {
        a->step++;
        go_on(world, attempt);
    } else {
        station_answer(world, attempt, classify_passed_on(status));
    }
}
