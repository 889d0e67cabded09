/* probe.h: runs of one scenario at points of a search; no run is made twice. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SEARCH_PROBE_H
#define SEARCH_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <retrystorm/error.h>
#include <retrystorm/load.h>
#include <retrystorm/results.h>

#include "trials/batch.h"

struct arena;
struct probe;

enum { PROBE_AXES_MAX = 16 };

struct probe_plan {
    const char *text; /* of the scenario's file, and its name, for files beside it */
    size_t length;
    const char *file;
    const char *variant;               /* NULL: the scenario as it stands */
    const struct storm_override *sets; /* of the command line, before those of a point */
    size_t set_count;
    struct batch_rules rules;
};

/* A point: the values of the paths that are varied, as overrides; `variant` for the path of that
   name. */
struct probe_point {
    const char *variant; /* NULL: the plan's */
    struct storm_override sets[PROBE_AXES_MAX];
    size_t set_count;
};

/* The plan's strings must outlive the probe; its memory is the arena's (what is decoded of the text
   is given back after each call). NULL at its limit. */
struct probe *probe_new(const struct probe_plan *plan, struct arena *arena);

/* The point's runs 0 .. runs - 1 at least (those made before are kept), as a variant. NULL after
   filling `errors` (of the scenario at this point, with places) or `error` (a run's). */
const struct storm_variant *probe_runs(struct probe *probe, const struct probe_point *point,
                                       uint32_t runs, struct storm_errors *errors,
                                       struct storm_error *error);

/* The metrics of the point, no run made: what a search may name. NULL as above. */
const struct storm_variant *probe_metrics(struct probe *probe, const struct probe_point *point,
                                          struct storm_errors *errors, struct storm_error *error);

/* Whether the runs made at the point are two or more and the same to the last fact: then there is
   no chance in them. */
bool probe_is_alike(const struct probe *probe, const struct probe_point *point);

/* The effective value of a setting at a point, as a scenario has it. NULL as above; there may be no
   such setting (STORM_INVALID, with a suggestion). */
const char *probe_setting(struct probe *probe, const struct probe_point *point, const char *path,
                          struct storm_errors *errors, struct storm_error *error);

/* Runs made so far, of all points. */
uint64_t probe_run_count(const struct probe *probe);

#endif
