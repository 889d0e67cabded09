/* letter_file.h: the dead letters that a command is about, read with what was done about them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_LETTER_FILE_H
#define CLI_LETTER_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/error.h>

#include "base/arena.h"
#include "cli/options.h"
#include "letters/audit.h"
#include "letters/filter.h"
#include "letters/letter.h"

enum { LETTER_PATH_BYTES = 4096 };

/* Freed with letter_file_free whatever its reading returned. */
struct letter_file {
    struct arena arena;
    char *text;
    struct letters letters;
    struct audit audit;
    char audit_path[LETTER_PATH_BYTES];
    int64_t now;  /* --now, or when the newest letter died */
    bool has_now; /* --now was given */
};

enum letter_access { LETTER_LOOK, LETTER_NOTE }; /* NOTE: the audit file is opened for more */

/* Reads the command's first operand and the audit file beside it. False after filling `error`. */
bool letter_file_read(struct letter_file *file, const struct cli_options *options,
                      enum letter_access access, struct storm_error *error);

void letter_file_free(struct letter_file *file);

/* Who passes, as the options say. False after filling `error`: also when a queue or reason is none
   that the file knows. */
bool letter_file_filter(const struct letter_file *file, const struct cli_options *options,
                        struct letter_filter *filter, struct storm_error *error);

/* The name of a file as it was given (NULL: the first operand's with an ending). False after
   filling `error`. */
bool letter_file_beside(const struct cli_options *options, const char *given, const char *ending,
                        char path[LETTER_PATH_BYTES], struct storm_error *error);

/* False after filling `error` when the file that `option` names for writing is the file of letters
   or its audit file, by whatever name: it would be replaced. A NULL path names none. */
bool letter_file_spares(const struct letter_file *file, const char *option, const char *path,
                        struct storm_error *error);

#endif
