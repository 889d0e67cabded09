/* sweep_output.c: the one file that sweep and merge write, and what they print of it. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/sweep_output.h"

#include <stdio.h>

#include <retrystorm/sweep.h>

#include "base/arena.h"
#include "cli/complain.h"
#include "cli/output.h"
#include "report/sweep_text.h"
#include "store/sweep_read.h"

bool sweep_output_check(const struct cli_options *options, const char *command,
                        struct storm_error *error) {
    if (options->output_count != 1) {
        return storm_fail(error, STORM_USAGE, "'%s' writes one file: -o FILE.sqlite", command);
    }
    return output_ends_in(options->outputs[0], ".sqlite", ".db") ||
           storm_fail(error, STORM_USAGE, "'%s' is no name for a sweep's file; end it in .sqlite",
                      options->outputs[0]);
}

enum cli_exit sweep_output_print(const struct cli_options *options, struct arena *arena) {
    const char *file = options->outputs[0];
    struct storm_sweep sweep;
    struct storm_error error = {0};
    struct report_text text = {.result_file = file, .no_next = options->quiet};
    if (!sweep_read(file, arena, &sweep, &error)) {
        return complain(&error);
    }
    output_begin();
    bool written = sweep_write_text(&sweep, &text, stdout);
    return output_end(written, &error) ? CLI_YES : complain(&error);
}
