/* sweep_merge.c: the shards of a sweep become the file that one machine would have made. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/sweep_merge.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "store/database.h"
#include "store/sweep_file.h"
#include "store/sweep_head.h"
#include "store/sweep_row.h"
#include "store/sweep_sum.h"

/* One shard, open. */
struct shard {
    const char *file;
    struct database database;
    struct sweep_head head;
    sqlite3_stmt *reader;
    uint64_t sum; /* of what was read */
    bool is_open;
};

/* All of them, in the order of their numbers. */
struct merge {
    struct shard *shards;
    uint32_t count;
    struct sweep_head whole;
    uint64_t next; /* number of the next run */
};

static bool open_shard(struct shard *shard, struct arena *arena, struct storm_error *error) {
    const struct sweep_head *head = &shard->head;
    database_open(&shard->database, shard->file, DATABASE_READ);
    shard->is_open = true;
    if (!sweep_head_read(&shard->database, arena, &shard->head)) {
        *error = shard->database.error;
        return false;
    }
    if (head->shards == 0) {
        return storm_fail(error, STORM_INVALID, "'%s' is no shard but a whole sweep", shard->file);
    }
    if (!head->sweep.complete) {
        storm_fail(error, STORM_INVALID, "'%s' is not finished: shard %" PRIu32 "/%" PRIu32,
                   shard->file, head->shard, head->shards);
        snprintf(error->suggestion, sizeof error->suggestion,
                 "call the sweep that makes it once more");
        return false;
    }
    return true;
}

/* A shard takes the place of its number. */
static bool place_shard(struct merge *merge, const struct shard *shard, struct storm_error *error) {
    const struct sweep_head *head = &shard->head;
    struct shard *place = &merge->shards[head->shard - 1];
    if (place->file != NULL) {
        return storm_fail(error, STORM_INVALID,
                          "'%.80s' and '%.80s' are both shard %" PRIu32 "/%" PRIu32, place->file,
                          shard->file, head->shard, head->shards);
    }
    *place = *shard;
    return true;
}

/* The numbers of the shards that are not there. */
static bool check_all_there(const struct merge *merge, struct storm_error *error) {
    char missing[STORM_MESSAGE_MAX / 2] = "";
    size_t used = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < merge->count; i++) {
        if (merge->shards[i].file != NULL) {
            continue;
        }
        count++;
        if (used + 24 < sizeof missing) {
            used +=
                (size_t)snprintf(missing + used, sizeof missing - used, "%s%" PRIu32 "/%" PRIu32,
                                 used > 0 ? ", " : "", i + 1, merge->count);
        }
    }
    return count == 0 || storm_fail(error, STORM_INVALID, "%" PRIu32 " shard%s missing: %s", count,
                                    count == 1 ? " is" : "s are", missing);
}

/* Opens every file, and finds out which shard it is. */
static bool gather(struct merge *merge, const char *const *files, uint32_t count,
                   struct arena *arena, struct storm_error *error) {
    struct shard shard;
    for (uint32_t i = 0; i < count; i++) {
        shard = (struct shard){.file = files[i]};
        bool good = open_shard(&shard, arena, error);
        if (good && i == 0) {
            merge->count = shard.head.shards;
            merge->whole = shard.head;
            merge->shards = merge->count <= SWEEP_SHARDS_MAX
                                ? arena_take_array(arena, merge->count, sizeof *merge->shards)
                                : NULL;
            good = merge->shards != NULL ||
                   storm_fail(error, STORM_LIMIT, "'%s' is one of too many shards", files[i]);
        }
        if (good && shard.head.shards != merge->count) {
            good = storm_fail(
                error, STORM_INVALID,
                "'%.80s' is shard %" PRIu32 "/%" PRIu32 ", but '%.80s' is one of %" PRIu32,
                files[i], shard.head.shard, shard.head.shards, files[0], merge->count);
        }
        good = good && sweep_head_agrees(&shard.head, &merge->whole, files[i], error) &&
               place_shard(merge, &shard, error);
        if (!good) {
            struct storm_error ignored; /* it is told already */
            database_close(&shard.database, &ignored);
            return false;
        }
    }
    return check_all_there(merge, error);
}

/* Fills `error` when one has not given what it was written with. */
static void check_sums(struct merge *merge, struct storm_error *error) {
    for (uint32_t i = 0; i < merge->count; i++) {
        struct shard *shard = &merge->shards[i];
        if (!sweep_sum_check(&shard->database, &shard->head, shard->sum)) {
            *error = shard->database.error;
            return;
        }
    }
}

/* Run number n is the next one of shard n mod count. */
static bool next_run(void *context, struct storm_sweep_run *row, struct storm_error *error) {
    struct merge *merge = context;
    if (merge->next == sweep_head_rows(&merge->whole)) {
        check_sums(merge, error);
        return false;
    }
    struct shard *shard = &merge->shards[merge->next % merge->count];
    bool has_row = sweep_row_read(&shard->database, shard->reader, &shard->head, row);
    uint64_t number = (uint64_t)row->point * merge->whole.sweep.runs + row->run;
    if (!has_row || number != merge->next) {
        database_blame(&shard->database, "a run is missing");
        *error = shard->database.error;
        return false;
    }
    shard->sum = sweep_sum_row(shard->sum, &shard->head, row);
    merge->next++;
    return true;
}

/* What is there already must not be lost: only a merge of the same sweep can be made again. */
static bool may_replace(const char *file, const struct sweep_head *whole, struct arena *arena,
                        struct storm_error *error) {
    struct stat status;
    struct database database;
    struct sweep_head head = {.shards = 0};
    if (stat(file, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0) {
        return true; /* what else is wrong with it the writing will say */
    }
    database_open(&database, file, DATABASE_READ);
    bool is_finished = sweep_head_read(&database, arena, &head) && head.sweep.complete;
    database_close(&database, error);
    if (is_finished && head.shards == 0) {
        return sweep_head_agrees(&head, whole, file, error);
    }
    if (error->status != STORM_IO) {
        storm_fail(error, STORM_INVALID, "'%s' is there, and is %s", file,
                   head.shards > 0 ? "a shard" : "no finished sweep");
        snprintf(error->suggestion, sizeof error->suggestion, "give another -o FILE, or remove it");
    }
    return false;
}

static void close_shards(struct merge *merge) {
    struct storm_error ignored;
    for (uint32_t i = 0; merge->shards != NULL && i < merge->count; i++) {
        struct shard *shard = &merge->shards[i];
        if (shard->is_open) {
            sqlite3_finalize(shard->reader);
            database_close(&shard->database, &ignored);
        }
    }
}

bool sweep_merge(const char *file, const char *const *shards, uint32_t count, struct arena *arena,
                 struct storm_error *error) {
    struct merge merge = {.count = 0};
    assert(count > 0);
    bool good = gather(&merge, shards, count, arena, error) &&
                may_replace(file, &merge.whole, arena, error);
    for (uint32_t i = 0; good && i < merge.count; i++) {
        struct shard *shard = &merge.shards[i];
        shard->reader = sweep_row_reader(&shard->database, &shard->head);
        shard->sum = sweep_sum_head(&shard->head);
        good = database_is_good(&shard->database);
        *error = shard->database.error;
    }
    if (good) {
        merge.whole = merge.shards[0].head; /* whatever the order in which they were named */
        merge.whole.shard = merge.whole.shards = 0;
        good = sweep_file_build(file, &merge.whole, next_run, &merge, error);
    }
    close_shards(&merge);
    return good;
}
