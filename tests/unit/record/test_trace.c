/* test_trace.c: one request is followed through the tree of its attempts, and no other. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/trace.h"

#include <stdlib.h>

#include <retrystorm/scenario.h>

#include "base/arena.h"
#include "base/stream.h"
#include "support/test.h"

#define SEC STORM_SECOND
#define FACT(what, ...) ((struct storm_fact){.kind = STORM_FACT_##what, __VA_ARGS__})

/* Clients (0 and 1) and the consumers (2) of a queue. */
static struct storm_population populations[] = {
    {.name = "web"}, {.name = "batch"}, {.name = "workers", .arrival = STORM_ARRIVAL_QUEUE}};
static const struct storm_scenario scenario = {.population_count = 3, .populations = populations};

struct bench {
    struct arena arena;
    struct trace *trace;
};

static void tell(struct bench *b, struct storm_fact fact) { trace_hear(b->trace, &fact); }

/* Follows request 2 of member 1 of population 0, whose key is 100, up to its birth. */
static void bench_open(struct bench *b) {
    arena_init(&b->arena, (size_t)16 << 20);
    b->trace = trace_new(&b->arena, &scenario, &FACT(DEAD, .member = 1, .ordinal = 2));
    assert_non_null(b->trace);
    tell(b, FACT(CAPACITY, .level = 4));
    tell(b, FACT(BORN, .member = 1, .ordinal = 2, .key = 100));
}

static void the_tree_below_the_request_is_followed(void **state) {
    (void)state;
    struct bench b;
    bench_open(&b);
    tell(&b, FACT(SENT, .key = 1, .parent = 100, .attempts = 1));
    tell(&b, FACT(ARRIVED, .key = 1));
    tell(&b, FACT(SENT, .key = 10, .parent = 1, .attempts = 1, .place = 1));
    tell(&b, FACT(BACKED_OFF, .key = 10, .place = 1));
    tell(&b, FACT(SENT, .key = 11, .parent = 1, .attempts = 2, .place = 1, .time = SEC));
    tell(&b, FACT(SERVED, .key = 1, .status = 200));
    tell(&b, FACT(SUCCEEDED, .member = 1, .ordinal = 2, .key = 100, .attempts = 1));
    const struct storm_story *story = trace_story(b.trace);
    assert_true(story->born && story->ended && !story->cut);
    assert_int_equal(story->line_count, 8);
    assert_int_equal(story->attempt_count, 3);
    assert_true(story->attempts[0].depth == 1 && story->attempts[0].parent == 100);
    assert_true(story->attempts[2].depth == 2 && story->attempts[2].parent == 1);
    assert_true(story->attempts[2].number == 2 && story->attempts[2].place == 1);
    assert_true(story->attempts[2].sent == SEC);
    static const uint32_t whose[] = {STORM_NONE, 0, 0, 1, 1, 2, 0, STORM_NONE};
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(story->lines[i].attempt, whose[i]);
    assert_int_equal(story->end.fact.kind, STORM_FACT_SUCCEEDED);
    arena_free(&b.arena);
}

static void other_requests_and_their_attempts_are_not(void **state) {
    (void)state;
    struct bench b;
    bench_open(&b);
    tell(&b, FACT(BORN, .member = 2, .ordinal = 1, .key = 101));
    tell(&b, FACT(BORN, .member = 1, .ordinal = 2, .key = 102, .place = 1));
    tell(&b, FACT(SENT, .key = 1, .parent = 101));
    tell(&b, FACT(ARRIVED, .key = 1));
    tell(&b, FACT(SENT, .key = 2, .parent = 1));
    tell(&b, FACT(ARRIVED, .key = 1 + 8192)); /* the same place in any table of that size */
    tell(&b, FACT(DEAD, .member = 2, .ordinal = 1, .key = 101));
    tell(&b, FACT(OUTAGE, .key = 100));
    const struct storm_story *story = trace_story(b.trace);
    assert_true(story->line_count == 1 && story->attempt_count == 0 && !story->ended);
    arena_free(&b.arena);
}

