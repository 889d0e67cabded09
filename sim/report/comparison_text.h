/* comparison_text.h: what a comparison found, in a line or two for each variant, or in full. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef REPORT_COMPARISON_TEXT_H
#define REPORT_COMPARISON_TEXT_H

struct page;

/* Writes, of every variant but the reference, on what of that which leads it is better, on what
   worse, and what cannot be told. Nothing without comparisons. */
void comparison_text_write(struct page *page);

/* Writes a table of every difference of every variant. */
void comparison_text_write_all(struct page *page);

#endif
