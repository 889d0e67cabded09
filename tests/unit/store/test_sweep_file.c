/* test_sweep_file.c: a sweep's file is begun, gone on with, finished and merged. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/sweep_file.h"

#include "base/stream.h"
#include "sample.h"
#include "store/sweep_merge.h"

static void the_bytes_tell_nothing_of_how_the_runs_came(void **state) {
    (void)state;
    struct sample sample;
    struct storm_error error = {0};
    sample_init(&sample);
    sample_make(&sample, "in-order.sqlite");
    for (uint32_t seed = 0; seed < 5; seed++) {
        char path[32];
        uint32_t order[SAMPLE_ALL];
        snprintf(path, sizeof path, "shuffled-%u.sqlite", seed);
        for (uint32_t i = 0; i < SAMPLE_ALL; i++) {
            uint32_t place = (uint32_t)(stream_uniform(seed, 1, i) * (i + 1));
            order[i] = order[place];
            order[place] = i;
        }
        for (uint32_t from = 0; from < SAMPLE_ALL;) { /* each block by another opening */
            uint32_t block = 1 + (uint32_t)(stream_uniform(seed, 2, from) * 20);
            struct arena arena;
            block = block < SAMPLE_ALL - from ? block : SAMPLE_ALL - from;
            arena_init(&arena, 1 << 24);
            struct sweep_file *file = sweep_file_open(path, &sample.head, &arena, &error);
            assert_non_null(file);
            assert_false(sweep_file_is_complete(file));
            assert_int_equal(sweep_file_count(file), from);
            for (uint32_t i = 0; i < SAMPLE_ALL; i++) {
                assert_int_equal(sweep_file_has(file, order[i]), i < from);
            }
            sample_add(file, &order[from], block);
            from += block;
            assert_true(from < SAMPLE_ALL || sweep_file_finish(file, &error));
            sweep_file_close(file);
            arena_free(&arena);
        }
        sample_same("in-order.sqlite", path);
    }
    assert_int_not_equal(access("in-order.sqlite-journal", F_OK), 0);
}

static void a_finished_file_is_left_as_it_is(void **state) {
    (void)state;
    struct sample sample;
    struct arena arena;
    struct storm_error error = {0};
    sample_init(&sample);
    sample_make(&sample, "done.sqlite");
    sample_make(&sample, "again.sqlite");
    arena_init(&arena, 1 << 24);
    assert_int_equal(system("chmod a-w done.sqlite"), 0);
    struct sweep_file *file = sweep_file_open("done.sqlite", &sample.head, &arena, &error);
    assert_non_null(file);
    assert_true(sweep_file_is_complete(file));
    assert_int_equal(sweep_file_count(file), SAMPLE_ALL);
    assert_true(sweep_file_has(file, 17));
    sweep_file_close(file);
    arena_free(&arena);
    sample_same("done.sqlite", "again.sqlite");
}

/* Opens a file for a head that it is not of. */
static void expect_refusal(const char *path, const struct sweep_head *head,
                           enum storm_status status, const char *message) {
    struct arena arena;
    struct storm_error error = {0};
    arena_init(&arena, 1 << 24);
    assert_null(sweep_file_open(path, head, &arena, &error));
    if (error.status != status || strstr(error.message, message) == NULL) {
        fail_msg("%d %s", error.status, error.message);
    }
    arena_free(&arena);
}

