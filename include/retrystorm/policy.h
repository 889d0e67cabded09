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
    STORM_OUTCOME_REFUSED = 1,  /* nobody listens: answered at once */
    STORM_OUTCOME_RESET = 2,    /* the connection broke while the service had the attempt */
    STORM_OUTCOME_TIMEOUT = 3,  /* no answer in time */
    STORM_OUTCOME_REJECTED = 4, /* never sent: the caller's own breaker or throttle held it back */
    STORM_OUTCOME_OK = 200,
    STORM_OUTCOME_BAD_GATEWAY = 502,
    STORM_OUTCOME_UNAVAILABLE = 503,
    STORM_OUTCOME_GATEWAY_TIMEOUT = 504
};

/* "refused", "reset", "timeout" or "rejected"; NULL for every other status. */
const char *storm_outcome_word(uint16_t status);

/* Whether a failure blames the request itself, so that trying it again cannot help: a 4xx other
   than 408 and 429. */
static inline bool storm_outcome_is_data(uint16_t status) {
    return status >= 400 && status < 500 && status != 408 && status != 429;
}

/* Why a caller stopped trying. */
#define STORM_REASON_MAP(X)                                                                        \
    X(NONE, "none")                                                                                \
    X(ATTEMPTS, "attempts_exhausted")                                                              \
    X(NOT_RETRYABLE, "not_retryable")                                                              \
    X(DEADLINE, "deadline_exceeded")                                                               \
    X(TOTAL_TIME, "total_time_exceeded")                                                           \
    X(PATIENCE, "patience_lost")                                                                   \
    X(BUDGET, "budget_exhausted")                                                                  \
    X(BREAKER, "breaker_open")                                                                     \
    X(THROTTLED, "throttled_by_client")                                                            \
    X(HINT, "told_to_stay_away")                                                                   \
    X(RECEIVES, "receives_exhausted")                                                              \
    X(LOST, "lost_by_broker")

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
enum storm_class {
    STORM_CLASS_RETRY,
    STORM_CLASS_GIVE_UP,
    STORM_CLASS_SUCCESS,
    STORM_CLASS_RETRY_HINTED /* a retry, but only if the server has said when */
};

/* What a policy does when the server says how long to wait (Retry-After). `limit` and `slack` are
   the rule's. */
enum storm_hint {
    STORM_HINT_FLOOR,    /* waits at least so long */
    STORM_HINT_OVERRIDE, /* waits exactly so long */
    STORM_HINT_IGNORE,
    STORM_HINT_CLAMP,         /* at least its own delay t, at most t + slack: AWS 2026 */
    STORM_HINT_CAPPED,        /* so long, but never longer than limit */
    STORM_HINT_GIVE_UP_ABOVE, /* so long; a hint above limit ends the call */
    STORM_HINT_IGNORE_ABOVE   /* so long; a hint above limit is no hint */
};

struct storm_hint_rule {
    int rule; /* enum storm_hint */
    storm_time limit, slack;
    double jitter;     /* what it comes to is stretched by a uniform factor in [1, 1 + jitter) */
    bool zero_is_real; /* a hint of 0 means "at once" instead of "none" */
    bool restarts;     /* after a hint the delays begin again with the first: gRPC */
};

/* What total_time means. T: that time; t: what has passed since the first attempt was sent. */
enum storm_time_rule {
    STORM_TIME_BEFORE,   /* gives up at once if t + delay > T */
    STORM_TIME_AFTER,    /* gives up only if t >= T already; the delay may lead beyond */
    STORM_TIME_TRUNCATE, /* the delay is cut to T - t, and one more attempt is made then */
    STORM_TIME_INTERRUPT /* T is a deadline: the call ends then, whatever is under way */
};

enum { STORM_CLASSES_MAX = 16 };

/* An exception to the default classification. */
struct storm_class_row {
    uint16_t status; /* enum storm_outcome, or any HTTP status */
    uint8_t class;   /* enum storm_class */
};

/* Whose common memory a budget, breaker or throttle is. */
enum storm_scope {
    STORM_SCOPE_CLIENT, /* each client has its own */
    STORM_SCOPE_HOST,   /* the clients of one host (storm_population.hosts) share one */
    STORM_SCOPE_SHARED  /* all callers of the edge share one */
};

/* How many retries all calls together may make. */
enum storm_budget_kind {
    STORM_BUDGET_NONE,
    STORM_BUDGET_COST,   /* a bucket of tokens; each retry takes its cost: AWS SDKs */
    STORM_BUDGET_RATIO,  /* failures take 1, successes give `ratio`; a retry needs more than half
                                of the tokens: gRPC */
    STORM_BUDGET_WINDOW, /* requests deposit, retries withdraw 1 / ratio deposits; what is older
                                than ttl is forgotten: Finagle, Linkerd */
    STORM_BUDGET_CONCURRENCY /* at most so many retries under way at once: Envoy */
};

