/* throttle.h: a brake on all attempts of a caller, by what became of the earlier ones. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef POLICY_THROTTLE_H
#define POLICY_THROTTLE_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/policy.h>
#include <retrystorm/units.h>

enum { THROTTLE_SLOTS = 10 };

struct throttle_state {
    int64_t slot; /* ADAPTIVE: number of the newest of its slots of window / 10 each */
    uint32_t requests[THROTTLE_SLOTS], accepts[THROTTLE_SLOTS];
    /* CUBIC, times in seconds of the run */
    bool enabled;
    double fill_rate, capacity, tokens, refilled, measured, last_throttle, highest, window;
    double bucket; /* time of the bucket in which attempts are being counted */
    uint32_t in_bucket;
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

/* An attempt has come back: taken by the server (whatever else it said), or turned away as too much
   (429, 503, refused, timeout for ADAPTIVE; 429 for CUBIC: see throttle_is_turned_away). */
void throttle_answer(const struct storm_throttle *throttle, struct throttle_state *state,
                     storm_time now, uint16_t status);

#endif
