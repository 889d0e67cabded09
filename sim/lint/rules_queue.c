/* rules_queue.c: message queues: what comes back, how soon, and how often. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "lint/rules.h"

/* Calls `look` for each queue with the call of its consumers. */
static void each_queue(struct lint *lint,
                       void (*look)(struct lint *lint, const struct storm_queue *queue,
                                    const struct lint_call *call)) {
    for (uint32_t i = 0; i < lint->service_calls; i++) {
        const struct storm_population *population = lint->calls[i].population;
        assert(population != NULL);
        if (storm_is_consumer(population)) {
            look(lint, &lint->scenario->queues[population->queue], &lint->calls[i]);
        }
    }
}

static const char *name_of(const struct lint *lint, const struct storm_queue *queue) {
    return lint->scenario->services[queue->service].name;
}

/* Whether a failing message comes back as often as it likes. */
static bool is_endless(const struct storm_queue *queue, const struct lint_call *call) {
    bool is_bounded = queue->max_receives != STORM_UNLIMITED;
    switch (call->population->retries) {
    case STORM_RETRIES_IN_PLACE:
        return lint_is_endless(call->policy) && call->edge->deadline >= STORM_NEVER;
    case STORM_RETRIES_REQUEUE:
        return lint_is_endless(call->policy) && !is_bounded;
    case STORM_RETRIES_LEASE:
        return !is_bounded;
    }
    return false;
}

/* ---- R016, R022 ------------------------------------------------------------------------------ */

static void look_for_poison(struct lint *lint, const struct storm_queue *queue,
                            const struct lint_call *call) {
    char path[STORM_PATH_MAX + 16];
    snprintf(path, sizeof path, "%s.retry_on", call->policy_path);
    for (uint32_t i = 0; i < call->policy->class_count && is_endless(queue, call); i++) {
        const struct storm_class_row *row = &call->policy->classes[i];
        if (row->class != STORM_CLASS_RETRY || !storm_outcome_is_data(row->status)) {
            continue;
        }
        lint_add(lint, LINT_WARNING, path,
                 call->population->retries == STORM_RETRIES_IN_PLACE
                     ? "'%s' never gives up on a message that gets a %u: it holds the worker"
                     : "'%s' never gives up on a message that gets a %u: it comes back for ever",
                 call->caller, row->status);
        return;
    }
}

void lint_rule_poison(struct lint *lint) { each_queue(lint, look_for_poison); }

/* The first clients that put lethal messages into a queue; NULL: none do. */
static const struct storm_population *lethal_senders(const struct lint *lint, uint32_t service) {
    for (uint32_t i = 0; i < lint->scenario->population_count; i++) {
        const struct storm_population *population = &lint->scenario->populations[i];
        if (population->lethal > 0 && population->call.to == service) {
            return population;
        }
    }
    return NULL;
}

static void look_at_receives(struct lint *lint, const struct storm_queue *queue,
                             const struct lint_call *call) {
    const struct storm_population *senders = lethal_senders(lint, queue->service);
    bool is_unbounded = queue->max_receives == STORM_UNLIMITED;
    char path[STORM_PATH_MAX];
    if (senders != NULL && (is_unbounded || queue->count_on == STORM_COUNT_FAILURES)) {
        snprintf(path, sizeof path, "queues.%.100s.%s", name_of(lint, queue),
                 is_unbounded ? "max_receives" : "count_on");
        lint_add(lint, LINT_WARNING, path,
                 is_unbounded ? "a lethal message of '%s' crashes one of '%s' after the other: "
                                "nothing ends its deliveries"
                              : "a lethal message of '%s' crashes one of '%s' after the other: "
                                "deliveries that end in a crash do not count",
                 senders->name, call->caller);
    } else if (call->population->retries != STORM_RETRIES_IN_PLACE && is_endless(queue, call)) {
        snprintf(path, sizeof path, "queues.%.100s.max_receives", name_of(lint, queue));
        lint_add(
            lint, LINT_WARNING, path,
            "a message that '%s' cannot handle comes back for ever, and is never a dead letter",
            call->caller);
    }
}

void lint_rule_receives(struct lint *lint) { each_queue(lint, look_at_receives); }

/* ---- R017, R018 ------------------------------------------------------------------------------ */

/* What a worker may do with one message before it settles it. */
static double handling(struct lint *lint, const struct lint_call *call) {
    double attempt = storm_time_to_seconds(lint_patience(call->edge));
    return call->population->retries == STORM_RETRIES_IN_PLACE ? lint_longest(lint, call) : attempt;
}

static void look_at_visibility(struct lint *lint, const struct storm_queue *queue,
                               const struct lint_call *call) {
    double visibility = storm_time_to_seconds(queue->visibility);
    double longest = handling(lint, call);
    uint32_t prefetch = call->population->prefetch;
    bool is_endless = isinf(longest);
    char path[STORM_PATH_MAX], shown[LINT_WORDS], seen[LINT_WORDS], times[LINT_WORDS] = "";
    if (isinf(visibility) || (is_endless && lint_patience(call->edge) >= STORM_NEVER) ||
        longest * prefetch <= visibility) {
        return;
    }
    snprintf(path, sizeof path, "queues.%.100s.visibility", name_of(lint, queue));
    if (prefetch > 1) {
        snprintf(times, sizeof times, ", and holds %u of them", prefetch);
    }
    lint_add(lint, LINT_WARNING, path,
             "a message comes back after %s, but '%s' may be busy with it %s%s%s",
             lint_seconds(visibility, seen), call->caller, is_endless ? "" : "for ",
             is_endless ? "for ever" : lint_seconds(longest, shown), times);
}

void lint_rule_visibility(struct lint *lint) { each_queue(lint, look_at_visibility); }

static void look_at_countdown(struct lint *lint, const struct storm_queue *queue,
                              const struct lint_call *call) {
    double visibility = storm_time_to_seconds(queue->visibility), longest = 0;
    char shown[LINT_WORDS], seen[LINT_WORDS];
    if (call->population->retries != STORM_RETRIES_REQUEUE || !lint_retries(call->policy)) {
        return;
    }
    const struct schedule *schedule = lint_schedule(lint, call->policy);
    for (uint32_t i = 0; schedule != NULL && i < schedule->count; i++) {
        longest = fmax(longest, schedule->delays[i].high);
    }
    if (longest > visibility) {
        lint_add(lint, LINT_NOTE, call->policy_path,
                 "'%s' puts a message back with a countdown of up to %s, beyond the visibility of "
                 "%s",
                 call->caller, lint_seconds(longest, shown), lint_seconds(visibility, seen));
    }
}

void lint_rule_countdown(struct lint *lint) { each_queue(lint, look_at_countdown); }

/* ---- R028 ------------------------------------------------------------------------------------ */

void lint_rule_lethal(struct lint *lint) {
    for (uint32_t i = 0; i < lint->scenario->population_count; i++) {
        const struct storm_population *population = &lint->scenario->populations[i];
        char path[STORM_PATH_MAX];
        if (population->lethal > 0 &&
            storm_queue_at(lint->scenario, population->call.to) == STORM_NONE) {
            snprintf(path, sizeof path, "clients.%.100s.message.lethal", population->name);
            lint_add(lint, LINT_NOTE, path,
                     "'%s' calls a service: its lethal messages crash nobody", population->name);
        }
    }
}
