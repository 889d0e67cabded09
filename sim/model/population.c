/* population.c: the clients: when they want something, and what became of it. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/population.h"

#include <assert.h>
#include <stdlib.h>

#include <retrystorm/fact.h>
#include <retrystorm/units.h>

#include "base/arena.h"
#include "base/stream.h"
#include "base/ziggurat.h"
#include "model/call.h"
#include "model/world.h"
#include "policy/classify.h"

static int compare_places(const void *left, const void *right) {
    const struct place *a = left, *b = right;
    if (a->offset != b->offset) {
        return a->offset < b->offset ? -1 : 1;
    }
    return a->member < b->member ? -1 : a->member > b->member;
}

/* The place of one member in the period. `member * span / count` is taken apart so that it
   cannot overflow. */
static storm_time draw_offset(const struct population *p, uint32_t member) {
    const struct storm_population *plan = p->plan;
    storm_time count = plan->count;
    switch (plan->spread) {
    case STORM_SPREAD_EVEN:
        return member * (plan->period / count) + member * (plan->period % count) / count;
    case STORM_SPREAD_NONE:
        return 0;
    case STORM_SPREAD_RANDOM:
    case STORM_SPREAD_WITHIN:
        break;
    }
    storm_time span = plan->spread == STORM_SPREAD_RANDOM ? plan->period : plan->spread_time;
    double u = stream_uniform(p->key, STREAM_OFFSET, member);
    return storm_time_from_seconds(u * storm_time_to_seconds(span));
}

static bool lay_out_period(struct world *world, struct population *p) {
    uint32_t count = p->plan->count;
    struct place *places = arena_take_array(world->arena, count, sizeof *places);
    if (places == NULL) {
        return world_out_of_memory(world);
    }
    for (uint32_t i = 0; i < count; i++) {
        places[i] = (struct place){draw_offset(p, i), i};
    }
    qsort(places, count, sizeof *places, compare_places);
    p->places = places;
    return true;
}

/* The time of birth number `births`; STORM_NEVER when there is none. */
static storm_time next_birth(struct population *p, storm_time now) {
    const struct storm_population *plan = p->plan;
    switch (plan->arrival) {
    case STORM_ARRIVAL_AT:
        return p->births == 0 ? plan->at : STORM_NEVER;
    case STORM_ARRIVAL_EVERY: {
        storm_time start = (storm_time)(p->births / plan->count) * plan->period;
        return storm_time_add(start, p->places[p->births % plan->count].offset);
    }
    case STORM_ARRIVAL_POISSON: {
        double gap = ziggurat_exponential(p->key, STREAM_ARRIVAL, &p->draws) / plan->rate;
        return storm_time_add(now, storm_time_from_seconds(gap));
    }
    case STORM_ARRIVAL_EVEN:
        return storm_time_from_seconds((double)p->births / plan->rate);
    }
    assert(0 && "no such arrival");
    return STORM_NEVER;
}

static void schedule_next(struct world *world, uint32_t index) {
    storm_time time = next_birth(&world->populations[index], world_now(world));
    if (time < world->scenario->duration) {
        world_schedule(world, time, EVENT_BIRTH, world_slot_of_population(world, index));
    }
}

bool population_init(struct world *world, uint32_t index) {
    struct population *p = &world->populations[index];
    p->plan = &world->scenario->populations[index];
    p->key = stream_child(stream_mix64(world->seed), world->run, index);
    assert(p->plan->count > 0);
    if (p->plan->arrival == STORM_ARRIVAL_EVERY && !lay_out_period(world, p)) {
        return false;
    }
    schedule_next(world, index);
    return true;
}

/* One member wants something done once: a request is born and its call begins. */
static void bear(struct world *world, uint32_t index, uint32_t member, uint32_t ordinal) {
    struct population *p = &world->populations[index];
    uint64_t key = stream_request(world->seed, world->run, index, member, ordinal);
    p->births++;
    p->in_flight++;
    world_tell(world, (struct storm_fact){.kind = STORM_FACT_BORN,
                                          .place = (uint16_t)index,
                                          .key = key,
                                          .member = member,
                                          .ordinal = ordinal});
    struct caller caller = {.key = key, .owner = member, .ordinal = ordinal};
    call_begin(world, index, &caller);
}

void population_birth(struct world *world, uint32_t index) {
    struct population *p = &world->populations[index];
    uint32_t count = p->plan->count;
    uint32_t turn = (uint32_t)(p->births % count);
    uint32_t ordinal = (uint32_t)(p->births / count);
    switch (p->plan->arrival) {
    case STORM_ARRIVAL_AT:
        if (!world_reserve(world, count, count, 2 * count)) {
            return;
        }
        for (uint32_t member = 0; member < count; member++) {
            bear(world, index, member, 0);
        }
        break;
    case STORM_ARRIVAL_EVERY:
        bear(world, index, p->places[turn].member, ordinal);
        break;
    case STORM_ARRIVAL_POISSON:
    case STORM_ARRIVAL_EVEN:
        bear(world, index, turn, ordinal);
        break;
    }
    schedule_next(world, index);
}

void population_request_ended(struct world *world, uint32_t call) {
    const struct call *c = &world->calls[call];
    struct population *p = &world->populations[c->edge];
    bool succeeded = classify_success(c->status);
    assert(p->in_flight > 0);
    p->in_flight--;
    *(succeeded ? &p->succeeded : &p->dead) += 1;
    world_tell(world,
               (struct storm_fact){.kind = succeeded ? STORM_FACT_SUCCEEDED : STORM_FACT_DEAD,
                                   .place = (uint16_t)c->edge,
                                   .since = c->begun,
                                   .first_failed = succeeded ? 0 : c->first_failed,
                                   .key = c->key,
                                   .member = c->owner,
                                   .ordinal = c->ordinal,
                                   .attempts = c->tries,
                                   .status = c->status,
                                   .reason = c->reason});
}
