/* breaker.c: a circuit breaker: closed, open, half-open. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Invariants
   1. Open and half-open: nothing is left of what was seen when it was closed.
   2. Half-open: probing + probed <= probes.
   3. COUNT: bad is the number of ones in the ring, and count <= calls.
   The states and their arrows are drawn at struct breaker_state. Like the products, it does not ask
   when one was let through whose outcome it hears: an outcome counts by the state it finds. While
   the breaker is open it is for nothing. */

#include "policy/breaker.h"

#include <assert.h>

#include "base/mathx.h"

/* ---- what is seen when closed ---------------------------------------------------------------- */

static bool consecutive_sees(const struct storm_breaker *breaker, struct breaker_state *state,
                             bool succeeded) {
    state->in_a_row = succeeded ? 0 : state->in_a_row + 1;
    return state->in_a_row >= breaker->consecutive;
}

/* Whether so many failures are too many. */
static bool is_too_bad(const struct storm_breaker *breaker, uint32_t minimum, double bad,
                       double all) {
    return all >= minimum && bad >= mathx_settle(breaker->share * all);
}

static bool ring_get(const struct breaker_state *state, uint32_t place) {
    return (state->ring[place / 64] >> (place % 64) & 1) != 0;
}

static void ring_set(struct breaker_state *state, uint32_t place, bool failed) {
    uint64_t bit = UINT64_C(1) << (place % 64);
    state->ring[place / 64] =
        failed ? state->ring[place / 64] | bit : state->ring[place / 64] & ~bit;
}

static void count_forget(struct breaker_state *state) {
    state->next = state->count = state->bad = 0;
}

static bool count_sees(const struct storm_breaker *breaker, struct breaker_state *state,
                       bool succeeded) {
    assert(breaker->calls >= 1 && breaker->calls <= STORM_BREAKER_CALLS_MAX);
    if (state->count > breaker->calls) { /* an operator has made the ring smaller */
        count_forget(state);
    }
    if (state->count == breaker->calls) {
        state->bad -= ring_get(state, state->next);
    } else {
        state->count++;
    }
    ring_set(state, state->next, !succeeded);
    state->bad += !succeeded;
    state->next = (state->next + 1) % breaker->calls;
    assert(state->bad <= state->count); /* invariant 3 */
    uint32_t minimum = breaker->minimum < breaker->calls ? breaker->minimum : breaker->calls;
    return is_too_bad(breaker, minimum, state->bad, state->count);
}

static void time_forget(struct breaker_state *state, int64_t slots) {
    for (int64_t i = 0; i < slots; i++) {
        uint32_t place = slots_place(state->slot - i);
        state->good_in[place] = state->bad_in[place] = 0;
    }
}

static bool time_sees(const struct storm_breaker *breaker, struct breaker_state *state,
                      storm_time now, bool succeeded) {
    double bad = 0, all = 0;
    int64_t stale = slots_turn(&state->slot, breaker->window, now);
    time_forget(state, stale);
    state->good_in[slots_place(state->slot)] += succeeded;
    state->bad_in[slots_place(state->slot)] += !succeeded;
    for (int i = 0; i < SLOTS_COUNT; i++) {
        bad += state->bad_in[i];
        all += (double)state->good_in[i] + state->bad_in[i];
    }
    return is_too_bad(breaker, breaker->minimum, bad, all);
}

/* Whether it opens. */
static bool closed_sees(const struct storm_breaker *breaker, struct breaker_state *state,
                        storm_time now, bool succeeded) {
    switch ((enum storm_breaker_kind)breaker->kind) {
    case STORM_BREAKER_NONE:
        break;
    case STORM_BREAKER_CONSECUTIVE:
        return consecutive_sees(breaker, state, succeeded);
    case STORM_BREAKER_COUNT:
        return count_sees(breaker, state, succeeded);
    case STORM_BREAKER_TIME:
        return time_sees(breaker, state, now, succeeded);
    }
    return false;
}

/* ---- the arrows ------------------------------------------------------------------------------ */

static storm_time open_time(const struct storm_breaker *breaker, uint32_t opened) {
    double factor = mathx_pow(breaker->open_factor, opened - 1);
    double seconds = storm_time_to_seconds(breaker->open_for) * factor;
    return storm_time_earlier(storm_time_from_seconds(seconds), breaker->open_longest);
}

static void trip(const struct storm_breaker *breaker, struct breaker_state *state, storm_time now) {
    state->in_a_row = 0;
    count_forget(state);
    time_forget(state, SLOTS_COUNT);
    state->opened++;
    state->phase = STORM_BREAKER_OPEN;
    state->until = storm_time_add(now, open_time(breaker, state->opened));
}

static void half_open(struct breaker_state *state) {
    state->phase = STORM_BREAKER_HALF_OPEN;
    state->probing = state->probed = 0;
}

static void restore(struct breaker_state *state) {
    state->phase = STORM_BREAKER_CLOSED;
    state->opened = 0;
}

bool breaker_allows(const struct storm_breaker *breaker, struct breaker_state *state,
                    storm_time now) {
    assert(breaker->kind >= STORM_BREAKER_NONE && breaker->kind <= STORM_BREAKER_TIME);
    if (state->phase == STORM_BREAKER_OPEN && now >= state->until) {
        half_open(state);
    }
    if (state->phase != STORM_BREAKER_HALF_OPEN) {
        return state->phase == STORM_BREAKER_CLOSED;
    }
    if (state->probing + state->probed >= breaker->probes) { /* invariant 2 */
        return false;
    }
    state->probing++;
    return true;
}

static void probe_record(const struct storm_breaker *breaker, struct breaker_state *state,
                         storm_time now, bool succeeded) {
    if (state->probing == 0) {
        return; /* it cannot be of a probe */
    }
    state->probing--;
    if (!succeeded) {
        trip(breaker, state, now);
    } else if (++state->probed >= breaker->probes) {
        restore(state);
    }
}

void breaker_record(const struct storm_breaker *breaker, struct breaker_state *state,
                    storm_time now, bool succeeded) {
    switch ((enum storm_breaker_phase)state->phase) {
    case STORM_BREAKER_CLOSED:
        if (closed_sees(breaker, state, now, succeeded)) {
            trip(breaker, state, now);
        }
        break;
    case STORM_BREAKER_OPEN:
        break;
    case STORM_BREAKER_HALF_OPEN:
        probe_record(breaker, state, now, succeeded);
        break;
    }
}

void breaker_forget(struct breaker_state *state) {
    if (state->phase == STORM_BREAKER_HALF_OPEN && state->probing > 0) {
        state->probing--;
    }
}
