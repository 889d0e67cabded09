/* sweep_file.h: the file of a sweep while its runs are made, and when it is finished. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef STORE_SWEEP_FILE_H
#define STORE_SWEEP_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/error.h>

#include "store/sweep_head.h"

struct arena;
struct sweep_file;

/* Opens the file of a sweep to go on with it, or begins it. While it is not finished nobody else
   can open it. The head must outlive it; memory is the arena's. NULL after filling `error`:
   STORM_INVALID when the file is of another sweep (in what it differs), of none, or damaged;
   STORM_IO when it cannot be written or somebody else has it. */
struct sweep_file *sweep_file_open(const char *file, const struct sweep_head *head,
                                   struct arena *arena, struct storm_error *error);

/* Whether it is finished: then nothing can be added. */
bool sweep_file_is_complete(const struct sweep_file *file);

/* How many runs it has, and whether it has this one (sweep_head_owns). */
uint64_t sweep_file_count(const struct sweep_file *file);
bool sweep_file_has(const struct sweep_file *file, uint64_t number);

/* Adds runs that it does not have: all of them or, whatever happens meanwhile, none. False after
   filling `error`. */
bool sweep_file_add(struct sweep_file *file, const struct storm_sweep_run *rows, uint32_t count,
                    struct storm_error *error);

/* When all runs are there: writes the file anew, in the order of the runs, so that its bytes tell
   nothing of how they were made. False after filling `error`; the file is then as it was. */
bool sweep_file_finish(struct sweep_file *file, struct storm_error *error);

/* Closes it. What was added is kept. NULL is ignored. */
void sweep_file_close(struct sweep_file *file);

/* The rows of a file that is built at once, in their order. False: there are no more; `error` says
   why, if not all were. */
typedef bool sweep_next(void *context, struct storm_sweep_run *row, struct storm_error *error);

/* Writes a finished file whole. It appears, or replaces the one before, when it is on the disk.
   False after filling `error`. */
bool sweep_file_build(const char *file, const struct sweep_head *head, sweep_next *next,
                      void *context, struct storm_error *error);

#endif
