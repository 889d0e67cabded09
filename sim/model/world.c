/* world.c: the pools, slots and lists that the rest of the model stands on. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/world.h"

#include <assert.h>

#include "base/arena.h"
#include "base/rank.h"
#include "base/stream.h"
#include "engine/queue.h"

enum { FIRST_CAPACITY = 1024 };

/* How many members have a slot of their own: those of closed populations. */
static uint64_t count_members(const struct storm_scenario *plan) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < plan->population_count; i++) {
        count +=
            plan->populations[i].arrival == STORM_ARRIVAL_CLOSED ? plan->populations[i].count : 0;
    }
    return count;
}

/* Lays out the standing slots, kind by kind. */
static void number_slots(struct world *world) {
    const struct storm_scenario *plan = world->scenario;
    uint32_t counts[SLOT_KINDS] = {[SLOT_END] = 1,
                                   [SLOT_POPULATION] = plan->population_count,
                                   [SLOT_RAMP] = plan->service_count,
                                   [SLOT_RETURN] = plan->service_count,
                                   [SLOT_SHARING] = plan->service_count,
                                   [SLOT_FAULT] = plan->fault_count,
                                   [SLOT_ACTION] = plan->action_count,
                                   [SLOT_QUEUE] = plan->queue_count,
                                   [SLOT_LETTERS] = plan->population_count,
                                   [SLOT_MEMBER] = (uint32_t)count_members(plan)};
    for (int kind = 0; kind < SLOT_KINDS; kind++) {
        world->slots[kind] = world->standing;
        world->standing += counts[kind];
    }
}

bool world_out_of_memory(struct world *world) {
    if (world->error.status == STORM_OK) {
        storm_fail(&world->error, STORM_LIMIT,
                   "the run needs more than its %zu MiB of memory; raise --max-memory",
                   world->arena->limit >> 20);
    }
    return false;
}

bool world_init(struct world *world) {
    assert(count_members(world->scenario) <= STORM_CLIENTS_MAX); /* the reader bounds them */
    number_slots(world);
    world->call_pool.free_head = STORM_NONE;
    world->attempt_pool.free_head = STORM_NONE;
    bool has_engine = engine_init(&world->engine, world->arena);
    world->generations = arena_take_array(world->arena, world->standing, sizeof(uint32_t));
    if (!has_engine || world->generations == NULL) {
        return world_out_of_memory(world);
    }
    return true;
}

static uint32_t *rank_edges(const struct world *world, uint32_t count) {
    const struct storm_scenario *plan = world->scenario;
    uint32_t *ranks = arena_take_array(world->arena, count, sizeof *ranks);
    for (uint32_t i = 0; ranks != NULL && i < count; i++) {
        ranks[i] = i < plan->population_count ? rank_of_population(plan, i)
                                              : rank_of_call(plan, i - plan->population_count);
    }
    return ranks;
}

uint64_t world_request_key(const struct world *world, uint32_t population, uint32_t member,
                           uint32_t ordinal) {
    assert(population < world->scenario->population_count);
    return stream_request(world->seed, world->run, world->ranks[population], member, ordinal);
}

bool world_list_edges(struct world *world) {
    const struct storm_scenario *plan = world->scenario;
    uint32_t count = plan->population_count + plan->call_count;
    if (world->edges == NULL) {
        world->edges = arena_take_array(world->arena, count, sizeof *world->edges);
        world->orbits = arena_take_array(world->arena, count, sizeof *world->orbits);
        world->ranks = rank_edges(world, count);
        world->edge_count = count;
    }
    if (world->edges == NULL || world->orbits == NULL || world->ranks == NULL) {
        return world_out_of_memory(world);
    }
    assert(count == world->edge_count);
    for (uint32_t i = 0; i < plan->population_count; i++) {
        world->edges[i] = &plan->populations[i].call;
    }
    for (uint32_t i = 0; i < plan->call_count; i++) {
        world->edges[plan->population_count + i] = &plan->calls[i];
    }
    return true;
}

/* Grows the generation table so that it covers both pools at these capacities. */
static bool grow_generations(struct world *world, uint32_t old_pool, uint32_t new_pool) {
    size_t old_count = world->standing + 2 * (size_t)old_pool;
    size_t count = world->standing + 2 * (size_t)new_pool;
    if (count > EVENT_SLOT_MAX) {
        return storm_fail(&world->error, STORM_LIMIT,
                          "more than %u calls and attempts are under way at once",
                          EVENT_SLOT_MAX / 2);
    }
    uint32_t *moved =
        arena_grow_array(world->arena, world->generations, old_count, count, sizeof(uint32_t));
    if (moved == NULL) {
        return world_out_of_memory(world);
    }
    world->generations = moved;
    return true;
}

