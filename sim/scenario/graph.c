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

static void circle_blame(struct walk *walk, uint32_t from, uint32_t call) {
    const struct storm_scenario *scenario = walk->reader->scenario;
    char circle[STORM_MESSAGE_MAX - 48];
    circle_print(walk, scenario->calls[call].to, circle, sizeof circle);
    struct trail top = {.up = NULL};
    struct trail services = {.up = &top, .key = "services"};
    struct trail service = {.up = &services, .key = scenario->services[from].name};
    struct trail calls = {.up = &service, .key = "calls"};
    struct trail item = {.up = &calls, .index = call - scenario->services[from].call_first};
    struct trail to = {.up = &item, .key = "to"};
    blame(walk->reader->errors, &to, walk->reader->call_places[call],
          "a request would never end; take one of these calls out",
          "calls go round in a circle: %s", circle);
}

/* Depth first; at most as deep as there are services. */
static void service_visit(struct walk *walk, uint32_t index) {
    const struct storm_scenario *scenario = walk->reader->scenario;
    const struct storm_service *service = &scenario->services[index];
    assert(walk->depth < scenario->service_count);
    walk->visits[index] = VISIT_OPEN;
    walk->path[walk->depth++] = index;
    for (uint32_t i = service->call_first; i < service->call_first + service->call_count; i++) {
        uint32_t to = scenario->calls[i].to;
        if (to == STORM_NONE)
            continue;
        assert(to < scenario->service_count);
        if (walk->visits[to] == VISIT_OPEN)
            circle_blame(walk, index, i);
        else if (walk->visits[to] == VISIT_NONE)
            service_visit(walk, to);
    }
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
