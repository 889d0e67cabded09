/* plan.h: before letters are sent again: whose they are, what that will do, what speaks against. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LETTERS_PLAN_H
#define LETTERS_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/error.h>
#include <retrystorm/scenario.h>

#include "base/arena.h"
#include "letters/letter.h"

/* Which letters are to be sent, how, and into which scenario. */
struct plan_wish {
    const struct storm_scenario *scenario;
    struct letter *const *letters; /* those that passed the filter and may go, in order */
    uint32_t count;
    storm_time at;          /* of the run; when the first goes */
    struct storm_pace pace; /* its limit is passed over: all go */
};

/* Where the letters go. */
struct plan_target {
    uint32_t population; /* whose dead letters they are: clients, or consumers */
    bool is_queue;       /* they go into the queue of those consumers */
};

/* Finds it. False after filling `error`: the scenario has no such dead-letter queue, clients or
   member, or the letters are of several populations. */
bool plan_target(const struct plan_wish *wish, struct plan_target *target,
                 struct storm_error *error);

/* The index of the clients whose request a letter was. They are there once plan_target has found
   its target. */
uint32_t plan_origin(const struct storm_scenario *scenario, const struct letter *letter);

/* How much a replay asks of the place that can do least about it. */
struct plan_load {
    const char *name;  /* of that service, or of the consumers */
    bool is_consumers; /* the letters wait in a queue for them: they slow things down, no more */
    double capacity;   /* letters per second, with nobody else there; +inf: nothing is in the way */
    double live;       /* of that taken by the live traffic */
    storm_time waits;  /* how long callers wait for their answers; STORM_NEVER: for ever */
    double ratio;      /* what is asked of it in units of what it can do; above 1: too much */
    bool knocks_down;  /* its crash rule will strike */
    double rate; /* a pace that it can do: half of what is to spare, a round number; 0: none */
    storm_time length; /* of the replay at the pace wished for */
    storm_time drain;  /* of all letters at once, by what is to spare; STORM_NEVER: never */
    uint32_t unsent;   /* letters for which the run is too short */
    uint32_t memory;   /* of the queue that is to hold them all at once; STORM_UNLIMITED: any */
    bool overflows;    /* they are more than that */
    bool crashes;      /* the queue's broker crashes then */
};

void plan_load(const struct plan_wish *wish, const struct plan_target *target,
               struct plan_load *load);

/* The first window of the scenario's `index`-th fault, [from, to), that meets the time in which the
   letters are sent. False: there is none, or its service is not on their way. */
bool plan_meets_fault(const struct plan_wish *wish, const struct plan_target *target,
                      uint32_t index, storm_time *from, storm_time *to);

/* Whether a service on the way keeps a second copy from being done twice, and none that is known to
   have side effects does not. `name`: the one that does not, or the first on the way. */
bool plan_is_idempotent(const struct storm_scenario *scenario, const struct plan_target *target,
                        const char **name);

#endif
