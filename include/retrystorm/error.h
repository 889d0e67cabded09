/* error.h: what went wrong, where, and what to write instead. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RETRYSTORM_ERROR_H
#define RETRYSTORM_ERROR_H

#include <stdbool.h>

/* Every way in which the library can refuse. The sentence is what a user reads when no better one
   exists. */
#define STORM_STATUS_MAP(X)                                                                        \
    X(OK, "no error")                                                                              \
    X(USAGE, "the command line was not understood")                                                \
    X(INVALID, "the input is not valid")                                                           \
    X(IO, "a file could not be read or written")                                                   \
    X(LIMIT, "a limit on memory or events was reached")                                            \
    X(INTERRUPTED, "interrupted")

enum storm_status {
#define STORM_STATUS_ENUM(name, sentence) STORM_##name,
    STORM_STATUS_MAP(STORM_STATUS_ENUM)
#undef STORM_STATUS_ENUM
};

enum { STORM_PATH_MAX = 192, STORM_MESSAGE_MAX = 256, STORM_ERRORS_MAX = 20 };

/* One error. All strings are owned by the struct. line and column are 1-based; 0: no place. */
struct storm_error {
    enum storm_status status;
    int line;
    int column;
    int width;                          /* columns to underline, at least 1 */
    char path[STORM_PATH_MAX];          /* setting, e.g. clients.web.calls.timeout; may be empty */
    char message[STORM_MESSAGE_MAX];    /* the reason, one sentence without a full stop */
    char suggestion[STORM_MESSAGE_MAX]; /* what to write instead; may be empty */
};

/* All errors of one input. `count` may exceed STORM_ERRORS_MAX: the rest are not kept. */
struct storm_errors {
    int count;
    struct storm_error list[STORM_ERRORS_MAX];
};

/* The sentence of a status; never NULL. */
const char *storm_status_sentence(enum storm_status status);

/* Fills `error` with a status and a printf-style message, clearing place and suggestion. Always
   returns false, so that a caller can write `return storm_fail(error, ...)`. `error` may not be
   NULL. */
bool storm_fail(struct storm_error *error, enum storm_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Appends a copy of `error` to the list (counting it even when the list is full). */
void storm_errors_add(struct storm_errors *errors, const struct storm_error *error);

#endif
