/* diff_text.h: how two results differ, for people and for programs. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef REPORT_DIFF_TEXT_H
#define REPORT_DIFF_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include <retrystorm/diff.h>

#include "report/report.h"

/* The format of differences as JSON. Its number rises only on a change that breaks readers. */
#define DIFF_SCHEMA "retrystorm.diff/1"

/* Settings first, then what is worst, the sum of it last. Both return false when a byte could not
   be written, or memory ran out. */
bool diff_write_text(const struct storm_diff *diff, const struct report_text *text, FILE *out);
bool diff_write_json(const struct storm_diff *diff, FILE *out);

#endif
