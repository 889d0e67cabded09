/* check_report.h: a check told to people, and to those who gather results of tests. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef REPORT_CHECK_REPORT_H
#define REPORT_CHECK_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include <retrystorm/check.h>

#include "report/report.h"

/* The format of checks as JSON. Its number rises only on a change that breaks readers. */
#define CHECK_SCHEMA "retrystorm.check/1"

/* For a terminal: what is worst first, the answer last; what is as it was, in a line a scenario. */
bool check_write_text(const struct storm_check *check, const struct report_text *text, FILE *out);

/* Each writes the whole of it. False when a byte could not be written, or memory ran out.

   md: Markdown as GitHub shows it, with the answer as its heading.
   json: CHECK_SCHEMA, every row.
   junit: JUnit XML, a test suite a scenario and a test case a row. What is inconclusive is a
   failure of that type, what only warns is skipped; a scenario that is not in the baseline is an
   error.
   tap: the Test Anything Protocol, version 13. What only warns is not ok, and yet no failure.
   github: workflow commands that become annotations, at most ten errors and ten warnings.
   bench: the numbers that are better when they are smaller, as a JSON list of name, unit, value,
   range and extra (customSmallerIsBetter of github-action-benchmark). */
typedef bool check_writer(const struct storm_check *check, FILE *out);
check_writer check_write_md, check_write_json, check_write_junit, check_write_tap,
    check_write_github, check_write_bench;

#endif
