/* limit_text.h: where a criterion changes side, in words and as JSON. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef REPORT_LIMIT_TEXT_H
#define REPORT_LIMIT_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include <retrystorm/limit.h>

/* The format of a limit as JSON. Its number rises only on a change that breaks readers. */
#define LIMIT_SCHEMA "retrystorm.limit/1"

/* Writes the values that were tried, the interval with the evidence at both ends, and a last line
   that says it all. False when a byte could not be written, or memory ran out. */
bool limit_write_text(const struct storm_limit *limit, FILE *out);

/* Writes it as JSON (LIMIT_SCHEMA). False when a byte could not be written. */
bool limit_write_json(const struct storm_limit *limit, FILE *out);

#endif
