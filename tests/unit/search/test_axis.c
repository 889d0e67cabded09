/* test_axis.c: what is varied, read from one line of text. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "search/axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "support/test.h"

/* "kind from..to: text text ..." of an axis, or "error: message | suggestion". */
static const char *told(const char *text) {
    static const char *const kinds[] = {"words",  "duration", "rate", "share",
                                        "factor", "number",   "whole"};
    static char buffer[4000];
    struct arena arena;
    struct axis axis;
    struct storm_error error = {0};
    arena_init(&arena, 1 << 20);
    if (!axis_parse(text, &arena, &axis, &error)) {
        assert_int_equal(error.status, STORM_USAGE);
        assert_true(error.suggestion[0] != '\0');
        snprintf(buffer, sizeof buffer, "error: %s", error.message);
        arena_free(&arena);
        return buffer;
    }
    int used =
        snprintf(buffer, sizeof buffer, "%s %s %g..%g%s%s:", axis.path, kinds[axis.kind], axis.from,
                 axis.to, axis.is_range ? "" : " listed", axis.is_log ? " log" : "");
    for (uint32_t i = 0; i < axis.count; i++) {
        double number;
        enum axis_kind kind = axis_number(axis.values[i].text, &number);
        used += snprintf(buffer + used, sizeof buffer - (size_t)used, " %s", axis.values[i].text);
        if (axis.kind != AXIS_WORDS) { /* what is printed is what is run */
            assert_true(kind != AXIS_WORDS && axis.values[i].number == number);
        } else {
            assert_true(isnan(axis.values[i].number));
        }
    }
    arena_free(&arena);
    return buffer;
}

static void a_range_has_its_steps_with_four_digits(void **state) {
    (void)state;
    assert_string_equal(told("p.cap=1s..60s/log/10"),
                        "p.cap duration 1..60 log: 1s 1.576s 2.484s 3.915s 6.17s 9.724s 15.33s "
                        "24.15s 38.07s 60s");
    assert_string_equal(told("p=0s..3m/4"), "p duration 0..180: 0s 60s 2m 3m");
    assert_string_equal(told("p=1us..1ms/log/4"),
                        "p duration 1e-06..0.001 log: 1us 10us 100us 1ms");
    assert_string_equal(told("p=100/s..300/s/5"), "p rate 100..300: 100/s 150/s 200/s 250/s 300/s");
    assert_string_equal(told("p=1/h..4/h/2"),
                        "p rate 0.000277778..0.00111111: 0.000277777777777778/s "
                        "0.00111111111111111/s");
    assert_string_equal(told("p=10%..99%/3"), "p share 0.1..0.99: 10% 54.5% 99%");
    assert_string_equal(told("p=1..4x/4"), "p factor 1..4: 1x 2x 3x 4x");
    assert_string_equal(told("p=2.0..3.0/3"), "p number 2..3: 2 2.5 3");
    assert_string_equal(told("p=1..7.5/4"), "p number 1..7.5: 1 3.167 5.333 7.5");
}

static void whole_ends_make_whole_steps_that_are_there_once(void **state) {
    (void)state;
    assert_string_equal(told("p=1..5/10"), "p whole 1..5: 1 2 3 4 5");
    assert_string_equal(told("p=10..1k/log/3"), "p whole 10..1000 log: 10 100 1000");
    assert_string_equal(told("p=12345..99999/4"), "p whole 12345..99999: 12345 41563 70781 99999");
}

/* Rounding to four digits would leave the range at both ends. */
static void the_ends_are_as_they_were_written(void **state) {
    (void)state;
    assert_string_equal(told("p=1.00049s..1.00051s/3"),
                        "p duration 1.00049..1.00051: 1.00049s 1.00051s");
    assert_string_equal(told("p=123456/s..123457/s/2"), "p rate 123456..123457: 123456/s 123457/s");
}

