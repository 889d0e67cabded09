/* test_lineage.c: whose an attempt is, and that those who are gone are forgotten. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/lineage.h"

#include <retrystorm/scenario.h>

#include "base/arena.h"
#include "support/test.h"

#define SEC STORM_SECOND
#define FACT(what, ...) ((struct storm_fact){.kind = STORM_FACT_##what, __VA_ARGS__})

/* Clients (0), consumers (1) of the queue that is service 2; two services before it. */
static struct storm_population populations[] = {
    {.name = "web"}, {.name = "workers", .arrival = STORM_ARRIVAL_QUEUE}};
static struct storm_service services[] = {{.name = "api"}, {.name = "db"}, {.name = "jobs"}};
static struct storm_queue queues[] = {{.service = 2, .consumers = 1}};
static const struct storm_scenario scenario = {.population_count = 2,
                                               .populations = populations,
                                               .service_count = 3,
                                               .services = services,
                                               .queue_count = 1,
                                               .queues = queues};

struct bench {
    struct arena arena;
    struct lineage *lineage;
};

static void bench_open(struct bench *b) {
    arena_init(&b->arena, (size_t)16 << 20);
    b->lineage = lineage_new(&b->arena, &scenario);
    assert_non_null(b->lineage);
}

static const struct storm_kin *tell(struct bench *b, struct storm_fact fact) {
    return lineage_hear(b->lineage, &fact);
}

static uint32_t under_way(struct bench *b) {
    uint32_t count;
    assert_non_null(lineage_list(b->lineage, &count));
    return count;
}

static void whatever_is_done_below_a_request_is_its(void **state) {
    (void)state;
    struct bench b;
    bench_open(&b);
    tell(&b, FACT(BORN, .key = 9, .member = 4, .ordinal = 2));
    tell(&b, FACT(SENT, .key = 1, .parent = 9, .attempts = 1));
    tell(&b, FACT(STARTED, .key = 1));
    const struct storm_kin *kin =
        tell(&b, FACT(SENT, .key = 2, .parent = 1, .attempts = 3, .place = 1, .time = SEC));
    assert_true(kin->population == 0 && kin->member == 4 && kin->ordinal == 2);
    assert_true(kin->attempt.depth == 2 && kin->attempt.number == 3 && kin->attempt.place == 1);
    assert_true(kin->attempt.sent == SEC && kin->attempt.kind == STORM_STORY_ATTEMPT);
    assert_int_equal(lineage_at(b.lineage, kin->parent)->attempt.key, 1);
    assert_null(tell(&b, FACT(OUTAGE, .level = 1, .time = SEC)));
    assert_null(tell(&b, FACT(SENT, .key = 3, .parent = 77, .time = SEC))); /* of nobody known */
    arena_free(&b.arena);
}

static void a_tree_is_forgotten_when_the_last_callee_is_done_with_it(void **state) {
    (void)state;
    struct bench b;
    bench_open(&b);
    tell(&b, FACT(BORN, .key = 9));
    tell(&b, FACT(SENT, .key = 1, .parent = 9));
    tell(&b, FACT(GAVE_UP, .key = 1, .time = SEC));
    tell(&b, FACT(DEAD, .key = 9, .time = SEC));
    tell(&b, FACT(CAPACITY, .time = 2 * SEC));
    assert_int_equal(under_way(&b), 2); /* the attempt is a ghost */
    assert_non_null(tell(&b, FACT(STARTED, .key = 1, .time = 3 * SEC)));
    assert_non_null(tell(&b, FACT(SERVED, .key = 1, .time = 4 * SEC)));
    assert_non_null(tell(&b, FACT(VANISHED, .key = 1, .time = 4 * SEC, .status = 200)));
    assert_int_equal(under_way(&b), 2);
    tell(&b, FACT(CAPACITY, .time = 5 * SEC));
    assert_int_equal(under_way(&b), 0);
    const struct storm_kin *next = tell(&b, FACT(BORN, .key = 10, .time = 6 * SEC));
    assert_true(next->index < 2 && next->order == 2); /* its place is used again */
    arena_free(&b.arena);
}

