/* test_sweep_read.c: what a sweep's file says of its points, and what becomes of a damaged one. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/sweep_read.h"

#include "base/stream.h"
#include "sample.h"
#include "store/sweep_merge.h"

static struct storm_sweep read_good(const char *path, struct arena *arena) {
    struct storm_sweep sweep;
    struct storm_error error = {0};
    if (!sweep_read(path, arena, &sweep, &error)) {
        fail_msg("%s", error.message);
    }
    return sweep;
}

static void a_finished_sweep_says_what_was_asked(void **state) {
    (void)state;
    struct sample sample;
    struct arena arena;
    sample_init(&sample);
    sample_make(&sample, "good.sqlite");
    arena_init(&arena, 1 << 24);
    struct storm_sweep sweep = read_good("good.sqlite", &arena);
    assert_string_equal(sweep.title, "A sample; it's made by hand");
    assert_string_equal(sweep.question, "Where is the cliff?");
    assert_string_equal(sweep.file, "sample.yaml");
    assert_null(sweep.variant);
    assert_string_equal(sweep.hash, "0123456789abcdef");
    assert_true(sweep.seed == UINT64_MAX && sweep.runs == SAMPLE_RUNS && sweep.complete);
    assert_int_equal(sweep.axis_count, 2);
    assert_string_equal(sweep.axes[0].path, "policies.app.cap");
    assert_string_equal(sweep.axes[0].unit, "s");
    assert_true(sweep.axes[0].is_log && sweep.axes[0].from == 1 && sweep.axes[0].to == 40);
    assert_null(sweep.axes[1].unit);
    assert_true(isnan(sweep.axes[1].from));
    assert_int_equal(sweep.axes[0].value_count, SAMPLE_CAPS);
    for (int i = 0; i < SAMPLE_CAPS; i++) {
        assert_string_equal(sweep.axes[0].labels[i], sample_caps[i]);
        assert_true(sweep.axes[0].numbers[i] == sample_cap_numbers[i]);
    }
    for (int i = 0; i < SAMPLE_LOADS; i++) {
        assert_string_equal(sweep.axes[1].labels[i], sample_loads[i]);
        assert_true(isnan(sweep.axes[1].numbers[i]));
    }
    arena_free(&arena);
}

static void it_says_of_which_variant_it_is(void **state) {
    (void)state;
    struct sample sample;
    struct arena arena;
    sample_init(&sample);
    sample.head.sweep.variant = "it's calm";
    sample.head.sweep.overrides = "faults.0.for=30s";
    sample_make(&sample, "variant.sqlite");
    arena_init(&arena, 1 << 24);
    struct storm_sweep sweep = read_good("variant.sqlite", &arena);
    assert_string_equal(sweep.variant, "it's calm");
    assert_string_equal(sweep.overrides, "faults.0.for=30s");
    arena_free(&arena);
}

/* By hand: dead letters of a good point are 0 1 2 3 4, of a stuck one 0 1001 1002 1003 1004; its
   time is 3.5 s + its number, but that of the unharmed run is 0 and that of a stuck one has no
   end. */
static void a_point_says_what_its_runs_gave(void **state) {
    (void)state;
    struct sample sample;
    struct arena arena;
    sample_init(&sample);
    sample_make(&sample, "good.sqlite");
    arena_init(&arena, 1 << 24);
    struct storm_sweep sweep = read_good("good.sqlite", &arena);
    assert_int_equal(sweep.point_count, SAMPLE_POINTS);
    for (uint32_t p = 0; p < SAMPLE_POINTS; p++) {
        const struct storm_sweep_point *point = &sweep.points[p];
        bool is_stuck = p / SAMPLE_LOADS >= 2 && p % SAMPLE_LOADS > 0;
        assert_int_equal(point->runs, SAMPLE_RUNS);
        assert_int_equal(point->judged, SAMPLE_RUNS);
        assert_int_equal(point->good, is_stuck ? 1 : SAMPLE_RUNS);
        assert_true(point->dead_letters == (is_stuck ? 1002 : 2));
        assert_true(is_stuck ? isinf(point->time_to_recover) : point->time_to_recover == 3.5 + p);
        assert_true(point->peak_load == 1.25 * (1 + p % SAMPLE_LOADS));
        /* The first point has the least of everything. */
        assert_int_equal(point->is_front, p == 0);
    }
    arena_free(&arena);
}

