/* cmd_run.c: simulate one variant and print every metric. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/commands.h"
#include "cli/experiment.h"

static bool choose_one(const struct storm_document *document, const struct cli_options *options,
                       struct experiment *experiment, struct storm_error *error) {
    (void)document; /* an unknown variant is reported when it is decoded */
    if (options->variant_count > 1) {
        return storm_fail(error, STORM_USAGE, "'run' takes one --variant; 'compare' takes several");
    }
    experiment->count = 1;
    experiment->names[0] = options->variants[0];
    experiment->full = true;
    return true;
}

enum cli_exit cmd_run(const struct cli_options *options) {
    return experiment_do(options, choose_one);
}
