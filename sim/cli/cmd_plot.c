/* cmd_plot.c: draw a chart of a result file, or of the file of a sweep. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include <retrystorm/sweep.h>

#include "base/arena.h"
#include "cli/commands.h"
#include "cli/complain.h"
#include "cli/output.h"
#include "report/report.h"
#include "store/sweep_read.h"

static bool draw_results(const struct cli_options *options, struct arena *arena,
                         struct storm_error *error) {
    struct storm_results *results = report_read_json(options->operand, arena, error);
    if (results == NULL) {
        return complain_blame(options->operand, error);
    }
    for (size_t i = 0; i < options->output_count; i++) {
        if (!output_write(results, options, options->outputs[i], error)) {
            return false;
        }
    }
    return true;
}

static bool draw_sweep(const struct cli_options *options, struct arena *arena,
                       struct storm_error *error) {
    struct storm_sweep sweep;
    if (!sweep_read(options->operand, arena, &sweep, error)) {
        return false;
    }
    for (size_t i = 0; i < options->output_count; i++) {
        if (!output_write_sweep(&sweep, options, options->outputs[i], error)) {
            return false;
        }
    }
    return true;
}

static bool draw(const struct cli_options *options, struct arena *arena,
                 struct storm_error *error) {
    const char *dot = strrchr(options->operand, '.');
    if (dot != NULL && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0)) {
        storm_fail(error, STORM_INVALID, "%s is a scenario; 'plot' draws results",
                   options->operand);
        snprintf(error->suggestion, sizeof error->suggestion,
                 "make one with 'retrystorm compare SCENARIO -o result.json'");
        return false;
    }
    if (options->output_count == 0) {
        return storm_fail(error, STORM_USAGE, "'plot' needs -o FILE.png, .svg or .pdf");
    }
    return sweep_file_begins(options->operand) ? draw_sweep(options, arena, error)
                                               : draw_results(options, arena, error);
}

enum cli_exit cmd_plot(const struct cli_options *options) {
    struct storm_error error = {0};
    struct arena arena;
    arena_init(&arena, (size_t)-1);
    bool drawn = draw(options, &arena, &error);
    arena_free(&arena);
    return drawn ? CLI_YES : complain(&error);
}
