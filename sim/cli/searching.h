/* searching.h: what limit and tune share: a scenario whose runs are made at points of a search. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_SEARCHING_H
#define CLI_SEARCHING_H

#include <stdint.h>

#include <retrystorm/error.h>
#include <retrystorm/scenario.h>

#include "base/arena.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/scenario_file.h"
#include "search/axis.h"
#include "search/probe.h"

enum { SEARCHING_OVERRIDES_MAX = 4096 };

/* Everything one search holds while it runs. What fails is in `errors` (of the scenario, with
   places) or in `error`. */
struct searching {
    const struct cli_options *options;
    struct scenario_file file;
    const struct storm_scenario *scenario; /* with the first --variant and every --set */
    struct arena arena;
    struct probe *probe;
    struct storm_errors errors;
    struct storm_error error;
    struct progress progress;
    uint32_t runs_expected;      /* for the progress; 0: nobody knows */
    uint32_t runs_then;          /* made when the batch at hand began */
    uint64_t events, events_now; /* of the batches before, and of the one at hand */
    char overrides[SEARCHING_OVERRIDES_MAX];
};

/* Reads the scenario and prepares its probe. Complains, and returns the exit code, when that cannot
   be done. Freed with searching_end whatever it returned. */
enum cli_exit searching_begin(struct searching *searching, const struct cli_options *options);
void searching_end(struct searching *searching);

/* Reads every --vary into axes[PROBE_AXES_MAX] and returns how many there are; 0 after filling
   `error`. */
uint32_t searching_axes(struct searching *searching, struct axis *axes);

/* Says what went wrong. Returns the exit code. */
enum cli_exit searching_complain(struct searching *searching);

#endif
