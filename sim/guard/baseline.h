/* baseline.h: the runs of scenarios as they once were, in a file that can be reviewed. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef GUARD_BASELINE_H
#define GUARD_BASELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <retrystorm/error.h>
#include <retrystorm/results.h>

#include "guard/track.h"

struct arena;

/* The format of baseline files. Its number rises only on a change that breaks readers. */
#define BASELINE_SCHEMA "retrystorm.baseline/1"

/* Where it is unless the user says otherwise. */
#define BASELINE_FILE "retrystorm.baseline.json"

/* The runs of one variant, its metrics in the order of their names; no number is infinite. */
struct baseline_variant {
    struct storm_variant runs;
    double *tolerances;   /* [metric], relative; NaN: the usual one */
    double tolerance;     /* of "recovers"; NaN as above */
    struct track *tracks; /* [run] */
};

struct baseline_scenario {
    const char *name; /* base name of its file */
    uint64_t hash;    /* of the effective settings of all variants */
    uint64_t seed;
    uint32_t runs;
    uint32_t variant_count;
    struct baseline_variant *variants; /* in the order of their names */
};

struct baseline {
    uint32_t scenario_count;
    struct baseline_scenario *scenarios; /* in the order of their names */
};

/* Reads a baseline file; writing it again gives the same bytes. Everything returned lives in
   `arena`. False fills `error`: STORM_IO when it cannot be read (see baseline_exists), STORM_LIMIT,
   or STORM_INVALID with the path in the document. */
bool baseline_read(struct baseline *baseline, const char *file, struct arena *arena,
                   struct storm_error *error);

/* The same for `length` bytes of text in memory. */
bool baseline_parse(struct baseline *baseline, const char *text, size_t length, struct arena *arena,
                    struct storm_error *error);

/* Writes it with sorted names, one metric and one run a line, and nothing that depends on when and
   where that is. False when a byte could not be written. */
bool baseline_write(const struct baseline *baseline, FILE *out);

/* What it has under a name; NULL: nothing. */
struct baseline_scenario *baseline_find(const struct baseline *baseline, const char *name);
struct baseline_variant *baseline_variant(const struct baseline_scenario *scenario,
                                          const char *name);

/* Puts a scenario in the place of the one of its name, or among the others. False at the arena's
   limit. */
bool baseline_put(struct baseline *baseline, const struct baseline_scenario *scenario,
                  struct arena *arena);

/* Takes a scenario out. */
void baseline_drop(struct baseline *baseline, const char *name);

/* Puts the metrics of a variant, and the variants of a scenario, into the order of their names. */
void baseline_sort_metrics(struct storm_variant *variant);
void baseline_sort_variants(struct baseline_scenario *scenario);

#endif
