/* small_world.c: exact little worlds built in C, and the story they tell: one line for each
   fact. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/small_world.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "support/test.h"

enum { LINE_BYTES = 256, TIME_BYTES = 40, AUDITED_EVENTS = 10000 };

struct storm_dist small_world_constant(storm_time time) {
    return (struct storm_dist){.law = STORM_LAW_CONSTANT, .offset = time};
}

/* The scenario's parts are the world's own. */
static void own_parts(struct small_world *world) {
    world->scenario.policies = world->policies;
    world->scenario.populations = world->populations;
    world->scenario.services = world->services;
    world->scenario.calls = world->calls;
    world->scenario.faults = world->faults;
    world->scenario.actions = world->actions;
}

void small_world_init(struct small_world *world) {
    *world = (struct small_world){.memory = (size_t)64 << 20, .seed = 1};
    world->scenario =
        (struct storm_scenario){.title = "small", .duration = 60 * SEC, .policy_count = 1};
    own_parts(world);
    small_world_retry(world, 1, 0);
    small_world_add_service(world, "api");
    small_world_add_population(world, SEC, 1);
    world->populations[0].name = "client";
}

static struct storm_policy constant_policy(uint32_t attempts, double delay) {
    return (struct storm_policy){.name = "policy",
                                 .attempts = attempts,
                                 .total_time = STORM_NEVER,
                                 .persist = 1,
                                 .delay = {.growth = STORM_GROWTH_CONSTANT,
                                           .base = delay,
                                           .factor = 2,
                                           .cap = HUGE_VAL,
                                           .jitter_low = 1,
                                           .jitter_high = 1}};
}

void small_world_retry(struct small_world *world, uint32_t attempts, double delay) {
    world->policies[0] = constant_policy(attempts, delay);
}

uint32_t small_world_add_policy(struct small_world *world, uint32_t attempts, double delay) {
    uint32_t index = world->scenario.policy_count++;
    assert(index < SMALL_MOST);
    world->policies[index] = constant_policy(attempts, delay);
    return index;
}

static struct storm_edge edge_to(const struct small_world *world, uint32_t to) {
    return (struct storm_edge){.to_name = world->services[to].name,
                               .to = to,
                               .timeout = {.offset = STORM_NEVER},
                               .deadline = STORM_NEVER};
}

uint32_t small_world_add_population(struct small_world *world, storm_time at, uint32_t count) {
    uint32_t index = world->scenario.population_count++;
    assert(index < SMALL_MOST);
    world->populations[index] = (struct storm_population){.name = "other",
                                                          .count = count,
                                                          .arrival = STORM_ARRIVAL_AT,
                                                          .at = at,
                                                          .call = edge_to(world, 0),
                                                          .in_time = STORM_NEVER,
                                                          .dead_letter_queue = "dead"};
    return index;
}

uint32_t small_world_add_service(struct small_world *world, const char *name) {
    uint32_t index = world->scenario.service_count++;
    assert(index < SMALL_MOST);
    world->services[index] = (struct storm_service){.name = name,
                                                    .workers = 1,
                                                    .service_time = small_world_constant(100 * MS),
                                                    .queue_limit = STORM_UNLIMITED,
                                                    .on_full = 503,
                                                    .hold = true};
    return index;
}

uint32_t small_world_add_call(struct small_world *world, uint32_t from, uint32_t to) {
    uint32_t index = world->scenario.call_count++;
    struct storm_service *service = &world->services[from];
    assert(index < SMALL_MOST);
    assert(service->call_count == 0 || service->call_first + service->call_count == index);
    service->call_first = service->call_count == 0 ? index : service->call_first;
    service->call_count++;
    world->calls[index] = edge_to(world, to);
    return index;
}

uint32_t small_world_add_fault(struct small_world *world, enum storm_fault_kind kind, storm_time at,
                               storm_time length) {
    uint32_t index = world->scenario.fault_count++;
    assert(index < SMALL_MOST);
    world->faults[index] =
        (struct storm_fault){.kind = kind, .at = at, .length = length, .factor = 1};
    return index;
}

