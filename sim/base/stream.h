/* stream.h: chance by name: every draw is a hash of who draws, for what, and how often before. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BASE_STREAM_H
#define BASE_STREAM_H

#include <stdint.h>

/* What a draw is for. Each purpose of one key has its own independent sequence k = 0, 1, 2 ... */
enum stream_purpose {
    STREAM_ARRIVAL = 1, /* gaps between births */
    STREAM_OFFSET,      /* a member's place in its period */
    STREAM_OUTBOUND,    /* network latency to the service */
    STREAM_RETURN,      /* network latency back */
    STREAM_SERVICE,     /* service time */
    STREAM_ERROR,       /* the service's own errors */
    STREAM_FAULT_ERROR, /* errors that a fault adds */
    STREAM_BACKOFF,     /* the one uniform of a delay */
    STREAM_TRACE,       /* the second half of a trace id */
    STREAM_THINK,       /* a client's pause before a request */
    STREAM_FLEET,       /* which part of its population a member belongs to */
    STREAM_MESSAGE,     /* what kind of message a request is */
    STREAM_TIMEOUT,     /* how long the caller waits for an attempt */
    STREAM_LOSS,        /* whether the network loses a message of an attempt; k: which of them */
    STREAM_FAULT_LOSS,  /* the same for the faults of the network */
    STREAM_READ_RETURN, /* network latency of a version that was read */
    STREAM_WRITE,       /* network latency of the write that follows */
    STREAM_PERSIST,     /* whether a caller goes on after a failure */
    STREAM_HINT,        /* jitter on what a server has said */
    STREAM_THROTTLE,    /* whether a caller's throttle rejects an attempt */
    STREAM_ROLLOUT,     /* a member's place in every rollout */
    STREAM_POINT,       /* where on each axis a point of a search lies */
    STREAM_ANNEAL       /* where a search goes on, one draw after the other */
};

/* Edges of children that are no calls: above all numbers that a scenario's edges can have. */
enum stream_edge {
    STREAM_EDGE_HEDGE = 1 << 27,   /* of an attempt: copies sent beside it */
    STREAM_EDGE_MESSAGE = 1 << 28, /* of an attempt: the message that it brings to a queue */
    STREAM_EDGE_COPY = 1 << 29,    /* of a request: replays and resends */
    STREAM_EDGE_DELIVERY = 1 << 30 /* of a message: its deliveries */
};

/* A well-mixed bijection of 64 bits (the "moremur" constants, P. Evensen 2019). */
static inline uint64_t stream_mix64(uint64_t x) {
    x ^= x >> 27;
    x *= UINT64_C(0x3C79AC492BA7B653);
    x ^= x >> 33;
    x *= UINT64_C(0x1C69B3F74AC4AE35);
    x ^= x >> 27;
    return x;
}

/* The key of a child: any of its parent's `edge` and `attempt` numbers gives an unrelated key. */
static inline uint64_t stream_child(uint64_t parent, uint32_t edge, uint32_t attempt) {
    uint64_t place = ((uint64_t)edge << 32) | attempt;
    return stream_mix64(stream_mix64(parent + UINT64_C(0x9E3779B97F4A7C15)) ^
                        stream_mix64(place + UINT64_C(0xD1B54A32D192ED03)));
}

/* Draw number k of `purpose` by `key`: 64 uniform bits. */
static inline uint64_t stream_bits(uint64_t key, uint32_t purpose, uint32_t k) {
    return stream_child(key, UINT32_C(0x80000000) | purpose, k);
}

/* The top 53 bits as a uniform double in [0, 1). */
static inline double stream_unit(uint64_t bits) { return (double)(bits >> 11) * 0x1p-53; }

/* A uniform double in [0, 1): draw number k of `purpose` by `key`. */
static inline double stream_uniform(uint64_t key, uint32_t purpose, uint32_t k) {
    return stream_unit(stream_bits(key, purpose, k));
}

/* The root key of a request: mix(seed, run, population, member, ordinal). */
static inline uint64_t stream_request(uint64_t seed, uint32_t run, uint32_t population,
                                      uint32_t member, uint32_t ordinal) {
    uint64_t root = stream_child(stream_mix64(seed), run, population);
    return stream_child(root, member, ordinal);
}

/* The root key of a copy of a request; copy 0 is the request itself. */
static inline uint64_t stream_copy(uint64_t request, uint32_t copy) {
    return copy == 0 ? request : stream_child(request, STREAM_EDGE_COPY, copy);
}

#endif
