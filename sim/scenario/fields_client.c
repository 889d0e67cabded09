/* fields_client.c: how a population of clients is written. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "scenario/fields.h"
#include "scenario/value.h"

#define OF(member) offsetof(struct storm_population, member)

static row_reader share_read;

static const struct field share_item = {
    "share", FIELD_SHARE, offsetof(struct storm_fleet, share),      NULL, 0,
    1,       NULL,        "so many of the clients have that policy"};

static const struct row message_rows[] = {
    {.field = {"poison", FIELD_SHARE, OF(poison), "0%", 0, 1, NULL,
               "of the requests, answered with 400 whatever happens"}},
    {.field = {"missing", FIELD_SHARE, OF(missing), "0%", 0, 1, NULL,
               "of the requests, answered with 404 whatever happens"}},
    {.field = {"lethal", FIELD_SHARE, OF(lethal), "0%", 0, 1, NULL,
               "of the requests, crash the consumer that handles them"}},
    {.field = {.key = NULL}},
};
static const struct shape message_shape = {.rows = message_rows};

static const struct row population_rows[] = {
    {.field = {"count", FIELD_COUNT, OF(count), NULL, 1, STORM_CLIENTS_MAX, NULL,
               "how many clients"}},
    {.field = {"arrivals", FIELD_MAP, 0, NULL, 0, 0, NULL, "when they want something"},
     .read = arrivals_read,
     .inner = &arrival_shape,
     .example = "{poisson: 50/s}"},
    {.field = {"calls", FIELD_MAP, 0, NULL, 0, 0, NULL, "whom they call, and how"},
     .read = population_calls_read,
     .inner = &edge_shape,
     .example = "{to: api, timeout: 2s, retry: full-jitter}"},
    {.field = {"share", FIELD_MAP, 0, "", 0, STORM_FLEETS_MAX, NULL,
               "clients with a policy of their own, e.g. {full-jitter: 30%}"},
     .read = share_read,
     .item = &share_item,
     .form = FORM_NAMES,
     .example = "{full-jitter: 30%}"},
    {.field = {"message", FIELD_MAP, 0, "", 0, 0, NULL, "requests that cannot succeed"},
     .inner = &message_shape,
     .example = "{poison: 0.1%}"},
    {.field =
         {"hosts", FIELD_COUNT, OF(hosts), "0", 0, STORM_CLIENTS_MAX, NULL,
          "they run on so many hosts in turn, for what a host's clients share; 0: each alone"}},
    {.field = {"in_time", FIELD_DURATION, OF(in_time), "", SHORTEST, HUGE_VAL, NULL,
               "how late an answer still counts; default: the call's deadline, else its timeout"}},
    {.field = {"dead_letter_queue", FIELD_TEXT, OF(dead_letter_queue), "", 0, 0, NULL,
               "where requests go that are given up on; default: a queue of the population's name"},
     .read = letter_queue_name_read,
     .pattern = LETTER_QUEUE_PATTERN,
     .example = "orders.dead"},
    {.field = {"auto_replay", FIELD_DURATION, OF(auto_replay), "none", SHORTEST, HUGE_VAL, NULL,
               "dead letters are sent again after this, for ever; none: they are not"}},
    {.field = {.key = NULL}},
};
const struct shape population_shape = {.rows = population_rows, .name = "population"};

void population_calls_read(struct reader *reader, const struct trail *trail,
                           const struct node *node, void *target) {
    struct storm_population *population = target;
    population->call =
        (struct storm_edge){.to = STORM_NONE, .policy = STORM_NONE, .timeout.offset = STORM_NEVER};
    if (node == NULL)
        return;
    if (node->kind == NODE_LIST)
        reader_refuse(reader, trail, node, "one call", "write calls: {to: SERVICE}, without [ ]");
    else
        edge_read(reader, trail, node, &population->call);
}

static void share_read(struct reader *reader, const struct trail *trail, const struct node *node,
                       void *target) {
    static const char example[] = "write share: {full-jitter: 30%}; the rest have the call's retry";
    struct storm_population *population = target;
    double total = 0;
    assert(population->fleet_count == 0);
    if (node == NULL)
        return;
    if (node->kind != NODE_MAP) {
        reader_refuse(reader, trail, node, "a map of policies to shares", example);
        return;
    }
    if (node->count > STORM_FLEETS_MAX) {
        blame(reader->errors, trail, trail->place, NULL, "more than %d policies", STORM_FLEETS_MAX);
        return;
    }
    for (uint32_t i = 0; i < node->count; i++) {
        const struct item *item = &node->items[i];
        struct trail here = trail_item(trail, item);
        struct storm_fleet *fleet = &population->fleets[population->fleet_count];
        fleet->policy = policy_use(reader, &here, item->place, item->key);
        if (!value_read(reader, &here, item->value, &share_item, fleet))
            continue;
        total += fleet->share;
        population->fleet_count++;
    }
    if (total > 1 + 1e-9)
        blame(reader->errors, trail, trail->place, example, "the shares come to more than 100%%");
}

uint32_t population_reference(struct reader *reader, const struct trail *trail,
                              const struct node *node) {
    return decode_reference(reader, trail, node, reader->clients, reader->consumers, "population");
}

void letter_queue_name_read(struct reader *reader, const struct trail *trail,
                            const struct node *node, void *target) {
    static const struct field text = {
        "dead_letter_queue", FIELD_TEXT, OF(dead_letter_queue), NULL, 0, 0, NULL, NULL};
    struct storm_population *population = target;
    if (node == NULL || !value_read(reader, trail, node, &text, target))
        return;
    const char *name = population->dead_letter_queue;
    size_t good = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-");
    char quoted[QUOTE_MAX];
    if (good == 0 || good > 64 || name[good] != '\0')
        blame(reader->errors, trail, node->place,
              "a queue's name has letters, digits, '-', '_' and '.', at most 64 of them",
              "'%s' is not a name", blame_quote(name, quoted, sizeof quoted));
}

static void population_read(struct reader *reader, const struct trail *trail,
                            const struct item *item, struct storm_population *population) {
    const storm_time unset = -1;
    uint32_t before = reader->errors->total;
    assert(item->key != NULL && item->value != NULL);
    *population = (struct storm_population){
        .name = item->key, .dead_letter_queue = item->key, .in_time = unset, .queue = STORM_NONE};
    decode_name(reader, trail, item);
    decode_map(reader, trail, item->value, &population_shape, population);
    const struct item *message = tree_find(item->value, "message");
    if (message != NULL &&
        population->poison + population->missing + population->lethal > 1 + 1e-9) {
        struct trail here = trail_item(trail, message);
        blame(reader->errors, &here, message->place, "lower poison, missing or lethal",
              "the shares come to more than 100%%");
    }
    if (population->in_time != unset || reader->errors->total != before)
        return; /* half a distribution has no mean */
    population->in_time = population->call.deadline;
    if (population->in_time == STORM_NEVER)
        population->in_time = storm_edge_timeout(&population->call);
}

