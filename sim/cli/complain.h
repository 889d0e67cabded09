/* complain.h: errors on standard error, and the exit code they mean. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_COMPLAIN_H
#define CLI_COMPLAIN_H

#include <stdbool.h>
#include <stddef.h>

#include <retrystorm/error.h>

#include "cli/options.h"

/* Prints one error, with its suggestion. Returns its exit code. */
enum cli_exit complain(const struct storm_error *error);

/* Puts a file's name into an error of what is inside it. Always false. */
bool complain_blame(const char *file, struct storm_error *error);

/* Prints all errors of a scenario file with excerpts of its text (NULL: none). Returns the exit
   code. */
enum cli_exit complain_about(const char *file, const char *text, size_t length,
                             const struct storm_errors *errors);

#endif
