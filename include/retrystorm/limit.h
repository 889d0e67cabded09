/* limit.h: where a criterion changes side while one setting is varied, as plain data. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RETRYSTORM_LIMIT_H
#define RETRYSTORM_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/evidence.h>

#define STORM_LIMIT_NONE UINT32_MAX

/* A value that was tried. Refused: the scenario cannot have it, or the criterion has no number
   there; there is no evidence then. */
struct storm_limit_reading {
    const char *label; /* as in a scenario: "150/s" */
    double number;     /* in base units */
    bool is_refused;
    struct storm_evidence evidence;
};

/* Why there is no limit, or that there is one. */
enum storm_limit_end {
    STORM_LIMIT_FOUND,
    STORM_LIMIT_NEVER,  /* the criterion was on the same side wherever it was looked at */
    STORM_LIMIT_STOPPED /* interrupted, or a run could not be made */
};

struct storm_limit {
    const char *title, *file, *variant, *overrides; /* variant: NULL for none */
    uint64_t seed;
    const char *path, *unit; /* what was varied; unit: of the numbers */
    const char *own;         /* the scenario's own value, where the search began; NULL: a range */
    const char *criterion;   /* as it was asked */
    const char *metric, *metric_unit; /* "dead_letters p95" */
    bool is_share; /* of runs: `good` of the evidence counts those that end in band */
    double precision;
    uint32_t runs_max; /* at a value */
    double confidence; /* of what is proven at a value, with all looks that were taken there */
    uint64_t runs_made;
    enum storm_limit_end end;
    uint32_t reading_count;
    const struct storm_limit_reading *readings; /* in the order of their numbers */
    uint32_t before, beyond; /* indices: the last value that keeps out of the criterion, and the
                                first at which it holds: neighbours, when it was found; else
                                equal */
    uint32_t sure_before, sure_beyond; /* the nearest to them that are proven; STORM_LIMIT_NONE */
    uint32_t changes; /* times that the criterion changes side along the readings */
};

#endif
