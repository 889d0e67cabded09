/* sample.h: lines of dead letters for tests. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LETTERS_SAMPLE_H
#define LETTERS_SAMPLE_H

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <retrystorm/units.h>

#include "letters/letter.h"

/* What differs from letter to letter; the rest follows from it. */
struct sample {
    uint32_t member, ordinal;
    const char *reason, *status, *class, *queue;
    int second; /* of its death, after 2026-09-06T12:00:00Z */
};

/* Appends a letter of the clients "shop" to `text`. */
static inline void sample_add(char *text, size_t size, const struct sample *sample) {
    size_t used = strlen(text);
    int minute = sample->second / 60, second = sample->second % 60;
    int length = snprintf(
        text + used, size - used,
        "{\"msg_id\": \"shop-%u-%u\", \"original\": {\"population\": \"shop\", \"member\": %u, "
        "\"ordinal\": %u, \"to\": \"orders\", \"born_at\": \"2026-09-06T11:59:00Z\"}, "
        "\"reason\": \"%s\", \"status\": %s, \"class\": \"%s\", \"attempts\": 5, "
        "\"received_at\": \"2026-09-06T11:59:00Z\", \"first_failed_at\": \"2026-09-06T11:59:30Z\", "
        "\"last_failed_at\": \"2026-09-06T12:%02d:%02dZ\", \"trace_id\": \"%032x\", "
        "\"queue\": \"%s\"}\n",
        sample->member, sample->ordinal, sample->member, sample->ordinal,
        sample->reason != NULL ? sample->reason : "attempts_exhausted",
        sample->status != NULL ? sample->status : "503",
        sample->class != NULL ? sample->class : "system", minute, second,
        sample->member * 1000 + sample->ordinal,
        sample->queue != NULL ? sample->queue : "orders.dead");
    assert(length > 0 && (size_t)length < size - used);
}

/* 2026-09-06T12:00:00Z. */
#define SAMPLE_NOON (INT64_C(1788696000) * STORM_SECOND)

#endif
