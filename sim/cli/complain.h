/* complain.h: errors on standard error, and the exit code they mean. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_COMPLAIN_H
#define CLI_COMPLAIN_H

#include <retrystorm/error.h>
#include <retrystorm/load.h>

#include "cli/options.h"

/* Prints one error, with its suggestion. Returns its exit code. */
enum cli_exit complain(const struct storm_error *error);

/* Prints all errors of a scenario file with excerpts. `document` may be NULL. Returns the exit
   code. */
enum cli_exit complain_about(const char *file, const struct storm_document *document,
                             const struct storm_errors *errors);

#endif
