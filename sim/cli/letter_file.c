/* letter_file.c: the dead letters that a command is about, read with what was done about them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/letter_file.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <retrystorm/policy.h>

#include "base/suggest.h"

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

/* Offers each word once, of those that the hint can list. */
static void offer_once(struct suggest *suggest, const char *word) {
    size_t kept = suggest->count < SUGGEST_LIST_MAX ? suggest->count : SUGGEST_LIST_MAX;
    for (size_t i = 0; i < kept; i++) {
        if (strcmp(suggest->words[i], word) == 0) {
            return;
        }
    }
    suggest_offer(suggest, word);
}

/* A queue that no letter is of is a slip of the pen; a file without letters knows none. */
static bool check_queue(const struct letters *letters, const char *queue,
                        struct storm_error *error) {
    struct suggest suggest = suggest_begin(queue);
    for (uint32_t i = 0; i < letters->count; i++) {
        const struct dead_letter *says = &letters->list[i].says;
        if (strcmp(says->queue, queue) == 0 || strcmp(says->to, queue) == 0) {
            return true;
        }
        offer_once(&suggest, says->queue);
        offer_once(&suggest, says->to);
    }
    storm_fail(error, STORM_INVALID, "'%.100s' has no letter of queue '%.60s'", letters->name,
               queue);
    suggest_hint(&suggest, error->suggestion, sizeof error->suggestion);
    return letters->count == 0;
}

/* Other senders have reasons of their own: a word is known by the vocabulary or by a letter. */
static bool check_reason(const struct letters *letters, const char *reason,
                         struct storm_error *error) {
    struct suggest suggest = suggest_begin(reason);
    for (uint32_t i = 0; i < letters->count; i++) {
        if (strcmp(letters->list[i].says.reason, reason) == 0) {
            return true;
        }
        offer_once(&suggest, letters->list[i].says.reason);
    }
    for (int i = STORM_REASON_NONE + 1; i < STORM_REASON_COUNT; i++) {
        const char *word = storm_reason_word((enum storm_reason)i);
        if (strcmp(word, reason) == 0) {
            return true;
        }
        offer_once(&suggest, word);
    }
    storm_fail(error, STORM_INVALID, "there is no reason '%.60s'", reason);
    suggest_hint(&suggest, error->suggestion, sizeof error->suggestion);
    return false;
}

bool letter_file_filter(const struct letter_file *file, const struct cli_options *options,
                        struct letter_filter *filter, struct storm_error *error) {
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
    return (asked->queue == NULL || check_queue(&file->letters, asked->queue, error)) &&
           (asked->reason == NULL || check_reason(&file->letters, asked->reason, error)) &&
           (asked->since == NULL || parse_instant("since", asked->since, &filter->since, error)) &&
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
