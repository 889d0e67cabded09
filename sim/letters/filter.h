/* filter.h: which letters somebody means, and instants as they are typed. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LETTERS_FILTER_H
#define LETTERS_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "letters/letter.h"

enum letter_class { LETTER_ANY_CLASS, LETTER_SYSTEM, LETTER_DATA };

/* What a letter must be; NULL and the ends of time leave it open. */
struct letter_filter {
    const char *queue;    /* its dead-letter queue, or whom its request called */
    const char *reason;   /* its word */
    int64_t since, until; /* died in [since, until) */
    enum letter_class class;
};

/* All letters pass. */
struct letter_filter letter_filter_open(void);

bool letter_filter_passes(const struct letter_filter *filter, const struct letter *letter);

/* Reads 2026-09-06, 2026-09-06T12:00 or 2026-09-06T12:00:30.5, all UTC, the last also with a zone,
   into nanoseconds since 1970. False when it is none of these. */
bool letter_instant_parse(const char *text, int64_t *instant);

#endif
