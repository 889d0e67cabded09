/* lint_log.h: what lint has found in several files, for programs: JSON, and SARIF 2.1.0. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef REPORT_LINT_LOG_H
#define REPORT_LINT_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <retrystorm/error.h>

#include "lint/lint.h"

/* The rule of scenarios that cannot be read: it has no row in lint.def, since nothing is looked for
   in them. */
#define LINT_INVALID_ID "R000"

/* One file that was looked at. */
struct lint_file {
    const char *name;              /* as on the command line; "-": standard input */
    struct storm_errors errors;    /* why it cannot be read; count 0: it can */
    struct lint_findings findings; /* where it can */
};

/* Writes an object: schema "retrystorm.lint/1", files (of each: file, valid, findings, errors),
   errors, warnings and notes (how many of each there are). A finding has rule, severity, title,
   path, line, column (null: no place in the file), message and fix; an error path, line, column,
   message and fix (null: none). False when a byte could not be written. */
bool lint_write_json(const struct lint_file *files, size_t count, FILE *out);

/* Writes a log in the Static Analysis Results Interchange Format (OASIS, SARIF 2.1.0): one run,
   all rules, a result for each finding and each error. The fingerprint of a result is its rule and
   the setting that it is about (and which one of these it is), not its line: it stays when lines
   move. False when a byte could not be written, or memory ran out. */
bool lint_write_sarif(const struct lint_file *files, size_t count, FILE *out);

#endif
