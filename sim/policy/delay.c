/* delay.c: how long to wait before the next try; every product's rule is data for this one
   function. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policy/delay.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/mathx.h"

/* A delay beyond this is infinite to everybody, and any jitter window over it is still a finite
   number. */
static const double beyond = 1e300;

static double least(double a, double b) { return a < b ? a : b; }
static double most(double a, double b) { return a > b ? a : b; }

static bool caps_before(const struct storm_delay *delay) {
    return delay->cap_when == STORM_CAP_BEFORE || delay->cap_when == STORM_CAP_BOTH;
}

static bool caps_after(const struct storm_delay *delay) {
    return delay->cap_when == STORM_CAP_AFTER || delay->cap_when == STORM_CAP_BOTH;
}

/* A base of 0 stays 0 however far the growth has run (0 x inf would be no number). */
static double scale(double base, double growth) { return base > 0 ? base * growth : 0; }

/* 1, 1, 2, 3, 5 ... in double: beyond n = 1476 it is infinite, and the cap takes over. */
static double fibonacci(uint32_t n) {
    double a = 0, b = 1;
    for (uint32_t i = 1; i < n && b < HUGE_VAL; i++) {
        double next = a + b;
        a = b;
        b = next;
    }
    return b;
}

/* The n-th delay before caps and jitter, n >= 1. The plain first delays are not shifted:
   Finagle's is its base. */
static double grow(const struct storm_delay *delay, uint32_t n) {
    switch (delay->growth) {
    case STORM_GROWTH_NONE:
        return 0;
    case STORM_GROWTH_CONSTANT:
        return delay->base;
    case STORM_GROWTH_LINEAR:
        return delay->base + delay->step * (n - 1);
    case STORM_GROWTH_EXPONENTIAL:
        return scale(
            delay->base,
            mathx_pow(delay->factor, (double)n - 1 + (n > delay->plain_first ? delay->shift : 0)));
    case STORM_GROWTH_GEOMETRIC_SUM:
        return scale(delay->base, most(0, mathx_pow(delay->factor, n) - 1));
    case STORM_GROWTH_POLYNOMIAL:
        return scale(delay->base, mathx_pow((double)n - 1, delay->factor)) + delay->step;
    case STORM_GROWTH_FIBONACCI:
        return scale(delay->base, fibonacci(n));
    case STORM_GROWTH_TABLE:
        assert(delay->table_length >= 1 && delay->table_length <= STORM_DELAY_TABLE_MAX);
        return delay->table[(n < delay->table_length ? n : delay->table_length) - 1];
    case STORM_GROWTH_DECORRELATED:
    case STORM_GROWTH_POLLY:
        break;
    }
    assert(0 && "a recursive growth has no closed form");
    return 0;
}

/* Polly v8: consecutive differences of f(t) = factor^t tanh(sqrt(4 t)); state->previous holds f
   of the last t. */
static double next_polly(const struct storm_delay *delay, struct storm_delay_state *state,
                         double u) {
    double t = (double)state->count - 1 + u;
    double f = mathx_pow(delay->factor, t) * mathx_tanh(sqrt(4 * t));
    double difference = f == HUGE_VAL ? HUGE_VAL : most(0, f - state->previous);
    state->previous = f;
    return least(scale(delay->base, difference / 1.4), delay->cap);
}

/* AWS (low = base) and Finagle (low = the last delay): uniform on [low, factor x last), capped
   after the draw. */
static double next_decorrelated(const struct storm_delay *delay, struct storm_delay_state *state,
                                double u) {
    bool first = state->count == 1;
    if (first && delay->plain_first > 0) {
        state->previous = delay->base;
        return state->previous;
    }
    double last = first ? delay->base : state->previous;
    double low = delay->decorrelated_low == STORM_DECORRELATED_BASE ? delay->base : last;
    double high = delay->factor * last;
    if (delay->decorrelated_low == STORM_DECORRELATED_PREVIOUS) {
        high = least(high, delay->cap);
    }
    state->previous = least(least(delay->cap, DELAY_CEILING), low + u * (high - low));
    return state->previous;
}

