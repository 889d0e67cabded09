/* survey.h: every run of every point of a sweep, in blocks that are kept as they come. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SEARCH_SURVEY_H
#define SEARCH_SURVEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <retrystorm/error.h>
#include <retrystorm/load.h>
#include <retrystorm/results.h>
#include <retrystorm/sweep.h>

#include "search/points.h"
#include "trials/batch.h"

struct arena;
struct survey;

struct survey_plan {
    const char *text; /* of the scenario's file, and its name, for files beside it */
    size_t length;
    const char *file;
    const char *variant;               /* NULL: the scenario as it stands */
    const struct storm_override *sets; /* of the command line, before those of a point */
    size_t set_count;
    const struct points *points;
    uint32_t runs; /* at each point */
    struct batch_rules rules;
};

/* What all points have in common: the metrics are the union of theirs, in the order in which they
   come; the hash is of all their settings. */
struct survey_facts {
    uint64_t hash;
    uint32_t metric_count;
    const struct storm_metric *metrics;
};

/* Decodes the scenario at every point, so that what is wrong is found before the first run. The
   plan's strings must outlive it; its memory is the arena's. NULL after filling `errors` (of the
   scenario at the first point at which it is wrong, told by *point) or `error`. */
struct survey *survey_new(const struct survey_plan *plan, struct arena *arena, uint32_t *point,
                          struct storm_errors *errors, struct storm_error *error);

const struct survey_facts *survey_facts(const struct survey *survey);

/* "policies.app.cap=4s, variant=calm" */
const char *survey_point_words(const struct points *points, uint32_t point, char *buffer,
                               size_t size);

/* Who says which runs are to be made, by their numbers (point * runs + run), and keeps them. */
struct survey_sink {
    bool (*wants)(void *context, uint64_t number);
    bool (*keep)(void *context, const struct storm_sweep_run *runs, uint32_t count,
                 struct storm_error *error);
    void *context;
};

/* Makes the runs that the sink wants, in their order, and hands them over in blocks of about a
   second of work: no more is ever lost. False after filling `error`, when a run fails (with its
   point in error->path), the sink does, or the rules say stop: all before was kept. */
bool survey_run(struct survey *survey, const struct survey_sink *sink, struct storm_error *error);

#endif
