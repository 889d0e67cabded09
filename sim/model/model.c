/* model.c: builds the world of one run, hands each event to whom it concerns, and audits the
   books. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/model.h"

#include <assert.h>

#include <retrystorm/units.h>

#include "base/arena.h"
#include "engine/engine.h"
#include "model/action.h"
#include "model/ban.h"
#include "model/broker.h"
#include "model/call.h"
#include "model/copies.h"
#include "model/effects.h"
#include "model/fault.h"
#include "model/guard.h"
#include "model/outage.h"
#include "model/population.h"
#include "model/service.h"
#include "model/world.h"

struct model {
    struct world world;
    storm_time now; /* of the last event */
    bool over;
};

/* What one event may take besides what its handler reserves itself: a birth, a retry, or the next
   call of a service. */
enum { CALLS_PER_EVENT = 1, ATTEMPTS_PER_EVENT = 1 };

/* Births of one instant happen in the order of the populations' names. */
static bool begin_births(struct world *world) {
    uint32_t count = world->scenario->population_count;
    for (uint32_t rank = 0; rank < count; rank++) {
        uint32_t index = 0;
        while (world->ranks[index] != rank) {
            index++;
            assert(index < count);
        }
        if (!population_init(world, index)) {
            return false;
        }
    }
    return true;
}

static bool build_places(struct world *world) {
    const struct storm_scenario *plan = world->scenario;
    world->services = arena_take_array(world->arena, plan->service_count, sizeof *world->services);
    world->populations =
        arena_take_array(world->arena, plan->population_count, sizeof *world->populations);
    if (world->services == NULL || world->populations == NULL) {
        return world_out_of_memory(world);
    }
    for (uint32_t i = 0; i < plan->service_count; i++) {
        if (!service_init(world, i)) {
            return false;
        }
    }
    return begin_births(world);
}

/* What stands beside the places: brakes, queues, memories of effects, bans and letters. */
static bool build_rest(struct world *world) {
    return guard_init(world) && broker_init(world) && effects_init(world) && ban_init(world) &&
           copies_init(world);
}

static bool build(struct world *world) {
    storm_time end = world->scenario->duration;
    if (!world_init(world) || !world_list_edges(world)) {
        return false;
    }
    fault_schedule(world);
    if (end < STORM_NEVER) {
        world_schedule(world, end, EVENT_END, world_slot(world, SLOT_END, 0));
    }
    return action_schedule(world) && build_places(world) && build_rest(world) &&
           world->error.status == STORM_OK;
}

struct model *model_new(struct arena *arena, const struct storm_scenario *scenario, uint64_t seed,
                        uint32_t run, struct storm_listener listener, struct storm_error *error) {
    assert(listener.hear != NULL && error != NULL);
    struct model *model = arena_take(arena, sizeof *model);
    if (model == NULL) {
        storm_fail(error, STORM_LIMIT, "no memory for a run");
        return NULL;
    }
    struct world *world = &model->world;
    world->scenario = scenario;
    world->original = scenario;
    world->arena = arena;
    world->listener = listener;
    world->seed = seed;
    world->run = run;
    if (!build(world)) {
        *error = world->error;
        return NULL;
    }
    for (uint32_t i = 0; i < scenario->service_count; i++) {
        world_tell(world, &(struct storm_fact){.kind = STORM_FACT_CAPACITY,
                                               .place = (uint16_t)i,
                                               .level = scenario->services[i].workers,
                                               .pace = 1});
    }
    return model;
}

/* A call has ended: its owner goes on, and the call is freed. */
static void finish_call(struct world *world, uint32_t call) {
    if (call == STORM_NONE) {
        return;
    }
    const struct call *c = &world->calls[call];
    uint32_t owner = c->owner;
    struct outcome outcome = {
        .status = c->status, .success = call_succeeded(world, call), .chain = c->chain};
    if (world_is_root(world, &world->calls[call])) {
        bool is_delivery = storm_is_consumer(&world->scenario->populations[c->edge]);
        if (is_delivery) {
            broker_settle(world, call);
        } else {
            population_request_ended(world, call);
        }
        world_free_call(world, call);
        return;
    }
    service_unlink(world, owner, call);
    world_free_call(world, call);
    service_resume(world, owner, &outcome);
}

