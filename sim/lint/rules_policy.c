/* rules_policy.c: what can be said of a policy by itself. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lint/rules.h"
#include "schedule/schedule.h"

enum { SHOWN_DELAYS = 3 };

void lint_each_policy(struct lint *lint,
                      void (*look)(struct lint *lint, const struct lint_call *call)) {
    for (uint32_t i = 0; i < lint->call_count; i++) {
        bool is_first = lint_retries(lint->calls[i].policy);
        for (uint32_t j = 0; j < i && is_first; j++) {
            is_first = lint->calls[j].policy != lint->calls[i].policy;
        }
        if (is_first) {
            look(lint, &lint->calls[i]);
        }
    }
}

/* The first delays of a policy without chance; false when there is chance in them, or no memory. */
static bool fixed_delays(struct lint *lint, const struct storm_policy *policy, uint32_t most,
                         struct schedule *schedule) {
    uint32_t count = policy->attempts - 1 < most ? policy->attempts - 1 : most;
    assert(lint_retries(policy) && count <= SCHEDULE_RETRIES_MAX);
    if (schedule_way_of(policy, count) != SCHEDULE_FIXED) {
        return false;
    }
    bool good = schedule_make(schedule, policy, count);
    lint->failed = lint->failed || !good;
    return good;
}

static bool waits_nothing(const struct schedule *schedule) {
    return schedule_sum(schedule, schedule->count, 0).high == 0;
}

/* ---- R001 ------------------------------------------------------------------------------------ */

/* What hits many callers at one moment: a fault, a crash, or an arrival of all at once. */
static bool is_synchronised(const struct storm_scenario *scenario) {
    for (uint32_t i = 0; i < scenario->service_count; i++) {
        if (scenario->services[i].crash_when != STORM_CRASH_NEVER) {
            return true;
        }
    }
    for (uint32_t i = 0; i < scenario->population_count; i++) {
        const struct storm_population *population = &scenario->populations[i];
        bool together =
            population->arrival == STORM_ARRIVAL_AT ||
            (population->arrival == STORM_ARRIVAL_EVERY && population->spread == STORM_SPREAD_NONE);
        if (together && population->count > 1) {
            return true;
        }
    }
    return scenario->fault_count > 0;
}

/* Whether more than one caller can fail at a time. */
static bool has_many_callers(const struct lint *lint, const struct storm_policy *policy) {
    for (uint32_t i = 0; i < lint->call_count; i++) {
        const struct lint_call *call = &lint->calls[i];
        if (call->policy == policy && (call->population == NULL || call->population->count > 1)) {
            return true;
        }
    }
    return false;
}

/* "1s, 2s, 4s ..." */
static const char *list_delays(const struct schedule *schedule, uint32_t attempts, char *text,
                               size_t size) {
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t k = 0; k < schedule->count && used + LINT_WORDS < size; k++) {
        char delay[LINT_WORDS];
        int length = snprintf(text + used, size - used, "%s%s", k > 0 ? ", " : "",
                              lint_seconds(schedule->delays[k].low, delay));
        used += (size_t)length;
    }
    snprintf(text + used, size - used, "%s", attempts - 1 > schedule->count ? " ..." : "");
    return text;
}

/* Whether the same has been said of an earlier policy: layers often repeat one without a name. */
static bool is_told(const struct lint *lint, const struct lint_call *call) {
    const struct storm_policy *a = call->policy;
    for (const struct lint_call *other = lint->calls; other < call; other++) {
        const struct storm_policy *b = other->policy;
        if (b != a && strcmp(a->headline, b->headline) == 0 && a->attempts == b->attempts &&
            a->delay.base == b->delay.base && a->delay.factor == b->delay.factor &&
            a->delay.cap == b->delay.cap && a->delay.growth == b->delay.growth) {
            return true;
        }
    }
    return false;
}

static void look_for_jitter(struct lint *lint, const struct lint_call *call) {
    const struct storm_policy *policy = call->policy;
    struct schedule schedule;
    char delays[SHOWN_DELAYS * LINT_WORDS + 16];
    if (policy->head_only || !has_many_callers(lint, policy) || is_told(lint, call) ||
        !fixed_delays(lint, policy, SHOWN_DELAYS, &schedule)) {
        return;
    }
    enum lint_severity severity = is_synchronised(lint->scenario) ? LINT_WARNING : LINT_NOTE;
    if (waits_nothing(&schedule)) {
        lint_add(lint, severity, call->policy_path,
                 "'%s' retries at once: all who fail at one moment are back in the same moment",
                 policy->headline);
    } else {
        lint_add(lint, severity, call->policy_path,
                 "'%s' waits exactly %s: all who fail at one moment come back at one moment",
                 policy->headline, list_delays(&schedule, policy->attempts, delays, sizeof delays));
    }
}