static void a_sweep_under_way_and_a_shard_have_fewer_runs(void **state) {
    (void)state;
    struct sample sample;
    struct arena arena;
    struct storm_error error = {0};
    sample_init(&sample);
    arena_init(&arena, 1 << 24);
    struct sweep_file *file = sweep_file_open("begun.sqlite", &sample.head, &arena, &error);
    sample_add(file, (const uint32_t[]){0, 2, 16}, 3);
    sweep_file_close(file);
    struct storm_sweep sweep = read_good("begun.sqlite", &arena);
    assert_false(sweep.complete);
    assert_int_equal(sweep.points[0].runs, 2);
    assert_int_equal(sweep.points[1].runs, 0);
    assert_true(isnan(sweep.points[1].dead_letters) && !sweep.points[1].is_front);
    assert_int_equal(sweep.points[3].runs, 1);
    sample.head.shard = sample.head.shards = 2;
    sample_make(&sample, "shard.sqlite");
    sweep = read_good("shard.sqlite", &arena);
    assert_false(sweep.complete);
    assert_int_equal(sweep.points[0].runs + sweep.points[1].runs, SAMPLE_RUNS);
    arena_free(&arena);
}

/* SQLite takes names that differ in case for one: both metrics must be there, each with its own
   values, and a metric that has the name of another column, too. */
static void metrics_whose_names_are_taken_keep_their_values(void **state) {
    (void)state;
    struct sample sample;
    sqlite3 *handle;
    sqlite3_stmt *select;
    sample_init(&sample);
    sample_make(&sample, "good.sqlite");
    assert_int_equal(sqlite3_open("good.sqlite", &handle), SQLITE_OK);
    assert_int_equal(
        sqlite3_prepare_v2(handle,
                           "SELECT \"peak_load_capacity.api\", \"peak_load_capacity.API#2\", "
                           "duration, \"duration#2\", goodput, verdict, digest FROM runs "
                           "WHERE point = 4 AND run = 2",
                           -1, &select, NULL),
        SQLITE_OK);
    assert_int_equal(sqlite3_step(select), SQLITE_ROW);
    assert_true(sqlite3_column_double(select, 0) == 2.5);
    assert_int_equal(sqlite3_column_type(select, 1), SQLITE_NULL);
    assert_true(sqlite3_column_double(select, 2) == 240.5);
    assert_true(isinf(sqlite3_column_double(select, 3)));
    assert_true(sqlite3_column_double(select, 4) == 1.0 / 25);
    assert_string_equal((const char *)sqlite3_column_text(select, 5), "recovered");
    assert_string_equal((const char *)sqlite3_column_text(select, 6), "f000000000000016");
    sqlite3_finalize(select);
    sqlite3_close(handle);
}

/* ---- damage ---------------------------------------------------------------------------------- */

/* Whatever the bytes are, nothing crashes, and what is refused is refused with a reason. */
static void try_everything(const struct sample *sample, const char *path) {
    struct storm_sweep sweep;
    struct arena arena;
    struct storm_error error = {0};
    arena_init(&arena, 1 << 26);
    if (!sweep_read(path, &arena, &sweep, &error)) {
        assert_true(error.status != STORM_OK && error.message[0] != '\0');
    } else {
        double sum = 0; /* all that it says can be looked at */
        for (uint32_t p = 0; p < sweep.point_count; p++) {
            sum += sweep.points[p].dead_letters + (double)strlen(sweep.points[p].labels[0]);
            assert_true(sweep.points[p].good <= sweep.points[p].judged);
        }
        (void)sum;
    }
    error = (struct storm_error){0};
    struct sweep_file *file = sweep_file_open(path, &sample->head, &arena, &error);
    if (file == NULL) {
        assert_true(error.status != STORM_OK && error.message[0] != '\0');
    } else if (!sweep_file_is_complete(file) &&
               sweep_file_count(file) == sweep_head_rows(&sample->head)) {
        bool finished = sweep_file_finish(file, &error);
        assert_true(finished || error.status != STORM_OK);
    }
    sweep_file_close(file);
    arena_free(&arena);
    arena_init(&arena, 1 << 26);
    error = (struct storm_error){0};
    if (!sweep_merge("out.sqlite", &path, 1, &arena, &error)) {
        assert_true(error.status != STORM_OK && error.message[0] != '\0');
    }
    arena_free(&arena);
    remove("out.sqlite");
    remove("damaged.sqlite-journal");
}

