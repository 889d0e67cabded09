/* sweep_merge.h: the shards of a sweep become the file that one machine would have made. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef STORE_SWEEP_MERGE_H
#define STORE_SWEEP_MERGE_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/error.h>

struct arena;

enum { SWEEP_SHARDS_MAX = 10000 };

/* Joins finished shards, in any order, into the finished file of the whole sweep. An older
   `file` is replaced only if it is a finished sweep itself. False after filling `error`:
   STORM_INVALID when a shard is missing, there twice, not finished, of another sweep or damaged,
   else STORM_IO or STORM_LIMIT. */
bool sweep_merge(const char *file, const char *const *shards, uint32_t count, struct arena *arena,
                 struct storm_error *error);

#endif
