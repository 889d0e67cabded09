/* size.h: how many attempts, and how far apart, from the time that a service takes to recover. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SCHEDULE_SIZE_H
#define SCHEDULE_SIZE_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/policy.h>
#include <retrystorm/units.h>

#include "schedule/schedule.h"

/* What is asked for: a call that begins as the service goes down is to have an attempt after it is
   back, and before the deadline. */
struct size_question {
    const struct storm_policy *policy; /* whose shape is taken: its growth, factor and jitter */
    storm_time recovery;               /* the service is back after this */
    storm_time deadline;               /* of the call; STORM_NEVER: none */
    storm_time timeout;                /* of each attempt; STORM_NEVER: none */
    double target;                     /* with what probability */
};

/* A policy for one cap, with the fewest attempts that reach the target (or, if none do, those that
   come closest to it). */
struct size_choice {
    storm_time cap;
    uint32_t attempts;
    double at_once, by_timeout; /* the probability, if attempts fail at once or by their timeout;
                                   without a timeout both are the same */
    double expected; /* attempts that are made by a call whose attempts fail at once until the
                        service is back */
    double longest;  /* seconds from the first attempt to the last, at most; cut at the deadline */
    bool reaches;    /* the target, in both ways to fail */
    enum schedule_way way;
};

enum { SIZE_CHOICES_MAX = 8 };

/* Choices by growing cap. */
struct size_answer {
    storm_time base; /* of all of them: a thirtieth of the recovery, as a round number */
    uint32_t count;
    uint32_t best; /* the one to take: of those that reach the target the one with the fewest
                      attempts, of equals the one with the smallest cap; if none does, the one that
                      comes closest */
    struct size_choice choices[SIZE_CHOICES_MAX];
};

/* Whether the shape of a policy has a base and a cap to be chosen. */
bool size_fits(const struct storm_policy *policy);

/* The policy of a choice. */
struct storm_policy size_policy(const struct size_question *question,
                                const struct size_answer *answer, uint32_t choice);

/* Looks for the choices. False without memory. */
bool size_find(const struct size_question *question, struct size_answer *answer);

#endif
