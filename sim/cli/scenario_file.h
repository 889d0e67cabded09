/* scenario_file.h: the scenario a command is about, read; what is wrong with it is said. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_SCENARIO_FILE_H
#define CLI_SCENARIO_FILE_H

#include <stddef.h>

#include <retrystorm/error.h>
#include <retrystorm/load.h>

#include "cli/options.h"

/* A scenario file. Freed with scenario_file_free whatever its reading returned. */
struct scenario_file {
    const char *name; /* as on the command line; "-": standard input */
    char *text;       /* for excerpts */
    size_t length;
    struct storm_document *document;
    struct storm_errors errors; /* what is wrong with it, after it was said; count 0: nothing */
};

/* Reads and parses. Complains, and returns the exit code, when that cannot be done. */
enum cli_exit scenario_file_read(struct scenario_file *file, const char *name);

/* The same, and decodes the scenario with the first --variant and every --set. */
enum cli_exit scenario_file_decode(struct scenario_file *file, const char *name,
                                   const struct cli_options *options,
                                   const struct storm_scenario **scenario);

/* Prints errors with excerpts of the file, and keeps them. Returns their exit code. */
enum cli_exit scenario_file_complain(struct scenario_file *file,
                                     const struct storm_errors *errors);

/* What results call it: its name without folders; "stdin" for standard input. */
const char *scenario_file_base(const char *name);

void scenario_file_free(struct scenario_file *file);

#endif
