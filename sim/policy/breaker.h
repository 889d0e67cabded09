/* breaker.h: a circuit breaker: closed, open, half-open. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef POLICY_BREAKER_H
#define POLICY_BREAKER_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/fact.h>
#include <retrystorm/policy.h>
#include <retrystorm/units.h>

#include "policy/slots.h"

/* A zeroed state is a closed breaker that has seen nothing.

     closed    -> open      [breaker_record: too many failures]
     open      -> half-open [breaker_allows: open_for is over]
     half-open -> closed    [breaker_record: all probes were good]
     half-open -> open      [breaker_record: a probe was bad; open_for x open_factor] */
struct breaker_state {
    uint8_t phase;                               /* enum storm_breaker_phase */
    uint32_t in_a_row;                           /* CONSECUTIVE: failures */
    uint32_t next, count, bad;                   /* COUNT: the ring */
    uint64_t ring[STORM_BREAKER_CALLS_MAX / 64]; /* COUNT: a bit per call, 1: failed */
    int64_t slot;                                /* TIME: number of the newest slot */
    uint32_t good_in[SLOTS_COUNT], bad_in[SLOTS_COUNT];
    uint32_t probing, probed; /* HALF_OPEN: on their way, and good so far */
    uint32_t opened;          /* times in a row */
    storm_time until;         /* OPEN */
};

/* Whether an attempt (or a whole call) may go through; when half-open, as one of the probes. Every
   one that was let through is reported once, by breaker_record or breaker_forget. */
bool breaker_allows(const struct storm_breaker *breaker, struct breaker_state *state,
                    storm_time now);

/* What became of one that was let through. */
void breaker_record(const struct storm_breaker *breaker, struct breaker_state *state,
                    storm_time now, bool succeeded);

/* One that was let through has been dropped before its outcome was known. */
void breaker_forget(struct breaker_state *state);

#endif
