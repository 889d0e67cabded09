/* test_limit.c: the limit of curves that are known is found, and what cannot be told is said. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "search/limit.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/stream.h"
#include "support/test.h"

/* A system whose run k comes back at values between `low` and `high`, each moved by luck. */
struct curve {
    double low, high;
    double spread;     /* of the luck, in the value's unit; 0: none, and the runs are alike */
    double refused_at; /* from there on the scenario has no such value; 0: nowhere */
    uint64_t seed;
    uint32_t fails_after; /* calls; 0: never */
    uint32_t calls, most; /* the most runs that were asked for */
};

static const struct measure recovers = {"recovers", "share", STORM_BETTER_HIGHER, true};

static enum limit_reply live(void *context, const struct axis_value *value, uint32_t runs,
                             double *values, bool *is_alike, struct storm_error *error) {
    struct curve *curve = context;
    curve->calls++;
    curve->most = runs > curve->most ? runs : curve->most;
    if (curve->fails_after > 0 && curve->calls > curve->fails_after) {
        storm_fail(error, STORM_INTERRUPTED, "interrupted");
        return LIMIT_FAILED;
    }
    if (curve->refused_at > 0 && value->number >= curve->refused_at) {
        return LIMIT_REFUSED;
    }
    for (uint32_t k = 0; k < runs; k++) {
        double luck = curve->spread * (stream_uniform(curve->seed, STREAM_SERVICE, k) - .5);
        values[k] = value->number >= curve->low + luck && value->number < curve->high + luck;
    }
    *is_alike = curve->spread == 0 && runs > 1;
    return LIMIT_RUNS;
}

/* One search. */
struct hunt {
    struct arena arena;
    struct storm_limit limit;
    struct storm_error error;
    bool done;
};

static void look(struct hunt *hunt, struct curve *curve, const char *vary, double start,
                 const char *until, uint32_t runs_max) {
    struct axis axis;
    struct limit_plan plan = {.axis = &axis,
                              .kind = AXIS_RATE,
                              .start = start,
                              .measure = recovers,
                              .precision = .02,
                              .runs = 2,
                              .runs_max = runs_max};
    struct limit_source source = {live, curve};
    *hunt = (struct hunt){.done = false};
    arena_init(&hunt->arena, 1 << 24);
    assert_true(axis_parse(vary, &hunt->arena, &axis, &hunt->error));
    assert_true(criterion_parse(until, &plan.criterion, &hunt->error));
    plan.kind = axis.is_range ? axis.kind : AXIS_RATE;
    hunt->done = limit_find(&plan, &source, &hunt->arena, &hunt->limit, &hunt->error);
}

static const struct storm_limit_reading *before(const struct hunt *hunt) {
    return &hunt->limit.readings[hunt->limit.before];
}

static const struct storm_limit_reading *beyond(const struct hunt *hunt) {
    return &hunt->limit.readings[hunt->limit.beyond];
}

static void a_step_is_enclosed_as_narrowly_as_was_asked(void **state) {
    (void)state;
    static const char *const ways[] = {"rate", "rate=20/s..400/s", "rate=1/s..4000/s/log"};
    for (size_t i = 0; i < 3; i++) {
        struct curve curve = {.high = 150};
        struct hunt hunt;
        look(&hunt, &curve, ways[i], 280, "recovers < 99%", 100);
        assert_true(hunt.done && hunt.limit.end == STORM_LIMIT_FOUND);
        assert_true(before(&hunt)->number < 150 && beyond(&hunt)->number >= 150);
        assert_true(beyond(&hunt)->number - before(&hunt)->number <= .02 * beyond(&hunt)->number);
        assert_true(before(&hunt)->evidence.is_proven && before(&hunt)->evidence.is_alike);
        assert_int_equal(curve.most, 2);
        assert_int_equal(hunt.limit.changes, 1);
        arena_free(&hunt.arena);
    }
}

/* Values too small for the system: it comes back above 150 only. */
static void the_direction_is_found(void **state) {
    (void)state;
    struct curve curve = {.low = 150, .high = 1e9};
    struct hunt hunt;
    look(&hunt, &curve, "rate", 20, "recovers < 99%", 100);
    assert_true(hunt.done && hunt.limit.end == STORM_LIMIT_FOUND);
    assert_true(beyond(&hunt)->number < 150 && before(&hunt)->number >= 150);
    arena_free(&hunt.arena);
}

static void what_never_changes_is_said_with_what_was_tried(void **state) {
    (void)state;
    struct curve curve = {.high = 1e9};
    struct hunt hunt;
    look(&hunt, &curve, "rate", 20, "recovers < 99%", 100);
    assert_true(hunt.done && hunt.limit.end == STORM_LIMIT_NEVER);
    assert_int_equal(hunt.limit.reading_count, 21);
    assert_true(hunt.limit.readings[0].number < .02 && hunt.limit.readings[20].number > 20000);
    arena_free(&hunt.arena);
    look(&hunt, &curve, "rate=10/s..20/s", 0, "recovers < 99%", 100);
    assert_true(hunt.done && hunt.limit.end == STORM_LIMIT_NEVER);
    assert_int_equal(hunt.limit.reading_count, 9);
    arena_free(&hunt.arena);
}

