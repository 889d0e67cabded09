/* fields_fault.c: how a fault is written: what happens to which service, and when. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "scenario/fields.h"

#define OF(member) offsetof(struct storm_fault, member)

static row_reader service_of_fault_read;

static const struct field_word kind_words[] = {
    {"down", STORM_FAULT_DOWN, "refuses at once"},
    {"hang", STORM_FAULT_HANG, "never answers: callers learn by their timeouts"},
    {"slow", STORM_FAULT_SLOW, "service times are multiplied by factor"},
    {"capacity", STORM_FAULT_CAPACITY, "only a share of the workers is left"},
    {"errors", STORM_FAULT_ERRORS, "a share of the attempts fails with status"},
    {"network", STORM_FAULT_NETWORK, "messages take longer, or are lost"},
    {NULL, 0, NULL},
};

static const struct field_word every_words[] = {{"once", 0, "not again"}, {NULL, 0, NULL}};
static const struct field_word lost_words[] = {
    {"usual", STORM_LOST_USUAL, "down resets, hang is silent"},
    {"reset", STORM_LOST_RESET, "callers are told at once"},
    {"silent", STORM_LOST_SILENT, "callers learn by their timeouts"},
    {"kept", STORM_LOST_KEPT, "nothing is lost"},
    {NULL, 0, NULL}};

static const struct row fault_rows[] = {
    {.field = {"service", FIELD_TEXT, 0, NULL, 0, 0, NULL,
               "the service, or the queue, it happens to"},
     .read = service_of_fault_read,
     .example = "api"},
    {.field = {"kind", FIELD_WORD, OF(kind), NULL, 0, 0, kind_words,
               "down refuses, hang never answers, slow, capacity, errors, network"}},
    {.field = {"at", FIELD_DURATION, OF(at), NULL, 0, LONGEST, NULL, "when it begins"}},
    {.field = {"for", FIELD_DURATION, OF(length), NULL, SHORTEST, LONGEST, NULL,
               "how long it lasts"}},
    {.field = {"every", FIELD_DURATION, OF(period), "once", SHORTEST, LONGEST, every_words,
               "it comes again after each such time"}},
    {.field = {"factor", FIELD_FACTOR, OF(factor), "", 1, 1e6, NULL,
               "slow: multiple of the service time"}},
    {.field = {"share", FIELD_SHARE, OF(share), "", 0, 1, NULL,
               "capacity: of the workers left; errors: of the attempts that fail"}},
    {.field = {"status", FIELD_STATUS, OF(status), "503", 400, 599, NULL,
               "errors: what is answered"}},
    {.field = {"lost", FIELD_WORD, OF(lost), "usual", 0, 0, lost_words,
               "down, hang: whether what waits or is served is reset, lost silently, or kept; "
               "usual: down resets, hang is silent"}},
    {.field = {"latency", FIELD_DIST, OF(latency), "0s", 0, 0, NULL,
               "network: added to every message to and from the service"},
     .inner = &dist_shape},
    {.field = {"loss", FIELD_SHARE, OF(loss), "0%", 0, 1, NULL,
               "network: of the messages to and from the service, this share never arrives"}},
    {.field = {.key = NULL}},
};
const struct shape fault_shape = {.rows = fault_rows, .name = "fault"};

static void service_of_fault_read(struct reader *reader, const struct trail *trail,
                                  const struct node *node, void *target) {
    struct storm_fault *fault = target;
    assert(reader->scenario->faults != NULL);
    fault->service = STORM_NONE;
    if (node != NULL)
        fault->service = service_reference(reader, trail, node);
}

/* The keys that only some kinds of fault have. */
struct fault_key {
    const char *key;
    unsigned kinds; /* bits, by enum storm_fault_kind */
    bool is_required;
    const char *help;
};

static const struct fault_key fault_keys[] = {
    {"factor", 1U << STORM_FAULT_SLOW, true, "slow has a factor, e.g. 3x"},
    {"share", 1U << STORM_FAULT_CAPACITY | 1U << STORM_FAULT_ERRORS, true,
     "capacity and errors have a share, e.g. 20%"},
    {"status", 1U << STORM_FAULT_ERRORS, false, "errors have a status"},
    {"lost", 1U << STORM_FAULT_DOWN | 1U << STORM_FAULT_HANG, false,
     "down and hang lose something"},
    {"latency", 1U << STORM_FAULT_NETWORK, false, "network has a latency"},
    {"loss", 1U << STORM_FAULT_NETWORK, false, "network has a loss"},
    {NULL, 0, false, NULL},
};

bool fault_has(enum storm_fault_kind kind, const char *key) {
    assert(key != NULL);
    for (const struct fault_key *row = fault_keys; row->key != NULL; row++) {
        if (strcmp(row->key, key) == 0)
            return (row->kinds >> kind & 1) != 0;
    }
    return true;
}

bool fault_needs(enum storm_fault_kind kind, const char *key) {
    assert(key != NULL);
    for (const struct fault_key *row = fault_keys; row->key != NULL; row++) {
        if (strcmp(row->key, key) == 0)
            return row->is_required && (row->kinds >> kind & 1) != 0;
    }
    return false;
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
    for (const struct fault_key *key = fault_keys; key->key != NULL; key++) {
        bool is_allowed = (key->kinds >> fault->kind & 1) != 0;
        key_judge(reader, trail, node, key->key, is_allowed && key->is_required, is_allowed,
                  key->help);
    }
    bool capacity = fault->kind == STORM_FAULT_CAPACITY;
    const struct item *every = tree_find(node, "every");
    if (every != NULL && fault->period > 0 && fault->period < fault->length) {
        struct trail here = trail_item(trail, every);
        blame(reader->errors, &here, every->value->place, "write a longer every, or a shorter for",
              "must not be shorter than for: one would begin before the last has ended");
    }
    if (fault->kind == STORM_FAULT_NETWORK && tree_find(node, "latency") == NULL &&
        tree_find(node, "loss") == NULL)
        blame(reader->errors, trail, node->place, "latency: 200ms, or loss: 10%",
              "does nothing: a network fault has a latency or a loss");
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