static void another_sweep_is_refused_and_the_difference_named(void **state) {
    (void)state;
    struct sample sample, other;
    struct storm_metric metrics[SAMPLE_METRICS];
    sample_init(&sample);
    sample_make(&sample, "mine.sqlite");
#define DIFFER(change, message)                                                                    \
    sample_init(&other);                                                                           \
    change;                                                                                        \
    expect_refusal("mine.sqlite", &other.head, STORM_INVALID, message)
    DIFFER(other.head.sweep.seed = 7, "its seed is 18446744073709551615, not 7");
    DIFFER(other.head.sweep.runs = 6, "it has 5 runs at each point, not 6");
    DIFFER(other.axes[0].path = "policies.app.base",
           "it varies policies.app.cap, variant, not policies.app.base, variant");
    DIFFER(other.head.sweep.axis_count = 1, "it varies policies.app.cap, variant, not "
                                            "policies.app.cap");
    DIFFER(other.head.method = "sobol", "its points are grid, not sobol");
    DIFFER(other.head.sweep.point_count = 9, "it has 12 points, not 9");
    DIFFER(other.labels[5][1] = "busier", "it has other values of variant");
    DIFFER(other.head.sweep.variant = "calm",
           "it is of the scenario as it stands, not of the variant 'calm'");
    DIFFER((other.head.sweep.overrides = "a=1", other.head.sweep.hash[3] = 'f'),
           "it has nothing set, not 'a=1'");
    DIFFER(other.head.sweep.hash[3] = 'f', "the scenario or its settings are others (hash "
                                           "0123456789abcdef, not 012f456789abcdef)");
    DIFFER((other.head.shard = 2, other.head.shards = 4), "is a whole sweep, not shard 2/4");
    DIFFER((memcpy(metrics, sample_metrics, sizeof metrics), metrics[1].name = "last_bad",
            other.head.metrics = metrics),
           "made by a version with other metrics");
#undef DIFFER
}

static void what_is_no_sweep_is_refused(void **state) {
    (void)state;
    struct sample sample;
    sqlite3 *handle;
    sample_init(&sample);
    sample_write("text.sqlite",
                 "This is a letter to my aunt, who lives by the sea and is well.\n"
                 "It has more than a hundred bytes, as SQLite's head has.\n",
                 119);
    expect_refusal("text.sqlite", &sample.head, STORM_INVALID, "no SQLite file");
    assert_int_equal(sqlite3_open("other.sqlite", &handle), SQLITE_OK);
    sqlite3_exec(handle, "CREATE TABLE aunts(name TEXT)", NULL, NULL, NULL);
    sqlite3_close(handle);
    expect_refusal("other.sqlite", &sample.head, STORM_INVALID, "is no sweep");
    assert_int_equal(system("mkdir folder.sqlite"), 0);
    expect_refusal("folder.sqlite", &sample.head, STORM_IO, "a sweep needs a file");
    expect_refusal("missing/x.sqlite", &sample.head, STORM_IO, "cannot open 'missing/x.sqlite'");
}

static void nobody_else_may_write_meanwhile(void **state) {
    (void)state;
    struct sample sample;
    struct arena arena;
    struct storm_error error = {0};
    const uint32_t first = 0;
    sample_init(&sample);
    arena_init(&arena, 1 << 24);
    struct sweep_file *file = sweep_file_open("held.sqlite", &sample.head, &arena, &error);
    assert_non_null(file);
    expect_refusal("held.sqlite", &sample.head, STORM_IO, "is in use by another program");
    sample_add(file, &first, 1); /* and the holder goes on */
    sweep_file_close(file);
    arena_free(&arena);
}

