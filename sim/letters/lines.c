/* lines.c: JSON Lines: a file of one object a line, and where in it something is wrong. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "letters/lines.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* Where `key` stands in quotes, at or after `from`; NULL: nowhere. */
static const char *find_key(const struct line *line, const char *from, const char *key) {
    char quoted[STORM_PATH_MAX + 2];
    size_t length = (size_t)snprintf(quoted, sizeof quoted, "\"%.*s\"", STORM_PATH_MAX - 1, key);
    const char *end = line->text + line->length;
    for (const char *at = from; at + length <= end; at++) {
        if (memcmp(at, quoted, length) == 0) {
            return at;
        }
    }
    return NULL;
}

/* The column of what a path such as original.member names, from 1; the reader of JSON has kept no
   places, so its keys are looked for. What is missing is missing from the whole line. */
static int column_of(const struct line *line, const char *path) {
    const char *at = line->text;
    while (at != NULL && *path != '\0') {
        char key[STORM_PATH_MAX];
        size_t length = strcspn(path, ".");
        snprintf(key, sizeof key, "%.*s", (int)length, path);
        at = find_key(line, at, key);
        path += length + (path[length] == '.');
    }
    return at == NULL ? 1 : (int)(at - line->text) + 1;
}

/* Puts file, line and column before what is wrong. Returns false. */
static bool place_error(const char *file, const struct line *line, struct storm_error *error) {
    struct storm_error bare = *error;
    bool is_syntax = bare.line > 0;
    int column = is_syntax && bare.column > 0 ? bare.column : column_of(line, bare.path);
    assert(bare.status != STORM_OK);
    storm_fail(error, bare.status, "%.100s:%u:%d: %.130s", file, line->number, column,
               bare.message);
    error->line = (int)line->number;
    error->column = column;
    return false;
}

static bool read_line(const struct line *line, struct json_reader *reader, lines_take *take,
                      void *context) {
    json_t *object = json_reader_parse(reader, line->text, line->length);
    if (object == NULL) {
        return false;
    }
    bool taken = json_is_object(object) ? take(context, reader, line, object)
                                        : json_reader_refuse_type(reader, object, "an object");
    json_decref(object);
    return taken;
}

static bool is_blank(const struct line *line) {
    size_t i = 0;
    while (i < line->length && strchr(" \t\r", line->text[i]) != NULL && line->text[i] != '\0') {
        i++;
    }
    return i == line->length;
}

bool lines_read(const char *file, const char *text, size_t length, size_t longest,
                struct arena *arena, lines_take *take, void *context, struct storm_error *error) {
    struct line line = {0};
    if (length == 0) {
        return true;
    }
    const char *end = text + length;
    for (const char *at = text; at != end; at = line.text + line.length) {
        at += line.number > 0; /* behind the end of the line before */
        if (at == end) {
            break;
        }
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        line = (struct line){line.number + 1, at, (size_t)((stop != NULL ? stop : end) - at)};
        struct json_reader reader = {.arena = arena, .error = error};
        if (line.length > longest) {
            storm_fail(error, STORM_LIMIT, "the line has more than %zu bytes", longest);
            return place_error(file, &line, error);
        }
        if (!is_blank(&line) && !read_line(&line, &reader, take, context)) {
            return place_error(file, &line, error);
        }
    }
    return true;
}
