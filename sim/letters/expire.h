/* expire.h: letters that are too old leave their file for an archive. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LETTERS_EXPIRE_H
#define LETTERS_EXPIRE_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/error.h>

#include "letters/letter.h"

struct expire_count {
    uint32_t expired, kept;
    uint32_t archived; /* of the expired ones; the others were in the archive already */
};

/* Letters that died before `before` are appended to the file `archive` (NULL: they are dropped);
   then the file of letters is written anew without them. Both files are replaced whole, the archive
   first: a program killed in between leaves letters in both, never in none, and the next time they
   are not archived again. Lines keep their bytes. False after filling `error`. */
bool expire_letters(const struct letters *letters, int64_t before, const char *archive,
                    struct expire_count *count, struct storm_error *error);

#endif
