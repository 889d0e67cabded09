/* sweep_head.c: what a sweep's file says besides its runs, and the rows of its runs. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tables are described in docs/sweep.md. SQLite does not tell upper from lower case in names of
   columns, and metrics end in names that people choose: a name that is taken gets a number. */

#include "store/sweep_head.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

enum { APPLICATION_ID = 0x73746f72, SCHEMA_VERSION = 1, WORDS_MAX = 200 };

/* The first columns of a run's row, in the order in which they are written and read. */
enum { COLUMN_ID, COLUMN_POINT, COLUMN_RUN, COLUMN_VERDICT, COLUMN_DURATION, COLUMN_DIGEST, FIXED };

static const char *const fixed_columns[FIXED] = {"id",      "point",    "run",
                                                 "verdict", "duration", "digest"};

uint64_t sweep_head_rows(const struct sweep_head *head) {
    uint64_t all = (uint64_t)head->sweep.point_count * head->sweep.runs;
    return head->shards == 0 ? all : (all + head->shards - head->shard) / head->shards;
}

bool sweep_head_owns(const struct sweep_head *head, uint64_t number) {
    return head->shards == 0 || number % head->shards == head->shard - 1;
}

/* ---- names of columns ------------------------------------------------------------------------ */

typedef const char *name_at(const struct sweep_head *head, uint32_t index);

static const char *path_at(const struct sweep_head *head, uint32_t index) {
    return head->sweep.axes[index].path;
}

static const char *metric_at(const struct sweep_head *head, uint32_t index) {
    return head->metrics[index].name;
}

/* A column's name, to be freed with sqlite3_free: the thing's own, unless it is taken. */
static char *column_name(const struct sweep_head *head, name_at *at, uint32_t index) {
    const char *name = at(head, index);
    unsigned twins = 0;
    for (int i = 0; i < FIXED; i++) {
        twins += sqlite3_stricmp(name, fixed_columns[i]) == 0 ? 1 : 0;
    }
    for (uint32_t i = 0; i < index; i++) {
        twins += sqlite3_stricmp(name, at(head, i)) == 0 ? 1 : 0;
    }
    return twins == 0 ? sqlite3_mprintf("%s", name) : sqlite3_mprintf("%s#%u", name, twins + 1);
}

/* Appends `format` once for each name, which is its argument. */
static void append_columns(sqlite3_str *sql, const char *format, const struct sweep_head *head,
                           name_at *at, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        char *column = column_name(head, at, i);
        sqlite3_str_appendf(sql, format, column, column);
        sqlite3_free(column);
    }
}

/* What was put together; to be freed with sqlite3_free. NULL notes that memory ran out. */
static char *finish_sql(struct database *database, sqlite3_str *sql) {
    char *text = sqlite3_str_finish(sql);
    if (text == NULL) {
        database_blame_memory(database);
    }
    return text;
}

/* ---- writing --------------------------------------------------------------------------------- */

static const char *const tables =
    "CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;"
    "CREATE TABLE axes(axis INTEGER PRIMARY KEY, path TEXT, \"column\" TEXT, unit TEXT,"
    " scale TEXT, least REAL, greatest REAL, steps INTEGER);"
    "CREATE TABLE metrics(metric INTEGER PRIMARY KEY, name TEXT, \"column\" TEXT, unit TEXT,"
    " better TEXT, bimodal INTEGER, help TEXT)";