/* The one switch of the model. */
static void handle(struct model *model, event_payload payload) {
    struct world *world = &model->world;
    uint32_t slot = event_slot(payload);
    uint32_t item = (slot - world->standing) / 2; /* of a call's or an attempt's slot */
    switch ((enum event_meaning)event_kind(payload)) {
    case EVENT_END:
        model->over = true;
        break;
    case EVENT_FAULT_BEGINS:
        fault_begin(world, slot - world->slots[SLOT_FAULT]);
        break;
    case EVENT_FAULT_ENDS:
        fault_end(world, slot - world->slots[SLOT_FAULT]);
        break;
    case EVENT_ACTION_BEGINS:
        action_begin(world, slot - world->slots[SLOT_ACTION]);
        break;
    case EVENT_ACTION_ENDS:
        action_end(world, slot - world->slots[SLOT_ACTION]);
        break;
    case EVENT_COMES_UP:
        outage_return(world, slot - world->slots[SLOT_RETURN]);
        break;
    case EVENT_RAMPS:
        outage_ramp(world, slot - world->slots[SLOT_RAMP]);
        break;
    case EVENT_BIRTH:
        population_birth(world, slot - world->slots[SLOT_POPULATION]);
        break;
    case EVENT_THOUGHT:
        population_thought(world, slot - world->slots[SLOT_MEMBER]);
        break;
    case EVENT_TIMER:
        finish_call(world, call_timer(world, item));
        break;
    case EVENT_ARRIVES:
        service_admit(world, item);
        break;
    case EVENT_WORKED:
        service_worked(world, item);
        break;
    case EVENT_SHARED:
        service_shared(world, slot - world->slots[SLOT_SHARING]);
        break;
    case EVENT_RETURNS:
        finish_call(world, call_answered(world, item));
        break;
    case EVENT_QUEUE:
        broker_timer(world, slot - world->slots[SLOT_QUEUE]);
        break;
    case EVENT_COPIES:
        if (slot >= world->slots[SLOT_LETTERS]) {
            copies_auto_timer(world, slot - world->slots[SLOT_LETTERS]);
        } else {
            copies_timer(world, slot - world->slots[SLOT_ACTION]);
        }
        break;
    }
}

/* A run without a length is over when no request is under way or to come. */
static bool is_idle(const struct world *world) {
    return world->scenario->duration == STORM_NEVER && world->arriving == 0 &&
           world->in_flight == 0 && !copies_are_coming(world);
}

bool model_advance(struct model *model, uint64_t events) {
    struct world *world = &model->world;
    for (uint64_t i = 0; i < events; i++) {
        struct event event;
        if (model->over || world->error.status != STORM_OK) {
            return false;
        }
        if (!world_reserve(world, CALLS_PER_EVENT, ATTEMPTS_PER_EVENT)) {
            return false;
        }
        if (!engine_next(&world->engine, world->generations, &event) ||
            event_time(&event) >= STORM_NEVER) {
            assert(world->scenario->duration == STORM_NEVER); /* else the end is itself an event */
            model->over = true; /* what is under way waits for nothing that will ever come */
            return false;
        }
        model->now = event_time(&event);
        handle(model, event.payload);
        model->over = model->over || is_idle(world);
    }
    return !model->over && world->error.status == STORM_OK;
}

storm_time model_now(const struct model *model) { return model->now; }

uint64_t model_events(const struct model *model) { return model->world.engine.popped; }

const struct storm_error *model_error(const struct model *model) { return &model->world.error; }

static void audit_populations(const struct world *world) {
    uint64_t in_flight = 0, in_calls = 0, live_roots = 0;
    for (uint32_t i = 0; i < world->scenario->population_count; i++) {
        const struct population *p = &world->populations[i];
        assert(p->births == p->succeeded + p->dead + p->in_flight);
        in_flight += p->in_flight;
        in_calls += storm_is_consumer(p->plan) ? 0 : p->in_flight;
    }
    for (uint32_t i = 0; i < world->call_pool.taken; i++) {
        const struct call *c = &world->calls[i];
        bool is_live_root = c->state != CALL_FREE && world_is_root(world, c);
        live_roots += is_live_root && !storm_is_consumer(&world->scenario->populations[c->edge]);
    }
    assert(in_flight == world->in_flight && in_calls == live_roots);
    broker_audit(world);
}

static void audit_services(const struct world *world) {
    for (uint32_t i = 0; i < world->scenario->service_count; i++) {
        const struct service *s = &world->services[i];
        uint64_t gone =
            s->refused + s->lost + s->served + s->taken_back + s->expired + s->suppressed;
        uint64_t present = s->queue.count + s->aside.count + s->busy.count + s->parked.count;
        assert(s->arrived == gone + present); /* invariant 3 */
    }
}

void model_audit(const struct model *model) {
    audit_populations(&model->world);
    audit_services(&model->world);
}
