/* outfile.h: an output file that appears whole or not at all. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BASE_OUTFILE_H
#define BASE_OUTFILE_H

#include <stdbool.h>
#include <stdio.h>

#include <retrystorm/error.h>

/* An open output. Between a successful outfile_open and outfile_commit or outfile_discard the
   caller writes to `stream` and need not look at each result. The rest is private. */
struct outfile {
    FILE *stream;
    char *target;    /* where the file will be; NULL for standard output */
    char *temporary; /* where it is until then; NULL when writing straight to the target */
};

/* Opens a temporary file beside `path` (its mode is 0666 less the umask). "-" means standard
   output; a target that exists and is no regular file (a device, a pipe) is written directly; a
   symbolic link is followed. Failure fills `error` (STORM_IO with path and reason) and leaves
   nothing behind. */
bool outfile_open(struct outfile *file, const char *path, struct storm_error *error);

/* Flushes to the disk and gives the file its name. When anything written since the opening has
   failed, fills `error`, removes the temporary file and leaves an older file of that name as it
   was. Closes in any case. */
bool outfile_commit(struct outfile *file, struct storm_error *error);

/* Closes and removes what was written so far; standard output is only left alone. */
void outfile_discard(struct outfile *file);

#endif
