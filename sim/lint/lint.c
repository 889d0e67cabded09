/* lint.c: the table of rules, and the walk through them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lint/lint.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lint/rules.h"
#include "scenario/document.h"
#include "scenario/override.h"

static const struct lint_rule rules[] = {
#define RULE(id, function, severity, title, why, fix) {id, LINT_##severity, title, why, fix},
#include "lint/lint.def"
#undef RULE
};

static void (*const functions[])(struct lint *lint) = {
#define RULE(id, function, severity, title, why, fix) lint_rule_##function,
#include "lint/lint.def"
#undef RULE
};

size_t lint_rule_count(void) { return sizeof rules / sizeof rules[0]; }

const struct lint_rule *lint_rule_at(size_t index) {
    assert(index < lint_rule_count());
    return &rules[index];
}

const char *lint_severity_word(enum lint_severity severity) {
    static const char *const words[] = {"error", "warning", "note"};
    assert(severity <= LINT_NOTE);
    return words[severity];
}

/* ---- findings -------------------------------------------------------------------------------- */

/* A total order: by place, then by rule, then by path; of one rule and path by the sentence. */
static int compare(const void *a, const void *b) {
    const struct lint_finding *x = a, *y = b;
    if (x->line != y->line) {
        return x->line < y->line ? -1 : 1;
    }
    if (x->column != y->column) {
        return x->column < y->column ? -1 : 1;
    }
    if (x->rule != y->rule) {
        return x->rule < y->rule ? -1 : 1;
    }
    int order = strcmp(x->path, y->path);
    return order != 0 ? order : strcmp(x->message, y->message);
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* Where a policy is written: under `policies:`, or at the setting that holds or names it. */
static void find_policy_path(const struct lint *lint, uint32_t policy, const char *setting,
                             char path[STORM_PATH_MAX]) {
    const struct item *named = tree_find(lint->root, "policies");
    if (named != NULL && named->value->kind == NODE_MAP && policy < named->value->count) {
        snprintf(path, STORM_PATH_MAX, "policies.%s", lint->scenario->policies[policy].name);
    } else {
        snprintf(path, STORM_PATH_MAX, "%s", setting);
    }
}

static void add_call(struct lint *lint, const struct storm_edge *edge, uint32_t policy,
                     const struct storm_population *population, const char *caller,
                     const char *path, const char *setting) {
    struct lint_call *call = &lint->calls[lint->call_count++];
    *call = (struct lint_call){.edge = edge,
                               .policy = &lint->scenario->policies[policy],
                               .population = population,
                               .caller = caller};
    snprintf(call->path, sizeof call->path, "%s", path);
    find_policy_path(lint, policy, setting, call->policy_path);
}

static void add_population(struct lint *lint, const struct storm_population *population) {
    char path[STORM_PATH_MAX], setting[STORM_PATH_MAX];
    const struct storm_edge *edge = &population->call;
    const char *map = lint_map_of(population);
    snprintf(path, sizeof path, "%s.%.100s.calls", map, population->name);
    snprintf(setting, sizeof setting, "%s.%.100s.calls.retry", map, population->name);
    add_call(lint, edge, edge->policy, population, population->name, path, setting);
    for (uint32_t i = 0; i < population->fleet_count; i++) {
        uint32_t policy = population->fleets[i].policy;
        snprintf(setting, sizeof setting, "clients.%.60s.share.%.60s", population->name,
                 lint->scenario->policies[policy].name);
        add_call(lint, edge, policy, population, population->name, path, setting);
    }
}

static bool find_calls(struct lint *lint) {
    const struct storm_scenario *scenario = lint->scenario;
    char path[STORM_PATH_MAX], setting[STORM_PATH_MAX];
    size_t most =
        scenario->population_count * (size_t)(1 + STORM_FLEETS_MAX) + scenario->call_count;
    lint->calls = arena_take_array(lint->arena, most, sizeof *lint->calls);
    lint->schedules =
        arena_take_array(lint->arena, scenario->policy_count, sizeof *lint->schedules);
    if (lint->calls == NULL || lint->schedules == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < scenario->population_count; i++) {
        add_population(lint, &scenario->populations[i]);
    }
    lint->service_calls = lint->call_count;
    for (uint32_t i = 0; i < scenario->service_count; i++) {
        const struct storm_service *service = &scenario->services[i];
        assert(lint->call_count == lint->service_calls + service->call_first ||
               service->call_count == 0);
        for (uint32_t j = 0; j < service->call_count; j++) {
            const struct storm_edge *edge = &scenario->calls[service->call_first + j];
            snprintf(path, sizeof path, "services.%.100s.calls.%u", service->name, j);
            snprintf(setting, sizeof setting, "services.%.100s.calls.%u.retry", service->name, j);
            add_call(lint, edge, edge->policy, NULL, service->name, path, setting);
        }
    }
    return true;
}

/* ---- the walk -------------------------------------------------------------------------------- */

bool lint_find(struct storm_document *document, const char *variant,
               const struct storm_scenario *scenario, struct arena *arena,
               struct lint_findings *findings) {
    struct lint lint = {.scenario = scenario,
                        .document = document,
                        .root = document->root,
                        .is_variant = variant != NULL,
                        .arena = arena};
    const struct item *variants = tree_find(document->root, "variants");
    *findings = (struct lint_findings){0};
    lint.findings = findings;
    if (variant != NULL) {
        struct blames blames = {.total = 0};
        assert(variants != NULL);
        lint.root = override_variant(&document->arena, &blames, document->root,
                                     tree_find(variants->value, variant));
    }
    if (!find_calls(&lint)) {
        return false;
    }
    for (size_t i = 0; i < lint_rule_count(); i++) {
        lint.rule = &rules[i];
        functions[i](&lint);
    }
    if (findings->count > 1) {
        qsort(findings->list, findings->count, sizeof *findings->list, compare);
    }
    return !lint.failed;
}
