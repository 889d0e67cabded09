/* sweep_columns.h: the columns of a sweep's tables that are named as paths and metrics are. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef STORE_SWEEP_COLUMNS_H
#define STORE_SWEEP_COLUMNS_H

#include <stdint.h>

#include "store/database.h"
#include "store/sweep_head.h"

/* The first columns of a run's row, in the order in which they are written and read. */
enum {
    SWEEP_COLUMN_ID,
    SWEEP_COLUMN_POINT,
    SWEEP_COLUMN_RUN,
    SWEEP_COLUMN_VERDICT,
    SWEEP_COLUMN_DURATION,
    SWEEP_COLUMN_DIGEST,
    SWEEP_COLUMNS_FIXED
};

/* Those of the points, and those of the runs behind the fixed ones. */
enum sweep_names { SWEEP_PATHS, SWEEP_METRICS };

/* The column of a path or metric: its name, unless that is taken. To be freed with sqlite3_free;
   NULL without memory. */
char *sweep_column_name(const struct sweep_head *head, enum sweep_names names, uint32_t index);

/* Appends `format` once for each name, which is its argument, twice. */
void sweep_columns_append(sqlite3_str *sql, const char *format, const struct sweep_head *head,
                          enum sweep_names names);

/* What was put together; to be freed with sqlite3_free. NULL notes that memory ran out. */
char *sweep_columns_finish(struct database *database, sqlite3_str *sql);

/* An INSERT of so many values into a table. */
sqlite3_stmt *sweep_columns_insert(struct database *database, const char *table, uint32_t count);

/* Selects the columns `first`, and `format` for each name, of all rows by the first. */
sqlite3_stmt *sweep_columns_select(struct database *database, const char *first, const char *format,
                                   const struct sweep_head *head, enum sweep_names names,
                                   const char *table);

/* Binds a value that lives until the statement is done; of numbers NaN becomes NULL. */
void sweep_bind_text(sqlite3_stmt *statement, int place, const char *text);
void sweep_bind_number(sqlite3_stmt *statement, int place, double number);

#endif