static void create_tables(struct database *database, const struct sweep_head *head) {
    sqlite3_str *points = sqlite3_str_new(database->handle);
    sqlite3_str *runs = sqlite3_str_new(database->handle);
    sqlite3_str_appendall(points, "CREATE TABLE points(point INTEGER PRIMARY KEY");
    for (uint32_t i = 0; i < head->sweep.axis_count; i++) {
        const char *type = head->sweep.axes[i].unit != NULL ? "REAL" : "TEXT";
        char *column = column_name(head, path_at, i);
        sqlite3_str_appendf(points, ", \"%w\" %s, \"%w:text\" TEXT", column, type, column);
        sqlite3_free(column);
    }
    sqlite3_str_appendall(points, ")");
    sqlite3_str_appendall(runs, "CREATE TABLE runs(id INTEGER PRIMARY KEY, point INTEGER,"
                                " run INTEGER, verdict TEXT, duration REAL, digest TEXT");
    append_columns(runs, ", \"%w\" REAL", head, metric_at, head->metric_count);
    sqlite3_str_appendall(runs, ")");
    char *points_sql = finish_sql(database, points), *runs_sql = finish_sql(database, runs);
    database_do(database, "PRAGMA application_id = %d; PRAGMA user_version = %d", APPLICATION_ID,
                SCHEMA_VERSION);
    database_do(database, "%s; %s; %s", tables, points_sql, runs_sql);
    sqlite3_free(points_sql);
    sqlite3_free(runs_sql);
}

static void write_meta(struct database *database, const struct sweep_head *head, bool complete) {
    const struct storm_sweep *sweep = &head->sweep;
    database_do(database,
                "INSERT INTO meta VALUES('schema', %Q), ('title', %Q), ('question', %Q),"
                "('file', %Q), ('variant', %Q), ('overrides', %Q), ('hash', %Q), ('method', %Q),"
                "('seed', '%llu'),"
                "('runs', %u), ('points', %u), ('complete', %d)",
                SWEEP_SCHEMA, sweep->title, sweep->question, sweep->file, sweep->variant,
                sweep->overrides, sweep->hash, head->method, (sqlite3_uint64)sweep->seed,
                sweep->runs, sweep->point_count, complete ? 1 : 0);
    if (head->shards > 0) {
        database_do(database, "INSERT INTO meta VALUES('shard', %u), ('shards', %u)", head->shard,
                    head->shards);
    }
}

static void bind_text(sqlite3_stmt *statement, int place, const char *text) {
    sqlite3_bind_text(statement, place, text, -1, SQLITE_STATIC);
}

static void bind_number(sqlite3_stmt *statement, int place, double number) {
    sqlite3_bind_double(statement, place, number); /* NaN becomes NULL */
}

static void write_axes(struct database *database, const struct sweep_head *head) {
    sqlite3_stmt *insert =
        database_prepare(database, "INSERT INTO axes VALUES(?, ?, ?, ?, ?, ?, ?, ?)");
    for (uint32_t i = 0; insert != NULL && i < head->sweep.axis_count; i++) {
        const struct storm_sweep_axis *axis = &head->sweep.axes[i];
        char *column = column_name(head, path_at, i);
        sqlite3_bind_int64(insert, 1, i);
        bind_text(insert, 2, axis->path);
        bind_text(insert, 3, column);
        bind_text(insert, 4, axis->unit);
        bind_text(insert, 5, axis->unit == NULL ? NULL : axis->is_log ? "log" : "linear");
        bind_number(insert, 6, axis->from);
        bind_number(insert, 7, axis->to);
        if (axis->value_count > 0) {
            sqlite3_bind_int64(insert, 8, axis->value_count);
        }
        database_put(database, insert);
        sqlite3_free(column);
    }
    sqlite3_finalize(insert);
}

static void write_metrics(struct database *database, const struct sweep_head *head) {
    sqlite3_stmt *insert =
        database_prepare(database, "INSERT INTO metrics VALUES(?, ?, ?, ?, ?, ?, ?)");
    for (uint32_t i = 0; insert != NULL && i < head->metric_count; i++) {
        const struct storm_metric *metric = &head->metrics[i];
        char *column = column_name(head, metric_at, i);
        sqlite3_bind_int64(insert, 1, i);
        bind_text(insert, 2, metric->name);
        bind_text(insert, 3, column);
        bind_text(insert, 4, metric->unit);
        bind_text(insert, 5, storm_better_word(metric->better));
        sqlite3_bind_int(insert, 6, metric->bimodal ? 1 : 0);
        bind_text(insert, 7, metric->help);
        database_put(database, insert);
        sqlite3_free(column);
    }
    sqlite3_finalize(insert);
}

