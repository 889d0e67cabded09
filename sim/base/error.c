/* error.c: filling errors, and the sentence of each status. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <retrystorm/error.h>

const char *storm_status_sentence(enum storm_status status) {
    switch (status) {
#define STATUS_CASE(name, sentence)                                                                \
    case STORM_##name:                                                                             \
        return sentence;
        STORM_STATUS_MAP(STATUS_CASE)
#undef STATUS_CASE
    }
    return "unknown error";
}

bool storm_fail(struct storm_error *error, enum storm_status status, const char *format, ...) {
    assert(error != NULL && format != NULL);
    assert(status != STORM_OK);
    char message[STORM_MESSAGE_MAX]; /* apart from `error`, whose strings may be arguments */
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    assert(length >= 0);
    *error = (struct storm_error){.status = status, .width = 1};
    memcpy(error->message, message, strlen(message) + 1);
    return false;
}

void storm_errors_add(struct storm_errors *errors, const struct storm_error *error) {
    assert(errors != NULL && error != NULL);
    assert(errors->count >= 0);
    if (errors->count < STORM_ERRORS_MAX)
        errors->list[errors->count] = *error;
    errors->count++;
}
