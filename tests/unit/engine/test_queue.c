/* test_queue.c: the queue against a plain heap, in ten regimes of delays; and its corners one by
   one. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/test.h"

#include <retrystorm/units.h>

#include "base/arena.h"
#include "engine/queue.h"
#include "support/delays.h"
#include "unit/engine/rig.h"

enum { ROOM = 1 << 16, MEGABYTE = 1 << 20, PHASES = 12 };

static const char *const regime_names[DELAYS_COUNT] = {
    [DELAYS_EXPONENTIAL] = "queue_and_heap_agree_on_exponential_delays",
    [DELAYS_HERD] = "queue_and_heap_agree_on_a_herd",
    [DELAYS_ZERO] = "queue_and_heap_agree_when_half_the_delays_are_zero",
    [DELAYS_CONSTANT] = "queue_and_heap_agree_on_a_constant_delay",
    [DELAYS_LOGUNIFORM] = "queue_and_heap_agree_on_delays_of_every_size",
    [DELAYS_PARETO] = "queue_and_heap_agree_on_a_heavy_tail",
    [DELAYS_NEVER] = "queue_and_heap_agree_when_some_events_never_come",
    [DELAYS_BURST] = "queue_and_heap_agree_on_bursts",
    [DELAYS_TINY] = "queue_and_heap_agree_when_all_is_in_one_place",
    [DELAYS_MIX] = "queue_and_heap_agree_on_a_mix",
};

/* 10^6 operations over all regimes; 10^8 when STORM_FULL is set. */
static uint64_t operations(void) {
    const char *full = getenv("STORM_FULL");
    bool is_full = full != NULL && strcmp(full, "1") == 0;
    return (is_full ? 100000000U : 1000000U) / DELAYS_COUNT;
}

/* A course of random operations: towards `target` pending events and then around it, with a share
   of cancellations in 8; and now and then a crowd: some hundred events pushed in a row at keys
   close together, or all at one. */
struct course {
    enum delays kind;
    uint32_t target;
    uint64_t cancels;
    uint64_t crowd_key, crowd_span;
    uint32_t crowd_left;
    uint64_t random;
};

/* A key some delay after now, of either class, not before now. */
static uint64_t key_draw(const struct rig *rig, struct course *course) {
    uint64_t delay = delays_draw(course->kind, &course->random);
    uint64_t time = rig->now / 2;
    uint64_t never = (uint64_t)STORM_NEVER;
    time = delay < never - time ? time + delay : never;
    uint64_t key = 2 * time + (delays_bits(&course->random) >> 40 & 1U);
    return key < rig->now ? rig->now : key;
}

static void crowd_begin(const struct rig *rig, struct course *course) {
    static const uint64_t spans[] = {1, 1, 2, 300, 100000, 300000000};
    static const uint64_t gaps[] = {0, 10, 5000, 10000000};
    uint64_t bits = delays_bits(&course->random);
    course->crowd_left = 100 + (uint32_t)(bits % 400);
    course->crowd_span = spans[(bits >> 16) % 6];
    course->crowd_key = rig->now + gaps[bits >> 32 & 3U];
}

/* A member of the crowd, or rarely one who runs before it. */
static void crowd_push(struct rig *rig, struct course *course) {
    uint64_t bits = delays_bits(&course->random);
    uint64_t key = course->crowd_key + bits % course->crowd_span;
    if (bits >> 56 == 0)
        key = rig->now + (key - rig->now) / 2;
    rig_push(rig, key);
    course->crowd_left--;
}

static void operate(struct rig *rig, struct course *course) {
    uint64_t bits = delays_bits(&course->random);
    bool grows = rig->pending < course->target ? (bits & 7U) != 0 : (bits & 7U) == 0;
    if (course->crowd_left == 0 && bits >> 54 == 0 && rig->pending + 500 < rig->room)
        crowd_begin(rig, course);
    if (course->crowd_left > 0)
        crowd_push(rig, course);
    else if (grows && rig->pending < rig->room)
        rig_push(rig, key_draw(rig, course));
    else if (rig->pending > 0 && (bits >> 8 & 7U) < course->cancels)
        rig_cancel(rig, (uint32_t)((bits >> 16) % rig->pending));
    else
        rig_pop(rig);
}

