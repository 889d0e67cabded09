/* test_program.c: the program among signals, full disks, pipes and terminals. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _XOPEN_SOURCE 700 /* pseudo-terminals */

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <time.h>

#include "program.h"
#include "support/test.h"

static char text[OUTPUT_MOST], other[OUTPUT_MOST];
static char folder[64];

static int enter(void **state) {
    (void)state;
    program_enter(folder);
    return 0;
}

static int leave(void **state) {
    (void)state;
    program_leave(folder);
    return 0;
}

static bool has(const char *part) { return strstr(text, part) != NULL; }

static void a_full_disk_leaves_no_half_file_and_is_said(void **state) {
    (void)state;
    static const char *const kinds[] = {"json", "csv", "txt", "png", "svg", "pdf"};
    for (int i = 0; i < 6; i++) {
        char line[COMMAND_MOST];
        snprintf(line, sizeof line, "ulimit -f 1; retrystorm run small.yaml -q -o out.%s",
                 kinds[i]);
        assert_int_equal(program_run(line, text), 4);
        if (!has("retrystorm: cannot write 'out.") || !has("recovered in 3 of 3 runs"))
            fail_msg("%s: %s", kinds[i], text); /* the results are shown none the less */
        assert_int_equal(program_files(folder, "out"), 0);
    }
    assert_int_equal(program_run("ulimit -f 1; retrystorm run small.yaml -q -d dir", text), 4);
    assert_int_equal(program_files("dir", ""), 0);
}

static void a_file_that_cannot_be_replaced_stays_as_it_was(void **state) {
    (void)state;
    assert_int_equal(program_run("echo precious > out.json", NULL), 0);
    assert_int_equal(program_run("ulimit -f 1; retrystorm run small.yaml -q -o out.json", NULL), 4);
    assert_int_equal(program_run("cat out.json", text), 0);
    assert_string_equal(text, "precious\n");
    assert_int_equal(program_files(folder, "out"), 1);
    assert_int_equal(program_run("retrystorm run small.yaml -q -o out.json", NULL), 0);
    assert_int_equal(program_run("grep -c precious out.json", NULL), 1);
}

/* /dev/full accepts no byte; a bare system may be without it. */
static void need_full_device(void) {
    if (access("/dev/full", W_OK) != 0)
        skip();
}

static void one_file_that_fails_does_not_take_the_others_along(void **state) {
    (void)state;
    need_full_device();
    assert_int_equal(program_run("ln -s /dev/full out.csv", NULL), 0);
    assert_int_equal(
        program_run("retrystorm run small.yaml -q -o out.csv -o out.json -o out.svg", text), 4);
    assert_true(has("/dev/full") && has("recovered in 3 of 3 runs"));
    assert_int_equal(program_run("test -s out.json && test -s out.svg", NULL), 0);
}

static void a_full_standard_output_is_an_error(void **state) {
    (void)state;
    need_full_device();
    static const char *const formats[] = {"text", "json", "csv"};
    for (int i = 0; i < 3; i++) {
        char line[COMMAND_MOST];
        snprintf(line, sizeof line, "retrystorm run small.yaml -q --format %s > /dev/full",
                 formats[i]);
        assert_int_equal(program_run(line, text), 4);
        assert_string_equal(text, "retrystorm: standard output: No space left on device\n");
    }
}

static void a_reader_that_goes_away_ends_the_program_quietly(void **state) {
    (void)state;
    assert_int_equal(
        program_run(
            "( retrystorm run small.yaml -q --format csv; echo $? > code ) | true; cat code", text),
        0);
    assert_string_equal(text, "141\n"); /* 128 + SIGPIPE */
}

/* Lets the program run for a while and sends it a signal; its exit code, and in `text` what it
   said. */
static int interrupt(const char *name) {
    char line[COMMAND_MOST];
    snprintf(line, sizeof line,
             "retrystorm run small.yaml -n 50000 -q -o part.json & p=$!; sleep 1; kill -%s $p; "
             "wait $p",
             name);
    return program_run(line, text);
}

static void an_interrupted_experiment_keeps_what_it_has_and_says_so(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int code;
    } rows[] = {{"INT", 130}, {"TERM", 143}};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(interrupt(rows[i].name), rows[i].code);
        assert_true(has("retrystorm: interrupted") && has("incomplete"));
        assert_int_equal(program_run("grep -c '\"complete\": false' part.json", NULL), 0);
        assert_int_equal(program_run("retrystorm plot part.json -o part.svg", text), 0);
        assert_int_equal(program_run("rm part.svg part.json", NULL), 0);
    }
    assert_int_equal(program_files(folder, "part"), 0);
}

static void check_same(const char *first, const char *second) {
    assert_int_equal(program_run(first, text), 0);
    assert_int_equal(program_run(second, other), 0);
    assert_true(strlen(text) > 1000);
    assert_string_equal(text, other);
}

