/* cmd_compare.c: simulate variants under the same luck and print them side by side. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdint.h>
#include <string.h>

#include "base/suggest.h"
#include "cli/commands.h"
#include "cli/experiment.h"

/* The column that the others are compared with, by its name. */
static bool choose_reference(const char *wanted, struct experiment *experiment,
                             struct storm_error *error) {
    struct suggest suggest = suggest_begin(wanted != NULL ? wanted : "");
    for (uint32_t i = 0; i < experiment->count; i++) {
        if (wanted == NULL || strcmp(experiment->names[i], wanted) == 0) {
            experiment->reference = i;
            return true;
        }
        suggest_offer(&suggest, experiment->names[i]);
    }
    storm_fail(error, STORM_INVALID, "'%s' is none of the variants that are compared", wanted);
    suggest_hint(&suggest, error->suggestion, sizeof error->suggestion);
    return false;
}

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
    experiment->compares = true;
    for (size_t i = 0; i < count; i++) {
        experiment->names[i] =
            named > 0 ? options->variants[i] : storm_document_variant_name(document, i);
    }
    if (options->max_runs > 0 && !(options->compare.precision > 0)) {
        return storm_fail(error, STORM_USAGE,
                          "--max-runs is for --until-precision; -n sets the runs");
    }
    return choose_reference(options->compare.reference, experiment, error);
}

enum cli_exit cmd_compare(const struct cli_options *options) {
    return experiment_do(options, choose_several);
}
