/* lint_text.h: findings and rules of lint as a text for a terminal. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef REPORT_LINT_TEXT_H
#define REPORT_LINT_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include "lint/lint.h"

/* Writes "file:line:column: severity: title [id]", the finding, and how to fix it, for each; then
   how many there are. False when a byte could not be written. */
bool lint_write_findings(const struct lint_findings *findings, const char *file, FILE *out);

/* Writes all rules, with why they are there. */
bool lint_write_rules(FILE *out);

#endif