static double round_to(const struct storm_delay *delay, double value) {
    if (delay->quantum <= 0 || value == HUGE_VAL) {
        return value;
    }
    double steps = mathx_settle(value / delay->quantum);
    switch (delay->rounding) {
    case STORM_ROUND_DOWN:
        return floor(steps) * delay->quantum;
    case STORM_ROUND_NEAREST:
        return floor(steps + 0.5) * delay->quantum;
    case STORM_ROUND_UP:
        return ceil(steps) * delay->quantum;
    }
    assert(0 && "no such rounding");
    return value;
}

/* One draw of the jitter's law: a uniform on the window of delay d, or an exponential number of
   mean d, which knows no window. */
static double jitter(const struct storm_delay *delay, uint32_t n, double d, double u) {
    d = least(d, beyond); /* 0 x inf would be no number */
    if (delay->law == STORM_JITTER_EXPONENTIAL) {
        return d * -mathx_log1p(-u);
    }
    double add = delay->jitter_add * (delay->jitter_add_grows ? n : 1);
    double low = delay->jitter_low * d;
    double high = delay->jitter_high * d + add + (delay->inclusive ? delay->quantum : 0);
    return low + u * (high - low);
}

/* The delay before jitter: from the closed form, or from the last jittered one. */
static double plain(const struct storm_delay *delay, const struct storm_delay_state *state) {
    uint32_t n = state->count;
    if (delay->feedback != STORM_FEEDBACK_NONE) {
        double power = delay->feedback == STORM_FEEDBACK_FACTOR
                           ? delay->factor
                           : mathx_pow(delay->factor, (double)n - 1);
        return n == 1 ? delay->base : scale(state->previous, power);
    }
    return n <= delay->skip ? 0 : grow(delay, n);
}

static double next_closed(const struct storm_delay *delay, struct storm_delay_state *state,
                          double u) {
    uint32_t n = state->count;
    if (state->stuck) {
        return delay->cap;
    }
    double d = plain(delay, state);
    if (caps_before(delay)) {
        if (delay->sticky && n > 1 && d >= delay->cap) {
            state->stuck = true;
            return delay->cap;
        }
        d = least(d, delay->cap);
    }
    double value = d;
    if (n > delay->plain_first) {
        if (n <= delay->skip && delay->feedback == STORM_FEEDBACK_NONE) {
            return 0;
        }
        value = jitter(delay, n, d, u);
    }
    value = round_to(delay, value);
    if (caps_after(delay)) {
        value = least(value, delay->cap);
    }
    if (delay->sticky && value >= delay->cap) {
        state->stuck = true;
        value = delay->cap;
    }
    state->previous = least(most(value, delay->floor), DELAY_CEILING);
    return state->previous;
}

double delay_nominal(const struct storm_delay *delay, uint32_t n) {
    struct storm_delay simple = *delay;
    bool is_polly = delay->growth == STORM_GROWTH_POLLY;
    bool is_decorrelated = delay->growth == STORM_GROWTH_DECORRELATED;
    assert(n >= 1);
    if (is_polly || is_decorrelated) {
        simple.growth = is_polly ? STORM_GROWTH_EXPONENTIAL : STORM_GROWTH_CONSTANT;
        simple.cap_when = STORM_CAP_BEFORE;
    }
    simple.plain_first = 0;
    double d = n <= simple.skip ? 0 : grow(&simple, n);
    return least(caps_before(&simple) ? least(d, simple.cap) : d, DELAY_CEILING);
}

double delay_next(const struct storm_delay *delay, struct storm_delay_state *state, double u) {
    assert(u >= 0 && u < 1);
    double value;
    state->count++;
    if (delay->growth == STORM_GROWTH_POLLY) {
        value = next_polly(delay, state, u);
    } else if (delay->growth == STORM_GROWTH_DECORRELATED) {
        value = next_decorrelated(delay, state, u);
    } else {
        value = next_closed(delay, state, u);
    }
    assert(value >= 0); /* also false for NaN */
    return least(value, DELAY_CEILING);
}
