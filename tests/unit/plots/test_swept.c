/* test_swept.c: axes of a sweep: round ticks, one unit, cells by value, words as they come. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "plots/swept.h"
#include "plots/theme.h"
#include "plots/type.h"
#include "support/sample_sweep.h"
#include "unit/plots/near.h"

/* Reads the only axis of a grid, or of scattered points, and writes its ticks, parted by blanks. */
static struct arena arena;
static struct swept swept;
static struct storm_sweep *sweep;

static void read_axis(const struct sample_axis *axis, uint32_t scattered) {
    sweep = sample_sweep(axis, 1, scattered, 3, sample_wall);
    arena_init(&arena, 1 << 20);
    assert_true(swept_read(sweep, 0, &arena, &swept));
}

static void forget(void) {
    arena_free(&arena);
    sample_sweep_free(sweep);
}

static void assert_ticks(const struct sample_axis *axis, uint32_t scattered, double length,
                         bool is_upright, const char *expected) {
    struct swept_tick ticks[SWEPT_TICKS_MAX];
    char text[1024] = "";
    read_axis(axis, scattered);
    uint32_t count = swept_ticks(&swept, length, is_upright, ticks);
    for (uint32_t i = 0; i < count; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i > 0 ? " | " : "",
                 ticks[i].text);
    assert_string_equal(text, expected);
    forget();
}

static void cells_carry_short_labels_and_long_ones_give_way_to_round_numbers(void **state) {
    static const struct sample_axis even = {"a.b", "s", "s", false, 5, 45, 9, NULL};
    static const struct sample_axis by_ratios = {"a.b", "s", "s", true, 1, 60, 10, NULL};
    static const struct sample_axis shares = {"a.b", "share", "%", false, 0, 1, 8, NULL};
    static const struct sample_axis rates = {"a.b", "per s", "/s", false, 100, 400, 31, NULL};
    static const struct sample_axis wide = {"a.b", "", "", true, 1, 1e6, 19, NULL};
    static const struct sample_axis times = {"a.b", "s", "s", true, 0.1, 7200, 30, NULL};
    (void)state;
    assert_ticks(&even, 0, 400, true, "5 | 10 | 15 | 20 | 25 | 30 | 35 | 40 | 45" WORDS_THIN "s");
    assert_ticks(&by_ratios, 0, 800, false, "1 | 2 | 5 | 10 | 20 | 30 | 60" WORDS_THIN "s");
    assert_ticks(&shares, 0, 800, false, "0 | 20 | 40 | 60 | 80 | 100" WORDS_THIN "%");
    assert_ticks(&rates, 0, 400, true, "100 | 150 | 200 | 250 | 300 | 350 | 400/s");
    assert_ticks(&wide, 0, 800, false, "1 | 10 | 100 | 1,000 | 10,000 | 100,000 | 1,000,000");
    assert_ticks(&times, 0, 800, false,
                 "100" WORDS_THIN "ms | 300" WORDS_THIN "ms | 1" WORDS_THIN "s | 3" WORDS_THIN
                 "s | 10" WORDS_THIN "s | 60" WORDS_THIN "s | 10" WORDS_THIN "min | 1" WORDS_THIN
                 "h");
}

static void scattered_numbers_have_round_ticks(void **state) {
    static const struct sample_axis axis = {"a.b", "s", "s", true, 2, 120, 0, NULL};
    (void)state;
    assert_ticks(&axis, 200, 800, false, "2 | 5 | 10 | 20 | 30 | 60 | 120" WORDS_THIN "s");
}

static void counts_have_no_ticks_between_whole_numbers(void **state) {
    static const struct sample_axis counts = {"a.b", "", "", false, 1, 3, 0, NULL};
    static const struct sample_axis times = {"a.b", "s", "s", false, 1, 3, 0, NULL};
    (void)state;
    read_axis(&counts, 40);
    assert_false(swept.is_whole);
    for (uint32_t i = 0; i < 40; i++)
        ((double *)sweep->points[i].numbers)[0] = 1 + i % 3;
    assert_true(swept_read(sweep, 0, &arena, &swept));
    struct swept_tick ticks[SWEPT_TICKS_MAX];
    assert_int_equal(swept_ticks(&swept, 800, false, ticks), 3);
    assert_string_equal(ticks[0].text, "1");
    assert_string_equal(ticks[1].text, "2");
    assert_string_equal(ticks[2].text, "3");
    forget();
    read_axis(&times, 40);
    for (uint32_t i = 0; i < 40; i++)
        ((double *)sweep->points[i].numbers)[0] = 1 + i % 3;
    assert_true(swept_read(sweep, 0, &arena, &swept));
    assert_int_equal(swept_ticks(&swept, 1600, false, ticks), 5);
    assert_string_equal(ticks[1].text, "1.5"); /* seconds may be parted */
    forget();
}

