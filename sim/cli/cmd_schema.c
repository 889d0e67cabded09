/* cmd_schema.c: print the JSON Schema of a scenario. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/complain.h"
#include "cli/output.h"
#include "guide/schema.h"

enum cli_exit cmd_schema(const struct cli_options *options) {
    struct storm_error error = {0};
    if (options->operand != NULL && strcmp(options->operand, "scenario") != 0) {
        storm_fail(&error, STORM_USAGE, "there is no schema of '%.100s'", options->operand);
        snprintf(error.suggestion, sizeof error.suggestion, "write 'retrystorm schema scenario'");
        return complain(&error);
    }
    output_begin();
    return output_end(schema_write(stdout), &error) ? CLI_YES : complain(&error);
}
