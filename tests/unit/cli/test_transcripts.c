/* test_transcripts.c: every command line of tests/cli/transcripts gets exactly its answer. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A file NN-name.txt is what a terminal would show: lines "$ command", what it says, and "[exit N]"
   unless it is 0. UPDATE=1 writes the answers anew: read the diff. */

#include <stdbool.h>

#include "program.h"
#include "support/test.h"

static char told[OUTPUT_MOST], wanted[OUTPUT_MOST], said[OUTPUT_MOST];

static void read_file(const char *path, char text[OUTPUT_MOST]) {
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    size_t length = fread(text, 1, OUTPUT_MOST - 1, in);
    text[length] = '\0';
    fclose(in);
}

static void write_file(const char *path, const char *text) {
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fputs(text, out) < 0, 0);
    fclose(out);
}

/* Runs the commands of `wanted` in one scratch folder and writes into `told` what they say. */
static void play(void) {
    char folder[64], *end = told;
    program_enter(folder);
    for (const char *line = wanted; line != NULL && *line != '\0';) {
        const char *stop = strchr(line, '\n');
        int length = stop != NULL ? (int)(stop - line) : (int)strlen(line);
        if (strncmp(line, "$ ", 2) == 0) {
            char command[COMMAND_MOST];
            snprintf(command, sizeof command, "%.*s", length - 2, line + 2);
            int code = program_run(command, said);
            assert_true(strlen(said) + (size_t)(end - told) + COMMAND_MOST < OUTPUT_MOST);
            end += sprintf(end, "$ %s\n%s", command, said);
            end += code != 0 ? sprintf(end, "[exit %d]\n", code) : 0;
        }
        line = stop != NULL ? stop + 1 : NULL;
    }
    program_leave(folder);
}

static void every_command_line_gets_its_answer(void **state) {
    (void)state;
    struct dirent **list;
    int count = scandir(program_cases, &list, NULL, alphasort), cases = 0, wrong = 0;
    bool update = getenv("UPDATE") != NULL;
    assert_true(count > 0);
    for (int i = 0; i < count; i++) {
        char path[COMMAND_MOST];
        snprintf(path, sizeof path, "%s/%s", program_cases, list[i]->d_name);
        bool is_case = strstr(list[i]->d_name, ".txt") != NULL;
        free(list[i]);
        if (!is_case)
            continue;
        read_file(path, wanted);
        play();
        cases++;
        if (update) {
            write_file(path, told);
        } else if (strcmp(told, wanted) != 0) {
            print_error("%s\n--- expected\n%s--- told\n%s---\n", path, wanted, told);
            wrong++;
        }
    }
    free(list);
    assert_true(cases >= 9);
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_command_line_gets_its_answer)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
