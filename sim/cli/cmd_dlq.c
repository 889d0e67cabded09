/* cmd_dlq.c: look at dead letters, record decisions, and let the old ones go. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/timestamp.h"
#include "cli/commands.h"
#include "cli/complain.h"
#include "cli/letter_file.h"
#include "cli/output.h"
#include "letters/expire.h"
#include "letters/letter_text.h"
#include "letters/tally.h"
#include "report/text.h"
#include "scenario/epoch.h"

static struct letter_view view_of(const struct letter_file *file) {
    return (struct letter_view){.letters = &file->letters, .audit = &file->audit, .now = file->now};
}

/* A verb that reads the letters, does its work, and frees them. */
typedef bool dlq_work(struct letter_file *file, const struct cli_options *options,
                      struct storm_error *error);

static enum cli_exit with_letters(const struct cli_options *options, enum letter_access access,
                                  dlq_work *work) {
    struct letter_file file;
    struct storm_error error = {0};
    bool done = letter_file_read(&file, options, access, &error) && work(&file, options, &error);
    letter_file_free(&file);
    return done ? CLI_YES : complain(&error);
}

/* ---- ls, stats, show ------------------------------------------------------------------------- */

static bool list(struct letter_file *file, const struct cli_options *options,
                 struct storm_error *error) {
    static bool (*const write[])(const struct letter_view *, const struct letter_filter *, uint32_t,
                                 FILE *) = {
        [CLI_TEXT] = letter_list_text, [CLI_JSON] = letter_list_json, [CLI_CSV] = letter_list_csv};
    struct letter_filter filter;
    struct letter_view view = view_of(file);
    if (!letter_file_filter(file, options, &filter, error)) {
        return false;
    }
    output_begin();
    return output_end(write[options->format](&view, &filter, options->letters.limit, stdout),
                      error);
}

enum cli_exit dlq_ls(const struct cli_options *options) {
    return with_letters(options, LETTER_LOOK, list);
}

static bool count(struct letter_file *file, const struct cli_options *options,
                  struct storm_error *error) {
    struct letter_view view = view_of(file);
    struct tally tally;
    if (options->format == CLI_CSV) {
        return storm_fail(error, STORM_USAGE, "'dlq stats' knows --format text and json");
    }
    if (!tally_letters(&tally, &file->letters, &file->arena)) {
        return storm_fail(error, STORM_LIMIT, "no memory to count the letters");
    }
    output_begin();
    bool written = options->format == CLI_JSON ? letter_stats_json(&view, &tally, stdout)
                                               : letter_stats_text(&view, &tally, stdout);
    return output_end(written, error);
}

enum cli_exit dlq_stats(const struct cli_options *options) {
    return with_letters(options, LETTER_LOOK, count);
}

/* The first letter of that name. NULL after filling `error`. */
static struct letter *find(const struct letters *letters, const char *id,
                           struct storm_error *error) {
    struct letter *letter = letters_named(letters, id, NULL);
    if (letter == NULL) {
        storm_fail(error, STORM_INVALID, "'%.100s' has no letter '%.100s'", letters->name, id);
    }
    return letter;
}

/* All letters that the operands behind the file name must be there, before anything is done. */
static bool check_names(const struct letters *letters, const struct cli_options *options,
                        struct storm_error *error) {
    for (size_t i = 1; i < options->operand_count; i++) {
        if (find(letters, options->operands[i], error) == NULL) {
            return false;
        }
    }
    return options->operand_count > 1 ||
           storm_fail(error, STORM_USAGE, "it needs the id of a letter, such as web-12-3");
}

static bool show(struct letter_file *file, const struct cli_options *options,
                 struct storm_error *error) {
    struct letter_view view = view_of(file);
    bool written = true, is_first = true;
    if (!check_names(&file->letters, options, error)) {
        return false;
    }
    output_begin();
    for (size_t i = 1; i < options->operand_count; i++) {
        const struct letter *letter = NULL;
        while ((letter = letters_named(&file->letters, options->operands[i], letter)) != NULL) {
            if (!is_first && !options->jsonl) {
                fputc('\n', stdout);
            }
            written = (options->jsonl ? letter_show_json(&view, letter, stdout)
                                      : letter_show_text(&view, letter, stdout)) &&
                      written;
            is_first = false;
        }
    }
    return output_end(written, error);
}