/* When a window takes a deposit. */
enum storm_deposit {
    STORM_DEPOSIT_REQUEST, /* at the beginning, from every request: Finagle */
    STORM_DEPOSIT_SUCCESS  /* at the end, from what needs no retry: Linkerd */
};

struct storm_budget {
    int kind;               /* enum storm_budget_kind */
    int scope;              /* enum storm_scope */
    double capacity;        /* COST, RATIO: tokens when full, as at the start */
    double cost;            /* COST: of a retry ... */
    double cost_timeout;    /* ... after a timeout; negative: as cost */
    double cost_throttled;  /* ... after a 429; negative: as cost */
    double refill;          /* COST: tokens given by a success without any retry; after a retry its
                              cost is given back instead */
    double ratio;           /* RATIO, WINDOW, and CONCURRENCY (of requests under way) */
    storm_time ttl;         /* WINDOW */
    double reserve;         /* WINDOW: retries per second that are always allowed */
    int deposit_on;         /* WINDOW: enum storm_deposit */
    bool whole;             /* WINDOW: 1 / ratio is cut to a whole number: tower */
    uint32_t most;          /* CONCURRENCY: retries at once; with a ratio: at least so many */
    bool count_backing_off; /* CONCURRENCY: a retry counts from its decision on, back-off
                                included, not from when it is sent */
};

/* A brake on all attempts of a caller, the first ones included. */
enum storm_throttle_kind {
    STORM_THROTTLE_NONE,
    STORM_THROTTLE_ADAPTIVE, /* rejects with chance (requests - k accepts) / (requests + padding) */
    STORM_THROTTLE_CUBIC     /* a rate that is cut when throttled and grows back like CUBIC: AWS */
};

struct storm_throttle {
    int kind;  /* enum storm_throttle_kind */
    int scope; /* enum storm_scope */
    double k, padding;
    double most;                          /* ADAPTIVE: the highest chance of a rejection */
    storm_time window;                    /* ADAPTIVE: what is counted */
    double beta, scale, smoothing, least; /* CUBIC: the cut, the growth, of the measured rate; and
                                             the lowest rate per second */
};

enum storm_breaker_kind {
    STORM_BREAKER_NONE,
    STORM_BREAKER_CONSECUTIVE, /* so many failures in a row */
    STORM_BREAKER_COUNT,       /* a share of the last so many */
    STORM_BREAKER_TIME         /* a share of those of the last time */
};

enum { STORM_BREAKER_CALLS_MAX = 1024 };

struct storm_breaker {
    int kind;     /* enum storm_breaker_kind */
    int scope;    /* enum storm_scope */
    bool outside; /* around the whole call with its retries, instead of around each attempt */
    uint32_t consecutive, calls, minimum; /* minimum: fewer in the window never open it */
    double share;
    storm_time window;
    storm_time open_for;     /* the first time; each time in a row that its probes fail, ... */
    double open_factor;      /* ... so much longer ... */
    storm_time open_longest; /* ... up to this */
    uint32_t probes; /* half-open: let through at once; all good: closed, one bad: open again */
};

/* Copies of an attempt that are sent without waiting for its failure; the first success counts. */
struct storm_hedge {
    storm_time after;
    uint32_t attempts; /* in all, the first included; 0 or 1: no hedging */
};

/* A whole policy. `headline` is the name it was built from (a row of policies.def or presets.def),
   for people. */
struct storm_policy {
    const char *name;
    const char *headline;
    struct storm_delay delay;
    uint32_t attempts;     /* total tries, 1 = no retry */
    storm_time total_time; /* STORM_NEVER: no limit */
    int time_rule;         /* enum storm_time_rule */
    double persist;        /* after each failure, goes on with this probability; 1: always */
    bool head_only; /* of all calls of one edge that back off, only the one that waits longest
                              counts down and retries; the others queue up behind it */
    struct storm_hint_rule hint;
    struct storm_budget budget;
    struct storm_throttle throttle;
    struct storm_breaker breaker;
    struct storm_hedge hedge;
    uint32_t class_count;
    struct storm_class_row classes[STORM_CLASSES_MAX]; /* retry_on, give_up_on, success_on,
                                                          retry_if_hinted */
};

/* Whether a policy has any of the brakes that calls share. */
static inline bool storm_policy_has_brakes(const struct storm_policy *policy) {
    return policy->budget.kind != STORM_BUDGET_NONE ||
           policy->throttle.kind != STORM_THROTTLE_NONE ||
           policy->breaker.kind != STORM_BREAKER_NONE;
}

#endif
