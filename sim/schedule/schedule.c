/* schedule.c: chooses how a policy's delays are computed, and adds up what comes of it. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "schedule/schedule.h"

#include <assert.h>
#include <string.h>

#include "policy/delay.h"
#include "schedule/laws.h"

/* The delays of a call whose draws are all `u`. */
static void walk(const struct storm_delay *delay, double u, uint32_t count, double *delays) {
    struct storm_delay_state state = {0};
    for (uint32_t k = 0; k < count; k++) {
        delays[k] = delay_next(delay, &state, u);
    }
}

/* Whether chance has no part in the delays. */
static bool is_fixed(const struct storm_delay *delay, uint32_t count) {
    double low[SCHEDULE_ROOM], other[SCHEDULE_ROOM];
    static const double draws[] = {0.37, LAWS_ALMOST_ONE};
    walk(delay, 0, count, low);
    for (int i = 0; i < 2; i++) {
        walk(delay, draws[i], count, other);
        if (memcmp(low, other, count * sizeof low[0]) != 0) {
            return false;
        }
    }
    return true;
}

static bool is_independent(const struct storm_delay *delay) {
    return delay->growth != STORM_GROWTH_DECORRELATED && delay->growth != STORM_GROWTH_POLLY &&
           delay->feedback == STORM_FEEDBACK_NONE && !delay->sticky;
}

/* Whether the delays follow the rule that the chain knows. A factor below 1 turns the window
   around, and windows that are narrow beside their distance from 0 are too fine for its grid. */
static bool is_chain(const struct storm_delay *delay) {
    return delay->growth == STORM_GROWTH_DECORRELATED && delay->factor >= 1.25 &&
           delay->base >= 1e-9 && delay->cap > delay->base;
}

enum schedule_way schedule_way_of(const struct storm_policy *policy, uint32_t count) {
    const struct storm_delay *delay = &policy->delay;
    assert(count <= SCHEDULE_ROOM);
    if (is_fixed(delay, count)) {
        return SCHEDULE_FIXED;
    }
    if (!is_independent(delay)) {
        return is_chain(delay) ? SCHEDULE_CHAIN : SCHEDULE_SAMPLE;
    }
    enum schedule_way way = SCHEDULE_WINDOWS;
    for (uint32_t n = 1; n <= count; n++) {
        if (!windows_fit(delay, n)) {
            way = SCHEDULE_INDEPENDENT;
        }
        /* A sum of atoms may be exactly the moment, which a grid would miss. */
        if (!windows_fit(delay, n) && !windows_smooth(delay, n)) {
            return SCHEDULE_SAMPLE;
        }
    }
    return way;
}

static bool fixed_describe(struct schedule *schedule) {
    double delays[SCHEDULE_ROOM];
    const struct storm_delay *delay = &schedule->policy->delay;
    walk(delay, 0, schedule->count, delays);
    for (uint32_t k = 0; k < schedule->count; k++) {
        double d = storm_time_to_seconds(storm_time_from_seconds(delays[k]));
        schedule->delays[k] = (struct schedule_delay){d, d, d, 0, d, d, d, delays[k] == delay->cap};
    }
    return true;
}

bool schedule_make(struct schedule *schedule, const struct storm_policy *policy, uint32_t count) {
    assert(count <= SCHEDULE_ROOM);
    *schedule = (struct schedule){.policy = policy, .count = count};
    schedule->way = schedule_way_of(policy, count);
    switch (schedule->way) {
    case SCHEDULE_FIXED:
        return fixed_describe(schedule);
    case SCHEDULE_WINDOWS:
    case SCHEDULE_INDEPENDENT:
        return windows_describe(schedule);
    case SCHEDULE_CHAIN:
        return chain_describe(schedule);
    case SCHEDULE_SAMPLE:
        return sample_describe(schedule);
    }
    assert(0 && "no such way");
    return false;
}

/* The delays at the beginning that know no chance are added up in nanoseconds, and the first try at
   the moment or later is looked for among them. Returns how many there are; `left` then counts from
   the last of them, its time 0 if that is at the moment or later. */
