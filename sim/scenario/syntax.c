/* syntax.c: libyaml's errors for people. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <string.h>

#include <retrystorm/load.h>

#include "scenario/lines.h"
#include "scenario/syntax.h"

struct place syntax_place(yaml_mark_t start, yaml_mark_t end, const char *origin) {
    struct place place = {.width = 1, .origin = origin};
    if (origin != NULL)
        return place;
    assert(start.line <= STORM_FILE_MAX && start.column <= STORM_FILE_MAX);
    place.line = (int)start.line + 1;
    place.column = (int)start.column + 1;
    if (end.line == start.line && end.column > start.column)
        place.width = (int)(end.column - start.column);
    return place;
}

/* What to do about a message of libyaml. NULL: the message says it all. */
static const char *hint_of(const char *problem) {
    if (strstr(problem, "cannot start any token") != NULL)
        return "YAML indents with spaces, never tabs; a text that starts with @, ` or % needs "
               "quotes";
    if (strstr(problem, "mapping values are not allowed") != NULL)
        return "a text with ': ' in it needs quotes; or the indentation is wrong";
    if (strstr(problem, "did not find expected key") != NULL)
        return "is the indentation right?";
    if (strstr(problem, "could not find expected ':'") != NULL)
        return "a key is followed by ': '";
    return NULL;
}

/* True when a bracket or quote is still open where the text ends. libyaml points there; people
   look where it was opened. `last` becomes the text's last character that is no blank. */
static bool is_unclosed(const yaml_parser_t *parser, const char *text, size_t length,
                        struct place *last) {
    if (parser->error == YAML_READER_ERROR || parser->context == NULL ||
        (strstr(parser->context, "flow") == NULL && strstr(parser->context, "quoted") == NULL))
        return false;
    while (length > 0 && strchr(" \t\r\n", text[length - 1]) != NULL)
        length--;
    lines_locate(text, length, length > 0 ? length - 1 : 0, &last->line, &last->column);
    return parser->problem_mark.line + 1 > (size_t)last->line;
}

void syntax_blame(struct blames *errors, const yaml_parser_t *parser, const char *text,
                  size_t length, const char *origin) {
    assert(errors != NULL && parser->error != YAML_NO_ERROR);
    if (parser->error == YAML_MEMORY_ERROR) {
        blame_memory(errors);
        return;
    }
    const char *problem = parser->problem != NULL ? parser->problem : "cannot be read";
    const char *hint = hint_of(problem);
    yaml_mark_t mark = parser->problem_mark;
    struct place last = {.width = 1, .origin = origin};
    bool unclosed = is_unclosed(parser, text, length, &last);
    bool opened = unclosed && parser->context_mark.line < (size_t)last.line;
    if (opened) {
        hint = "it begins here and is still open at the end";
        mark = parser->context_mark;
    }
    struct place place = syntax_place(mark, mark, origin);
    if (unclosed && !opened) {
        hint = "a bracket is still open at the end";
        place = origin == NULL ? last : place;
    }
    if (parser->error == YAML_READER_ERROR && origin == NULL)
        lines_locate(text, length, parser->problem_offset, &place.line, &place.column);
    if (parser->context != NULL)
        blame(errors, NULL, place, hint, "not valid YAML: %s, %s", problem, parser->context);
    else
        blame(errors, NULL, place, hint, "not valid YAML: %s", problem);
}
