/* test_words.c: numbers and durations as a chart writes them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/test.h"

#include <retrystorm/units.h>

#include "plots/words.h"

#define THIN WORDS_THIN

static void fixed_numbers_round_and_keep_their_zeros(void **state) {
    char text[WORDS_MAX];
    (void)state;
    assert_string_equal(words_fixed(3.5, 2, text, sizeof text), "3.50");
    assert_string_equal(words_fixed(0.25, 1, text, sizeof text), "0.3");
    assert_string_equal(words_fixed(-1.26, 1, text, sizeof text), "-1.3");
    assert_string_equal(words_fixed(1e300, 0, text, sizeof text), "1000000000000");
}

static void coordinates_have_one_decimal_at_most_and_no_negative_zero(void **state) {
    char text[WORDS_MAX];
    (void)state;
    assert_string_equal(words_tenth(74, text, sizeof text), "74");
    assert_string_equal(words_tenth(391.94, text, sizeof text), "391.9");
    assert_string_equal(words_tenth(-0.04, text, sizeof text), "0");
    assert_string_equal(words_tenth(-100, text, sizeof text), "-100");
}

static void thousands_get_commas_and_millions_a_letter(void **state) {
    static const struct {
        double value;
        int decimals;
        const char *text;
    } rows[] = {
        {0, 0, "0"},          {999, 0, "999"},  {1000, 0, "1,000"},        {6576, 0, "6,576"},
        {0.25, 2, "0.25"},    {2.50, 2, "2.5"}, {1234567, 0, "1,234,567"}, {12345678, 0, "12.3M"},
        {-4321, 0, "-4,321"}, {45e9, 0, "45G"}, {1234.5, 1, "1,234.5"},    {-0.2, 0, "0"}};
    char text[WORDS_MAX];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_string_equal(words_number(rows[i].value, rows[i].decimals, text, sizeof text),
                            rows[i].text);
}

static void figures_have_three_digits_or_are_whole(void **state) {
    char text[WORDS_MAX];
    (void)state;
    assert_string_equal(words_figure(0.254, text, sizeof text), "0.25");
    assert_string_equal(words_figure(5.75, text, sizeof text), "5.75");
    assert_string_equal(words_figure(45.04, text, sizeof text), "45");
    assert_string_equal(words_figure(99.96, text, sizeof text), "100");
    assert_string_equal(words_figure(1233.6, text, sizeof text), "1,234");
    assert_string_equal(words_figure(5549347, text, sizeof text), "5.5M");
    assert_string_equal(words_figure(2e9, text, sizeof text), "2,000M");
}

static void factors_keep_one_decimal_until_they_are_large(void **state) {
    char text[WORDS_MAX];
    (void)state;
    assert_string_equal(words_factor(5, text, sizeof text), "5.0");
    assert_string_equal(words_factor(36.86, text, sizeof text), "36.9");
    assert_string_equal(words_factor(99.96, text, sizeof text), "100");
    assert_string_equal(words_factor(1234.5, text, sizeof text), "1,235");
}

static void durations_are_as_fine_as_people_say_them(void **state) {
    static const struct {
        storm_time time;
        const char *text;
    } rows[] = {{0, "0" THIN "ms"},
                {2500 * STORM_MICROSECOND, "2.5" THIN "ms"},
                {250 * STORM_MILLISECOND, "250" THIN "ms"},
                {1500 * STORM_MILLISECOND, "1.5" THIN "s"},
                {12340 * STORM_MILLISECOND, "12" THIN "s"},
                {240 * STORM_SECOND, "240" THIN "s"},
                {300 * STORM_SECOND, "5" THIN "min"},
                {330 * STORM_SECOND, "5" THIN "min 30" THIN "s"},
                {5400 * STORM_SECOND, "1" THIN "h 30" THIN "min"},
                {STORM_NEVER, "never"}};
    char text[WORDS_MAX];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_string_equal(words_duration(rows[i].time, text, sizeof text), rows[i].text);
}

static void ranges_name_their_unit_once_where_it_is_one(void **state) {
    static const struct {
        storm_time low, high;
        const char *text;
    } rows[] = {{0, 78 * STORM_SECOND, "0–78" THIN "s"},
                {400 * STORM_MILLISECOND, 2500 * STORM_MILLISECOND, "0.4–2.5" THIN "s"},
                {20 * STORM_MILLISECOND, 900 * STORM_MILLISECOND, "20–900" THIN "ms"},
                {45 * STORM_SECOND, 360 * STORM_SECOND, "45" THIN "s to 6" THIN "min"},
                {0, 360 * STORM_SECOND, "0" THIN "s to 6" THIN "min"}};
    char text[2 * WORDS_MAX];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_string_equal(words_range(rows[i].low, rows[i].high, text, sizeof text),
                            rows[i].text);
}

static void a_length_becomes_an_adjective(void **state) {
    char text[WORDS_MAX];
    (void)state;
    assert_string_equal(words_adjective(30 * STORM_SECOND, text, sizeof text), "30-second");
    assert_string_equal(words_adjective(120 * STORM_SECOND, text, sizeof text), "2-minute");
    assert_string_equal(words_adjective(90 * STORM_SECOND, text, sizeof text), "90-second");
    assert_string_equal(words_adjective(7200 * STORM_SECOND, text, sizeof text), "2-hour");
    assert_string_equal(words_adjective(1500 * STORM_MILLISECOND, text, sizeof text), "1.5-second");
    assert_string_equal(words_adjective(1500 * STORM_MICROSECOND, text, sizeof text),
                        "1.5-millisecond");
}

static void a_setting_gets_a_thin_space_before_its_unit(void **state) {
    char text[WORDS_MAX];
    (void)state;
    assert_string_equal(words_setting("2s", text, sizeof text), "2" THIN "s");
    assert_string_equal(words_setting("5m", text, sizeof text), "5" THIN "min");
    assert_string_equal(words_setting("10%", text, sizeof text), "10" THIN "%");
    assert_string_equal(words_setting("300", text, sizeof text), "300");
    assert_string_equal(words_setting("2016", text, sizeof text), "2,016");
    assert_string_equal(words_setting("1500/s", text, sizeof text), "1,500/s");
    assert_string_equal(words_setting("1500.5", text, sizeof text), "1500.5");
    assert_string_equal(words_setting("12345678", text, sizeof text), "12345678");
    assert_string_equal(words_setting("2016-policy", text, sizeof text), "2016-policy");
    assert_string_equal(words_setting("seconds", text, sizeof text), "seconds");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fixed_numbers_round_and_keep_their_zeros),
        cmocka_unit_test(coordinates_have_one_decimal_at_most_and_no_negative_zero),
        cmocka_unit_test(thousands_get_commas_and_millions_a_letter),
        cmocka_unit_test(figures_have_three_digits_or_are_whole),
        cmocka_unit_test(factors_keep_one_decimal_until_they_are_large),
        cmocka_unit_test(durations_are_as_fine_as_people_say_them),
        cmocka_unit_test(ranges_name_their_unit_once_where_it_is_one),
        cmocka_unit_test(a_length_becomes_an_adjective),
        cmocka_unit_test(a_setting_gets_a_thin_space_before_its_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