/* Grows one pool to at least `wanted` items; `items` may move. */
static void *grow_pool(struct world *world, struct pool *pool, void *items, size_t size,
                       uint32_t wanted) {
    uint32_t capacity = pool->capacity > 0 ? pool->capacity : FIRST_CAPACITY;
    while (capacity < wanted) {
        capacity += capacity / 2;
    }
    uint32_t call_capacity = world->call_pool.capacity,
             attempt_capacity = world->attempt_pool.capacity;
    uint32_t covered = call_capacity > attempt_capacity ? call_capacity : attempt_capacity;
    if (capacity > covered && !grow_generations(world, covered, capacity)) {
        return NULL;
    }
    void *moved = arena_grow_array(world->arena, items, pool->capacity, capacity, size);
    if (moved == NULL) {
        world_out_of_memory(world);
        return NULL;
    }
    pool->capacity = capacity;
    return moved;
}

bool world_grow(struct world *world, uint32_t calls, uint32_t attempts) {
    if (!pool_has_room(&world->call_pool, calls)) {
        void *moved = grow_pool(world, &world->call_pool, world->calls, sizeof(struct call),
                                world->call_pool.taken + calls);
        if (moved == NULL) {
            return false;
        }
        world->calls = moved;
    }
    if (!pool_has_room(&world->attempt_pool, attempts)) {
        void *moved = grow_pool(world, &world->attempt_pool, world->attempts,
                                sizeof(struct attempt), world->attempt_pool.taken + attempts);
        if (moved == NULL) {
            return false;
        }
        world->attempts = moved;
    }
    return true;
}

uint32_t world_take_call(struct world *world) {
    struct pool *pool = &world->call_pool;
    bool has_free = pool->free_count > 0;
    uint32_t index = pool_take(pool, has_free ? world->calls[pool->free_head].sibling : STORM_NONE);
    uint32_t serial = world->calls[index].serial;
    world->calls[index] =
        (struct call){.attempt = STORM_NONE, .sibling = STORM_NONE, .serial = serial};
    return index;
}

uint32_t world_take_attempt(struct world *world) {
    struct pool *pool = &world->attempt_pool;
    bool has_free = pool->free_count > 0;
    uint32_t index = pool_take(pool, has_free ? world->attempts[pool->free_head].next : STORM_NONE);
    world->attempts[index] = (struct attempt){.call = STORM_NONE,
                                              .child = STORM_NONE,
                                              .twin = STORM_NONE,
                                              .version = STORM_NONE,
                                              .due = STORM_NEVER};
    return index;
}

/* A slot whose generations are used up never comes back: an old event could be taken for a new
   one. */
static bool is_worn_out(const struct world *world, uint32_t slot) {
    return world->generations[slot] == UINT32_MAX;
}

void world_free_call(struct world *world, uint32_t call) {
    struct call *c = &world->calls[call];
    assert(c->state != CALL_FREE && !c->armed && c->attempt == STORM_NONE);
    c->state = CALL_FREE;
    c->serial++;
    if (!is_worn_out(world, world_slot_of_call(world, call))) {
        c->sibling = pool_give(&world->call_pool, call);
    }
}

void world_free_attempt(struct world *world, uint32_t attempt) {
    struct attempt *a = &world->attempts[attempt];
    assert(a->state != ATTEMPT_FREE && a->child == STORM_NONE);
    a->state = ATTEMPT_FREE;
    if (!is_worn_out(world, world_slot_of_attempt(world, attempt))) {
        a->next = pool_give(&world->attempt_pool, attempt);
    }
}

void world_cancel(struct world *world, uint32_t slot) {
    assert(world->generations[slot] < UINT32_MAX);
    if (world->error.status == STORM_OK) { /* invariant 5 */
        world->generations[slot]++;
        queue_cancelled(world->engine.queue, world->generations);
    }
}

void lane_append(struct world *world, struct lane *lane, uint32_t attempt) {
    struct attempt *a = &world->attempts[attempt];
    a->next = STORM_NONE;
    a->previous = lane->count > 0 ? lane->tail : STORM_NONE;
    if (lane->count > 0) {
        world->attempts[lane->tail].next = attempt;
    } else {
        lane->head = attempt;
    }
    lane->tail = attempt;
    lane->count++;
}

void lane_remove(struct world *world, struct lane *lane, uint32_t attempt) {
    struct attempt *a = &world->attempts[attempt];
    assert(lane->count > 0);
    if (a->previous != STORM_NONE) {
        world->attempts[a->previous].next = a->next;
    } else {
        assert(lane->head == attempt);
        lane->head = a->next;
    }
    if (a->next != STORM_NONE) {
        world->attempts[a->next].previous = a->previous;
    } else {
        assert(lane->tail == attempt);
        lane->tail = a->previous;
    }
    lane->count--;
}
