/* cmd_size.c: a policy that rides out the time that a service takes to recover. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>

#include <retrystorm/units.h>

#include "base/suggest.h"
#include "cli/commands.h"
#include "cli/complain.h"
#include "cli/inline_policy.h"
#include "cli/output.h"
#include "policy/registry.h"
#include "report/size_text.h"

/* A shape must have a cap to be chosen. False after filling `error`, which says what has one. */
static bool check_shape(const char *name, const struct storm_policy *policy,
                        struct storm_error *error) {
    struct suggest suggest = suggest_begin(name);
    for (size_t i = 0; i < policy_headline_count(); i++) {
        if (size_fits(&policy_headline_at(i)->policy)) {
            suggest_offer(&suggest, policy_headline_at(i)->name);
        }
    }
    storm_fail(error, STORM_USAGE, "'%.100s' has no delays that grow up to a cap", name);
    suggest_hint(&suggest, error->suggestion, sizeof error->suggestion);
    return size_fits(policy);
}

static storm_time or_never(storm_time time) { return time > 0 ? time : STORM_NEVER; }

static enum cli_exit answer(const struct cli_options *options, const struct inline_policy *shape) {
    struct storm_error error;
    bool met;
    struct size_question question = {.policy = shape->policy,
                                     .recovery = options->recovery,
                                     .deadline = or_never(options->deadline),
                                     .timeout = or_never(options->timeout),
                                     .target = options->survive > 0 ? options->survive : 0.99};
    output_begin();
    bool written = size_write_text(&question, stdout, &met);
    if (shape->document != NULL) {
        puts("The other settings of the policy that was given stay as they are.");
    }
    if (!output_end(true, &error) ||
        (!written && !storm_fail(&error, STORM_LIMIT, "no memory for the policy"))) {
        return complain(&error);
    }
    return met ? CLI_YES : CLI_NO;
}

enum cli_exit cmd_size(const struct cli_options *options) {
    struct storm_error error;
    struct inline_policy shape;
    const char *name = options->operand != NULL ? options->operand : "full-jitter";
    if (options->recovery == 0) {
        storm_fail(&error, STORM_USAGE,
                   "'size' needs the time the service takes to come back: --recovery 30s");
        return complain(&error);
    }
    enum cli_exit code = inline_policy_read("POLICY", name, &shape);
    if (code == CLI_YES) {
        bool fits = check_shape(name, shape.policy, &error);
        code = fits ? answer(options, &shape) : complain(&error);
    }
    inline_policy_free(&shape);
    return code;
}