static void queue_and_heap_agree(void **state) {
    static const uint32_t targets[] = {3, 60, 300, 1500, 40000, 10};
    static const uint64_t cancels[] = {0, 1, 4, 7};
    struct rig rig;
    rig_init(&rig, ROOM, 64 * MEGABYTE);
    struct course course = {.kind = *(const enum delays *)*state};
    course.random = (uint64_t)course.kind + 1;
    uint64_t count = operations();
    for (uint64_t i = 0; i < count; i++) {
        if (i % (count / PHASES) == 0) {
            uint64_t bits = delays_bits(&course.random);
            course.target = targets[bits % 6];
            course.cancels = cancels[bits >> 32 & 3U];
        }
        operate(&rig, &course);
        if (rig.wrong != NULL)
            fail_msg("operation %llu: %s", (unsigned long long)i, rig.wrong);
    }
    while (rig_pop(&rig)) {
    }
    assert_null(rig.wrong);
    assert_int_equal(queue_live(rig.queue), 0);
    rig_free(&rig);
}

/* A bare queue whose events are numbered by their slots; every slot has generation 0 until it is
   raised. */
struct bare {
    struct arena arena;
    struct queue *queue;
    uint32_t generation[4096];
};

static int bare_setup(void **state) {
    struct bare *bare = calloc(1, sizeof *bare);
    arena_init(&bare->arena, 16 * MEGABYTE);
    bare->queue = queue_new(&bare->arena);
    *state = bare;
    return bare->queue == NULL || !queue_reserve(bare->queue, 4096);
}

static int bare_teardown(void **state) {
    struct bare *bare = *state;
    arena_free(&bare->arena);
    free(bare);
    return 0;
}

static void push(struct bare *bare, uint64_t key, uint32_t slot) {
    queue_push(bare->queue, key, event_pack(0, slot, bare->generation[slot]));
}

static void cancel(struct bare *bare, uint32_t slot) {
    bare->generation[slot]++;
    queue_cancelled(bare->queue, bare->generation);
}

/* The slot of the next event; -1 when there is none. */
static int64_t pop(struct bare *bare) {
    struct event event;
    return queue_pop(bare->queue, bare->generation, &event) ? (int64_t)event_slot(event.payload)
                                                            : -1;
}

static void a_payload_gives_back_what_was_packed(void **state) {
    (void)state;
    event_payload payload = event_pack(15, EVENT_SLOT_MAX, UINT32_C(0x89ABCDEF));
    assert_int_equal(event_kind(payload), 15);
    assert_int_equal(event_slot(payload), EVENT_SLOT_MAX);
    assert_int_equal(event_generation(payload), UINT32_C(0x89ABCDEF));
}

static void an_empty_queue_has_nothing_to_give(void **state) {
    assert_int_equal(pop(*state), -1);
    assert_int_equal(pop(*state), -1);
}

static void events_come_by_key_and_then_in_the_order_of_pushing(void **state) {
    push(*state, 70000, 0);
    push(*state, 0, 1);
    push(*state, 70000, 2);
    push(*state, 69999, 3);
    push(*state, 0, 4);
    static const int64_t expected[] = {1, 4, 3, 0, 2, -1};
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(pop(*state), expected[i]);
}

static void a_cancelled_event_never_comes_out(void **state) {
    for (uint32_t slot = 0; slot < 5; slot++)
        push(*state, 10 + slot, slot);
    cancel(*state, 1);
    assert_int_equal(pop(*state), 0);
    cancel(*state, 2); /* the window it lies in is open by now */
    assert_int_equal(pop(*state), 3);
    cancel(*state, 4);
    assert_int_equal(pop(*state), -1);
}