static void no_two_labels_touch_and_all_stand_on_the_axis(void **state) {
    static const char *const suffixes[] = {"s", "/s", "", "%"};
    static const char *const units[] = {"s", "per s", "", "share"};
    (void)state;
    for (uint32_t i = 0; i < 400; i++) {
        struct sample_axis axis = {.path = "a.b",
                                   .unit = units[i % 4],
                                   .suffix = suffixes[i % 4],
                                   .is_log = i % 3 > 0,
                                   .from = 0.01 * (1 + i % 7),
                                   .count = 2 + i % 50};
        axis.to = axis.from * (2 + (i % 9) * (i % 9) * (i % 9) * 30.0);
        struct swept_tick ticks[SWEPT_TICKS_MAX];
        bool is_upright = i % 2 == 0;
        double length = 200 + 60.0 * (i % 11), end = -1e9;
        read_axis(&axis, i % 5 == 0 ? 20 : 0);
        uint32_t count = swept_ticks(&swept, length, is_upright, ticks);
        if (count < 2)
            fail_msg("%u ticks (case %u)", count, i);
        for (uint32_t j = 0; j < count; j++) {
            double half = is_upright ? 6 : type_width(FONT_TICK, ticks[j].text) / 2;
            assert_true(ticks[j].at > -1e-9 && ticks[j].at < 1 + 1e-9);
            if (ticks[j].at * length - half <= end)
                fail_msg("\"%s\" touches its neighbour (case %u)", ticks[j].text, i);
            end = ticks[j].at * length + half;
        }
        forget();
    }
}

static void cells_are_as_wide_as_their_values_are_apart_or_else_all_alike(void **state) {
    static const struct sample_axis by_ratios = {"a.b", "", "", true, 1, 16, 5, NULL};
    (void)state;
    read_axis(&by_ratios, 0); /* 1 2 4 8 16 */
    assert_int_equal(swept.scale, SWEPT_RATIOS);
    for (uint32_t i = 0; i < 5; i++) {
        assert_near(swept.edges[i], i / 5.0, 1e-12);
        assert_near(swept_at(&swept, swept.numbers[i]), swept.centres[i], 1e-12);
    }
    assert_near(swept_at(&swept, sqrt(2)), 0.2, 1e-12); /* midway between 1 and 2 by ratio */
    forget();
    read_axis(&by_ratios, 0);
    double *numbers = (double *)sweep->axes[0].numbers;
    const double odd[] = {100, 0, 1, 50, 2}; /* nothing fits, and they come as they like */
    memcpy(numbers, odd, sizeof odd);
    assert_true(swept_read(sweep, 0, &arena, &swept));
    assert_int_equal(swept.scale, SWEPT_SIDE_BY_SIDE);
    for (uint32_t i = 0; i < 5; i++)
        assert_near(swept.centres[i], (i + 0.5) / 5, 1e-12);
    assert_int_equal(swept.order[0], 1);
    assert_int_equal(swept.order[4], 0);
    assert_near(swept_at(&swept, 26), 0.6, 1e-12); /* midway between 2 and 50 */
    forget();
}

static void words_stand_in_the_order_given_scattered_ones_as_they_come(void **state) {
    static const char *const words[] = {"none", "full", "equal"};
    static const struct sample_axis axis = {"policies.app.delay", NULL, "", false, 0, 0, 3, words};
    (void)state;
    assert_ticks(&axis, 0, 600, false, "none | full | equal");
    read_axis(&axis, 40);
    assert_int_equal(swept.count, 3);
    for (uint32_t i = 0; i < 40; i++) {
        double at = swept_place(&swept, &sweep->points[i]);
        assert_string_equal(swept.labels[(uint32_t)(at * 3)], sweep->points[i].labels[0]);
    }
    forget();
}

