/* csv.h: the tables of tests/data: read whole, cells by row and name of column. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SUPPORT_CSV_H
#define SUPPORT_CSV_H

#include <stdbool.h>
#include <stddef.h>

/* A table. Lines that begin with '#' are comments; the first other line names the columns; a cell
   in double quotes may hold commas. */
struct csv {
    char *text;
    const char **cells; /* [row * columns + column], the names of the columns first */
    size_t columns, rows;
};

/* Reads a file; a file that cannot be read or has ragged rows ends the test program. */
struct csv csv_read(const char *path);
void csv_free(struct csv *csv);

bool csv_has(const struct csv *csv, const char *column);

/* The cell of row `row` (from 0, without the names) under `column`, which must exist. */
const char *csv_text(const struct csv *csv, size_t row, const char *column);

/* The same as a number; an empty cell or the word "none" is +inf. */
double csv_number(const struct csv *csv, size_t row, const char *column);

#endif
