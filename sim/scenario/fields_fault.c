/* fields_fault.c: how a fault is written: what happens to which service, and when. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <stddef.h>

#include "scenario/fields.h"

#define OF(member) offsetof(struct storm_fault, member)
#define LONGEST 1e9 /* seconds: about 30 years */
#define SHORTEST 1e-9

static row_reader service_of_fault_read;

static const struct field_word kind_words[] = {
    {"down", STORM_FAULT_DOWN},         {"hang", STORM_FAULT_HANG},     {"slow", STORM_FAULT_SLOW},
    {"capacity", STORM_FAULT_CAPACITY}, {"errors", STORM_FAULT_ERRORS}, {NULL, 0},
};

static const struct row fault_rows[] = {
    {{"service", FIELD_TEXT, 0, NULL, 0, 0, NULL, "the service it happens to"},
     service_of_fault_read,
     NULL},
    {{"kind", FIELD_WORD, OF(kind), NULL, 0, 0, kind_words,
      "down refuses, hang never answers, slow, capacity, errors"},
     NULL,
     NULL},
    {{"at", FIELD_DURATION, OF(at), NULL, 0, LONGEST, NULL, "when it begins"}, NULL, NULL},
    {{"for", FIELD_DURATION, OF(length), NULL, SHORTEST, LONGEST, NULL, "how long it lasts"},
     NULL,
     NULL},
    {{"factor", FIELD_FACTOR, OF(factor), "", 1, 1e6, NULL, "slow: multiple of the service time"},
     NULL,
     NULL},
    {{"share", FIELD_SHARE, OF(share), "", 0, 1, NULL,
      "capacity: of the workers left; errors: of the attempts that fail"},
     NULL,
     NULL},
    {{"status", FIELD_STATUS, OF(status), "503", 400, 599, NULL, "errors: what is answered"},
     NULL,
     NULL},
    {{.key = NULL}, NULL, NULL},
};
const struct shape fault_shape = {fault_rows, NULL};

static void service_of_fault_read(struct reader *reader, const struct trail *trail,
                                  const struct node *node, void *target) {
    struct storm_fault *fault = target;
    assert(reader->scenario->faults != NULL);
    fault->service = STORM_NONE;
    if (node != NULL)
        fault->service = decode_reference(reader, trail, node, reader->services, "service");
}

/* A key that only some kinds have: required, optional or senseless. */
static void key_judge(struct reader *reader, const struct trail *trail, const struct node *node,
                      const char *key, bool is_required, bool is_allowed, const char *help) {
    const struct item *item = tree_find(node, key);
    struct trail here = {.up = trail, .key = key};
    assert(is_allowed || !is_required);
    if (item == NULL && is_required)
        blame(reader->errors, &here, node->place, help, "is missing");
    else if (item != NULL && !is_allowed)
        blame(reader->errors, &here, item->place, help, "means nothing for this kind of fault");
}

static void fault_judge(struct reader *reader, const struct trail *trail, const struct node *node,
                        const struct storm_fault *fault) {
    assert(node->kind == NODE_MAP && fault->length > 0); /* it was read without an error */
    bool slow = fault->kind == STORM_FAULT_SLOW;
    bool capacity = fault->kind == STORM_FAULT_CAPACITY;
    bool errors = fault->kind == STORM_FAULT_ERRORS;
    key_judge(reader, trail, node, "factor", slow, slow, "slow has a factor, e.g. 3x");
    key_judge(reader, trail, node, "share", capacity || errors, capacity || errors,
              "capacity and errors have a share, e.g. 20%");
    key_judge(reader, trail, node, "status", false, errors, "errors have a status");
    const struct item *share = tree_find(node, "share");
    if (!capacity || share == NULL || reader->scenario->service_count <= fault->service)
        return;
    const struct storm_service *service = &reader->scenario->services[fault->service];
    struct trail here = trail_item(trail, share);
    if (service->workers == STORM_UNLIMITED && fault->share > 0 && fault->share < 1)
        blame(reader->errors, &here, share->value->place, "give the service a number of workers",
              "unlimited workers have no share; only 0%% is possible");
}

void faults_read(struct reader *reader, const struct trail *trail, const struct node *node,
                 void *target) {
    struct storm_scenario *scenario = target;
    assert(scenario == reader->scenario && scenario->faults == NULL);
    if (node == NULL)
        return;
    if (node->kind != NODE_LIST) {
        reader_refuse(reader, trail, node, "a list of faults",
                      "faults: [{service: api, kind: down, at: 60s, for: 20s}]");
        return;
    }
    if (node->count > STORM_FAULTS_MAX) {
        blame(reader->errors, trail, trail->place, NULL, "more than %d faults", STORM_FAULTS_MAX);
        return;
    }
    if (node->count == 0)
        return;
    scenario->faults = reader_take(reader, node->count, sizeof *scenario->faults);
    if (scenario->faults == NULL)
        return;
    scenario->fault_count = node->count;
    for (uint32_t i = 0; i < node->count; i++) {
        uint32_t before = reader->errors->total;
        struct trail here = trail_index(trail, i, &node->items[i]);
        const struct node *map = node->items[i].value;
        decode_map(reader, &here, map, &fault_shape, &scenario->faults[i]);
        if (reader->errors->total == before)
            fault_judge(reader, &here, map, &scenario->faults[i]);
    }
}
