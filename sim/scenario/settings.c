/* settings.c: every effective setting of a decoded scenario as path and text. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The order is that of the tables. What changes no number is left out (title, question, story,
   expect), and so are seed and runs, which a result carries beside its settings. */

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <retrystorm/load.h>

#include "base/timestamp.h"
#include "policy/registry.h"
#include "scenario/document.h"
#include "scenario/epoch.h"
#include "scenario/fields.h"
#include "scenario/flow.h"
#include "scenario/value.h"
#include "scenario/writer.h"

/* ---- policies and calls ---------------------------------------------------------------------- */

/* A brake has the keys of its kind only. */
static void brake_add(struct writer *writer, const struct trail *up, const struct row *row,
                      const struct storm_policy *policy) {
    const struct field *fields = row->inner->more;
    struct trail here = {.up = up, .key = row->field.key};
    if (row->inner == &hedge_shape) {
        if (policy->hedge.attempts > 1)
            map_add(writer, &here, row->inner, policy, no_special);
        return;
    }
    assert(strcmp(fields->key, "kind") == 0);
    int kind = *(const int *)((const char *)policy + fields->offset);
    for (const struct field *field = fields; field->key != NULL; field++) {
        if (brake_has(row->inner, kind, field->key))
            field_add(writer, &here, field, policy);
    }
}

static void policy_special(struct writer *writer, const struct trail *up, const char *key,
                           const void *target) {
    const struct storm_policy *policy = target;
    bool is_start = strcmp(key, "delay") == 0 || strcmp(key, "preset") == 0;
    const struct row *row = shape_row(&policy_shape, key);
    assert(row != NULL);
    if (is_start) {
        bool is_headline = policy_headline_find(policy->headline) != NULL;
        if (is_headline == (strcmp(key, "delay") == 0))
            text_add(writer, up, key, policy->headline);
        return;
    }
    if (row->inner != NULL) {
        brake_add(writer, up, row, policy);
        return;
    }
    struct flow list = {.arena = writer->arena};
    char status[VALUE_MAX];
    flow_add(&list, "[");
    for (uint32_t i = 0; i < policy->class_count; i++) {
        const struct storm_class_row *class = &policy->classes[i];
        assert(class->class <= STORM_CLASS_RETRY_HINTED);
        if (strcmp(key, class_keys[class->class]) != 0)
            continue;
        flow_add(&list, list.used > 1 ? ", " : "");
        flow_add(&list, value_print(&class_item, class, status, sizeof status));
    }
    flow_add(&list, "]");
    flow_setting(writer, up, key, &list);
}

static void policy_add(struct writer *writer, const struct trail *here,
                       const struct storm_policy *policy) {
    map_add(writer, here, &policy_shape, policy, policy_special);
}

static void edge_special(struct writer *writer, const struct trail *up, const char *key,
                         const void *target) {
    const struct storm_edge *edge = target;
    struct trail here = {.up = up, .key = key};
    assert(edge->policy < writer->scenario->policy_count);
    const struct storm_policy *policy = &writer->scenario->policies[edge->policy];
    if (strcmp(key, "to") == 0)
        setting_add(writer, &here, edge->to_name);
    else if (edge->policy < writer->named_policies)
        setting_add(writer, &here, policy->name);
    else
        policy_add(writer, &here, policy);
}

void edge_add(struct writer *writer, const struct trail *here, const struct storm_edge *edge) {
    map_add(writer, here, &edge_shape, edge, edge_special);
}

/* ---- services and faults --------------------------------------------------------------------- */

static void crash_special(struct writer *writer, const struct trail *up, const char *key,
                          const void *target) {
    const struct storm_service *service = target;
    assert(strcmp(key, "when") == 0);
    if (service->crash_when == STORM_CRASH_QUEUE_FULL)
        text_add(writer, up, key, "queue_full");
    else
        inner_add(writer, up, inner_of(&service_shape, "crash"), key, target, no_special);
}

static void rate_limit_special(struct writer *writer, const struct trail *up, const char *key,
                               const void *target) {
    const struct storm_service *service = target;
    if (strcmp(key, "ban") == 0) {
        if (service->ban.strikes > 0)
            inner_add(writer, up, &rate_limit_shape, key, target, no_special);
        return;
    }
    assert(strcmp(key, "retry_after") == 0);
    if (service->retry_after == STORM_RETRY_AFTER_CONSTANT)
        number_add(writer, up, key, FIELD_DURATION,
                   storm_time_to_seconds(service->retry_after_time));
    else
        text_add(writer, up, key,
                 service->retry_after == STORM_RETRY_AFTER_NONE ? "none" : "personal");
}

static void idempotency_special(struct writer *writer, const struct trail *up, const char *key,
                                const void *target) {
    const struct storm_idempotency *idempotency = target;
    assert(strcmp(key, "in_progress") == 0);
    text_add(writer, up, key, idempotency->in_progress_waits ? "wait" : "409");
}

