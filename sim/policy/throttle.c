/* throttle.c: a brake on all attempts of a caller, by what became of the earlier ones. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Invariants
   1. ADAPTIVE: every attempt is counted once, as a request: at once when it is rejected, else when
      its answer comes, so that those under way are held against nobody. accepts <= requests.
   2. CUBIC: tokens <= capacity. They may be owed: who waits has taken one already, so that those
      who wait go one after the other.
   CUBIC is the rate limiter of the AWS SDKs' adaptive mode (botocore, smithy): it measures and
   adjusts all the time, but holds nobody back before the first 429. */

#include "policy/throttle.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>

#include "base/mathx.h"

/* ---- adaptive: Google SRE -------------------------------------------------------------------- */

static void adaptive_turn(const struct storm_throttle *throttle, struct throttle_state *state,
                          storm_time now) {
    int64_t stale = slots_turn(&state->slot, throttle->window, now);
    for (int64_t i = 0; i < stale; i++) {
        state->requests[slots_place(state->slot - i)] = 0;
        state->accepts[slots_place(state->slot - i)] = 0;
    }
}

static void adaptive_count(const struct storm_throttle *throttle, struct throttle_state *state,
                           storm_time now, bool is_accepted) {
    adaptive_turn(throttle, state, now);
    state->requests[slots_place(state->slot)]++;
    state->accepts[slots_place(state->slot)] += is_accepted;
}

static bool is_turned_away(uint16_t status) {
    return status == STORM_OUTCOME_REFUSED || status == STORM_OUTCOME_RESET ||
           status == STORM_OUTCOME_TIMEOUT || status == 429 || status == STORM_OUTCOME_UNAVAILABLE;
}

static double adaptive_chance(const struct storm_throttle *throttle,
                              const struct throttle_state *state) {
    double requests = 0, accepts = 0;
    for (int i = 0; i < SLOTS_COUNT; i++) {
        requests += state->requests[i];
        accepts += state->accepts[i];
    }
    assert(accepts <= requests); /* invariant 1 */
    double excess = requests - throttle->k * accepts;
    return excess > 0 ? fmin(excess / (requests + throttle->padding), throttle->most) : 0;
}

static struct throttle_word adaptive_ask(const struct storm_throttle *throttle,
                                         struct throttle_state *state, storm_time now, double u) {
    adaptive_turn(throttle, state, now);
    struct throttle_word word = {.rejected = u < adaptive_chance(throttle, state)};
    if (word.rejected) {
        adaptive_count(throttle, state, now, false);
    }
    return word;
}

/* ---- cubic: AWS ------------------------------------------------------------------------------ */

static const double bucket_length = 0.5;
static const double least_capacity = 1;
static const double most_growth = 2; /* over the measured rate */

/* The clock of the measured rate begins in the second in which the first attempt is made. */
static void cubic_begin(const struct storm_throttle *throttle, struct throttle_state *state,
                        double now) {
    if (state->bucket < 0) {
        state->bucket = floor(now);
        state->refilled = now;
        state->fill_rate = throttle->least;
        state->capacity = least_capacity;
    }
}

static void cubic_refill(struct throttle_state *state, double now) {
    double gain = (now - state->refilled) * state->fill_rate;
    state->tokens = fmin(state->tokens + gain, state->capacity);
    state->refilled = now;
}

static void cubic_set_rate(const struct storm_throttle *throttle, struct throttle_state *state,
                           double now, double rate) {
    cubic_refill(state, now);
    state->fill_rate = fmax(rate, throttle->least);
    state->capacity = fmax(rate, least_capacity);
    state->tokens = fmin(state->tokens, state->capacity);
}

static void cubic_measure(const struct storm_throttle *throttle, struct throttle_state *state,
                          double now) {
    double bucket = floor(now / bucket_length) * bucket_length;
    state->in_bucket++;
    if (bucket > state->bucket) {
        double rate = state->in_bucket / (bucket - state->bucket);
        state->measured = rate * throttle->smoothing + state->measured * (1 - throttle->smoothing);
        state->in_bucket = 0;
        state->bucket = bucket;
    }
}

/* After a 429 the rate falls to beta of what it was, and is back there after `window` seconds. */
static double cubic_cut(const struct storm_throttle *throttle, struct throttle_state *state,
                        double now) {
    double used = state->enabled ? fmin(state->measured, state->fill_rate) : state->measured;
    state->highest = used;
    state->window = mathx_pow(used * (1 - throttle->beta) / throttle->scale, 1.0 / 3);
    state->last_throttle = now;
    state->enabled = true;
    return used * throttle->beta;
}

static double cubic_grown(const struct storm_throttle *throttle, const struct throttle_state *state,
                          double now) {
    double t = now - state->last_throttle - state->window;
    return throttle->scale * t * t * t + state->highest;
}

static void cubic_answer(const struct storm_throttle *throttle, struct throttle_state *state,
                         double now, uint16_t status) {
    cubic_begin(throttle, state, now);
    cubic_measure(throttle, state, now);
    double rate =
        status == 429 ? cubic_cut(throttle, state, now) : cubic_grown(throttle, state, now);
    cubic_set_rate(throttle, state, now, fmin(rate, most_growth * state->measured));
    assert(state->tokens <= state->capacity); /* invariant 2 */
}

static struct throttle_word cubic_ask(const struct storm_throttle *throttle,
                                      struct throttle_state *state, double now) {
    struct throttle_word word = {.rejected = false};
    cubic_begin(throttle, state, now);
    if (!state->enabled) {
        return word;
    }
    cubic_refill(state, now);
    if (state->tokens < 1) {
        word.wait = storm_time_from_seconds((1 - state->tokens) / state->fill_rate);
    }
    state->tokens -= 1;
    return word;
}

/* ---- all kinds ------------------------------------------------------------------------------- */

void throttle_init(const struct storm_throttle *throttle, struct throttle_state *state) {
    assert(throttle->kind >= STORM_THROTTLE_NONE && throttle->kind <= STORM_THROTTLE_CUBIC);
    *state = (struct throttle_state){.bucket = -1};
}

struct throttle_word throttle_ask(const struct storm_throttle *throttle,
                                  struct throttle_state *state, storm_time now, double u) {
    assert(u >= 0 && u < 1);
    switch ((enum storm_throttle_kind)throttle->kind) {
    case STORM_THROTTLE_NONE:
        break;
    case STORM_THROTTLE_ADAPTIVE:
        return adaptive_ask(throttle, state, now, u);
    case STORM_THROTTLE_CUBIC:
        return cubic_ask(throttle, state, storm_time_to_seconds(now));
    }
    return (struct throttle_word){.rejected = false};
}

void throttle_answer(const struct storm_throttle *throttle, struct throttle_state *state,
                     storm_time now, uint16_t status) {
    switch ((enum storm_throttle_kind)throttle->kind) {
    case STORM_THROTTLE_NONE:
        break;
    case STORM_THROTTLE_ADAPTIVE:
        adaptive_count(throttle, state, now, !is_turned_away(status));
        break;
    case STORM_THROTTLE_CUBIC:
        cubic_answer(throttle, state, storm_time_to_seconds(now), status);
        break;
    }
}
