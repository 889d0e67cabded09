/* series.c: tables of rates: read once for a document, checked, and told apart by a hash. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <retrystorm/load.h>

#include "base/stream.h"
#include "scenario/document.h"
#include "scenario/fields.h"
#include "scenario/series.h"
#include "scenario/text.h"
#include "scenario/value.h"

enum { NAME_MAX_BYTES = 255, HASH_DIGITS = 16 };

/* ---- tables ---------------------------------------------------------------------------------- */

/* The table of that node or file; NULL when it was not read yet. */
static const struct rate_table *table_find(const struct reader *reader, const struct node *node,
                                           const char *file) {
    assert((node == NULL) != (file == NULL));
    for (const struct rate_table *table = reader->document->rates; table != NULL;
         table = table->next) {
        bool is_same = node != NULL ? table->node == node
                                    : table->file != NULL && strcmp(table->file, file) == 0;
        if (is_same)
            return table;
    }
    return NULL;
}

/* Remembers a table that is good. */
static bool table_add(struct reader *reader, struct rate_table table) {
    struct rate_table *kept = reader_take(reader, 1, sizeof *kept);
    if (kept == NULL)
        return false;
    assert(table.count > 0 && table.points != NULL);
    table.next = reader->document->rates;
    *kept = table;
    reader->document->rates = kept;
    return true;
}

static bool is_silent(const struct storm_rate_point *points, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (points[i].rate > 0)
            return false;
    }
    return true;
}

uint64_t series_hash(const struct storm_rate_point *points, uint32_t count) {
    uint64_t hash = count;
    assert(points != NULL || count == 0);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &points[i].rate, sizeof bits);
        hash = stream_mix64(hash + (uint64_t)points[i].at);
        hash = stream_mix64(hash + bits);
    }
    return hash;
}

/* ---- points in the scenario ------------------------------------------------------------------ */

static const char points_example[] = "write rate: [[0s, 100/s], [60s, 900/s]]";

const struct field rate_point_fields[2] = {
    {"0", FIELD_DURATION, offsetof(struct storm_rate_point, at), NULL, 0, LONGEST, NULL,
     "a time of the run"},
    {"1", FIELD_RATE, offsetof(struct storm_rate_point, rate), NULL, 0, RATE_MOST, NULL,
     "the rate at it"},
};

/* Reads one pair. False after an error in it. */
static bool point_read(struct reader *reader, const struct trail *trail, const struct node *pair,
                       const struct storm_rate_point *last, struct storm_rate_point *point) {
    if (pair->kind != NODE_LIST || pair->count != 2) {
        reader_refuse(reader, trail, pair, "a time and a rate: [60s, 900/s]", points_example);
        return false;
    }
    struct trail first = trail_index(trail, 0, &pair->items[0]);
    struct trail second = trail_index(trail, 1, &pair->items[1]);
    bool is_good = value_read(reader, &first, pair->items[0].value, &rate_point_fields[0], point);
    is_good =
        value_read(reader, &second, pair->items[1].value, &rate_point_fields[1], point) && is_good;
    if (is_good && last != NULL && point->at <= last->at) {
        blame(reader->errors, &first, pair->items[0].value->place,
              "write the times in rising order", "must be later than the point before it");
        is_good = false;
    }
    return is_good;
}

/* Reads all pairs of a list whose length is right. */
static struct storm_rate_point *points_read(struct reader *reader, const struct trail *trail,
                                            const struct node *node) {
    struct storm_rate_point *points = reader_take(reader, node->count, sizeof *points);
    const struct storm_rate_point *last = NULL;
    bool is_good = points != NULL;
    for (uint32_t i = 0; i < node->count && points != NULL; i++) {
        struct trail here = trail_index(trail, i, &node->items[i]);
        bool is_read = point_read(reader, &here, node->items[i].value, last, &points[i]);
        last = is_read ? &points[i] : last;
        is_good = is_good && is_read;
    }
    if (is_good && is_silent(points, node->count)) {
        blame(reader->errors, trail, node->place, "give at least one point a rate above 0/s",
              "all rates are 0");
        is_good = false;
    }
    return is_good ? points : NULL;
}

uint32_t rate_points_read(struct reader *reader, const struct trail *trail, const struct node *node,
                          const struct storm_rate_point **points) {
    assert(node != NULL && points != NULL);
    if (node->kind != NODE_LIST || node->count == 0) {
        reader_refuse(reader, trail, node, "a list of times and rates", points_example);
        return 0;
    }
    if (node->count > STORM_RATE_POINTS_MAX) {
        blame(reader->errors, trail, trail->place, NULL, "more than %d points",
              STORM_RATE_POINTS_MAX);
        return 0;
    }
    const struct rate_table *known = table_find(reader, node, NULL);
    struct rate_table table = {.node = node, .count = node->count};
    if (known != NULL)
        table = *known;
    else
        table.points = points_read(reader, trail, node);
    if (table.points == NULL || (known == NULL && !table_add(reader, table)))
        return 0;
    *points = table.points;
    return table.count;
}

