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

/* Fills what is known of a variant before it runs. False at the arena's limit. */
bool subject_prepare(struct subject *subject, struct arena *arena);

/* Makes the runs of all variants and leaves them as a baseline has them, all in `arena`. The
   rules' progress counts the runs of this subject. False after filling `error`, also when one of
   them was not made. */
bool subject_run(const struct subject *subject, const struct batch_rules *rules,
                 struct arena *arena, struct baseline_scenario *made, struct storm_error *error);

#endif