/* An INSERT of so many values into a table. */
static sqlite3_stmt *prepare_insert(struct database *database, const char *table, uint32_t count) {
    sqlite3_str *sql = sqlite3_str_new(database->handle);
    sqlite3_str_appendf(sql, "INSERT INTO %s VALUES(?", table);
    for (uint32_t i = 1; i < count; i++) {
        sqlite3_str_appendall(sql, ", ?");
    }
    sqlite3_str_appendall(sql, ")");
    char *text = finish_sql(database, sql);
    sqlite3_stmt *insert = database_prepare(database, "%s", text);
    sqlite3_free(text);
    return insert;
}

static void write_points(struct database *database, const struct sweep_head *head) {
    uint32_t axes = head->sweep.axis_count;
    sqlite3_stmt *insert = prepare_insert(database, "points", 1 + 2 * axes);
    for (uint32_t p = 0; insert != NULL && p < head->sweep.point_count; p++) {
        const struct storm_sweep_point *point = &head->sweep.points[p];
        sqlite3_bind_int64(insert, 1, p);
        for (uint32_t a = 0; a < axes; a++) {
            int place = 2 + 2 * (int)a;
            if (head->sweep.axes[a].unit != NULL) {
                bind_number(insert, place, point->numbers[a]);
            } else {
                bind_text(insert, place, point->labels[a]);
            }
            bind_text(insert, place + 1, point->labels[a]);
        }
        database_put(database, insert);
    }
    sqlite3_finalize(insert);
}

void sweep_head_write(struct database *database, const struct sweep_head *head, bool complete) {
    assert(head->metric_count <= SWEEP_METRICS_MAX);
    assert(head->sweep.axis_count <= SWEEP_AXES_MAX && head->sweep.point_count > 0);
    if (!database_is_good(database)) {
        return;
    }
    create_tables(database, head);
    write_meta(database, head, complete);
    write_axes(database, head);
    write_metrics(database, head);
    write_points(database, head);
}

/* ---- reading --------------------------------------------------------------------------------- */

/* A reading under way: what is read goes into the head. */
struct reading {
    struct database *database;
    struct arena *arena;
    struct sweep_head *head;
    struct storm_sweep_axis *axes; /* those of the head, which get their values last */
};

static bool is_good(const struct reading *reading) { return database_is_good(reading->database); }

/* Room in the arena; NULL notes that there is none. */
static void *take(struct reading *reading, size_t count, size_t size) {
    void *piece =
        is_good(reading) ? arena_take_array(reading->arena, count + 1, size) : (void *)NULL;
    if (piece == NULL) {
        database_blame_memory(reading->database);
    }
    return piece;
}

/* The row of `meta` with that key; `has`: whether there is one. To be finalized. */
static sqlite3_stmt *find_meta(struct reading *reading, const char *key, bool *has) {
    sqlite3_stmt *select =
        database_prepare(reading->database, "SELECT value FROM meta WHERE key = %Q", key);
    *has = database_step(reading->database, select);
    return select;
}

static const char *meta_text(struct reading *reading, const char *key) {
    bool has;
    sqlite3_stmt *select = find_meta(reading, key, &has);
    const char *text = "";
    if (has) {
        text = database_text(reading->database, select, 0, reading->arena);
    } else {
        database_blame(reading->database, key);
    }
    sqlite3_finalize(select);
    return text;
}

/* NULL where there is no such key, or it has no value. */
static const char *meta_word(struct reading *reading, const char *key) {
    bool has;
    sqlite3_stmt *select = find_meta(reading, key, &has);
    has = has && sqlite3_column_type(select, 0) != SQLITE_NULL;
    const char *word = has ? database_text(reading->database, select, 0, reading->arena) : NULL;
    sqlite3_finalize(select);
    return word;
}

