/* sweep_file.c: the file of a sweep while its runs are made, and when it is finished. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* empty -[sweep_file_open]-> begun (meta.complete = 0; runs in the order of their ends)
         -[sweep_file_add]->  begun, with more runs
         -[sweep_file_finish]-> finished (meta.complete = 1; runs in their order)

   Invariants
   1. A begun file changes by whole transactions only, under SQLite's rollback journal: whoever
      opens it after a kill finds the head and whole blocks of runs, or an empty file.
   2. A begun file is locked from its opening to its closing. In particular the finished file takes
      its name while the begun one is still locked: no journal of somebody else can be left beside
      it, which SQLite would take for its own.
   3. A finished file is built beside it, in one transaction of sorted rows, and never changed.
   4. has[n] is set exactly for the runs in the file; count is how many they are. */

#include "store/sweep_file.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/outfile.h"
#include "store/database.h"
#include "store/sweep_row.h"
#include "store/sweep_sum.h"

struct sweep_file {
    const struct sweep_head *head;
    struct database database; /* without a handle when the file is finished */
    bool is_open, is_complete;
    uint64_t count;
    uint8_t *has; /* a bit for each run of the whole sweep */
};

enum { PART_BYTES = 40 };

enum state { STATE_EMPTY, STATE_BEGUN, STATE_FINISHED, STATE_WRONG };

/* ---- building -------------------------------------------------------------------------------- */

/* Fills an empty database. Returns how many rows it got. */
static uint64_t fill(struct database *database, const struct sweep_head *head, sweep_next *next,
                     void *context, struct storm_error *error) {
    double values[SWEEP_METRICS_MAX];
    struct storm_sweep_run row = {.values = values};
    uint64_t rows = 0;
    database_do(database, "BEGIN");
    sweep_head_write(database, head, true);
    uint64_t sum = sweep_sum_head(head);
    sqlite3_stmt *writer = sweep_row_writer(database, head);
    while (database_is_good(database) && next(context, &row, error)) {
        sweep_row_write(database, writer, head, &row);
        sum = sweep_sum_row(sum, head, &row);
        rows++;
    }
    sqlite3_finalize(writer);
    sweep_sum_write(database, sum);
    database_do(database, "COMMIT");
    return rows;
}

bool sweep_file_build(const char *file, const struct sweep_head *head, sweep_next *next,
                      void *context, struct storm_error *error) {
    struct outfile out;
    struct database database;
    *error = (struct storm_error){.status = STORM_OK};
    if (!outfile_open(&out, file, error)) {
        return false;
    }
    if (out.temporary == NULL) {
        outfile_discard(&out);
        return storm_fail(error, STORM_IO, "cannot write '%s': a sweep needs a file", file);
    }
    database_open(&database, out.temporary, DATABASE_BUILD);
    database.file = file;
    uint64_t rows = fill(&database, head, next, context, error);
    bool done = database_close(&database, error) && error->status == STORM_OK;
    if (done && rows != sweep_head_rows(head)) {
        done = storm_fail(error, STORM_INVALID, "'%s' is damaged: runs are missing", file);
    }
    if (!done) {
        outfile_discard(&out);
        return false;
    }
    return outfile_commit(&out, error);
}

/* ---- going on -------------------------------------------------------------------------------- */

/* "shard 2/4" */
static const char *name_part(const struct sweep_head *head, char buffer[PART_BYTES]) {
    if (head->shards == 0) {
        return "a whole sweep";
    }
    snprintf(buffer, PART_BYTES, "shard %" PRIu32 "/%" PRIu32, head->shard, head->shards);
    return buffer;
}

/* What the file is to this sweep. Memory for what is read of it is given back. */
static enum state look(struct database *database, const struct sweep_head *head,
                       struct storm_error *error) {
    struct sweep_head found;
    struct arena passing;
    enum state state = STATE_WRONG;
    sqlite3_stmt *select = database_prepare(database, "SELECT count(*) FROM sqlite_schema");
    bool is_empty = database_step(database, select) &&
                    database_whole(database, select, 0, INT64_MAX) == 0 &&
                    database_is_good(database);
    sqlite3_finalize(select);
    if (is_empty) {
        return STATE_EMPTY;
    }
    arena_init(&passing, (size_t)-1);
    if (!sweep_head_read(database, &passing, &found)) {
        *error = database->error;
    } else if (found.shard != head->shard || found.shards != head->shards) {
        char theirs[PART_BYTES], ours[PART_BYTES];
        storm_fail(error, STORM_INVALID, "'%.100s' is %s, not %s", database->file,
                   name_part(&found, theirs), name_part(head, ours));
    } else if (sweep_head_agrees(&found, head, database->file, error)) {
        state = found.sweep.complete ? STATE_FINISHED : STATE_BEGUN;
    }
    arena_free(&passing);
    return state;
}

/* Whether the file is there, and is finished: then it is not even locked. */
static enum state peek(const char *file, const struct sweep_head *head, struct storm_error *error) {
    struct stat status;
    struct database database;
    if (stat(file, &status) != 0) {
        return errno == ENOENT
                   ? STATE_EMPTY
                   : (storm_fail(error, STORM_IO, "cannot use '%s': %s", file, strerror(errno)),
                      STATE_WRONG);
    }
    if (!S_ISREG(status.st_mode)) {
        storm_fail(error, STORM_IO, "cannot write '%s': a sweep needs a file", file);
        return STATE_WRONG;
    }
    if (status.st_size == 0) {
        return STATE_EMPTY;
    }
    database_open(&database, file, DATABASE_READ);
    enum state state = look(&database, head, error);
    database_close(&database, error);
    return state;
}

