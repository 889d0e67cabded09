/* test_series.c: rates from files: what is read, what is refused, and where files may be. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "scenario/series.h"
#include "unit/scenario/rig.h"

#define SERIES(name)                                                                               \
    RIG_HEAD RIG_SERVICES "clients: {web: {count: 10, arrivals: {series: " name                    \
                          "}, calls: {to: api}}}\n"

/* ---- the text -------------------------------------------------------------------------------- */

/* Parses a text that must be good; the caller frees the arena. */
static uint32_t parse_good(struct arena *arena, const char *text,
                           const struct storm_rate_point **points) {
    char wrong[128] = "";
    arena_init(arena, 1 << 24);
    uint32_t count = series_parse(arena, text, strlen(text), points, wrong, sizeof wrong);
    if (count == 0)
        fail_msg("%s", wrong);
    return count;
}

static void lines_of_time_and_value_are_read(void **state) {
    (void)state;
    static const char *const texts[] = {
        "0,10\n1.5,20.25\n60,0\n",
        "time,value\n0,10\n1.5,20.25\n60,0",
        "\xEF\xBB\xBF# m\r\n\r\n\"time\",\"value\"\r\n0s, 10/s\r\n1500ms,20.25/s # x\r\n1m,0\r\n",
        "\n  # c\nSeconds, Requests\n 0 ,\t10 \n \"1.5\",\"20.25\"\n60,0/h\n\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct arena arena;
        const struct storm_rate_point *points;
        assert_int_equal(parse_good(&arena, texts[i], &points), 3);
        assert_int_equal(points[0].at, 0);
        assert_int_equal(points[1].at, 1500 * STORM_MILLISECOND);
        assert_int_equal(points[2].at, 60 * STORM_SECOND);
        assert_true(points[0].rate == 10.0 && points[1].rate == 20.25 && points[2].rate == 0.0);
        arena_free(&arena);
    }
}

