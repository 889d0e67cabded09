/* station.c: the workers and the queue of a service: start, wait, answer, refuse, swallow. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/station.h"

#include <assert.h>

#include <retrystorm/dist.h>
#include <retrystorm/units.h>

#include "base/stream.h"
#include "model/world.h"

void station_send_back(struct world *world, uint32_t attempt, uint16_t status) {
    struct attempt *a = &world->attempts[attempt];
    if (a->call == STORM_NONE) {
        world_free_attempt(world, attempt);
        return;
    }
    a->status = status;
    a->state = ATTEMPT_RETURNING;
    storm_time latency = storm_dist_draw(&world->edges[a->edge]->network, a->key, STREAM_RETURN);
    a->chain = latency > 0 ? 0 : a->chain;
    world_schedule(world, storm_time_add(world_now(world), latency), EVENT_RETURNS,
                   world_slot_of_attempt(world, attempt));
}

void station_refuse(struct world *world, uint32_t attempt, uint16_t status) {
    struct attempt *a = &world->attempts[attempt];
    world->services[a->service].refused++;
    world_tell(world, (struct storm_fact){.kind = STORM_FACT_REFUSED,
                                          .place = a->service,
                                          .status = status,
                                          .retry = a->retry,
                                          .ghost = a->call == STORM_NONE});
    station_send_back(world, attempt, status);
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
                        now >= fault->at && now < storm_fault_end(fault);
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

void station_start(struct world *world, uint32_t attempt, bool waited) {
    struct attempt *a = &world->attempts[attempt];
    struct service *s = &world->services[a->service];
    storm_time now = world_now(world);
    world_tell(world, (struct storm_fact){.kind = STORM_FACT_STARTED,
                                          .place = a->service,
                                          .since = a->stamp,
                                          .retry = a->retry,
                                          .ghost = a->call == STORM_NONE,
                                          .queued = waited});
    lane_append(world, &s->busy, attempt);
    a->state = ATTEMPT_WORKING;
    a->stamp = now;
    storm_time work = 0;
    if (s->plan->errors_before) {
        a->status = station_draw_error(world, a);
    }
    if (a->status == 0) {
        work = storm_dist_draw(&s->plan->service_time, a->key, STREAM_SERVICE);
        if (s->slow != 1 && work > 0) { /* no work stays none, however slow */
            work = storm_time_from_seconds(storm_time_to_seconds(work) * s->slow);
        }
    }
    a->chain = waited || work > 0 ? 0 : a->chain;
    world_schedule(world, storm_time_add(now, work), EVENT_WORKED,
                   world_slot_of_attempt(world, attempt));
}

void station_pull(struct world *world, uint32_t index) {
    struct service *s = &world->services[index];
    while (s->queue.count > 0 && s->busy.count < s->capacity) {
        uint32_t attempt = s->plan->order == STORM_ORDER_FIFO ? s->queue.head : s->queue.tail;
        assert(world->attempts[attempt].state == ATTEMPT_QUEUED);
        lane_remove(world, &s->queue, attempt);
        station_start(world, attempt, true);
    }
}

void station_queue(struct world *world, uint32_t attempt) {
    struct attempt *a = &world->attempts[attempt];
    a->state = ATTEMPT_QUEUED;
    lane_append(world, &world->services[a->service].queue, attempt);
    world_tell(world, (struct storm_fact){.kind = STORM_FACT_QUEUED,
                                          .place = a->service,
                                          .retry = a->retry,
                                          .ghost = a->call == STORM_NONE});
}

void station_answer(struct world *world, uint32_t attempt, uint16_t status) {
    struct attempt *a = &world->attempts[attempt];
    uint16_t index = a->service;
    struct service *s = &world->services[index];
    assert(a->state == ATTEMPT_WORKING || a->state == ATTEMPT_WAITING);
    lane_remove(world, &s->busy, attempt);
    s->served++;
    world_tell(world, (struct storm_fact){.kind = STORM_FACT_SERVED,
                                          .place = index,
                                          .since = a->stamp,
                                          .status = status,
                                          .retry = a->retry,
                                          .ghost = a->call == STORM_NONE});
    station_send_back(world, attempt, status);
    station_pull(world, index);
}

void station_lose(struct world *world, uint32_t attempt, uint16_t status) {
    struct attempt *a = &world->attempts[attempt];
    world->services[a->service].lost++;
    world_tell(world, (struct storm_fact){.kind = STORM_FACT_LOST,
                                          .place = a->service,
                                          .status = status,
                                          .retry = a->retry,
                                          .ghost = a->call == STORM_NONE,
                                          .queued = a->state == ATTEMPT_QUEUED,
                                          .busy = a->state == ATTEMPT_WORKING ||
                                                  a->state == ATTEMPT_WAITING});
    if (status != 0) {
        station_send_back(world, attempt, status);
        return;
    }
    if (a->call != STORM_NONE) {
        assert(world->calls[a->call].attempt == attempt); /* invariant 1 */
        world->calls[a->call].attempt = STORM_NONE;
        a->call = STORM_NONE;
    }
    world_free_attempt(world, attempt);
}
