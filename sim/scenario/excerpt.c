/* excerpt.c: errors for people: the place, the line, a caret under the very characters, a hint. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include <retrystorm/load.h>

#include "scenario/blame.h"
#include "scenario/lines.h"
#include "scenario/tree.h"

/* Lines of a terminal: what is longer is shown around its caret. */
enum { VIEW_WIDTH = 100, VIEW_BEFORE = 40, TAB = 8 };

/* One character of a line as it is shown. */
struct glyph {
    const char *bytes; /* shown; not the source's when that may not be shown */
    size_t shown;      /* how many bytes to show */
    size_t taken;      /* how many bytes of the source it is */
    int width;         /* in columns of a terminal */
};

/* The character at the head of `text`, `at` columns from the line's start. */
static struct glyph glyph_next(const char *text, size_t length, int at) {
    static const char blanks[] = "        ";
    utf8proc_int32_t point;
    assert(length > 0 && at >= 0);
    utf8proc_ssize_t taken = utf8proc_iterate((const utf8proc_uint8_t *)text,
                                              (utf8proc_ssize_t)(length < 4 ? length : 4), &point);
    if (taken <= 0)
        return (struct glyph){"?", 1, 1, 1};
    if (point == '\t')
        return (struct glyph){blanks, (size_t)(TAB - at % TAB), 1, TAB - at % TAB};
    if (!blame_shows(point))
        return (struct glyph){"?", 1, (size_t)taken, 1};
    return (struct glyph){text, (size_t)taken, (size_t)taken, utf8proc_charwidth(point)};
}

/* The columns of a terminal that the characters [column, column + width) of a line lie in. */
static void columns_find(const char *line, size_t length, int column, int width, int *from,
                         int *to) {
    int at = 0;
    int character = 1;
    assert(column >= 1 && width >= 1);
    *from = -1;
    *to = -1;
    for (size_t i = 0; i < length && *to < 0; character++) {
        struct glyph glyph = glyph_next(line + i, length - i, at);
        if (character == column)
            *from = at;
        if (character - column == width)
            *to = at;
        i += glyph.taken;
        at += glyph.width;
    }
    *from = *from < 0 ? at : *from; /* behind the end: a missing bracket */
    *to = *to < 0 ? at : *to;
    *to = *to <= *from ? *from + 1 : *to;
}

/* Shows the columns [first, first + VIEW_WIDTH) of a line. */
static void line_show(FILE *out, const char *line, size_t length, int first) {
    int at = 0;
    size_t i = 0;
    fputs(first > 0 ? "..." : "", out);
    while (i < length && at < first + VIEW_WIDTH) {
        struct glyph glyph = glyph_next(line + i, length - i, at);
        if (at >= first)
            fwrite(glyph.bytes, 1, glyph.shown, out);
        i += glyph.taken;
        at += glyph.width;
    }
    fputs(i < length ? "...\n" : "\n", out);
}

/* Finds the line of that number; false when the text is shorter. */
static bool line_find(const char *text, size_t length, int number, const char **line,
                      size_t *line_length) {
    size_t i = 0;
    assert(number >= 1);
    for (int at = 1; at < number; at++) {
        while (i < length && lines_break(text + i, length - i) == 0)
            i++;
        if (i == length)
            return false;
        i += lines_break(text + i, length - i);
    }
    size_t end = i;
    while (end < length && lines_break(text + end, length - end) == 0)
        end++;
    *line = text + i;
    *line_length = end - i;
    return true;
}

static void excerpt_show(FILE *out, const struct storm_error *error, const char *text,
                         size_t length) {
    const char *line;
    size_t line_length;
    int from, to;
    if (!line_find(text, length, error->line, &line, &line_length) || line_length == 0)
        return;
    columns_find(line, line_length, error->column, error->width, &from, &to);
    /* A view that begins inside a wide character or a tab would shift the caret. */
    int first = 0;
    for (size_t i = 0; to > VIEW_WIDTH && i < line_length && first < from - VIEW_BEFORE;) {
        struct glyph glyph = glyph_next(line + i, line_length - i, first);
        first += glyph.width;
        i += glyph.taken;
    }
    to = to > first + VIEW_WIDTH ? first + VIEW_WIDTH : to;
    fprintf(out, "%5d | ", error->line);
    line_show(out, line, line_length, first);
    fprintf(out, "      | %*s", from - first + (first > 0 ? 3 : 0), "");
    for (int i = from; i < to; i++)
        fputc('^', out);
    fputc('\n', out);
}

static bool is_override(const struct storm_error *error) {
    return error->line == 0 && strncmp(error->path, "--set ", 6) == 0;
}

static void error_show(FILE *out, const struct storm_error *error, const char *name,
                       const char *text, size_t length) {
    if (is_override(error)) {
        fprintf(out, "%s: error: %s\n", error->path, error->message);
    } else {
        fprintf(out, "%s:", name);
        if (error->line > 0)
            fprintf(out, "%d:%d:", error->line, error->column);
        fprintf(out, " error: %s%s%s\n", error->path, error->path[0] != '\0' ? ": " : "",
                error->message);
    }
    if (error->line > 0 && error->column > 0 && text != NULL)
        excerpt_show(out, error, text, length);
    if (error->suggestion[0] != '\0')
        fprintf(out, "      = help: %s\n", error->suggestion);
}

char *storm_errors_print(const struct storm_errors *errors, const char *name, const char *text,
                         size_t length) {
    char *printed = NULL;
    size_t size;
    assert(errors != NULL && name != NULL);
    FILE *out = open_memstream(&printed, &size);
    if (out == NULL)
        return NULL;
    size_t skipped = text == NULL ? 0 : tree_bom_length(text, length);
    int kept = errors->count < STORM_ERRORS_MAX ? errors->count : STORM_ERRORS_MAX;
    for (int i = 0; i < kept; i++)
        error_show(out, &errors->list[i], name, text == NULL ? NULL : text + skipped,
                   length - skipped);
    if (errors->count > kept)
        fprintf(out, "%d errors in %s; these are the first %d\n", errors->count, name, kept);
    else if (kept > 0)
        fprintf(out, "%d error%s in %s\n", kept, kept == 1 ? "" : "s", name);
    if (fclose(out) != 0) {
        free(printed);
        return NULL;
    }
    return printed;
}