static void levels_are_how_many_wait_and_are_served(void **state) {
    (void)state;
    struct bench b;
    bench_open(&b);
    const struct lineage_level *level = lineage_level(b.lineage, 0);
    tell(&b, FACT(BORN, .key = 9));
    for (uint64_t key = 1; key <= 4; key++) {
        tell(&b, FACT(SENT, .key = key, .parent = 9));
        tell(&b, FACT(ARRIVED, .key = key));
        tell(&b, key < 3 ? FACT(STARTED, .key = key) : FACT(QUEUED, .key = key));
    }
    assert_true(level->waiting == 2 && level->served == 2 && level->arrived == 4);
    tell(&b, FACT(PARKED, .key = 1));
    tell(&b, FACT(LOST, .key = 3, .queued = true));
    assert_true(level->waiting == 1 && level->served == 1);
    tell(&b, FACT(STARTED, .key = 4, .queued = true));
    tell(&b, FACT(SERVED, .key = 1));
    tell(&b, FACT(CANCELLED, .key = 2, .busy = true));
    assert_true(level->waiting == 0 && level->served == 1 && level->arrived == 4);
    arena_free(&b.arena);
}

static void messages_wait_are_in_hand_and_come_back(void **state) {
    (void)state;
    struct bench b;
    bench_open(&b);
    const struct lineage_level *level = lineage_level(b.lineage, 2);
    tell(&b, FACT(BORN, .key = 9, .member = 5));
    tell(&b, FACT(SENT, .key = 1, .parent = 9, .place = 2));
    const struct storm_kin *kin =
        tell(&b, FACT(BORN, .place = 1, .key = 50, .parent = 1, .member = 5));
    assert_true(kin->attempt.kind == STORM_STORY_MESSAGE && kin->population == 0);
    assert_true(kin->attempt.depth == 2 && kin->member == 5 && level->waiting == 1);
    kin = tell(&b, FACT(DELIVERED, .place = 1, .key = 51, .parent = 50, .attempts = 1));
    assert_true(kin->attempt.depth == 3 && kin->attempt.kind == STORM_STORY_DELIVERY);
    assert_true(level->waiting == 0 && level->served == 1);
    kin = tell(&b, FACT(RETURNED, .place = 1, .key = 51, .parent = 50));
    assert_true(kin->stage == STORM_STAGE_OVER && level->waiting == 1 && level->served == 0);
    tell(&b, FACT(DELIVERED, .place = 1, .key = 52, .parent = 50, .attempts = 2));
    tell(&b, FACT(SUCCEEDED, .place = 1, .key = 50, .member = 5));
    assert_true(level->waiting == 0 && level->served == 0);
    arena_free(&b.arena);
}

static void who_backs_off_and_who_has_given_up_is_known(void **state) {
    (void)state;
    struct bench b;
    bench_open(&b);
    const struct storm_kin *request = tell(&b, FACT(BORN, .key = 9));
    tell(&b, FACT(SENT, .key = 1, .parent = 9));
    const struct storm_kin *attempt = tell(&b, FACT(GAVE_UP, .key = 1));
    assert_true(attempt->given_up && request->resting == STORM_NONE);
    tell(&b, FACT(BACKED_OFF, .key = 1));
    assert_int_equal(request->resting, attempt->index);
    tell(&b, FACT(SENT, .key = 2, .parent = 9, .queued = true));
    assert_int_equal(request->resting, STORM_NONE);
    assert_ptr_equal(tell(&b, FACT(HELD_BACK, .key = 99, .parent = 9)), request);
    arena_free(&b.arena);
}

static void without_memory_it_says_so(void **state) {
    (void)state;
    struct arena arena;
    arena_init(&arena, (size_t)1 << 20);
    struct lineage *lineage = lineage_new(&arena, &scenario);
    for (uint64_t key = 1; lineage != NULL && !lineage_failed(lineage) && key < 100000; key++) {
        lineage_hear(lineage, &FACT(BORN, .key = key));
    }
    assert_true(lineage == NULL || lineage_failed(lineage));
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatever_is_done_below_a_request_is_its),
        cmocka_unit_test(a_tree_is_forgotten_when_the_last_callee_is_done_with_it),
        cmocka_unit_test(levels_are_how_many_wait_and_are_served),
        cmocka_unit_test(messages_wait_are_in_hand_and_come_back),
        cmocka_unit_test(who_backs_off_and_who_has_given_up_is_known),
        cmocka_unit_test(without_memory_it_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
