/* verdict_table.h: one row a variant: how it ended, and the numbers that matter most. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef REPORT_VERDICT_TABLE_H
#define REPORT_VERDICT_TABLE_H

#include <stddef.h>

struct page;

/* What the table calls a metric, of whose name `length` bytes count: the title of its column, or
   its own name. */
const char *verdict_table_title(const char *metric, size_t length);

/* Writes the table, what its brackets mean, and, where there are several, whose load it shows. It
   fits into the page's width: first columns are left out, and when that
   is not enough, ranges and words with as few columns as need be. */
void verdict_table_write(struct page *page);

#endif
