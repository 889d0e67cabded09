/* conclusion.h: what a verdict table says, in a sentence or two. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef REPORT_CONCLUSION_H
#define REPORT_CONCLUSION_H

struct page;

/* Writes who always comes back, who sometimes, who never; which is best when none always does; and,
   where there is no verdict, why, and who answers most requests in time. */
void conclusion_write(struct page *page);

#endif