/* 0 where there is no such key, unless it must be there. */
static uint64_t meta_whole(struct reading *reading, const char *key, bool must, uint64_t most) {
    bool has;
    sqlite3_stmt *select = find_meta(reading, key, &has);
    uint64_t number = has ? database_whole(reading->database, select, 0, most) : 0;
    if (!has && must) {
        database_blame(reading->database, key);
    }
    sqlite3_finalize(select);
    return number;
}

/* A text, since SQLite's whole numbers end at half of ours. */
static uint64_t meta_seed(struct reading *reading) {
    const char *text = meta_text(reading, "seed");
    char *end;
    uint64_t seed = strtoull(text, &end, 10);
    if (is_good(reading) && (*text < '0' || *text > '9' || *end != '\0')) {
        database_blame(reading->database, "its seed is no number");
    }
    return seed;
}

static void read_meta(struct reading *reading) {
    struct sweep_head *head = reading->head;
    struct storm_sweep *sweep = &head->sweep;
    const char *schema = meta_text(reading, "schema");
    if (is_good(reading) && strcmp(schema, SWEEP_SCHEMA) != 0) {
        database_blame(reading->database, "its schema is not " SWEEP_SCHEMA);
    }
    sweep->title = meta_text(reading, "title");
    sweep->question = meta_text(reading, "question");
    sweep->file = meta_text(reading, "file");
    sweep->variant = meta_word(reading, "variant");
    sweep->overrides = meta_text(reading, "overrides");
    snprintf(sweep->hash, sizeof sweep->hash, "%s", meta_text(reading, "hash"));
    head->method = meta_text(reading, "method");
    sweep->seed = meta_seed(reading);
    sweep->runs = (uint32_t)meta_whole(reading, "runs", true, SWEEP_RUNS_MAX);
    sweep->point_count = (uint32_t)meta_whole(reading, "points", true, SWEEP_POINTS_MAX);
    sweep->complete = meta_whole(reading, "complete", true, 1) == 1;
    head->shard = (uint32_t)meta_whole(reading, "shard", false, UINT32_MAX);
    head->shards = (uint32_t)meta_whole(reading, "shards", false, UINT32_MAX);
    bool is_part = head->shards > 0 && head->shard >= 1 && head->shard <= head->shards;
    if (is_good(reading) && !is_part && (head->shard != 0 || head->shards != 0)) {
        database_blame(reading->database, "its shard is none");
    }
    if (is_good(reading) && (sweep->runs == 0 || sweep->point_count == 0)) {
        database_blame(reading->database, "it has no runs");
    }
}

/* How many rows a table has. */
static uint32_t count_rows(struct reading *reading, const char *table, uint32_t most) {
    sqlite3_stmt *select = database_prepare(reading->database, "SELECT count(*) FROM %s", table);
    uint64_t count = database_step(reading->database, select)
                         ? database_whole(reading->database, select, 0, most)
                         : 0;
    sqlite3_finalize(select);
    return (uint32_t)count;
}

static void read_axes(struct reading *reading) {
    uint32_t count = count_rows(reading, "axes", SWEEP_AXES_MAX);
    struct storm_sweep_axis *axes = take(reading, count, sizeof *axes);
    sqlite3_stmt *select = database_prepare(
        reading->database,
        "SELECT path, unit, scale, least, greatest, steps FROM axes ORDER BY axis");
    reading->head->sweep.axes = reading->axes = axes;
    for (uint32_t i = 0; i < count && database_step(reading->database, select); i++) {
        bool is_words = sqlite3_column_type(select, 1) == SQLITE_NULL;
        bool has_steps = sqlite3_column_type(select, 5) != SQLITE_NULL;
        axes[i].path = database_text(reading->database, select, 0, reading->arena);
        if (!is_words) {
            axes[i].unit = database_text(reading->database, select, 1, reading->arena);
            const char *scale = database_text(reading->database, select, 2, reading->arena);
            axes[i].is_log = strcmp(scale, "log") == 0;
        }
        axes[i].from = database_number(reading->database, select, 3);
        axes[i].to = database_number(reading->database, select, 4);
        if (has_steps) {
            axes[i].value_count =
                (uint32_t)database_whole(reading->database, select, 5, SWEEP_POINTS_MAX);
        }
        reading->head->sweep.axis_count = i + 1;
    }
    sqlite3_finalize(select);
    if (is_good(reading) && reading->head->sweep.axis_count == 0) {
        database_blame(reading->database, "it has no axes");
    }
}