uint32_t small_world_add_action(struct small_world *world, enum storm_action_kind kind,
                                storm_time at, storm_time length) {
    uint32_t index = world->scenario.action_count++;
    assert(index < SMALL_MOST);
    world->actions[index] = (struct storm_action){
        .kind = kind, .at = at, .length = length, .population = STORM_NONE, .status = 503};
    return index;
}

void small_world_add_change(struct small_world *world, storm_time at, struct small_world *after) {
    uint32_t index = small_world_add_action(world, STORM_ACTION_SET, at, STORM_NEVER);
    *after = *world;
    own_parts(after);
    world->actions[index].after = &after->scenario;
}

void small_world_busy(struct small_world *w) {
    small_world_init(w);
    small_world_retry(w, 4, 0.2);
    w->policies[0].delay.jitter_low = 0;
    w->policies[0].delay.growth = STORM_GROWTH_EXPONENTIAL;
    w->populations[0].arrival = STORM_ARRIVAL_POISSON;
    w->populations[0].count = 100;
    w->populations[0].rate = 40;
    w->populations[0].call.timeout.offset = 400 * MS;
    w->populations[0].call.network =
        (struct storm_dist){.law = STORM_LAW_EXPONENTIAL, .offset = 5 * MS, .a = 0.01};
    w->services[0].workers = 8;
    w->services[0].queue_limit = 30;
    uint32_t db = small_world_add_service(w, "db");
    small_world_add_call(w, 0, db);
    w->calls[0].timeout.offset = 300 * MS;
    w->services[db].workers = 5;
    w->services[db].service_time = (struct storm_dist){.law = STORM_LAW_EXPONENTIAL, .a = 0.05};
    w->services[db].crash_when = STORM_CRASH_OFFERED;
    w->services[db].crash_offered = 0.6;
    w->services[db].crash_window = SEC;
    w->services[db].crash_down_for = SEC;
    w->services[db].recovery_time = 5 * SEC;
    w->services[db].recovery_from = 0.2;
    w->services[db].error_count = 1;
    w->services[db].errors[0] = (struct storm_error_row){500, 0.05};
    small_world_add_fault(w, STORM_FAULT_HANG, 20 * SEC, 5 * SEC);
    w->faults[0].service = db;
    small_world_add_fault(w, STORM_FAULT_DOWN, 23 * SEC, 5 * SEC);
    small_world_add_fault(w, STORM_FAULT_SLOW, 35 * SEC, 5 * SEC);
    w->faults[2].factor = 4;
    storm_dist_prepare(&w->populations[0].call.network);
    storm_dist_prepare(&w->services[db].service_time);
}

static void hear(void *context, const struct storm_fact *fact) {
    struct small_world *world = context;
    if (world->fact_count == world->fact_room) {
        world->fact_room = world->fact_room > 0 ? 2 * world->fact_room : 256;
        world->facts = realloc(world->facts, world->fact_room * sizeof *world->facts);
        assert(world->facts != NULL);
    }
    assert(world->fact_count == 0 || world->facts[world->fact_count - 1].time <= fact->time);
    world->facts[world->fact_count++] = *fact;
}

void small_world_live(struct small_world *world) {
    assert(world->model == NULL);
    arena_init(&world->arena, world->memory);
    world->model = model_new(&world->arena, &world->scenario, world->seed, 0,
                             (struct storm_listener){hear, world}, &world->error);
    if (world->model == NULL)
        return;
    bool more = true;
    while (more) {
        more = model_advance(world->model, model_events(world->model) < AUDITED_EVENTS ? 1 : 1000);
        model_audit(world->model);
    }
    world->error = *model_error(world->model);
}

void small_world_free(struct small_world *world) {
    arena_free(&world->arena);
    free(world->facts);
    *world = (struct small_world){0};
}

size_t small_world_count(const struct small_world *world, enum storm_fact_kind kind,
                         uint16_t place) {
    size_t count = 0;
    for (size_t i = 0; i < world->fact_count; i++)
        count += world->facts[i].kind == kind && world->facts[i].place == place;
    return count;
}