/* Flips bits, copies pages over one another, cuts and fills, at places that are drawn. */
static size_t damage(uint64_t key, char *bytes, size_t length) {
    uint32_t kind = (uint32_t)(stream_uniform(key, 1, 0) * 5), k = 1;
    uint32_t times = 1 + (uint32_t)(stream_uniform(key, 1, k++) * 8);
    size_t pages = length / 4096;
    for (uint32_t i = 0; i < times; i++) {
        size_t at = (size_t)(stream_uniform(key, 1, k++) * (double)length);
        size_t page = (size_t)(stream_uniform(key, 1, k++) * (double)pages);
        switch (kind) {
        case 0: /* a bit anywhere */
            bytes[at] = (char)(bytes[at] ^ 1 << (at % 8));
            break;
        case 1: /* a byte in the head of a page, where its cells are told */
            bytes[page * 4096 + at % 60] = (char)(stream_bits(key, 2, i) & 0xff);
            break;
        case 2: /* a byte of the file's head and of the schema */
            bytes[at % 3000] = (char)(stream_bits(key, 2, i) & 0xff);
            break;
        case 3: /* a page over another */
            memmove(bytes + page * 4096, bytes + at / 4096 * 4096, 4096);
            break;
        default: /* an end */
            return at;
        }
    }
    return length;
}

static void a_damaged_file_crashes_nothing(void **state) {
    (void)state;
    struct sample samples[3];
    static const char *const paths[] = {"whole.sqlite", "part.sqlite", "begun.sqlite"};
    struct arena arena;
    struct storm_error error = {0};
    uint32_t refused = 0;
    bool is_long = getenv("STORM_FULL") != NULL;
    for (int i = 0; i < 3; i++) {
        sample_init(&samples[i]);
    }
    samples[1].head.shard = samples[1].head.shards = 1;
    sample_make(&samples[0], paths[0]);
    sample_make(&samples[1], paths[1]);
    arena_init(&arena, 1 << 24);
    remove(paths[2]);
    struct sweep_file *file = sweep_file_open(paths[2], &samples[2].head, &arena, &error);
    for (uint32_t number = SAMPLE_ALL; number-- > 0;) {
        sample_add(file, &number, 1);
    }
    sweep_file_close(file);
    for (uint32_t trial = 0; trial < (is_long ? 30000 : 400); trial++) {
        size_t length;
        struct storm_sweep sweep;
        int which = (int)(trial % 3);
        char *bytes = sample_read(paths[which], &length);
        sample_write("damaged.sqlite", bytes, damage(stream_mix64(trial), bytes, length));
        free(bytes);
        arena_free(&arena);
        refused += !sweep_read("damaged.sqlite", &arena, &sweep, &error);
        try_everything(&samples[which], "damaged.sqlite");
    }
    print_message("%u damaged files were refused\n", refused);
    assert_true(refused > 150);
    arena_free(&arena);
}

