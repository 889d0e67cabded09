/* rules.c: what the rules of lint share: findings and their places, words, and schedules. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lint/rules.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