const struct storm_fact *small_world_fact(const struct small_world *world,
                                          enum storm_fact_kind kind, uint16_t place, size_t index) {
    for (size_t i = 0; i < world->fact_count; i++) {
        const struct storm_fact *fact = &world->facts[i];
        if (fact->kind == kind && fact->place == place && index-- == 0)
            return fact;
    }
    fail_msg("there is no such fact");
    return NULL;
}

/* What a fact of each kind begins with. */
static const char *const verbs[] = {[STORM_FACT_BORN] = "born",
                                    [STORM_FACT_SENT] = "sent",
                                    [STORM_FACT_VANISHED] = "vanished",
                                    [STORM_FACT_ARRIVED] = "arrived",
                                    [STORM_FACT_REFUSED] = "refused",
                                    [STORM_FACT_LOST] = "lost",
                                    [STORM_FACT_QUEUED] = "queued",
                                    [STORM_FACT_EXPIRED] = "expired",
                                    [STORM_FACT_STARTED] = "started",
                                    [STORM_FACT_PARKED] = "parked",
                                    [STORM_FACT_SERVED] = "served",
                                    [STORM_FACT_CANCELLED] = "cancelled",
                                    [STORM_FACT_GAVE_UP] = "gave up",
                                    [STORM_FACT_BACKED_OFF] = "backed off",
                                    [STORM_FACT_RESTED] = "rested",
                                    [STORM_FACT_SUCCEEDED] = "succeeded",
                                    [STORM_FACT_DEAD] = "dead",
                                    [STORM_FACT_CAPACITY] = "capacity",
                                    [STORM_FACT_OUTAGE] = "outage",
                                    [STORM_FACT_CRASHED] = "crashed",
                                    [STORM_FACT_HELD_BACK] = "held back",
                                    [STORM_FACT_BREAKER] = "breaker",
                                    [STORM_FACT_BANNED] = "banned",
                                    [STORM_FACT_DELIVERED] = "delivered",
                                    [STORM_FACT_RETURNED] = "returned",
                                    [STORM_FACT_EFFECT] = "effect",
                                    [STORM_FACT_SUPPRESSED] = "suppressed"};

/* How a request ended. */
static void print_end(const struct small_world *world, const struct storm_fact *f,
                      char text[LINE_BYTES]) {
    static const char *const reasons[] = {
#define REASON_WORD(name, word) word,
        STORM_REASON_MAP(REASON_WORD)
#undef REASON_WORD
    };
    char took[TIME_BYTES], failed[TIME_BYTES];
    int used = snprintf(text, LINE_BYTES, "%s %s %u in %s tries %u", verbs[f->kind],
                        world->populations[f->place].name, f->member,
                        storm_time_print(f->time - f->since, took, sizeof took), f->attempts);
    if (f->kind == STORM_FACT_DEAD)
        snprintf(text + used, LINE_BYTES - (size_t)used, " status %u %s since %s", f->status,
                 reasons[f->reason], storm_time_print(f->first_failed, failed, sizeof failed));
}

/* What happens between a queue and its consumers. */
static void print_delivery(const struct small_world *world, const struct storm_fact *f,
                           char text[LINE_BYTES]) {
    char due[TIME_BYTES];
    const char *consumers = world->populations[f->place].name;
    if (f->kind == STORM_FACT_DELIVERED)
        snprintf(text, LINE_BYTES, "%s %s %u receive %u", verbs[f->kind], consumers, f->member,
                 f->attempts);
    else
        snprintf(text, LINE_BYTES, "%s %s %u until %s", verbs[f->kind], consumers, f->level,
                 storm_time_print(f->due, due, sizeof due));
}

