/* page.h: a part of docs/validation.md: a table that a law test writes and afterwards holds the
   simulator to. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SUPPORT_PAGE_H
#define SUPPORT_PAGE_H

#include <stdbool.h>
#include <stddef.h>

/* One row. Cells are text, so that exact integers stay exact. */
struct page_row {
    const char *model, *system, *quantity, *truth, *ours, *error, *score, *source;
};

/* A part under way. Owns its text. */
struct page {
    const char *name;
    char *text;
    size_t length, room, rows;
};

/* Begins the part that is kept in tests/golden/validation/NAME.md. `note` may hold several
   sentences. */
struct page page_begin(const char *name, const char *title, const char *note);

void page_add(struct page *page, const struct page_row *row);

/* A row whose truth is a number met exactly: fails the test at once if it is not. */
void page_add_exact(struct page *page, const char *model, const char *system, const char *quantity,
                    double truth, double ours, const char *source);

/* A row whose truth is a number with a known standard error of ours. Returns |z|. */
double page_add_z(struct page *page, const char *model, const char *system, const char *quantity,
                  double truth, double ours, double error, const char *source);

/* Compares the part with the one that is kept, to the letter: a difference fails the test.
   UPDATE=1 keeps the new one; nothing is compared under STORM_FULL=1, which has more rows. Frees
   the text. */
void page_end(struct page *page);

/* Whether every row of the tables is wanted, not just those for every build. */
bool page_is_full(void);

#endif
