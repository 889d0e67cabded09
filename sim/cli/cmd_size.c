/* cmd_size.c: a policy that rides out the time that a service takes to recover. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>

#include <retrystorm/units.h>

#include "cli/commands.h"
#include "cli/complain.h"
#include "cli/output.h"
#include "policy/registry.h"
#include "report/size_text.h"
#include "scenario/suggest.h"

/* The shape of the policy: a headline whose delays grow up to a cap. NULL after filling `error`. */
static const struct storm_policy *find_shape(const char *name, struct storm_error *error) {
    const struct policy_headline *headline = policy_headline_find(name);
    struct suggest suggest = suggest_begin(name);
    if (headline != NULL && size_fits(&headline->policy)) {
        return &headline->policy;
    }
    for (size_t i = 0; i < policy_headline_count(); i++) {
        if (size_fits(&policy_headline_at(i)->policy)) {
            suggest_offer(&suggest, policy_headline_at(i)->name);
        }
    }
    if (headline != NULL) {
        storm_fail(error, STORM_USAGE, "'%s' has no delays that grow up to a cap", name);
    } else {
        storm_fail(error, STORM_USAGE, "there is no policy '%.100s'", name);
    }
    suggest_hint(&suggest, error->suggestion, sizeof error->suggestion);
    return NULL;
}

static storm_time or_never(storm_time time) { return time > 0 ? time : STORM_NEVER; }

static bool ask(const struct cli_options *options, struct size_question *question,
                struct storm_error *error) {
    if (options->recovery == 0) {
        return storm_fail(error, STORM_USAGE,
                          "'size' needs the time the service takes to come back: --recovery 30s");
    }
    *question = (struct size_question){
        .policy = find_shape(options->operand != NULL ? options->operand : "full-jitter", error),
        .recovery = options->recovery,
        .deadline = or_never(options->deadline),
        .timeout = or_never(options->timeout),
        .target = options->survive > 0 ? options->survive : 0.99};
    return question->policy != NULL;
}

enum cli_exit cmd_size(const struct cli_options *options) {
    struct storm_error error;
    struct size_question question;
    bool met;
    if (!ask(options, &question, &error)) {
        return complain(&error);
    }
    output_begin();
    bool written = size_write_text(&question, stdout, &met);
    if (!output_end(true, &error) ||
        (!written && !storm_fail(&error, STORM_LIMIT, "no memory for the policy"))) {
        return complain(&error);
    }
    return met ? CLI_YES : CLI_NO;
}
