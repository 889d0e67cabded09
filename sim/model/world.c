/* world.c: the pools, slots and lists that the rest of the model stands on. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/world.h"

#include <assert.h>

#include "base/arena.h"
#include "engine/queue.h"

enum { FIRST_CAPACITY = 1024 };

uint32_t world_slot_of_population(const struct world *world, uint32_t population) {
    assert(population < world->scenario->population_count);
    return 1 + population;
}

uint32_t world_slot_of_service(const struct world *world, uint32_t service) {
    assert(service < world->scenario->service_count);
    return 1 + world->scenario->population_count + service;
}

uint32_t world_slot_of_return(const struct world *world, uint32_t service) {
    return world_slot_of_service(world, service) + world->scenario->service_count;
}

uint32_t world_slot_of_fault(const struct world *world, uint32_t fault) {
    assert(fault < world->scenario->fault_count);
    return 1 + world->scenario->population_count + 2 * world->scenario->service_count + fault;
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
    const struct storm_scenario *plan = world->scenario;
    world->standing = 1 + plan->population_count + 2 * plan->service_count + plan->fault_count;
    world->call_pool.free_head = STORM_NONE;
    world->attempt_pool.free_head = STORM_NONE;
    bool has_engine = engine_init(&world->engine, world->arena);
    world->generations = arena_take_array(world->arena, world->standing, sizeof(uint32_t));
    if (!has_engine || world->generations == NULL) {
        return world_out_of_memory(world);
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

static bool has_room(const struct pool *pool, uint32_t count) {
    return pool->capacity - pool->taken + pool->free_count >= count;
}

bool world_reserve(struct world *world, uint32_t calls, uint32_t attempts, uint32_t events) {
    if (!has_room(&world->call_pool, calls)) {
        void *moved = grow_pool(world, &world->call_pool, world->calls, sizeof(struct call),
                                world->call_pool.taken + calls);
        if (moved == NULL) {
            return false;
        }
        world->calls = moved;
    }
    if (!has_room(&world->attempt_pool, attempts)) {
        void *moved = grow_pool(world, &world->attempt_pool, world->attempts,
                                sizeof(struct attempt), world->attempt_pool.taken + attempts);
        if (moved == NULL) {
            return false;
        }
        world->attempts = moved;
    }
    return queue_reserve(world->engine.queue, events) || world_out_of_memory(world);
}

uint32_t world_take_call(struct world *world) {
    struct pool *pool = &world->call_pool;
    uint32_t index = pool->free_head;
    if (index != STORM_NONE) {
        pool->free_head = world->calls[index].owner;
        pool->free_count--;
    } else {
        assert(pool->taken < pool->capacity); /* invariant 4 */
        index = pool->taken++;
    }
    world->calls[index] = (struct call){.attempt = STORM_NONE};
    return index;
}

uint32_t world_take_attempt(struct world *world) {
    struct pool *pool = &world->attempt_pool;
    uint32_t index = pool->free_head;
    if (index != STORM_NONE) {
        pool->free_head = world->attempts[index].next;
        pool->free_count--;
    } else {
        assert(pool->taken < pool->capacity); /* invariant 4 */
        index = pool->taken++;
    }
    world->attempts[index] = (struct attempt){.call = STORM_NONE, .child = STORM_NONE};
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
    if (!is_worn_out(world, world_slot_of_call(world, call))) {
        c->owner = world->call_pool.free_head;
        world->call_pool.free_head = call;
        world->call_pool.free_count++;
    }
}

void world_free_attempt(struct world *world, uint32_t attempt) {
    struct attempt *a = &world->attempts[attempt];
    assert(a->state != ATTEMPT_FREE && a->child == STORM_NONE);
    a->state = ATTEMPT_FREE;
    if (!is_worn_out(world, world_slot_of_attempt(world, attempt))) {
        a->next = world->attempt_pool.free_head;
        world->attempt_pool.free_head = attempt;
        world->attempt_pool.free_count++;
    }
}

/* Faults, their ends, capacity changes and the end of the run come before everything else of
   their instant. */
static enum engine_class class_of(enum event_meaning meaning) {
    return meaning <= EVENT_RAMPS ? ENGINE_CHANGE : ENGINE_STEP;
}

void world_schedule(struct world *world, storm_time time, enum event_meaning meaning,
                    uint32_t slot) {
    assert(time >= world_now(world));
    engine_at(&world->engine, time, class_of(meaning),
              event_pack((unsigned)meaning, slot, world->generations[slot]));
}

void world_cancel(struct world *world, uint32_t slot) {
    assert(world->generations[slot] < UINT32_MAX);
    world->generations[slot]++;
    queue_cancelled(world->engine.queue, world->generations);
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

void world_tell(struct world *world, struct storm_fact fact) {
    fact.time = world_now(world);
    world->listener.hear(world->listener.context, &fact);
}