void clients_read(struct reader *reader, const struct trail *trail, const struct node *node,
                  void *target) {
    struct storm_scenario *scenario = target;
    uint64_t total = 0;
    assert(scenario == reader->scenario && scenario->populations == NULL);
    if (node == NULL)
        return;
    if (node->kind != NODE_MAP || node->count == 0) {
        reader_refuse(reader, trail, node, "a map of populations by name",
                      "clients: {web: {count: 1000, arrivals: {poisson: 50/s}, calls: {to: api}}}");
        return;
    }
    if (node->count > STORM_POPULATIONS_MAX) {
        blame(reader->errors, trail, trail->place, NULL, "more than %d populations",
              STORM_POPULATIONS_MAX);
        return;
    }
    uint32_t consumers = reader_count_names(reader->consumers);
    consumers = consumers < STORM_POPULATIONS_MAX ? consumers : STORM_POPULATIONS_MAX;
    scenario->populations =
        reader_take(reader, (size_t)node->count + consumers, sizeof *scenario->populations);
    if (scenario->populations == NULL)
        return;
    scenario->population_count = node->count;
    for (uint32_t i = 0; i < node->count; i++) {
        struct trail here = trail_item(trail, &node->items[i]);
        population_read(reader, &here, &node->items[i], &scenario->populations[i]);
        total += scenario->populations[i].count;
    }
    if (total > STORM_CLIENTS_MAX)
        blame(reader->errors, trail, trail->place, NULL, "more than %d clients in all",
              STORM_CLIENTS_MAX);
}
