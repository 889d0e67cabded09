/* sweep_output.h: the one file that sweep and merge write, and what they print of it. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_SWEEP_OUTPUT_H
#define CLI_SWEEP_OUTPUT_H

#include <stdbool.h>

#include <retrystorm/error.h>

#include "cli/options.h"

struct arena;

/* Whether one output is named, and ends as a sweep's file does. False after filling `error`. */
bool sweep_output_check(const struct cli_options *options, const char *command,
                        struct storm_error *error);

/* Reads the output and prints the table of it. Returns the exit code. */
enum cli_exit sweep_output_print(const struct cli_options *options, struct arena *arena);

#endif