/* A kill right after the file was made, or before its first block was whole, leaves these. */
static void an_empty_file_is_begun_and_half_a_block_is_forgotten(void **state) {
    (void)state;
    struct sample sample;
    struct arena arena;
    struct storm_error error = {0};
    size_t length, journal_length;
    sample_init(&sample);
    sample_make(&sample, "whole.sqlite");
    sample_write("empty.sqlite", "", 0);
    sample_make(&sample, "empty.sqlite");
    sample_same("whole.sqlite", "empty.sqlite");
    /* The state in the middle of a transaction: pages spilt into the file, a hot journal. */
    arena_init(&arena, 1 << 24);
    struct sweep_file *file = sweep_file_open("half.sqlite", &sample.head, &arena, &error);
    sample_add(file, (const uint32_t[]){0, 1, 2}, 3);
    sweep_file_close(file);
    sqlite3 *handle;
    assert_int_equal(sqlite3_open("half.sqlite", &handle), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(handle,
                     "PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN;"
                     "UPDATE runs SET digest = 'ffffffffffffffff', goodput = 1;"
                     "CREATE TABLE big AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL "
                     "SELECT i + 1 FROM n WHERE i < 2000) SELECT i, hex(zeroblob(100)) "
                     "AS x FROM n",
                     NULL, NULL, NULL),
        SQLITE_OK);
    char *bytes = sample_read("half.sqlite", &length);
    char *journal = sample_read("half.sqlite-journal", &journal_length);
    sqlite3_close(handle);
    sample_write("half.sqlite", bytes, length);
    sample_write("half.sqlite-journal", journal, journal_length);
    assert_true(journal_length > 512 && length > 40000);
    arena_free(&arena);
    file = sweep_file_open("half.sqlite", &sample.head, &arena, &error);
    assert_non_null(file);
    assert_int_equal(sweep_file_count(file), 3);
    for (uint32_t number = 3; number < SAMPLE_ALL; number++) {
        sample_add(file, &number, 1);
    }
    assert_true(sweep_file_finish(file, &error));
    sweep_file_close(file);
    sample_same("whole.sqlite", "half.sqlite");
    free(bytes);
    free(journal);
    arena_free(&arena);
}

static bool merge(const char *file, const char *const *shards, uint32_t count,
                  struct storm_error *error) {
    struct arena arena;
    arena_init(&arena, 1 << 24);
    *error = (struct storm_error){0};
    bool merged = sweep_merge(file, shards, count, &arena, error);
    arena_free(&arena);
    return merged;
}

static void expect_no_merge(const char *const *shards, uint32_t count, const char *message) {
    struct storm_error error;
    assert_false(merge("not.sqlite", shards, count, &error));
    if (error.status != STORM_INVALID || strstr(error.message, message) == NULL) {
        fail_msg("%d %s", error.status, error.message);
    }
    assert_int_not_equal(access("not.sqlite", F_OK), 0);
}

static void make_shards(void) {
    struct sample sample;
    sample_init(&sample);
    sample.head.shards = 4;
    for (sample.head.shard = 1; sample.head.shard <= 4; sample.head.shard++) {
        char path[16];
        snprintf(path, sizeof path, "s%u.sqlite", sample.head.shard);
        sample_make(&sample, path);
    }
}

static void shards_in_any_order_make_the_same_bytes(void **state) {
    (void)state;
    static const char *const orders[][4] = {{"s1.sqlite", "s2.sqlite", "s3.sqlite", "s4.sqlite"},
                                            {"s3.sqlite", "s1.sqlite", "s4.sqlite", "s2.sqlite"},
                                            {"s4.sqlite", "s3.sqlite", "s2.sqlite", "s1.sqlite"}};
    struct sample sample;
    struct storm_error error;
    sample_init(&sample);
    sample_make(&sample, "alone.sqlite");
    make_shards();
    for (int i = 0; i < 3; i++) { /* from the second on over a finished sweep */
        if (!merge("merged.sqlite", orders[i], 4, &error)) {
            fail_msg("%s", error.message);
        }
        sample_same("alone.sqlite", "merged.sqlite");
    }
}

