/* cmd_presets.c: list what products do, or explain one of them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>

#include "cli/commands.h"
#include "cli/complain.h"
#include "cli/output.h"
#include "policy/registry.h"
#include "report/presets_text.h"
#include "scenario/suggest.h"

static enum cli_exit refuse(const char *name) {
    struct storm_error error;
    struct suggest suggest = suggest_begin(name);
    for (size_t i = 0; i < policy_preset_count(); i++) {
        suggest_offer(&suggest, policy_preset_at(i)->name);
    }
    storm_fail(&error, STORM_USAGE, "there is no preset '%s'", name);
    suggest_hint(&suggest, error.suggestion, sizeof error.suggestion);
    return complain(&error);
}

enum cli_exit cmd_presets(const struct cli_options *options) {
    struct storm_error error;
    const struct policy_preset *preset = NULL;
    if (options->operand != NULL) {
        preset = policy_preset_find(options->operand);
        if (preset == NULL) {
            return refuse(options->operand);
        }
    }
    output_begin();
    bool written = preset == NULL ? presets_write_list(stdout) : presets_write_one(preset, stdout);
    bool good = output_end(true, &error) &&
                (written || storm_fail(&error, STORM_LIMIT, "no memory for the presets"));
    return good ? CLI_YES : complain(&error);
}