static void service_special(struct writer *writer, const struct trail *up, const char *key,
                            const void *target) {
    const struct storm_service *service = target;
    struct trail here = {.up = up, .key = key};
    if (strcmp(key, "errors") == 0) {
        for (uint32_t i = 0; i < service->error_count; i++) {
            char status[16];
            snprintf(status, sizeof status, "%u", (unsigned)service->errors[i].status);
            number_add(writer, &here, status, FIELD_SHARE, service->errors[i].share);
        }
    } else if (strcmp(key, "calls") == 0) {
        for (uint32_t i = 0; i < service->call_count; i++) {
            struct trail call = {.up = &here, .index = i};
            edge_add(writer, &call, &writer->scenario->calls[service->call_first + i]);
        }
    } else if (strcmp(key, "crash") == 0) {
        if (service->crash_when != STORM_CRASH_NEVER)
            inner_add(writer, up, &service_shape, key, target, crash_special);
    } else if (strcmp(key, "idempotency") == 0) {
        if (service->idempotency.counted)
            map_add(writer, &here, &idempotency_shape, &service->idempotency, idempotency_special);
    } else if (strcmp(key, "rate_limit") == 0) {
        if (service->limit_rate > 0)
            inner_add(writer, up, &service_shape, key, target, rate_limit_special);
    } else {
        inner_add(writer, up, &service_shape, key, target, no_special);
    }
}

static void message_queue_special(struct writer *writer, const struct trail *up, const char *key,
                                  const void *target) {
    const struct storm_queue *queue = target;
    assert(strcmp(key, "order") == 0);
    text_add(writer, up, key, queue->fifo ? "fifo" : "any");
}

/* A fault has the keys of its kind only. */
static void fault_add(struct writer *writer, const struct trail *here,
                      const struct storm_fault *fault) {
    text_add(writer, here, "service", writer->scenario->services[fault->service].name);
    for (const struct row *row = fault_shape.rows; row->field.key != NULL; row++) {
        if (row->read == NULL && fault_has(fault->kind, row->field.key))
            field_add(writer, here, &row->field, fault);
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void policies_add(struct writer *writer, const struct trail *top) {
    struct trail policies = {.up = top, .key = "policies"};
    assert(writer->named_policies <= writer->scenario->policy_count);
    for (uint32_t i = 0; i < writer->named_policies; i++) {
        struct trail here = {.up = &policies, .key = writer->scenario->policies[i].name};
        policy_add(writer, &here, &writer->scenario->policies[i]);
    }
}

/* Clients, and then the consumers behind them. */
static void populations_add(struct writer *writer, const struct trail *top) {
    struct trail clients = {.up = top, .key = "clients"};
    struct trail consumers = {.up = top, .key = "consumers"};
    for (uint32_t i = 0; i < writer->scenario->population_count; i++) {
        const struct storm_population *population = &writer->scenario->populations[i];
        struct trail here = {.up = storm_is_consumer(population) ? &consumers : &clients,
                             .key = population->name};
        population_add(writer, &here, population);
    }
}

/* A queue is written as a queue, not as the service at its place. */
static void services_add(struct writer *writer, const struct trail *top) {
    const struct storm_scenario *scenario = writer->scenario;
    struct trail services = {.up = top, .key = "services"};
    struct trail queues = {.up = top, .key = "queues"};
    for (uint32_t i = 0; i < scenario->service_count; i++) {
        const struct storm_service *service = &scenario->services[i];
        uint32_t queue = storm_queue_at(scenario, i);
        bool is_queue = queue != STORM_NONE;
        struct trail here = {.up = is_queue ? &queues : &services, .key = service->name};
        if (is_queue)
            map_add(writer, &here, &message_queue_shape, &scenario->queues[queue],
                    message_queue_special);
        else
            map_add(writer, &here, &service_shape, service, service_special);
    }
}

static void events_add(struct writer *writer, const struct trail *top) {
    const struct storm_scenario *scenario = writer->scenario;
    struct trail faults = {.up = top, .key = "faults"};
    struct trail actions = {.up = top, .key = "actions"};
    for (uint32_t i = 0; i < scenario->fault_count; i++) {
        struct trail here = {.up = &faults, .index = i};
        fault_add(writer, &here, &scenario->faults[i]);
    }
    for (uint32_t i = 0; i < scenario->action_count; i++) {
        struct trail here = {.up = &actions, .index = i};
        action_add(writer, &here, &scenario->actions[i]);
    }
}

size_t storm_document_settings(struct storm_document *document,
                               const struct storm_scenario *scenario,
                               const struct storm_setting **settings) {
    assert(document != NULL && scenario != NULL);
    assert(settings != NULL);
    const struct decoded *decoded = (const struct decoded *)scenario; /* it is the first member */
    struct writer writer = {
        .arena = &document->arena, .scenario = scenario, .named_policies = decoded->named_policies};
    struct trail top = {.up = NULL};
    char epoch[TIMESTAMP_SIZE];
    text_add(&writer, &top, "version", "1");
    field_add(&writer, &top, &shape_row(&scenario_shape, "duration")->field, scenario);
    text_add(&writer, &top, "epoch", epoch_print(scenario->epoch, epoch));
    policies_add(&writer, &top);
    populations_add(&writer, &top);
    services_add(&writer, &top);
    letters_add(&writer, &top);
    events_add(&writer, &top);
    *settings = writer.list;
    return writer.is_full ? 0 : writer.count;
}
