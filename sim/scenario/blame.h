/* blame.h: an error and the place it belongs to: where in the file, and at which setting. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SCENARIO_BLAME_H
#define SCENARIO_BLAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <retrystorm/error.h>

/* Where something is written. line and column are 1-based and count characters; line 0: nowhere
   in the file. `origin` is then the text to name instead, e.g. "--set policies.app.cap=30" (or
   NULL). */
struct place {
    int line, column, width;
    const char *origin;
};

/* The way from the top of the tree down to a setting, as a chain on the callers' stacks. The top
   has no `up`; an item of a list has no key but an index. `place` is that of the key. */
struct trail {
    const struct trail *up;
    const char *key;
    uint32_t index;
    struct place place;
};

/* The errors found by one pass over a text. `total` also counts those that were already kept. */
struct blames {
    struct storm_errors kept;
    uint32_t total;
};

enum { QUOTE_MAX = 64 };

/* True for a character that shows as itself and does nothing else to a terminal or to the text
   around it. */
bool blame_shows(int32_t point);

/* Writes `text` fit for a message: what is no character, or controls instead of showing, as '?'; at
   most size - 1 bytes with "..." at the end when it was longer, never half a character. Returns
   `buffer`; size at least 8. */
const char *blame_quote(const char *text, char *buffer, size_t size);

/* Writes the path of a trail, e.g. "clients.web.calls.timeout"; "" for the top. Returns
   `buffer`. */
const char *blame_path(const struct trail *trail, char *buffer, size_t size);

/* True when so many errors are known that more need no careful wording. */
bool blame_is_full(const struct blames *blames);

/* Adds an error about the setting of `trail` (NULL: no setting) at `place`. `suggestion` may be
   NULL. The list keeps the errors that come first in the file, in order; an error already kept is
   not added twice. */
void blame(struct blames *blames, const struct trail *trail, struct place place,
           const char *suggestion, const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Adds "out of memory": the document has reached its limit. */
void blame_memory(struct blames *blames);

/* Adds what was found to a caller's errors, in order, nothing twice. */
void blame_merge(const struct blames *blames, struct storm_errors *errors);

#endif
