/* page.h: one text for a terminal being written, and the pieces that all its parts use. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <retrystorm/results.h>

#include "base/arena.h"
#include "report/report.h"

struct page {
    const struct storm_results *results;
    const struct report_text *text;
    struct arena arena;
    FILE *out;
    bool failed; /* memory ran out */
};

/* How a variant ends, over its runs. */
enum ending {
    ENDING_UNHARMED,  /* no run ever left the band */
    ENDING_ALWAYS,    /* every run came back */
    ENDING_SOMETIMES, /* some did */
    ENDING_NEVER,
    ENDING_UNKNOWN /* no verdict in some or all runs */
};

enum ending page_ending(const struct storm_variant *variant);

/* A formatted string of at most 255 bytes that lives as long as the page; "" when memory runs out,
   which the page remembers. */
const char *page_phrase(struct page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A name from the results, made safe for a terminal; "" without memory. */
const char *page_clean(struct page *page, const char *name);

/* The verdicts of a variant, painted if that is wanted: "stuck in 17, recovered in 13 of 30 runs",
   or `brief` "stuck 17, recovered 13 of 30". */
const char *page_verdicts(struct page *page, const struct storm_variant *variant, bool brief);

/* What stands for a metric in one number: its mean, or its median when runs may end in two ways. */
double page_typical(const struct storm_metric *metric);

/* "" for one, "s" for several. */
const char *page_plural(uint32_t count);

#endif