static void looking_for_more_does_not_close_the_present(void **state) {
    push(*state, 100, 0);
    push(*state, UINT64_C(1) << 40, 1);
    assert_int_equal(pop(*state), 0);
    cancel(*state, 1);
    assert_int_equal(pop(*state), -1); /* only the far, stale one is left */
    push(*state, 100, 2);
    push(*state, UINT64_C(1) << 20, 3);
    assert_int_equal(pop(*state), 2);
    assert_int_equal(pop(*state), 3);
}

static void the_greatest_key_of_all_is_a_key_like_any_other(void **state) {
    push(*state, UINT64_MAX, 0);
    push(*state, UINT64_MAX - 1, 1);
    push(*state, UINT64_MAX, 2);
    assert_int_equal(pop(*state), 1);
    assert_int_equal(pop(*state), 0);
    push(*state, UINT64_MAX, 3);
    assert_int_equal(pop(*state), 2);
    assert_int_equal(pop(*state), 3);
}

/* Fills the window until it has narrowed to the crowd's moment, then pushes before that moment. */
static void a_crowd_at_one_moment_comes_in_order_with_strangers_before(void **state) {
    const uint64_t moment = 0x18000;
    push(*state, 0x10001, 0); /* opens a window of 65536 keys */
    assert_int_equal(pop(*state), 0);
    for (uint32_t slot = 100; slot < 1100; slot++)
        push(*state, moment, slot);
    for (uint32_t slot = 1; slot < 100; slot++)
        push(*state, moment - 100 + slot, slot);
    push(*state, moment + 1, 2100);
    for (uint32_t slot = 1100; slot < 2100; slot++)
        push(*state, moment, slot);
    for (int64_t slot = 1; slot < 2101; slot++)
        assert_int_equal(pop(*state), slot);
    assert_int_equal(pop(*state), -1);
}

static void what_is_held_stays_within_the_bound_and_goes_when_it_must(void **state) {
    const struct bare *bare = *state;
    for (uint32_t slot = 0; slot < 1000; slot++)
        push(*state, slot * UINT64_C(1000003), slot);
    for (uint32_t slot = 0; slot < 436; slot++)
        cancel(*state, slot);
    assert_int_equal(queue_held(bare->queue),
                     1000); /* = 2 * 564 - 128: one less than what it takes */
    for (uint32_t slot = 436; slot < 564; slot++)
        cancel(*state, slot);
    assert_int_equal(queue_live(bare->queue), 436);
    assert_int_equal(queue_held(bare->queue), 1000);
    cancel(*state, 564);
    assert_int_equal(queue_held(bare->queue), 435);
    for (int64_t slot = 565; slot < 1000; slot++)
        assert_int_equal(pop(*state), slot);
    assert_int_equal(pop(*state), -1);
}

static void room_once_reserved_is_enough_for_the_worst_spread(void **state) {
    (void)state;
    struct arena arena;
    arena_init(&arena, 16 * MEGABYTE);
    struct queue *queue = queue_new(&arena);
    assert_true(queue_reserve(queue, 4096));
    size_t held = arena.held;
    for (uint32_t i = 0; i < 4096; i++) { /* every slot of every level, twice */
        uint64_t slot = i % 256U;
        queue_push(queue, slot << (i / 256U % 8U * 8U), event_pack(0, i, 0));
    }
    assert_int_equal(arena.held, held);
    uint32_t *generation = calloc(4096, sizeof *generation);
    struct event event;
    uint64_t key = 0;
    for (uint32_t i = 0; i < 4096; i++) {
        assert_true(queue_pop(queue, generation, &event));
        assert_true(event.key >= key);
        key = event.key;
    }
    assert_int_equal(arena.held, held);
    free(generation);
    arena_free(&arena);
}

static void reserving_at_the_limit_says_no_and_harms_nothing(void **state) {
    (void)state;
    struct arena arena;
    arena_init(&arena, MEGABYTE);
    struct queue *queue = queue_new(&arena);
    assert_non_null(queue);
    assert_true(queue_reserve(queue, 100));
    queue_push(queue, 5, event_pack(0, 0, 0));
    assert_false(queue_reserve(queue, UINT32_MAX));
    assert_false(queue_reserve(queue, 2000));
    assert_true(queue_reserve(queue, 99));
    uint32_t generation[1] = {0};
    struct event event;
    assert_true(queue_pop(queue, generation, &event));
    assert_int_equal(event.key, 5);
    arena_free(&arena);
    arena_init(&arena, 1024);
    assert_null(queue_new(&arena));
}