static enum storm_better better_of(struct reading *reading, const char *word) {
    for (int better = 0; better <= STORM_BETTER_NEITHER; better++) {
        if (strcmp(storm_better_word((enum storm_better)better), word) == 0) {
            return (enum storm_better)better;
        }
    }
    database_blame(reading->database, "a metric has no direction");
    return STORM_BETTER_NEITHER;
}

static void read_metrics(struct reading *reading) {
    uint32_t count = count_rows(reading, "metrics", SWEEP_METRICS_MAX);
    struct storm_metric *metrics = take(reading, count, sizeof *metrics);
    sqlite3_stmt *select = database_prepare(
        reading->database, "SELECT name, unit, better, bimodal, help FROM metrics ORDER BY metric");
    reading->head->metrics = metrics;
    for (uint32_t i = 0; i < count && database_step(reading->database, select); i++) {
        metrics[i].name = database_text(reading->database, select, 0, reading->arena);
        metrics[i].unit = database_text(reading->database, select, 1, reading->arena);
        metrics[i].better =
            better_of(reading, database_text(reading->database, select, 2, reading->arena));
        metrics[i].bimodal = database_whole(reading->database, select, 3, 1) == 1;
        metrics[i].help = database_text(reading->database, select, 4, reading->arena);
        reading->head->metric_count = i + 1;
    }
    sqlite3_finalize(select);
}

/* Selects some columns of all rows in the order of the first. */
static sqlite3_stmt *prepare_select(struct database *database, const char *first,
                                    const char *format, const struct sweep_head *head, name_at *at,
                                    uint32_t count, const char *table) {
    sqlite3_str *sql = sqlite3_str_new(database->handle);
    sqlite3_str_appendf(sql, "SELECT %s", first);
    append_columns(sql, format, head, at, count);
    sqlite3_str_appendf(sql, " FROM %s ORDER BY 1", table);
    char *text = finish_sql(database, sql);
    sqlite3_stmt *select = database_prepare(database, "%s", text);
    sqlite3_free(text);
    return select;
}

/* One point: its values of all axes. */
static void read_point(struct reading *reading, sqlite3_stmt *select,
                       struct storm_sweep_point *point) {
    uint32_t axes = reading->head->sweep.axis_count;
    const char **labels = take(reading, axes, sizeof *labels);
    double *numbers = take(reading, axes, sizeof *numbers);
    for (uint32_t a = 0; is_good(reading) && a < axes; a++) {
        bool is_words = reading->head->sweep.axes[a].unit == NULL;
        int place = 1 + 2 * (int)a;
        labels[a] = database_text(reading->database, select, place + 1, reading->arena);
        numbers[a] = is_words ? (double)NAN : database_number(reading->database, select, place);
    }
    point->labels = labels;
    point->numbers = numbers;
}

static void read_points(struct reading *reading) {
    struct sweep_head *head = reading->head;
    uint32_t count = head->sweep.point_count, read = 0;
    if (is_good(reading) && count_rows(reading, "points", SWEEP_POINTS_MAX) != count) {
        database_blame(reading->database, "points are missing");
    }
    struct storm_sweep_point *points = take(reading, count, sizeof *points);
    sqlite3_stmt *select = is_good(reading)
                               ? prepare_select(reading->database, "point", ", \"%w\", \"%w:text\"",
                                                head, path_at, head->sweep.axis_count, "points")
                               : NULL;
    head->sweep.points = points;
    while (read < count && database_step(reading->database, select)) {
        if (database_whole(reading->database, select, 0, count) != read) {
            database_blame(reading->database, "points are missing");
        }
        read_point(reading, select, &points[read]);
        read++;
    }
    sqlite3_finalize(select);
}

