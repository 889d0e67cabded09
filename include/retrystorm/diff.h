/* diff.h: how the runs of two result files differ, as plain data. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RETRYSTORM_DIFF_H
#define RETRYSTORM_DIFF_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/check.h>

/* A setting that is not the same in both, or only in one (NULL). */
struct storm_setting_change {
    const char *variant; /* the first in which it is so */
    uint32_t others;     /* variants in which it is so, too */
    const char *path, *before, *after;
};

struct storm_diff {
    const char *first, *second; /* files */
    uint64_t seed;
    uint32_t runs; /* pairs of each variant */
    uint32_t change_count;
    struct storm_setting_change *changes;
    uint32_t counts[STORM_FINDING_COUNT];
    uint32_t row_count;
    struct storm_check_row *rows; /* `baseline` is the first's; the worst first */
};

#endif
