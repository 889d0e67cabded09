/* sweep.h: what came out at every point of a sweep, as plain data for tables and heat maps. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RETRYSTORM_SWEEP_H
#define RETRYSTORM_SWEEP_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/results.h>

/* What was varied. A grid's axis lists its values in the order given; of random and Sobol points
   `value_count` is 0 and every point has values of its own. */
struct storm_sweep_axis {
    const char *path; /* "policies.app.cap"; "variant" for the scenario's variants */
    const char *unit; /* "s", "per s", "share", "", or NULL for words */
    bool is_log;      /* drawn and divided by ratios */
    double from, to;  /* in base units; NaN for words */
    uint32_t value_count;
    const char *const *labels; /* as in a scenario: "1.5s" */
    const double *numbers;     /* in base units; NaN for words */
};

/* One point: where it is, and what its runs gave. Medians are over the runs in which the metric is
   a number, NaN when there are none. A run that does not come back has an infinite time_to_recover,
   one that was never harmed one of 0. */
struct storm_sweep_point {
    const char *const *labels; /* [axis] */
    const double *numbers;     /* [axis], in base units; NaN for words */
    uint32_t runs;             /* that were done */
    uint32_t judged, good;     /* those with a verdict, and of them those that end in band */
    double peak_load;          /* x capacity, of the service where it is highest */
    double time_to_recover;    /* s */
    double dead_letters;       /* requests */
    bool is_front;             /* no other point is better in one of the three and as good in all */
};

/* One run of a sweep. */
struct storm_sweep_run {
    uint32_t point, run;
    enum storm_verdict verdict;
    double duration; /* s */
    uint64_t digest; /* of every fact */
    double *values;  /* of the sweep's metrics, the union of those of all points; NaN: none here */
};

struct storm_sweep {
    const char *title, *question, *file;
    const char *variant;   /* of which all points are; NULL: the scenario as it stands */
    const char *overrides; /* of all points: "path=value, path=value"; "" for none */
    char hash[17];         /* of the effective scenario, all points of it */
    uint64_t seed;
    uint32_t runs; /* of each point */
    bool complete;
    uint32_t axis_count;
    const struct storm_sweep_axis *axes;
    uint32_t point_count; /* of a grid: the last axis varies fastest */
    const struct storm_sweep_point *points;
};

/* Of a point's runs with a verdict, the share that ends in band; NaN: there are none. */
double storm_sweep_share(const struct storm_sweep_point *point);

/* How the points of a sweep end: at so many all of their judged runs recover, at so many none does,
   at others some; and those none of whose runs has a verdict. */
struct storm_sweep_count {
    uint32_t always, never, either, unjudged;
};

struct storm_sweep_count storm_sweep_count(const struct storm_sweep *sweep);

#endif
