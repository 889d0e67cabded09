/* test_excerpt.c: the caret stands under the character, whatever stands before it. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "unit/scenario/rig.h"

/* What is printed for one error at a place of a text. */
static void assert_shown(const char *text, int line, int column, int width, const char *expected) {
    struct storm_errors errors = {.count = 1};
    errors.list[0] = (struct storm_error){.status = STORM_INVALID,
                                          .line = line,
                                          .column = column,
                                          .width = width,
                                          .path = "a.b",
                                          .message = "is wrong"};
    char *printed = storm_errors_print(&errors, "t", text, strlen(text));
    char whole[1024];
    snprintf(whole, sizeof whole, "t:%d:%d: error: a.b: is wrong\n%s1 error in t\n", line, column,
             expected);
    assert_string_equal(printed, whole);
    free(printed);
}

static void the_caret_is_under_the_place(void **state) {
    (void)state;
    assert_shown("one\ntwo: lots\n", 2, 6, 4, "    2 | two: lots\n      |      ^^^^\n");
    assert_shown("\xEF\xBB\xBFone: x", 1, 6, 1, "    1 | one: x\n      |      ^\n");
}

static void wide_and_combining_characters_count_as_they_are_seen(void **state) {
    (void)state;
    assert_shown("\xE6\x9D\xB1\xE4\xBA\xAC: x", 1, 5, 1,
                 "    1 | \xE6\x9D\xB1\xE4\xBA\xAC: x\n      |       ^\n");
    assert_shown("e\xCC\x81: x", 1, 5, 1, "    1 | e\xCC\x81: x\n      |    ^\n");
    assert_shown("a: \xE6\x9D\xB1\xE4\xBA\xAC", 1, 4, 2,
                 "    1 | a: \xE6\x9D\xB1\xE4\xBA\xAC\n      |    ^^^^\n");
}

static void tabs_are_shown_as_blanks(void **state) {
    (void)state;
    assert_shown("\tx: y", 1, 5, 1, "    1 |         x: y\n      |            ^\n");
    assert_shown("abc\tx", 1, 5, 1, "    1 | abc     x\n      |         ^\n");
}

static void every_kind_of_line_end_counts(void **state) {
    (void)state;
    assert_shown("a\r\nb: x\r\n", 2, 4, 1, "    2 | b: x\n      |    ^\n");
    assert_shown("a\rb\xC2\x85"
                 "c\xE2\x80\xA8"
                 "d\xE2\x80\xA9x",
                 5, 1, 1, "    5 | x\n      | ^\n");
}

static void what_could_harm_a_terminal_is_not_printed(void **state) {
    (void)state;
    assert_shown("a: \x1B[31m\xFF\xE2\x80\xAE", 1, 9, 1, "    1 | a: ?[31m??\n      |         ^\n");
}

static void the_end_of_a_line_and_beyond_can_be_shown(void **state) {
    (void)state;
    assert_shown("abc\n", 1, 4, 1, "    1 | abc\n      |    ^\n");
    assert_shown("abc\n", 1, 50, 9, "    1 | abc\n      |    ^\n");
    assert_shown("abc\n", 2, 1, 1, "");
    assert_shown("abc\n", 9, 1, 1, "");
}

static void a_long_line_is_shown_around_its_caret(void **state) {
    (void)state;
    char text[400], expected[400];
    memset(text, 'a', 300);
    text[300] = '\0';
    text[200] = 'b';
    snprintf(expected, sizeof expected, "    1 | ...%.100s...\n      | %43s^\n", text + 160, "");
    assert_shown(text, 1, 201, 1, expected);
    snprintf(expected, sizeof expected, "    1 | %.100s...\n      | ^\n", text);
    assert_shown(text, 1, 1, 1, expected);
}

static void many_errors_are_counted(void **state) {
    (void)state;
    struct storm_errors errors = {.count = 25};
    for (int i = 0; i < STORM_ERRORS_MAX; i++)
        errors.list[i] = (struct storm_error){.message = "m"};
    char *printed = storm_errors_print(&errors, "t", NULL, 0);
    assert_non_null(strstr(printed, "t: error: m\n"));
    assert_non_null(strstr(printed, "25 errors in t; these are the first 20\n"));
    free(printed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_caret_is_under_the_place),
        cmocka_unit_test(wide_and_combining_characters_count_as_they_are_seen),
        cmocka_unit_test(tabs_are_shown_as_blanks),
        cmocka_unit_test(every_kind_of_line_end_counts),
        cmocka_unit_test(what_could_harm_a_terminal_is_not_printed),
        cmocka_unit_test(the_end_of_a_line_and_beyond_can_be_shown),
        cmocka_unit_test(a_long_line_is_shown_around_its_caret),
        cmocka_unit_test(many_errors_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
