/* outfile.c: an output file that appears whole or not at all. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Invariants
   1. stream is open from a successful outfile_open until outfile_commit or outfile_discard, then
   NULL.
   2. temporary is named only while that file exists; target and temporary lie in one directory, so
   that rename neither copies nor crosses a file system.
   3. A file named target is never opened for writing when it is a regular file. */

#define _XOPEN_SOURCE 700 /* realpath */

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/outfile.h"

enum { NAMES_MAX = 1000, SUFFIX_MAX = 16 };

/* Says that `path` cannot be written and why; a long path keeps its end, which names the file. */
static bool fail(struct storm_error *error, const char *path, int reason) {
    assert(error != NULL && path != NULL);
    size_t length = strlen(path);
    const char *end = length < STORM_PATH_MAX ? path : path + length - (STORM_PATH_MAX - 1);
    const char *why = reason == 0 ? "the write failed" : strerror(reason);
    storm_fail(error, STORM_IO, "cannot write '%s': %s", end, why);
    memcpy(error->path, end, strlen(end) + 1);
    return false;
}

/* Frees the names; the struct is then as before outfile_open. */
static void forget(struct outfile *file) {
    assert(file->stream == NULL); /* invariant 1 */
    free(file->target);
    free(file->temporary);
    *file = (struct outfile){0};
}

/* Removes what exists of a failed file, then says why it failed. */
static bool give_up(struct outfile *file, struct storm_error *error, int reason) {
    assert(file->target != NULL);
    fail(error, file->target, reason);
    outfile_discard(file);
    return false;
}

/* Creates the first free name of the form target.N.tmp: no draw and no process number is needed,
   since O_EXCL lets only one of two rivals have a name. Returns the descriptor or -1 with errno
   set. */
static int temporary_create(struct outfile *file) {
    assert(file->target != NULL && file->temporary == NULL);
    size_t size = strlen(file->target) + SUFFIX_MAX;
    file->temporary = malloc(size);
    if (file->temporary == NULL)
        return -1;
    int descriptor = -1;
    for (int name = 0; name < NAMES_MAX && descriptor < 0; name++) {
        snprintf(file->temporary, size, "%s.%d.tmp", file->target, name);
        descriptor = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor < 0 && errno != EEXIST)
            break;
    }
    if (descriptor < 0) { /* invariant 2 */
        free(file->temporary);
        file->temporary = NULL;
    }
    return descriptor;
}

/* Opens a device or pipe itself, anything else through a temporary file. -1 with errno set on
   failure. */
static int target_open(struct outfile *file) {
    assert(file->target != NULL);
    struct stat status;
    if (stat(file->target, &status) != 0 || S_ISREG(status.st_mode))
        return temporary_create(file); /* invariant 3 */
    return open(file->target, O_WRONLY | O_CLOEXEC);
}

/* The file behind a symbolic link, or a copy of the path itself when there is none yet. NULL: no
   memory. */
static char *path_resolve(const char *path) {
    assert(path != NULL);
    char *real = realpath(path, NULL);
    if (real != NULL)
        return real;
    char *copy = malloc(strlen(path) + 1);
    return copy == NULL ? NULL : strcpy(copy, path);
}

bool outfile_open(struct outfile *file, const char *path, struct storm_error *error) {
    assert(file != NULL && path != NULL && error != NULL);
    *file = (struct outfile){0};
    if (strcmp(path, "-") == 0) {
        file->stream = stdout;
        return true;
    }
    file->target = path_resolve(path);
    if (file->target == NULL)
        return fail(error, path, ENOMEM);
    int descriptor = target_open(file);
    if (descriptor < 0)
        return give_up(file, error, errno);
    file->stream = fdopen(descriptor, "w");
    if (file->stream == NULL) {
        int reason = errno;
        close(descriptor);
        return give_up(file, error, reason);
    }
    return true;
}

/* Whether everything written so far has left the program; if not, errno says why (0: nobody
   knows). */
static bool flush(const struct outfile *file) {
    assert(file->stream != NULL);
    bool failed_before = ferror(file->stream) != 0;
    errno = 0;
    if (fflush(file->stream) == 0 && !failed_before)
        return true;
    /* The write that failed may be long ago and its errno gone. One more byte at the end of a file
       that will be removed asks the system again. */
    if (errno == 0 && file->temporary != NULL) {
        ssize_t written = write(fileno(file->stream), "", 1);
        if (written == 1)
            errno = 0;
    }
    return false;
}

bool outfile_commit(struct outfile *file, struct storm_error *error) {
    assert(file != NULL && error != NULL);
    assert(file->stream != NULL); /* invariant 1 */
    bool flushed = flush(file);
    if (file->target == NULL) {
        file->stream = NULL;
        return flushed || fail(error, "standard output", errno);
    }
    if (!flushed)
        return give_up(file, error, errno);
    if (file->temporary != NULL && fsync(fileno(file->stream)) != 0)
        return give_up(file, error, errno);
    FILE *stream = file->stream;
    file->stream = NULL;
    if (fclose(stream) != 0)
        return give_up(file, error, errno);
    if (file->temporary != NULL && rename(file->temporary, file->target) != 0)
        return give_up(file, error, errno);
    forget(file);
    return true;
}

void outfile_discard(struct outfile *file) {
    assert(file != NULL);
    if (file->stream != NULL && file->target != NULL)
        fclose(file->stream);
    file->stream = NULL;
    if (file->temporary != NULL)
        remove(file->temporary);
    forget(file);
}
