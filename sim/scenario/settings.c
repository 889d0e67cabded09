/* settings.c: every effective setting of a decoded scenario as path and text. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The order is that of the tables. What changes no number is left out (title, question, story,
   expect), and so are seed and runs, which a result carries beside its settings. */

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <retrystorm/load.h>
#include <retrystorm/results.h>

#include "policy/registry.h"
#include "scenario/document.h"
#include "scenario/fields.h"
#include "scenario/value.h"

/* The list being written. `is_full`: no memory; what follows is dropped. */
struct writer {
    struct arena *arena;
    const struct storm_scenario *scenario;
    uint32_t named_policies;
    struct storm_setting *list;
    size_t count, room;
    bool is_full;
};

static void setting_add(struct writer *writer, const struct trail *trail, const char *value) {
    char path[STORM_PATH_MAX];
    assert(trail != NULL && value != NULL);
    if (writer->count == writer->room && !writer->is_full) {
        size_t room = writer->room == 0 ? 64 : writer->room * 2;
        struct storm_setting *grown =
            arena_grow_array(writer->arena, writer->list, writer->count, room, sizeof *grown);
        writer->is_full = grown == NULL;
        writer->list = grown == NULL ? writer->list : grown;
        writer->room = grown == NULL ? writer->room : room;
    }
    if (writer->is_full)
        return;
    blame_path(trail, path, sizeof path);
    struct storm_setting *setting = &writer->list[writer->count];
    setting->path = arena_copy_string(writer->arena, path, strlen(path));
    setting->value = arena_copy_string(writer->arena, value, strlen(value));
    writer->is_full = setting->path == NULL || setting->value == NULL;
    writer->count += writer->is_full ? 0 : 1;
}

static void text_add(struct writer *writer, const struct trail *up, const char *key,
                     const char *value) {
    struct trail here = {.up = up, .key = key};
    setting_add(writer, &here, value);
}

static void field_add(struct writer *writer, const struct trail *up, const struct field *field,
                      const void *target) {
    char value[VALUE_MAX];
    text_add(writer, up, field->key, value_print(field, target, value, sizeof value));
}

static void number_add(struct writer *writer, const struct trail *up, const char *key,
                       enum field_kind kind, double value) {
    char text[VALUE_MAX];
    text_add(writer, up, key, value_print_number(kind, value, text, sizeof text));
}

/* Writes what a key with a reader of its own has read; `up` is the map that the key is in. */
typedef void special_writer(struct writer *writer, const struct trail *up, const char *key,
                            const void *target);

/* All settings of a table in its order; maps and those with a reader of their own by `special`. */
static void map_add(struct writer *writer, const struct trail *up, const struct shape *shape,
                    const void *target, special_writer *special) {
    for (const struct row *row = shape->rows; row->field.key != NULL; row++) {
        if (row->read == NULL && row->field.kind != FIELD_MAP)
            field_add(writer, up, &row->field, target);
        else
            special(writer, up, row->field.key, target);
    }
    for (const struct field *field = shape->more; field != NULL && field->key != NULL; field++)
        field_add(writer, up, field, target);
}

/* The table behind a key that has a reader of its own. */
static const struct shape *inner_of(const struct shape *shape, const char *key) {
    const struct row *row = shape->rows;
    while (strcmp(row->field.key, key) != 0) {
        row++;
        assert(row->field.key != NULL);
    }
    assert(row->inner != NULL);
    return row->inner;
}

/* A map within a map, of which all belongs to the same struct. */
static void inner_add(struct writer *writer, const struct trail *up, const struct shape *shape,
                      const char *key, const void *target, special_writer *special) {
    struct trail here = {.up = up, .key = key};
    map_add(writer, &here, inner_of(shape, key), target, special);
}

/* ---- policies and calls ---------------------------------------------------------------------- */

