/* check_table.h: rows of a check, or of a difference, as a table for a terminal. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef REPORT_CHECK_TABLE_H
#define REPORT_CHECK_TABLE_H

#include <stdint.h>

#include <retrystorm/check.h>

#include "report/page.h"

struct check_table {
    const char *before, *after;      /* what the two columns of values are called */
    const struct storm_check *check; /* for what a finding means; NULL: that of a check without
                                        wishes */
    const struct storm_check_row *rows;
    uint32_t count;
};

/* Writes the first few of the news, and how many more there are. */
void check_table_write(struct page *page, const struct check_table *table);

#endif
