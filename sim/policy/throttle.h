/* throttle.h: a brake on all attempts of a caller, by what became of the earlier ones. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef POLICY_THROTTLE_H
#define POLICY_THROTTLE_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/policy.h>
#include <retrystorm/units.h>

#include "policy/slots.h"

struct throttle_state {
    int64_t slot; /* ADAPTIVE: number of the newest of its slots of window / 10 each */
    uint32_t requests[SLOTS_COUNT], accepts[SLOTS_COUNT];
    /* CUBIC, times in seconds of the run */
    bool enabled;                       /* there was a 429 */
    double fill_rate, capacity, tokens; /* of the bucket that attempts take one from */
    double refilled;                    /* when */
    double measured;                    /* attempts per second */
    double bucket; /* begin of the half second in which attempts are being counted; -1: no attempt
                      yet */
    uint32_t in_bucket;
    double last_throttle; /* when the last 429 came, ... */
    double highest;       /* ... the rate then, and how long it takes to grow back there */
    double window;
};

struct throttle_word {
    bool rejected;   /* the attempt is not sent at all */
    storm_time wait; /* it is sent so much later */
};

/* A throttle that brakes nothing yet. */
void throttle_init(const struct storm_throttle *throttle, struct throttle_state *state);

/* An attempt wants to be sent. `u`: one uniform draw in [0, 1). */
struct throttle_word throttle_ask(const struct storm_throttle *throttle,
                                  struct throttle_state *state, storm_time now, double u);

/* An attempt that was sent has come to this. ADAPTIVE takes refused, reset, timeout, 429 and 503
   for the server's word that it is too much; CUBIC heeds 429 alone. */
void throttle_answer(const struct storm_throttle *throttle, struct throttle_state *state,
                     storm_time now, uint16_t status);

#endif
