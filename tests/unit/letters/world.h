/* world.h: a shop that calls a service, or a queue whose workers do, as scenarios in C. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LETTERS_WORLD_H
#define LETTERS_WORLD_H

#include <math.h>

#include <retrystorm/scenario.h>

enum { WORLD_CLIENTS, WORLD_WORKERS };
enum { WORLD_API, WORLD_ORDERS }; /* services; the queue's place is the last */

struct letters_world {
    struct storm_policy policies[1];
    struct storm_population populations[2];
    struct storm_service services[2];
    struct storm_queue queues[1];
    struct storm_fault faults[1];
    struct storm_scenario scenario;
};

static inline struct storm_edge world_edge(const char *name, uint32_t to, storm_time timeout) {
    return (struct storm_edge){
        .to_name = name, .to = to, .timeout = {.offset = timeout}, .deadline = STORM_NEVER};
}

static inline struct storm_service world_service(const char *name, uint32_t workers,
                                                 storm_time time) {
    return (struct storm_service){
        .name = name,
        .workers = workers,
        .service_time = {.offset = time},
        .queue_limit = STORM_UNLIMITED,
        .on_full = 503,
        .full_retry_after = STORM_NEVER,
        .hold = true,
        .idempotency = {.retention = STORM_NEVER, .retention_count = STORM_UNLIMITED}};
}

/* 100 clients "shop" call "api" 40 times a second, which can do 100: directly, or through the queue
   "orders" and its 10 workers. Timeouts are 2 s. */
static inline void letters_world_init(struct letters_world *w, bool has_queue) {
    *w = (struct letters_world){0};
    w->policies[0] = (struct storm_policy){.name = "once",
                                           .attempts = 1,
                                           .total_time = STORM_NEVER,
                                           .persist = 1,
                                           .delay = {.cap = HUGE_VAL, .jitter_high = 1}};
    w->populations[WORLD_CLIENTS] = (struct storm_population){
        .name = "shop",
        .count = 100,
        .arrival = STORM_ARRIVAL_EVEN,
        .rate = 40,
        .call = has_queue ? world_edge("orders", WORLD_ORDERS, 2 * STORM_SECOND)
                          : world_edge("api", WORLD_API, 2 * STORM_SECOND),
        .auto_replay = STORM_NEVER,
        .queue = STORM_NONE,
        .in_time = 2 * STORM_SECOND};
    w->populations[WORLD_WORKERS] =
        (struct storm_population){.name = "workers",
                                  .count = 10,
                                  .arrival = STORM_ARRIVAL_QUEUE,
                                  .call = world_edge("api", WORLD_API, 2 * STORM_SECOND),
                                  .auto_replay = STORM_NEVER,
                                  .prefetch = 1,
                                  .in_time = STORM_NEVER,
                                  .dead_letter_queue = "orders.dead"};
    w->services[WORLD_API] = world_service("api", 10, 100 * STORM_MILLISECOND);
    w->services[WORLD_ORDERS] = world_service("orders", STORM_UNLIMITED, 0);
    w->queues[0] = (struct storm_queue){.service = WORLD_ORDERS,
                                        .visibility = 30 * STORM_SECOND,
                                        .max_receives = STORM_UNLIMITED,
                                        .partitions = 1,
                                        .memory = STORM_UNLIMITED,
                                        .full_status = 503,
                                        .durable = true,
                                        .consumers = WORLD_WORKERS};
    w->scenario = (struct storm_scenario){.title = "shop",
                                          .duration = 300 * STORM_SECOND,
                                          .epoch = INT64_C(1788696000) * STORM_SECOND,
                                          .seed = 1,
                                          .runs = 1,
                                          .policy_count = 1,
                                          .population_count = has_queue ? 2 : 1,
                                          .service_count = has_queue ? 2 : 1,
                                          .queue_count = has_queue,
                                          .policies = w->policies,
                                          .populations = w->populations,
                                          .services = w->services,
                                          .queues = w->queues,
                                          .faults = w->faults};
}

#endif