/* Ghosts outlive the request: what they do is part of its story. */
static void what_comes_after_the_end_is_told_too(void **state) {
    (void)state;
    struct bench b;
    bench_open(&b);
    tell(&b, FACT(SENT, .key = 1, .parent = 100));
    tell(&b, FACT(GAVE_UP, .key = 1));
    tell(&b, FACT(DEAD, .member = 1, .ordinal = 2, .key = 100));
    tell(&b, FACT(STARTED, .key = 1, .ghost = true));
    tell(&b, FACT(SENT, .key = 5, .parent = 1));
    tell(&b, FACT(SENT, .key = 6, .parent = 5));
    assert_int_equal(trace_story(b.trace)->line_count, 7);
    assert_int_equal(trace_story(b.trace)->attempts[1].depth, 2);
    assert_int_equal(trace_story(b.trace)->attempts[2].depth, 3);
    arena_free(&b.arena);
}

static void a_story_too_long_is_cut_but_keeps_its_end(void **state) {
    (void)state;
    struct bench b;
    bench_open(&b);
    for (uint32_t i = 0; i < 2 * STORM_STORY_LINES_MAX; i++)
        tell(&b, FACT(SENT, .key = stream_mix64(i + 1), .parent = 100, .attempts = i + 1));
    tell(&b, FACT(DEAD, .member = 1, .ordinal = 2, .key = 100, .attempts = 7));
    const struct storm_story *story = trace_story(b.trace);
    assert_true(story->cut && story->ended && story->end.fact.attempts == 7);
    assert_int_equal(story->line_count, STORM_STORY_LINES_MAX);
    assert_int_equal(story->attempt_count, STORM_STORY_LINES_MAX - 1);
    arena_free(&b.arena);
}

/* The request is published twice, since the first answer is lost; each message is handed out, one
   of them twice. It is over when the last of the three is. */
static void messages_that_a_request_becomes_are_part_of_it(void **state) {
    (void)state;
    struct bench b;
    bench_open(&b);
    tell(&b, FACT(SENT, .key = 1, .parent = 100, .attempts = 1));
    tell(&b, FACT(BORN, .place = 2, .member = 1, .ordinal = 2, .key = 50, .parent = 1));
    tell(&b, FACT(BORN, .place = 2, .member = 1, .ordinal = 2, .key = 59, .origin = 1));
    tell(&b, FACT(SENT, .key = 2, .parent = 100, .attempts = 2));
    tell(&b, FACT(BORN, .place = 2, .member = 1, .ordinal = 2, .key = 60, .parent = 2));
    tell(&b, FACT(SUCCEEDED, .member = 1, .ordinal = 2, .key = 100));
    assert_false(trace_story(b.trace)->ended);
    tell(&b, FACT(DELIVERED, .place = 2, .member = 3, .key = 51, .parent = 50, .attempts = 1));
    tell(&b, FACT(SENT, .key = 9, .parent = 51, .attempts = 1));
    tell(&b, FACT(RETURNED, .place = 2, .key = 51, .parent = 50, .level = STORM_RETURN_LEASE));
    tell(&b, FACT(DELIVERED, .place = 2, .member = 4, .key = 52, .parent = 50, .attempts = 2));
    tell(&b, FACT(DELIVERED, .place = 2, .member = 4, .key = 99, .parent = 59, .attempts = 1));
    tell(&b, FACT(EFFECT, .key = 9, .parent = 100));
    tell(&b, FACT(SUCCEEDED, .place = 2, .member = 1, .ordinal = 2, .key = 50));
    tell(&b, FACT(DEAD, .place = 2, .member = 1, .ordinal = 2, .key = 60, .reason = 1));
    const struct storm_story *story = trace_story(b.trace);
    static const struct {
        uint32_t attempt, depth, kind, number;
    } expected[] = {{STORM_NONE, 0, 0, 0},           {0, 1, STORM_STORY_ATTEMPT, 1},
                    {1, 2, STORM_STORY_MESSAGE, 1},  {2, 1, STORM_STORY_ATTEMPT, 2},
                    {3, 2, STORM_STORY_MESSAGE, 2},  {STORM_NONE, 0, 0, 0},
                    {4, 3, STORM_STORY_DELIVERY, 1}, {5, 4, STORM_STORY_ATTEMPT, 1},
                    {4, 3, STORM_STORY_DELIVERY, 1}, {6, 3, STORM_STORY_DELIVERY, 2},
                    {5, 4, STORM_STORY_ATTEMPT, 1},  {1, 2, STORM_STORY_MESSAGE, 1},
                    {3, 2, STORM_STORY_MESSAGE, 2}};
    assert_int_equal(story->line_count, sizeof expected / sizeof expected[0]);
    for (uint32_t i = 0; i < story->line_count; i++) {
        uint32_t attempt = story->lines[i].attempt;
        assert_int_equal(attempt, expected[i].attempt);
        if (attempt == STORM_NONE)
            continue;
        assert_int_equal(story->attempts[attempt].depth, expected[i].depth);
        assert_int_equal(story->attempts[attempt].kind, expected[i].kind);
        assert_int_equal(story->attempts[attempt].number, expected[i].number);
    }
    assert_true(story->ended && story->end.attempt == 3);
    assert_int_equal(story->end.fact.kind, STORM_FACT_DEAD);
    arena_free(&b.arena);
}

