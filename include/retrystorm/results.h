/* results.h: what came out, as plain data; written by the trials, read by reports, charts and
   checks. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RETRYSTORM_RESULTS_H
#define RETRYSTORM_RESULTS_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/units.h>

#define STORM_VERDICT_MAP(X)                                                                       \
    X(NOT_APPLICABLE, "not applicable", "no trigger, or no way to tell success in time")           \
    X(UNHARMED, "unharmed", "never left the healthy band")                                         \
    X(RECOVERED, "recovered", "came back to the healthy band by itself and stayed")                \
    X(DEGRADED, "degraded", "did not come back, but most requests still succeed")                  \
    X(STUCK, "stuck", "did not come back, and most requests fail")                                 \
    X(TOO_SHORT, "too short to tell", "the run ends too soon after the trigger")

enum storm_verdict {
#define STORM_VERDICT_ENUM(name, word, sentence) STORM_VERDICT_##name,
    STORM_VERDICT_MAP(STORM_VERDICT_ENUM)
#undef STORM_VERDICT_ENUM
        STORM_VERDICT_COUNT
};

enum storm_better { STORM_BETTER_LOWER, STORM_BETTER_HIGHER, STORM_BETTER_NEITHER };

/* One number of every run. Values may be NaN: "does not apply to that run". */
struct storm_metric {
    const char *name; /* e.g. "dead_letters", "amplification.db" */
    const char *
        unit; /* "requests", "attempts/request", "s", "%" ... ; shares are 0..1 with unit "share" */
    enum storm_better better;
    bool bimodal;     /* its mean says nothing: report median and range */
    uint32_t applies; /* runs in which it is a number; the statistics below are over those, NaN when
                         none */
    double mean, lo, hi; /* 95 % interval of the mean */
    double median, min, max;
    double *per_run; /* [run] */
};

/* One curve of one run, in bins of the results' bin_width from time 0. */
struct storm_series {
    const char *subject; /* name of the service or population; "" for the whole run */
    const char
        *name; /* with its unit: first_attempts, retries (counts per bin), capacity_per_s ... */
    double *values; /* [bin_count] */
};

/* A band on the time axis: a fault as the scenario declares it. */
struct storm_span {
    const char *label;   /* "outage", "30 % capacity", "slow 3x", "errors 20 %" */
    const char *subject; /* the service */
    storm_time from, to;
};

/* One effective parameter of a variant, as text with its unit. */
struct storm_setting {
    const char *path, *value;
};

struct storm_variant {
    const char *name;
    uint32_t runs_done; /* of the results' runs; fewer only when interrupted or over a limit */
    uint32_t verdicts[STORM_VERDICT_COUNT]; /* how many runs ended so */
    uint8_t *verdict_per_run;               /* [run], enum storm_verdict */
    uint32_t metric_count;
    struct storm_metric *metrics;
    uint32_t series_count;
    struct storm_series *series; /* of run 0 */
    uint32_t ghost_run; /* a run that ended the other way (>= 5 % of runs do); UINT32_MAX: none */
    uint32_t ghost_series_count;
    struct storm_series *ghost_series; /* of that run: same names as series */
    uint32_t span_count;
    struct storm_span *spans;
    uint32_t setting_count;
    const struct storm_setting *settings;
    uint64_t digest; /* of every fact of run 0 */
};

/* Series names, so that writer and reader of a curve agree: first those of a service, then those of
   a population. */
#define STORM_SERIES_FIRST "first_attempts"       /* that arrive at the service, per bin */
#define STORM_SERIES_RETRIES "retries"            /* that arrive at the service, per bin */
#define STORM_SERIES_CAPACITY "capacity_per_s"    /* in force, mean over the bin; NaN: unlimited */
#define STORM_SERIES_LEVEL "in_service_and_queue" /* mean over the bin */
#define STORM_SERIES_GHOST "ghost_served"         /* served for nobody who waits, per bin */
#define STORM_SERIES_BORN "born"                  /* requests born, per bin */
#define STORM_SERIES_FAILED "failed_by_birth"     /* of those, the failed and overdue at the end */
#define STORM_SERIES_GOODPUT "succeeded_in_time"  /* answers in time, per bin of the answer */
#define STORM_SERIES_DEAD "dead_letters_so_far"   /* cumulative, at the bin's end */

struct storm_results {
    const char *title, *question, *file; /* file: the scenario's base name */
    char hash[17];                       /* of the effective scenario, 16 hex digits */
    uint64_t seed;
    uint32_t runs;
    bool complete;
    storm_time duration, bin_width;
    uint32_t bin_count;
    uint32_t variant_count;
    struct storm_variant *variants;
};

/* The words of the tables above; never NULL. */
const char *storm_verdict_word(enum storm_verdict verdict);
const char *storm_verdict_sentence(enum storm_verdict verdict);

#endif
