/* cmd_presets.c: list what products do, or explain one of them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/suggest.h"
#include "cli/commands.h"
#include "cli/complain.h"
#include "cli/output.h"
#include "policy/registry.h"
#include "report/presets_text.h"

enum { MEANT_MAX = 10 };

/* Where `part` is in a name, whatever its case; -1: nowhere. */
static int find_part(const char *name, const char *part) {
    size_t length = strlen(part), whole = strlen(name);
    for (size_t i = 0; i + length <= whole; i++) {
        if (strncasecmp(name + i, part, length) == 0) {
            return (int)i;
        }
    }
    return -1;
}

/* Offers the names that begin with what was typed, and then those that have it elsewhere. */
static void offer_parts(struct suggest *suggest) {
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < policy_preset_count() && suggest->count < MEANT_MAX; i++) {
            int place = find_part(policy_preset_at(i)->name, suggest->typed);
            if (pass == 0 ? place == 0 : place > 0) {
                suggest_offer(suggest, policy_preset_at(i)->name);
            }
        }
    }
    suggest->best = suggest->count == 1 ? suggest->words[0] : NULL;
}

static enum cli_exit refuse(const char *name) {
    struct storm_error error;
    struct suggest suggest = suggest_begin(name);
    offer_parts(&suggest);
    bool is_part = suggest.count > 0;
    for (size_t i = 0; !is_part && i < policy_preset_count(); i++) {
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
