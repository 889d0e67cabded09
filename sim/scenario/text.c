/* text.c: reads files whole, up to a limit. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <retrystorm/load.h>

#include "scenario/text.h"

const char *text_read(FILE *in, char **text, size_t *length) {
    size_t room = 0;
    assert(in != NULL && *text == NULL);
    *length = 0;
    do {
        room = room == 0 ? 65536 : room * 2;
        char *grown = realloc(*text, room);
        if (grown == NULL)
            return "out of memory";
        *text = grown;
        *length += fread(*text + *length, 1, room - *length, in);
    } while (*length == room && *length <= STORM_FILE_MAX);
    return ferror(in) != 0 ? strerror(errno) : NULL;
}

const char *text_read_regular(const char *file, char **text, size_t *length) {
    struct stat status;
    assert(file != NULL && length != NULL);
    /* A fifo would make an open for reading wait for its writer. */
    int handle = open(file, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (handle < 0)
        return strerror(errno);
    bool is_known = fstat(handle, &status) == 0;
    FILE *in = is_known && S_ISREG(status.st_mode) ? fdopen(handle, "rb") : NULL;
    if (in == NULL) {
        close(handle);
        return is_known && S_ISREG(status.st_mode) ? "out of memory" : "it is no regular file";
    }
    const char *wrong = text_read(in, text, length);
    fclose(in);
    return wrong;
}

char *storm_text_read(const char *file, size_t *length, struct storm_errors *errors) {
    bool is_stdin = strcmp(file, "-") == 0;
    char *text = NULL;
    struct storm_error error;
    assert(length != NULL && errors != NULL);
    FILE *in = is_stdin ? stdin : fopen(file, "rb");
    const char *wrong = in == NULL ? strerror(errno) : text_read(in, &text, length);
    if (in != NULL && !is_stdin)
        fclose(in);
    if (wrong == NULL)
        return text;
    storm_fail(&error, STORM_IO, "cannot be read: %s", wrong);
    storm_errors_add(errors, &error);
    free(text);
    return NULL;
}
