/* test_expire.c: old letters go to the archive, once, whenever the program is killed. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "letters/expire.h"
#include "support/test.h"

#include "sample.h"

enum { TEXT_SIZE = 1 << 16 };

static struct arena arena;
static char text[TEXT_SIZE], folder[64], file[128], archive[128], content[TEXT_SIZE];

static void write_file(const char *path, const char *what) {
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_true(fputs(what, out) >= 0);
    fclose(out);
}

static const char *read_file(const char *path) {
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    content[fread(content, 1, sizeof content - 1, in)] = '\0';
    fclose(in);
    return content;
}

/* Five letters that die at noon, and each a minute later than the one before. */
static int begin(void **state) {
    (void)state;
    arena_init(&arena, (size_t)-1);
    strcpy(folder, "/tmp/retrystorm-expire-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/x.jsonl", folder);
    snprintf(archive, sizeof archive, "%s/old.jsonl", folder);
    text[0] = '\0';
    for (uint32_t i = 0; i < 5; i++)
        sample_add(text, sizeof text, &(struct sample){.member = i, .second = 60 * (int)i});
    write_file(file, text);
    return 0;
}

static int end(void **state) {
    (void)state;
    unlink(file);
    unlink(archive);
    assert_int_equal(rmdir(folder), 0); /* nothing else is left */
    arena_free(&arena);
    return 0;
}

/* Expires what died before so many minutes after noon. */
static struct expire_count expire(int minutes, const char *to) {
    struct letters letters;
    struct expire_count count = {0};
    struct storm_error error = {0};
    char *kept;
    if (!letters_read(&letters, file, &kept, &arena, &error) ||
        !expire_letters(&letters, SAMPLE_NOON + minutes * 60 * STORM_SECOND, to, &count, &error))
        fail_msg("%s", error.message);
    free(kept);
    return count;
}

static const char *line_at(int number) {
    const char *at = text;
    for (; number > 0; number--)
        at = strchr(at, '\n') + 1;
    return at;
}

static void old_lines_move_byte_for_byte(void **state) {
    (void)state;
    struct expire_count count = expire(2, archive);
    assert_int_equal(count.expired, 2);
    assert_int_equal(count.archived, 2);
    assert_int_equal(count.kept, 3);
    assert_string_equal(read_file(file), line_at(2));
    read_file(archive);
    assert_int_equal(strlen(content), line_at(2) - text);
    assert_memory_equal(content, text, strlen(content));
}

static void an_archive_grows(void **state) {
    (void)state;
    expire(2, archive);
    expire(4, archive);
    assert_string_equal(read_file(file), line_at(4));
    read_file(archive);
    assert_int_equal(strlen(content), line_at(4) - text);
    assert_memory_equal(content, text, strlen(content));
}

static void nothing_old_touches_nothing(void **state) {
    (void)state;
    struct expire_count count = expire(0, archive);
    assert_int_equal(count.expired, 0);
    assert_int_equal(count.kept, 5);
    assert_int_equal(access(archive, F_OK), -1);
    assert_string_equal(read_file(file), text);
}

static void killed_between_the_files_it_archives_nothing_twice(void **state) {
    (void)state;
    expire(2, archive);
    write_file(file, text); /* as it was: the second file had not been renamed */
    struct expire_count count = expire(3, archive);
    assert_int_equal(count.expired, 3);
    assert_int_equal(count.archived, 1);
    assert_string_equal(read_file(file), line_at(3));
    read_file(archive);
    assert_int_equal(strlen(content), line_at(3) - text);
    assert_memory_equal(content, text, strlen(content));
}

static void without_an_archive_they_are_gone(void **state) {
    (void)state;
    struct expire_count count = expire(5, NULL);
    assert_int_equal(count.expired, 5);
    assert_int_equal(count.archived, 0);
    assert_string_equal(read_file(file), "");
}

static void a_broken_archive_stops_it_before_anything_is_lost(void **state) {
    (void)state;
    struct letters letters;
    struct expire_count count;
    struct storm_error error = {0};
    char *kept;
    write_file(archive, "{\n");
    assert_true(letters_read(&letters, file, &kept, &arena, &error));
    assert_false(
        expire_letters(&letters, SAMPLE_NOON + 60 * STORM_SECOND, archive, &count, &error));
    assert_non_null(strstr(error.message, "old.jsonl:1:"));
    free(kept);
    assert_string_equal(read_file(file), text);
    assert_string_equal(read_file(archive), "{\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(old_lines_move_byte_for_byte, begin, end),
        cmocka_unit_test_setup_teardown(an_archive_grows, begin, end),
        cmocka_unit_test_setup_teardown(nothing_old_touches_nothing, begin, end),
        cmocka_unit_test_setup_teardown(killed_between_the_files_it_archives_nothing_twice, begin,
                                        end),
        cmocka_unit_test_setup_teardown(without_an_archive_they_are_gone, begin, end),
        cmocka_unit_test_setup_teardown(a_broken_archive_stops_it_before_anything_is_lost, begin,
                                        end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
