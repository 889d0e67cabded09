/* test_outfile.c: an output file appears whole or not at all. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#define _XOPEN_SOURCE 700 /* mkdtemp */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/outfile.h"
#include "support/test.h"

/* A folder of its own for each test, and a file in it. */
struct room {
    char folder[64];
    char path[128];
};

static int room_open(void **state) {
    struct room *room = calloc(1, sizeof *room);
    strcpy(room->folder, "/tmp/outfile-XXXXXX");
    if (mkdtemp(room->folder) == NULL)
        return -1;
    snprintf(room->path, sizeof room->path, "%s/result.json", room->folder);
    *state = room;
    return 0;
}

/* Removes what is left and counts it. */
static int room_clear(const struct room *room) {
    int count = 0;
    DIR *folder = opendir(room->folder);
    assert_non_null(folder);
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        assert_int_equal(unlinkat(dirfd(folder), entry->d_name, 0), 0);
        count++;
    }
    closedir(folder);
    return count;
}

static int room_close(void **state) {
    struct room *room = *state;
    room_clear(room);
    rmdir(room->folder);
    free(room);
    return 0;
}

static void text_put(const char *path, const char *text) {
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fputs(text, stream);
    assert_int_equal(fclose(stream), 0);
}

static void text_is(const char *path, const char *expected) {
    char text[64] = "";
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    text[fread(text, 1, sizeof text - 1, stream)] = '\0';
    fclose(stream);
    assert_string_equal(text, expected);
}

static void a_committed_file_has_its_content_and_name(void **state) {
    struct room *room = *state;
    struct outfile file;
    struct storm_error error = {0};
    assert_true(outfile_open(&file, room->path, &error));
    fputs("new\n", file.stream);
    assert_int_equal(access(room->path, F_OK), -1); /* not before it is whole */
    assert_true(outfile_commit(&file, &error));
    assert_null(file.stream);
    text_is(room->path, "new\n");
    assert_int_equal(room_clear(room), 1);
}

