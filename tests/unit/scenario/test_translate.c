/* test_translate.c: our words for those of other tools. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/test.h"

#include "scenario/translate.h"

static void words_of_other_tools_are_known(void **state) {
    (void)state;
    assert_string_equal(translate_word("retries"), "attempts");
    assert_string_equal(translate_word("max_delay"), "cap");
    assert_null(translate_word("attempts"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(words_of_other_tools_are_known)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
