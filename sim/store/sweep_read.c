/* sweep_read.c: a sweep's file becomes what tables and heat maps need. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/sweep_read.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <retrystorm/results.h>

#include "analysis/measure.h"
#include "base/arena.h"
#include "search/front.h"
#include "store/database.h"
#include "store/sweep_head.h"
#include "store/sweep_row.h"
#include "store/sweep_sum.h"

/* What a point says of its runs: a measure each. */
static const struct summary {
    const char *measure;
    size_t offset;
} summaries[] = {
    {"peak_load_capacity", offsetof(struct storm_sweep_point, peak_load)},
    {"time_to_recover", offsetof(struct storm_sweep_point, time_to_recover)},
    {"dead_letters", offsetof(struct storm_sweep_point, dead_letters)},
};

enum { SUMMARY_COUNT = sizeof summaries / sizeof summaries[0] };

/* A reading under way. The runs of one point at a time stand as a variant of those metrics that the
   summaries need; `columns` are their places in a row. */
struct digest {
    struct sweep_head head;
    struct storm_sweep_point *points;
    struct storm_variant variant;
    uint32_t *columns;
    double *values; /* [runs] */
};

bool sweep_file_begins(const char *file) {
    static const char magic[] = "SQLite format 3";
    char begin[sizeof magic] = "";
    FILE *in = fopen(file, "rb");
    bool begins = in != NULL && fread(begin, 1, sizeof magic, in) == sizeof magic &&
                  memcmp(begin, magic, sizeof magic) == 0;
    if (in != NULL) {
        fclose(in);
    }
    return begins;
}

/* Whether a summary needs the metric: as it is, or for its place. */
static bool is_needed(const char *metric) {
    for (int i = 0; i < SUMMARY_COUNT; i++) {
        if (strncmp(metric, summaries[i].measure, strlen(summaries[i].measure)) == 0) {
            return true;
        }
    }
    return false;
}

/* Room for the runs of one point. */
static bool digest_begin(struct digest *digest, struct arena *arena) {
    const struct sweep_head *head = &digest->head;
    struct storm_variant *variant = &digest->variant;
    uint32_t runs = head->sweep.runs, count = head->metric_count;
    variant->metrics = arena_take_array(arena, count + 1, sizeof *variant->metrics);
    variant->verdict_per_run = arena_take_array(arena, runs, sizeof *variant->verdict_per_run);
    digest->columns = arena_take_array(arena, count + 1, sizeof *digest->columns);
    digest->values = arena_take_array(arena, runs, sizeof *digest->values);
    digest->points = arena_take_array(arena, head->sweep.point_count, sizeof *digest->points);
    if (variant->metrics == NULL || variant->verdict_per_run == NULL || digest->columns == NULL ||
        digest->values == NULL || digest->points == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!is_needed(head->metrics[i].name)) {
            continue;
        }
        struct storm_metric *metric = &variant->metrics[variant->metric_count];
        *metric = head->metrics[i];
        metric->per_run = arena_take_array(arena, runs, sizeof *metric->per_run);
        digest->columns[variant->metric_count++] = i;
        if (metric->per_run == NULL) {
            return false;
        }
    }
    return true;
}

/* Adds a run to the point at hand. */
static void take_row(struct digest *digest, const struct storm_sweep_run *row) {
    struct storm_variant *variant = &digest->variant;
    uint32_t run = variant->runs_done++;
    assert(run < digest->head.sweep.runs);
    variant->verdict_per_run[run] = (uint8_t)row->verdict;
    variant->verdicts[row->verdict]++;
    for (uint32_t i = 0; i < variant->metric_count; i++) {
        variant->metrics[i].per_run[run] = row->values[digest->columns[i]];
    }
}

/* Works out what the point's runs say, and readies the variant for the next point. */
static void end_point(struct digest *digest, uint32_t index) {
    struct storm_variant *variant = &digest->variant;
    struct storm_sweep_point *point = &digest->points[index];
    const struct statistic median = {STATISTIC_QUANTILE, .5};
    *point = digest->head.sweep.points[index];
    point->runs = variant->runs_done;
    point->good = storm_variant_good_runs(variant);
    point->judged = point->good + storm_variant_bad_runs(variant);
    for (int i = 0; i < SUMMARY_COUNT; i++) {
        struct measure measure;
        struct storm_error ignored; /* a metric that no service has */
        double value = (double)NAN;
        if (measure_find(variant, summaries[i].measure, &measure, &ignored)) {
            measure_values(variant, &measure, digest->values);
            value = statistic_of(&median, &measure, digest->values, variant->runs_done);
        }
        memcpy((char *)point + summaries[i].offset, &value, sizeof value);
    }
    variant->runs_done = 0;
    memset(variant->verdicts, 0, sizeof variant->verdicts);
}

static void read_runs(struct database *database, struct digest *digest) {
    double values[SWEEP_METRICS_MAX];
    struct storm_sweep_run row = {.values = values};
    uint64_t next = 0;
    uint32_t point = 0;
    uint64_t sum = sweep_sum_head(&digest->head);
    sqlite3_stmt *reader = sweep_row_reader(database, &digest->head);
    while (sweep_row_read(database, reader, &digest->head, &row)) {
        uint64_t number = (uint64_t)row.point * digest->head.sweep.runs + row.run;
        if (number < next) { /* pages of a damaged file may hold anything in any order */
            database_blame(database, "a run is there twice");
            break;
        }
        while (point < row.point) {
            end_point(digest, point++);
        }
        take_row(digest, &row);
        sum = sweep_sum_row(sum, &digest->head, &row);
        next = number + 1;
    }
    sqlite3_finalize(reader);
    sweep_sum_check(database, &digest->head, sum);
    while (point < digest->head.sweep.point_count) {
        end_point(digest, point++);
    }
}

/* Marks the points that no other beats in what the summaries say. */
static bool mark_front(struct digest *digest, struct arena *arena) {
    static const bool is_max[SUMMARY_COUNT] = {false};
    uint32_t count = digest->head.sweep.point_count;
    double *values = arena_take_array(arena, count, SUMMARY_COUNT * sizeof *values);
    bool *is_front = arena_take_array(arena, count, sizeof *is_front);
    if (values == NULL || is_front == NULL) {
        return false;
    }
    for (uint32_t p = 0; p < count; p++) {
        for (int i = 0; i < SUMMARY_COUNT; i++) {
            memcpy(&values[(size_t)p * SUMMARY_COUNT + (size_t)i],
                   (const char *)&digest->points[p] + summaries[i].offset, sizeof *values);
        }
    }
    front_mark(values, count, SUMMARY_COUNT, is_max, is_front);
    for (uint32_t p = 0; p < count; p++) {
        digest->points[p].is_front = is_front[p] && digest->points[p].runs > 0;
    }
    return true;
}

bool sweep_read(const char *file, struct arena *arena, struct storm_sweep *sweep,
                struct storm_error *error) {
    struct database database;
    struct digest digest = {.values = NULL};
    database_open(&database, file, DATABASE_READ);
    if (sweep_head_read(&database, arena, &digest.head)) {
        if (digest_begin(&digest, arena)) {
            read_runs(&database, &digest);
        } else {
            database_blame_memory(&database);
        }
    }
    if (database_is_good(&database) && !mark_front(&digest, arena)) {
        database_blame_memory(&database);
    }
    *sweep = digest.head.sweep;
    sweep->points = digest.points;
    sweep->complete = sweep->complete && digest.head.shards == 0;
    return database_close(&database, error);
}
