/* discover.h: which scenarios are checked when none is named. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef GUARD_DISCOVER_H
#define GUARD_DISCOVER_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/error.h>

#include "guard/baseline.h"

struct arena;

/* Files, in the order of their names. */
struct discovery {
    const char *pattern; /* that was looked for: the .yaml of scenarios, or of here */
    uint32_t count, passed_count;
    const char **files;
    const char **passed; /* that expect nothing and are not in the baseline */
};

/* Looks into the folder `scenarios`, and only when it has no .yaml into the current one. A file in
   the former that cannot be read as a scenario is one of `files`: its errors are to be told. False
   after filling `error`: without memory, or nothing was found. */
bool discover(const struct baseline *baseline, struct arena *arena, struct discovery *discovery,
              struct storm_error *error);

#endif
