/* fields_queue.c: how a message queue is written: how it delivers, and what its memory bears. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <math.h>
#include <stddef.h>

#include "scenario/fields.h"
#include "scenario/value.h"

#define OF(member) offsetof(struct storm_queue, member)

static row_reader order_read;

static const struct field_word count_words[] = {
    {"deliveries", STORM_COUNT_DELIVERIES, "whenever it is handed out, also to one that crashes"},
    {"failures", STORM_COUNT_FAILURES,
     "when it is given back or its visibility ends: one that crashes never counts"},
    {NULL, 0, NULL}};
static const struct field_word order_words[] = {
    {"any", false, "as there is room"},
    {"fifo", true, "a message waits until the one before it in its partition is done"},
    {NULL, 0, NULL}};
static const struct field_word full_words[] = {
    {"refuse", STORM_FULL_REFUSE, "the message is refused with status"},
    {"crash", STORM_FULL_CRASH, "the broker is away for down_for"},
    {NULL, 0, NULL}};

enum { PARTITIONS_MOST = 1000000 };

static const struct row message_queue_rows[] = {
    {.field = {"visibility", FIELD_DURATION, OF(visibility), "30s", SHORTEST, HUGE_VAL, NULL,
               "a message that was delivered and is not done by then comes back; none: never"},
     .live = true},
    {.field = {"max_receives", FIELD_COUNT, OF(max_receives), "unlimited", 1, UINT32_MAX, NULL,
               "failing deliveries, after which a message is a dead letter; with retries: "
               "requeue, the attempts of the consumers' policy also bound them, and "
               "whichever is used up first decides"},
     .live = true},
    {.field = {"count_on", FIELD_WORD, OF(count_on), "deliveries", 0, 0, count_words,
               "when a message counts as received"}},
    {.field = {"delay", FIELD_DURATION, OF(delay), "0s", 0, LONGEST, NULL,
               "how long a message waits before its first delivery"},
     .live = true},
    {.field = {"order", FIELD_WORD, 0, "any", 0, 0, order_words, "which message may be delivered"},
     .read = order_read},
    {.field = {"partitions", FIELD_COUNT, OF(partitions), "1", 1, PARTITIONS_MOST, NULL,
               "order fifo: so many lines side by side; a sender's messages are in one"}},
    {.field = {"memory", FIELD_COUNT, OF(memory), "unlimited", 1, UINT32_MAX, NULL,
               "messages that the broker can hold, those in consumers' hands included"}},
    {.field = {"on_full", FIELD_WORD, OF(on_full), "refuse", 0, 0, full_words,
               "what happens when the memory is full"}},
    {.field = {"status", FIELD_STATUS, OF(full_status), "503", 400, 599, NULL,
               "on_full refuse: what is answered"}},
    {.field = {"down_for", FIELD_DURATION, OF(down_for), "10s", SHORTEST, LONGEST, NULL,
               "on_full crash: how long the broker is away"}},
    {.field = {"durable", FIELD_BOOL, OF(durable), "true", 0, 0, NULL,
               "messages survive when the broker is down; else all are lost"}},
    {.field = {.key = NULL}},
};
const struct shape message_queue_shape = {.rows = message_queue_rows, .name = "queue"};

static void order_read(struct reader *reader, const struct trail *trail, const struct node *node,
                       void *target) {
    static const struct field word = {"order", FIELD_WORD, 0, NULL, 0, 0, order_words, NULL};
    struct storm_queue *queue = target;
    int order = false;
    if (node != NULL)
        value_read(reader, trail, node, &word, &order);
    queue->fifo = order != 0;
}

/* ---- its place among the services ------------------------------------------------------------ */

/* Producers, faults and operators meet a queue as a service that has room for everybody and whose
   work takes no time. */
static void place_take(struct reader *reader, const struct storm_queue *queue, const char *name) {
    struct storm_service *service = &reader->scenario->services[queue->service];
    const struct trail trail = {.key = name};
    *service = (struct storm_service){.name = name};
    decode_map(reader, &trail, NULL, &service_shape, service);
    service->workers = STORM_UNLIMITED;
    service->on_full = queue->full_status;
    service->crash_kind = STORM_OUTAGE_DOWN;
    service->crash_down_for = queue->down_for;
}

static void queue_judge(struct reader *reader, const struct trail *trail, const struct node *node,
                        const struct storm_queue *queue) {
    assert(queue->partitions > 0);
    if (queue->partitions > 1 && !queue->fifo)
        decode_blame(reader, trail, node, "partitions", "write order: fifo, or take it out",
                     "means nothing where messages are in no order");
    if (queue->on_full == STORM_FULL_CRASH && queue->memory == STORM_UNLIMITED)
        decode_blame(reader, trail, node, "on_full", "say how much it bears, e.g. memory: 10k",
                     "its memory is never full");
}

static void queue_read(struct reader *reader, const struct trail *trail, const struct item *item,
                       struct storm_queue *queue) {
    char quoted[QUOTE_MAX];
    uint32_t before = reader->errors->total;
    queue->consumers = STORM_NONE;
    decode_name(reader, trail, item);
    if (tree_find(reader->services, item->key) != NULL)
        blame(reader->errors, trail, item->place, "give one of them another name",
              "'%s' is the name of a service, too", blame_quote(item->key, quoted, sizeof quoted));
    decode_map(reader, trail, item->value, &message_queue_shape, queue);
    if (reader->errors->total == before)
        queue_judge(reader, trail, item->value, queue);
    place_take(reader, queue, item->key);
}

void queues_read(struct reader *reader, const struct trail *trail, const struct node *node,
                 void *target) {
    struct storm_scenario *scenario = target;
    assert(scenario == reader->scenario && scenario->queues == NULL);
    if (node == NULL)
        return;
    if (node->kind != NODE_MAP) {
        reader_refuse(reader, trail, node, "a map of queues by name",
                      "queues: {orders: {visibility: 30s, max_receives: 5}}");
        return;
    }
    if (node->count > STORM_QUEUES_MAX) {
        blame(reader->errors, trail, trail->place, NULL, "more than %d queues", STORM_QUEUES_MAX);
        return;
    }
    if (node->count == 0 || scenario->services == NULL)
        return; /* a queue has no place without services, which was told already */
    scenario->queues = reader_take(reader, node->count, sizeof *scenario->queues);
    if (scenario->queues == NULL)
        return;
    scenario->queue_count = node->count;
    for (uint32_t i = 0; i < node->count; i++) {
        struct trail here = trail_item(trail, &node->items[i]);
        scenario->queues[i].service = scenario->service_count++;
        queue_read(reader, &here, &node->items[i], &scenario->queues[i]);
    }
}