/* Whether doing this ends the program by an assert. */
static bool is_fatal(void (*action)(struct bare *), struct bare *bare) {
    fflush(NULL);
    pid_t child = fork();
    assert_int_not_equal(child, -1);
    if (child == 0) {
        signal(SIGABRT, SIG_DFL);
        close(STDERR_FILENO);
        action(bare);
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void push_into_the_past(struct bare *bare) { push(bare, 9, 1); }
static void push_at_the_present(struct bare *bare) { push(bare, 10, 1); }
static void push_without_room(struct bare *bare) {
    for (uint32_t i = 0; i < 100000; i++)
        push(bare, 10, 1);
}
static void cancel_what_is_not_there(struct bare *bare) { cancel(bare, 0); }
static void cancel_in_silence(struct bare *bare) {
    for (uint32_t slot = 1; slot < 1000; slot++)
        push(bare, 10 + slot, slot);
    bare->generation[1]++;
    for (uint32_t slot = 2; slot < 1000; slot++)
        cancel(bare, slot);
}

static void misuse_stops_the_program(void **state) {
    struct bare *bare = *state;
    push(bare, 10, 0);
    assert_int_equal(pop(bare), 0);
    assert_false(is_fatal(push_at_the_present, bare));
    assert_true(is_fatal(push_into_the_past, bare));
    assert_true(is_fatal(push_without_room, bare));
    assert_true(is_fatal(cancel_what_is_not_there, bare));
    assert_true(is_fatal(cancel_in_silence, bare));
}

static void two_queues_do_not_know_of_each_other(void **state) {
    (void)state;
    struct rig a, b;
    rig_init(&a, 1024, MEGABYTE * 4);
    rig_init(&b, 1024, MEGABYTE * 4);
    struct course mix = {.kind = DELAYS_MIX, .target = 500, .cancels = 1, .random = 1};
    struct course herd = {.kind = DELAYS_HERD, .target = 300, .cancels = 4, .random = 2};
    for (int i = 0; i < 20000; i++) {
        operate(&a, &mix);
        operate(&b, &herd);
    }
    assert_null(a.wrong);
    assert_null(b.wrong);
    rig_free(&a);
    rig_free(&b);
}

#define BARE(test) cmocka_unit_test_setup_teardown(test, bare_setup, bare_teardown)

int main(void) {
    const struct CMUnitTest corners[] = {
        cmocka_unit_test(a_payload_gives_back_what_was_packed),
        BARE(an_empty_queue_has_nothing_to_give),
        BARE(events_come_by_key_and_then_in_the_order_of_pushing),
        BARE(a_cancelled_event_never_comes_out),
        BARE(looking_for_more_does_not_close_the_present),
        BARE(the_greatest_key_of_all_is_a_key_like_any_other),
        BARE(a_crowd_at_one_moment_comes_in_order_with_strangers_before),
        BARE(what_is_held_stays_within_the_bound_and_goes_when_it_must),
        cmocka_unit_test(room_once_reserved_is_enough_for_the_worst_spread),
        cmocka_unit_test(reserving_at_the_limit_says_no_and_harms_nothing),
        BARE(misuse_stops_the_program),
        cmocka_unit_test(two_queues_do_not_know_of_each_other),
    };
    enum delays kinds[DELAYS_COUNT];
    struct CMUnitTest regimes[DELAYS_COUNT];
    for (unsigned i = 0; i < DELAYS_COUNT; i++) {
        kinds[i] = (enum delays)i;
        regimes[i] = (struct CMUnitTest){
            .name = regime_names[i], .test_func = queue_and_heap_agree, .initial_state = &kinds[i]};
    }
    int failed = cmocka_run_group_tests_name("corners", corners, NULL, NULL);
    return failed + cmocka_run_group_tests_name("regimes", regimes, NULL, NULL);
}
