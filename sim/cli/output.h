/* output.h: results into files, by the extension of their names. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdbool.h>

#include <retrystorm/error.h>
#include <retrystorm/results.h>
#include <retrystorm/sweep.h>

#include "cli/options.h"

/* True when a file of that name can be written: its extension is known (else STORM_USAGE) and its
   directory can be written to (else STORM_IO). Fills `error` otherwise. */
bool output_check(const char *file, struct storm_error *error);

/* Whether files can be made beside this one: better said before hours of runs than after them.
   False after filling `error`. */
bool output_check_place(const char *file, struct storm_error *error);

/* Whether its name ends in one of two endings, such as ".db", in upper or lower case. */
bool output_ends_in(const char *file, const char *one, const char *other);

/* Whether standard output is to be painted. */
bool output_wants_color(const struct cli_options *options);

/* True when a file of that name holds results that can be read again. */
bool output_is_result(const char *file);

/* Writes results as the file's extension says. False after filling `error`. */
bool output_write(const struct storm_results *results, const struct cli_options *options,
                  const char *file, struct storm_error *error);

/* Draws a sweep into a picture. False after filling `error`. */
bool output_write_sweep(const struct storm_sweep *sweep, const struct cli_options *options,
                        const char *file, struct storm_error *error);

/* Before an answer is printed on standard output: from here on a reader that has gone ends the
   program. */
void output_begin(void);

/* After it: gets it out whole. False after filling `error` when it is not, or was not `written`. */
bool output_end(bool written, struct storm_error *error);

/* Writes results to standard output in the format asked for. `result_file` is a JSON file with the
   same results, for the next step, or NULL. `full`: every metric. */
bool output_print(const struct storm_results *results, const struct cli_options *options,
                  const char *result_file, bool full, struct storm_error *error);

/* Makes a directory and those above it. False after filling `error`. */
bool output_make_directory(const char *path, struct storm_error *error);

#endif
