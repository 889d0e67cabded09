/* test_slices.c: a window is drawn as slices that nest, and what does not fit is left out whole. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/slices.h"

#include <stdio.h>
#include <string.h>

#include <retrystorm/scenario.h>

#include "base/arena.h"
#include "record/window.h"
#include "support/test.h"

#define SEC STORM_SECOND
#define FACT(what, at, ...)                                                                        \
    ((struct storm_fact){.kind = STORM_FACT_##what, .time = (at)*SEC, __VA_ARGS__})

enum { DEPTH = 8, LANES = 8, PROCESSES = 3, STORY = 4096 };

static struct storm_population populations[] = {{.name = "web"}};
static struct storm_service services[] = {{.name = "api"}, {.name = "db"}};
static struct storm_fault faults[] = {{.at = 4 * SEC, .length = SEC}};
static const struct storm_scenario scenario = {.population_count = 1,
                                               .populations = populations,
                                               .service_count = 2,
                                               .services = services,
                                               .fault_count = 1,
                                               .faults = faults};

/* What was drawn: "B1.1request " for a beginning in lane 1 of process 1, "E1.1request " ... */
struct bench {
    struct arena arena;
    struct window *window;
    struct slices *slices;
    char story[STORY];
    const char *stack[PROCESSES][LANES][DEPTH];
    uint32_t depth[PROCESSES][LANES], count;
    storm_time now;
};

static const char *word_of(enum storm_slice_kind kind) {
    static const char *const words[] = {"request", "attempt",  "rest", "visit",  "queue", "service",
                                        "message", "delivery", "plan", "change", "level"};
    return words[kind];
}

static void draw(void *context, const struct storm_slice_event *event) {
    struct bench *b = context;
    static const char letters[] = "BEIsfC";
    const char *word = word_of(event->kind);
    uint32_t *depth = &b->depth[event->process][event->lane];
    size_t used = strlen(b->story);
    assert_true(event->time >= b->now && event->lane < LANES && event->process < PROCESSES);
    b->now = event->time;
    b->count += event->phase == STORM_SLICE_COUNTER ? 2 : 1;
    if (event->phase == STORM_SLICE_BEGIN) {
        assert_true(*depth < DEPTH && event->lane > 0);
        b->stack[event->process][event->lane][(*depth)++] = word;
    } else if (event->phase == STORM_SLICE_END) {
        assert_true(*depth > 0);
        word = b->stack[event->process][event->lane][--*depth];
    }
    if (event->phase != STORM_SLICE_COUNTER) {
        snprintf(b->story + used, STORY - used, "%c%u.%u%s ", letters[event->phase], event->process,
                 event->lane, word);
    }
}

static void bench_open(struct bench *b, int from, int to, uint64_t limit) {
    *b = (struct bench){.count = 0};
    struct storm_window plan = {.from = from * SEC,
                                .to = to * SEC,
                                .service = STORM_NONE,
                                .population = STORM_NONE,
                                .member = STORM_NONE,
                                .ordinal = STORM_NONE};
    arena_init(&b->arena, (size_t)64 << 20);
    b->window = window_new(&b->arena, &scenario, &plan);
    assert_non_null(b->window);
    b->slices =
        slices_new(&b->arena, &scenario, &plan, b->window, limit, (struct slices_drawer){draw, b});
    assert_non_null(b->slices);
    struct window_teller teller = slices_teller(b->slices);
    window_tell_to(b->window, &teller);
}

static void tell(struct bench *b, struct storm_fact fact) { window_hear(b->window, &fact); }

/* Ends the window; all that began must have ended. Returns how many events were left out. */
static uint64_t bench_close(struct bench *b, int end) {
    assert_true(window_finish(b->window, end * SEC));
    uint64_t left_out = slices_finish(b->slices, end * SEC);
    for (uint32_t process = 0; process < PROCESSES; process++) {
        for (uint32_t lane = 0; lane < LANES; lane++) {
            assert_int_equal(b->depth[process][lane], 0);
        }
    }
    arena_free(&b->arena);
    return left_out;
}

/* A request whose first attempt fails and whose second succeeds, through two services. */
static void tell_request(struct bench *b, int at) {
    tell(b, FACT(BORN, at, .key = 9));
    tell(b, FACT(SENT, at, .key = 1, .parent = 9, .attempts = 1));
    tell(b, FACT(ARRIVED, at, .key = 1));
    tell(b, FACT(QUEUED, at, .key = 1));
    tell(b, FACT(STARTED, at + 1, .key = 1, .queued = true));
    tell(b, FACT(SERVED, at + 2, .key = 1, .status = 500));
    tell(b, FACT(BACKED_OFF, at + 2, .key = 1, .attempts = 1));
    tell(b, FACT(SENT, at + 3, .key = 2, .parent = 9, .attempts = 2, .queued = true));
    tell(b, FACT(ARRIVED, at + 3, .key = 2));
    tell(b, FACT(STARTED, at + 3, .key = 2));
    tell(b, FACT(SENT, at + 3, .key = 3, .parent = 2, .attempts = 1, .place = 1));
    tell(b, FACT(ARRIVED, at + 3, .key = 3, .place = 1));
    tell(b, FACT(SERVED, at + 4, .key = 3, .place = 1, .status = 200));
    tell(b, FACT(SERVED, at + 4, .key = 2, .status = 200));
    tell(b, FACT(SUCCEEDED, at + 5, .key = 9));
}

