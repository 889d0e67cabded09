/* policy.h: a retry policy as plain data: how long to wait, how often to try, which failures to
   try again. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RETRYSTORM_POLICY_H
#define RETRYSTORM_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/units.h>

/* How the delay grows with n, the number of the retry (1 = between attempts 1 and 2). */
enum storm_growth {
    STORM_GROWTH_NONE,          /* 0 */
    STORM_GROWTH_CONSTANT,      /* base */
    STORM_GROWTH_LINEAR,        /* base + step (n - 1) */
    STORM_GROWTH_EXPONENTIAL,   /* base factor^(n - 1 + shift) */
    STORM_GROWTH_GEOMETRIC_SUM, /* base (factor^n - 1) */
    STORM_GROWTH_POLYNOMIAL,    /* base (n - 1)^factor + step */
    STORM_GROWTH_FIBONACCI,     /* base F(n) */
    STORM_GROWTH_TABLE,         /* table[min(n, length)] */
    STORM_GROWTH_DECORRELATED,  /* uniform between base (or the last delay) and factor x the last
                                   delay */
    STORM_GROWTH_POLLY /* Polly v8: differences of factor^t tanh(sqrt(4 t)), t = n - 1 + u */
};

enum storm_cap_when { STORM_CAP_NONE, STORM_CAP_BEFORE, STORM_CAP_AFTER, STORM_CAP_BOTH };
enum storm_rounding { STORM_ROUND_DOWN, STORM_ROUND_NEAREST, STORM_ROUND_UP };
enum storm_feedback { STORM_FEEDBACK_NONE, STORM_FEEDBACK_FACTOR, STORM_FEEDBACK_POWER };
enum storm_decorrelated_low { STORM_DECORRELATED_BASE, STORM_DECORRELATED_PREVIOUS };

/* The law of the jitter; each is the inverse of its distribution at the one uniform draw. */
enum storm_jitter_law {
    STORM_JITTER_UNIFORM,    /* on the window */
    STORM_JITTER_EXPONENTIAL /* of mean the delay itself; the window has no effect */
};

enum { STORM_DELAY_TABLE_MAX = 16 };

/* The delay family: one function over this data expresses every product. Times in seconds. */
struct storm_delay {
    enum storm_growth growth;
    double base, factor, step, shift;
    uint32_t skip; /* the first `skip` delays are 0 and do not shift the exponent */
    double cap;    /* +inf: none */
    enum storm_cap_when cap_when;
    double floor;                   /* clamp from below, last */
    double jitter_low, jitter_high; /* the window as factors of the delay: full 0..1, equal .5..1 */
    double jitter_add;              /* and a window added on top, in seconds */
    bool jitter_add_grows;          /* ... times n */
    enum storm_jitter_law law;
    uint32_t plain_first;         /* the first delays that take no jitter and no shift */
    enum storm_feedback feedback; /* the next delay grows from the last jittered one */
    bool sticky;                  /* once at the cap, stay exactly there */
    enum storm_decorrelated_low decorrelated_low;
    double quantum; /* delays are whole multiples of it; 0: not rounded */
    enum storm_rounding rounding;
    bool inclusive; /* the window includes its upper end: one quantum wider */
    uint32_t table_length;
    double table[STORM_DELAY_TABLE_MAX];
};

/* What a call remembers between its delays. Zeroed = no delay taken yet. */
struct storm_delay_state {
    double previous;
    uint32_t count;
    bool stuck;
};

/* Why an attempt or a request ended. Statuses below 100 are the network's, the rest are HTTP's. */
enum storm_outcome {
    STORM_OUTCOME_REFUSED = 1, /* nobody listens: answered at once */
    STORM_OUTCOME_RESET = 2,   /* the connection broke while the service had the attempt */
    STORM_OUTCOME_TIMEOUT = 3, /* no answer in time */
    STORM_OUTCOME_OK = 200,
    STORM_OUTCOME_BAD_GATEWAY = 502,
    STORM_OUTCOME_UNAVAILABLE = 503,
    STORM_OUTCOME_GATEWAY_TIMEOUT = 504
};

/* "refused", "reset" or "timeout"; NULL for every other status. */
const char *storm_outcome_word(uint16_t status);

/* Why a caller stopped trying. */
#define STORM_REASON_MAP(X)                                                                        \
    X(NONE, "none")                                                                                \
    X(ATTEMPTS, "attempts_exhausted")                                                              \
    X(NOT_RETRYABLE, "not_retryable")                                                              \
    X(DEADLINE, "deadline_exceeded")                                                               \
    X(TOTAL_TIME, "total_time_exceeded")                                                           \
    X(PATIENCE, "patience_lost")

enum storm_reason {
#define STORM_REASON_ENUM(name, word) STORM_REASON_##name,
    STORM_REASON_MAP(STORM_REASON_ENUM)
#undef STORM_REASON_ENUM
        STORM_REASON_COUNT
};

/* "attempts_exhausted"; never NULL. */
const char *storm_reason_word(enum storm_reason reason);

#define STORM_ATTEMPTS_UNLIMITED UINT32_MAX

/* What a policy does about a status. */
enum storm_class { STORM_CLASS_RETRY, STORM_CLASS_GIVE_UP, STORM_CLASS_SUCCESS };

/* What a policy does when the server says how long to wait (Retry-After). */
enum storm_hint {
    STORM_HINT_FLOOR,    /* waits at least so long */
    STORM_HINT_OVERRIDE, /* waits exactly so long */
    STORM_HINT_IGNORE
};

enum { STORM_CLASSES_MAX = 16 };

/* An exception to the default classification. */
struct storm_class_row {
    uint16_t status; /* enum storm_outcome, or any HTTP status */
    uint8_t class;   /* enum storm_class */
};

/* A whole policy. `headline` is the name it was built from (a row of policies.def), for people. */
struct storm_policy {
    const char *name;
    const char *headline;
    struct storm_delay delay;
    uint32_t attempts;     /* total tries, 1 = no retry */
    storm_time total_time; /* no retry may begin later than this after the first attempt;
                              STORM_NEVER: no limit */
    double persist;        /* after each failure, goes on with this probability; 1: always */
    bool head_only; /* of all calls of one edge that back off, only the one that waits longest
                              counts down and retries; the others queue up behind it */
    enum storm_hint hint;
    uint32_t class_count;
    struct storm_class_row classes[STORM_CLASSES_MAX]; /* retry_on, give_up_on, success_on */
};

#endif
