/* blame.c: builds errors, and keeps those that come first in the file. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Invariants
   1. The kept errors are in order of position; those without a line come last, as they came.
   2. Every string of an error is valid UTF-8 and ends before its array does. */

#include <assert.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <utf8proc.h>

#include "scenario/blame.h"

/* Beyond this many errors, finding near words is a waste: a hostile file may have a million. */
enum { ERRORS_MANY = 1000 };

static bool is_continuation(char c) { return ((unsigned char)c & 0xC0) == 0x80; }

/* Cuts a character off whose bytes are not all there. The text was valid before it was cut. */
static void tail_trim(char *text) {
    size_t length = strlen(text);
    size_t start = length;
    while (start > 0 && is_continuation(text[start - 1]))
        start--;
    if (start == 0)
        return;
    unsigned char lead = (unsigned char)text[start - 1];
    size_t want = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    assert(length - start < 4);
    if (length - start + 1 < want)
        text[start - 1] = '\0';
}

bool blame_shows(int32_t point) {
    utf8proc_category_t category = utf8proc_category(point);
    return category != UTF8PROC_CATEGORY_CC && category != UTF8PROC_CATEGORY_CF &&
           category != UTF8PROC_CATEGORY_ZL && category != UTF8PROC_CATEGORY_ZP;
}

const char *blame_quote(const char *text, char *buffer, size_t size) {
    assert(text != NULL && buffer != NULL);
    assert(size >= 8);
    size_t used = 0; /* three bytes are kept free for "..." */
    while (*text != '\0') {
        utf8proc_int32_t point;
        utf8proc_ssize_t taken = utf8proc_iterate((const utf8proc_uint8_t *)text, -1, &point);
        bool is_good = taken > 0 && blame_shows(point);
        size_t length = is_good ? (size_t)taken : 1;
        if (used + length + 4 > size && strlen(text) + used >= size)
            break;
        memcpy(buffer + used, is_good ? text : "?", length);
        used += length;
        text += taken > 0 ? taken : 1;
    }
    memcpy(buffer + used, *text != '\0' ? "..." : "", *text != '\0' ? 4 : 1);
    assert(strlen(buffer) < size);
    return buffer;
}

const char *blame_path(const struct trail *trail, char *buffer, size_t size) {
    assert(buffer != NULL && size > 0);
    buffer[0] = '\0';
    if (trail == NULL || trail->up == NULL)
        return buffer;
    blame_path(trail->up, buffer, size);
    size_t used = strlen(buffer);
    const char *dot = used > 0 ? "." : "";
    char quoted[QUOTE_MAX + 8];
    if (trail->key != NULL)
        snprintf(buffer + used, size - used, "%s%s", dot,
                 blame_quote(trail->key, quoted, sizeof quoted));
    else
        snprintf(buffer + used, size - used, "%s%u", dot, (unsigned)trail->index);
    tail_trim(buffer);
    return buffer;
}

bool blame_is_full(const struct blames *blames) { return blames->total > ERRORS_MANY; }

/* Errors without a line come after all others. */
static int rank_line(const struct storm_error *error) {
    return error->line == 0 ? INT_MAX : error->line;
}

static bool comes_before(const struct storm_error *a, const struct storm_error *b) {
    if (rank_line(a) != rank_line(b))
        return rank_line(a) < rank_line(b);
    return a->column < b->column;
}

/* The last key of a path. */
static const char *path_end(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot == NULL ? path : dot + 1;
}

/* The same complaint: an alias shows one place to readers on several paths, a variant repeats the
   base. Two missing keys of one map differ in the end of their paths. */
static bool is_same(const struct storm_error *a, const struct storm_error *b) {
    if (a->line != b->line || a->column != b->column || strcmp(a->message, b->message) != 0)
        return false;
    if (a->line == 0)
        return strcmp(a->path, b->path) == 0;
    return strcmp(path_end(a->path), path_end(b->path)) == 0;
}

static void errors_insert(struct storm_errors *errors, const struct storm_error *error) {
    assert(errors->count >= 0 && errors->count < INT_MAX);
    int kept = errors->count < STORM_ERRORS_MAX ? errors->count : STORM_ERRORS_MAX;
    int place = kept;
    for (int i = 0; i < kept; i++) {
        if (is_same(&errors->list[i], error))
            return;
    }
    while (place > 0 && comes_before(error, &errors->list[place - 1]))
        place--;
    errors->count++;
    if (place == STORM_ERRORS_MAX)
        return;
    int moved = (kept < STORM_ERRORS_MAX ? kept : STORM_ERRORS_MAX - 1) - place;
    assert(moved >= 0);
    memmove(&errors->list[place + 1], &errors->list[place], (size_t)moved * sizeof *error);
    errors->list[place] = *error; /* invariant 1 */
}

/* Puts the origin (or else nothing) and the path where a reader of the error expects them. */
static void error_place(struct storm_error *error, const struct trail *trail, struct place place) {
    assert(place.line >= 0);
    error->line = place.line;
    error->column = place.line > 0 ? place.column : 0;
    error->width = place.width > 0 ? place.width : 1;
    if (place.origin == NULL) {
        blame_path(trail, error->path, sizeof error->path);
        return;
    }
    char path[STORM_PATH_MAX], message[STORM_MESSAGE_MAX];
    blame_path(trail, path, sizeof path);
    memcpy(message, error->message, sizeof message);
    blame_quote(place.origin, error->path, sizeof error->path);
    if (path[0] == '\0')
        return;
    int length = snprintf(error->message, sizeof error->message, "%s: %s", path, message);
    if (length >= STORM_MESSAGE_MAX)
        tail_trim(error->message);
}

void blame(struct blames *blames, const struct trail *trail, struct place place,
           const char *suggestion, const char *format, ...) {
    assert(blames != NULL && format != NULL);
    struct storm_error error = {.status = STORM_INVALID};
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(error.message, sizeof error.message, format, arguments);
    va_end(arguments);
    assert(length >= 0);
    tail_trim(error.message);
    if (suggestion != NULL)
        blame_quote(suggestion, error.suggestion, sizeof error.suggestion);
    error_place(&error, trail, place);
    blames->total++;
    errors_insert(&blames->kept, &error);
}

void blame_memory(struct blames *blames) {
    assert(blames != NULL);
    struct storm_error error;
    storm_fail(&error, STORM_LIMIT, "the scenario needs more memory than it may use");
    blames->total++;
    errors_insert(&blames->kept, &error);
}

void blame_merge(const struct blames *blames, struct storm_errors *errors) {
    assert(blames != NULL && errors != NULL);
    int kept = blames->kept.count < STORM_ERRORS_MAX ? blames->kept.count : STORM_ERRORS_MAX;
    for (int i = 0; i < kept; i++)
        errors_insert(errors, &blames->kept.list[i]);
    errors->count += blames->kept.count - kept;
}
