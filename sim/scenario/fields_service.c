/* fields_service.c: how a service is written: workers, queue, errors, calls, crash and recovery. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "scenario/fields.h"
#include "scenario/value.h"

#define OF(member) offsetof(struct storm_service, member)
#define LONGEST 1e9 /* seconds: about 30 years */
#define SHORTEST 1e-9

static row_reader errors_read, calls_read, when_read;

static const struct field_word order_words[] = {
    {"fifo", STORM_ORDER_FIFO}, {"lifo", STORM_ORDER_LIFO}, {NULL, 0}};
static const struct field_word outage_words[] = {
    {"hang", STORM_OUTAGE_HANG}, {"down", STORM_OUTAGE_DOWN}, {NULL, 0}};
static const struct field_word ramp_words[] = {
    {"linear", STORM_RAMP_LINEAR}, {"step", STORM_RAMP_STEP}, {NULL, 0}};

static const struct row queue_rows[] = {
    {{"limit", FIELD_COUNT, OF(queue_limit), "unlimited", 0, UINT32_MAX, NULL,
      "attempts that may wait, those in service not counted"},
     NULL,
     NULL},
    {{"order", FIELD_WORD, OF(order), "fifo", 0, 0, order_words, "who is served next"}, NULL, NULL},
    {{.key = NULL}, NULL, NULL},
};
static const struct shape queue_shape = {queue_rows, NULL};

static const struct row offered_rows[] = {
    {{"offered", FIELD_FACTOR, OF(crash_offered), NULL, 1e-3, 1e6, NULL,
      "arrivals beyond this multiple of capacity ..."},
     NULL,
     NULL},
    {{"for", FIELD_DURATION, OF(crash_window), NULL, 1e-3, 3600, NULL,
      "... over any window of this length"},
     NULL,
     NULL},
    {{.key = NULL}, NULL, NULL},
};
static const struct shape offered_shape = {offered_rows, NULL};

static const struct row crash_rows[] = {
    {{"when", FIELD_TEXT, 0, NULL, 0, 0, NULL, "queue_full, or {offered: 4x, for: 1s}"},
     when_read,
     &offered_shape},
    {{"kind", FIELD_WORD, OF(crash_kind), "hang", 0, 0, outage_words,
      "down refuses at once, hang never answers"},
     NULL,
     NULL},
    {{"down_for", FIELD_DURATION, OF(crash_down_for), NULL, SHORTEST, LONGEST, NULL,
      "how long it is away"},
     NULL,
     NULL},
    {{.key = NULL}, NULL, NULL},
};
static const struct shape crash_shape = {crash_rows, NULL};

static const struct row recovery_rows[] = {
    {{"time", FIELD_DURATION, OF(recovery_time), NULL, 0, LONGEST, NULL,
      "how long after an outage until full capacity"},
     NULL,
     NULL},
    {{"from", FIELD_SHARE, OF(recovery_from), "10%", 0, 1, NULL, "share of the workers at first"},
     NULL,
     NULL},
    {{"shape", FIELD_WORD, OF(recovery_shape), "linear", 0, 0, ramp_words, "how it rises"},
     NULL,
     NULL},
    {{.key = NULL}, NULL, NULL},
};
static const struct shape recovery_shape = {recovery_rows, NULL};

static const struct row service_rows[] = {
    {{"workers", FIELD_COUNT, OF(workers), "1", 1, UINT32_MAX, NULL,
      "attempts served at the same time"},
     NULL,
     NULL},
    {{"service_time", FIELD_DIST, OF(service_time), "0s", 0, 0, NULL,
      "how long the service's own work takes"},
     NULL,
     &dist_shape},
    {{"queue", FIELD_MAP, 0, "", 0, 0, NULL, "where attempts wait for a worker"},
     NULL,
     &queue_shape},
    {{"on_full", FIELD_STATUS, OF(on_full), "503", 400, 599, NULL, "status when the queue is full"},
     NULL,
     NULL},
    {{"errors", FIELD_TEXT, 0, "", 0, 0, NULL, "its own errors: {503: 1%}"}, errors_read, NULL},
    {{"errors_before", FIELD_BOOL, OF(errors_before), "false", 0, 0, NULL,
      "its own errors are decided before the work, not after"},
     NULL,
     NULL},
    {{"calls", FIELD_TEXT, 0, "", 0, 0, NULL, "whom it calls after its own work, in order"},
     calls_read,
     &edge_shape},
    {{"crash", FIELD_MAP, 0, "", 0, 0, NULL, "overload that knocks it down"}, NULL, &crash_shape},
    {{"recovery", FIELD_MAP, 0, "", 0, 0, NULL, "how its capacity comes back after an outage"},
     NULL,
     &recovery_shape},
    {{.key = NULL}, NULL, NULL},
};
const struct shape service_shape = {service_rows, NULL};

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
    static const struct field share = {
        "share", FIELD_SHARE, offsetof(struct storm_error_row, share), NULL, 0, 1, NULL, NULL};
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
        if (!value_read(reader, &here, item->value, &share, row))
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

/* ---- when it crashes ------------------------------------------------------------------------- */

static void when_read(struct reader *reader, const struct trail *trail, const struct node *node,
                      void *target) {
    struct storm_service *service = target;
    if (node == NULL)
        return;
    if (node->kind == NODE_SCALAR && strcmp(node->text, "queue_full") == 0) {
        service->crash_when = STORM_CRASH_QUEUE_FULL;
        return;
    }
    if (node->kind != NODE_MAP) {
        reader_refuse(reader, trail, node, "queue_full or a map",
                      "write when: queue_full, or when: {offered: 4x, for: 1s}");
        return;
    }
    decode_map(reader, trail, node, &offered_shape, target);
    service->crash_when = STORM_CRASH_OFFERED;
}

/* ---- services -------------------------------------------------------------------------------- */

/* Settings that make no sense together. `node` is the service's map. */
static void service_judge(struct reader *reader, const struct trail *trail, const struct node *node,
                          const struct storm_service *service) {
    const struct item *crash = tree_find(node, "crash");
    const struct item *recovery = tree_find(node, "recovery");
    assert(node->kind == NODE_MAP && service->workers > 0); /* it was read without an error */
    bool unlimited = service->workers == STORM_UNLIMITED;
    if (unlimited && recovery != NULL && service->recovery_time > 0) {
        struct trail here = trail_item(trail, recovery);
        blame(reader->errors, &here, recovery->place, "give the service a number of workers",
              "unlimited workers have no capacity to recover");
    }
    if (crash == NULL)
        return;
    struct trail here = trail_item(trail, crash);
    double arrivals = service->crash_offered * storm_service_capacity(service) *
                      storm_time_to_seconds(service->crash_window);
    if (service->crash_when == STORM_CRASH_OFFERED && isinf(storm_service_capacity(service)))
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
    service->name = item->key;
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
    uint32_t most = STORM_EDGES_MAX - reader->scenario->population_count;
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
    if (node->count > STORM_SERVICES_MAX) {
        blame(reader->errors, trail, trail->place, NULL, "more than %d services",
              STORM_SERVICES_MAX);
        return;
    }
    scenario->services = reader_take(reader, node->count, sizeof *scenario->services);
    if (scenario->services == NULL || !calls_reserve(reader, node))
        return;
    scenario->service_count = node->count;
    for (uint32_t i = 0; i < node->count; i++) {
        struct trail here = trail_item(trail, &node->items[i]);
        service_read(reader, &here, &node->items[i], &scenario->services[i]);
    }
    calls_check(reader);
}
