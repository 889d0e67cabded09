/* sweep_row.c: the rows of a sweep's runs. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/sweep_row.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/sweep_columns.h"

sqlite3_stmt *sweep_row_writer(struct database *database, const struct sweep_head *head) {
    return database_is_good(database)
               ? sweep_columns_insert(database, "runs", SWEEP_COLUMNS_FIXED + head->metric_count)
               : NULL;
}

sqlite3_stmt *sweep_row_reader(struct database *database, const struct sweep_head *head) {
    return database_is_good(database)
               ? sweep_columns_select(database, "id, point, run, verdict, duration, digest",
                                      ", \"%w\"", head, SWEEP_METRICS, "runs")
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
    sqlite3_bind_int64(writer, 1 + SWEEP_COLUMN_ID, (sqlite3_int64)number);
    sqlite3_bind_int64(writer, 1 + SWEEP_COLUMN_POINT, row->point);
    sqlite3_bind_int64(writer, 1 + SWEEP_COLUMN_RUN, row->run);
    sweep_bind_text(writer, 1 + SWEEP_COLUMN_VERDICT, storm_verdict_word(row->verdict));
    sweep_bind_number(writer, 1 + SWEEP_COLUMN_DURATION, row->duration);
    sweep_bind_text(writer, 1 + SWEEP_COLUMN_DIGEST, digest);
    for (uint32_t i = 0; i < head->metric_count; i++) {
        sweep_bind_number(writer, 1 + SWEEP_COLUMNS_FIXED + (int)i, row->values[i]);
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
    uint64_t number = database_whole(database, reader, SWEEP_COLUMN_ID, SWEEP_ROWS_MAX);
    row->point =
        (uint32_t)database_whole(database, reader, SWEEP_COLUMN_POINT, sweep->point_count - 1);
    row->run = (uint32_t)database_whole(database, reader, SWEEP_COLUMN_RUN, sweep->runs - 1);
    row->verdict = verdict_of(database, peek_text(reader, SWEEP_COLUMN_VERDICT));
    row->duration = database_number(database, reader, SWEEP_COLUMN_DURATION);
    const char *digest = peek_text(reader, SWEEP_COLUMN_DIGEST);
    row->digest = strtoull(digest, &end, 16);
    bool is_digest = strlen(digest) == 16 && *end == '\0';
    bool is_place = number == (uint64_t)row->point * sweep->runs + row->run;
    if (!is_digest || !is_place || !sweep_head_owns(head, number)) {
        database_blame(database, "a run is not where it belongs");
    }
    for (uint32_t i = 0; i < head->metric_count; i++) {
        row->values[i] = database_number(database, reader, SWEEP_COLUMNS_FIXED + (int)i);
    }
    return database_is_good(database);
}
