/* check.h: what a check found, as plain data: bounds that scenarios set, and how their runs differ
   from those of a baseline. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RETRYSTORM_CHECK_H
#define RETRYSTORM_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/results.h>
#include <retrystorm/units.h>

/* What can be said of a bound or a metric, the worst first. */
#define STORM_FINDING_MAP(X)                                                                       \
    X(CROSSED, "crossed", "a bound of the scenario is not kept")                                   \
    X(WORSE, "worse", "worse than the baseline by more than the tolerance")                        \
    X(INCONCLUSIVE, "inconclusive", "the runs do not tell whether it is worse")                    \
    X(MISSING, "missing", "a variant that is not in the baseline of its scenario")                 \
    X(WARNED, "warning", "a bound is not kept that only warns")                                    \
    X(GONE, "gone", "the baseline has it, and the runs have it no more")                           \
    X(NEW, "new", "the runs have it, and the baseline does not")                                   \
    X(DIFFERENT, "different", "differs from the baseline by more than the tolerance")              \
    X(BETTER, "better", "better than the baseline by more than the tolerance")                     \
    X(KEPT, "kept", "a bound of the scenario is kept")                                             \
    X(SAME, "same", "as in the baseline, within the tolerance")

enum storm_finding {
#define STORM_FINDING_ENUM(name, word, sentence) STORM_FINDING_##name,
    STORM_FINDING_MAP(STORM_FINDING_ENUM)
#undef STORM_FINDING_ENUM
        STORM_FINDING_COUNT
};

/* A bound, or a metric beside its baseline. Values that are not there are NaN. */
struct storm_check_row {
    enum storm_finding finding;
    bool is_bound;       /* else of the baseline */
    const char *variant; /* name */
    const char *metric;  /* NULL: the whole variant is missing or gone */
    const char *unit;
    double baseline, now;
    /* of a bound */
    int line;              /* in the scenario's file */
    const char *statistic; /* "median" */
    double at_least, at_most;
    uint32_t numbers; /* runs in which it is a number */
    /* of the baseline */
    double difference, lo, hi, tolerance; /* as in struct storm_difference */
};

/* Where the first run that is not as in the baseline leaves it. */
struct storm_divergence {
    const char *variant; /* name; NULL: nowhere */
    uint32_t run;
    storm_time from, to; /* the first difference is in [from, to) */
};

enum storm_baseline_state {
    STORM_BASELINE_UNASKED, /* bounds only */
    STORM_BASELINE_MISSING, /* it does not have the scenario */
    STORM_BASELINE_FOUND,
    STORM_BASELINE_GONE /* it has a scenario that there is no more: no rows */
};

struct storm_check_scenario {
    const char *file; /* as the user named it */
    const char *name; /* its base name, by which the baseline knows it */
    bool is_bare;     /* it has no variants: the one checked is the scenario as it stands */
    uint64_t seed;
    uint32_t runs; /* of each variant */
    uint32_t variant_count;
    const struct storm_variant *const *variants; /* their runs, in the order of their names */
    enum storm_baseline_state state;
    bool is_changed;         /* effective settings are not those of the baseline */
    uint32_t differing_runs; /* runs that are not, fact by fact, those of the baseline */
    struct storm_divergence divergence;
    uint32_t counts[STORM_FINDING_COUNT];
    uint32_t row_count;
    struct storm_check_row *rows; /* the worst first */
};

/* The answer of a check, as its exit code gives it. */
enum storm_check_answer {
    STORM_CHECK_YES,
    STORM_CHECK_NO,          /* a bound is crossed, or something is worse */
    STORM_CHECK_NO_BASELINE, /* a scenario or a variant is not in the baseline */
    STORM_CHECK_INCONCLUSIVE,
    STORM_CHECK_CUT /* interrupted: these are the scenarios that were finished */
};

/* What it means that the runs do not tell whether something is worse. */
enum storm_doubt { STORM_DOUBT_SAY, STORM_DOUBT_FAIL, STORM_DOUBT_PASS };

struct storm_check {
    const char *baseline; /* its file; NULL: not asked for */
    bool is_new;          /* there was no such file */
    bool is_updated;      /* and now it has these runs */
    uint32_t scenario_count;
    struct storm_check_scenario *scenarios; /* the worst first */
    uint32_t counts[STORM_FINDING_COUNT];   /* over all scenarios */
    enum storm_doubt doubt;
    enum storm_check_answer answer;
};

/* What a row means for the answer of its check. */
enum storm_level { STORM_LEVEL_FINE, STORM_LEVEL_WARNING, STORM_LEVEL_FAILURE };

enum storm_level storm_check_level(const struct storm_check *check, enum storm_finding finding);

/* The words of the table above; never NULL. */
const char *storm_finding_word(enum storm_finding finding);

#endif
