/* error.c: filling errors. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <retrystorm/error.h>

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
