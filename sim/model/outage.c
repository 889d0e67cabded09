/* outage.c: how a service goes away, is knocked down by overload, comes back, and recovers.

   up -> away      [outage_begin: a fault, or a crash by overload]
   away -> ramping [outage_end: the last cause is gone; recovery.time > 0]
   ramping -> up   [outage_ramp: all workers are back]
   Workers in force = ceil(share of the faults x workers the ramp allows); none while away.

   1. Who ramps (ramp_start is a time, not -1) is up, has fewer workers than its plan, and its next
      step is scheduled: an outage ends the ramp, which begins anew when the service is back. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/outage.h"

#include <assert.h>
#include <math.h>

#include <retrystorm/fact.h>

#include "base/arena.h"
#include "base/mathx.h"
#include "model/broker.h"
#include "model/call.h"
#include "model/sharing.h"
#include "model/station.h"
#include "model/world.h"

bool outage_init(struct world *world, struct service *service) {
    const struct storm_service *plan = service->plan;
    if (plan->crash_when != STORM_CRASH_OFFERED) {
        return true;
    }
    double allowed = plan->crash_offered * storm_service_capacity(plan) *
                     storm_time_to_seconds(plan->crash_window);
    assert(allowed >= 0 && allowed <= STORM_CRASH_ARRIVALS_MAX); /* the reader checks it */
    service->window.size = (uint32_t)mathx_settle(allowed) + 1;
    service->window.times =
        arena_take_array(world->arena, service->window.size, sizeof(storm_time));
    return service->window.times != NULL || world_out_of_memory(world);
}

/* The ring holds as many arrivals as are allowed in one window, plus this one: when the oldest of
   them is still inside (now - window, now], there were too many. */
static bool is_offered_too_much(struct service *service, storm_time now) {
    struct crash_window *w = &service->window;
    w->times[w->next] = now;
    w->next = w->next + 1 == w->size ? 0 : w->next + 1;
    if (w->count < w->size) {
        w->count++;
    }
    return w->count == w->size && w->times[w->next] > now - service->plan->crash_window;
}

bool outage_is_overload(struct service *service, storm_time now, bool is_full) {
    switch (service->plan->crash_when) {
    case STORM_CRASH_NEVER:
        return false;
    case STORM_CRASH_QUEUE_FULL:
        return is_full;
    case STORM_CRASH_OFFERED:
        return is_offered_too_much(service, now);
    }
    assert(0 && "no such crash rule");
    return false;
}

static void tell_level(struct world *world, uint32_t index, enum storm_fact_kind kind,
                       uint32_t level) {
    world_tell(world, &(struct storm_fact){
                          .kind = (uint8_t)kind, .place = (uint16_t)index, .level = level});
}

static void tell_capacity(struct world *world, uint32_t index) {
    const struct service *s = &world->services[index];
    world_tell(world, &(struct storm_fact){.kind = STORM_FACT_CAPACITY,
                                           .place = (uint16_t)index,
                                           .level = world_is_up(s) ? s->capacity : 0,
                                           .pace = s->slow > 0 ? 1 / s->slow : 1});
}

/* Works out the workers in force and says so. */
static void update_capacity(struct world *world, uint32_t index) {
    struct service *s = &world->services[index];
    uint32_t capacity = s->ramp_workers;
    if (s->share != 1 && capacity != STORM_UNLIMITED) {
        capacity = (uint32_t)ceil(mathx_settle(s->share * (double)capacity));
    } else if (s->share == 0) {
        capacity = 0;
    }
    sharing_settle(world, index);
    s->capacity = capacity;
    tell_capacity(world, index);
}

/* More workers are there: waiting attempts start, perhaps many at once. */
static void fill_workers(struct world *world, uint32_t index) {
    sharing_reschedule(world, index);
    station_pull(world, index);
}

/* Takes one attempt out of the hands of a service that goes away; what it had called goes on
   unheard, or is taken back. */
static void lose(struct world *world, uint32_t attempt, uint16_t status) {
    station_remove(world, attempt);
    call_drop_children(world, attempt, STORM_CANCEL_NONE);
    station_lose(world, attempt, status);
}

static void lose_all(struct world *world, uint32_t index, uint16_t status) {
    struct service *s = &world->services[index];
    struct lane *lanes[] = {&s->queue, &s->aside, &s->busy, &s->parked};
    for (int i = 0; i < 4; i++) {
        while (lanes[i]->count > 0) {
            lose(world, lanes[i]->head, status);
        }
    }
}

void outage_begin(struct world *world, uint32_t index, enum storm_outage kind,
                  enum storm_lost lost) {
    struct service *s = &world->services[index];
    s->outages[kind]++;
    if (s->ramp_start >= 0) {
        s->ramp_start = -1;
        world_cancel(world, world_slot(world, SLOT_RAMP, index));
    }
    if (lost == STORM_LOST_USUAL) {
        lost = kind == STORM_OUTAGE_DOWN ? STORM_LOST_RESET : STORM_LOST_SILENT;
    }
    if (lost != STORM_LOST_KEPT) {
        lose_all(world, index, lost == STORM_LOST_RESET ? STORM_OUTCOME_RESET : 0);
    }
    tell_level(world, index, STORM_FACT_OUTAGE,
               s->outages[STORM_OUTAGE_DOWN] + s->outages[STORM_OUTAGE_HANG]);
    tell_capacity(world, index);
    if (s->queue_index != STORM_NONE && lost != STORM_LOST_KEPT) {
        broker_down(world, index);
    }
}

