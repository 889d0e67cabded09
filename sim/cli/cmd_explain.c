/* cmd_explain.c: say what a setting, metric, verdict or policy is. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/complain.h"
#include "guide/explain.h"

enum cli_exit cmd_explain(const struct cli_options *options) {
    struct storm_error error = {0};
    signal(SIGPIPE, SIG_DFL);
    if (!explain_write(options->operand, stdout, &error)) {
        return complain(&error);
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        storm_fail(&error, STORM_IO, "standard output: %s", strerror(errno));
        return complain(&error);
    }
    return CLI_YES;
}