/* What consumers have given up is followed from the clients on, whose request it was. */
static void a_dead_message_is_followed_as_its_clients_request(void **state) {
    (void)state;
    struct arena arena;
    arena_init(&arena, (size_t)16 << 20);
    struct trace *trace = trace_new(
        &arena, &scenario, &FACT(DEAD, .place = 2, .origin = 1, .member = 4, .ordinal = 5));
    assert_non_null(trace);
    assert_int_equal(trace_story(trace)->population, 1);
    /* a replay of a letter of an earlier run begins with the message */
    trace_hear(trace, &FACT(BORN, .place = 2, .origin = 1, .member = 4, .ordinal = 5, .key = 7,
                            .level = STORM_BIRTH_REPLAY));
    trace_hear(trace, &FACT(DELIVERED, .place = 2, .key = 8, .parent = 7, .attempts = 1));
    assert_true(trace_story(trace)->born && trace_story(trace)->line_count == 2);
    arena_free(&arena);
}

static void copies_of_the_request_go_on_with_its_story(void **state) {
    (void)state;
    struct bench b;
    bench_open(&b);
    tell(&b, FACT(SENT, .key = 1, .parent = 100, .attempts = 1));
    tell(&b, FACT(DEAD, .member = 1, .ordinal = 2, .key = 100, .reason = 1));
    assert_true(trace_story(b.trace)->ended);
    tell(&b, FACT(BORN, .member = 1, .ordinal = 2, .key = 200, .level = STORM_BIRTH_REPLAY));
    tell(&b, FACT(SENT, .key = 2, .parent = 200, .attempts = 1));
    assert_false(trace_story(b.trace)->ended);
    tell(&b, FACT(SUCCEEDED, .member = 1, .ordinal = 2, .key = 200, .level = 1));
    const struct storm_story *story = trace_story(b.trace);
    assert_true(story->ended && story->line_count == 6 && story->end.attempt == 1);
    assert_int_equal(story->attempts[1].kind, STORM_STORY_COPY);
    assert_true(story->attempts[1].depth == 0 && story->attempts[2].depth == 1);
    arena_free(&b.arena);
}

/* What was never sent has no line of its own: it is told of its caller. */
static void what_brakes_hold_back_is_told_of_the_caller(void **state) {
    (void)state;
    struct bench b;
    bench_open(&b);
    tell(&b, FACT(HELD_BACK, .key = 1, .parent = 100, .reason = STORM_REASON_BREAKER));
    tell(&b, FACT(HELD_BACK, .key = 1, .parent = 101, .reason = STORM_REASON_BREAKER));
    tell(&b, FACT(SENT, .key = 2, .parent = 100, .attempts = 2));
    tell(&b, FACT(HELD_BACK, .key = 2, .parent = 100, .reason = STORM_REASON_BUDGET));
    tell(&b, FACT(BANNED, .member = 1, .due = 30 * SEC));
    tell(&b, FACT(BANNED, .member = 2, .due = 30 * SEC));
    const struct storm_story *story = trace_story(b.trace);
    assert_int_equal(story->line_count, 5);
    assert_int_equal(story->lines[1].attempt, STORM_NONE);
    assert_int_equal(story->lines[3].attempt, 0);
    assert_int_equal(story->lines[4].fact.kind, STORM_FACT_BANNED);
    arena_free(&b.arena);
}

static struct trace_chooser choose(enum trace_choice choice, const struct storm_fact *facts,
                                   size_t count) {
    struct trace_chooser chooser = {.choice = choice};
    for (size_t i = 0; i < count; i++)
        trace_choose(&chooser, &facts[i]);
    return chooser;
}