static void policy_special(struct writer *writer, const struct trail *up, const char *key,
                           const void *target) {
    const struct storm_policy *policy = target;
    assert(strcmp(key, "delay") == 0);
    text_add(writer, up, key, policy->headline);
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

static void edge_add(struct writer *writer, const struct trail *here,
                     const struct storm_edge *edge) {
    map_add(writer, here, &edge_shape, edge, edge_special);
}

/* ---- clients --------------------------------------------------------------------------------- */

static void every_add(struct writer *writer, const struct trail *here,
                      const struct storm_population *population) {
    static const char *const words[] = {[STORM_SPREAD_EVEN] = "even",
                                        [STORM_SPREAD_RANDOM] = "random",
                                        [STORM_SPREAD_NONE] = "none"};
    number_add(writer, here, "every", FIELD_DURATION, storm_time_to_seconds(population->period));
    if (population->spread == STORM_SPREAD_WITHIN)
        number_add(writer, here, "spread", FIELD_DURATION,
                   storm_time_to_seconds(population->spread_time));
    else
        text_add(writer, here, "spread", words[population->spread]);
}

/* Only the keys of the kind of arrivals at hand exist. */
static void arrivals_add(struct writer *writer, const struct trail *here,
                         const struct storm_population *population) {
    switch (population->arrival) {
    case STORM_ARRIVAL_AT:
        number_add(writer, here, "at", FIELD_DURATION, storm_time_to_seconds(population->at));
        return;
    case STORM_ARRIVAL_EVERY:
        every_add(writer, here, population);
        return;
    case STORM_ARRIVAL_POISSON:
        number_add(writer, here, "poisson", FIELD_RATE, population->rate);
        return;
    case STORM_ARRIVAL_EVEN:
        number_add(writer, here, "even", FIELD_RATE, population->rate);
        return;
    }
}

static void population_special(struct writer *writer, const struct trail *up, const char *key,
                               const void *target) {
    const struct storm_population *population = target;
    struct trail here = {.up = up, .key = key};
    if (strcmp(key, "arrivals") == 0) {
        arrivals_add(writer, &here, population);
    } else if (strcmp(key, "calls") == 0) {
        edge_add(writer, &here, &population->call);
    } else {
        assert(strcmp(key, "dead_letter_queue") == 0);
        setting_add(writer, &here, population->dead_letter_queue);
    }
}

/* ---- services and faults --------------------------------------------------------------------- */

static void no_special(struct writer *writer, const struct trail *up, const char *key,
                       const void *target) {
    (void)writer, (void)up, (void)key, (void)target;
    assert(false && "this table has plain fields only");
}

static void crash_special(struct writer *writer, const struct trail *up, const char *key,
                          const void *target) {
    const struct storm_service *service = target;
    assert(strcmp(key, "when") == 0);
    if (service->crash_when == STORM_CRASH_QUEUE_FULL)
        text_add(writer, up, key, "queue_full");
    else
        inner_add(writer, up, inner_of(&service_shape, "crash"), key, target, no_special);
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
    } else if (strcmp(key, "crash") != 0) {
        inner_add(writer, up, &service_shape, key, target, no_special);
    } else if (service->crash_when != STORM_CRASH_NEVER) {
        inner_add(writer, up, &service_shape, key, target, crash_special);
    }
}

/* A fault has the keys of its kind only. */
static void fault_add(struct writer *writer, const struct trail *here,
                      const struct storm_fault *fault) {
    bool slow = fault->kind == STORM_FAULT_SLOW;
    bool errors = fault->kind == STORM_FAULT_ERRORS;
    bool share = fault->kind == STORM_FAULT_CAPACITY || errors;
    text_add(writer, here, "service", writer->scenario->services[fault->service].name);
    for (const struct row *row = fault_shape.rows; row->field.key != NULL; row++) {
        const char *key = row->field.key;
        bool is_foreign = (strcmp(key, "factor") == 0 && !slow) ||
                          (strcmp(key, "share") == 0 && !share) ||
                          (strcmp(key, "status") == 0 && !errors);
        if (row->read == NULL && !is_foreign)
            field_add(writer, here, &row->field, fault);
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void names_add(struct writer *writer, const struct trail *top) {
    const struct storm_scenario *scenario = writer->scenario;
    struct trail policies = {.up = top, .key = "policies"};
    struct trail clients = {.up = top, .key = "clients"};
    struct trail services = {.up = top, .key = "services"};
    struct trail faults = {.up = top, .key = "faults"};
    assert(writer->named_policies <= scenario->policy_count);
    for (uint32_t i = 0; i < writer->named_policies; i++) {
        struct trail here = {.up = &policies, .key = scenario->policies[i].name};
        policy_add(writer, &here, &scenario->policies[i]);
    }
    for (uint32_t i = 0; i < scenario->population_count; i++) {
        struct trail here = {.up = &clients, .key = scenario->populations[i].name};
        map_add(writer, &here, &population_shape, &scenario->populations[i], population_special);
    }
    for (uint32_t i = 0; i < scenario->service_count; i++) {
        struct trail here = {.up = &services, .key = scenario->services[i].name};
        map_add(writer, &here, &service_shape, &scenario->services[i], service_special);
    }
    for (uint32_t i = 0; i < scenario->fault_count; i++) {
        struct trail here = {.up = &faults, .index = i};
        fault_add(writer, &here, &scenario->faults[i]);
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
    char epoch[VALUE_MAX];
    text_add(&writer, &top, "version", "1");
    number_add(&writer, &top, "duration", FIELD_DURATION,
               storm_time_to_seconds(scenario->duration));
    text_add(&writer, &top, "epoch", epoch_print(scenario->epoch, epoch, sizeof epoch));
    names_add(&writer, &top);
    *settings = writer.list;
    return writer.is_full ? 0 : writer.count;
}
