/* scenario.h: a whole experiment as plain data; no reader behind it. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RETRYSTORM_SCENARIO_H
#define RETRYSTORM_SCENARIO_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/dist.h>
#include <retrystorm/policy.h>
#include <retrystorm/units.h>

/* "No index", "no limit" and "unlimited workers". */
#define STORM_NONE UINT32_MAX
#define STORM_UNLIMITED UINT32_MAX

enum {
    STORM_POPULATIONS_MAX = 64,
    STORM_SERVICES_MAX = 256,
    STORM_EDGES_MAX = 4096, /* calls of all populations and services */
    STORM_FAULTS_MAX = 1024,
    STORM_POLICIES_MAX = 256,
    STORM_ERROR_ROWS_MAX = 8,
    STORM_EXPECTS_MAX = 64,
    STORM_ACTIONS_MAX = 64,
    STORM_FLEETS_MAX = 8,
    STORM_RATE_POINTS_MAX = 100000,
    STORM_CLIENTS_MAX = 100000000,
    STORM_CRASH_ARRIVALS_MAX = 1 << 24 /* that a crash rule may have to remember */
};

/* What becomes of an attempt's work when its caller stops waiting for it. */
enum storm_cancel {
    STORM_CANCEL_NONE,    /* the callee does not know: ghost work */
    STORM_CANCEL_WAITING, /* what is on its way or still waits is taken back */
    STORM_CANCEL_ALL      /* work in progress and everything it called stop, too */
};

/* What an answer is worth that comes after its caller stopped waiting for that attempt. */
enum storm_late_reply {
    STORM_LATE_IGNORE,
    STORM_LATE_ACCEPT /* a success still ends the call, if it goes on */
};

/* An edge of the call graph: how one caller (a population or a service) calls one service. */
struct storm_edge {
    const char *to_name;
    uint32_t to;               /* index of the service */
    uint32_t policy;           /* index into policies */
    struct storm_dist timeout; /* per attempt, drawn for each; a constant of STORM_NEVER: none */
    storm_time deadline;       /* of the whole call; STORM_NEVER: none */
    struct storm_dist network; /* one-way latency, drawn once for each direction */
    double loss;               /* of the messages of each direction, this share never arrives */
    enum storm_cancel cancel;
    enum storm_late_reply late_reply;
};

/* The timeout of an edge, or its mean where it is random; STORM_NEVER: none. */
static inline storm_time storm_edge_timeout(const struct storm_edge *edge) {
    const struct storm_dist *timeout = &edge->timeout;
    return timeout->law == STORM_LAW_CONSTANT ? timeout->offset
                                              : storm_time_from_seconds(storm_dist_mean(timeout));
}

enum storm_arrival {
    STORM_ARRIVAL_AT,      /* all clients at one instant */
    STORM_ARRIVAL_EVERY,   /* every client once per period */
    STORM_ARRIVAL_POISSON, /* an open stream at a rate; clients take turns */
    STORM_ARRIVAL_EVEN,    /* evenly spaced at a rate; clients take turns */
    STORM_ARRIVAL_RATE,    /* at random, at a rate that follows a table; clients take turns */
    STORM_ARRIVAL_CLOSED   /* each client thinks, asks, waits for the end, and thinks again */
};

/* How the clients of EVERY lie within their period; AT knows NONE and WITHIN. */
enum storm_spread {
    STORM_SPREAD_EVEN,   /* client i at i/count of the period */
    STORM_SPREAD_RANDOM, /* each at a fixed uniform place in the period */
    STORM_SPREAD_NONE,   /* all at its start: the cron herd */
    STORM_SPREAD_WITHIN  /* each at a fixed uniform place in the first spread_time of it */
};

/* The rate of births at a time; straight lines between the points, level outside them. */
struct storm_rate_point {
    storm_time at;
    double rate; /* per second, of the whole population */
};

/* A part of a population's clients that has a policy of its own. */
struct storm_fleet {
    uint32_t policy; /* index into policies */
    double share;    /* of the clients */
};

