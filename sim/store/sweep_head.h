/* sweep_head.h: what a sweep's file says besides its runs: what was asked, where its points are,
   which numbers each run gives. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef STORE_SWEEP_HEAD_H
#define STORE_SWEEP_HEAD_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/error.h>
#include <retrystorm/results.h>
#include <retrystorm/sweep.h>

#include "store/database.h"

/* The format of the file. Its number rises only on a change that breaks readers. */
#define SWEEP_SCHEMA "retrystorm.sweep/1"

/* How much a file may hold: SQLite's tables have at most 2000 columns. */
enum {
    SWEEP_METRICS_MAX = 1900,
    SWEEP_AXES_MAX = 16,
    SWEEP_POINTS_MAX = 1000000,
    SWEEP_RUNS_MAX = 1000000,  /* of a point */
    SWEEP_ROWS_MAX = 100000000 /* of all points */
};

struct sweep_head {
    struct storm_sweep sweep; /* where its points are; of their results nothing */
    const char *method;       /* "grid", "random", "sobol" */
    uint32_t shard, shards;   /* shard 2 of 4; 0 of 0: all of it */
    const char *sum;          /* as read (sweep_sum_check); NULL: none */
    uint32_t metric_count;
    const struct storm_metric *metrics; /* names, units, directions and help */
};

/* How many runs the file has when it is whole: all, or those that fall to the shard. */
uint64_t sweep_head_rows(const struct sweep_head *head);

/* Run number `run` of point `point` is run number point * runs + run of the sweep: of n shards, it
   belongs to the one after (that number mod n). */
bool sweep_head_owns(const struct sweep_head *head, uint64_t number);

/* Makes the tables and fills all but that of the runs. */
void sweep_head_write(struct database *database, const struct sweep_head *head, bool complete);

/* Reads it back. False after filling the database's error. */
bool sweep_head_read(struct database *database, struct arena *arena, struct sweep_head *head);

/* Whether two are parts of one sweep, whatever their shards. False after filling `error`
   (STORM_INVALID) with how `found`, which is the file's, differs from `wanted`. */
bool sweep_head_agrees(const struct sweep_head *found, const struct sweep_head *wanted,
                       const char *file, struct storm_error *error);

#endif