enum cli_exit dlq_show(const struct cli_options *options) {
    return with_letters(options, LETTER_LOOK, show);
}

/* ---- resolve --------------------------------------------------------------------------------- */

static bool take_decision(const struct cli_options *options, struct audit_decision *decision,
                          struct storm_error *error) {
    static const struct {
        const char *word;
        enum letter_state state;
    } words[] = {{"fixed", LETTER_FIXED},
                 {"resend-requested", LETTER_RESEND_REQUESTED},
                 {"discarded", LETTER_DISCARDED}};
    const struct cli_letters *asked = &options->letters;
    *decision = (struct audit_decision){.by = asked->by, .note = asked->note};
    if (asked->by == NULL || asked->by[0] == '\0') {
        return storm_fail(error, STORM_USAGE, "--by NAME must say who has decided");
    }
    if (strlen(asked->by) > 200 || (asked->note != NULL && strlen(asked->note) > 2000)) {
        return storm_fail(error, STORM_USAGE, "--by has up to 200 bytes, --note up to 2,000");
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (asked->decision != NULL && strcmp(words[i].word, asked->decision) == 0) {
            decision->state = words[i].state;
            return true;
        }
    }
    return storm_fail(error, STORM_USAGE, "--as must be fixed, resend-requested or discarded");
}

static bool resolve(struct letter_file *file, const struct cli_options *options,
                    struct storm_error *error) {
    struct audit_decision decision;
    char now[TIMESTAMP_SIZE], number[TEXT_NUMBER_SIZE];
    uint32_t resolved = 0;
    if (!take_decision(options, &decision, error) || !check_names(&file->letters, options, error)) {
        return false;
    }
    decision.now = file->has_now ? epoch_print(file->now, now) : NULL;
    for (size_t i = 1; i < options->operand_count; i++) {
        struct letter *letter = NULL;
        while ((letter = letters_named(&file->letters, options->operands[i], letter)) != NULL) {
            if (!letter->repeated) {
                audit_decide(&file->audit, letter, &decision);
                resolved++;
            }
        }
    }
    if (!audit_sync(&file->audit, error)) {
        return false;
    }
    output_begin();
    printf("%s letter%s: %s, by %s; noted in %s\n", text_number(resolved, number),
           resolved == 1 ? "" : "s", letter_state_word(decision.state), decision.by,
           file->audit_path);
    return output_end(true, error);
}

enum cli_exit dlq_resolve(const struct cli_options *options) {
    struct audit_decision decision;
    struct storm_error error = {0};
    /* What is wrong with the command line is said before a file is made. */
    return take_decision(options, &decision, &error) ? with_letters(options, LETTER_NOTE, resolve)
                                                     : complain(&error);
}

/* ---- expire ---------------------------------------------------------------------------------- */

static bool expire(struct letter_file *file, const struct cli_options *options,
                   struct storm_error *error) {
    char archive[LETTER_PATH_BYTES], number[TEXT_NUMBER_SIZE];
    struct expire_count expired;
    storm_time age = options->letters.older_than;
    assert(age > 0 && age < STORM_NEVER);
    if (!letter_file_beside(options, options->letters.archive, "archive.jsonl", archive, error) ||
        !letter_file_spares(file, "archive", archive, error) ||
        !expire_letters(&file->letters, file->now - age, archive, &expired, error)) {
        return false;
    }
    output_begin();
    printf("%s letters expired", text_number(expired.expired, number));
    printf(", %s stay", text_number(expired.kept, number));
    if (expired.expired > 0) {
        printf("; %s added to %s", text_number(expired.archived, number), archive);
    }
    putchar('\n');
    return output_end(true, error);
}

enum cli_exit dlq_expire(const struct cli_options *options) {
    struct storm_error error = {0};
    if (options->letters.older_than == 0) {
        storm_fail(&error, STORM_USAGE, "'dlq expire' needs --older-than, such as 14d");
        return complain(&error);
    }
    return with_letters(options, LETTER_LOOK, expire);
}