/* The fact without its time and its flags. */
static void print_what(const struct small_world *world, const struct storm_fact *f,
                       char text[LINE_BYTES]) {
    char time[TIME_BYTES];
    const char *verb = verbs[f->kind];
    const char *service = world->services[f->place % SMALL_MOST].name;
    storm_time_print(f->time - f->since, time, sizeof time);
#define PRINT(...) snprintf(text, LINE_BYTES, __VA_ARGS__)
    switch ((enum storm_fact_kind)f->kind) {
    case STORM_FACT_BORN:
        PRINT("%s %s %u", verb, world->populations[f->place].name, f->member);
        break;
    case STORM_FACT_SUCCEEDED:
    case STORM_FACT_DEAD:
        print_end(world, f, text);
        break;
    case STORM_FACT_SENT:
    case STORM_FACT_GAVE_UP:
    case STORM_FACT_RESTED:
        PRINT("%s %s try %u", verb, service, f->attempts);
        break;
    case STORM_FACT_BACKED_OFF:
        PRINT("%s %s try %u until %s", verb, service, f->attempts,
              storm_time_print(f->due, time, sizeof time));
        break;
    case STORM_FACT_LOST:
        PRINT("%s %s%s", verb, service, f->status == STORM_OUTCOME_RESET ? " reset" : "");
        break;
    case STORM_FACT_VANISHED:
    case STORM_FACT_REFUSED:
        PRINT("%s %s %u", verb, service, f->status);
        break;
    case STORM_FACT_SERVED:
        PRINT("%s %s %u in %s", verb, service, f->status, time);
        break;
    case STORM_FACT_STARTED:
    case STORM_FACT_EXPIRED:
    case STORM_FACT_PARKED:
        PRINT("%s %s after %s", verb, service, time);
        break;
    case STORM_FACT_CAPACITY:
    case STORM_FACT_OUTAGE:
    case STORM_FACT_BREAKER:
        PRINT("%s %s %u", verb, service, f->level);
        break;
    case STORM_FACT_ARRIVED:
    case STORM_FACT_QUEUED:
    case STORM_FACT_CANCELLED:
    case STORM_FACT_CRASHED:
    case STORM_FACT_SUPPRESSED:
        PRINT("%s %s", verb, service);
        break;
    case STORM_FACT_HELD_BACK:
        PRINT("%s %s try %u %s", verb, service, f->attempts,
              storm_reason_word((enum storm_reason)f->reason));
        break;
    case STORM_FACT_BANNED:
        PRINT("%s %s %u until %s", verb, service, f->member,
              storm_time_print(f->due, time, sizeof time));
        break;
    case STORM_FACT_DELIVERED:
    case STORM_FACT_RETURNED:
        print_delivery(world, f, text);
        break;
    case STORM_FACT_EFFECT:
        PRINT("%s %s %u cause %u", verb, service, f->attempts, f->level);
        break;
    }
#undef PRINT
}

static char *write_story(const struct small_world *world) {
    char *story = calloc(world->fact_count + 1, 2 * LINE_BYTES), *end = story;
    assert(story != NULL);
    for (size_t i = 0; i < world->fact_count; i++) {
        const struct storm_fact *f = &world->facts[i];
        char time[TIME_BYTES], what[LINE_BYTES];
        bool is_rest = f->kind == STORM_FACT_BACKED_OFF || f->kind == STORM_FACT_RESTED;
        bool is_served = f->kind == STORM_FACT_SERVED;
        bool is_queued = f->queued && f->kind != STORM_FACT_SENT;
        if ((f->kind == STORM_FACT_CAPACITY && f->time == 0) || (is_rest && !world->with_rests))
            continue;
        print_what(world, f, what);
        end +=
            sprintf(end, "%s %s%s%s%s%s\n", storm_time_print(f->time, time, sizeof time), what,
                    f->retry ? " retry" : "", f->ghost ? " ghost" : "", is_queued ? " queued" : "",
                    is_served && !f->busy   ? " parked"
                    : f->busy && !is_served ? " busy"
                                            : "");
    }
    return story;
}

void small_world_expect(const struct small_world *world, const char *story) {
    if (world->error.status != STORM_OK)
        fail_msg("the run failed: %s", world->error.message);
    char *told = write_story(world);
    bool same = strcmp(told, story) == 0;
    if (!same)
        fprintf(stderr, "--- expected\n%s--- told\n%s---\n", story, told);
    free(told);
    assert_true(same);
}
