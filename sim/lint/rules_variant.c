/* rules_variant.c: what is wrong with the variants, and with what is expected of them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <retrystorm/load.h>
#include <retrystorm/results.h>

#include "base/suggest.h"
#include "lint/rules.h"
#include "record/metrics.h"
#include "record/trigger.h"

/* ---- R030 ------------------------------------------------------------------------------------ */

static void tell_errors(struct lint *lint, const char *variant, const struct storm_errors *errors) {
    char path[STORM_PATH_MAX];
    snprintf(path, sizeof path, "variants.%.100s", variant);
    for (int i = 0; i < errors->count && i < STORM_ERRORS_MAX; i++) {
        const struct storm_error *error = &errors->list[i];
        bool has_path = error->path[0] != '\0', has_hint = error->suggestion[0] != '\0';
        lint_add(lint, LINT_ERROR, path, "%s%s%s%s%s", error->path, has_path ? ": " : "",
                 error->message, has_hint ? "; " : "", error->suggestion);
    }
}

void lint_rule_variants(struct lint *lint) {
    size_t count = storm_document_variant_count(lint->document);
    if (lint->is_variant) {
        return; /* the others are looked at with the file */
    }
    lint->variants = arena_take_array(lint->arena, count, sizeof *lint->variants);
    if (lint->variants == NULL) {
        lint->failed = true;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        struct storm_errors errors = {.count = 0};
        const char *name = storm_document_variant_name(lint->document, i);
        lint->variants[i] = storm_document_decode(lint->document, name, NULL, 0, &errors);
        tell_errors(lint, name, &errors);
    }
}

/* ---- R031 ------------------------------------------------------------------------------------ */

/* By its whole name, or by the name without its place: then it is about all places. */
static bool is_named(const struct storm_metric *metric, const char *name) {
    size_t length = strlen(name);
    return strncmp(metric->name, name, length) == 0 &&
           (metric->name[length] == '\0' || metric->name[length] == '.');
}

/* Whether a run of the scenario has the metric. All that it has are offered for what was meant. */
static bool has_metric(struct lint *lint, const struct storm_scenario *scenario, const char *name,
                       struct suggest *suggest) {
    const struct storm_metric *list = metrics_list(scenario, lint->arena);
    lint->failed = lint->failed || list == NULL;
    for (uint32_t i = 0; list != NULL && i < metrics_count(scenario); i++) {
        if (is_named(&list[i], name)) {
            return true;
        }
        suggest_offer(suggest, list[i].name);
    }
    return list == NULL;
}

/* Whether one of those that the expectation is about has its metric; a variant in error cannot be
   asked. An expectation of every variant may be about what only some of them have. */
static bool is_known(struct lint *lint, const struct storm_expect *expect,
                     struct suggest *suggest) {
    size_t count = storm_document_variant_count(lint->document);
    bool is_of_all = expect->variant[0] == '\0';
    if (strcmp(expect->metric, STORM_EXPECT_RECOVERS) == 0 ||
        (is_of_all && has_metric(lint, lint->scenario, expect->metric, suggest))) {
        return true;
    }
    for (size_t i = 0; i < count; i++) {
        const char *name = storm_document_variant_name(lint->document, i);
        bool concerns = is_of_all || strcmp(expect->variant, name) == 0;
        if (concerns && (lint->variants[i] == NULL
                             ? !is_of_all
                             : has_metric(lint, lint->variants[i], expect->metric, suggest))) {
            return true;
        }
    }
    return false;
}

void lint_rule_expect(struct lint *lint) {
    if (lint->variants == NULL) {
        return;
    }
    for (uint32_t i = 0; i < lint->scenario->expect_count; i++) {
        const struct storm_expect *expect = &lint->scenario->expects[i];
        char path[STORM_PATH_MAX], hint[STORM_MESSAGE_MAX];
        struct suggest suggest = suggest_begin(expect->metric);
        suggest_offer(&suggest, STORM_EXPECT_RECOVERS);
        if (is_known(lint, expect, &suggest)) {
            continue;
        }
        bool is_near = suggest.best != NULL;
        snprintf(path, sizeof path, "expect.%u.metric", i);
        lint_add(lint, LINT_ERROR, path, "%s%s has no metric '%s'%s%s",
                 expect->variant[0] == '\0' ? "the scenario" : "the variant ", expect->variant,
                 expect->metric, is_near ? "; " : "",
                 is_near ? suggest_hint(&suggest, hint, sizeof hint) : "");
    }
}

/* ---- R032 ------------------------------------------------------------------------------------ */

static bool has_trigger(const struct storm_scenario *scenario) {
    storm_time from, to;
    trigger_window(scenario, scenario->duration, &from, &to);
    return from >= 0;
}

/* Whether one of those that an expectation is about has something to recover from. */
static bool may_recover(const struct lint *lint, const struct storm_expect *expect) {
    size_t count = lint->variants != NULL ? storm_document_variant_count(lint->document) : 0;
    bool is_of_all = expect->variant[0] == '\0';
    bool may = (is_of_all || lint->is_variant) && has_trigger(lint->scenario);
    for (size_t i = 0; i < count && !may; i++) {
        const char *name = storm_document_variant_name(lint->document, i);
        bool concerns = is_of_all || strcmp(expect->variant, name) == 0;
        may = concerns && (lint->variants[i] == NULL || has_trigger(lint->variants[i]));
    }
    return may;
}

/* Whether the values of a metric are shares. */
static bool is_share(struct lint *lint, const char *name) {
    const struct storm_metric *list = metrics_list(lint->scenario, lint->arena);
    lint->failed = lint->failed || list == NULL;
    for (uint32_t i = 0; list != NULL && i < metrics_count(lint->scenario); i++) {
        if (is_named(&list[i], name)) {
            return storm_unit_is_share(list[i].unit);
        }
    }
    return false;
}

void lint_rule_unkept(struct lint *lint) {
    for (uint32_t i = 0; i < lint->scenario->expect_count; i++) {
        const struct storm_expect *expect = &lint->scenario->expects[i];
        bool recovers = strcmp(expect->metric, STORM_EXPECT_RECOVERS) == 0;
        char path[STORM_PATH_MAX];
        snprintf(path, sizeof path, "expect.%u", i);
        if (recovers && !may_recover(lint, expect)) {
            lint_add(lint, LINT_ERROR, path,
                     "'recovers' has no value: there is neither a fault nor a surge");
        } else if (expect->at_least > 1 && (recovers || is_share(lint, expect->metric))) {
            lint_add(lint, LINT_ERROR, path,
                     "'%s' is a share: it is never above 100%%, and so "
                     "never at least %.4g%%",
                     expect->metric, expect->at_least * 100);
        }
    }
}
