/* population.c: the clients: when they want something, and what became of it. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/population.h"

#include <assert.h>

#include <retrystorm/dist.h>
#include <retrystorm/fact.h>
#include <retrystorm/scenario.h>
#include <retrystorm/units.h>

#include "base/arena.h"
#include "base/stream.h"
#include "model/arrival.h"
#include "model/call.h"
#include "model/copies.h"
#include "model/orders.h"
#include "model/world.h"

/* ---- births in turn -------------------------------------------------------------------------- */

static void schedule_birth(struct world *world, uint32_t index, storm_time time) {
    struct population *p = &world->populations[index];
    p->next = time;
    if (time < world->scenario->duration) {
        world_schedule(world, time, EVENT_BIRTH, world_slot(world, SLOT_POPULATION, index));
    } else {
        world->arriving--;
    }
}

/* The day of the run on which it is now, from 0. Days change at midnight of the epoch's calendar;
   only then is anything divided. */
static uint16_t day_of_now(struct world *world) {
    static const int64_t day = 86400 * (int64_t)STORM_SECOND;
    storm_time now = world_now(world);
    if (now >= world->day_ends) {
        int64_t since_midnight = world->scenario->epoch % day;
        assert(since_midnight >= 0);
        int64_t number = (now + since_midnight) / day;
        world->day = number < UINT16_MAX ? (uint16_t)number : UINT16_MAX;
        world->day_ends = (number + 1) * day - since_midnight;
    }
    return world->day;
}

void population_bear(struct world *world, uint32_t index, const struct birth *birth) {
    struct population *p = &world->populations[index];
    uint64_t request = world_request_key(world, index, birth->member, birth->ordinal);
    uint64_t key = stream_copy(request, birth->copy);
    assert(!storm_is_consumer(p->plan) && (birth->copy == 0) == (birth->kind == STORM_BIRTH_FRESH));
    p->births++;
    p->in_flight++;
    world->in_flight++;
    world_tell(world, &(struct storm_fact){.kind = STORM_FACT_BORN,
                                           .place = (uint16_t)index,
                                           .key = key,
                                           .member = birth->member,
                                           .ordinal = birth->ordinal,
                                           .level = birth->kind});
    copies_born(world, index, birth);
    struct caller caller = {.key = key,
                            .owner = birth->member,
                            .ordinal = birth->ordinal,
                            .copy = birth->copy,
                            .message = birth->message,
                            .day = birth->day,
                            .due = STORM_NEVER};
    call_begin(world, index, &caller);
}

/* One member wants something done once: a request is born and its call begins. */
static void bear(struct world *world, uint32_t index, uint32_t member, uint32_t ordinal) {
    struct birth birth = {
        .member = member, .ordinal = ordinal, .day = day_of_now(world), .kind = STORM_BIRTH_FRESH};
    population_bear(world, index, &birth);
}

static void bear_all(struct world *world, uint32_t index) {
    uint32_t count = world->populations[index].plan->count;
    if (!world_reserve(world, count, count)) {
        return;
    }
    for (uint32_t member = 0; member < count; member++) {
        bear(world, index, member, 0);
    }
}

void population_birth(struct world *world, uint32_t index) {
    struct population *p = &world->populations[index];
    uint32_t count = p->plan->count;
    uint32_t turn = (uint32_t)(p->turns % count);
    uint32_t ordinal = (uint32_t)(p->turns / count);
    bool is_paused = orders_pause_end(world, index) > world_now(world);
    p->turns++;
    if (!is_paused && arrival_is_herd(p)) {
        bear_all(world, index);
    } else if (!is_paused) {
        bear(world, index, p->places != NULL ? p->places[turn].member : turn, ordinal);
    }
    schedule_birth(world, index, arrival_next(p, world_now(world)));
}

void population_replan(struct world *world, uint32_t index, const struct storm_population *before) {
    struct population *p = &world->populations[index];
    if (p->plan->rate == before->rate || storm_is_consumer(p->plan)) {
        return;
    }
    if (p->next < world->scenario->duration) {
        world_cancel(world, world_slot(world, SLOT_POPULATION, index));
    } else {
        world->arriving++; /* at the old rate the next one would have come after the end */
    }
    double factor = p->plan->rate / before->rate;
    schedule_birth(world, index, arrival_rescale(p, world_now(world), factor));
}

/* ---- closed populations ---------------------------------------------------------------------- */

/* A member who asks again in the instant of its last request may do so for ever; so many times
   for each member are a loop. */
enum { ROUNDS_MAX = 100000 };

/* One more request has taken no time, nor has the thinking after it. */
static void count_round(struct world *world, struct population *p) {
    storm_time now = world_now(world);
    assert(p->ordinals != NULL);
    if (p->instant != now) {
        p->instant = now;
        p->rounds = 0;
    }
    p->rounds++;
    if (p->rounds > (uint64_t)ROUNDS_MAX * p->plan->count && world->error.status == STORM_OK) {
        storm_fail(&world->error, STORM_INVALID,
                   "the clients of '%s' ask again and again in one instant: give them time to "
                   "think, the network a latency, or the service a service time",
                   p->plan->name);
    }
}

