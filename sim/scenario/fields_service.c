/* fields_service.c: how a service is written: its workers, errors and calls. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "scenario/fields.h"
#include "scenario/value.h"

#define OF(member) offsetof(struct storm_service, member)

static row_reader errors_read, calls_read;

static const struct field_word full_words[] = {
    {"drop", 0, "no answer: the caller learns by its timeout"}, {NULL, 0, NULL}};
static const struct field error_item = {
    "errors", FIELD_SHARE, offsetof(struct storm_error_row, share),     NULL, 0,
    1,        NULL,        "of its answers, this share has that status"};

static const struct field error_key = {"status", FIELD_STATUS, 0,    NULL,
                                       400,      599,          NULL, "what is answered"};

static const struct row service_rows[] = {
    {.field = {"workers", FIELD_COUNT, OF(workers), "1", 1, UINT32_MAX, NULL,
               "attempts served at the same time"},
     .live = true},
    {.field = {"service_time", FIELD_DIST, OF(service_time), "0s", 0, 0, NULL,
               "how long the service's own work takes"},
     .inner = &dist_shape,
     .live = true},
    {.field = {"sharing", FIELD_BOOL, OF(sharing), "false", 0, 0, NULL,
               "all attempts are served at once and share the workers"}},
    {.field = {"queue", FIELD_MAP, 0, "", 0, 0, NULL, "where attempts wait for a worker"},
     .inner = &queue_shape,
     .live = true,
     .example = "{limit: 100, order: fifo}"},
    {.field = {"on_full", FIELD_STATUS, OF(on_full), "503", 400, 599, full_words,
               "status when the queue is full; drop: no answer at all"},
     .live = true},
    {.field = {"on_full_retry_after", FIELD_DURATION, OF(full_retry_after), "none", SHORTEST,
               HUGE_VAL, NULL, "what a refusal by a full queue says about when to come back"},
     .live = true},
    {.field = {"reject_time", FIELD_DURATION, OF(reject_time), "0s", 0, LONGEST, NULL,
               "what a refusal costs: the next attempt starts that much later"},
     .live = true},
    {.field = {"rate_limit", FIELD_MAP, 0, "", 0, 0, NULL, "refuses what comes faster than a rate"},
     .inner = &rate_limit_shape,
     .live = true,
     .example = "{rate: 100/s, burst: 20}"},
    {.field = {"slowdown", FIELD_MAP, 0, "", 0, 0, NULL, "what others in service cost an attempt"},
     .inner = &slowdown_shape,
     .live = true,
     .example = "{per_concurrent: 1%}"},
    {.field = {"optimistic_lock", FIELD_BOOL, OF(optimistic_lock), "false", 0, 0, NULL,
               "a write succeeds if the version read before is current, else 409"}},
    {.field = {"idempotency", FIELD_WORD, OF(idempotency.mode), "", 0, 0, idempotency_mode_words,
               "its side effects are counted, and how it keeps them from happening twice"},
     .read = idempotency_read,
     .inner = &idempotency_shape,
     .example = "{mode: store_and_return, key: msg_id}"},
    {.field = {"errors", FIELD_MAP, 0, "", 0, STORM_ERROR_ROWS_MAX, NULL,
               "its own errors: {503: 1%}"},
     .read = errors_read,
     .item = &error_item,
     .keys = &error_key,
     .form = FORM_NAMES,
     .live = true,
     .example = "{503: 1%}"},
    {.field = {"errors_before", FIELD_BOOL, OF(errors_before), "false", 0, 0, NULL,
               "its own errors are decided before the work, not after"}},
    {.field = {"calls", FIELD_MAP, 0, "", 0, STORM_EDGES_MAX, NULL,
               "whom it calls after its own work, in order"},
     .read = calls_read,
     .inner = &edge_shape,
     .form = FORM_LIST,
     .example = "[{to: db, timeout: 1s}]"},
    {.field = {"fan_out", FIELD_BOOL, OF(fan_out), "false", 0, 0, NULL,
               "its calls begin all at once; the first failure is the answer"}},
    {.field = {"hold", FIELD_BOOL, OF(hold), "true", 0, 0, NULL,
               "a worker is held while its attempt waits for the service's own calls"}},
    {.field = {"crash", FIELD_MAP, 0, "", 0, 0, NULL, "overload that knocks it down"},
     .inner = &crash_shape,
     .example = "{when: {offered: 4x, for: 1s}, down_for: 10s}"},
    {.field = {"recovery", FIELD_MAP, 0, "", 0, 0, NULL,
               "how its capacity comes back after an outage"},
     .inner = &recovery_shape,
     .example = "{time: 20s, from: 10%}"},
    {.field = {.key = NULL}},
};
const struct shape service_shape = {.rows = service_rows, .name = "service"};

/* ---- errors ---------------------------------------------------------------------------------- */