/* The values of a grid's axis are those of the points along it. */
static void list_values(struct reading *reading, struct storm_sweep_axis *axis, uint32_t index,
                        uint32_t stride) {
    const struct storm_sweep *sweep = &reading->head->sweep;
    const char **labels = take(reading, axis->value_count, sizeof *labels);
    double *numbers = take(reading, axis->value_count, sizeof *numbers);
    for (uint32_t i = 0; is_good(reading) && i < axis->value_count; i++) {
        labels[i] = sweep->points[(size_t)i * stride].labels[index];
        numbers[i] = sweep->points[(size_t)i * stride].numbers[index];
    }
    axis->labels = labels;
    axis->numbers = numbers;
}

/* Of a grid: the last axis varies fastest, and all points are there. */
static void read_grid(struct reading *reading) {
    const struct storm_sweep *sweep = &reading->head->sweep;
    struct storm_sweep_axis *axes = reading->axes;
    uint64_t stride = 1;
    bool is_grid = strcmp(reading->head->method, "grid") == 0;
    for (uint32_t a = 0; is_good(reading) && a < sweep->axis_count; a++) {
        stride *= axes[a].value_count;
        if ((axes[a].value_count > 0) != is_grid || stride > sweep->point_count) {
            database_blame(reading->database, "its points are no grid");
        }
    }
    if (is_good(reading) && is_grid && stride != sweep->point_count) {
        database_blame(reading->database, "its points are no grid");
    }
    for (uint32_t a = 0; is_good(reading) && is_grid && a < sweep->axis_count; a++) {
        stride /= axes[a].value_count;
        list_values(reading, &axes[a], a, (uint32_t)stride);
    }
}

bool sweep_head_read(struct database *database, struct arena *arena, struct sweep_head *head) {
    struct reading reading = {.database = database, .arena = arena, .head = head};
    *head = (struct sweep_head){.shard = 0};
    read_meta(&reading);
    if (is_good(&reading)) {
        read_axes(&reading);
    }
    if (is_good(&reading)) {
        read_metrics(&reading);
    }
    if (is_good(&reading)) {
        read_points(&reading);
    }
    if (is_good(&reading)) {
        read_grid(&reading);
    }
    return is_good(&reading);
}

/* ---- comparing ------------------------------------------------------------------------------- */

/* The first axis of which the two do not have the same values, or `axis_count`. */
static uint32_t other_values(const struct storm_sweep *a, const struct storm_sweep *b) {
    for (uint32_t p = 0; p < a->point_count; p++) {
        for (uint32_t axis = 0; axis < a->axis_count; axis++) {
            if (strcmp(a->points[p].labels[axis], b->points[p].labels[axis]) != 0) {
                return axis;
            }
        }
    }
    return a->axis_count;
}

/* "policies.app.cap and variant" */
static const char *list_paths(const struct storm_sweep *sweep, char buffer[WORDS_MAX]) {
    int used = 0;
    buffer[0] = '\0';
    for (uint32_t i = 0; i < sweep->axis_count && used < WORDS_MAX; i++) {
        used += snprintf(buffer + used, (size_t)(WORDS_MAX - used), "%s%s", i > 0 ? ", " : "",
                         sweep->axes[i].path);
    }
    return buffer;
}

static bool same_paths(const struct storm_sweep *a, const struct storm_sweep *b) {
    bool same = a->axis_count == b->axis_count;
    for (uint32_t i = 0; same && i < a->axis_count; i++) {
        same = strcmp(a->axes[i].path, b->axes[i].path) == 0;
    }
    return same;
}

