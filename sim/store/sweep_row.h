/* sweep_row.h: the rows of a sweep's runs. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef STORE_SWEEP_ROW_H
#define STORE_SWEEP_ROW_H

#include <stdbool.h>

#include <retrystorm/sweep.h>

#include "store/database.h"
#include "store/sweep_head.h"

/* Prepares to add rows, and to read them in their order. NULL after an error. */
struct sqlite3_stmt *sweep_row_writer(struct database *database, const struct sweep_head *head);
struct sqlite3_stmt *sweep_row_reader(struct database *database, const struct sweep_head *head);

void sweep_row_write(struct database *database, struct sqlite3_stmt *writer,
                     const struct sweep_head *head, const struct storm_sweep_run *row);

/* The next row into *row, whose values have room. False past the last, and after an error. */
bool sweep_row_read(struct database *database, struct sqlite3_stmt *reader,
                    const struct sweep_head *head, struct storm_sweep_run *row);

#endif