static void a_request_is_slices_in_three_processes(void **state) {
    (void)state;
    struct bench b;
    bench_open(&b, 10, 20, 1000);
    tell_request(&b, 11);
    assert_int_equal(bench_close(&b, 20), 0);
    assert_string_equal(b.story,
                        "B0.1request B0.1attempt s0.1attempt B1.1visit f1.1attempt B1.1queue "
                        "E1.1queue B1.1service E1.1service E1.1visit E0.1attempt B0.1rest "
                        "E0.1rest B0.1attempt s0.1attempt B1.1visit f1.1attempt B1.1service "
                        "B1.1attempt s1.1attempt B2.1visit f2.1attempt E2.1visit E1.1attempt "
                        "E1.1service E1.1visit E0.1attempt E0.1request ");
}

static void what_is_under_way_begins_and_ends_with_the_window(void **state) {
    (void)state;
    struct bench b;
    bench_open(&b, 2, 4, 1000); /* served, then resting */
    tell_request(&b, 1);
    assert_int_equal(bench_close(&b, 10), 0);
    assert_string_equal(b.story, "B0.1request B0.1attempt B1.1visit B1.1queue E1.1queue "
                                 "B1.1service E1.1service E1.1visit E0.1attempt B0.1rest "
                                 "E0.1rest E0.1request ");
}

/* A hedge, and calls that are made at once, lie beside the first, not in it. */
static void steps_at_once_have_lanes_of_their_own(void **state) {
    (void)state;
    struct bench b;
    bench_open(&b, 0, 9, 1000);
    tell(&b, FACT(BORN, 0, .key = 9));
    tell(&b, FACT(SENT, 0, .key = 1, .parent = 9, .attempts = 1));
    tell(&b, FACT(SENT, 1, .key = 2, .parent = 9, .attempts = 2));
    tell(&b, FACT(BORN, 1, .key = 8));
    tell(&b, FACT(GAVE_UP, 2, .key = 1, .attempts = 1));
    tell(&b, FACT(SUCCEEDED, 3, .key = 9));
    assert_int_equal(bench_close(&b, 9), 0);
    assert_string_equal(b.story,
                        "B0.1request B0.1attempt s0.1attempt B0.2attempt s0.2attempt B0.3request "
                        "E0.1attempt E0.2attempt E0.1request I1.0plan I1.0plan E0.3request ");
}

/* Retries at once do not back off: the answer of the one before has come when the next is sent. */
static void an_answer_ends_the_attempt_when_the_next_is_sent(void **state) {
    (void)state;
    struct bench b;
    bench_open(&b, 0, 3, 1000);
    tell(&b, FACT(BORN, 0, .key = 9));
    for (uint64_t key = 1; key <= 2; key++) {
        tell(&b, FACT(SENT, 1, .key = key, .parent = 9, .attempts = (uint32_t)key));
        tell(&b, FACT(ARRIVED, 1, .key = key));
        tell(&b, FACT(REFUSED, 1, .key = key, .status = 503));
    }
    tell(&b, FACT(DEAD, 2, .key = 9));
    assert_int_equal(bench_close(&b, 3), 0);
    assert_string_equal(b.story, "B0.1request B0.1attempt s0.1attempt B1.1visit f1.1attempt "
                                 "E1.1visit E0.1attempt B0.1attempt s0.1attempt B1.1visit "
                                 "f1.1attempt E1.1visit E0.1attempt E0.1request ");
}

static void changes_and_the_plan_are_instants(void **state) {
    (void)state;
    struct bench b;
    bench_open(&b, 4, 9, 1000);
    tell(&b, FACT(OUTAGE, 3, .level = 1));
    tell(&b, FACT(OUTAGE, 4, .level = 1, .place = 1));
    tell(&b, FACT(BREAKER, 5, .level = STORM_BREAKER_OPEN, .place = 1)); /* of the clients' */
    assert_int_equal(bench_close(&b, 9), 0);
    assert_string_equal(b.story, "I1.0plan I2.0change I1.0plan I0.0change ");
}

static void no_more_is_drawn_than_the_limit_and_all_of_it_ends(void **state) {
    (void)state;
    struct bench all;
    bench_open(&all, 10, 20, 1000);
    tell_request(&all, 11);
    bench_close(&all, 20);
    for (uint64_t limit = 0; limit <= all.count; limit++) {
        struct bench b;
        bench_open(&b, 10, 20, limit);
        tell_request(&b, 11);
        uint64_t left_out = bench_close(&b, 20);
        assert_true(b.count <= limit);
        assert_true(left_out > 0 || b.count == all.count);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_is_slices_in_three_processes),
        cmocka_unit_test(what_is_under_way_begins_and_ends_with_the_window),
        cmocka_unit_test(steps_at_once_have_lanes_of_their_own),
        cmocka_unit_test(an_answer_ends_the_attempt_when_the_next_is_sent),
        cmocka_unit_test(changes_and_the_plan_are_instants),
        cmocka_unit_test(no_more_is_drawn_than_the_limit_and_all_of_it_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