static uint32_t fixed_first(const struct schedule *schedule, const struct schedule_moment *moment,
                            struct schedule_moment *left, double *first) {
    storm_time begins = 0;
    uint32_t k = 0;
    for (; k < schedule->count && schedule->delays[k].low == schedule->delays[k].high; k++) {
        bool was_before = begins < moment->time;
        storm_time delay = storm_time_from_seconds(schedule->delays[k].low);
        begins = storm_time_add(storm_time_add(begins, moment->each), delay);
        first[k] = was_before && begins >= moment->time && begins < moment->limit;
    }
    *left = *moment;
    left->time = begins < moment->time ? moment->time - begins : 0;
    if (moment->limit < STORM_NEVER) {
        left->limit = begins < moment->limit ? moment->limit - begins : 0;
    }
    return k;
}

/* The rest of them, by the way that fits. */
static bool rest_first(const struct schedule *schedule, const struct schedule_moment *moment,
                       uint32_t from, double *first) {
    switch (schedule->way) {
    case SCHEDULE_FIXED:
        break;
    case SCHEDULE_WINDOWS:
        return windows_first(schedule, moment, from, first) ||
               grid_first(schedule, moment, from, first);
    case SCHEDULE_INDEPENDENT:
        return grid_first(schedule, moment, from, first);
    case SCHEDULE_CHAIN:
        return chain_first(schedule, moment, from, first);
    case SCHEDULE_SAMPLE:
        break;
    }
    assert(0 && "nothing is left to do");
    return false;
}

bool schedule_first(const struct schedule *schedule, const struct schedule_moment *moment,
                    double first[SCHEDULE_ROOM]) {
    struct schedule_moment left;
    assert(moment->time >= 0 && moment->each >= 0);
    memset(first, 0, SCHEDULE_ROOM * sizeof first[0]);
    if (moment->time == 0 || moment->time >= moment->limit) {
        return true; /* the first attempt is it, or no try can be */
    }
    if (schedule->way == SCHEDULE_SAMPLE) {
        return sample_first(schedule, moment, first);
    }
    uint32_t from = fixed_first(schedule, moment, &left, first);
    if (from == schedule->count || left.time == 0) {
        return true;
    }
    return rest_first(schedule, &left, from, first);
}

static double within_one(double share) { return share < 0 ? 0 : share > 1 ? 1 : share; }

bool schedule_survive(const struct schedule *schedule, const struct schedule_moment *moment,
                      double survive[SCHEDULE_ROOM + 1]) {
    double first[SCHEDULE_ROOM], goes_on = 1;
    if (!schedule_first(schedule, moment, first)) {
        return false;
    }
    survive[0] = moment->time == 0;
    for (uint32_t k = 0; k < schedule->count; k++) {
        goes_on *= schedule->policy->persist;
        survive[k + 1] = within_one(survive[k] + goes_on * first[k]);
    }
    return true;
}

bool schedule_in_time(const struct schedule *schedule, const struct schedule_moment *moment,
                      double in_time[SCHEDULE_ROOM]) {
    double first[SCHEDULE_ROOM], left = moment->time > 0;
    struct schedule_moment open = {moment->time, STORM_NEVER, moment->each};
    if (!schedule_first(schedule, &open, first)) {
        return false;
    }
    for (uint32_t k = 0; k < schedule->count; k++) {
        left = within_one(left - first[k]);
        in_time[k] = left < 1e-9 ? 0 : left; /* what rounding leaves of an impossible case */
    }
    return true;
}

struct schedule_sum schedule_sum(const struct schedule *schedule, uint32_t retries,
                                 storm_time each) {
    double failures = retries * storm_time_to_seconds(each);
    struct schedule_sum sum = {failures, failures, failures};
    assert(retries <= schedule->count);
    for (uint32_t k = 0; k < retries; k++) {
        sum.low += schedule->delays[k].low;
        sum.mean += schedule->delays[k].mean;
        sum.high += schedule->delays[k].high;
    }
    return sum;
}
