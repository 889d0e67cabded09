/* judge.h: a table of truths against the simulator, row by row.

   A row with a known asymptotic variance is one long run, so long that four standard errors are
   2.5 % of the value if its arrivals allow that: |z| < 4. A row without is 64 short runs and
   Student's t: |t| < 5. A row that fails is tried once more with the next seed and four times the
   length, and fails only if both do. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SUPPORT_JUDGE_H
#define SUPPORT_JUDGE_H

#include <stddef.h>

struct judge_table {
    const char *name;  /* of tests/data/NAME_truths.csv and of the part of the page */
    const char *title; /* of that part */
    const char *note;
    size_t least; /* rows that must be in every build */
};

/* Judges the rows of the table: those whose column ci says yes; under STORM_FULL=1 all that do not
   need more than 20 million arrivals and are not of something so rare that 64 short runs see it
   fewer than a hundred times. A row that fails, fails the test. */
void judge(const struct judge_table *table);

#endif
