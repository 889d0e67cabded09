/* dead_letter.h: every request given up on, as a line of JSON with the evidence to decide its
   fate. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef REPORT_DEAD_LETTER_H
#define REPORT_DEAD_LETTER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <retrystorm/fact.h>
#include <retrystorm/scenario.h>

struct json_writer;

/* What a line says. Times are RFC 3339 with nanoseconds. */
struct dead_letter {
    const char *msg_id[2];       /* its beginning and its end; the latter may be NULL */
    const char *population, *to; /* the clients whose request it was, and whom they called */
    uint32_t member, ordinal;    /* which request of theirs */
    const char *born_at;
    const char *reason; /* enum storm_reason as a word */
    uint16_t status;    /* of the last failure; 0: no attempt was answered */
    bool data;          /* class data: trying the same again cannot help; else system */
    uint32_t attempts;
    const char *received_at, *first_failed_at, *last_failed_at;
    const char *trace_id; /* 32 hexadecimal digits */
    const char *queue;    /* the dead-letter queue */
};

/* Writes one line, of eleven fields in the order of the struct; to born_at are the field
   `original`. A status is a number from 100 on, below it the words refused, reset, timeout and
   rejected, and null when no attempt was answered. Errors of `out` show in its ferror. */
void dead_letter_write(FILE *out, const struct dead_letter *letter);

/* The same fields as members of an object that is being written. */
void dead_letter_fields(struct json_writer *json, const struct dead_letter *letter);

/* The trace id of a request with that key, in `buffer` of DEAD_LETTER_TRACE_SIZE bytes, which is
   returned. */
enum { DEAD_LETTER_TRACE_SIZE = 33 };
const char *dead_letter_trace(uint64_t key, char *buffer);

/* Where dead letters go. `out` and `scenario` stay the caller's; errors of `out` show in its
   ferror. */
struct dead_letter_sink {
    FILE *out;
    const struct storm_scenario *scenario;
    uint64_t count; /* lines written so far */
};

/* A storm_listener's hear: writes one line for each STORM_FACT_DEAD, but for messages that a broker
   has lost: of those nobody has a letter. Other facts are passed over. */
void dead_letter_hear(void *context, const struct storm_fact *fact);

#endif