static void a_value_that_the_scenario_cannot_have_ends_the_way_there(void **state) {
    (void)state;
    struct curve curve = {.high = 1e9, .refused_at = 100};
    struct hunt hunt;
    look(&hunt, &curve, "rate", 20, "recovers < 99%", 100);
    assert_true(hunt.done && hunt.limit.end == STORM_LIMIT_NEVER);
    assert_int_equal(hunt.limit.reading_count, 14);
    assert_true(hunt.limit.readings[13].is_refused && hunt.limit.readings[13].number == 160);
    arena_free(&hunt.arena);
}

/* It comes back between 100 and 150 only: both limits are there, and that is said. */
static void a_criterion_that_changes_twice_is_noticed(void **state) {
    (void)state;
    struct curve curve = {.low = 100, .high = 150};
    struct hunt hunt;
    look(&hunt, &curve, "rate", 110, "recovers < 99%", 100);
    assert_true(hunt.done && hunt.limit.end == STORM_LIMIT_FOUND);
    assert_true(before(&hunt)->number < 150 && beyond(&hunt)->number >= 150);
    assert_int_equal(hunt.limit.changes, 2);
    arena_free(&hunt.arena);
    look(&hunt, &curve, "rate=10/s..250/s", 0, "recovers < 99%", 100);
    assert_true(hunt.done && hunt.limit.end == STORM_LIMIT_FOUND && hunt.limit.changes == 2);
    arena_free(&hunt.arena);
}

/* The share is 99 % at 150 - .49 x 40 = 130.4, and a half at 150. */
static void random_limits_are_enclosed_in_nearly_all_searches(void **state) {
    (void)state;
    static const struct {
        const char *until;
        double truth;
    } cases[] = {{"recovers < 50%", 150}, {"recovers < 80%", 138}};
    for (size_t i = 0; i < 2; i++) {
        uint32_t seen = 0, proven = 0;
        for (uint64_t seed = 1; seed <= 100; seed++) {
            struct curve curve = {.high = 150, .spread = 40, .seed = stream_mix64(seed)};
            struct hunt hunt;
            look(&hunt, &curve, "rate=100/s..300/s", 0, cases[i].until, 400);
            assert_true(hunt.done && hunt.limit.end == STORM_LIMIT_FOUND);
            /* What is seen only may be off by what 400 runs can see: four times a share of .025
               of 40. */
            seen += before(&hunt)->number - 4 <= cases[i].truth &&
                    cases[i].truth <= beyond(&hunt)->number + 4;
            const struct storm_limit_reading *low = &hunt.limit.readings[hunt.limit.sure_before];
            const struct storm_limit_reading *high = &hunt.limit.readings[hunt.limit.sure_beyond];
            proven += low->number <= cases[i].truth && cases[i].truth <= high->number;
            arena_free(&hunt.arena);
        }
        print_message("%s: %u of 100 proven intervals hold the limit, %u of those seen\n",
                      cases[i].until, proven, seen);
        assert_true(proven >= 95 && seen >= 95);
    }
}

static void what_the_last_run_does_not_prove_is_not_called_proven(void **state) {
    (void)state;
    struct curve curve = {.high = 150, .spread = 40, .seed = 5};
    struct hunt hunt;
    look(&hunt, &curve, "rate=100/s..300/s", 0, "recovers < 99%", 100);
    assert_true(hunt.done && hunt.limit.end == STORM_LIMIT_FOUND);
    assert_false(before(&hunt)->evidence.is_proven); /* .99^100 is .37 */
    assert_int_equal(hunt.limit.sure_before, STORM_LIMIT_NONE);
    assert_true(hunt.limit.sure_beyond >= hunt.limit.beyond);
    assert_int_equal(before(&hunt)->evidence.runs, 100);
    assert_true(hunt.limit.readings[hunt.limit.reading_count - 1].evidence.runs == 2);
    arena_free(&hunt.arena);
}

static void a_search_that_is_stopped_keeps_what_it_has_read(void **state) {
    (void)state;
    struct curve curve = {.high = 150, .fails_after = 4};
    struct hunt hunt;
    look(&hunt, &curve, "rate", 280, "recovers < 99%", 100);
    assert_false(hunt.done);
    assert_int_equal(hunt.error.status, STORM_INTERRUPTED);
    assert_int_equal(hunt.limit.end, STORM_LIMIT_STOPPED);
    assert_int_equal(hunt.limit.reading_count, 4);
    assert_true(before(&hunt)->number < 150 && beyond(&hunt)->number >= 150);
    arena_free(&hunt.arena);
}

static void whole_numbers_end_at_neighbours(void **state) {
    (void)state;
    struct curve curve = {.high = 7.5};
    struct hunt hunt;
    look(&hunt, &curve, "attempts=1..100", 0, "recovers < 99%", 100);
    assert_true(hunt.done && hunt.limit.end == STORM_LIMIT_FOUND);
    assert_string_equal(before(&hunt)->label, "7");
    assert_string_equal(beyond(&hunt)->label, "8");
    arena_free(&hunt.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_is_enclosed_as_narrowly_as_was_asked),
        cmocka_unit_test(the_direction_is_found),
        cmocka_unit_test(what_never_changes_is_said_with_what_was_tried),
        cmocka_unit_test(a_value_that_the_scenario_cannot_have_ends_the_way_there),
        cmocka_unit_test(a_criterion_that_changes_twice_is_noticed),
        cmocka_unit_test(random_limits_are_enclosed_in_nearly_all_searches),
        cmocka_unit_test(what_the_last_run_does_not_prove_is_not_called_proven),
        cmocka_unit_test(a_search_that_is_stopped_keeps_what_it_has_read),
        cmocka_unit_test(whole_numbers_end_at_neighbours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
