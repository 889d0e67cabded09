/* rules_graph.c: what only the graph of calls can tell: multiplying layers, queues, demand. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lint/rules.h"

/* ---- R002 ------------------------------------------------------------------------------------ */

/* The most attempts that one attempt at a service can cause below it, and the call that leads
   there. */
struct deep {
    double attempts;              /* 0: not looked at yet */
    const struct lint_call *next; /* NULL: nothing below retries */
};

struct layers {
    struct lint *lint;
    struct deep *below; /* of each service */
};

static double tries(const struct lint_call *call) {
    bool is_endless = call->policy->attempts == STORM_ATTEMPTS_UNLIMITED;
    return is_endless ? HUGE_VAL : call->policy->attempts;
}

static double look_below(struct layers *layers, uint32_t service) {
    struct deep *deep = &layers->below[service];
    const struct storm_service *s = &layers->lint->scenario->services[service];
    if (deep->attempts > 0) {
        return deep->attempts;
    }
    deep->attempts = 1;
    for (uint32_t i = 0; i < s->call_count; i++) {
        const struct lint_call *call =
            &layers->lint->calls[layers->lint->service_calls + s->call_first + i];
        double attempts = tries(call) * look_below(layers, call->edge->to);
        if (attempts > deep->attempts) {
            *deep = (struct deep){attempts, call};
        }
    }
    return deep->attempts;
}

/* A text that grows until it is full. */
struct growing {
    char text[STORM_MESSAGE_MAX];
    size_t used;
};

static void grow(struct growing *growing, const char *before, const char *word) {
    if (growing->used + strlen(before) + strlen(word) + 1 < sizeof growing->text) {
        growing->used +=
            (size_t)snprintf(growing->text + growing->used, sizeof growing->text - growing->used,
                             "%s%s", before, word);
    }
}

static const struct lint_call *next_of(const struct layers *layers, const struct lint_call *call) {
    return layers->below[call->edge->to].next;
}

/* Tells a chain from its first layer that retries. `second` is the next one that does. */
static void tell_chain(struct layers *layers, const struct lint_call *first,
                       const struct lint_call *second) {
    struct growing path = {.used = 0}, factors = {.used = 0};
    char number[LINT_WORDS];
    double product = 1;
    grow(&path, "", first->caller);
    for (const struct lint_call *call = first; call != NULL; call = next_of(layers, call)) {
        grow(&path, " -> ", call->edge->to_name);
        snprintf(number, sizeof number, "%.0f", tries(call));
        grow(&factors, call == first ? "" : " x ", isinf(tries(call)) ? "unlimited" : number);
        product *= tries(call);
    }
    snprintf(number, sizeof number, "%.0f attempts", product);
    lint_add(layers->lint, LINT_WARNING, second->policy_path, "%s: %s = %s", path.text,
             factors.text, isinf(product) ? "attempts without bound" : number);
}

/* Follows the worst chain from a call of clients. Chains that join are told once. */
static void follow(struct layers *layers, const struct lint_call *call,
                   const struct lint_call **told, uint32_t *told_count) {
    const struct lint_call *first = NULL, *second = NULL;
    look_below(layers, call->edge->to);
    for (; call != NULL && second == NULL; call = next_of(layers, call)) {
        if (lint_retries(call->policy)) {
            second = first != NULL ? call : NULL;
            first = first != NULL ? first : call;
        }
    }
    if (second == NULL) {
        return;
    }
    for (uint32_t i = 0; i < *told_count; i++) {
        if (told[i]->edge == first->edge && told[i]->policy == first->policy) {
            return;
        }
    }
    told[(*told_count)++] = first;
    tell_chain(layers, first, second);
}

void lint_rule_layers(struct lint *lint) {
    uint32_t count = lint->scenario->service_count, told_count = 0;
    struct layers layers = {lint, arena_take_array(lint->arena, count, sizeof(struct deep))};
    const struct lint_call **told =
        arena_take_array(lint->arena, lint->call_count, sizeof(const struct lint_call *));
    if (layers.below == NULL || told == NULL) {
        lint->failed = true;
        return;
    }
    for (uint32_t i = 0; i < lint->service_calls; i++) {
        follow(&layers, &lint->calls[i], told, &told_count);
    }
}

/* ---- R003 ------------------------------------------------------------------------------------ */

/* The least patient caller whose attempts stay in the queue after it has given up; NULL: none. */
static const struct lint_call *least_patient(const struct lint *lint, uint32_t service) {
    const struct lint_call *least = NULL;
    for (uint32_t i = 0; i < lint->call_count; i++) {
        const struct lint_call *call = &lint->calls[i];
        bool stays = call->edge->to == service && call->edge->cancel == STORM_CANCEL_NONE &&
                     lint_patience(call->edge) < STORM_NEVER;
        if (stays && (least == NULL || lint_patience(call->edge) < lint_patience(least->edge))) {
            least = call;
        }
    }
    return least;
}

