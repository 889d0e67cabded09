/* test_dlq.c: the commands of docs/dlq.md say what the page says they do. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "page.h"

static const char page[] = STORM_SOURCE_DIR "/docs/dlq.md";

static void the_page_tells_what_its_commands_say(void **state) {
    (void)state;
    page_test(page, NULL);
}

/* What the page is there to show, whatever its numbers are. */
static void everything_is_recovered_and_nothing_happens_twice(void **state) {
    static const char *const facts[] = {"reason  attempts_exhausted",
                                        "letters at once are",
                                        "dead again  0\n",
                                        "in doubt    0\n",
                                        "not sent    0\n",
                                        "duplicates  0",
                                        "10 of 10",
                                        "[exit 3]",
                                        "letters.jsonl.audit.jsonl",
                                        "resend_requested",
                                        "letters expired"};
    static char text[OUTPUT_MOST];
    FILE *in = fopen(page, "rb");
    (void)state;
    assert_non_null(in);
    text[fread(text, 1, OUTPUT_MOST - 1, in)] = '\0';
    fclose(in);
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
        if (strstr(text, facts[i]) == NULL)
            fail_msg("docs/dlq.md lacks '%s'", facts[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_page_tells_what_its_commands_say),
        cmocka_unit_test(everything_is_recovered_and_nothing_happens_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