void outage_crash(struct world *world, uint32_t index) {
    const struct storm_service *plan = world->services[index].plan;
    tell_level(world, index, STORM_FACT_CRASHED, 0);
    outage_begin(world, index, plan->crash_kind, STORM_LOST_USUAL);
    world_schedule(world, storm_time_add(world_now(world), plan->crash_down_for), EVENT_COMES_UP,
                   world_slot(world, SLOT_RETURN, index));
}

/* A ramp has at most about so many steps: beyond that, workers come back several at a time. */
enum { RAMP_STEPS = 4096 };

/* When the ramp lets worker number `workers` + 1 in: the moment at which ceil(share x all)
   passes `workers`. */
static storm_time ramp_time(const struct service *service, uint32_t workers) {
    const struct storm_service *plan = service->plan;
    if (plan->recovery_shape == STORM_RAMP_STEP) {
        return storm_time_add(service->ramp_start, plan->recovery_time);
    }
    double share = (double)workers / plan->workers;
    double done = (share - plan->recovery_from) / (1 - plan->recovery_from);
    double seconds = storm_time_to_seconds(plan->recovery_time) * (done > 0 ? done : 0);
    return storm_time_add(service->ramp_start, storm_time_from_seconds(seconds));
}

/* The next step of the ramp: at once where operators have added workers meanwhile. */
static void schedule_ramp(struct world *world, uint32_t index) {
    const struct service *s = &world->services[index];
    assert(world_is_up(s) && s->ramp_start >= 0 &&
           s->ramp_workers < s->plan->workers); /* invariant 1 */
    world_schedule(world, storm_time_later(world_now(world), ramp_time(s, s->ramp_workers)),
                   EVENT_RAMPS, world_slot(world, SLOT_RAMP, index));
}

static void begin_ramp(struct world *world, uint32_t index) {
    struct service *s = &world->services[index];
    const struct storm_service *plan = s->plan;
    assert(s->ramp_start < 0); /* invariant 1 */
    s->ramp_workers = plan->workers;
    if (plan->recovery_time == 0 || plan->workers == STORM_UNLIMITED) {
        return;
    }
    s->ramp_workers = (uint32_t)ceil(mathx_settle(plan->recovery_from * plan->workers));
    if (s->ramp_workers < plan->workers) {
        s->ramp_start = world_now(world);
        schedule_ramp(world, index);
    }
}

/* All workers that the plan knows are there. */
static void end_ramp(struct world *world, uint32_t index) {
    struct service *s = &world->services[index];
    if (s->ramp_start >= 0) {
        s->ramp_start = -1;
        world_cancel(world, world_slot(world, SLOT_RAMP, index));
    }
    s->ramp_workers = s->plan->workers;
}

void outage_end(struct world *world, uint32_t index, enum storm_outage kind) {
    struct service *s = &world->services[index];
    assert(s->outages[kind] > 0);
    s->outages[kind]--;
    tell_level(world, index, STORM_FACT_OUTAGE,
               s->outages[STORM_OUTAGE_DOWN] + s->outages[STORM_OUTAGE_HANG]);
    if (world_is_up(s)) {
        s->window.count = 0;
        s->debt = 0; /* who comes back owes nothing */
        begin_ramp(world, index);
        update_capacity(world, index);
        fill_workers(world, index);
        if (s->queue_index != STORM_NONE) {
            broker_wake(world, index);
        }
    }
}

void outage_return(struct world *world, uint32_t index) {
    outage_end(world, index, world->services[index].plan->crash_kind);
}

void outage_ramp(struct world *world, uint32_t index) {
    struct service *s = &world->services[index];
    assert(world_is_up(s) && s->ramp_start >= 0 &&
           s->ramp_workers < s->plan->workers); /* invariant 1 */
    bool whole = s->plan->recovery_shape == STORM_RAMP_STEP;
    uint32_t left = s->plan->workers - s->ramp_workers;
    uint32_t step = 1 + s->plan->workers / RAMP_STEPS;
    s->ramp_workers += whole || step > left ? left : step;
    if (s->ramp_workers < s->plan->workers) {
        schedule_ramp(world, index);
    } else {
        s->ramp_start = -1;
    }
    update_capacity(world, index);
    fill_workers(world, index);
}

void outage_set_factors(struct world *world, uint32_t index, double slow, double share) {
    struct service *s = &world->services[index];
    assert(slow >= 0 && share >= 0);
    if (slow != s->slow || share != s->share) {
        sharing_settle(world, index); /* up to now it was as fast as before */
        s->slow = slow;
        s->share = share;
        update_capacity(world, index);
        fill_workers(world, index);
    }
}

void outage_replan(struct world *world, uint32_t index, const struct storm_service *before) {
    struct service *s = &world->services[index];
    if (s->plan->workers == before->workers) {
        return;
    }
    if (s->ramp_start >= 0 && s->plan->workers != STORM_UNLIMITED &&
        s->ramp_workers < s->plan->workers) {
        world_cancel(world, world_slot(world, SLOT_RAMP, index));
        schedule_ramp(world, index);
    } else {
        end_ramp(world, index);
    }
    update_capacity(world, index);
    fill_workers(world, index);
}
