/* test_engine.c: the clock: what is handed out when, and in which order at one time. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/test.h"

#include <retrystorm/units.h>

#include "base/arena.h"
#include "engine/engine.h"
#include "engine/queue.h"

struct world {
    struct arena arena;
    struct engine engine;
    uint32_t generation[16];
};

static void world_init(struct world *world) {
    *world = (struct world){0};
    arena_init(&world->arena, 1 << 20);
    assert_true(engine_init(&world->engine, &world->arena));
}

static void at(struct world *world, storm_time time, enum engine_class class, uint32_t slot) {
    assert_true(
        engine_at(&world->engine, time, class, event_pack(3, slot, world->generation[slot])));
}

/* The slot of the next event, which must come at `time`. */
static uint32_t next_at(struct world *world, storm_time time) {
    struct event event;
    assert_true(engine_next(&world->engine, world->generation, &event));
    assert_int_equal(world->engine.now, time);
    assert_int_equal(event_time(&event), time);
    assert_int_equal(event_kind(event.payload), 3);
    return event_slot(event.payload);
}

static void changes_come_before_steps_and_equals_in_the_order_of_scheduling(void **state) {
    (void)state;
    struct world world;
    world_init(&world);
    at(&world, 20, ENGINE_STEP, 0);
    at(&world, 20, ENGINE_CHANGE, 1);
    at(&world, 10, ENGINE_STEP, 2);
    at(&world, 20, ENGINE_STEP, 3);
    at(&world, 20, ENGINE_CHANGE, 4);
    assert_int_equal(next_at(&world, 10), 2);
    assert_int_equal(next_at(&world, 20), 1);
    assert_int_equal(next_at(&world, 20), 4);
    assert_int_equal(next_at(&world, 20), 0);
    at(&world, 20, ENGINE_STEP, 5);
    assert_int_equal(next_at(&world, 20), 3);
    assert_int_equal(next_at(&world, 20), 5);
    assert_int_equal(world.engine.popped, 6);
    arena_free(&world.arena);
}

static void the_clock_stays_when_nothing_is_left(void **state) {
    (void)state;
    struct world world;
    world_init(&world);
    struct event event;
    assert_false(engine_next(&world.engine, world.generation, &event));
    assert_int_equal(world.engine.now, 0);
    at(&world, 7, ENGINE_STEP, 0);
    at(&world, 8, ENGINE_STEP, 1);
    assert_int_equal(next_at(&world, 7), 0);
    world.generation[1]++;
    queue_cancelled(world.engine.queue, world.generation);
    assert_false(engine_next(&world.engine, world.generation, &event));
    assert_int_equal(world.engine.now, 7);
    assert_int_equal(world.engine.popped, 1);
    arena_free(&world.arena);
}

static void never_is_the_last_time_of_all(void **state) {
    (void)state;
    struct world world;
    world_init(&world);
    at(&world, STORM_NEVER, ENGINE_STEP, 0);
    at(&world, STORM_NEVER, ENGINE_CHANGE, 1);
    at(&world, STORM_NEVER - 1, ENGINE_STEP, 2);
    assert_int_equal(next_at(&world, STORM_NEVER - 1), 2);
    assert_int_equal(next_at(&world, STORM_NEVER), 1);
    assert_int_equal(next_at(&world, STORM_NEVER), 0);
    arena_free(&world.arena);
}

static void an_event_tells_its_time(void **state) {
    (void)state;
    struct event change = {.key = 2 * UINT64_C(41)};
    struct event step = {.key = 2 * UINT64_C(41) + 1};
    assert_int_equal(event_time(&change), 41);
    assert_int_equal(event_time(&step), 41);
}

static void an_engine_without_memory_says_so(void **state) {
    (void)state;
    struct arena arena;
    struct engine engine;
    arena_init(&arena, 100);
    assert_false(engine_init(&engine, &arena));
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_come_before_steps_and_equals_in_the_order_of_scheduling),
        cmocka_unit_test(the_clock_stays_when_nothing_is_left),
        cmocka_unit_test(never_is_the_last_time_of_all),
        cmocka_unit_test(an_event_tells_its_time),
        cmocka_unit_test(an_engine_without_memory_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
