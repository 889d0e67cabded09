/* csv.c: the tables of tests/data: read whole, cells by row and name of column. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/csv.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_file(const char *path) {
    FILE *in = fopen(path, "rb");
    assert(in != NULL);
    size_t room = 1 << 16, length = 0, got;
    char *text = malloc(room);
    assert(text != NULL);
    while ((got = fread(text + length, 1, room - length - 1, in)) > 0) {
        length += got;
        if (length + 1 == room) {
            room *= 2;
            text = realloc(text, room);
            assert(text != NULL);
        }
    }
    fclose(in);
    text[length] = '\0';
    return text;
}

/* Ends the cell that begins at `*next` and moves on behind it; true when it was the last of its
   line. */
static bool end_cell(char **next, const char **cell) {
    char *c = *next;
    bool quoted = *c == '"';
    c += quoted;
    *cell = c;
    c += quoted ? strcspn(c, "\"") : strcspn(c, ",\n");
    if (quoted) {
        assert(*c == '"');
        *c++ = '\0';
    }
    assert(*c == ',' || *c == '\n');
    bool last = *c == '\n';
    *c = '\0';
    *next = c + 1;
    return last;
}

struct csv csv_read(const char *path) {
    struct csv csv = {.text = read_file(path)};
    csv.cells = calloc(strlen(csv.text) + 1, sizeof *csv.cells);
    assert(csv.cells != NULL);
    size_t count = 0, lines = 0;
    for (char *next = csv.text; *next != '\0';) {
        if (*next == '#') {
            next += strcspn(next, "\n") + 1;
            continue;
        }
        while (!end_cell(&next, &csv.cells[count++])) {
        }
        lines++;
        csv.columns = lines == 1 ? count : csv.columns;
        assert(count == lines * csv.columns);
    }
    assert(lines > 1);
    csv.rows = lines - 1;
    return csv;
}

void csv_free(struct csv *csv) {
    free(csv->cells);
    free(csv->text);
    *csv = (struct csv){0};
}

/* The number of a column; of the first one too many where there is none. */
static size_t find_column(const struct csv *csv, const char *column) {
    size_t i = 0;
    while (i < csv->columns && strcmp(csv->cells[i], column) != 0) {
        i++;
    }
    return i;
}

bool csv_has(const struct csv *csv, const char *column) {
    return find_column(csv, column) < csv->columns;
}

const char *csv_text(const struct csv *csv, size_t row, const char *column) {
    size_t i = find_column(csv, column);
    assert(row < csv->rows);
    assert(i < csv->columns && "no such column");
    return csv->cells[(row + 1) * csv->columns + i];
}

double csv_number(const struct csv *csv, size_t row, const char *column) {
    const char *text = csv_text(csv, row, column);
    if (text[0] == '\0' || strcmp(text, "none") == 0) {
        return HUGE_VAL;
    }
    char *end;
    double value = strtod(text, &end);
    assert(*end == '\0');
    return value;
}