static void a_bad_line_is_named_by_its_number(void **state) {
    (void)state;
    static const char *const rows[][2] = {
        {"", " has no line time,value"},
        {"# nothing\n\n", " has no line time,value"},
        {"time,value\n", " has no line time,value"},
        {"0,0\n1,0\n", " all rates are 0"},
        {"0,1\n0,2\n", "2: '0' is not later than the line before"},
        {"0,1\n5,1\n4,2\n", "3: '4' is not later than the line before"},
        {"time,value\n0;1\n", "2: has no comma; a line is time,value"},
        {"0,1,2\n", "1: has more than two columns"},
        {"0,-1\n", "1: '-1' is negative"},
        {"-1,1\n", "1: '-1' is negative"},
        {"0,1\ntime,value\n", "2: 'time' is not a number"},
        {"0,nan\n", "1: 'nan' is not a number"},
        {"0,1e3\n", "1: '1e3' has an exponent"},
        {"0,12x\n", "1: '12x' has an unknown unit"},
        {"0m,\n", "1: '' is empty"},
        {"1700000000,5\n", "1: '1700000000' is too late; times count from the start of the run"},
        {"0,10G/s\n", "1: '10G/s' has an unknown unit"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena arena;
        const struct storm_rate_point *points;
        char wrong[128] = "";
        arena_init(&arena, 1 << 20);
        assert_int_equal(
            series_parse(&arena, rows[i][0], strlen(rows[i][0]), &points, wrong, sizeof wrong), 0);
        assert_string_equal(wrong, rows[i][1]);
        arena_free(&arena);
    }
}

static void the_number_of_lines_has_a_limit(void **state) {
    (void)state;
    char *text = malloc(2 << 20);
    char wrong[128] = "";
    const struct storm_rate_point *points;
    struct arena arena;
    size_t used = 0;
    assert_non_null(text);
    for (int i = 0; i < STORM_RATE_POINTS_MAX; i++)
        used += (size_t)sprintf(text + used, "%d,1\n", i);
    assert_int_equal(parse_good(&arena, text, &points), STORM_RATE_POINTS_MAX);
    arena_free(&arena);
    arena_init(&arena, 1 << 24);
    used += (size_t)sprintf(text + used, "100000,1\n");
    assert_int_equal(series_parse(&arena, text, used, &points, wrong, sizeof wrong), 0);
    assert_string_equal(wrong, "100001: is one more than 100000 points");
    arena_free(&arena);
    arena_init(&arena, 1 << 16);
    assert_int_equal(series_parse(&arena, text, used, &points, wrong, sizeof wrong), 0);
    assert_non_null(strstr(wrong, "out of memory"));
    arena_free(&arena);
    free(text);
}

static void the_hash_tells_points_apart(void **state) {
    (void)state;
    const struct storm_rate_point points[] = {{0, 1}, {5, 2}, {9, 0}};
    const struct storm_rate_point later[] = {{0, 1}, {6, 2}, {9, 0}};
    const struct storm_rate_point higher[] = {{0, 1}, {5, 2.0000000000000004}, {9, 0}};
    uint64_t hash = series_hash(points, 3);
    assert_true(hash == series_hash(points, 3));
    assert_true(hash != series_hash(points, 2));
    assert_true(hash != series_hash(later, 3));
    assert_true(hash != series_hash(higher, 3));
}

/* ---- the file -------------------------------------------------------------------------------- */

/* A folder of its own for a test, with a file load.csv. */
struct folder {
    char path[64];
};

static char *file_of(const struct folder *folder, const char *name, char *path, size_t size) {
    snprintf(path, size, "%s/%s", folder->path, name);
    return path;
}

static void file_write(const struct folder *folder, const char *name, const char *text) {
    char path[128];
    FILE *out = fopen(file_of(folder, name, path, sizeof path), "wb");
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
}

static struct folder folder_make(void) {
    struct folder folder = {"/tmp/retrystorm-series-XXXXXX"};
    assert_non_null(mkdtemp(folder.path));
    file_write(&folder, "load.csv", "time,value\n0,10\n60,20\n");
    return folder;
}

static void folder_remove(const struct folder *folder) {
    static const char *const names[] = {"load.csv", "s.yaml", "fifo", "big.csv"};
    char path[128];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        unlink(file_of(folder, names[i], path, sizeof path));
    assert_int_equal(rmdir(folder->path), 0);
}

static struct storm_document *parse_in(const struct folder *folder, const char *text) {
    char path[128];
    struct storm_document *d = rig_parse(text);
    assert_true(storm_document_locate(d, file_of(folder, "s.yaml", path, sizeof path)));
    return d;
}

static void a_series_is_found_beside_the_scenario(void **state) {
    (void)state;
    struct folder folder = folder_make();
    char path[128];
    file_write(&folder, "s.yaml", SERIES("load.csv"));
    struct storm_errors errors = {.count = 0};
    struct storm_document *d =
        storm_document_read(file_of(&folder, "s.yaml", path, sizeof path), &errors);
    assert_non_null(d);
    const struct storm_scenario *s = rig_decode(d, NULL, NULL, NULL);
    const struct storm_population *web = &s->populations[0];
    assert_int_equal(web->arrival, STORM_ARRIVAL_RATE);
    assert_int_equal(web->point_count, 2);
    assert_string_equal(web->series, "load.csv");
    assert_int_equal(web->points[1].at, 60 * STORM_SECOND);
    assert_true(web->points[1].rate == 20.0);
    storm_document_free(d);
    d = rig_parse(SERIES("load.csv")); /* looked for in the current folder */
    assert_non_null(strstr(rig_refuse(d, NULL, NULL, NULL).list[0].message, "cannot be read"));
    storm_document_free(d);
    folder_remove(&folder);
}

static void other_data_are_another_scenario(void **state) {
    (void)state;
    struct folder folder = folder_make();
    struct storm_document *d = parse_in(&folder, SERIES("load.csv"));
    const struct storm_scenario *s = rig_decode(d, NULL, NULL, NULL);
    const char *path = "clients.web.arrivals.series";
    const char *first = rig_setting(d, s, path);
    assert_int_equal(strlen(first), strlen("load.csv#0123456789abcdef"));
    assert_string_equal(rig_setting(d, rig_decode(d, NULL, path, first), path), first);
    /* A document reads its files once. */
    file_write(&folder, "load.csv", "0,10\n60,21\n");
    assert_string_equal(rig_setting(d, rig_decode(d, NULL, NULL, NULL), path), first);
    struct storm_document *later = parse_in(&folder, SERIES("load.csv"));
    s = rig_decode(later, NULL, NULL, NULL);
    assert_string_not_equal(rig_setting(later, s, path), first);
    struct storm_errors errors = rig_refuse(later, NULL, path, first);
    assert_string_equal(errors.list[0].message,
                        "clients.web.arrivals.series: the data of 'load.csv' has changed");
    storm_document_free(later);
    storm_document_free(d);
    folder_remove(&folder);
}

static void only_files_of_the_folder_are_read(void **state) {
    (void)state;
    struct folder folder = folder_make();
    char path[128];
    assert_int_equal(mkfifo(file_of(&folder, "fifo", path, sizeof path), 0600), 0);
    static const char *const rows[][2] = {
        {"/etc/passwd", "'/etc/passwd' is not in the scenario's folder"},
        {"../load.csv", "'../load.csv' is not in the scenario's folder"},
        {"a/../../load.csv", "'a/../../load.csv' is not in the scenario's folder"},
        {"a/..", "'a/..' is not in the scenario's folder"},
        {"..", "'..' is not in the scenario's folder"},
        {"fifo", "'fifo' cannot be read: it is no regular file"},
        {".", "'.' cannot be read: it is no regular file"},
        {"\"a\\tb\"", "'a?b' is no name of a file"},
        {"\"\"", "'' is no name of a file"},
        {"none.csv", "'none.csv' cannot be read: No such file or directory"},
    };
    struct storm_document *d = parse_in(&folder, SERIES("load.csv"));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct storm_errors errors = rig_refuse(d, NULL, "clients.web.arrivals.series", rows[i][0]);
        assert_int_equal(errors.count, 1);
        assert_string_equal(strchr(errors.list[0].message, ' ') + 1, rows[i][1]);
    }
    rig_decode(d, NULL, "clients.web.arrivals.series", "./load.csv");
    storm_document_free(d);
    folder_remove(&folder);
}

