/* sweep_head_read.c: what a sweep's file says besides its runs, read with care: it may be damaged,
   or made by others. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "store/database.h"
#include "store/sweep_columns.h"
#include "store/sweep_head.h"

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
    head->sum = meta_word(reading, "sum");
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
    sqlite3_stmt *select =
        is_good(reading) ? sweep_columns_select(reading->database, "point", ", \"%w\", \"%w:text\"",
                                                head, SWEEP_PATHS, "points")
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