/* A status that a service may fail with, or 0. */
static uint16_t status_of(const char *text) {
    double value;
    if (storm_unit_parse(text, STORM_UNIT_COUNT, &value, NULL, 0) != NULL)
        return 0;
    return (uint16_t)(value >= 400 && value <= 599 ? value : 0);
}

static void errors_read(struct reader *reader, const struct trail *trail, const struct node *node,
                        void *target) {
    struct storm_service *service = target;
    double total = 0;
    assert(service->error_count == 0);
    if (node == NULL)
        return;
    if (node->kind != NODE_MAP) {
        reader_refuse(reader, trail, node, "a map of statuses", "write errors: {503: 10%}");
        return;
    }
    if (node->count > STORM_ERROR_ROWS_MAX) {
        blame(reader->errors, trail, trail->place, NULL, "more than %d statuses",
              STORM_ERROR_ROWS_MAX);
        return;
    }
    for (uint32_t i = 0; i < node->count; i++) {
        const struct item *item = &node->items[i];
        struct trail here = trail_item(trail, item);
        struct storm_error_row *row = &service->errors[service->error_count];
        row->status = status_of(item->key);
        if (row->status == 0)
            blame(reader->errors, &here, item->place, "write errors: {503: 10%}",
                  "is not a status of an error, 400 to 599");
        if (!value_read(reader, &here, item->value, &error_item, row))
            continue;
        total += row->share;
        service->error_count++;
    }
    if (total > 1 + 1e-9)
        blame(reader->errors, trail, trail->place, NULL, "the shares come to more than 100%%");
}

/* ---- calls ----------------------------------------------------------------------------------- */

static void calls_read(struct reader *reader, const struct trail *trail, const struct node *node,
                       void *target) {
    struct storm_scenario *scenario = reader->scenario;
    struct storm_service *service = target;
    assert(scenario->call_count <= reader->call_room && service->call_count == 0);
    service->call_first = scenario->call_count;
    if (node == NULL)
        return;
    if (node->kind != NODE_LIST) {
        reader_refuse(reader, trail, node, "a list of calls", "write calls: [{to: SERVICE}]");
        return;
    }
    if (node->count > reader->call_room - scenario->call_count) {
        blame(reader->errors, trail, trail->place, NULL, "more than %d calls in all",
              STORM_EDGES_MAX);
        return;
    }
    for (uint32_t i = 0; i < node->count; i++) {
        struct trail here = trail_index(trail, i, &node->items[i]);
        uint32_t index = scenario->call_count++;
        edge_read(reader, &here, node->items[i].value, &scenario->calls[index]);
        const struct item *to = tree_find(node->items[i].value, "to");
        reader->call_places[index] = to != NULL ? to->value->place : here.place;
    }
    service->call_count = node->count;
}

/* ---- services -------------------------------------------------------------------------------- */

/* Ways of serving that do not go together. */
static void serving_judge(struct reader *reader, const struct trail *trail, const struct node *node,
                          const struct storm_service *service) {
    assert(service->call_count <= STORM_EDGES_MAX);
    if (service->optimistic_lock && service->call_count > 0)
        decode_blame(reader, trail, node, "optimistic_lock",
                     "give the service that writes no calls of its own", "does not go with calls");
    if (!service->sharing)
        return;
    if (service->order == STORM_ORDER_LIFO)
        decode_blame(reader, trail, node, "sharing", "take the queue's order out",
                     "where all are served at once, nobody waits in order");
    if (service->drop_expired)
        decode_blame(reader, trail, node, "sharing", "take drop_expired out",
                     "where all are served at once, nobody waits to be dropped");
    if (service->workers == STORM_UNLIMITED)
        decode_blame(reader, trail, node, "sharing", "give the service a number of workers",
                     "unlimited workers need not be shared");
}