static void settings_are_called_what_people_call_them(void **state) {
    static const struct {
        const char *path, *label, *bound, *phrase;
    } rows[] = {{"policies.app.cap", "8s", "or more", "a cap of 8" WORDS_THIN "s or more"},
                {"policies.app.attempts", "4", "or fewer", "4 or fewer attempts"},
                {"policies.app.attempts", "1", "", "1 attempt"},
                {"policies.app.attempts", "1", "or more", "1 or more attempts"},
                {"faults.0.for", "20s", "", "a fault of 20" WORDS_THIN "s"},
                {"clients.web.arrivals.poisson", "280/s", "", "arrivals of 280/s"},
                {"services.db.queue.limit", "100", "or less", "a queue limit of 100 or less"},
                {"policies.app.jitter_low", "0.5", "or less", "jitter low 0.5 or less"},
                {"variant", "gentle", "", "variant gentle"}};
    char text[SWEPT_TEXT_MAX];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct sample_axis axis = {rows[i].path, "s", "s", false, 1, 2, 2, NULL};
        read_axis(&axis, 0);
        assert_string_equal(swept_phrase(&swept, rows[i].label, rows[i].bound, text, sizeof text),
                            rows[i].phrase);
        forget();
    }
}

static void expect_nouns(const char *one, const char *other, const char *noun, const char *next) {
    struct sample_axis axes[] = {{one, "s", "s", false, 1, 2, 2, NULL},
                                 {other, "s", "s", false, 1, 2, 2, NULL}};
    struct storm_sweep *both = sample_sweep(axes, 2, 0, 3, sample_wall);
    struct swept a, b;
    arena_init(&arena, 1 << 20);
    assert_true(swept_read(both, 0, &arena, &a) && swept_read(both, 1, &arena, &b));
    swept_tell_apart(&a, &b);
    assert_string_equal(a.noun, noun);
    assert_string_equal(b.noun, next);
    arena_free(&arena);
    sample_sweep_free(both);
}

static void two_axes_of_one_noun_are_told_apart(void **state) {
    (void)state;
    expect_nouns("policies.app.cap", "policies.db.cap", "app cap", "db cap");
    expect_nouns("policies.app.cap", "policies.app.base", "cap", "base delay");
    expect_nouns("clients.web.arrivals.poisson", "clients.tv.arrivals.poisson", "web arrivals",
                 "tv arrivals");
    expect_nouns("clients.web.arrivals.poisson", "clients.web.arrivals.even", "poisson arrivals",
                 "even arrivals");
    expect_nouns("policies.app.hedge.cap", "policies.app.retry.cap", "hedge cap", "retry cap");
    expect_nouns("duration", "faults.0.duration", "duration", "0 duration");
}

static void an_axis_that_is_told_apart_says_so_in_its_values(void **state) {
    static const struct sample_axis axes[] = {{"policies.app.cap", "s", "s", false, 1, 2, 2, NULL},
                                              {"policies.db.cap", "s", "s", false, 1, 2, 2, NULL}};
    struct storm_sweep *both = sample_sweep(axes, 2, 0, 3, sample_wall);
    struct swept a, b;
    char text[SWEPT_TEXT_MAX];
    (void)state;
    arena_init(&arena, 1 << 20);
    assert_true(swept_read(both, 0, &arena, &a) && swept_read(both, 1, &arena, &b));
    swept_tell_apart(&a, &b);
    assert_string_equal(swept_phrase(&b, "2s", "", text, sizeof text), "db cap 2" WORDS_THIN "s");
    arena_free(&arena);
    sample_sweep_free(both);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_carry_short_labels_and_long_ones_give_way_to_round_numbers),
        cmocka_unit_test(scattered_numbers_have_round_ticks),
        cmocka_unit_test(counts_have_no_ticks_between_whole_numbers),
        cmocka_unit_test(no_two_labels_touch_and_all_stand_on_the_axis),
        cmocka_unit_test(cells_are_as_wide_as_their_values_are_apart_or_else_all_alike),
        cmocka_unit_test(words_stand_in_the_order_given_scattered_ones_as_they_come),
        cmocka_unit_test(settings_are_called_what_people_call_them),
        cmocka_unit_test(two_axes_of_one_noun_are_told_apart),
        cmocka_unit_test(an_axis_that_is_told_apart_says_so_in_its_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