/* ---- points in a file ------------------------------------------------------------------------ */

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
    if (wrong == NULL && *value > most)
        return "is too large";
    return wrong;
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
    if (count == 0 || is_silent(list, count)) {
        snprintf(wrong, size, "%s", count == 0 ? " has no line time,value" : " all rates are 0");
        return 0;
    }
    *points = list;
    return count;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Whether a name stays in the folder of the scenario, and shows as it is. */
static const char *name_check(const char *name) {
    char quoted[NAME_MAX_BYTES + 16];
    if (name[0] == '\0' || strlen(name) > NAME_MAX_BYTES)
        return "is no name of a file";
    if (strcmp(blame_quote(name, quoted, sizeof quoted), name) != 0)
        return "is no name of a file";
    if (name[0] == '/')
        return "is not in the scenario's folder";
    for (const char *part = name; part != NULL; part = strchr(part, '/')) {
        part += *part == '/' ? 1 : 0;
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0'))
            return "is not in the scenario's folder";
    }
    return NULL;
}

/* Splits "load.csv#0123456789abcdef"; *hash stays as it is when there is none. NULL without
   memory. */
static const char *hash_split(struct reader *reader, const char *text, bool *has_hash,
                              uint64_t *hash) {
    const char *mark = strrchr(text, '#');
    *has_hash = mark != NULL && strlen(mark + 1) == HASH_DIGITS &&
                strspn(mark + 1, "0123456789abcdef") == HASH_DIGITS;
    if (*has_hash)
        *hash = strtoull(mark + 1, NULL, 16);
    size_t length = *has_hash ? (size_t)(mark - text) : strlen(text);
    const char *name = arena_copy_string(reader->arena, text, length);
    if (name == NULL)
        blame_memory(reader->errors);
    return name;
}

/* The text of a file beside the scenario. NULL after an error. The caller frees. */
static char *file_read(struct reader *reader, const struct trail *trail, const struct node *node,
                       const char *name, size_t *length) {
    const char *folder = reader->document->folder;
    size_t size = (folder == NULL ? 0 : strlen(folder)) + strlen(name) + 1;
    char *path = reader_take(reader, size, 1);
    char *text = NULL;
    char quoted[QUOTE_MAX];
    if (path == NULL)
        return NULL;
    snprintf(path, size, "%s%s", folder == NULL ? "" : folder, name);
    const char *wrong = text_read_regular(path, &text, length);
    if (wrong == NULL && *length > STORM_FILE_MAX)
        wrong = "it is larger than 16 MiB";
    if (wrong == NULL)
        return text;
    blame(reader->errors, trail, node->place, "the file is looked for beside the scenario",
          "'%s' cannot be read: %s", blame_quote(name, quoted, sizeof quoted), wrong);
    free(text);
    return NULL;
}

/* Reads the file that was not read before. NULL after an error. */
static const struct rate_table *file_load(struct reader *reader, const struct trail *trail,
                                          const struct node *node, const char *name) {
    char wrong[STORM_MESSAGE_MAX / 2], quoted[QUOTE_MAX];
    struct rate_table table = {.file = name};
    size_t length;
    char *text = file_read(reader, trail, node, name, &length);
    if (text == NULL)
        return NULL;
    table.count = series_parse(reader->arena, text, length, &table.points, wrong, sizeof wrong);
    free(text);
    if (table.count == 0)
        blame(reader->errors, trail, node->place,
              "its lines are time,value: seconds and a rate per second, e.g. 60,900", "%s:%s",
              blame_quote(name, quoted, sizeof quoted), wrong);
    return table.count > 0 && table_add(reader, table) ? reader->document->rates : NULL;
}

uint32_t series_read(struct reader *reader, const struct trail *trail, const struct node *node,
                     const char **file, const struct storm_rate_point **points) {
    static const struct field text = {"series", FIELD_TEXT, 0, NULL, 0, 0, NULL, NULL};
    char quoted[QUOTE_MAX], hint[STORM_MESSAGE_MAX];
    const char *name;
    uint64_t wanted = 0;
    bool has_hash;
    if (!value_read(reader, trail, node, &text, &name) ||
        (name = hash_split(reader, name, &has_hash, &wanted)) == NULL)
        return 0;
    const char *wrong = name_check(name);
    if (wrong != NULL) {
        blame(reader->errors, trail, node->place, "name a file beside the scenario, e.g. load.csv",
              "'%s' %s", blame_quote(name, quoted, sizeof quoted), wrong);
        return 0;
    }
    if (reader->is_blind)
        return 0;
    const struct rate_table *table = table_find(reader, NULL, name);
    if (table == NULL)
        table = file_load(reader, trail, node, name);
    if (table == NULL)
        return 0;
    uint64_t hash = series_hash(table->points, table->count);
    if (has_hash && hash != wanted) {
        blame_quote(name, quoted, sizeof quoted);
        snprintf(hint, sizeof hint, "write %s, or %s#%016" PRIx64, quoted, quoted, hash);
        blame(reader->errors, trail, node->place, hint, "the data of '%s' has changed", quoted);
        return 0;
    }
    *file = name;
    *points = table->points;
    return table->count;
}
