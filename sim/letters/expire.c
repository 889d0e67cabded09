/* expire.c: letters that are too old leave their file for an archive. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "letters/expire.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/outfile.h"

static void write_line(const struct letter *letter, FILE *out) {
    fwrite(letter->raw, 1, letter->raw_length, out);
    fputc('\n', out);
}

/* Whether the archive has that very line. */
static bool is_archived(const struct letters *archive, const struct letter *letter) {
    const struct letter *known =
        letters_find(archive, letter->says.msg_id[0], letter->says.trace_id);
    return known != NULL && known->raw_length == letter->raw_length &&
           memcmp(known->raw, letter->raw, letter->raw_length) == 0;
}

/* Writes the archive anew: what it had, and the letters that expire. */
static bool write_archive(const struct letters *letters, int64_t before, const struct letters *old,
                          struct expire_count *count, struct storm_error *error) {
    struct outfile file;
    if (!outfile_open(&file, old->name, error)) {
        return false;
    }
    for (uint32_t i = 0; i < old->count; i++) {
        write_line(&old->list[i], file.stream);
    }
    for (uint32_t i = 0; i < letters->count; i++) {
        const struct letter *letter = &letters->list[i];
        if (letter->last_failed_at < before && !is_archived(old, letter)) {
            write_line(letter, file.stream);
            count->archived++;
        }
    }
    return outfile_commit(&file, error);
}

static bool archive_letters(const struct letters *letters, int64_t before, const char *name,
                            struct expire_count *count, struct storm_error *error) {
    struct letters old = {.name = name};
    struct arena arena;
    char *text = NULL;
    arena_init(&arena, (size_t)-1);
    bool is_new = access(name, F_OK) != 0;
    bool good = (is_new || letters_read(&old, name, &text, &arena, error)) &&
                write_archive(letters, before, &old, count, error);
    free(text);
    arena_free(&arena);
    return good;
}

static bool write_rest(const struct letters *letters, int64_t before, struct storm_error *error) {
    struct outfile file;
    if (!outfile_open(&file, letters->name, error)) {
        return false;
    }
    for (uint32_t i = 0; i < letters->count; i++) {
        if (letters->list[i].last_failed_at >= before) {
            write_line(&letters->list[i], file.stream);
        }
    }
    return outfile_commit(&file, error);
}

bool expire_letters(const struct letters *letters, int64_t before, const char *archive,
                    struct expire_count *count, struct storm_error *error) {
    *count = (struct expire_count){0};
    for (uint32_t i = 0; i < letters->count; i++) {
        *(letters->list[i].last_failed_at < before ? &count->expired : &count->kept) += 1;
    }
    assert(count->expired + count->kept == letters->count);
    if (count->expired == 0) {
        return true;
    }
    if (archive != NULL && !archive_letters(letters, before, archive, count, error)) {
        return false;
    }
    return write_rest(letters, before, error);
}
