/* subject.h: a scenario that is to be checked, decoded, and the runs that are made of it. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef GUARD_SUBJECT_H
#define GUARD_SUBJECT_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/error.h>
#include <retrystorm/results.h>
#include <retrystorm/scenario.h>

#include "guard/baseline.h"
#include "trials/batch.h"

struct arena;
struct storm_document;

struct subject_variant {
    const char *name; /* "base" for a scenario that has no variants */
    const struct storm_scenario *scenario;
    const struct storm_setting *settings; /* all effective ones */
    uint32_t setting_count;
    struct storm_variant blank; /* its name and its metrics, before any run */
};

struct subject {
    const char *file; /* as the user named it */
    const char *name; /* its base name */
    bool is_bare;     /* has no variants: the one here is the scenario as it stands */
    uint32_t variant_count;
    struct subject_variant *variants;
    uint64_t seed;
    uint32_t runs;
};

/* Decodes all variants of a document, which must live as long, into a subject that has its names.
   False without memory, or after adding to `errors` all that is wrong with any of them. */
bool subject_decode(struct subject *subject, struct storm_document *document, struct arena *arena,
                    struct storm_errors *errors);

/* Seed and number of runs where nobody asked for others: the baseline's, else the scenario's, but
   at least two runs: they tell whether there is chance in it at all, one tells nothing. */
void subject_usual_runs(struct subject *subject, const struct baseline *baseline);

/* A baseline knows scenarios by their names, and of one seed each. False after filling `error` when
   two subjects have one name, or one that is to be in a baseline that `is_replaced` has a name that
   is not UTF-8, which would not be found again (STORM_USAGE); or, unless the baseline is replaced,
   when one has not the seed of its baseline, so that its runs were no pairs (STORM_INVALID). */
bool subjects_pair(const struct subject *subjects, uint32_t count, const struct baseline *baseline,
                   bool is_replaced, struct storm_error *error);

/* Makes the runs of all variants and leaves them as a baseline has them, all in `arena`. The
   rules' progress counts the runs of this subject. False after filling `error`, also when one of
   them was not made. */
bool subject_run(const struct subject *subject, const struct batch_rules *rules,
                 struct arena *arena, struct baseline_scenario *made, struct storm_error *error);

#endif
