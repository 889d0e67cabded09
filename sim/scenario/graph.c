/* graph.c: calls must not go round in a circle: such a request would never end. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "scenario/fields.h"

enum visit { VISIT_NONE, VISIT_OPEN, VISIT_DONE };

/* A walk down the calls. path[0 .. depth) are the services entered and not left: exactly the
   open ones. */
struct walk {
    struct reader *reader;
    enum visit visits[STORM_SERVICES_MAX];
    uint32_t path[STORM_SERVICES_MAX];
    uint32_t depth;
};

/* Writes "a -> b -> a", in the middle "..." when it is long. */
static void circle_print(const struct walk *walk, uint32_t to, char *buffer, size_t size) {
    const struct storm_service *services = walk->reader->scenario->services;
    uint32_t first = 0;
    size_t used = 0;
    char quoted[QUOTE_MAX];
    while (walk->path[first] != to)
        first++;
    assert(first < walk->depth);
    for (uint32_t i = first; i < walk->depth; i++) {
        bool has_room = used + 2 * sizeof quoted + 16 < size;
        if (has_room)
            used +=
                (size_t)snprintf(buffer + used, size - used, "%s -> ",
                                 blame_quote(services[walk->path[i]].name, quoted, sizeof quoted));
        else if (i + 1 == walk->depth)
            used += (size_t)snprintf(buffer + used, size - used, "... -> ");
    }
    snprintf(buffer + used, size - used, "%s",
             blame_quote(services[to].name, quoted, sizeof quoted));
}

/* A call on the way, as it is written. */
struct step {
    const char *map, *caller; /* services.api */
    uint32_t index;           /* in a list of calls; STORM_NONE: the caller has one call */
    struct place place;
    uint32_t to;
};

static void circle_blame(struct walk *walk, const struct step *step) {
    char circle[STORM_MESSAGE_MAX - 48];
    circle_print(walk, step->to, circle, sizeof circle);
    struct trail top = {.up = NULL};
    struct trail map = {.up = &top, .key = step->map};
    struct trail caller = {.up = &map, .key = step->caller};
    struct trail calls = {.up = &caller, .key = "calls"};
    struct trail item = {.up = &calls, .index = step->index};
    struct trail to = {.up = step->index == STORM_NONE ? &calls : &item, .key = "to"};
    blame(walk->reader->errors, &to, step->place,
          "a request would never end; take one of these calls out",
          "calls go round in a circle: %s", circle);
}

static void service_visit(struct walk *walk, uint32_t index);

static void step_take(struct walk *walk, const struct step *step) {
    if (step->to >= walk->reader->scenario->service_count)
        return; /* in error */
    if (walk->visits[step->to] == VISIT_OPEN)
        circle_blame(walk, step);
    else if (walk->visits[step->to] == VISIT_NONE)
        service_visit(walk, step->to);
}

/* What is put into a queue goes on with its consumers' call. */
static void consumers_follow(struct walk *walk, const struct storm_queue *queue) {
    const struct reader *reader = walk->reader;
    if (queue->consumers == STORM_NONE)
        return;
    const struct storm_population *population = &reader->scenario->populations[queue->consumers];
    const struct item *item = tree_find(reader->consumers, population->name);
    assert(item != NULL);
    const struct item *calls = tree_find(item->value, "calls");
    const struct item *to = calls == NULL ? NULL : tree_find(calls->value, "to");
    struct step step = {.map = "consumers",
                        .caller = population->name,
                        .index = STORM_NONE,
                        .place = to != NULL ? to->value->place : item->place,
                        .to = population->call.to};
    step_take(walk, &step);
}

/* Depth first; at most as deep as there are services. */
static void service_visit(struct walk *walk, uint32_t index) {
    const struct storm_scenario *scenario = walk->reader->scenario;
    const struct storm_service *service = &scenario->services[index];
    assert(walk->depth < scenario->service_count);
    walk->visits[index] = VISIT_OPEN;
    walk->path[walk->depth++] = index;
    for (uint32_t i = 0; i < service->call_count; i++) {
        uint32_t call = service->call_first + i;
        struct step step = {.map = "services",
                            .caller = service->name,
                            .index = i,
                            .place = walk->reader->call_places[call],
                            .to = scenario->calls[call].to};
        step_take(walk, &step);
    }
    uint32_t queue = storm_queue_at(scenario, index);
    if (queue != STORM_NONE)
        consumers_follow(walk, &scenario->queues[queue]);
    walk->visits[index] = VISIT_DONE;
    walk->depth--;
}

void calls_check(struct reader *reader) {
    struct walk walk = {.reader = reader};
    assert(reader->scenario->service_count <= STORM_SERVICES_MAX);
    for (uint32_t i = 0; i < reader->scenario->service_count; i++) {
        if (walk.visits[i] == VISIT_NONE)
            service_visit(&walk, i);
    }
    assert(walk.depth == 0);
}