static bool same_metrics(const struct sweep_head *a, const struct sweep_head *b) {
    bool same = a->metric_count == b->metric_count;
    for (uint32_t i = 0; same && i < a->metric_count; i++) {
        same = strcmp(a->metrics[i].name, b->metrics[i].name) == 0;
    }
    return same;
}

/* "the variant 'calm'" */
static const char *name_variant(const struct storm_sweep *sweep, char buffer[WORDS_MAX]) {
    if (sweep->variant == NULL) {
        return "the scenario as it stands";
    }
    snprintf(buffer, WORDS_MAX, "the variant '%.80s'", sweep->variant);
    return buffer;
}

/* Says how the scenarios of the two differ; "" when they do not. */
static const char *differ_in_scenario(const struct storm_sweep *a, const struct storm_sweep *b,
                                      char what[STORM_MESSAGE_MAX]) {
    char theirs[WORDS_MAX], ours[WORDS_MAX];
    const char *found = name_variant(a, theirs), *wanted = name_variant(b, ours);
    what[0] = '\0';
    if (strcmp(found, wanted) != 0) {
        snprintf(what, STORM_MESSAGE_MAX, "it is of %.100s, not of %.100s", found, wanted);
    } else if (strcmp(a->hash, b->hash) != 0 && strcmp(a->overrides, b->overrides) != 0) {
        snprintf(what, STORM_MESSAGE_MAX, "it has '%.60s' set, not '%.60s'", a->overrides,
                 b->overrides);
    } else if (strcmp(a->hash, b->hash) != 0) {
        snprintf(what, STORM_MESSAGE_MAX,
                 "the scenario or its settings are others (hash %s, not %s)", a->hash, b->hash);
    }
    return what;
}

/* Says how the points of the two differ; "" when they do not. */
static const char *differ_in_points(const struct sweep_head *found, const struct sweep_head *wanted,
                                    char what[STORM_MESSAGE_MAX]) {
    const struct storm_sweep *a = &found->sweep, *b = &wanted->sweep;
    char theirs[WORDS_MAX], ours[WORDS_MAX];
    what[0] = '\0';
    if (!same_paths(a, b)) {
        snprintf(what, STORM_MESSAGE_MAX, "it varies %s, not %s", list_paths(a, theirs),
                 list_paths(b, ours));
    } else if (strcmp(found->method, wanted->method) != 0) {
        snprintf(what, STORM_MESSAGE_MAX, "its points are %s, not %s", found->method,
                 wanted->method);
    } else if (a->point_count != b->point_count) {
        snprintf(what, STORM_MESSAGE_MAX, "it has %" PRIu32 " points, not %" PRIu32, a->point_count,
                 b->point_count);
    } else if (other_values(a, b) < a->axis_count) {
        snprintf(what, STORM_MESSAGE_MAX, "it has other values of %s",
                 a->axes[other_values(a, b)].path);
    }
    return what;
}

bool sweep_head_agrees(const struct sweep_head *found, const struct sweep_head *wanted,
                       const char *file, struct storm_error *error) {
    const struct storm_sweep *a = &found->sweep, *b = &wanted->sweep;
    char what[STORM_MESSAGE_MAX] = "";
    if (a->seed != b->seed) {
        snprintf(what, sizeof what, "its seed is %" PRIu64 ", not %" PRIu64, a->seed, b->seed);
    } else if (differ_in_points(found, wanted, what)[0] != '\0') {
        assert(what[0] != '\0');
    } else if (a->runs != b->runs) {
        snprintf(what, sizeof what, "it has %" PRIu32 " run%s at each point, not %" PRIu32, a->runs,
                 a->runs == 1 ? "" : "s", b->runs);
    } else if (differ_in_scenario(a, b, what)[0] != '\0') {
        assert(what[0] != '\0');
    } else if (!same_metrics(found, wanted)) {
        snprintf(what, sizeof what, "it was made by a version with other metrics");
    }
    return what[0] == '\0' ||
           storm_fail(error, STORM_INVALID, "'%.100s' is another sweep: %s", file, what);
}

