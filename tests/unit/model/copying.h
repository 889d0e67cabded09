/* copying.h: small worlds in which requests are sent once more, and what comes of it. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef UNIT_MODEL_COPYING_H
#define UNIT_MODEL_COPYING_H

#include <stddef.h>
#include <stdint.h>

#include <retrystorm/fact.h>
#include <retrystorm/scenario.h>

#include "support/small_world.h"
#include "support/test.h"

/* So many clients want something at 1 s, and at once, and only then, the service is down: all of
   their requests are dead letters. */
static inline void dying(struct small_world *w, uint32_t clients) {
    small_world_init(w);
    w->populations[0].count = clients;
    w->services[0].workers = STORM_UNLIMITED;
    w->services[0].service_time = small_world_constant(0);
    small_world_add_fault(w, STORM_FAULT_DOWN, 0, 10 * SEC);
}

/* One request a second, at 0, 1, 2 ... s by seven clients in turn, each answered at once. */
static inline void steady(struct small_world *w) {
    small_world_init(w);
    w->services[0].workers = STORM_UNLIMITED;
    w->services[0].service_time = small_world_constant(0);
    w->populations[0].arrival = STORM_ARRIVAL_EVEN;
    w->populations[0].rate = 1;
    w->populations[0].count = 7;
}

/* Adds an action on the first population that sends copies, all of them at once. */
static inline struct storm_action *add_copies(struct small_world *w, enum storm_action_kind kind,
                                              storm_time at) {
    struct storm_action *action = &w->actions[small_world_add_action(w, kind, at, STORM_NEVER)];
    action->population = 0;
    action->pace.limit = STORM_UNLIMITED;
    return action;
}

/* Number `index` of the births of that kind; NULL: there are not so many. */
static inline const struct storm_fact *find_birth(const struct small_world *w,
                                                  enum storm_birth kind, size_t index) {
    for (size_t i = 0; i < w->fact_count; i++) {
        const struct storm_fact *f = &w->facts[i];
        if (f->kind == STORM_FACT_BORN && f->level == (uint32_t)kind && index-- == 0)
            return f;
    }
    return NULL;
}

static inline size_t count_births(const struct small_world *w, enum storm_birth kind) {
    size_t count = 0;
    for (size_t i = 0; i < w->fact_count; i++)
        count += w->facts[i].kind == STORM_FACT_BORN && w->facts[i].level == (uint32_t)kind;
    return count;
}

/* The births of that kind are at these times, in seconds. */
static inline void expect_times(const struct small_world *w, enum storm_birth kind,
                                const double *times, size_t count) {
    assert_int_equal(w->error.status, STORM_OK);
    assert_int_equal(count_births(w, kind), count);
    for (size_t i = 0; i < count; i++)
        assert_true(find_birth(w, kind, i)->time == storm_time_from_seconds(times[i]));
}

/* Nothing was born twice under one key, copies included. */
static inline void expect_own_keys(const struct small_world *w) {
    for (size_t i = 0; i < w->fact_count; i++)
        for (size_t j = 0; j < i && w->facts[i].kind == STORM_FACT_BORN; j++)
            assert_true(w->facts[j].kind != STORM_FACT_BORN || w->facts[j].key != w->facts[i].key);
}

#endif
