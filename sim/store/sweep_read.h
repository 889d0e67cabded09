/* sweep_read.h: a sweep's file becomes what tables and heat maps need. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef STORE_SWEEP_READ_H
#define STORE_SWEEP_READ_H

#include <stdbool.h>

#include <retrystorm/error.h>
#include <retrystorm/sweep.h>

struct arena;

/* Whether a file begins as a database does, so that it may hold a sweep. */
bool sweep_file_begins(const char *file);

/* Reads a finished sweep, or one that is not (`complete` is then false and points have fewer runs;
   so have those of a shard). Strings and arrays are the arena's. False after filling `error`:
   STORM_IO when the file cannot be read, STORM_LIMIT at the arena's limit, STORM_INVALID when it
   holds no sweep or is damaged. */
bool sweep_read(const char *file, struct arena *arena, struct storm_sweep *sweep,
                struct storm_error *error);

#endif
