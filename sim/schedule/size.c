/* size.c: how many attempts, and how far apart, from the time that a service takes to recover. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "schedule/size.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* The base is small against the recovery, so that a short outage is soon over for its callers, and
   yet doubled to the recovery in five retries. */
enum { BASES_PER_RECOVERY = 30 };
#define BASE_LEAST STORM_MICROSECOND

/* A product that rounds its delays so finely is sized as if it did not: the exact ways know no
   rounding, and drawing lives instead takes most of a minute. */
enum { GRAINS_PER_BASE = 100 };

/* ---- the caps to look at --------------------------------------------------------------------- */

/* As shares of the recovery. */
static const struct {
    int64_t of, in;
} cap_shares[] = {{1, 10}, {1, 5}, {1, 3}, {1, 2}, {2, 3}, {1, 1}};

/* The largest time of 1, 1.5, 2, 3, 5 or 7 units of a decade that is not above `time`. */
static storm_time round_down(storm_time time) {
    static const int tenths[] = {10, 15, 20, 30, 50, 70};
    storm_time decade = 1, found = 1;
    assert(time >= 1);
    while (decade <= time / 10) {
        decade *= 10;
    }
    for (size_t i = 0; i < sizeof tenths / sizeof tenths[0]; i++) {
        storm_time round = decade / 10 * tenths[i];
        found = round <= time && round > found ? round : found;
    }
    return found;
}

/* Puts a cap among the others by size, once. */
static void add_cap(struct size_answer *answer, storm_time cap) {
    uint32_t at = 0;
    cap = storm_time_later(round_down(storm_time_later(cap, 1)), answer->base);
    while (at < answer->count && answer->choices[at].cap < cap) {
        at++;
    }
    if (at < answer->count && answer->choices[at].cap == cap) {
        return;
    }
    assert(answer->count < SIZE_CHOICES_MAX);
    memmove(&answer->choices[at + 1], &answer->choices[at],
            (answer->count - at) * sizeof answer->choices[0]);
    answer->choices[at] = (struct size_choice){.cap = cap};
    answer->count++;
}

static void choose_caps(const struct size_question *question, struct size_answer *answer) {
    storm_time recovery = question->recovery, left = question->deadline - recovery;
    for (size_t i = 0; i < sizeof cap_shares / sizeof cap_shares[0]; i++) {
        add_cap(answer, recovery / cap_shares[i].in * cap_shares[i].of);
    }
    if (left > 0 && left < recovery) { /* no longer delay is sure to end before the deadline */
        add_cap(answer, left);
    }
}

/* ---- one cap --------------------------------------------------------------------------------- */

/* What is known of the policies with one cap, by the number of their attempts. */
struct survival {
    double at_once[SCHEDULE_ROOM + 1], by_timeout[SCHEDULE_ROOM + 1];
};

static double worse(const struct survival *survival, uint32_t attempts) {
    return fmin(survival->at_once[attempts - 1], survival->by_timeout[attempts - 1]);
}

static bool find_survival(const struct size_question *question, const struct schedule *schedule,
                          struct survival *survival) {
    struct schedule_moment moment = {question->recovery, question->deadline, 0};
    if (!schedule_survive(schedule, &moment, survival->at_once)) {
        return false;
    }
    memcpy(survival->by_timeout, survival->at_once, sizeof survival->at_once);
    moment.each = question->timeout;
    return question->timeout == STORM_NEVER ||
           schedule_survive(schedule, &moment, survival->by_timeout);
}

/* The fewest attempts that reach `target`; 0: none of those looked at. */
static uint32_t fewest(const struct survival *survival, uint32_t count, double target) {
    for (uint32_t n = 1; n <= count + 1; n++) {
        if (worse(survival, n) >= target - 1e-12) {
            return n;
        }
    }
    return 0;
}

/* Attempts are made until one begins when the service is back: each but the first two if the one
   before the last did not. */
