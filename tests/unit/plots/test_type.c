/* test_type.c: the room that text takes. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/test.h"

#include <string.h>

#include "plots/theme.h"
#include "plots/type.h"
#include "unit/plots/near.h"

/* Advances of DejaVu Sans 2.37 in 1/2048 em, read off the font: A 1401, i 569, space 651, 0
   1303; bold A 1585. */
static void widths_are_those_of_the_font(void **state) {
    (void)state;
    assert_near(type_width(FONT_TICK, "A"), 1401 * 12 / 2048.0, 1e-9);
    assert_near(type_width(FONT_TICK, "Ai 0"), (1401 + 569 + 651 + 1303) * 12 / 2048.0, 1e-9);
    assert_near(type_width(FONT_TITLE, "A"), 1585 * 25 / 2048.0, 1e-9);
    assert_near(type_width(FONT_TICK, ""), 0, 0);
}

static void figures_all_have_one_width(void **state) {
    char digit[2] = "0";
    (void)state;
    for (; digit[0] <= '9'; digit[0]++) {
        assert_near(type_width(FONT_TICK, digit), type_width(FONT_TICK, "0"), 0);
        assert_near(type_width(FONT_HEAD, digit), type_width(FONT_HEAD, "0"), 0);
    }
}

static void code_points_are_read_and_bad_bytes_are_replaced(void **state) {
    static const struct {
        const char *text;
        uint32_t code;
        int length;
    } rows[] = {{"a", 'a', 1},
                {"×", 0xD7, 2},
                {"…", 0x2026, 3},
                {"\xF0\x9F\x94\xA5", 0x1F525, 4},
                {"\xFF", 0xFFFD, 1},
                {"\xC0\xAF", 0xFFFD, 1},
                {"\xE2\x82", 0xFFFD, 1},
                {"\xED\xA0\x80", 0xFFFD, 1},
                {"\xE0\x80\xAF", 0xFFFD, 1},
                {"\xF4\x90\x80\x80", 0xFFFD, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *next = rows[i].text;
        assert_int_equal(type_next(&next), rows[i].code);
        assert_int_equal(next - rows[i].text, rows[i].length);
    }
    const char *end = "";
    assert_int_equal(type_next(&end), 0);
}

static void text_that_fits_stays_whole(void **state) {
    char text[64];
    (void)state;
    assert_true(type_fit(FONT_TICK, "full-jitter", 200, text, sizeof text));
    assert_string_equal(text, "full-jitter");
}

static void text_that_does_not_fit_is_cut_between_characters(void **state) {
    char text[64];
    (void)state;
    for (double width = 14; width < 120; width += 1) {
        assert_false(
            type_fit(FONT_TICK, "ééé äöü decorrelated-jitter ééé", width, text, sizeof text));
        assert_true(type_width(FONT_TICK, text) <= width);
        assert_string_equal(text + strlen(text) - 3, "…");
        for (const char *next = text; *next != 0;)
            assert_int_not_equal(type_next(&next), 0xFFFD);
    }
    assert_false(type_fit(FONT_TICK, "0123456789012345678901234567890123456789", 1e6, text, 16));
    assert_true(strlen(text) < 16);
}

static void lines_break_at_the_last_blank_that_fits_or_where_they_are_told_to(void **state) {
    const char *words = "one two three four";
    (void)state;
    assert_int_equal(type_break(FONT_TICK, words, 1000), 0);
    size_t at = type_break(FONT_TICK, words, type_width(FONT_TICK, "one two thr"));
    assert_string_equal(words + at, "three four");
    assert_int_equal(type_break(FONT_TICK, "unbreakable", 10), 0);
    assert_int_equal(type_break(FONT_TICK, "a\nb", 1000), 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(widths_are_those_of_the_font),
        cmocka_unit_test(figures_all_have_one_width),
        cmocka_unit_test(code_points_are_read_and_bad_bytes_are_replaced),
        cmocka_unit_test(text_that_fits_stays_whole),
        cmocka_unit_test(text_that_does_not_fit_is_cut_between_characters),
        cmocka_unit_test(lines_break_at_the_last_blank_that_fits_or_where_they_are_told_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