static void shards_that_do_not_fit_are_named(void **state) {
    (void)state;
    struct sample sample;
    struct arena arena;
    struct storm_error error = {0};
    make_shards();
    expect_no_merge((const char *const[]){"s1.sqlite", "s4.sqlite"}, 2,
                    "2 shards are missing: 2/4, 3/4");
    expect_no_merge((const char *const[]){"s1.sqlite", "s4.sqlite", "s2.sqlite"}, 3,
                    "1 shard is missing: 3/4");
    expect_no_merge((const char *const[]){"s1.sqlite", "s2.sqlite", "./s2.sqlite"}, 3,
                    "'s2.sqlite' and './s2.sqlite' are both shard 2/4");
    sample_init(&sample);
    sample_make(&sample, "no-shard.sqlite");
    expect_no_merge((const char *const[]){"no-shard.sqlite"}, 1, "no shard but a whole sweep");
    sample.head.shard = 3;
    sample.head.shards = 4;
    sample.head.sweep.seed = 9;
    sample_make(&sample, "foreign.sqlite");
    expect_no_merge((const char *const[]){"s1.sqlite", "foreign.sqlite"}, 2,
                    "'foreign.sqlite' is another sweep: its seed is 9, not");
    sample_init(&sample);
    sample.head.shard = 3;
    sample.head.shards = 5;
    sample_make(&sample, "of-five.sqlite");
    expect_no_merge((const char *const[]){"s1.sqlite", "of-five.sqlite"}, 2,
                    "'of-five.sqlite' is shard 3/5, but 's1.sqlite' is one of 4");
    sample.head.shards = 4;
    arena_init(&arena, 1 << 24);
    struct sweep_file *file = sweep_file_open("begun.sqlite", &sample.head, &arena, &error);
    assert_non_null(file);
    sweep_file_close(file);
    expect_no_merge((const char *const[]){"s1.sqlite", "begun.sqlite"}, 2, "is not finished");
    static const char *const all[] = {"s1.sqlite", "s2.sqlite", "s3.sqlite", "s4.sqlite"};
    assert_false(merge("begun.sqlite", all, 4, &error));
    assert_non_null(strstr(error.message, "'begun.sqlite' is there, and is a shard"));
    arena_free(&arena);
}

static void a_shard_that_was_changed_is_named(void **state) {
    (void)state;
    sqlite3 *handle;
    make_shards();
    assert_int_equal(sqlite3_open("s3.sqlite", &handle), SQLITE_OK);
    sqlite3_exec(handle, "UPDATE runs SET goodput = goodput + 1 WHERE id = 6", NULL, NULL, NULL);
    assert_int_equal(sqlite3_changes(handle), 1);
    sqlite3_close(handle);
    expect_no_merge((const char *const[]){"s1.sqlite", "s4.sqlite", "s2.sqlite", "s3.sqlite"}, 4,
                    "'s3.sqlite' is no sweep, or is damaged: it does not hold what was written");
}

/* What cannot be made again by the same command is not overwritten. */
static void a_merge_replaces_nothing_but_itself(void **state) {
    (void)state;
    static const char *const all[] = {"s1.sqlite", "s2.sqlite", "s3.sqlite", "s4.sqlite"};
    struct sample sample;
    struct storm_error error;
    make_shards();
    assert_false(merge("s1.sqlite", all, 4, &error));
    assert_non_null(strstr(error.message, "'s1.sqlite' is there, and is a shard"));
    assert_true(merge("still.sqlite", all, 4, &error));
    sample_init(&sample);
    sample.head.sweep.seed = 9;
    sample_make(&sample, "other.sqlite");
    assert_false(merge("other.sqlite", all, 4, &error));
    assert_int_equal(error.status, STORM_INVALID);
    assert_non_null(strstr(error.message, "'other.sqlite' is another sweep: its seed is 9"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bytes_tell_nothing_of_how_the_runs_came),
        cmocka_unit_test(a_finished_file_is_left_as_it_is),
        cmocka_unit_test(another_sweep_is_refused_and_the_difference_named),
        cmocka_unit_test(what_is_no_sweep_is_refused),
        cmocka_unit_test(nobody_else_may_write_meanwhile),
        cmocka_unit_test(an_empty_file_is_begun_and_half_a_block_is_forgotten),
        cmocka_unit_test(shards_in_any_order_make_the_same_bytes),
        cmocka_unit_test(shards_that_do_not_fit_are_named),
        cmocka_unit_test(a_shard_that_was_changed_is_named),
        cmocka_unit_test(a_merge_replaces_nothing_but_itself),
    };
    return cmocka_run_group_tests(tests, sample_enter, sample_leave);
}
