/* fields_consumer.c: how the workers of a message queue are written. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "scenario/fields.h"

#define OF(member) offsetof(struct storm_population, member)

static row_reader from_read;

static const struct field_word retries_words[] = {
    {"in_place", STORM_RETRIES_IN_PLACE, "the worker backs off and tries again, holding it"},
    {"requeue", STORM_RETRIES_REQUEUE, "it goes back to the queue, with the delay as a countdown"},
    {"lease", STORM_RETRIES_LEASE, "nothing is done: it comes back when its visibility runs out"},
    {NULL, 0, NULL}};

enum { PREFETCH_MOST = 65535 };

static const struct row consumer_rows[] = {
    {.field = {"from", FIELD_TEXT, 0, NULL, 0, 0, NULL, "the queue whose messages they handle"},
     .read = from_read,
     .example = "orders"},
    {.field = {"count", FIELD_COUNT, OF(count), NULL, 1, STORM_CLIENTS_MAX, NULL,
               "how many workers, each with one message in hand"}},
    {.field =
         {"prefetch", FIELD_COUNT, OF(prefetch), "1", 1, PREFETCH_MOST, NULL,
          "messages that a worker takes at once; they wait with it, their visibility running"}},
    {.field = {"retries", FIELD_WORD, OF(retries), "in_place", 0, 0, retries_words,
               "what becomes of a message whose handling has failed and is worth a retry"}},
    {.field = {"restart_time", FIELD_DURATION, OF(restart_time), "10s", 0, LONGEST, NULL,
               "how long a worker is away that a lethal message has crashed"}},
    {.field = {"calls", FIELD_MAP, 0, NULL, 0, 0, NULL, "the call that handles a message"},
     .read = population_calls_read,
     .inner = &edge_shape,
     .example = "{to: api, timeout: 2s, retry: full-jitter}"},
    {.field = {"in_time", FIELD_DURATION, OF(in_time), "none", SHORTEST, HUGE_VAL, NULL,
               "how late after it came to the queue a message's success still counts"}},
    {.field = {"dead_letter_queue", FIELD_TEXT, OF(dead_letter_queue), "", 0, 0, NULL,
               "where messages go that are given up on; default: the queue's name and .dead"},
     .read = letter_queue_name_read,
     .pattern = LETTER_QUEUE_PATTERN,
     .example = "orders.dead"},
    {.field =
         {"auto_replay", FIELD_DURATION, OF(auto_replay), "none", SHORTEST, HUGE_VAL, NULL,
          "dead letters are put into the queue again after this, for ever; none: they are not"}},
    {.field = {.key = NULL}},
};
const struct shape consumer_shape = {.rows = consumer_rows, .name = "consumers"};

/* "orders.dead" */
static const char *letter_queue_name(struct reader *reader, const char *queue) {
    char name[STORM_PATH_MAX];
    int length = snprintf(name, sizeof name, "%s.dead", queue);
    assert(length > 0);
    const char *copy = arena_copy_string(reader->arena, name, strlen(name));
    if (copy == NULL)
        blame_memory(reader->errors);
    return copy;
}

static void from_read(struct reader *reader, const struct trail *trail, const struct node *node,
                      void *target) {
    struct storm_population *population = target;
    if (node == NULL)
        return;
    static const struct node none = {.kind = NODE_MAP};
    const struct node *queues = reader->queues != NULL ? reader->queues : &none;
    population->queue = decode_reference(reader, trail, node, queues, NULL, "queue");
    if (population->queue == STORM_NONE || population->queue >= reader->scenario->queue_count)
        return;
    population->dead_letter_queue = letter_queue_name(reader, node->text);
    assert(reader->scenario->queues != NULL);
    struct storm_queue *queue = &reader->scenario->queues[population->queue];
    const struct storm_population *populations = reader->scenario->populations;
    char quoted[QUOTE_MAX];
    if (queue->consumers != STORM_NONE)
        blame(reader->errors, trail, node->place,
              "a queue has one kind of consumers; raise their count",
              "the queue has consumers already: '%s'",
              blame_quote(populations[queue->consumers].name, quoted, sizeof quoted));
    else
        queue->consumers = (uint32_t)(population - populations);
}

