/* small_world.h: exact little worlds built in C, and the story they tell: one line for each
   fact. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SUPPORT_SMALL_WORLD_H
#define SUPPORT_SMALL_WORLD_H

#include <stddef.h>
#include <stdint.h>

#include <retrystorm/error.h>
#include <retrystorm/fact.h>
#include <retrystorm/scenario.h>
#include <retrystorm/units.h>

#include "base/arena.h"

struct model;

#define MS STORM_MILLISECOND
#define SEC STORM_SECOND

enum { SMALL_MOST = 32 };

/* A scenario whose parts can be changed between small_world_init and small_world_live, and what
   was heard of it. */
struct small_world {
    struct storm_scenario scenario;
    struct storm_policy policies[SMALL_MOST];
    struct storm_population populations[SMALL_MOST];
    struct storm_service services[SMALL_MOST];
    struct storm_edge calls[SMALL_MOST];
    struct storm_fault faults[SMALL_MOST];
    struct storm_action actions[SMALL_MOST];
    bool with_rests; /* the story tells of back-offs */
    size_t memory;   /* limit of the run */
    uint64_t seed;
    struct arena arena;
    struct model *model;
    struct storm_error error; /* how the run ended */
    struct storm_fact *facts;
    size_t fact_count, fact_room;
};

/* One population "client" of one client that wants something at 1 s, from one service "api" with
   one worker and 100 ms of constant work and no bound on its queue, over a network without latency,
   with no retry, for 60 s. */
void small_world_init(struct small_world *world);

/* Adds a second population, service, fault or a service's own call, like the first one in all
   but the arguments. */
uint32_t small_world_add_population(struct small_world *world, storm_time at, uint32_t count);
uint32_t small_world_add_service(struct small_world *world, const char *name);
uint32_t small_world_add_call(struct small_world *world, uint32_t from, uint32_t to);
uint32_t small_world_add_fault(struct small_world *world, enum storm_fault_kind kind, storm_time at,
                               storm_time length);

/* Adds an operators' action on everybody and on the first service, with status 503. */
uint32_t small_world_add_action(struct small_world *world, enum storm_action_kind kind,
                                storm_time at, storm_time length);

/* From `at` on, `after` is in force, which is now a copy of the world and may be changed before the
   world lives. It must stay until then, and is not to be freed. */
void small_world_add_change(struct small_world *world, storm_time at, struct small_world *after);

/* Adds a policy like the first one; returns its index. */
uint32_t small_world_add_policy(struct small_world *world, uint32_t attempts, double delay);

/* Makes the first policy one of `attempts` tries with a constant delay between them. */
void small_world_retry(struct small_world *world, uint32_t attempts, double delay);

/* Instead of small_world_init: a busy world with everything in it: two layers, retries,
   timeouts, faults, crashes, a ramp. */
void small_world_busy(struct small_world *world);

/* A constant duration. */
struct storm_dist small_world_constant(storm_time time);

/* Simulates the whole run, auditing the books after every event (after every thousandth of a long
   run). An error is left in world->error. */
void small_world_live(struct small_world *world);

void small_world_free(struct small_world *world);

/* How many facts of this kind about this place were heard, and number `index` of them, which
   must exist. */
size_t small_world_count(const struct small_world *world, enum storm_fact_kind kind,
                         uint16_t place);
const struct storm_fact *small_world_fact(const struct small_world *world,
                                          enum storm_fact_kind kind, uint16_t place, size_t index);

/* The run must have ended without an error, and its facts (but for the capacities said at time 0)
   must be exactly these lines (a worker held is told of what is not usual: lost with it, served
   without it), e.g. "1s born client 0\n1s sent api try 1\n...". */
void small_world_expect(const struct small_world *world, const char *story);

#endif
