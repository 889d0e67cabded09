/* cmd_explain.c: say what a setting, metric, verdict or policy is. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>

#include "cli/commands.h"
#include "cli/complain.h"
#include "cli/output.h"
#include "guide/explain.h"

enum cli_exit cmd_explain(const struct cli_options *options) {
    struct storm_error error = {0};
    output_begin();
    bool good = explain_write(options->operand, stdout, &error) && output_end(true, &error);
    return good ? CLI_YES : complain(&error);
}
