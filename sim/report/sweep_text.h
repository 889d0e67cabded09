/* sweep_text.h: a sweep as text: the points there are to choose from, and where the cliff is. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef REPORT_SWEEP_TEXT_H
#define REPORT_SWEEP_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include <retrystorm/sweep.h>

#include "report/report.h"

/* Writes what was varied, the front (points than which no other has less of peak load, time to
   recover and dead letters at once), where half of the runs recover, and a next step with
   text->result_file, which is the sweep's. False when a byte could not be written, or memory ran
   out. */
bool sweep_write_text(const struct storm_sweep *sweep, const struct report_text *text, FILE *out);

#endif
