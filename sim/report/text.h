/* text.h: numbers and names as a terminal shows them, and tables of them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <retrystorm/units.h>

#include "base/arena.h"

enum { TEXT_NUMBER_SIZE = 40, TEXT_DURATION_SIZE = 64 };

/* Writes a number for people: three significant digits below 100, whole above, with thousands
   separated by commas: 0.0123, 5.8, 9,420. NaN gives a dash. Returns `buffer`, of TEXT_NUMBER_SIZE
   bytes. */
const char *text_number(double value, char *buffer);

/* The same with its sign, as of a change: +9,420, −5.8. */
const char *text_signed(double value, char *buffer);

/* Writes numbers that stand together: all with the decimals that the first one needs, and at most
   one more than the largest does. Returns whether all are written alike; NaN and what has no
   decimals is written as by text_number. */
bool text_numbers(const double *values, uint32_t count, char (*buffers)[TEXT_NUMBER_SIZE]);

/* Writes a duration for people, with at most four digits that count: 51s, 500ms, 5.739s. Returns
   `buffer`, of TEXT_DURATION_SIZE bytes. */
const char *text_duration(storm_time time, char *buffer);

/* Columns that a terminal gives to `text`: wide characters take two, combining ones and colours
   none. */
size_t text_width(const char *text);

/* Writes a text in lines of at most `width` columns, the first of which has `column` already; later
   ones begin with `indent` blanks. Ends the last line. A longer word has a line of its own. */
void text_wrap(FILE *out, const char *text, int column, int indent, int width);

/* Writes a field of comma-separated values, in quotes when it holds what would end it (RFC
   4180). */
void text_csv_field(FILE *out, const char *text);

/* A copy without control characters and broken UTF-8 (each becomes U+FFFD), safe to send to a
   terminal. NULL gives an empty string; NULL is returned when the arena is full. */
const char *text_clean(struct arena *arena, const char *text);

/* Whether a text is UTF-8. Names of files need not be. */
bool text_is_utf8(const char *text);

/* Writes the character at `text`: a blank for one that could command a terminal, U+FFFD for a byte
   that is no character. Returns what is behind it. */
const char *text_put(const char *text, FILE *out);

/* A cell: a value, and what follows it in a column of its own so that values line up. */
struct text_cell {
    const char *value, *tail;
};

/* What a column needs: its widest value and widest tail below the heading, and the whole. */
struct text_extent {
    size_t value, tail, whole;
};

/* A table whose row 0 is its heading. The first `left` columns are aligned to the left, the others
   to the right. Cells are filled by the caller; NULL is empty; strings are not copied. */
struct text_table {
    uint32_t rows, columns, left;
    struct text_cell *cells;     /* [row * columns + column] */
    struct text_extent *extents; /* [column], measured when it is written */
};

/* Takes the cells from the arena. False when it is full. */
bool text_table_init(struct text_table *table, struct arena *arena, uint32_t rows, uint32_t columns,
                     uint32_t left);

struct text_cell *text_table_cell(struct text_table *table, uint32_t row, uint32_t column);

/* The columns that the table takes. */
size_t text_table_width(struct text_table *table);

/* Writes the table, two blanks between columns and none at the end of a line. */
void text_table_write(struct text_table *table, FILE *out);

/* How a difference is told: `factor` times it, with `tail` behind: in points of a share, in % of
   the reference, or, where that is 0, in the metric's own unit. */
struct text_change {
    double factor;
    const char *tail; /* " points", " %" or "" */
};

struct text_change text_change_of(const char *unit, double reference);

enum { SHELL_WORD_MAX = 4096 };

/* Writes a word as a shell reads it: in quotes where it would be more, or something else. Returns
   `buffer`; "" when it does not fit. */
const char *text_shell_word(const char *word, char *buffer, size_t size);

#endif
