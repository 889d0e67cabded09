/* textbook.h: the systems of the truth tables: one population, one service, read from a row and
   written as a scenario. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SUPPORT_TEXTBOOK_H
#define SUPPORT_TEXTBOOK_H

#include <stdbool.h>
#include <stddef.h>

#include "support/csv.h"
#include "support/world.h"

/* Numbers that do not apply are +inf, words "". Borrows its words from the table. */
struct textbook {
    double lambda, mu, workers, places, cv;
    double timeout, attempts, persist;
    const char *law, *order, *sharing, *timeout_law, *cancel, *drop_expired, *delays, *head_only;
};

/* The system of a row; a table need not have every column. */
struct textbook textbook_read(const struct csv *csv, size_t row);

bool textbook_is_same(const struct textbook *a, const struct textbook *b);

/* "lambda 0.5, 2 workers, K 10, ...". */
void textbook_describe(const struct textbook *system, char *text, size_t size);

/* The scenario of a run of so many seconds. */
struct world_case textbook_write(const struct textbook *system, double seconds);

/* Ten relaxation times, in seconds: after them the start is forgotten. */
double textbook_warm_up(const struct textbook *system);

#endif
