/* test_dlq.c: the commands of docs/dlq.md say what the page says they do. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A block of ```console holds lines "$ command", what it says, and "[exit N]" unless it is 0.
   UPDATE=1 writes the answers anew: read the diff. */

#include <stdbool.h>

#include "program.h"
#include "support/test.h"

static const char page[] = STORM_SOURCE_DIR "/docs/dlq.md";
static char wanted[OUTPUT_MOST], told[OUTPUT_MOST], said[OUTPUT_MOST];

static void read_page(void) {
    FILE *in = fopen(page, "rb");
    assert_non_null(in);
    size_t length = fread(wanted, 1, OUTPUT_MOST - 1, in);
    wanted[length] = '\0';
    fclose(in);
}

static char *play(const char *line, int length, char *end) {
    char command[COMMAND_MOST];
    snprintf(command, sizeof command, "%.*s", length - 2, line + 2);
    int code = program_run(command, said);
    assert_true(strlen(said) + (size_t)(end - told) + COMMAND_MOST < OUTPUT_MOST);
    end += sprintf(end, "$ %s\n%s", command, said);
    end += code != 0 ? sprintf(end, "[exit %d]\n", code) : 0;
    return end;
}

/* Plays the page's commands in one scratch folder; `told` becomes the page as it should be. */
static void play_page(void) {
    char *end = told;
    bool is_inside = false;
    for (const char *line = wanted; *line != '\0';) {
        int length = (int)strcspn(line, "\n");
        bool is_command = is_inside && strncmp(line, "$ ", 2) == 0;
        if (strncmp(line, "```", 3) == 0)
            is_inside = !is_inside && strncmp(line, "```console", 10) == 0;
        if (is_command)
            end = play(line, length, end);
        else if (!is_inside || strncmp(line, "```", 3) == 0)
            end += sprintf(end, "%.*s\n", length, line);
        line += length + (line[length] == '\n');
    }
}

static void the_page_tells_what_its_commands_say(void **state) {
    char folder[64];
    (void)state;
    read_page();
    program_enter(folder);
    assert_int_equal(symlink(STORM_SOURCE_DIR "/scenarios", "scenarios"), 0);
    play_page();
    program_leave(folder);
    if (getenv("UPDATE") != NULL) {
        FILE *out = fopen(page, "wb");
        assert_non_null(out);
        assert_true(fputs(told, out) >= 0);
        fclose(out);
    } else if (strcmp(told, wanted) != 0) {
        fail_msg("%s\n--- told\n%s---", page, told);
    }
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
    (void)state;
    read_page();
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
        if (strstr(wanted, facts[i]) == NULL)
            fail_msg("docs/dlq.md lacks '%s'", facts[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_page_tells_what_its_commands_say),
        cmocka_unit_test(everything_is_recovered_and_nothing_happens_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
