/* lint.c: the table of rules, and the walk through them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lint/lint.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
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

/* ---- places ---------------------------------------------------------------------------------- */

static const struct item *child_of(const struct node *node, const char *name, size_t length) {
    for (uint32_t i = 0; node->kind == NODE_MAP && i < node->count; i++) {
        const struct item *item = &node->items[i];
        if (strlen(item->key) == length && strncmp(item->key, name, length) == 0) {
            return item;
        }
    }
    if (node->kind == NODE_LIST) {
        uint32_t index = (uint32_t)strtoul(name, NULL, 10);
        return index < node->count ? &node->items[index] : NULL;
    }
    return NULL;
}

/* The place of the setting of a path, or of the last one above it that is written. */
static struct place place_of(const struct node *root, const char *path) {
    struct place place = root->place;
    const struct node *node = root;
    for (const char *name = path; *name != '\0' && node != NULL;) {
        size_t length = tree_name_length(node, name);
        const struct item *item = child_of(node, name, length);
        place = item != NULL ? item->place : place;
        node = item != NULL ? item->value : NULL;
        name += length + (name[length] == '.');
    }
    return place;
}

/* ---- findings -------------------------------------------------------------------------------- */

void lint_add(struct lint *lint, enum lint_severity severity, const char *path, const char *format,
              ...) {
    struct lint_findings *findings = lint->findings;
    assert(lint->rule != NULL && findings->count <= lint->room);
    if (findings->count == lint->room) {
        size_t room = lint->room * 2 + 16;
        struct lint_finding *grown =
            arena_grow_array(lint->arena, findings->list, findings->count, room, sizeof *grown);
        if (grown == NULL) {
            lint->failed = true;
            return;
        }
        findings->list = grown;
        lint->room = room;
    }
    struct lint_finding *finding = &findings->list[findings->count++];
    struct place place = place_of(lint->root, path);
    *finding = (struct lint_finding){.rule = lint->rule,
                                     .severity = severity,
                                     .line = place.line,
                                     .column = place.line > 0 ? place.column : 0};
    snprintf(finding->path, sizeof finding->path, "%s", path);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(finding->message, sizeof finding->message, format, arguments);
    va_end(arguments);
}

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

/* ---- words ----------------------------------------------------------------------------------- */

static double rounded(double value) {
    double unit = 1e-9;
    while (unit * 1000 <= value * (1 + 1e-12)) {
        unit *= 10;
    }
    return floor(value / unit + 0.5) * unit;
}

const char *lint_seconds(double seconds, char *buffer) {
    assert(seconds >= 0);
    return storm_time_print(storm_time_from_seconds(rounded(fmin(seconds, 1e9))), buffer,
                            LINT_WORDS);
}

const char *lint_rate(double rate, char *buffer) {
    char number[LINT_WORDS];
    double shown = floor(rate * 1000 + 0.5) / 1000;
    assert(rate >= 0);
    snprintf(buffer, LINT_WORDS, "%s/s",
             storm_double_print(rate < 100 ? shown : floor(rate + 0.5), number, sizeof number));
    return buffer;
}

storm_time lint_patience(const struct storm_edge *edge) {
    storm_time timeout = storm_edge_timeout(edge);
    return timeout < edge->deadline ? timeout : edge->deadline;
}

bool lint_retries(const struct storm_policy *policy) { return policy->attempts > 1; }

bool lint_is_endless(const struct storm_policy *policy) {
    return policy->attempts == STORM_ATTEMPTS_UNLIMITED && policy->total_time >= STORM_NEVER &&
           policy->persist >= 1;
}

const char *lint_map_of(const struct storm_population *population) {
    return storm_is_consumer(population) ? "consumers" : "clients";
}

const struct schedule *lint_schedule(struct lint *lint, const struct storm_policy *policy) {
    struct schedule **schedule = &lint->schedules[policy - lint->scenario->policies];
    uint32_t retries = policy->attempts - 1;
    assert(lint_retries(policy));
    if (*schedule != NULL) {
        return *schedule;
    }
    *schedule = arena_take(lint->arena, sizeof **schedule);
    if (*schedule == NULL ||
        !schedule_make(*schedule, policy,
                       retries < SCHEDULE_RETRIES_MAX ? retries : SCHEDULE_RETRIES_MAX)) {
        lint->failed = true;
        *schedule = NULL;
    }
    return *schedule;
}

double lint_longest(struct lint *lint, const struct lint_call *call) {
    const struct storm_policy *policy = call->policy;
    double attempt = storm_time_to_seconds(storm_edge_timeout(call->edge));
    double deadline = storm_time_to_seconds(call->edge->deadline), time = attempt;
    if (!lint_retries(policy)) {
        return fmin(time, deadline);
    }
    const struct schedule *schedule = lint_schedule(lint, policy);
    if (schedule == NULL) {
        return 0;
    }
    bool is_endless = policy->attempts == STORM_ATTEMPTS_UNLIMITED;
    double retries = is_endless ? HUGE_VAL : policy->attempts - 1;
    double beyond = retries - schedule->count;
    double last = schedule->delays[schedule->count - 1].mean;
    time += schedule_sum(schedule, schedule->count, 0).mean;
    time += attempt > 0 ? retries * attempt : 0;
    time += beyond > 0 && last > 0 ? beyond * last : 0;
    time = fmin(time, storm_time_to_seconds(policy->total_time) + attempt);
    return fmin(time, deadline);
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
