/* test_shell_word.c: commands that are printed can be pasted, whatever the names in them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/text.h"
#include "support/test.h"

static void plain_words_stay_as_they_are(void **state) {
    (void)state;
    char word[64];
    assert_string_equal(text_shell_word("a/b-c.yaml", word, sizeof word), "a/b-c.yaml");
    assert_string_equal(text_shell_word("x=10%", word, sizeof word), "x=10%");
}

static void others_are_quoted(void **state) {
    (void)state;
    char word[64];
    assert_string_equal(text_shell_word("two words", word, sizeof word), "'two words'");
    assert_string_equal(text_shell_word("it's", word, sizeof word), "'it'\\''s'");
    assert_string_equal(text_shell_word("", word, sizeof word), "''");
}

static void what_does_not_fit_is_left_out(void **state) {
    (void)state;
    char word[8];
    assert_string_equal(text_shell_word("1234567", word, sizeof word), "1234567");
    assert_string_equal(text_shell_word("12345678", word, sizeof word), "");
    assert_string_equal(text_shell_word("a b", word, sizeof word), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_words_stay_as_they_are),
        cmocka_unit_test(others_are_quoted),
        cmocka_unit_test(what_does_not_fit_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
