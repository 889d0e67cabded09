/* sweep_head_write.c: what a sweep's file says besides its runs, written. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tables are described in docs/sweep.md. */

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "store/database.h"
#include "store/sweep_columns.h"
#include "store/sweep_head.h"

enum { APPLICATION_ID = 0x73746f72, SCHEMA_VERSION = 1 };

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
        char *column = sweep_column_name(head, SWEEP_PATHS, i);
        sqlite3_str_appendf(points, ", \"%w\" %s, \"%w:text\" TEXT", column, type, column);
        sqlite3_free(column);
    }
    sqlite3_str_appendall(points, ")");
    sqlite3_str_appendall(runs, "CREATE TABLE runs(id INTEGER PRIMARY KEY, point INTEGER,"
                                " run INTEGER, verdict TEXT, duration REAL, digest TEXT");
    sweep_columns_append(runs, ", \"%w\" REAL", head, SWEEP_METRICS);
    sqlite3_str_appendall(runs, ")");
    char *points_sql = sweep_columns_finish(database, points),
         *runs_sql = sweep_columns_finish(database, runs);
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

static void write_axes(struct database *database, const struct sweep_head *head) {
    sqlite3_stmt *insert =
        database_prepare(database, "INSERT INTO axes VALUES(?, ?, ?, ?, ?, ?, ?, ?)");
    for (uint32_t i = 0; insert != NULL && i < head->sweep.axis_count; i++) {
        const struct storm_sweep_axis *axis = &head->sweep.axes[i];
        char *column = sweep_column_name(head, SWEEP_PATHS, i);
        sqlite3_bind_int64(insert, 1, i);
        sweep_bind_text(insert, 2, axis->path);
        sweep_bind_text(insert, 3, column);
        sweep_bind_text(insert, 4, axis->unit);
        sweep_bind_text(insert, 5, axis->unit == NULL ? NULL : axis->is_log ? "log" : "linear");
        sweep_bind_number(insert, 6, axis->from);
        sweep_bind_number(insert, 7, axis->to);
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
        char *column = sweep_column_name(head, SWEEP_METRICS, i);
        sqlite3_bind_int64(insert, 1, i);
        sweep_bind_text(insert, 2, metric->name);
        sweep_bind_text(insert, 3, column);
        sweep_bind_text(insert, 4, metric->unit);
        sweep_bind_text(insert, 5, storm_better_word(metric->better));
        sqlite3_bind_int(insert, 6, metric->bimodal ? 1 : 0);
        sweep_bind_text(insert, 7, metric->help);
        database_put(database, insert);
        sqlite3_free(column);
    }
    sqlite3_finalize(insert);
}

static void write_points(struct database *database, const struct sweep_head *head) {
    uint32_t axes = head->sweep.axis_count;
    sqlite3_stmt *insert = sweep_columns_insert(database, "points", 1 + 2 * axes);
    for (uint32_t p = 0; insert != NULL && p < head->sweep.point_count; p++) {
        const struct storm_sweep_point *point = &head->sweep.points[p];
        sqlite3_bind_int64(insert, 1, p);
        for (uint32_t a = 0; a < axes; a++) {
            int place = 2 + 2 * (int)a;
            if (head->sweep.axes[a].unit != NULL) {
                sweep_bind_number(insert, place, point->numbers[a]);
            } else {
                sweep_bind_text(insert, place, point->labels[a]);
            }
            sweep_bind_text(insert, place + 1, point->labels[a]);
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