static bool find_expected(const struct size_question *question, const struct schedule *schedule,
                          struct size_choice *choice) {
    double in_time[SCHEDULE_ROOM];
    struct schedule_moment moment = {question->recovery, STORM_NEVER, 0};
    if (!schedule_in_time(schedule, &moment, in_time)) {
        return false;
    }
    choice->expected = fmin(choice->attempts, 2);
    for (uint32_t n = 3; n <= choice->attempts; n++) {
        choice->expected += in_time[n - 3];
    }
    return true;
}

static void find_longest(const struct size_question *question, const struct schedule *schedule,
                         struct size_choice *choice) {
    storm_time each = question->timeout < STORM_NEVER ? question->timeout : 0;
    double high = schedule_sum(schedule, choice->attempts - 1, each).high;
    choice->longest = fmin(high, storm_time_to_seconds(question->deadline));
}

/* Looks at more and more attempts until the target is reached, or more of them add nothing. */
static bool evaluate(const struct size_question *question, struct size_answer *answer,
                     uint32_t index) {
    struct size_choice *choice = &answer->choices[index];
    struct storm_policy policy = size_policy(question, answer, index);
    struct schedule schedule;
    struct survival survival;
    double before = -1;
    uint32_t count = 8;
    for (;; count *= 2) {
        if (!schedule_make(&schedule, &policy, count) ||
            !find_survival(question, &schedule, &survival)) {
            return false;
        }
        choice->attempts = fewest(&survival, count, question->target);
        double now = worse(&survival, count + 1);
        bool is_over = now > 1e-3 && now - before < 1e-6; /* most tries lie behind the deadline */
        if (choice->attempts > 0 || count == SCHEDULE_RETRIES_MAX || is_over) {
            break;
        }
        before = now;
    }
    choice->reaches = choice->attempts > 0;
    if (!choice->reaches) { /* as near as it comes, to what shows */
        choice->attempts = fewest(&survival, count, worse(&survival, count + 1) - 5e-5);
    }
    choice->at_once = survival.at_once[choice->attempts - 1];
    choice->by_timeout = survival.by_timeout[choice->attempts - 1];
    choice->way = schedule.way;
    find_longest(question, &schedule, choice);
    return find_expected(question, &schedule, choice);
}

/* ---- the whole ------------------------------------------------------------------------------- */

bool size_fits(const struct storm_policy *policy) {
    return policy->delay.growth == STORM_GROWTH_EXPONENTIAL ||
           policy->delay.growth == STORM_GROWTH_DECORRELATED;
}

struct storm_policy size_policy(const struct size_question *question,
                                const struct size_answer *answer, uint32_t choice) {
    struct storm_policy policy = *question->policy;
    assert(choice < answer->count);
    policy.attempts = answer->choices[choice].attempts;
    policy.delay.base = storm_time_to_seconds(answer->base);
    policy.delay.cap = storm_time_to_seconds(answer->choices[choice].cap);
    policy.delay.jitter_add = policy.delay.jitter_add > 0 ? policy.delay.base : 0;
    if (policy.delay.quantum <= policy.delay.base / GRAINS_PER_BASE) {
        policy.delay.quantum = 0;
    }
    return policy;
}

/* Whether a choice is to be taken rather than another with a smaller cap. */
static bool is_better(const struct size_choice *choice, const struct size_choice *other) {
    if (choice->reaches != other->reaches) {
        return choice->reaches;
    }
    return choice->reaches ? choice->attempts < other->attempts
                           : fmin(choice->at_once, choice->by_timeout) >
                                 fmin(other->at_once, other->by_timeout);
}

bool size_find(const struct size_question *question, struct size_answer *answer) {
    assert(size_fits(question->policy) && question->recovery > 0);
    assert(question->recovery < question->deadline);
    *answer = (struct size_answer){.base = BASE_LEAST};
    storm_time base = storm_time_later(question->recovery / BASES_PER_RECOVERY, 1);
    answer->base = storm_time_later(round_down(base), BASE_LEAST);
    choose_caps(question, answer);
    for (uint32_t i = 0; i < answer->count; i++) {
        if (!evaluate(question, answer, i)) {
            return false;
        }
        if (is_better(&answer->choices[i], &answer->choices[answer->best])) {
            answer->best = i;
        }
    }
    return true;
}
