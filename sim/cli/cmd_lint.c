/* cmd_lint.c: what is probably wrong with scenarios, found without simulating them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "cli/commands.h"
#include "cli/complain.h"
#include "cli/output.h"
#include "cli/scenario_file.h"
#include "lint/lint.h"
#include "report/lint_log.h"
#include "report/lint_text.h"

/* Looks at a scenario that is valid; findings are the arena's. */
static enum cli_exit look(const struct cli_options *options, const struct scenario_file *source,
                          const struct storm_scenario *scenario, struct arena *arena,
                          struct lint_findings *findings) {
    struct storm_error error;
    bool has_errors = false;
    if (!lint_find(source->document, options->variants[0], scenario, arena, findings)) {
        storm_fail(&error, STORM_LIMIT, "no memory to look at the scenario");
        return complain(&error);
    }
    for (size_t i = 0; i < findings->count; i++) {
        has_errors = has_errors || findings->list[i].severity == LINT_ERROR;
    }
    return has_errors ? CLI_NO : CLI_YES;
}

/* Looks at a file. Errors of one that cannot be read are said at once, whatever the format. */
static enum cli_exit lint_file(const struct cli_options *options, struct arena *arena,
                               struct lint_file *file) {
    struct scenario_file source;
    const struct storm_scenario *scenario;
    enum cli_exit code = scenario_file_decode(&source, file->name, options, &scenario);
    if (code == CLI_YES) {
        code = look(options, &source, scenario, arena, &file->findings);
        if (options->format == CLI_TEXT && code <= CLI_NO) {
            lint_write_findings(&file->findings,
                                strcmp(file->name, "-") == 0 ? "<stdin>" : file->name, stdout);
        }
    }
    file->errors = source.errors;
    scenario_file_free(&source);
    return code;
}

static bool write_log(const struct cli_options *options, const struct lint_file *files) {
    size_t count = options->operand_count;
    if (options->format == CLI_TEXT) {
        return true;
    }
    return options->sarif ? lint_write_sarif(files, count, stdout)
                          : lint_write_json(files, count, stdout);
}

static enum cli_exit lint_files(const struct cli_options *options) {
    struct storm_error error;
    struct arena arena;
    enum cli_exit worst = CLI_YES;
    arena_init(&arena, (size_t)1 << 30);
    struct lint_file *files = arena_take_array(&arena, options->operand_count, sizeof *files);
    if (files == NULL) {
        storm_fail(&error, STORM_LIMIT, "no memory to look at scenarios");
        return complain(&error);
    }
    for (size_t i = 0; i < options->operand_count; i++) {
        fflush(stdout);
        files[i].name = options->operands[i];
        enum cli_exit code = lint_file(options, &arena, &files[i]);
        worst = code > worst ? code : worst;
    }
    bool written = output_end(write_log(options, files), &error);
    arena_free(&arena);
    return written ? worst : complain(&error);
}

/* What is asked for and cannot be had; NULL: nothing. */
static const char *refusal(const struct cli_options *options) {
    if (options->rules) {
        return options->format != CLI_TEXT ? "'--rules' is text only" : NULL;
    }
    return options->operand_count == 0  ? "'lint' needs a SCENARIO, or --rules"
           : options->variant_count > 1 ? "'lint' takes one --variant"
                                        : NULL;
}

enum cli_exit cmd_lint(const struct cli_options *options) {
    struct storm_error error;
    const char *refused = refusal(options);
    if (refused != NULL) {
        storm_fail(&error, STORM_USAGE, "%s", refused);
        return complain(&error);
    }
    output_begin();
    if (options->rules) {
        return output_end(lint_write_rules(stdout), &error) ? CLI_YES : complain(&error);
    }
    return lint_files(options);
}
