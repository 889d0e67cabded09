/* dead_letter.h: every request given up on, as a line of JSON with the evidence to decide its
   fate. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef REPORT_DEAD_LETTER_H
#define REPORT_DEAD_LETTER_H

#include <stdint.h>
#include <stdio.h>

#include <retrystorm/fact.h>
#include <retrystorm/scenario.h>

/* Where dead letters go. `out` and `scenario` stay the caller's; errors of `out` show in its
   ferror. */
struct dead_letter_sink {
    FILE *out;
    const struct storm_scenario *scenario;
    uint64_t count; /* lines written so far */
};

/* A storm_listener's hear: writes one line for each STORM_FACT_DEAD, of eleven fields in this
   order: msg_id, original, reason, status (a number from 100 on, below it the words refused, reset,
   timeout; null when no attempt was answered), class (data: a 4xx other than 408 and 429; else
   system), attempts, received_at, first_failed_at, last_failed_at (RFC 3339, nanoseconds), trace_id
   (32 hex digits), queue. Other facts are passed over. */
void dead_letter_hear(void *context, const struct storm_fact *fact);

#endif
