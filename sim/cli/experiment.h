/* experiment.h: what run and compare share: read the scenario, make the runs, write what was
   asked for. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_EXPERIMENT_H
#define CLI_EXPERIMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/options.h"

/* Which columns: the names of variants; NULL is the scenario as it stands. */
struct experiment {
    const char *names[CLI_LIST_MAX];
    size_t count;
    bool full;          /* print every metric */
    bool compares;      /* the columns with one of them */
    uint32_t reference; /* which one */
};

/* Chooses the columns from the document and the options. False after filling `error`. */
typedef bool experiment_choose(const struct storm_document *document,
                               const struct cli_options *options, struct experiment *experiment,
                               struct storm_error *error);

/* Does the whole experiment. */
enum cli_exit experiment_do(const struct cli_options *options, experiment_choose *choose);

#endif
