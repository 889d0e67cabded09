/* test_theme.c: can everybody read it? Contrast of every role in both themes, by WCAG 2. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/test.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "plots/theme.h"
#include "unit/plots/near.h"

static double channel(uint32_t value) {
    double share = value / 255.0;
    return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4);
}

static double luminance(enum theme_role role, bool is_dark) {
    uint32_t color = theme_color(role, is_dark);
    return 0.2126 * channel(color >> 16) + 0.7152 * channel(color >> 8 & 0xFF) +
           0.0722 * channel(color & 0xFF);
}

static double contrast(enum theme_role a, enum theme_role b, bool is_dark) {
    double x = luminance(a, is_dark), y = luminance(b, is_dark);
    return (fmax(x, y) + 0.05) / (fmin(x, y) + 0.05);
}

static void black_on_white_is_21_to_1(void **state) {
    (void)state;
    assert_near(channel(255), 1, 1e-12);
    assert_near(channel(0), 0, 1e-12);
    assert_near(contrast(ROLE_INK, ROLE_BACKGROUND, false), 17.7, 0.1); /* style sheet */
}

static void text_has_4_5_and_marks_have_3_to_1_on_their_ground(void **state) {
    (void)state;
    for (int dark = 0; dark <= 1; dark++)
        for (int i = 0; i < ROLE_COUNT; i++) {
            enum theme_role role = (enum theme_role)i;
            double least = theme_role_contrast(role) == THEME_TEXT   ? 4.5
                           : theme_role_contrast(role) == THEME_MARK ? 3.0
                                                                     : 1.0;
            double found = contrast(role, theme_role_ground(role), dark);
            if (found < least)
                fail_msg("%s in the %s theme: %.2f:1, must be %.1f:1", theme_role_class(role),
                         dark ? "dark" : "light", found, least);
        }
}

static void neighbours_in_the_stack_differ_in_grey_too(void **state) {
    (void)state;
    assert_true(contrast(ROLE_FIRST, ROLE_RETRY, false) >= 1.8);
    assert_true(contrast(ROLE_FIRST, ROLE_RETRY, true) >= 1.8);
}

/* Each label on a band or on the background is ink-2 or a text role that holds on both. */
static void what_may_stand_on_a_band_is_readable_there(void **state) {
    static const enum theme_role roles[] = {ROLE_INK, ROLE_INK2, ROLE_RETRY_TEXT, ROLE_GOOD};
    (void)state;
    for (int dark = 0; dark <= 1; dark++)
        for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++)
            assert_true(contrast(roles[i], ROLE_BAND, dark) >= 4.5);
}

static void the_strip_grows_steadily_away_from_the_background(void **state) {
    (void)state;
    for (int dark = 0; dark <= 1; dark++)
        for (int i = ROLE_STRIP_0; i < ROLE_STRIP_8; i++)
            assert_true(contrast((enum theme_role)(i + 1), ROLE_BACKGROUND, dark) >
                        contrast((enum theme_role)i, ROLE_BACKGROUND, dark));
    assert_int_equal(THEME_STRIP_STEPS, 9);
}

/* CIELAB, as CIE 15 has it, for the white of sRGB. */
static void find_lab(enum theme_role role, bool is_dark, double lab[3]) {
    static const double matrix[3][3] = {{0.4124564, 0.3575761, 0.1804375},
                                        {0.2126729, 0.7151522, 0.0721750},
                                        {0.0193339, 0.1191920, 0.9503041}};
    static const double white[3] = {0.95047, 1, 1.08883};
    uint32_t color = theme_color(role, is_dark);
    double rgb[3] = {channel(color >> 16), channel(color >> 8 & 0xFF), channel(color & 0xFF)};
    double f[3];
    for (int i = 0; i < 3; i++) {
        double x =
            (matrix[i][0] * rgb[0] + matrix[i][1] * rgb[1] + matrix[i][2] * rgb[2]) / white[i];
        f[i] = x > 216.0 / 24389 ? cbrt(x) : (24389.0 / 27 * x + 16) / 116;
    }
    lab[0] = 116 * f[1] - 16;
    lab[1] = 500 * (f[0] - f[1]);
    lab[2] = 200 * (f[1] - f[2]);
}

static void the_heat_scale_is_even_to_the_eye_and_goes_one_way_in_grey(void **state) {
    (void)state;
    assert_int_equal(THEME_HEAT_STEPS, 11);
    for (int dark = 0; dark <= 1; dark++)
        for (int i = ROLE_HEAT_0; i < ROLE_HEAT_10; i++) {
            double a[3], b[3];
            find_lab((enum theme_role)i, dark, a);
            find_lab((enum theme_role)(i + 1), dark, b);
            double step = sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                               (a[2] - b[2]) * (a[2] - b[2]));
            assert_near(step, 11.3, 1.2);
            assert_true(dark ? a[0] - b[0] > 4 : b[0] - a[0] > 4); /* away from the background */
        }
}

static void the_numbers_of_the_heat_scale_stand_on_their_own_step(void **state) {
    (void)state;
    for (int i = 0; i < THEME_HEAT_STEPS; i++)
        assert_int_equal(theme_role_ground((enum theme_role)(ROLE_HEAT_TEXT_0 + i)),
                         ROLE_HEAT_0 + i);
}

static void the_pill_text_follows_its_pill_in_the_table(void **state) {
    static const enum theme_role pills[] = {ROLE_PILL_GOOD, ROLE_PILL_MIXED, ROLE_PILL_BAD,
                                            ROLE_PILL_NEUTRAL};
    (void)state;
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(theme_role_ground((enum theme_role)(pills[i] + 1)), pills[i]);
}

static void names_of_roles_and_fonts_are_unique(void **state) {
    (void)state;
    for (int i = 0; i < ROLE_COUNT; i++)
        for (int j = 0; j < i; j++)
            assert_string_not_equal(theme_role_class((enum theme_role)i),
                                    theme_role_class((enum theme_role)j));
    for (int i = 0; i < FONT_COUNT; i++) {
        assert_in_range(theme_font_weight((enum theme_font)i), 400, 700);
        assert_true(theme_font_size((enum theme_font)i) >= 11);
        for (int j = 0; j < i; j++)
            assert_string_not_equal(theme_font_class((enum theme_font)i),
                                    theme_font_class((enum theme_font)j));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(black_on_white_is_21_to_1),
        cmocka_unit_test(text_has_4_5_and_marks_have_3_to_1_on_their_ground),
        cmocka_unit_test(neighbours_in_the_stack_differ_in_grey_too),
        cmocka_unit_test(what_may_stand_on_a_band_is_readable_there),
        cmocka_unit_test(the_strip_grows_steadily_away_from_the_background),
        cmocka_unit_test(the_heat_scale_is_even_to_the_eye_and_goes_one_way_in_grey),
        cmocka_unit_test(the_numbers_of_the_heat_scale_stand_on_their_own_step),
        cmocka_unit_test(the_pill_text_follows_its_pill_in_the_table),
        cmocka_unit_test(names_of_roles_and_fonts_are_unique),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