static void the_request_with_the_most_to_tell_is_chosen(void **state) {
    (void)state;
    const struct storm_fact facts[] = {
        FACT(BORN, .member = 9, .attempts = 99),
        FACT(SUCCEEDED, .member = 0, .since = 0, .time = 1, .attempts = 1),
        FACT(SUCCEEDED, .member = 1, .since = 1, .time = 9, .attempts = 1),
        FACT(SUCCEEDED, .member = 2, .since = 7, .time = 10, .attempts = 3),
        FACT(SUCCEEDED, .member = 3, .since = 3, .time = 11, .attempts = 3),
        FACT(DEAD, .member = 4, .since = 10, .time = 12, .attempts = 8),
        FACT(DEAD, .member = 5, .since = 0, .time = 13, .attempts = 8),
        FACT(SUCCEEDED, .member = 6, .since = 10, .time = 14, .attempts = 1),
    };
    assert_int_equal(choose(TRACE_USUAL, facts, 8).chosen.member, 4);
    assert_int_equal(choose(TRACE_USUAL, facts, 5).chosen.member, 1);
    assert_int_equal(choose(TRACE_DEAD, facts, 8).chosen.member, 4);
    assert_int_equal(choose(TRACE_SLOW, facts, 8).chosen.member, 1);
    assert_int_equal(choose(TRACE_RETRIED, facts, 8).chosen.member, 2);
    assert_false(choose(TRACE_USUAL, facts, 1).found);
    assert_false(choose(TRACE_DEAD, facts, 5).found);
    assert_false(choose(TRACE_RETRIED, facts, 3).found);
}

/* Of the clients' breakers the member's own, of the services' those before what was called. */
static void breakers_of_the_request_are_told_while_it_lives(void **state) {
    (void)state;
    static struct storm_policy policies[] = {
        {.breaker = {.kind = STORM_BREAKER_COUNT, .scope = STORM_SCOPE_CLIENT}}};
    struct storm_scenario with = scenario;
    with.policies = policies;
    with.policy_count = 1;
    struct bench b;
    arena_init(&b.arena, (size_t)16 << 20);
    b.trace = trace_new(&b.arena, &with, &FACT(DEAD, .member = 1, .ordinal = 2));
    assert_non_null(b.trace);
    tell(&b, FACT(BREAKER, .parent = 1, .level = STORM_BREAKER_OPEN)); /* before its birth */
    tell(&b, FACT(BORN, .member = 1, .ordinal = 2, .key = 100));
    tell(&b, FACT(SENT, .key = 1, .parent = 100, .attempts = 1, .place = 4));
    tell(&b, FACT(BREAKER, .parent = 0));                             /* another client's */
    tell(&b, FACT(BREAKER, .parent = (uint64_t)1 << 32 | 1));         /* of others */
    tell(&b, FACT(BREAKER, .parent = (uint64_t)3 << 32, .place = 5)); /* before another service */
    assert_int_equal(trace_story(b.trace)->line_count, 2);
    tell(&b, FACT(BREAKER, .parent = 1, .level = STORM_BREAKER_OPEN));
    tell(&b, FACT(BREAKER, .parent = (uint64_t)3 << 32, .place = 4));
    assert_int_equal(trace_story(b.trace)->line_count, 4);
    assert_int_equal(trace_story(b.trace)->lines[2].attempt, STORM_NONE);
    arena_free(&b.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(breakers_of_the_request_are_told_while_it_lives),
        cmocka_unit_test(the_tree_below_the_request_is_followed),
        cmocka_unit_test(other_requests_and_their_attempts_are_not),
        cmocka_unit_test(what_comes_after_the_end_is_told_too),
        cmocka_unit_test(a_story_too_long_is_cut_but_keeps_its_end),
        cmocka_unit_test(messages_that_a_request_becomes_are_part_of_it),
        cmocka_unit_test(a_dead_message_is_followed_as_its_clients_request),
        cmocka_unit_test(copies_of_the_request_go_on_with_its_story),
        cmocka_unit_test(what_brakes_hold_back_is_told_of_the_caller),
        cmocka_unit_test(the_request_with_the_most_to_tell_is_chosen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