static void a_series_beyond_the_limit_is_refused(void **state) {
    (void)state;
    struct folder folder = folder_make();
    char path[128];
    file_write(&folder, "big.csv", "0,1\n");
    assert_int_equal(
        truncate(file_of(&folder, "big.csv", path, sizeof path), (off_t)STORM_FILE_MAX + 1), 0);
    struct storm_document *d = parse_in(&folder, SERIES("big.csv"));
    assert_string_equal(rig_refuse(d, NULL, NULL, NULL).list[0].message,
                        "'big.csv' cannot be read: it is larger than 16 MiB");
    storm_document_free(d);
    folder_remove(&folder);
}

static void a_broken_document_leaves_its_files_alone(void **state) {
    (void)state;
    struct storm_errors errors = {.count = 0};
    static const char text[] = SERIES("nowhere.csv") "runs: 3\nruns: 4\n";
    assert_null(storm_document_parse(text, strlen(text), &errors));
    assert_int_equal(errors.count, 1);
    assert_non_null(strstr(errors.list[0].message, "twice"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_of_time_and_value_are_read),
        cmocka_unit_test(a_bad_line_is_named_by_its_number),
        cmocka_unit_test(the_number_of_lines_has_a_limit),
        cmocka_unit_test(the_hash_tells_points_apart),
        cmocka_unit_test(a_series_is_found_beside_the_scenario),
        cmocka_unit_test(other_data_are_another_scenario),
        cmocka_unit_test(only_files_of_the_folder_are_read),
        cmocka_unit_test(a_series_beyond_the_limit_is_refused),
        cmocka_unit_test(a_broken_document_leaves_its_files_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