static void a_range_without_steps_may_be_stepped_by_others(void **state) {
    (void)state;
    struct arena arena;
    struct axis axis;
    struct storm_error error;
    arena_init(&arena, 1 << 20);
    assert_true(axis_parse("p=1s..100s/log", &arena, &axis, &error));
    assert_true(axis.is_range && axis.is_log && axis.count == 0);
    assert_string_equal(axis_at(&axis, 0, &arena).text, "1s");
    assert_string_equal(axis_at(&axis, .25, &arena).text, "3.162s");
    assert_string_equal(axis_at(&axis, .5, &arena).text, "10s");
    assert_string_equal(axis_at(&axis, 1, &arena).text, "100s");
    assert_string_equal(axis_print(AXIS_SHARE, .123456, &arena).text, "12.35%");
    assert_string_equal(axis_print(AXIS_RATE, 1234.56, &arena).text, "1235/s");
    assert_string_equal(axis_print(AXIS_RATE, .00123456, &arena).text, "0.001235/s");
    assert_string_equal(axis_print(AXIS_WHOLE, 41.5, &arena).text, "42");
    assert_string_equal(axis_print(AXIS_DURATION, 0, &arena).text, "0s");
    arena_free(&arena);
}

static void values_are_listed_as_they_are(void **state) {
    (void)state;
    assert_string_equal(told("p=5,10,20"), "p whole 5..20 listed: 5 10 20");
    assert_string_equal(told("p=2m,30s"), "p duration 30..120 listed: 2m 30s");
    assert_string_equal(told("p=fifo,lifo"), "p words nan..nan listed: fifo lifo");
    assert_string_equal(told("p=1s,none"), "p words nan..nan listed: 1s none");
    assert_string_equal(told("variant=calm,5"), "variant words nan..nan listed: calm 5");
    assert_string_equal(told("p={exponential: 5ms, plus: 1ms},'a,b'"),
                        "p words nan..nan listed: {exponential: 5ms, plus: 1ms} 'a,b'");
    assert_string_equal(told("p=../a.csv,b.csv"), "p words nan..nan listed: ../a.csv b.csv");
    assert_string_equal(told("p.cap"), "p.cap words nan..nan listed:");
}

static void what_is_wrong_is_said(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"", "a path is missing"},
        {"=1..2", "a path is missing"},
        {"p=", "a value of the list is empty"},
        {"p=1,,2", "a value of the list is empty"},
        {"p=1,2,1", "'1' is listed twice"},
        {"p=1s,1000ms", "'1000ms' is listed twice"},
        {"p=1s..", "the ends of a range are two numbers with their units"},
        {"p=1s..5parsecs", "the ends of a range are two numbers with their units"},
        {"p=1s..5", "one end is a duration, the other a whole number"},
        {"p=5s..1s", "a range goes from its smaller end to its greater one"},
        {"p=5s..5s", "a range goes from its smaller end to its greater one"},
        {"p=0s..5s/log/3", "steps by ratios cannot begin at 0"},
        {"p=1s..5s/1", "a range has from 2 to 10000 steps"},
        {"p=1s..5s/10001", "a range has from 2 to 10000 steps"},
        {"p=1s..60s/lg/3", "'lg' (column 11) is neither 'log' nor"},
        {"p=100/s..300/s/lin/3", "'lin' (column 16) is neither 'log' nor"},
        {"p=1..60/10/log", "'10' (column 9) is neither 'log' nor"},
        {"p=1..60/log/x", "'x' (column 13) is neither 'log' nor"},
        {"p=1..60/", "'' (column 9) is neither 'log' nor"},
        {"p=1..60/log/", "'' (column 13) is neither 'log' nor"},
        {"a..1/b=1s..60s/lg/3", "'lg' (column 16) is neither 'log' nor"},
        {"seed=1,2", "all points have one seed"},
        {"seed", "all points have one seed"},
        {"runs=5..50/3", "all points have as many runs"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *answer = told(cases[i][0]);
        if (strstr(answer, cases[i][1]) == NULL) {
            print_error("'%s': %s\n", cases[i][0], answer);
        }
        assert_non_null(strstr(answer, cases[i][1]));
    }
}

static void without_memory_it_says_so(void **state) {
    (void)state;
    struct arena arena;
    struct axis axis;
    for (size_t limit = 0; limit < 3000; limit += 100) {
        struct storm_error error = {0};
        arena_init(&arena, limit);
        if (!axis_parse("policies.app.cap=1s..60s/log/100", &arena, &axis, &error)) {
            assert_int_equal(error.status, STORM_LIMIT);
        }
        arena_free(&arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_range_has_its_steps_with_four_digits),
        cmocka_unit_test(whole_ends_make_whole_steps_that_are_there_once),
        cmocka_unit_test(the_ends_are_as_they_were_written),
        cmocka_unit_test(a_range_without_steps_may_be_stepped_by_others),
        cmocka_unit_test(values_are_listed_as_they_are),
        cmocka_unit_test(what_is_wrong_is_said),
        cmocka_unit_test(without_memory_it_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
