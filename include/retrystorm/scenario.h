/* scenario.h: a whole experiment as plain data; no reader behind it. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RETRYSTORM_SCENARIO_H
#define RETRYSTORM_SCENARIO_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

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
    STORM_QUEUES_MAX = 64,
    STORM_ALERTS_MAX = 64,
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
    bool pass_deadline; /* the service called learns when this call, or this attempt of it, will be
                           over: it starts no work after that, and its own calls end by then */
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
    STORM_ARRIVAL_CLOSED,  /* each client thinks, asks, waits for the end, and thinks again */
    STORM_ARRIVAL_QUEUE    /* consumers: a request is a message, born when its queue takes it */
};

/* Consumers: what becomes of a message whose handling has failed in a way that is worth a retry. */
enum storm_retries {
    STORM_RETRIES_IN_PLACE, /* the consumer backs off and tries again, holding the message */
    STORM_RETRIES_REQUEUE,  /* it goes back to the queue with the policy's delay as a countdown */
    STORM_RETRIES_LEASE     /* nothing is done: it comes back when its visibility runs out */
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

/* Clients, or the consumers of a queue (after all clients in the scenario's list). */
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
    double poison;          /* share of requests that the service called answers with 400, always */
    double missing;         /* share that it answers with 404 */
    double lethal;          /* share that crashes the consumer which handles it */
    uint32_t hosts;         /* the clients run on so many hosts in turn; 0: each on its own */
    storm_time auto_replay; /* its dead letters are sent again this long after their death, for
                               ever; 0 or STORM_NEVER: no */
    /* Consumers (arrival QUEUE): each client is a worker that handles one message after the
       other by making the call. */
    uint32_t queue;    /* index into queues; STORM_NONE: not consumers */
    uint32_t prefetch; /* messages that a worker takes at once: they wait for it, their visibility
                          running */
    enum storm_retries retries;
    storm_time restart_time; /* of a worker that a lethal message has crashed */
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

/* By what a service tells whether it has seen a request before. */
enum storm_effect_key {
    STORM_KEY_MSG_ID, /* the message: kept by retries, redeliveries and replays; new for a resend */
    STORM_KEY_ORDER_NO,         /* the business's own number: the same for every copy */
    STORM_KEY_SENDER_NUMBER,    /* the sender and its running number, which begins anew some time */
    STORM_KEY_SENDER_NUMBER_DAY /* with the day (of the original's birth) */
};

/* What it does about a request that it has seen before. */
enum storm_idempotency_mode {
    STORM_IDEMPOTENCY_NONE,             /* everything again; effects are only counted */
    STORM_IDEMPOTENCY_STORE_AND_RETURN, /* the stored answer */
    STORM_IDEMPOTENCY_REJECT,           /* 409 */
    STORM_IDEMPOTENCY_CHECK_THEN_INSERT /* looks before its work, notes after it: two at once slip
                                           through */
};

/* Side effects of a service, and how it keeps them from happening twice. An effect is a success of
   its own work; the keys are looked up when a worker takes the attempt. */
struct storm_idempotency {
    bool counted; /* false: the service's effects are of no interest */
    enum storm_idempotency_mode mode;
    enum storm_effect_key key;
    uint32_t numbers;         /* SENDER_NUMBER: a sender's running number begins anew after so
                                 many */
    storm_time retention;     /* keys are forgotten at this age; STORM_NEVER: never */
    uint32_t retention_count; /* or when so many younger ones are known; STORM_UNLIMITED: never */
    bool in_progress_waits;   /* a duplicate waits while the first is being worked on; else 409 */
};

/* How a rate-limited service deals with clients who do not stay away. A client that comes back
   before the time it was told, or is refused again without having been told one, gets a strike. */
struct storm_ban {
    uint32_t strikes;   /* so many in a row lead to a ban; 0: no bans */
    storm_time length;  /* of the first ban; every attempt during a ban begins it anew, ... */
    double factor;      /* ... so much longer ... */
    storm_time longest; /* ... up to this */
    uint16_t status;
};

struct storm_service {
    const char *name;
    uint32_t workers; /* STORM_UNLIMITED: every attempt starts at once */
    struct storm_dist service_time;
    uint32_t queue_limit; /* waiting attempts, not those in service; STORM_UNLIMITED: no bound */
    enum storm_order order;
    bool drop_expired;           /* attempts nobody waits for are not started */
    uint16_t on_full;            /* status of a refusal; 0: dropped without a word */
    storm_time full_retry_after; /* what a full queue says with its refusal; STORM_NEVER: nothing */
    storm_time reject_time;      /* what a refusal costs: the next attempt starts that much later */
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
    struct storm_ban ban;
    struct storm_idempotency idempotency;
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

/* When a message counts as received. */
enum storm_count_on {
    STORM_COUNT_DELIVERIES, /* whenever it is handed out: a crashed consumer's counts */
    STORM_COUNT_FAILURES    /* when a consumer gives it back or its visibility runs out: one that
                               crashes with it never does */
};

/* What a broker does when its memory is full. */
enum storm_full { STORM_FULL_REFUSE, STORM_FULL_CRASH };

/* A message queue; producers call it like a service, which answers when it has the message. */
struct storm_queue {
    uint32_t service;      /* its place among the services, where faults and the like strike it */
    storm_time visibility; /* a delivered message comes back after this; STORM_NEVER: never */
    uint32_t max_receives; /* failing deliveries, after which a message is a dead letter */
    enum storm_count_on count_on;
    storm_time delay;    /* before the first delivery */
    bool fifo;           /* a message waits until the one before it in its partition is done */
    uint32_t partitions; /* FIFO: by sender */
    uint32_t memory;     /* messages, those in consumers' hands included */
    enum storm_full on_full;
    uint16_t full_status; /* REFUSE */
    storm_time down_for;  /* CRASH: what nobody has acknowledged and disk does not have is lost */
    bool durable;         /* CRASH: messages survive; else all are lost */
    uint32_t consumers;   /* index of the population that handles its messages */
};

/* A dead-letter queue: how long letters are kept, and when somebody is told. */
enum storm_alert_kind {
    STORM_ALERT_DEPTH,     /* more letters than `count` */
    STORM_ALERT_GROWTH,    /* more than `count` new ones within `time` */
    STORM_ALERT_AGE,       /* the oldest letter is older than `time` */
    STORM_ALERT_UNREVIEWED /* a letter that nobody has replayed or decided on for `time` */
};

struct storm_alert {
    const char *queue; /* name of the dead-letter queue */
    enum storm_alert_kind kind;
    double count;
    storm_time time;
};

struct storm_letter_queue {
    const char *name;
    storm_time retention; /* STORM_NEVER: kept for ever */
    bool archive;         /* letters older than that go to an archive instead of away */
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

/* What operators do. PAUSE, BLOCK and ADMIT last from `at` to `at` + length. */
enum storm_action_kind {
    STORM_ACTION_PAUSE,   /* the clients (STORM_NONE: all) want nothing */
    STORM_ACTION_BLOCK,   /* the service refuses what stems from the clients (STORM_NONE: all) */
    STORM_ACTION_CLEAR,   /* what waits at the service is reset */
    STORM_ACTION_ADMIT,   /* the service lets in so many a second, and refuses the rest */
    STORM_ACTION_SET,     /* settings change for good */
    STORM_ACTION_ROLLOUT, /* the clients go over to another policy one by one, each at a place of
                             its own in `length` */
    STORM_ACTION_REPLAY,  /* dead letters are sent once more */
    STORM_ACTION_RESEND,  /* somebody sends the last requests of the clients again by hand */
    STORM_ACTION_RERUN    /* the clients' batch is run again, from its start or a checkpoint */
};

/* Where a birth comes from: fresh, or a copy of an earlier request. */
enum storm_birth {
    STORM_BIRTH_FRESH,
    STORM_BIRTH_REPLAY, /* of a dead letter */
    STORM_BIRTH_RESEND,
    STORM_BIRTH_RERUN
};

/* A dead letter as a replay needs it. */
struct storm_letter {
    uint32_t population; /* whose dead letter it is: clients, or consumers */
    uint32_t origin;     /* the clients whose request it stems from */
    uint32_t member, ordinal;
    uint16_t day;     /* of the first copy's birth, counted from the run's first */
    uint32_t copy;    /* 0: the first; each replay or resend is one more */
    uint32_t message; /* the copy whose message it is: a replay sends the same one again */
    bool data;        /* its own fault, not the system's: replayed only when told to */
};

/* REPLAY, RESEND, RERUN: how copies are sent. */
struct storm_pace {
    double rate;          /* per second; 0: all at once */
    storm_time ramp;      /* the rate is reached in a straight line from a tenth of it */
    uint32_t limit;       /* no more than so many */
    uint32_t probe;       /* so many first, whose outcomes are waited for; 0: none */
    double probe_success; /* with fewer successes than this share of them it ends there */
};

struct storm_action {
    enum storm_action_kind kind;
    storm_time at, length;              /* STORM_NEVER: to the end */
    uint32_t population;                /* PAUSE, BLOCK; STORM_NONE: all */
    uint32_t service;                   /* BLOCK, CLEAR, ADMIT */
    double rate;                        /* ADMIT */
    uint16_t status;                    /* BLOCK, ADMIT: of the refusals */
    uint32_t policy;                    /* ROLLOUT: index into policies */
    struct storm_pace pace;             /* REPLAY, RESEND, RERUN of the population */
    bool with_data;                     /* REPLAY: letters of class data, too */
    const struct storm_letter *letters; /* REPLAY: these; NULL: those that have died in the run */
    uint32_t letter_count;
    uint32_t checkpoint;  /* RERUN: from the last multiple of so many requests; 0: from the start */
    const char *settings; /* SET: "path: value, path: value", for people */
    const struct storm_scenario *after; /* SET: the scenario that is in force from then on: the same
                                           places in the same order, other numbers */
};

/* A condition the results must meet: `variant` "" means every variant. Bounds are NaN when
   absent. The metric is one of those of a run, or the share of the runs that come back or were
   never harmed. */
#define STORM_EXPECT_RECOVERS "recovers"

/* Which of the runs' values a condition is about. */
#define STORM_STATISTIC_MAP(X)                                                                     \
    X(MEDIAN, "median", "the middle one; of recovers: the share of the runs")                      \
    X(MEAN, "mean", "their mean")                                                                  \
    X(MIN, "min", "the least")                                                                     \
    X(P5, "p5", "5 % of the runs are at most so high")                                             \
    X(P10, "p10", "10 % of the runs")                                                              \
    X(P25, "p25", "a quarter of the runs")                                                         \
    X(P75, "p75", "three quarters of the runs")                                                    \
    X(P90, "p90", "90 % of the runs")                                                              \
    X(P95, "p95", "95 % of the runs")                                                              \
    X(P99, "p99", "99 % of the runs")                                                              \
    X(MAX, "max", "the greatest")

enum storm_statistic {
#define STORM_STATISTIC_ENUM(name, word, sentence) STORM_STATISTIC_##name,
    STORM_STATISTIC_MAP(STORM_STATISTIC_ENUM)
#undef STORM_STATISTIC_ENUM
        STORM_STATISTIC_COUNT
};

/* Whether a condition that is not met is a failure. */
enum storm_severity { STORM_SEVERITY_ERROR, STORM_SEVERITY_WARN };

struct storm_expect {
    const char *variant, *metric;
    enum storm_statistic statistic;
    double at_least, at_most;
    enum storm_severity severity;
    int line, column;
    enum storm_unit at_least_unit, at_most_unit; /* that the bounds are written with */
};

struct storm_scenario {
    const char *title, *question, *story;
    storm_time duration; /* STORM_NEVER: until idle, when no request is under way or to come */
    int64_t epoch;       /* nanoseconds since 1970 of virtual time 0 */
    uint64_t seed;
    uint32_t runs; /* replications unless the command line says otherwise */
    uint32_t policy_count, population_count, service_count, call_count, fault_count, action_count,
        queue_count, alert_count, letter_queue_count, expect_count;
    struct storm_policy *policies;
    struct storm_population *populations;
    struct storm_service *services;
    struct storm_edge *calls; /* of the services; see call_first */
    struct storm_fault *faults;
    struct storm_action *actions;
    struct storm_queue *queues;
    struct storm_alert *alerts;
    struct storm_letter_queue *letter_queues; /* those with a retention */
    struct storm_expect *expects;
};

const char *storm_statistic_word(enum storm_statistic statistic); /* "median"; never NULL */

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

/* The queues' places are the last of the services, in the queues' order. The queue whose place a
   service is; STORM_NONE: it is a service of its own. */
static inline uint32_t storm_queue_at(const struct storm_scenario *scenario, uint32_t service) {
    uint32_t own = scenario->service_count - scenario->queue_count;
    return service < own ? STORM_NONE : service - own;
}

/* Whether a population's dead letters are sent again by themselves. */
static inline bool storm_replays_itself(const struct storm_population *population) {
    return population->auto_replay > 0 && population->auto_replay < STORM_NEVER;
}

/* Whether a population is the workers of a queue. */
static inline bool storm_is_consumer(const struct storm_population *population) {
    return population->arrival == STORM_ARRIVAL_QUEUE;
}

/* The name of the queue that a population's dead letters go to. */
static inline const char *storm_letter_queue_of(const struct storm_population *population) {
    return population->dead_letter_queue != NULL ? population->dead_letter_queue : population->name;
}

/* How long the letters of a dead-letter queue are kept; STORM_NEVER: for ever. */
static inline storm_time storm_letter_retention(const struct storm_scenario *scenario,
                                                const char *queue) {
    for (uint32_t i = 0; i < scenario->letter_queue_count; i++) {
        if (strcmp(scenario->letter_queues[i].name, queue) == 0) {
            return scenario->letter_queues[i].retention;
        }
    }
    return STORM_NEVER;
}

/* When copy number k (from 0) of a pace goes, after the first one: the root of what the rate has
   brought by then, r (t / 10 + 9 t^2 / 20 ramp) = k within the ramp, in the form that loses no
   digits. */
static inline storm_time storm_pace_time(const struct storm_pace *pace, uint32_t k) {
    double ramp = storm_time_to_seconds(pace->ramp), first = pace->rate / 10;
    double brought = (first + pace->rate) / 2 * ramp; /* by the ramp */
    if (pace->rate <= 0) {
        return 0;
    }
    if (k >= brought) {
        return storm_time_from_seconds(ramp + (k - brought) / pace->rate);
    }
    double slope = (pace->rate - first) / ramp;
    return storm_time_from_seconds(2.0 * k / (first + sqrt(first * first + 2 * slope * k)));
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
