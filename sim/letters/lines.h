/* lines.h: JSON Lines: a file of one object a line, and where in it something is wrong. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LETTERS_LINES_H
#define LETTERS_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>
#include <retrystorm/error.h>

#include "base/arena.h"
#include "report/json_reader.h"

/* One line, without its end. */
struct line {
    uint32_t number; /* from 1 */
    const char *text;
    size_t length;
};

/* Reads one object. False after refusing it through the reader. */
typedef bool lines_take(void *context, struct json_reader *reader, const struct line *line,
                        const json_t *object);

/* Hands each line's object to `take`; blank lines are passed over, the last line may lack its end.
   False after filling `error`, whose message names `file`:line:column: a line is longer than
   `longest`, is not JSON or no object, or was refused. */
bool lines_read(const char *file, const char *text, size_t length, size_t longest,
                struct arena *arena, lines_take *take, void *context, struct storm_error *error);

#endif
