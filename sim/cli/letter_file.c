/* letter_file.c: the dead letters that a command is about, read with what was done about them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/letter_file.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool letter_file_beside(const struct cli_options *options, const char *given, const char *ending,
                        char path[LETTER_PATH_BYTES], struct storm_error *error) {
    assert(options->operand != NULL);
    int length = given != NULL
                     ? snprintf(path, LETTER_PATH_BYTES, "%s", given)
                     : snprintf(path, LETTER_PATH_BYTES, "%s.%s", options->operand, ending);
    return (length >= 0 && length < LETTER_PATH_BYTES) ||
           storm_fail(error, STORM_USAGE, "the name of a file is too long");
}

static bool parse_instant(const char *option, const char *text, int64_t *instant,
                          struct storm_error *error) {
    return letter_instant_parse(text, instant) ||
           storm_fail(error, STORM_USAGE,
                      "--%s must be a time such as 2026-09-06T12:00 or 2026-09-06, not '%.60s'",
                      option, text);
}

bool letter_file_read(struct letter_file *file, const struct cli_options *options,
                      enum letter_access access, struct storm_error *error) {
    *file = (struct letter_file){.has_now = options->letters.now != NULL};
    arena_init(&file->arena, (size_t)-1);
    if (!letter_file_beside(options, options->letters.audit, "audit.jsonl", file->audit_path,
                            error) ||
        !letters_read(&file->letters, options->operand, &file->text, &file->arena, error)) {
        return false;
    }
    file->now = letters_newest(&file->letters);
    if (file->has_now && !parse_instant("now", options->letters.now, &file->now, error)) {
        return false;
    }
    return access == LETTER_NOTE
               ? audit_open(&file->audit, file->audit_path, &file->letters, &file->arena, error)
               : audit_read(&file->audit, file->audit_path, &file->letters, &file->arena, error);
}

void letter_file_free(struct letter_file *file) {
    audit_close(&file->audit);
    free(file->text);
    arena_free(&file->arena);
}

bool letter_file_filter(const struct cli_options *options, struct letter_filter *filter,
                        struct storm_error *error) {
    const struct cli_letters *asked = &options->letters;
    *filter = letter_filter_open();
    filter->queue = asked->queue;
    filter->reason = asked->reason;
    if (asked->class != NULL) {
        bool is_data = strcmp(asked->class, "data") == 0;
        if (!is_data && strcmp(asked->class, "system") != 0) {
            return storm_fail(error, STORM_USAGE, "--class must be system or data, not '%.60s'",
                              asked->class);
        }
        filter->class = is_data ? LETTER_DATA : LETTER_SYSTEM;
    }
    return (asked->since == NULL || parse_instant("since", asked->since, &filter->since, error)) &&
           (asked->until == NULL || parse_instant("until", asked->until, &filter->until, error));
}

/* Whether both names lead to one file; a name that leads nowhere is nobody's. */
static bool is_same_file(const char *left, const char *right) {
    struct stat a, b;
    return stat(left, &a) == 0 && stat(right, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

bool letter_file_spares(const struct letter_file *file, const char *option, const char *path,
                        struct storm_error *error) {
    assert(file->letters.name != NULL);
    if (path == NULL) {
        return true;
    }
    if (is_same_file(path, file->letters.name)) {
        return storm_fail(error, STORM_USAGE, "--%s '%.100s' is the file of letters itself", option,
                          path);
    }
    return !is_same_file(path, file->audit_path) ||
           storm_fail(error, STORM_USAGE, "--%s '%.100s' is the audit file", option, path);
}