void lint_rule_queue(struct lint *lint) {
    for (uint32_t i = 0; i < lint->scenario->service_count; i++) {
        const struct storm_service *service = &lint->scenario->services[i];
        const struct lint_call *call = least_patient(lint, i);
        double capacity = storm_service_capacity(service);
        if (call == NULL || isinf(capacity) || service->drop_expired ||
            service->order == STORM_ORDER_LIFO) {
            continue;
        }
        double patience = storm_time_to_seconds(lint_patience(call->edge));
        char path[STORM_PATH_MAX], rate[LINT_WORDS], work[LINT_WORDS], waits[LINT_WORDS];
        snprintf(path, sizeof path, "services.%.100s.queue.limit", service->name);
        lint_rate(capacity, rate);
        lint_seconds(patience, waits);
        if (service->queue_limit == STORM_UNLIMITED) {
            lint_add(lint, LINT_WARNING, path,
                     "the queue of '%s' has no limit; beyond %.0f waiting attempts (%s x %s) '%s' "
                     "has given up before it is served",
                     service->name, floor(capacity * patience), rate, waits, call->caller);
        } else if (service->queue_limit / capacity > patience) {
            lint_add(lint, LINT_WARNING, path,
                     "%u waiting attempts are %s of work for '%s' (at %s), but '%s' waits only %s",
                     service->queue_limit, lint_seconds(service->queue_limit / capacity, work),
                     service->name, rate, call->caller, waits);
        }
    }
}

/* ---- R013 ------------------------------------------------------------------------------------ */

/* The births per second of a population that are there all the time, or from some time on for good;
   0: none are. */
static double steady_rate(const struct storm_population *population) {
    double least = HUGE_VAL;
    switch (population->arrival) {
    case STORM_ARRIVAL_POISSON:
    case STORM_ARRIVAL_EVEN:
        return population->rate;
    case STORM_ARRIVAL_EVERY:
        return population->count / storm_time_to_seconds(population->period);
    case STORM_ARRIVAL_RATE:
        for (uint32_t i = 0; i < population->point_count; i++) {
            least = fmin(least, population->points[i].rate);
        }
        return fmax(least, population->points[population->point_count - 1].rate);
    case STORM_ARRIVAL_AT:
    case STORM_ARRIVAL_CLOSED:
    case STORM_ARRIVAL_QUEUE:
        break;
    }
    return 0; /* once, or as fast as the service allows */
}

/* What is put into a queue goes on to the service that its consumers call; STORM_NONE: the
   service is no queue's place. */
static uint32_t behind_queue(const struct storm_scenario *scenario, uint32_t service) {
    uint32_t queue = storm_queue_at(scenario, service);
    return queue == STORM_NONE ? STORM_NONE
                               : scenario->populations[scenario->queues[queue].consumers].call.to;
}

/* Puts a service after all that it calls. */
static void order_services(const struct storm_scenario *scenario, uint32_t service, bool *seen,
                           uint32_t *order, uint32_t *count) {
    const struct storm_service *s = &scenario->services[service];
    if (seen[service]) {
        return;
    }
    seen[service] = true;
    for (uint32_t i = 0; i < s->call_count; i++) {
        order_services(scenario, scenario->calls[s->call_first + i].to, seen, order, count);
    }
    if (behind_queue(scenario, service) != STORM_NONE) {
        order_services(scenario, behind_queue(scenario, service), seen, order, count);
    }
    order[(*count)++] = service;
}

/* The requests per second that reach each service, without any retry. */
static bool find_demand(struct lint *lint, double *demand) {
    const struct storm_scenario *scenario = lint->scenario;
    bool *seen = arena_take_array(lint->arena, scenario->service_count, sizeof *seen);
    uint32_t *order = arena_take_array(lint->arena, scenario->service_count, sizeof *order);
    uint32_t count = 0;
    if (seen == NULL || order == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < scenario->service_count; i++) {
        order_services(scenario, i, seen, order, &count);
    }
    assert(count == scenario->service_count);
    for (uint32_t i = 0; i < scenario->population_count; i++) {
        demand[scenario->populations[i].call.to] += steady_rate(&scenario->populations[i]);
    }
    for (uint32_t i = count; i-- > 0;) {
        const struct storm_service *service = &scenario->services[order[i]];
        for (uint32_t j = 0; j < service->call_count; j++) {
            demand[scenario->calls[service->call_first + j].to] += demand[order[i]];
        }
        if (behind_queue(scenario, order[i]) != STORM_NONE) {
            demand[behind_queue(scenario, order[i])] += demand[order[i]];
        }
    }
    return true;
}

void lint_rule_demand(struct lint *lint) {
    uint32_t count = lint->scenario->service_count;
    double *demand = arena_take_array(lint->arena, count, sizeof *demand);
    if (demand == NULL || !find_demand(lint, demand)) {
        lint->failed = true;
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct storm_service *service = &lint->scenario->services[i];
        double capacity = storm_service_capacity(service);
        char path[STORM_PATH_MAX], wanted[LINT_WORDS], rate[LINT_WORDS];
        if (demand[i] > capacity) {
            snprintf(path, sizeof path, "services.%.100s.workers", service->name);
            lint_add(lint, LINT_WARNING, path, "%s reach '%s', which can serve %s",
                     lint_rate(demand[i], wanted), service->name, lint_rate(capacity, rate));
        }
        if (service->limit_rate > 0 && demand[i] > service->limit_rate) {
            snprintf(path, sizeof path, "services.%.100s.rate_limit.rate", service->name);
            lint_add(lint, LINT_WARNING, path, "%s reach '%s', which lets in %s",
                     lint_rate(demand[i], wanted), service->name,
                     lint_rate(service->limit_rate, rate));
        }
    }
}