struct storm_population {
    const char *name;
    uint32_t count;
    enum storm_arrival arrival;
    storm_time at;     /* AT */
    storm_time period; /* EVERY */
    enum storm_spread spread;
    storm_time spread_time;
    double rate; /* POISSON, EVEN: births per second of the whole population */
    const struct storm_rate_point *points; /* RATE: in the order of their times */
    uint32_t point_count;
    const char *series;      /* RATE: the file the points are from; NULL: written in the scenario */
    struct storm_dist think; /* CLOSED: the pause before each request */
    struct storm_edge call;
    uint32_t fleet_count;
    struct storm_fleet fleets[STORM_FLEETS_MAX]; /* clients in none use the call's own policy */
    double poison;      /* share of requests that the service called answers with 400, always */
    double missing;     /* share that it answers with 404 */
    storm_time in_time; /* how late an answer still counts; resolved from deadline, then timeout;
                           STORM_NEVER: any */
    const char *dead_letter_queue; /* name; defaults to the population's */
};

enum storm_order { STORM_ORDER_FIFO, STORM_ORDER_LIFO };

/* One of the service's own errors: with probability `share` the answer is `status`. */
struct storm_error_row {
    uint16_t status;
    double share;
};

enum storm_crash_when { STORM_CRASH_NEVER, STORM_CRASH_OFFERED, STORM_CRASH_QUEUE_FULL };
enum storm_outage { STORM_OUTAGE_DOWN, STORM_OUTAGE_HANG };
enum storm_ramp { STORM_RAMP_LINEAR, STORM_RAMP_STEP };

/* What a rate-limited service says with its refusal about when to come back. */
enum storm_retry_after {
    STORM_RETRY_AFTER_NONE,
    STORM_RETRY_AFTER_CONSTANT, /* the same to everybody */
    STORM_RETRY_AFTER_PERSONAL  /* to each a moment of its own, when there will be room */
};

struct storm_service {
    const char *name;
    uint32_t workers; /* STORM_UNLIMITED: every attempt starts at once */
    struct storm_dist service_time;
    uint32_t queue_limit; /* waiting attempts, not those in service; STORM_UNLIMITED: no bound */
    enum storm_order order;
    bool drop_expired;      /* attempts nobody waits for are not started */
    uint16_t on_full;       /* status of a refusal; 0: dropped without a word */
    storm_time reject_time; /* what a refusal costs: the next attempt starts that much later */
    bool sharing;    /* all attempts are served at once and share the workers (PS); the limit is
                           then on how many there are beyond the number of workers */
    double slowdown; /* service times grow by this share for each other attempt in service */
    bool hold;       /* a worker is held while its attempt waits for the service's own calls */
    bool fan_out;    /* its own calls begin together; the first failure is the answer */
    bool optimistic_lock; /* an attempt first reads a version in a round trip of its own; its write
                             succeeds if the version is still current, else the answer is 409 */
    double limit_rate;    /* attempts per second that are let in; 0: no rate limit */
    uint32_t limit_burst;
    uint16_t limit_status;
    enum storm_retry_after retry_after;
    storm_time retry_after_time; /* CONSTANT */
    bool errors_before;          /* errors are decided before service instead of after */
    uint32_t error_count;
    struct storm_error_row errors[STORM_ERROR_ROWS_MAX];
    uint32_t call_first, call_count; /* its own calls, in order: calls[call_first ...] */
    enum storm_crash_when crash_when;
    double crash_offered;    /* multiple of nominal capacity ... */
    storm_time crash_window; /* ... in any window of this length */
    enum storm_outage crash_kind;
    storm_time crash_down_for;
    storm_time recovery_time; /* 0: full capacity at once */
    double recovery_from;     /* share of the workers at the start of the ramp */
    enum storm_ramp recovery_shape;
};

enum storm_fault_kind {
    STORM_FAULT_DOWN,
    STORM_FAULT_HANG,
    STORM_FAULT_SLOW,
    STORM_FAULT_CAPACITY,
    STORM_FAULT_ERRORS,
    STORM_FAULT_NETWORK
};

/* What an outage does to the attempts that are waiting or in service. */
enum storm_lost {
    STORM_LOST_USUAL,  /* reset by `down`, silent by `hang` */
    STORM_LOST_RESET,  /* their callers are told */
    STORM_LOST_SILENT, /* their callers learn by their timeouts */
    STORM_LOST_KEPT    /* nothing is lost: work goes on, what waits starts after the outage */
};