void lint_rule_jitter(struct lint *lint) { lint_each_policy(lint, look_for_jitter); }

/* ---- R007 ------------------------------------------------------------------------------------ */

static void look_for_bound(struct lint *lint, const struct lint_call *call) {
    const struct storm_policy *policy = call->policy;
    struct schedule schedule;
    bool is_bounded = !lint_is_endless(policy);
    for (uint32_t i = 0; i < lint->call_count && !is_bounded; i++) {
        const struct lint_call *other = &lint->calls[i];
        if (other->policy != policy || other->edge->deadline < STORM_NEVER) {
            continue;
        }
        bool at_once =
            fixed_delays(lint, policy, SCHEDULE_RETRIES_MAX, &schedule) && waits_nothing(&schedule);
        lint_add(lint, at_once ? LINT_ERROR : LINT_WARNING, call->policy_path,
                 "%s -> %s may try for ever%s: attempts are unlimited, and there is neither a "
                 "total_time nor a deadline",
                 other->caller, other->edge->to_name, at_once ? ", without any delay" : "");
        return;
    }
}

void lint_rule_unbounded(struct lint *lint) { lint_each_policy(lint, look_for_bound); }

/* ---- R011, R014 ------------------------------------------------------------------------------ */

static void look_at_width(struct lint *lint, const struct lint_call *call) {
    struct schedule schedule;
    char delay[LINT_WORDS];
    if (strstr(call->policy->headline, "jitter") != NULL &&
        fixed_delays(lint, call->policy, SHOWN_DELAYS, &schedule)) {
        lint_add(lint, LINT_WARNING, call->policy_path,
                 "'%s' has no width left: its first delay is always exactly %s",
                 call->policy->headline, lint_seconds(schedule.delays[0].low, delay));
    }
}

void lint_rule_width(struct lint *lint) { lint_each_policy(lint, look_at_width); }

static void look_at_cap(struct lint *lint, const struct lint_call *call) {
    const struct storm_delay *delay = &call->policy->delay;
    bool grows = delay->growth == STORM_GROWTH_EXPONENTIAL ||
                 delay->growth == STORM_GROWTH_LINEAR || delay->growth == STORM_GROWTH_DECORRELATED;
    char cap[LINT_WORDS];
    if (grows && delay->cap_when != STORM_CAP_NONE && delay->cap == delay->base &&
        delay->base > 0 && call->policy->attempts > 2) {
        lint_add(lint, LINT_NOTE, call->policy_path,
                 "base and cap of '%s' are both %s, so the delay does not grow",
                 call->policy->headline, lint_seconds(delay->cap, cap));
    }
}

void lint_rule_cap(struct lint *lint) { lint_each_policy(lint, look_at_cap); }

/* ---- R012 ------------------------------------------------------------------------------------ */

/* Statuses that the same request gets again, whenever it comes. A conflict (409) is worth a retry
   where a lock is optimistic; 408, 423, 425 and 429 are about the moment, not about the request. */
static bool is_hopeless(uint16_t status, bool has_lock) {
    bool is_moment = status == 408 || status == 423 || status == 425 || status == 429;
    bool is_client = status >= 400 && status < 500 && !is_moment;
    bool is_never = status == 501 || status == 505;
    return (is_client && !(status == 409 && has_lock)) || is_never;
}

static bool meets_a_lock(const struct lint *lint, const struct storm_policy *policy) {
    for (uint32_t i = 0; i < lint->call_count; i++) {
        const struct lint_call *call = &lint->calls[i];
        if (call->policy == policy && lint->scenario->services[call->edge->to].optimistic_lock) {
            return true;
        }
    }
    return false;
}

static void look_for_hopeless(struct lint *lint, const struct lint_call *call) {
    const struct storm_policy *policy = call->policy;
    bool has_lock = meets_a_lock(lint, policy);
    char path[STORM_PATH_MAX + 16];
    snprintf(path, sizeof path, "%s.retry_on", call->policy_path);
    for (uint32_t i = 0; i < policy->class_count; i++) {
        const struct storm_class_row *row = &policy->classes[i];
        if (row->class == STORM_CLASS_RETRY && is_hopeless(row->status, has_lock)) {
            lint_add(lint, LINT_WARNING, path,
                     "status %u is tried again, and will be the answer each time", row->status);
        }
    }
}

void lint_rule_hopeless(struct lint *lint) { lint_each_policy(lint, look_for_hopeless); }