/* ---- runs ------------------------------------------------------------------------------------ */

sqlite3_stmt *sweep_row_writer(struct database *database, const struct sweep_head *head) {
    return database_is_good(database) ? prepare_insert(database, "runs", FIXED + head->metric_count)
                                      : NULL;
}

sqlite3_stmt *sweep_row_reader(struct database *database, const struct sweep_head *head) {
    return database_is_good(database)
               ? prepare_select(database, "id, point, run, verdict, duration, digest", ", \"%w\"",
                                head, metric_at, head->metric_count, "runs")
               : NULL;
}

void sweep_row_write(struct database *database, sqlite3_stmt *writer, const struct sweep_head *head,
                     const struct storm_sweep_run *row) {
    char digest[17];
    uint64_t number = (uint64_t)row->point * head->sweep.runs + row->run;
    if (!database_is_good(database)) {
        return;
    }
    assert(row->point < head->sweep.point_count && row->run < head->sweep.runs);
    assert(sweep_head_owns(head, number));
    snprintf(digest, sizeof digest, "%016" PRIx64, row->digest);
    sqlite3_bind_int64(writer, 1 + COLUMN_ID, (sqlite3_int64)number);
    sqlite3_bind_int64(writer, 1 + COLUMN_POINT, row->point);
    sqlite3_bind_int64(writer, 1 + COLUMN_RUN, row->run);
    bind_text(writer, 1 + COLUMN_VERDICT, storm_verdict_word(row->verdict));
    bind_number(writer, 1 + COLUMN_DURATION, row->duration);
    bind_text(writer, 1 + COLUMN_DIGEST, digest);
    for (uint32_t i = 0; i < head->metric_count; i++) {
        bind_number(writer, 1 + FIXED + (int)i, row->values[i]);
    }
    database_put(database, writer);
}

static enum storm_verdict verdict_of(struct database *database, const char *word) {
    for (int verdict = 0; verdict < STORM_VERDICT_COUNT; verdict++) {
        if (strcmp(storm_verdict_word((enum storm_verdict)verdict), word) == 0) {
            return (enum storm_verdict)verdict;
        }
    }
    database_blame(database, "a run has no verdict");
    return STORM_VERDICT_NOT_APPLICABLE;
}

/* A text of the row, as long as the row is at hand; "" for anything else. */
static const char *peek_text(sqlite3_stmt *reader, int column) {
    bool is_text = sqlite3_column_type(reader, column) == SQLITE_TEXT;
    const unsigned char *text = is_text ? sqlite3_column_text(reader, column) : NULL;
    return text != NULL ? (const char *)text : "";
}

bool sweep_row_read(struct database *database, sqlite3_stmt *reader, const struct sweep_head *head,
                    struct storm_sweep_run *row) {
    const struct storm_sweep *sweep = &head->sweep;
    char *end;
    if (!database_step(database, reader)) {
        return false;
    }
    uint64_t number = database_whole(database, reader, COLUMN_ID, SWEEP_ROWS_MAX);
    row->point = (uint32_t)database_whole(database, reader, COLUMN_POINT, sweep->point_count - 1);
    row->run = (uint32_t)database_whole(database, reader, COLUMN_RUN, sweep->runs - 1);
    row->verdict = verdict_of(database, peek_text(reader, COLUMN_VERDICT));
    row->duration = database_number(database, reader, COLUMN_DURATION);
    const char *digest = peek_text(reader, COLUMN_DIGEST);
    row->digest = strtoull(digest, &end, 16);
    bool is_digest = strlen(digest) == 16 && *end == '\0';
    bool is_place = number == (uint64_t)row->point * sweep->runs + row->run;
    if (!is_digest || !is_place || !sweep_head_owns(head, number)) {
        database_blame(database, "a run is not where it belongs");
    }
    for (uint32_t i = 0; i < head->metric_count; i++) {
        row->values[i] = database_number(database, reader, FIXED + (int)i);
    }
    return database_is_good(database);
}
