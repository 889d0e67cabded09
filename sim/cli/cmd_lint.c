/* cmd_lint.c: what is probably wrong with scenarios, found without simulating them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "cli/commands.h"
#include "cli/complain.h"
#include "cli/output.h"
#include "cli/scenario_file.h"
#include "lint/lint.h"
#include "report/lint_text.h"

/* Prints what there is to say about a scenario that is valid. */
static enum cli_exit tell(const struct cli_options *options, const struct scenario_file *file,
                          const struct storm_scenario *scenario) {
    struct lint_findings findings;
    struct storm_error error;
    struct arena arena;
    bool has_errors = false;
    arena_init(&arena, (size_t)256 << 20);
    bool good = lint_find(file->document, options->variants[0], scenario, &arena, &findings);
    if (good) {
        lint_write_findings(&findings, strcmp(file->name, "-") == 0 ? "<stdin>" : file->name,
                            stdout);
    }
    for (size_t i = 0; good && i < findings.count; i++) {
        has_errors = has_errors || findings.list[i].severity == LINT_ERROR;
    }
    arena_free(&arena);
    if (!good) {
        storm_fail(&error, STORM_LIMIT, "no memory to look at the scenario");
        return complain(&error);
    }
    return has_errors ? CLI_NO : CLI_YES;
}

static enum cli_exit lint_file(const struct cli_options *options, const char *name) {
    struct scenario_file file;
    const struct storm_scenario *scenario;
    enum cli_exit code = scenario_file_decode(&file, name, options, &scenario);
    code = code == CLI_YES ? tell(options, &file, scenario) : code;
    scenario_file_free(&file);
    return code;
}

enum cli_exit cmd_lint(const struct cli_options *options) {
    struct storm_error error;
    enum cli_exit worst = CLI_YES;
    output_begin();
    if (options->rules) {
        return output_end(lint_write_rules(stdout), &error) ? CLI_YES : complain(&error);
    }
    if (options->operand_count == 0 || options->variant_count > 1) {
        storm_fail(&error, STORM_USAGE,
                   options->operand_count == 0 ? "'lint' needs a SCENARIO, or --rules"
                                               : "'lint' takes one --variant");
        return complain(&error);
    }
    for (size_t i = 0; i < options->operand_count; i++) {
        fflush(stdout);
        enum cli_exit code = lint_file(options, options->operands[i]);
        worst = code > worst ? code : worst;
    }
    return output_end(true, &error) ? worst : complain(&error);
}
