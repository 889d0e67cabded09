/* results.h: what came out, as plain data: written by the trials, read by reports and charts. */
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

/* One number of every run. Values may be NaN: "does not apply to that run". The statistics are over
   the runs in which it is a number, and NaN when there are none. */
struct storm_metric {
    const char *name; /* "dead_letters", "amplification.db" */
    const char *unit; /* "requests", "s", ...; shares are 0..1 with unit "share" */
    const char *help; /* what it is, in a few words */
    enum storm_better better;
    bool bimodal;        /* runs may end in two ways: its mean says nothing, its median does */
    uint32_t applies;    /* runs in which it is a number */
    double mean, lo, hi; /* and the 95 % interval of the mean */
    double median, min, max;
    double *per_run; /* [run] */
};

/* One curve of one run, in bins of the results' bin_width from time 0. NaN: nothing to show. */
struct storm_series {
    const char *subject; /* name of the service or population */
    const char *name;    /* one of STORM_SERIES_...; it carries the unit */
    double *values;      /* [bin_count] */
};

enum storm_span_kind { STORM_SPAN_FAULT, STORM_SPAN_ACTION };

/* A band on the time axis: a fault as the scenario declares it, or what operators do. */
struct storm_span {
    const char *label;   /* "outage", "30 % capacity", "3 × slower", "20 % errors"; "replay" */
    const char *subject; /* the service, or the clients or consumers; "": all, or the scenario */
    storm_time from, to; /* equal for what operators do at one moment */
    enum storm_span_kind kind;
};

/* One effective parameter of a variant, as text with its unit. */
struct storm_setting {
    const char *path, *value;
};

/* An alert of a dead-letter queue that went off, in run 0. */
struct storm_alarm {
    const char *queue; /* name of the dead-letter queue */
    const char *rule;  /* "depth > 0", "unreviewed > 24h" */
    storm_time first_letter, raised;
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
    uint32_t alarm_count;
    struct storm_alarm *alarms; /* in the order of their times */
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
#define STORM_SERIES_FAILED "failed_by_birth"    /* of those, not in time; NaN: too young to tell */
#define STORM_SERIES_GOODPUT "succeeded_in_time" /* answers in time, per bin of the answer */
#define STORM_SERIES_DEAD "dead_letters_so_far"  /* cumulative, at the bin's end */

#define STORM_SERIES_READY "messages_waiting" /* subject: the queue; at the bin's end */
#define STORM_SERIES_HELD "messages_in_hand"  /* subject: the queue; at the bin's end */
#define STORM_SERIES_LETTERS                                                                       \
    "dead_letters_kept" /* subject: the dead-letter queue; neither replayed
                                                    nor expired, at the bin's end */
#define STORM_SERIES_DUPLICATES "duplicate_effects_so_far" /* subject: the service; cumulative */
#define STORM_SERIES_HELD_BACK                                                                     \
    "held_back" /* subject: the service called; by its callers' brakes, per
                                              bin */

/* What a change of a metric amounts to, seen from its good direction. */
#define STORM_CHANGE_MAP(X)                                                                        \
    X(SAME, "same", "the whole interval lies within the tolerance")                                \
    X(BETTER, "better", "the whole interval lies beyond the tolerance, on the good side")          \
    X(WORSE, "worse", "the whole interval lies beyond the tolerance, on the bad side")             \
    X(DIFFERENT, "different", "the whole interval lies beyond the tolerance; neither is good")     \
    X(INCONCLUSIVE, "inconclusive", "the interval reaches over the edge of the tolerance")

enum storm_change {
#define STORM_CHANGE_ENUM(name, word, sentence) STORM_CHANGE_##name,
    STORM_CHANGE_MAP(STORM_CHANGE_ENUM)
#undef STORM_CHANGE_ENUM
        STORM_CHANGE_COUNT
};

/* How one metric differs between two variants whose runs are paired by their index. */
struct storm_difference {
    const char *metric; /* a metric's name, or "recovers": the share of runs that end in band */
    const char *unit;
    enum storm_better better;
    double reference, other; /* the two values: medians of what is bimodal, else means, or shares */
    double difference; /* other - reference: the mean of the pairs' differences, or of shares; of
                          what is bimodal the median */
    double lo, hi;     /* its interval, at a level that allows for all the metrics asked (Holm);
                          infinite (NaN once read from a file) where the pairs bound nothing */
    double p;          /* of no difference, adjusted for all the metrics asked (Holm) */
    double tolerance;  /* in the metric's unit */
    uint32_t pairs;    /* runs in which both are numbers */
    bool exact;        /* by an exact test (of shares, or of signs), else by Student's t */
    enum storm_change change;
};

/* How one variant differs from another. */
struct storm_comparison {
    uint32_t reference, other; /* of the results' variants */
    uint32_t difference_count;
    struct storm_difference *differences; /* "recovers" first, then in the order of the metrics;
                                             those that apply in no pair of runs are left out */
};

/* All strings and arrays live as long as the arena in which the results were made. */
struct storm_results {
    const char *title, *question, *file; /* file: the scenario's base name */
    const char *overrides; /* "path=value, path=value" of the command line; "" for none */
    char hash[17];         /* of the effective scenario, 16 hex digits */
    uint64_t seed;
    uint32_t runs;
    bool complete;
    storm_time duration, bin_width;
    uint32_t bin_count;
    uint32_t variant_count;
    struct storm_variant *variants;
    uint32_t comparison_count;            /* 0: none was asked for */
    struct storm_comparison *comparisons; /* the reference with each other variant in their order:
                                             variant_count - 1 of them; then those that stand side
                                             by side in a ranking, asked only what ranks them */
};

/* Whether values with that unit are shares: kept as 0..1, told as percent and points. */
bool storm_unit_is_share(const char *unit);

/* Whether a run that ended so is in its healthy band at its end. */
bool storm_verdict_is_good(enum storm_verdict verdict);

/* "fault", "action" */
const char *storm_span_word(enum storm_span_kind kind);

/* How many runs of a variant ended so, and how many did not come back. */
uint32_t storm_variant_good_runs(const struct storm_variant *variant);
uint32_t storm_variant_bad_runs(const struct storm_variant *variant);

/* The metric of that name, and the value of the setting of that path. NULL: there is none. */
const struct storm_metric *storm_variant_metric(const struct storm_variant *variant,
                                                const char *name);
const char *storm_variant_setting(const struct storm_variant *variant, const char *path);

/* How many of the comparisons are with the reference: the first of them. */
uint32_t storm_results_compared(const struct storm_results *results);

/* The difference of the metric of that name, and that of two neighbours in the ranking by it,
   whichever is better. NULL: there is none. */
const struct storm_difference *
storm_comparison_difference(const struct storm_comparison *comparison, const char *metric);
const struct storm_difference *storm_results_ranking(const struct storm_results *results,
                                                     uint32_t one, uint32_t two,
                                                     const char *metric);

/* Whether a difference is one of the few that say most: who recovers, success in time, dead
   letters, duplicates, times, and load where it is highest. */
bool storm_comparison_leads(const struct storm_comparison *comparison, uint32_t index);

/* The words of the tables above; never NULL. */
const char *storm_verdict_word(enum storm_verdict verdict);
const char *storm_verdict_sentence(enum storm_verdict verdict);
const char *storm_better_word(enum storm_better better); /* "lower", "higher", "neither" */
const char *storm_change_word(enum storm_change change);

#endif