/* In force in [at, at + length), and again every `period`. */
struct storm_fault {
    enum storm_fault_kind kind;
    uint32_t service;
    storm_time at, length;
    storm_time period;         /* 0: once */
    double factor;             /* SLOW: multiple of the service time */
    double share;              /* CAPACITY: of the workers; ERRORS: of the attempts */
    uint16_t status;           /* ERRORS */
    enum storm_lost lost;      /* DOWN, HANG */
    struct storm_dist latency; /* NETWORK: added one way, drawn for each message */
    double loss;               /* NETWORK: of the messages of each direction */
};

/* What operators do. All but CLEAR and SET last from `at` to `at` + length. */
enum storm_action_kind {
    STORM_ACTION_PAUSE, /* the clients (STORM_NONE: all) want nothing */
    STORM_ACTION_BLOCK, /* the service refuses what stems from the clients (STORM_NONE: all) */
    STORM_ACTION_CLEAR, /* what waits at the service is reset */
    STORM_ACTION_ADMIT, /* the service lets in so many a second, and refuses the rest */
    STORM_ACTION_SET    /* settings change for good */
};

struct storm_action {
    enum storm_action_kind kind;
    storm_time at, length;              /* STORM_NEVER: to the end */
    uint32_t population;                /* PAUSE, BLOCK; STORM_NONE: all */
    uint32_t service;                   /* BLOCK, CLEAR, ADMIT */
    double rate;                        /* ADMIT */
    uint16_t status;                    /* BLOCK, ADMIT: of the refusals */
    const char *settings;               /* SET: "path: value, path: value", for people */
    const struct storm_scenario *after; /* SET: the scenario that is in force from then on: the same
                                           places in the same order, other numbers */
};

/* A condition the results must meet: `variant` "" means every variant. Bounds are NaN when
   absent. */
struct storm_expect {
    const char *variant, *metric;
    double at_least, at_most;
    int line;
};

struct storm_scenario {
    const char *title, *question, *story;
    storm_time duration; /* STORM_NEVER: until idle, when no request is under way or to come */
    int64_t epoch;       /* nanoseconds since 1970 of virtual time 0 */
    uint64_t seed;
    uint32_t runs; /* replications unless the command line says otherwise */
    uint32_t policy_count, population_count, service_count, call_count, fault_count, action_count,
        expect_count;
    struct storm_policy *policies;
    struct storm_population *populations;
    struct storm_service *services;
    struct storm_edge *calls; /* of the services; see call_first */
    struct storm_fault *faults;
    struct storm_action *actions;
    struct storm_expect *expects;
};

/* Attempts per second of a service's own work with all its workers: workers / mean service time.
   +inf when its workers are unlimited or its work takes no time. */
static inline double storm_service_capacity(const struct storm_service *service) {
    double mean = storm_dist_mean(&service->service_time);
    return service->workers == STORM_UNLIMITED || mean <= 0 ? HUGE_VAL : service->workers / mean;
}

/* The same where it is known: NaN for a service whose workers also wait for other services. */
static inline double storm_service_known_capacity(const struct storm_service *service) {
    return service->call_count > 0 ? (double)NAN : storm_service_capacity(service);
}

/* Whether a population's births have an end. */
static inline bool storm_births_end(const struct storm_population *population) {
    bool fades = population->arrival == STORM_ARRIVAL_RATE &&
                 population->points[population->point_count - 1].rate <= 0;
    return population->arrival == STORM_ARRIVAL_AT || fades;
}

/* The first end of a fault: it is in force at `at`, and no more at its end. */
static inline storm_time storm_fault_end(const struct storm_fault *fault) {
    return storm_time_add(fault->at, fault->length);
}

/* Whether a fault is in force. */
static inline bool storm_fault_is_on(const struct storm_fault *fault, storm_time now) {
    storm_time since = now - fault->at;
    return since >= 0 && (fault->period > 0 ? since % fault->period : since) < fault->length;
}

#endif