/* Notes a run of the file. */
static void note_run(struct sweep_file *file, uint64_t number) {
    uint8_t bit = (uint8_t)(1u << (number % 8));
    assert((file->has[number / 8] & bit) == 0); /* invariant 4 */
    file->has[number / 8] |= bit;
    file->count++;
}

static void note_runs(struct sweep_file *file) {
    struct database *database = &file->database;
    uint64_t all = (uint64_t)file->head->sweep.point_count * file->head->sweep.runs;
    sqlite3_stmt *select = database_prepare(database, "SELECT id FROM runs");
    while (database_step(database, select)) {
        uint64_t number = database_whole(database, select, 0, all - 1);
        if (!sweep_head_owns(file->head, number) || sweep_file_has(file, number)) {
            database_blame(database, "a run is not where it belongs");
        } else if (database_is_good(database)) {
            note_run(file, number);
        }
    }
    sqlite3_finalize(select);
}

/* Opens the file, which is new or was begun, and keeps others away from it. */
static bool take_hold(struct sweep_file *file, const char *name, struct storm_error *error) {
    struct database *database = &file->database;
    database_open(database, name, DATABASE_WRITE);
    file->is_open = true;
    database_do(database, "BEGIN EXCLUSIVE"); /* invariant 2 */
    enum state state = look(database, file->head, error);
    if (state == STATE_EMPTY) {
        sweep_head_write(database, file->head, false);
    } else if (state == STATE_BEGUN) {
        note_runs(file);
    } else if (state == STATE_FINISHED) {
        file->is_complete = true;
        file->count = sweep_head_rows(file->head);
    } else if (database_is_good(database)) {
        return false;
    }
    database_do(database, "COMMIT");
    if (!database_is_good(database)) {
        *error = database->error;
    }
    return database_is_good(database);
}

static struct sweep_file *file_new(const struct sweep_head *head, struct arena *arena) {
    uint64_t all = (uint64_t)head->sweep.point_count * head->sweep.runs;
    struct sweep_file *file = arena_take(arena, sizeof *file);
    assert(all <= SWEEP_ROWS_MAX);
    if (file == NULL) {
        return NULL;
    }
    file->head = head;
    file->has = arena_take(arena, (size_t)(all / 8 + 1));
    return file->has != NULL ? file : NULL;
}

struct sweep_file *sweep_file_open(const char *name, const struct sweep_head *head,
                                   struct arena *arena, struct storm_error *error) {
    struct sweep_file *file = file_new(head, arena);
    if (file == NULL) {
        storm_fail(error, STORM_LIMIT, "no memory for the runs of '%s'", name);
        return NULL;
    }
    switch (peek(name, head, error)) {
    case STATE_WRONG:
        return NULL;
    case STATE_FINISHED:
        file->is_complete = true;
        file->count = sweep_head_rows(head);
        return file;
    case STATE_EMPTY:
    case STATE_BEGUN:
        break;
    }
    if (!take_hold(file, name, error)) {
        sweep_file_close(file);
        return NULL;
    }
    return file;
}

bool sweep_file_is_complete(const struct sweep_file *file) { return file->is_complete; }

uint64_t sweep_file_count(const struct sweep_file *file) { return file->count; }

bool sweep_file_has(const struct sweep_file *file, uint64_t number) {
    return file->is_complete || (file->has[number / 8] >> (number % 8) & 1) != 0;
}

bool sweep_file_add(struct sweep_file *file, const struct storm_sweep_run *rows, uint32_t count,
                    struct storm_error *error) {
    struct database *database = &file->database;
    assert(!file->is_complete);
    database_do(database, "BEGIN");
    sqlite3_stmt *writer = sweep_row_writer(database, file->head);
    for (uint32_t i = 0; i < count; i++) {
        sweep_row_write(database, writer, file->head, &rows[i]);
    }
    sqlite3_finalize(writer);
    database_do(database, "COMMIT");
    if (!database_is_good(database)) {
        *error = database->error;
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        note_run(file, (uint64_t)rows[i].point * file->head->sweep.runs + rows[i].run);
    }
    return true;
}

/* The rows of the begun file, for the finished one. */
struct copying {
    struct sweep_file *file;
    sqlite3_stmt *reader;
};

static bool next_of_file(void *context, struct storm_sweep_run *row, struct storm_error *error) {
    struct copying *copying = context;
    struct database *database = &copying->file->database;
    bool has_row = sweep_row_read(database, copying->reader, copying->file->head, row);
    if (!database_is_good(database)) {
        *error = database->error;
    }
    return has_row;
}

bool sweep_file_finish(struct sweep_file *file, struct storm_error *error) {
    struct database *database = &file->database;
    assert(!file->is_complete && file->count == sweep_head_rows(file->head));
    struct copying copying = {file, sweep_row_reader(database, file->head)};
    if (!database_is_good(database)) {
        *error = database->error;
        return false;
    }
    file->is_complete = sweep_file_build(database->file, file->head, next_of_file, &copying, error);
    sqlite3_finalize(copying.reader);
    return file->is_complete;
}

void sweep_file_close(struct sweep_file *file) {
    struct storm_error ignored; /* it has been told, or is of a transaction that was not ended */
    if (file != NULL && file->is_open) {
        database_close(&file->database, &ignored);
        file->is_open = false;
    }
}