/* A member begins to think of its next request at `from`. True when it does so at once. */
static bool think(struct world *world, uint32_t index, uint32_t member, storm_time from) {
    const struct population *p = &world->populations[index];
    uint64_t key = world_request_key(world, index, member, p->ordinals[member]);
    storm_time pause = storm_dist_draw(&p->plan->think, key, STREAM_THINK);
    storm_time time = storm_time_add(from, pause);
    if (time < world->scenario->duration) {
        world_schedule(world, time, EVENT_THOUGHT,
                       world_slot(world, SLOT_MEMBER, p->first_slot + member));
    }
    return pause == 0;
}

static bool begin_thinking(struct world *world, uint32_t index) {
    struct population *p = &world->populations[index];
    uint32_t count = p->plan->count;
    for (uint32_t i = 0; i < index; i++) {
        const struct storm_population *other = &world->scenario->populations[i]; /* not yet built */
        p->first_slot += other->arrival == STORM_ARRIVAL_CLOSED ? other->count : 0;
    }
    p->ordinals = arena_take_array(world->arena, count, sizeof *p->ordinals);
    if (p->ordinals == NULL) {
        return world_out_of_memory(world);
    }
    for (uint32_t member = 0; member < count; member++) {
        think(world, index, member, 0);
    }
    return true;
}

/* The closed population that a member's slot belongs to. */
static uint32_t population_of(const struct world *world, uint32_t number) {
    for (uint32_t i = 0; i < world->scenario->population_count; i++) {
        const struct population *p = &world->populations[i];
        if (p->ordinals != NULL && number >= p->first_slot &&
            number - p->first_slot < p->plan->count) {
            return i;
        }
    }
    assert(0 && "no such member");
    return 0;
}

void population_thought(struct world *world, uint32_t number) {
    uint32_t index = population_of(world, number);
    struct population *p = &world->populations[index];
    uint32_t member = number - p->first_slot;
    storm_time resumed = orders_pause_end(world, index);
    if (resumed > world_now(world)) { /* wants it still when the pause is over */
        if (resumed < world->scenario->duration) {
            world_schedule(world, resumed, EVENT_THOUGHT, world_slot(world, SLOT_MEMBER, number));
        }
        return;
    }
    bear(world, index, member, p->ordinals[member]++);
}

/* ---- the whole ------------------------------------------------------------------------------- */

bool population_init(struct world *world, uint32_t index) {
    struct population *p = &world->populations[index];
    p->plan = &world->scenario->populations[index];
    p->key = stream_child(stream_mix64(world->seed), world->run, world->ranks[index]);
    assert(p->plan->count > 0);
    if (p->plan->arrival == STORM_ARRIVAL_CLOSED) {
        return begin_thinking(world, index);
    }
    if (storm_is_consumer(p->plan)) {
        return true; /* their requests are messages: broker.c */
    }
    if (!arrival_init(world, p)) {
        return false;
    }
    world->arriving++;
    schedule_birth(world, index, arrival_next(p, 0));
    return true;
}

/* A dead letter may be wanted by a replay, and the end of a copy by its probe. */
static void tell_copies(struct world *world, const struct call *call) {
    struct storm_letter letter = {.population = call->edge,
                                  .origin = call->edge,
                                  .member = call->owner,
                                  .ordinal = call->ordinal,
                                  .day = call->day,
                                  .copy = call->copy,
                                  .message = call->message,
                                  .data = storm_outcome_is_data(call->status)};
    copies_over(world, &letter, (enum storm_reason)call->reason);
}

void population_request_ended(struct world *world, uint32_t call) {
    const struct call *c = &world->calls[call];
    struct population *p = &world->populations[c->edge];
    bool succeeded = call_succeeded(world, call);
    assert(p->in_flight > 0 && world->in_flight > 0);
    p->in_flight--;
    world->in_flight--;
    *(succeeded ? &p->succeeded : &p->dead) += 1;
    world_tell(world,
               &(struct storm_fact){.kind = succeeded ? STORM_FACT_SUCCEEDED : STORM_FACT_DEAD,
                                    .place = (uint16_t)c->edge,
                                    .since = c->begun,
                                    .first_failed = succeeded ? 0 : c->first_failed,
                                    .key = c->key,
                                    .member = c->owner,
                                    .ordinal = c->ordinal,
                                    .level = c->copy,
                                    .attempts = c->tries,
                                    .status = c->status,
                                    .reason = c->reason});
    if (!succeeded || c->copy > 0) {
        tell_copies(world, c);
    }
    if (c->copy > 0) {
        return; /* nobody thinks of the next request because of it */
    }
    if (p->ordinals != NULL && think(world, c->edge, c->owner, world_now(world)) &&
        c->begun == world_now(world)) {
        count_round(world, p);
    }
}
