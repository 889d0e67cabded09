/* test_ticks.c: round numbers for axes. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/test.h"

#include <math.h>

#include <retrystorm/units.h>

#include "plots/ticks.h"
#include "plots/words.h"
#include "unit/plots/near.h"

static void the_scale_is_the_one_a_person_would_choose(void **state) {
    static const struct {
        double most, step;
        int intervals;
        const char *top;
    } rows[] = {{738, 200, 4, "800"},      {100, 25, 4, "100"}, {1, 0.25, 4, "1.00"},
                {45, 10, 5, "50"},         {4, 1, 4, "4"},      {2.1, 0.5, 5, "2.5"},
                {9800, 2500, 4, "10,000"}, {0, 1, 1, "1"},      {17e6, 5e6, 4, "20M"},
                {9.8e6, 2.5e6, 4, "10.0M"}};
    char label[WORDS_MAX];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ticks ticks = ticks_values(rows[i].most);
        assert_near(ticks.step, rows[i].step, 1e-9);
        assert_int_equal(ticks.intervals, rows[i].intervals);
        assert_string_equal(ticks_label(&ticks, ticks.intervals, label, sizeof label), rows[i].top);
        assert_string_equal(ticks_label(&ticks, 0, label, sizeof label), "0");
    }
    struct ticks millions = ticks_values(9.8e6); /* one unit all along the axis */
    assert_string_equal(ticks_label(&millions, 1, label, sizeof label), "2.5M");
    assert_string_equal(ticks_label(&millions, 2, label, sizeof label), "5.0M");
}

static void every_scale_covers_its_data_with_few_ticks_and_little_waste(void **state) {
    (void)state;
    for (double most = 1e-5; most < 1e13; most *= 1.0371) {
        struct ticks ticks = ticks_values(most);
        double top = ticks_top(&ticks);
        assert_true(top >= most * (1 - 1e-9));
        assert_true(top <= most * 1.6);
        assert_in_range(ticks.intervals, 2, 6);
    }
}

static void a_count_axis_has_whole_steps_and_the_intervals_of_the_other_axis(void **state) {
    (void)state;
    for (int intervals = 1; intervals <= 6; intervals++)
        for (double most = 0; most < 1e9; most = most * 1.7 + 1) {
            struct ticks ticks = ticks_counts(most, intervals);
            assert_int_equal(ticks.intervals, intervals);
            assert_true(ticks.step >= 1 && ticks.step == floor(ticks.step));
            assert_true(ticks_top(&ticks) >= most);
        }
    struct ticks mock = ticks_counts(6576, 4);
    assert_true(mock.step == 2000);
}

static void time_steps_come_from_the_ladder_of_the_clock(void **state) {
    static const struct {
        int64_t seconds;
        int most;
        int64_t step;
    } rows[] = {{240, 7, 60},  {240, 5, 60},      {60, 7, 10},        {5, 7, 1},
                {420, 7, 60},  {430, 7, 120},     {420, 5, 120},      {7200, 7, 1800},
                {600, 7, 120}, {86400, 7, 21600}, {864000, 7, 172800}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(ticks_time(rows[i].seconds * STORM_SECOND, rows[i].most),
                         rows[i].step * STORM_SECOND);
    assert_int_equal(ticks_time(3 * STORM_MILLISECOND, 7), 500 * STORM_MICROSECOND);
}

static void no_time_axis_has_more_ticks_than_asked_but_one_at_its_end(void **state) {
    (void)state;
    for (storm_time duration = 1; duration < STORM_NEVER / 4; duration = duration * 3 / 2 + 1) {
        storm_time step = ticks_time(duration, 7);
        assert_true(step > 0);
        assert_in_range(duration / step + 1, 1, duration % step == 0 ? 8 : 7);
    }
}

static void times_are_told_in_one_unit_that_stands_after_the_last(void **state) {
    static const struct {
        storm_time duration, step, time;
        const char *words, *last;
    } rows[] = {
        {240 * STORM_SECOND, 60 * STORM_SECOND, 0, "0", "0" WORDS_THIN "s"},
        {240 * STORM_SECOND, 60 * STORM_SECOND, 60 * STORM_SECOND, "60", "60" WORDS_THIN "s"},
        {2 * STORM_SECOND, STORM_SECOND / 2, STORM_SECOND, "1.0", "1.0" WORDS_THIN "s"},
        {STORM_SECOND / 2, STORM_SECOND / 10, STORM_SECOND / 10, "100", "100" WORDS_THIN "ms"},
        {1200 * STORM_SECOND, 300 * STORM_SECOND, 600 * STORM_SECOND, "10", "10" WORDS_THIN "min"},
        {86400 * STORM_SECOND, 21600 * STORM_SECOND, 43200 * STORM_SECOND, "12",
         "12" WORDS_THIN "h"}};
    char text[WORDS_MAX + 8];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ticks_clock clock = ticks_clock(rows[i].duration, rows[i].step);
        assert_string_equal(
            ticks_time_label(clock, rows[i].step, rows[i].time, false, text, sizeof text),
            rows[i].words);
        assert_string_equal(
            ticks_time_label(clock, rows[i].step, rows[i].time, true, text, sizeof text),
            rows[i].last);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_scale_is_the_one_a_person_would_choose),
        cmocka_unit_test(every_scale_covers_its_data_with_few_ticks_and_little_waste),
        cmocka_unit_test(a_count_axis_has_whole_steps_and_the_intervals_of_the_other_axis),
        cmocka_unit_test(time_steps_come_from_the_ladder_of_the_clock),
        cmocka_unit_test(no_time_axis_has_more_ticks_than_asked_but_one_at_its_end),
        cmocka_unit_test(times_are_told_in_one_unit_that_stands_after_the_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
