/* tune.h: what a search for the best settings has found, as plain data. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RETRYSTORM_TUNE_H
#define RETRYSTORM_TUNE_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/evidence.h>

/* The goal, or (from the second on) a constraint. */
struct storm_tune_measure {
    const char *words;  /* as it was asked: "min time_to_recover", "dead_letters p95 < 10" */
    const char *metric; /* with its statistic: "dead_letters p95" */
    const char *unit;
    bool is_share; /* of runs */
    bool is_max;   /* more is better */
};

/* A point that was tried. */
struct storm_tune_point {
    const char *const *labels; /* [axis], as in a scenario */
    const double *values;      /* [measure], over its runs; NaN: it has none */
    uint32_t runs;
    bool is_refused;  /* the scenario cannot have these settings: there are no values */
    bool is_feasible; /* every constraint is kept */
    double violation; /* how far they are from it, as a sum of shares of the bounds */
    bool is_front;    /* no other point is better in one measure and at least as good in all */
};

/* Who the chosen point is compared with: a variant, or the scenario as it stands. */
struct storm_tune_rival {
    const char *name;                   /* NULL: the scenario as it stands */
    const struct storm_evidence *fresh; /* [measure] */
    bool is_feasible;                   /* it keeps every constraint in the fresh runs */
    double searched;                    /* its goal in the runs of the search */
    /* By how much the chosen point is better in its goal: over pairs of fresh runs (their median,
       or the mean of a mean, or the difference of shares), with an interval of 95 %. Infinite
       where the rival never comes back. */
    double gain, lo, hi, p;
    uint32_t pairs, better, worse;
    double searched_gain, fresh_gain; /* of the goal itself, in the search and in fresh runs */
    double luck; /* of the gain in the search, the share that fresh runs do not show; NaN: it is not
                    told, where there is no gain or an infinite one */
};

struct storm_tune {
    const char *title, *file, *variant, *overrides; /* variant: NULL for none */
    uint64_t seed;
    uint32_t axis_count;
    const char *const *paths; /* [axis] */
    uint32_t measure_count;
    const struct storm_tune_measure *measures; /* the goal first */
    uint32_t runs, budget;                     /* of each point; points that might be tried */
    uint64_t runs_made;
    bool is_complete; /* false: interrupted, or a run could not be made */
    uint32_t point_count;
    const struct storm_tune_point *points; /* in the order in which they were tried */
    uint32_t best;                         /* or, where none is feasible, the nearest to it */
    bool is_confirmed;                     /* what follows was worked out */
    uint32_t fresh_from, fresh_runs;       /* runs fresh_from .. fresh_from + fresh_runs - 1 */
    const struct storm_evidence *fresh;    /* [measure], of the best point */
    bool is_feasible;                      /* it keeps every constraint in the fresh runs */
    uint32_t rival_count;
    const struct storm_tune_rival *rivals; /* the scenario as it stands first */
};

#endif
