/* delays.h: ten ways in which the events of a simulation lie in time, to test and to measure
   queues with. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SUPPORT_DELAYS_H
#define SUPPORT_DELAYS_H

#include <stdint.h>

#include "base/stream.h"

enum delays {
    DELAYS_EXPONENTIAL, /* mean 1 s */
    DELAYS_HERD,        /* 0.1 s * 2^k: all times are multiples of 100 ms */
    DELAYS_ZERO,        /* half of them at the present moment */
    DELAYS_CONSTANT,    /* always 1 s */
    DELAYS_LOGUNIFORM,  /* 1 ns to 2^36 ns */
    DELAYS_PARETO,      /* tail exponent 2/3 from 1 ms: no mean */
    DELAYS_NEVER,       /* one in eight as far away as a key can be */
    DELAYS_BURST,       /* runs of 64 within 1 us, then far */
    DELAYS_TINY,        /* 0 to 15 ns: everything in one place */
    DELAYS_MIX,         /* each of the above */
    DELAYS_COUNT
};

/* Randomness as a state that steps: fast, and the same everywhere. */
static inline uint64_t delays_bits(uint64_t *state) {
    *state += UINT64_C(0x9E3779B97F4A7C15);
    return stream_mix64(*state);
}

/* -log2(u) of a uniform u: the whole part is a count of zeros, the rest from a parabola (good to 1
   %), so that measuring a queue does not measure a logarithm. */
static inline double delays_minus_log2(uint64_t bits) {
    bits |= 1;
    unsigned zeros = (unsigned)__builtin_clzll(bits);
    double mantissa = (double)(bits << zeros >> 11) * 0x1p-52;
    double log2 = (mantissa - 1.0) * (1.0 + 0.344845 * (2.0 - mantissa));
    return (double)zeros + 1.0 - log2;
}

static inline uint64_t delays_exponential(uint64_t bits, double mean) {
    return (uint64_t)(delays_minus_log2(bits) * (mean * 0.6931471805599453));
}

/* 2^x for x >= 0, linear between the powers. */
static inline uint64_t delays_exp2(double x) {
    unsigned whole = (unsigned)x;
    double base = (double)(UINT64_C(1) << whole);
    return (uint64_t)(base + base * (x - whole));
}

/* A delay in nanoseconds. */
static inline uint64_t delays_draw(enum delays kind, uint64_t *state) {
    uint64_t bits = delays_bits(state);
    if (kind == DELAYS_MIX)
        kind = (enum delays)(bits >> 7 & 7U);
    switch (kind) {
    case DELAYS_EXPONENTIAL:
        return delays_exponential(bits, 1e9);
    case DELAYS_HERD:
        return UINT64_C(100000000) << (bits & 7U);
    case DELAYS_ZERO:
        return (bits & 1U) != 0 ? 0 : delays_exponential(delays_bits(state), 1e6);
    case DELAYS_CONSTANT:
        return 1000000000;
    case DELAYS_LOGUNIFORM:
        return delays_exp2(stream_unit(bits) * 36.0);
    case DELAYS_PARETO: {
        double doublings = 1.5 * delays_minus_log2(bits);
        return delays_exp2(doublings < 40.0 ? doublings : 40.0) * 1000000;
    }
    case DELAYS_NEVER:
        return (bits & 7U) == 0 ? UINT64_MAX : delays_exponential(delays_bits(state), 1e9);
    case DELAYS_BURST:
        return (bits & 63U) == 0 ? UINT64_C(5000000000) : bits >> 32 & 1023U;
    case DELAYS_TINY:
        return bits & 15U;
    case DELAYS_MIX:
    case DELAYS_COUNT:
        break;
    }
    return 0;
}

#endif