/* A file that claims to be one, with tables that are none of ours. */
static void tables_made_by_others_are_looked_at_with_care(void **state) {
    (void)state;
    static const char *const changes[] = {
        ("DROP TABLE meta; CREATE VIEW meta AS SELECT 'schema' AS key, 'retrystorm.sweep/1' AS "
         "value"),
        "UPDATE meta SET value = 'retrystorm.sweep/2' WHERE key = 'schema'",
        "UPDATE meta SET value = 1000000 WHERE key = 'points'",
        "UPDATE meta SET value = -1 WHERE key = 'runs'",
        "UPDATE meta SET value = 0 WHERE key = 'runs'",
        "UPDATE meta SET value = 'twelve' WHERE key = 'points'",
        "UPDATE meta SET value = '-3' WHERE key = 'seed'",
        "DELETE FROM meta WHERE key = 'title'",
        "INSERT INTO meta VALUES('shard', 3), ('shards', 2)",
        "INSERT INTO meta VALUES('shards', 2)",
        "UPDATE axes SET steps = 5",
        "UPDATE axes SET steps = 0",
        "UPDATE axes SET steps = NULL",
        "UPDATE axes SET steps = 1000000",
        "UPDATE axes SET path = NULL",
        "DELETE FROM axes",
        "UPDATE metrics SET better = 'taller'",
        "UPDATE metrics SET name = 'dead_letters'",
        "UPDATE points SET point = 100 WHERE point = 3",
        "UPDATE points SET \"variant:text\" = x'00ff'",
        "UPDATE points SET \"policies.app.cap\" = 'far'",
        "UPDATE runs SET verdict = 'fine' WHERE id = 7",
        "UPDATE runs SET run = 4 WHERE id = 7",
        "UPDATE runs SET id = 1000 WHERE id = 7",
        "UPDATE runs SET digest = 'short' WHERE id = 7",
        "UPDATE runs SET dead_letters = 'many' WHERE id = 7",
        "UPDATE runs SET dead_letters = dead_letters + 1 WHERE id = 7", /* what could be so */
        "UPDATE runs SET verdict = 'unharmed' WHERE id = 7",
        "UPDATE runs SET goodput = NULL WHERE id = 59",
        "UPDATE runs SET digest = 'f00000000000001f' WHERE id = 22",
        "UPDATE points SET \"policies.app.cap\" = 2.25 WHERE point = 3",
        "UPDATE points SET \"variant:text\" = 'Busier' WHERE point = 3",
        "UPDATE metrics SET unit = 'ms' WHERE metric = 1",
        "UPDATE axes SET greatest = 41 WHERE axis = 0",
        "UPDATE meta SET value = 'Another' WHERE key = 'title'",
        "UPDATE meta SET value = 'loud' WHERE key = 'variant'",
        "UPDATE meta SET value = '00112233445566ff' WHERE key = 'sum'",
        "ALTER TABLE runs DROP COLUMN goodput",
        "DROP TABLE runs",
    };
    struct sample sample;
    sample_init(&sample);
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        struct storm_sweep sweep;
        struct storm_error error = {0};
        struct arena arena;
        sqlite3 *handle;
        sample_make(&sample, "damaged.sqlite");
        assert_int_equal(sqlite3_open("damaged.sqlite", &handle), SQLITE_OK);
        if (sqlite3_exec(handle, changes[i], NULL, NULL, NULL) != SQLITE_OK) {
            fail_msg("%s: %s", changes[i], sqlite3_errmsg(handle));
        }
        sqlite3_close(handle);
        arena_init(&arena, 1 << 26);
        if (sweep_read("damaged.sqlite", &arena, &sweep, &error)) {
            fail_msg("read after: %s", changes[i]);
        }
        assert_int_equal(error.status, STORM_INVALID);
        try_everything(&sample, "damaged.sqlite");
        arena_free(&arena);
    }
}

/* As those of before there were sums are. */
static void a_file_without_a_sum_is_read(void **state) {
    (void)state;
    struct sample sample;
    struct arena arena;
    sqlite3 *handle;
    sample_init(&sample);
    sample_make(&sample, "old.sqlite");
    assert_int_equal(sqlite3_open("old.sqlite", &handle), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(handle, "DELETE FROM meta WHERE key IN ('sum', 'variant')", NULL, NULL, NULL),
        SQLITE_OK);
    assert_int_equal(sqlite3_changes(handle), 2);
    sqlite3_close(handle);
    arena_init(&arena, 1 << 24);
    assert_true(read_good("old.sqlite", &arena).complete);
    arena_free(&arena);
}

static void without_memory_it_says_so(void **state) {
    (void)state;
    struct sample sample;
    struct storm_sweep sweep;
    bool read = false;
    sample_init(&sample);
    sample_make(&sample, "good.sqlite");
    for (size_t limit = 0; !read; limit += 500) {
        struct storm_error error = {0};
        struct arena arena;
        arena_init(&arena, limit);
        read = sweep_read("good.sqlite", &arena, &sweep, &error);
        assert_true(read || error.status == STORM_LIMIT);
        arena_free(&arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_finished_sweep_says_what_was_asked),
        cmocka_unit_test(it_says_of_which_variant_it_is),
        cmocka_unit_test(a_point_says_what_its_runs_gave),
        cmocka_unit_test(a_sweep_under_way_and_a_shard_have_fewer_runs),
        cmocka_unit_test(metrics_whose_names_are_taken_keep_their_values),
        cmocka_unit_test(a_damaged_file_crashes_nothing),
        cmocka_unit_test(tables_made_by_others_are_looked_at_with_care),
        cmocka_unit_test(a_file_without_a_sum_is_read),
        cmocka_unit_test(without_memory_it_says_so),
    };
    return cmocka_run_group_tests(tests, sample_enter, sample_leave);
}
