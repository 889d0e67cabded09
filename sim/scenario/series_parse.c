/* series_parse.c: the lines time,value of a file of rates. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "scenario/fields.h"
#include "scenario/series.h"

bool series_is_silent(const struct storm_rate_point *points, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (points[i].rate > 0)
            return false;
    }
    return true;
}

/* The piece of a line that is looked at, [at, end). */
struct piece {
    const char *at, *end;
};

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static struct piece piece_trim(struct piece piece) {
    while (piece.at < piece.end && is_blank(*piece.at))
        piece.at++;
    while (piece.at < piece.end && is_blank(piece.end[-1]))
        piece.end--;
    return piece;
}

/* Without the blanks around it, nor quotes. */
static struct piece cell_trim(struct piece piece) {
    piece = piece_trim(piece);
    if (piece.end - piece.at >= 2 && piece.at[0] == '"' && piece.end[-1] == '"')
        return (struct piece){piece.at + 1, piece.end - 1};
    return piece;
}

/* The next line without its comment; moves *at behind its end. */
static struct piece line_next(const char **at, const char *end) {
    const char *stop = memchr(*at, '\n', (size_t)(end - *at));
    struct piece line = {*at, stop == NULL ? end : stop};
    assert(*at < end);
    *at = stop == NULL ? end : stop + 1;
    const char *comment = memchr(line.at, '#', (size_t)(line.end - line.at));
    if (comment != NULL)
        line.end = comment;
    return piece_trim(line);
}

/* Reads a number with its unit, or without as seconds or per second. Returns NULL or what is
   wrong; `text` keeps what was read. */
static const char *cell_read(struct piece cell, enum storm_unit unit, double most, double *value,
                             char *text, size_t size) {
    size_t length = (size_t)(cell.end - cell.at);
    snprintf(text, size, "%.*s", (int)(length < size ? length : size - 1), cell.at);
    if (length >= size || memchr(cell.at, '\0', length) != NULL)
        return "is not a number";
    bool is_bare = length > 0 && cell.end[-1] >= '0' && cell.end[-1] <= '9';
    const char *wrong = storm_unit_parse(text, is_bare ? STORM_UNIT_FACTOR : unit, value, NULL, 0);
    if (wrong == NULL && *value > most && unit == STORM_UNIT_DURATION)
        return "is too late; times count from the start of the run";
    return wrong == NULL && *value > most ? "is more than 1000M/s" : wrong;
}

/* Writes what is wrong with a line. Always false. */
static bool line_fail(int line, const char *cell, const char *reason, char *wrong, size_t size) {
    char quoted[QUOTE_MAX];
    assert(line > 0 && reason != NULL);
    if (cell != NULL)
        snprintf(wrong, size, "%d: '%s' %s", line, blame_quote(cell, quoted, sizeof quoted),
                 reason);
    else
        snprintf(wrong, size, "%d: %s", line, reason);
    return false;
}

/* Reads one line that is not empty. */
static bool line_read(struct piece line, int number, const struct storm_rate_point *last,
                      struct storm_rate_point *point, char *wrong, size_t size) {
    char cell[QUOTE_MAX];
    double seconds;
    const char *comma = memchr(line.at, ',', (size_t)(line.end - line.at));
    if (comma == NULL)
        return line_fail(number, NULL, "has no comma; a line is time,value", wrong, size);
    struct piece time = cell_trim((struct piece){line.at, comma});
    struct piece rate = cell_trim((struct piece){comma + 1, line.end});
    if (memchr(comma + 1, ',', (size_t)(line.end - comma - 1)) != NULL)
        return line_fail(number, NULL, "has more than two columns", wrong, size);
    const char *reason = cell_read(time, STORM_UNIT_DURATION, LONGEST, &seconds, cell, sizeof cell);
    if (reason == NULL) {
        point->at = storm_time_from_seconds(seconds);
        if (last != NULL && point->at <= last->at)
            reason = "is not later than the line before";
        else
            reason = cell_read(rate, STORM_UNIT_RATE, RATE_MOST, &point->rate, cell, sizeof cell);
    }
    return reason == NULL || line_fail(number, cell, reason, wrong, size);
}

/* True for a line of names instead of numbers. */
static bool is_header(struct piece line) {
    if (line.at < line.end && *line.at == '"')
        line.at++;
    return line.at < line.end && strchr("0123456789.+-,", *line.at) == NULL;
}

uint32_t series_parse(struct arena *arena, const char *text, size_t length,
                      const struct storm_rate_point **points, char *wrong, size_t size) {
    struct storm_rate_point *list = NULL;
    uint32_t count = 0, room = 0;
    size_t skipped = tree_bom_length(text, length);
    const char *at = text + skipped;
    const char *end = text + length;
    bool may_be_header = true;
    for (int line = 1; at < end; line++) {
        struct piece piece = line_next(&at, end);
        bool is_skipped = piece.at == piece.end || (may_be_header && is_header(piece));
        may_be_header = may_be_header && piece.at == piece.end;
        if (is_skipped)
            continue;
        if (count == STORM_RATE_POINTS_MAX) {
            line_fail(line, NULL, "is one more than 100000 points", wrong, size);
            return 0;
        }
        if (count == room) {
            uint32_t more = room == 0 ? 64 : room * 2;
            struct storm_rate_point *grown =
                arena_grow_array(arena, list, count, more, sizeof *grown);
            if (grown == NULL) {
                snprintf(wrong, size, "%d: out of memory", line);
                return 0;
            }
            list = grown;
            room = more;
        }
        if (!line_read(piece, line, count == 0 ? NULL : &list[count - 1], &list[count], wrong,
                       size))
            return 0;
        count++;
    }
    if (count == 0 || series_is_silent(list, count)) {
        snprintf(wrong, size, "%s", count == 0 ? " has no line time,value" : " all rates are 0");
        return 0;
    }
    *points = list;
    return count;
}
