/* evidence_text.h: what so many runs say, in words and as JSON. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef REPORT_EVIDENCE_TEXT_H
#define REPORT_EVIDENCE_TEXT_H

#include <stdbool.h>

#include <retrystorm/evidence.h>

#include "report/json_writer.h"
#include "report/page.h"

/* A value in its unit: "99.2%", "43.1 s", "1.83 x capacity", "infinite" and, of NaN, a dash. The
   texts live as long as the page. */
const char *evidence_number(struct page *page, const char *unit, double value);

/* "41 to 43 s", "at most 30.8%", "41 s or more"; "unknown" when neither end is known. */
const char *evidence_range(struct page *page, const char *unit, double lo, double hi);

/* "100 of 100 runs recover: 97.1% or more", "the p95 of dead_letters is 12 requests over 100 runs:
   9 to 31 requests", or ", and all are alike" where they are. `what`: the measure and its
   statistic. */
const char *evidence_sentence(struct page *page, const char *what, const char *unit, bool is_share,
                              const struct storm_evidence *evidence);

/* Members runs, good, value, lo, hi, holds, proven, alike of the object that is open. Ends that are
   not known, and what is infinite, are null. */
void evidence_keys(struct json_writer *json, const struct storm_evidence *evidence);

#endif