/* Settings that make no sense together; `node` is the map of the consumers. */
static void consumers_judge(struct reader *reader, const struct trail *trail,
                            const struct node *node, const struct storm_population *population) {
    if (population->call.policy >= reader->scenario->policy_count)
        return; /* the policies are in error */
    const struct storm_policy *policy = &reader->scenario->policies[population->call.policy];
    if (population->retries == STORM_RETRIES_REQUEUE && policy->attempts == 1)
        decode_blame(reader, trail, node, "retries",
                     "give the call a policy that retries, e.g. retry: full-jitter",
                     "nothing would ever be put back: the call makes one attempt");
}

static void consumer_read(struct reader *reader, const struct trail *trail, const struct item *item,
                          struct storm_population *population) {
    char quoted[QUOTE_MAX];
    uint32_t before = reader->errors->total;
    *population = (struct storm_population){.name = item->key,
                                            .arrival = STORM_ARRIVAL_QUEUE,
                                            .dead_letter_queue = item->key,
                                            .queue = STORM_NONE};
    decode_name(reader, trail, item);
    if (tree_find(reader->clients, item->key) != NULL)
        blame(reader->errors, trail, item->place, "give one of them another name",
              "'%s' is the name of a population of clients, too",
              blame_quote(item->key, quoted, sizeof quoted));
    decode_map(reader, trail, item->value, &consumer_shape, population);
    if (reader->errors->total == before)
        consumers_judge(reader, trail, item->value, population);
}

/* Every queue must have somebody who handles its messages. */
static void queues_judge(struct reader *reader) {
    const struct storm_scenario *scenario = reader->scenario;
    const struct trail top = {.up = NULL};
    const struct trail queues = {.up = &top, .key = "queues"};
    char hint[STORM_MESSAGE_MAX], quoted[QUOTE_MAX];
    for (uint32_t i = 0; i < scenario->queue_count; i++) {
        const struct item *item = &reader->queues->items[i];
        struct trail here = trail_item(&queues, item);
        if (scenario->queues[i].consumers != STORM_NONE)
            continue;
        snprintf(hint, sizeof hint,
                 "write consumers: {workers: {from: %s, count: 10, calls: {to: SERVICE}}}",
                 blame_quote(item->key, quoted, sizeof quoted));
        blame(reader->errors, &here, item->place, hint, "has no consumers");
    }
}

static void consumers_list_read(struct reader *reader, const struct trail *trail,
                                const struct node *node) {
    struct storm_scenario *scenario = reader->scenario;
    if (node->kind != NODE_MAP) {
        reader_refuse(reader, trail, node, "a map of consumers by name",
                      "consumers: {workers: {from: QUEUE, count: 10, calls: {to: SERVICE}}}");
        return;
    }
    if (node->count > STORM_POPULATIONS_MAX - scenario->population_count) {
        blame(reader->errors, trail, trail->place, NULL,
              "more than %d populations, clients included", STORM_POPULATIONS_MAX);
        return;
    }
    if (scenario->populations == NULL)
        return; /* there are no clients, which was told already */
    uint64_t total = 0;
    for (uint32_t i = 0; i < node->count; i++) {
        struct trail here = trail_item(trail, &node->items[i]);
        struct storm_population *population = &scenario->populations[scenario->population_count++];
        consumer_read(reader, &here, &node->items[i], population);
    }
    for (uint32_t i = 0; i < scenario->population_count; i++)
        total += scenario->populations[i].count;
    if (total > STORM_CLIENTS_MAX)
        blame(reader->errors, trail, trail->place, NULL,
              "more than %d clients and consumers in all", STORM_CLIENTS_MAX);
}

void consumers_read(struct reader *reader, const struct trail *trail, const struct node *node,
                    void *target) {
    assert(target == reader->scenario);
    uint32_t before = reader->errors->total;
    if (node != NULL)
        consumers_list_read(reader, trail, node);
    if (reader->errors->total == before)
        queues_judge(reader);
}
