/* inline_policy.c: a policy that is written on the command line. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/inline_policy.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "cli/complain.h"
#include "policy/registry.h"

/* The smallest scenario around the policy, whose text is alone on the first line but for this. */
static const char before[] = "policies: {policy: ";
static const char after[] =
    "}\nversion: 1\nduration: 1s\nclients: {c: {count: 1, arrivals: {at: 0s}, calls: {to: s}}}\n"
    "services: {s: {workers: 1, service_time: 1s}}\n";

/* Errors are about the policy's text alone: their places and paths count from its beginning. */
static void shift_errors(struct storm_errors *errors) {
    static const char path[] = "policies.policy";
    int kept = errors->count < STORM_ERRORS_MAX ? errors->count : STORM_ERRORS_MAX;
    for (int i = 0; i < kept; i++) {
        struct storm_error *error = &errors->list[i];
        bool is_inside = error->line == 1 && error->column >= (int)sizeof before;
        error->line = is_inside ? 1 : 0;
        error->column = is_inside ? error->column - (int)(sizeof before - 1) : 0;
        if (strncmp(error->path, path, sizeof path - 1) == 0) {
            size_t skip = sizeof path - 1 + (error->path[sizeof path - 1] == '.');
            memmove(error->path, error->path + skip, strlen(error->path + skip) + 1);
        }
    }
}

static enum cli_exit read_map(const char *where, const char *text,
                              struct inline_policy *inline_policy) {
    struct storm_errors errors = {0};
    const struct storm_scenario *scenario = NULL;
    size_t size = sizeof before + strlen(text) + sizeof after;
    char *whole = malloc(size);
    if (whole == NULL) {
        struct storm_error error;
        storm_fail(&error, STORM_LIMIT, "no memory for the policy");
        return complain(&error);
    }
    snprintf(whole, size, "%s%s%s", before, text, after);
    inline_policy->document = storm_document_parse(whole, strlen(whole), &errors);
    free(whole);
    if (inline_policy->document != NULL) {
        scenario = storm_document_decode(inline_policy->document, NULL, NULL, 0, &errors);
    }
    if (scenario == NULL) {
        shift_errors(&errors);
        return complain_about(where, text, strlen(text), &errors);
    }
    assert(scenario->policy_count >= 1);
    inline_policy->policy = &scenario->policies[0];
    return CLI_YES;
}

static enum cli_exit refuse_name(const char *text) {
    struct storm_error error;
    struct suggest suggest = suggest_begin(text);
    for (size_t i = 0; i < policy_headline_count(); i++) {
        suggest_offer(&suggest, policy_headline_at(i)->name);
    }
    for (size_t i = 0; i < policy_preset_count(); i++) {
        suggest_offer(&suggest, policy_preset_at(i)->name);
    }
    storm_fail(&error, STORM_USAGE, "there is no policy '%.100s'", text);
    suggest_hint(&suggest, error.suggestion, sizeof error.suggestion);
    return complain(&error);
}

enum cli_exit inline_policy_read(const char *where, const char *text,
                                 struct inline_policy *inline_policy) {
    *inline_policy = (struct inline_policy){0};
    if (text[strspn(text, " ")] == '{') {
        return read_map(where, text, inline_policy);
    }
    const struct policy_headline *headline = policy_headline_find(text);
    const struct policy_preset *preset = policy_preset_find(text);
    if (headline == NULL && preset == NULL) {
        return refuse_name(text);
    }
    inline_policy->policy = headline != NULL ? &headline->policy : &preset->policy;
    return CLI_YES;
}

void inline_policy_free(struct inline_policy *inline_policy) {
    storm_document_free(inline_policy->document);
    inline_policy->document = NULL;
}