static void neither_threads_nor_repetition_change_a_byte(void **state) {
    (void)state;
    check_same("retrystorm compare small.yaml -q -j 1 --format json",
               "retrystorm compare small.yaml -q -j 5 --format json");
    check_same("retrystorm run small.yaml -q --format csv",
               "retrystorm run small.yaml -q --format csv");
    assert_int_equal(program_run("retrystorm compare small.yaml -q -j 1 -d a && "
                                 "retrystorm compare small.yaml -q -j 3 -d b",
                                 NULL),
                     0);
    assert_int_equal(program_run("rm a/*.pdf b/*.pdf; diff -r a b", text), 0);
}

static void the_seed_is_what_chance_depends_on(void **state) {
    (void)state;
    assert_int_equal(program_run("retrystorm run small.yaml -q --seed 2 --format csv", text), 0);
    assert_int_equal(program_run("retrystorm run small.yaml -q --seed 3 --format csv", other), 0);
    assert_string_not_equal(text, other);
}

static void a_directory_gets_every_kind_of_file_and_the_dead_letters(void **state) {
    (void)state;
    assert_int_equal(program_run("retrystorm compare small.yaml -q -d deep/er/dir", NULL), 0);
    assert_int_equal(program_run("ls deep/er/dir", text), 0);
    assert_string_equal(text,
                        "small.as-is.dead-letters.jsonl\nsmall.csv\nsmall.json\n"
                        "small.no-retry.dead-letters.jsonl\nsmall.pdf\nsmall.png\nsmall.svg\n");
    assert_int_equal(program_run("cd deep/er/dir && test -s small.as-is.dead-letters.jsonl", NULL),
                     0);
}

static void a_scenario_may_come_through_a_pipe(void **state) {
    (void)state;
    assert_int_equal(program_run("retrystorm run small.yaml -q --format csv | cut -d, -f2-", text),
                     0);
    assert_int_equal(
        program_run("cat small.yaml | retrystorm run - -q --format csv | cut -d, -f2-", other), 0);
    assert_string_equal(text, other);
}

static void with_quiet_nothing_but_results_is_said(void **state) {
    (void)state;
    assert_int_equal(program_run("retrystorm run small.yaml -q > /dev/null", text), 0);
    assert_string_equal(text, "");
}

/* What the program says to a terminal of its own. */
static void run_on_terminal(const char *line) {
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0)
        skip(); /* a bare system may be without pseudo-terminals */
    assert_true(grantpt(master) == 0 && unlockpt(master) == 0);
    const char *name = ptsname(master);
    assert_non_null(name);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        int terminal = open(name, O_RDWR);
        dup2(terminal, STDOUT_FILENO);
        dup2(terminal, STDERR_FILENO);
        execl("/bin/sh", "sh", "-c", line, (char *)NULL);
        _exit(127);
    }
    size_t length = 0;
    int status = 0;
    int held = open(name, O_RDWR | O_NOCTTY); /* so that nothing is lost when the child closes it */
    assert_true(held >= 0 && fcntl(master, F_SETFL, O_NONBLOCK) == 0);
    for (bool over = false, last = false; !last;) {
        ssize_t got = read(master, text + length, OUTPUT_MOST - 1 - length);
        length += got > 0 ? (size_t)got : 0;
        last = over && got <= 0;
        over = over || waitpid(child, &status, WNOHANG) == child;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    text[length] = '\0';
    close(held);
    close(master);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void colour_is_for_terminals_that_want_it(void **state) {
    (void)state;
    run_on_terminal("TERM=xterm retrystorm run small.yaml --no-progress");
    assert_true(has("\033["));
    run_on_terminal("TERM=xterm NO_COLOR=1 retrystorm run small.yaml --no-progress");
    assert_false(has("\033["));
    run_on_terminal("TERM=xterm NO_COLOR= retrystorm run small.yaml --no-progress");
    assert_true(has("\033[")); /* an empty NO_COLOR is none */
    run_on_terminal("TERM=dumb retrystorm run small.yaml --no-progress");
    assert_false(has("\033["));
    run_on_terminal("TERM=xterm retrystorm run small.yaml --no-progress --color never");
    assert_false(has("\033["));
    program_run("retrystorm run small.yaml", text);
    assert_false(has("\033["));
    program_run("NO_COLOR=1 retrystorm run small.yaml --color always", text);
    assert_true(has("\033["));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, enter, leave)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_full_disk_leaves_no_half_file_and_is_said),
        TEST(a_file_that_cannot_be_replaced_stays_as_it_was),
        TEST(one_file_that_fails_does_not_take_the_others_along),
        TEST(a_full_standard_output_is_an_error),
        TEST(a_reader_that_goes_away_ends_the_program_quietly),
        TEST(an_interrupted_experiment_keeps_what_it_has_and_says_so),
        TEST(neither_threads_nor_repetition_change_a_byte),
        TEST(the_seed_is_what_chance_depends_on),
        TEST(a_directory_gets_every_kind_of_file_and_the_dead_letters),
        TEST(a_scenario_may_come_through_a_pipe),
        TEST(with_quiet_nothing_but_results_is_said),
        TEST(colour_is_for_terminals_that_want_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
