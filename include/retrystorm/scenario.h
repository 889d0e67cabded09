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
    STORM_CLIENTS_MAX = 100000000,
    STORM_CRASH_ARRIVALS_MAX = 1 << 24 /* that a crash rule may have to remember */
};

/* An edge of the call graph: how one caller (a population or a service) calls one service. */
struct storm_edge {
    const char *to_name;
    uint32_t to;               /* index of the service */
    uint32_t policy;           /* index into policies */
    storm_time timeout;        /* per attempt; STORM_NEVER: none */
    storm_time deadline;       /* of the whole call; STORM_NEVER: none */
    struct storm_dist network; /* one-way latency, drawn once for each direction */
};

enum storm_arrival {
    STORM_ARRIVAL_AT,      /* all clients at one instant */
    STORM_ARRIVAL_EVERY,   /* every client once per period */
    STORM_ARRIVAL_POISSON, /* an open stream at a rate; clients take turns */
    STORM_ARRIVAL_EVEN     /* evenly spaced at a rate; clients take turns */
};

/* How the clients of EVERY lie within their period. */
enum storm_spread {
    STORM_SPREAD_EVEN,   /* client i at i/count of the period */
    STORM_SPREAD_RANDOM, /* each at a fixed uniform place in the period */
    STORM_SPREAD_NONE,   /* all at its start: the cron herd */
    STORM_SPREAD_WITHIN  /* each at a fixed uniform place in the first spread_time of it */
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
    struct storm_edge call;
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

struct storm_service {
    const char *name;
    uint32_t workers; /* STORM_UNLIMITED: every attempt starts at once */
    struct storm_dist service_time;
    uint32_t queue_limit; /* waiting attempts, not those in service; STORM_UNLIMITED: no bound */
    enum storm_order order;
    uint16_t on_full;   /* status of a refusal */
    bool errors_before; /* errors are decided before service instead of after */
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
    STORM_FAULT_ERRORS
};

/* In force in [at, at + length). */
struct storm_fault {
    enum storm_fault_kind kind;
    uint32_t service;
    storm_time at, length;
    double factor;   /* SLOW: multiple of the service time */
    double share;    /* CAPACITY: of the workers; ERRORS: of the attempts */
    uint16_t status; /* ERRORS */
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
    storm_time duration;
    int64_t epoch; /* nanoseconds since 1970 of virtual time 0 */
    uint64_t seed;
    uint32_t runs; /* replications unless the command line says otherwise */
    uint32_t policy_count, population_count, service_count, call_count, fault_count, expect_count;
    struct storm_policy *policies;
    struct storm_population *populations;
    struct storm_service *services;
    struct storm_edge *calls; /* of the services; see call_first */
    struct storm_fault *faults;
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

/* The end of a fault: it is in force at `at`, and no more at its end. */
static inline storm_time storm_fault_end(const struct storm_fault *fault) {
    return storm_time_add(fault->at, fault->length);
}

#endif
