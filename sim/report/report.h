/* report.h: results as JSON, CSV and text, and JSON results read back. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <retrystorm/error.h>
#include <retrystorm/results.h>

#include "base/arena.h"

/* The format of result files. Its number rises only on a change that breaks readers. */
#define REPORT_SCHEMA "retrystorm.result/1"

/* Writes results as JSON (REPORT_SCHEMA). The bytes depend on the results and the program's version
   alone: no date, host or path. NaN ("does not apply") and infinities become null. False when a
   byte could not be written. */
bool report_write_json(const struct storm_results *results, FILE *out);

/* Reads a result file; writing it again gives the same bytes. Everything returned lives in `arena`.
   Keys that are not known are passed over. NULL fills `error`: STORM_IO when the file cannot be
   read, STORM_LIMIT when it or what it holds is too large, else STORM_INVALID with line and column
   (syntax) or path (meaning). */
struct storm_results *report_read_json(const char *file, struct arena *arena,
                                       struct storm_error *error);

/* The same for `length` bytes of text in memory. */
struct storm_results *report_parse_json(const char *text, size_t length, struct arena *arena,
                                        struct storm_error *error);

/* Writes the series of run 0 of each variant in long format: variant,run,subject,series,t_s,value.
   t_s is the start of the bin; the series' name carries its unit; a value that does not apply is
   empty. Fields are quoted as RFC 4180 says; lines end with a line feed. */
bool report_write_csv(const struct storm_results *results, FILE *out);

/* How a text is written. */
struct report_text {
    bool color;              /* paint the verdicts' words (ANSI) */
    const char *result_file; /* the JSON file that was written, for the next command; or NULL */
    bool no_next;            /* say no next step */
    bool differences;        /* list every difference of the comparisons */
    uint32_t runs_max;       /* runs were added, but not beyond so many; 0: none were */
    int width;               /* columns that the verdict table must fit into; 0: any number */
};

/* Writes the verdict table, what it says in a sentence, the queues it depends on, and a next step.
   False when a byte could not be written, or memory ran out. */
bool report_write_text(const struct storm_results *results, const struct report_text *text,
                       FILE *out);

/* The same, after a list of every metric of every variant. */
bool report_write_text_full(const struct storm_results *results, const struct report_text *text,
                            FILE *out);

#endif