static void the_umask_decides_who_may_read(void **state) {
    struct room *room = *state;
    struct outfile file;
    struct storm_error error = {0};
    struct stat status;
    mode_t before = umask(027);
    bool opened = outfile_open(&file, room->path, &error);
    umask(before);
    assert_true(opened && outfile_commit(&file, &error));
    assert_int_equal(stat(room->path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0640);
}

static void a_discarded_file_leaves_the_old_one(void **state) {
    struct room *room = *state;
    struct outfile file;
    struct storm_error error = {0};
    text_put(room->path, "old\n");
    assert_true(outfile_open(&file, room->path, &error));
    fputs("new\n", file.stream);
    outfile_discard(&file);
    text_is(room->path, "old\n");
    assert_int_equal(room_clear(room), 1);
}

static void a_leftover_of_a_killed_run_is_not_in_the_way(void **state) {
    struct room *room = *state;
    struct outfile file;
    struct storm_error error = {0};
    char leftover[160];
    snprintf(leftover, sizeof leftover, "%s.0.tmp", room->path);
    text_put(leftover, "half");
    assert_true(outfile_open(&file, room->path, &error));
    assert_true(outfile_commit(&file, &error));
    text_is(leftover, "half");
}

static void two_writers_of_one_target_do_not_mix(void **state) {
    struct room *room = *state;
    struct outfile first, second;
    struct storm_error error = {0};
    assert_true(outfile_open(&first, room->path, &error));
    assert_true(outfile_open(&second, room->path, &error));
    fputs("first", first.stream);
    fputs("second", second.stream);
    assert_true(outfile_commit(&second, &error));
    assert_true(outfile_commit(&first, &error));
    text_is(room->path, "first");
    assert_int_equal(room_clear(room), 1);
}

static void a_symbolic_link_is_followed(void **state) {
    struct room *room = *state;
    struct outfile file;
    struct storm_error error = {0};
    struct stat status;
    char link[160];
    snprintf(link, sizeof link, "%s/link", room->folder);
    text_put(room->path, "old");
    assert_int_equal(symlink("result.json", link), 0);
    assert_true(outfile_open(&file, link, &error));
    fputs("new", file.stream);
    assert_true(outfile_commit(&file, &error));
    assert_int_equal(lstat(link, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    text_is(room->path, "new");
}

static void a_missing_folder_is_said_with_its_path(void **state) {
    struct room *room = *state;
    struct outfile file;
    struct storm_error error = {0};
    char path[160];
    snprintf(path, sizeof path, "%s/none/result.json", room->folder);
    assert_false(outfile_open(&file, path, &error));
    assert_int_equal(error.status, STORM_IO);
    assert_string_equal(error.path, path);
    assert_non_null(strstr(error.message, "No such file or directory"));
    assert_null(file.stream);
}

static void a_directory_is_refused(void **state) {
    struct room *room = *state;
    struct outfile file;
    struct storm_error error = {0};
    assert_false(outfile_open(&file, room->folder, &error));
    assert_int_equal(error.status, STORM_IO);
    assert_non_null(strstr(error.message, "Is a directory"));
}

static void a_long_path_is_told_by_its_end(void **state) {
    struct room *room = *state;
    struct outfile file;
    struct storm_error error = {0};
    char path[400];
    snprintf(path, sizeof path, "%s/%0250d/end.json", room->folder, 0);
    assert_false(outfile_open(&file, path, &error));
    assert_int_equal(strlen(error.path), STORM_PATH_MAX - 1);
    assert_string_equal(error.path + strlen(error.path) - 8, "end.json");
}

static void a_full_device_is_an_error_with_its_reason(void **state) {
    (void)state;
    struct outfile file;
    struct storm_error error = {0};
    if (access("/dev/full", W_OK) != 0)
        skip();
    assert_true(outfile_open(&file, "/dev/full", &error));
    fputs("lost", file.stream);
    assert_false(outfile_commit(&file, &error));
    assert_int_equal(error.status, STORM_IO);
    assert_string_equal(error.message, "cannot write '/dev/full': No space left on device");
    assert_int_equal(access("/dev/full", F_OK), 0);
}

/* Writes a megabyte where `limit` bytes fit; errno is spoilt afterwards, as a long run would. */
static bool megabyte_commit(const struct room *room, rlim_t limit, struct storm_error *error) {
    struct outfile file;
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = (struct rlimit){.rlim_cur = limit, .rlim_max = before.rlim_max};
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_true(outfile_open(&file, room->path, error));
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    for (int i = 0; i < 1 << 20; i++)
        fputc('x', file.stream);
    errno = 0;
    bool done = outfile_commit(&file, error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, handler);
    return done;
}

static void a_write_that_failed_long_ago_leaves_nothing_and_says_why(void **state) {
    struct room *room = *state;
    struct storm_error error = {0};
    text_put(room->path, "old\n");
    assert_false(megabyte_commit(room, 65536, &error));
    assert_int_equal(error.status, STORM_IO);
    assert_string_equal(error.path, room->path);
    assert_non_null(strstr(error.message, "File too large"));
    text_is(room->path, "old\n");
    assert_int_equal(room_clear(room), 1);
}

static void only_the_flush_may_fail(void **state) {
    struct room *room = *state;
    struct storm_error error = {0};
    assert_false(megabyte_commit(room, (1 << 20) - 1, &error));
    assert_non_null(strstr(error.message, "File too large"));
    assert_int_equal(room_clear(room), 0);
}

/* Writes eight bytes one by one where four fit; the limit is gone again before the commit if
   `relieved`. */
static bool bytes_commit(const struct room *room, bool relieved, struct storm_error *error) {
    struct outfile file;
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = (struct rlimit){.rlim_cur = 4, .rlim_max = before.rlim_max};
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_true(outfile_open(&file, room->path, error));
    setvbuf(file.stream, NULL, _IONBF, 0);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    for (int i = 0; i < 8; i++)
        fputc('x', file.stream);
    if (relieved)
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    bool done = outfile_commit(&file, error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, handler);
    return done;
}

static void a_write_that_failed_is_not_forgotten_when_the_cause_is_gone(void **state) {
    struct room *room = *state;
    struct storm_error error = {0};
    assert_false(bytes_commit(room, true, &error));
    assert_int_equal(error.status, STORM_IO);
    assert_non_null(strstr(error.message, "the write failed"));
    assert_int_equal(room_clear(room), 0);
}

static void a_reason_that_was_lost_is_asked_for_again(void **state) {
    struct room *room = *state;
    struct storm_error error = {0};
    assert_false(bytes_commit(room, false, &error));
    assert_non_null(strstr(error.message, "File too large"));
    assert_int_equal(room_clear(room), 0);
}

static void a_dash_is_standard_output_and_stays_open(void **state) {
    (void)state;
    struct outfile file;
    struct storm_error error = {0};
    assert_true(outfile_open(&file, "-", &error));
    assert_ptr_equal(file.stream, stdout);
    assert_true(outfile_commit(&file, &error));
    assert_true(outfile_open(&file, "-", &error));
    outfile_discard(&file);
    assert_int_equal(fflush(stdout), 0);
    assert_true(fcntl(STDOUT_FILENO, F_GETFD) >= 0);
}

#define IN_ROOM(test) cmocka_unit_test_setup_teardown(test, room_open, room_close)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_ROOM(a_committed_file_has_its_content_and_name),
        IN_ROOM(the_umask_decides_who_may_read),
        IN_ROOM(a_discarded_file_leaves_the_old_one),
        IN_ROOM(a_leftover_of_a_killed_run_is_not_in_the_way),
        IN_ROOM(two_writers_of_one_target_do_not_mix),
        IN_ROOM(a_symbolic_link_is_followed),
        IN_ROOM(a_missing_folder_is_said_with_its_path),
        IN_ROOM(a_directory_is_refused),
        IN_ROOM(a_long_path_is_told_by_its_end),
        IN_ROOM(a_full_device_is_an_error_with_its_reason),
        IN_ROOM(a_write_that_failed_long_ago_leaves_nothing_and_says_why),
        IN_ROOM(only_the_flush_may_fail),
        IN_ROOM(a_write_that_failed_is_not_forgotten_when_the_cause_is_gone),
        IN_ROOM(a_reason_that_was_lost_is_asked_for_again),
        IN_ROOM(a_dash_is_standard_output_and_stays_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
