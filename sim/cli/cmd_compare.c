/* cmd_compare.c: simulate variants under the same luck and print them side by side. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/commands.h"
#include "cli/experiment.h"

static bool choose_several(const struct storm_document *document, const struct cli_options *options,
                           struct experiment *experiment, struct storm_error *error) {
    size_t named = options->variant_count, all = storm_document_variant_count(document);
    size_t count = named > 0 ? named : all;
    if (count == 0) {
        return storm_fail(
            error, STORM_INVALID,
            "the scenario has no variants to compare; add some, or use 'retrystorm run'");
    }
    if (count > CLI_LIST_MAX) {
        return storm_fail(error, STORM_INVALID, "at most %d variants can be compared at once",
                          CLI_LIST_MAX);
    }
    experiment->count = count;
    for (size_t i = 0; i < count; i++) {
        experiment->names[i] =
            named > 0 ? options->variants[i] : storm_document_variant_name(document, i);
    }
    return true;
}

enum cli_exit cmd_compare(const struct cli_options *options) {
    return experiment_do(options, choose_several);
}