/* Settings that make no sense together. `node` is the service's map. */
static void service_judge(struct reader *reader, const struct trail *trail, const struct node *node,
                          const struct storm_service *service) {
    const struct item *crash = tree_find(node, "crash");
    const struct item *recovery = tree_find(node, "recovery");
    assert(node->kind == NODE_MAP && service->workers > 0); /* it was read without an error */
    bool unlimited = service->workers == STORM_UNLIMITED;
    double capacity = storm_service_capacity(service);
    serving_judge(reader, trail, node, service);
    if (service->on_full == 0 && service->full_retry_after < STORM_NEVER)
        decode_blame(reader, trail, node, "on_full_retry_after",
                     "write on_full: 503, or take it out",
                     "is not said by a service that drops attempts without a word");
    if (unlimited && recovery != NULL && service->recovery_time > 0) {
        struct trail here = trail_item(trail, recovery);
        blame(reader->errors, &here, recovery->place, "give the service a number of workers",
              "unlimited workers have no capacity to recover");
    }
    if (crash == NULL)
        return;
    struct trail here = trail_item(trail, crash);
    double arrivals =
        service->crash_offered * capacity * storm_time_to_seconds(service->crash_window);
    if (service->crash_when == STORM_CRASH_OFFERED && (isinf(capacity) || capacity <= 0))
        blame(reader->errors, &here, crash->place,
              "give the service a number of workers and a service_time",
              "a service without a capacity is never offered too much");
    else if (service->crash_when == STORM_CRASH_OFFERED && arrivals > STORM_CRASH_ARRIVALS_MAX)
        blame(reader->errors, &here, crash->place, "lower offered, for, or the workers",
              "would have to remember %.0f arrivals; at most %d can be", arrivals,
              STORM_CRASH_ARRIVALS_MAX);
    else if (service->crash_when == STORM_CRASH_QUEUE_FULL &&
             (unlimited || service->queue_limit == STORM_UNLIMITED))
        blame(reader->errors, &here, crash->place, "give the service workers and a queue limit",
              "its queue is never full");
}

static void service_read(struct reader *reader, const struct trail *trail, const struct item *item,
                         struct storm_service *service) {
    uint32_t before = reader->errors->total;
    *service = (struct storm_service){.name = item->key};
    decode_name(reader, trail, item);
    decode_map(reader, trail, item->value, &service_shape, service);
    if (reader->errors->total == before)
        service_judge(reader, trail, item->value, service);
}

/* Takes room for the calls of all services, at most as many as there may be. */
static bool calls_reserve(struct reader *reader, const struct node *services) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < services->count; i++) {
        const struct item *calls = tree_find(services->items[i].value, "calls");
        if (calls != NULL && calls->value->kind == NODE_LIST && count < STORM_EDGES_MAX)
            count += calls->value->count;
    }
    uint32_t others = reader->scenario->population_count + reader_count_names(reader->consumers);
    uint32_t most = others < STORM_EDGES_MAX ? STORM_EDGES_MAX - others : 0;
    reader->call_room = count < most ? count : most;
    if (count == 0)
        return true;
    reader->scenario->calls = reader_take(reader, count, sizeof *reader->scenario->calls);
    if (reader->scenario->calls == NULL)
        return false;
    reader->call_places = reader_take(reader, count, sizeof *reader->call_places);
    return reader->call_places != NULL;
}

void services_read(struct reader *reader, const struct trail *trail, const struct node *node,
                   void *target) {
    struct storm_scenario *scenario = target;
    assert(scenario == reader->scenario);
    if (node == NULL)
        return;
    if (node->kind != NODE_MAP || node->count == 0) {
        reader_refuse(reader, trail, node, "a map of services by name",
                      "services: {api: {workers: 10, service_time: 20ms}}");
        return;
    }
    uint32_t queues = reader_count_names(reader->queues);
    if (node->count > STORM_SERVICES_MAX || queues > STORM_SERVICES_MAX - node->count) {
        blame(reader->errors, trail, trail->place, NULL, "more than %d services%s",
              STORM_SERVICES_MAX, node->count > STORM_SERVICES_MAX ? "" : ", queues included");
        return;
    }
    scenario->services =
        reader_take(reader, (size_t)node->count + queues, sizeof *scenario->services);
    if (scenario->services == NULL || !calls_reserve(reader, node))
        return;
    scenario->service_count = node->count;
    for (uint32_t i = 0; i < node->count; i++) {
        struct trail here = trail_item(trail, &node->items[i]);
        service_read(reader, &here, &node->items[i], &scenario->services[i]);
    }
}
