/* rules_time.c: timeouts, deadlines and how long retries go on. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "lint/rules.h"
#include "record/trigger.h"
#include "schedule/schedule.h"

/* The schedule of a call whose attempts are bounded; NULL when there is none to look at. */
static const struct schedule *schedule_of(struct lint *lint, const struct lint_call *call) {
    const struct storm_policy *policy = call->policy;
    if (!lint_retries(policy) || policy->attempts > SCHEDULE_RETRIES_MAX + 1) {
        return NULL;
    }
    return lint_schedule(lint, policy);
}

/* How many attempts begin before a time, by the mean delays. */
static uint32_t attempts_before(const struct schedule *schedule, storm_time each, double time) {
    uint32_t count = 1;
    while (count <= schedule->count && schedule_sum(schedule, count, each).mean < time) {
        count++;
    }
    return count;
}

/* ---- R004, R005 ------------------------------------------------------------------------------ */

void lint_rule_deadline(struct lint *lint) {
    for (uint32_t i = 0; i < lint->call_count; i++) {
        const struct lint_call *call = &lint->calls[i];
        const struct storm_edge *edge = call->edge;
        storm_time total = call->policy->total_time, timeout = storm_edge_timeout(edge);
        bool by_total = total < edge->deadline;
        double limit = storm_time_to_seconds(by_total ? total : edge->deadline);
        const struct schedule *schedule = isinf(limit) ? NULL : schedule_of(lint, call);
        char path[STORM_PATH_MAX + 16], shown[LINT_WORDS];
        if (schedule == NULL) {
            continue;
        }
        uint32_t attempts = call->policy->attempts;
        uint32_t at_once = attempts_before(schedule, 0, limit), by_timeout = attempts;
        if (timeout < STORM_NEVER) {
            by_timeout = attempts_before(schedule, timeout, limit);
        }
        snprintf(path, sizeof path, "%s.%s", by_total ? call->policy_path : call->path,
                 by_total ? "total_time" : "deadline");
        if (at_once < attempts || by_timeout < attempts) {
            bool always = at_once < attempts;
            lint_add(lint, always ? LINT_WARNING : LINT_NOTE, path,
                     "on average only %u of %u attempts of %s -> %s begin within %s %s",
                     always ? at_once : by_timeout, attempts, call->caller, edge->to_name,
                     lint_seconds(limit, shown),
                     always ? "even if all fail at once" : "if they end by their timeout");
        }
    }
}

/* Whether in_time is written, or else is the deadline or the timeout. */
static bool is_own_in_time(const struct lint_call *call) {
    storm_time timeout = storm_edge_timeout(call->edge), deadline = call->edge->deadline;
    return call->population->in_time != (deadline < STORM_NEVER ? deadline : timeout);
}

static void look_at_worth(struct lint *lint, const struct lint_call *call) {
    const struct schedule *schedule = schedule_of(lint, call);
    double worth = storm_time_to_seconds(call->population->in_time);
    char shown[LINT_WORDS], begins[LINT_WORDS], path[STORM_PATH_MAX];
    if (schedule == NULL) {
        return;
    }
    uint32_t attempts = call->policy->attempts, useful = attempts_before(schedule, 0, worth);
    double last = schedule_sum(schedule, schedule->count, 0).mean;
    if (is_own_in_time(call) && useful < attempts) {
        snprintf(path, sizeof path, "%s.%.100s.in_time", lint_map_of(call->population),
                 call->caller);
        lint_add(lint, LINT_NOTE, path,
                 "answers count for %s, but %u of %u attempts begin later on average, the last "
                 "after %s",
                 lint_seconds(worth, shown), attempts - useful, attempts,
                 lint_seconds(last, begins));
    } else if (useful == 1) {
        lint_add(lint, LINT_NOTE, call->path,
                 "answers count for %s, as there is no in_time and that is the timeout: no retry "
                 "can be of use, the first begins after %s on average",
                 lint_seconds(worth, shown),
                 lint_seconds(schedule_sum(schedule, 1, 0).mean, begins));
    }
}

void lint_rule_in_time(struct lint *lint) {
    for (uint32_t i = 0; i < lint->service_calls; i++) {
        const struct lint_call *call = &lint->calls[i];
        storm_time worth = call->population->in_time;
        if (worth < STORM_NEVER && call->edge->deadline > worth &&
            call->policy->total_time > worth) {
            look_at_worth(lint, call);
        }
    }
}

/* ---- R006 ------------------------------------------------------------------------------------ */

/* How long services take at most to answer, calls included, in seconds: -1 while not known. */
struct worst {
    struct lint *lint;
    double *of_service;
};

static double worst_of_service(struct worst *worst, uint32_t service);

/* A call at its worst: every attempt ends by its timeout, or as late as its callee gives up. The
   last service of a chain may take any time. */
static double worst_of_call(struct worst *worst, const struct lint_call *call) {
    const struct storm_policy *policy = call->policy;
    double timeout = storm_time_to_seconds(storm_edge_timeout(call->edge));
    double attempt = worst_of_service(worst, call->edge->to);
    bool is_last = worst->lint->scenario->services[call->edge->to].call_count == 0;
    attempt = attempt > timeout || (is_last && !isinf(timeout)) ? timeout : attempt;
    double limit = storm_time_to_seconds(call->edge->deadline), time = attempt;
    if (lint_retries(policy)) {
        const struct schedule *schedule = lint_schedule(worst->lint, policy);
        if (schedule == NULL) {
            return 0;
        }
        double retries =
            policy->attempts == STORM_ATTEMPTS_UNLIMITED ? HUGE_VAL : policy->attempts - 1;
        double beyond = retries - schedule->count;
        time += schedule_sum(schedule, schedule->count, 0).mean;
        double last = schedule->delays[schedule->count - 1].mean;
        time += beyond > 0 && last > 0 ? beyond * last : 0;
        time += attempt > 0 ? retries * attempt : 0;
        time = fmin(time, storm_time_to_seconds(policy->total_time) + attempt);
    }
    return fmin(time, limit);
}

static double worst_of_service(struct worst *worst, uint32_t index) {
    const struct storm_service *service = &worst->lint->scenario->services[index];
    double longest = 0, sum = 0;
    if (worst->of_service[index] >= 0) {
        return worst->of_service[index];
    }
    for (uint32_t i = 0; i < service->call_count; i++) {
        uint32_t call = worst->lint->service_calls + service->call_first + i;
        double time = worst_of_call(worst, &worst->lint->calls[call]);
        longest = fmax(longest, time);
        sum += time;
    }
    worst->of_service[index] =
        storm_dist_mean(&service->service_time) + (service->fan_out ? longest : sum);
    return worst->of_service[index];
}

/* A callee without calls of its own cannot go on after its caller: its work is one attempt's. */
static bool can_outlast(const struct lint *lint, const struct lint_call *call) {
    return lint->scenario->services[call->edge->to].call_count > 0 &&
           call->edge->cancel != STORM_CANCEL_ALL && lint_patience(call->edge) < STORM_NEVER;
}

void lint_rule_outer_timeout(struct lint *lint) {
    uint32_t count = lint->scenario->service_count;
    struct worst worst = {lint, arena_take_array(lint->arena, count, sizeof(double))};
    if (worst.of_service == NULL) {
        lint->failed = true;
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        worst.of_service[i] = -1;
    }
    for (uint32_t i = 0; i < lint->call_count; i++) {
        const struct lint_call *call = &lint->calls[i];
        bool is_repeated = i > 0 && lint->calls[i - 1].edge == call->edge;
        if (is_repeated || !can_outlast(lint, call)) {
            continue;
        }
        double patience = storm_time_to_seconds(lint_patience(call->edge));
        double longest = worst_of_service(&worst, call->edge->to);
        char path[STORM_PATH_MAX + 16], waits[LINT_WORDS], goes_on[LINT_WORDS];
        if (longest > patience) {
            bool by_timeout = storm_edge_timeout(call->edge) <= call->edge->deadline;
            snprintf(path, sizeof path, "%s.%s", call->path, by_timeout ? "timeout" : "deadline");
            lint_add(lint, LINT_WARNING, path,
                     "'%s' waits %s for '%s', which may go on for %s trying what is below it",
                     call->caller, lint_seconds(patience, waits), call->edge->to_name,
                     isinf(longest) ? "ever" : lint_seconds(longest, goes_on));
        }
    }
}

/* ---- R008, R009 ------------------------------------------------------------------------------ */

/* Why a service may leave an attempt without an answer; NULL: it always says something. */
static const char *silence_of(const struct lint *lint, uint32_t index) {
    const struct storm_service *service = &lint->scenario->services[index];
    for (uint32_t i = 0; i < lint->scenario->fault_count; i++) {
        const struct storm_fault *fault = &lint->scenario->faults[i];
        bool is_silent = fault->kind == STORM_FAULT_HANG ||
                         (fault->kind == STORM_FAULT_DOWN && fault->lost == STORM_LOST_SILENT);
        if (fault->service == index && is_silent) {
            return fault->kind == STORM_FAULT_HANG ? "hangs by a fault" : "loses work in silence";
        }
    }
    if (service->crash_when != STORM_CRASH_NEVER && service->crash_kind == STORM_OUTAGE_HANG) {
        return "hangs when it crashes";
    }
    return service->on_full == 0 ? "drops attempts when its queue is full" : NULL;
}

/* Whether the network of a call can lose messages, by itself or by a fault at either end. */
static bool loses(const struct lint *lint, const struct lint_call *call) {
    for (uint32_t i = 0; i < lint->scenario->fault_count; i++) {
        const struct storm_fault *fault = &lint->scenario->faults[i];
        if (fault->kind == STORM_FAULT_NETWORK && fault->loss > 0 &&
            fault->service == call->edge->to) {
            return true;
        }
    }
    return call->edge->loss > 0;
}

static bool is_second_policy(const struct lint *lint, uint32_t i) {
    return i > 0 && lint->calls[i - 1].edge == lint->calls[i].edge;
}

static bool is_patient(const struct lint *lint, uint32_t i) {
    return !is_second_policy(lint, i) && storm_edge_timeout(lint->calls[i].edge) >= STORM_NEVER;
}

/* Calls that meet no silence are told together, at the first of them. */
static void tell_harmless(struct lint *lint) {
    char list[STORM_MESSAGE_MAX] = "";
    const char *path = NULL;
    size_t used = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < lint->call_count; i++) {
        const struct lint_call *call = &lint->calls[i];
        if (!is_patient(lint, i) || call->edge->deadline < STORM_NEVER || loses(lint, call) ||
            silence_of(lint, call->edge->to) != NULL) {
            continue;
        }
        path = count++ == 0 ? call->path : path;
        if (used + 150 < sizeof list) {
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%.64s -> %.64s",
                                     count > 1 ? ", " : "", call->caller, call->edge->to_name);
        }
    }
    if (count > 0) {
        lint_add(lint, LINT_NOTE, path, "%u call%s without a timeout: %s", count,
                 count == 1 ? " is" : "s are", list);
    }
}

void lint_rule_no_timeout(struct lint *lint) {
    for (uint32_t i = 0; i < lint->call_count; i++) {
        const struct lint_call *call = &lint->calls[i];
        const char *silence = silence_of(lint, call->edge->to);
        if (is_patient(lint, i) && silence != NULL) {
            bool ends = call->edge->deadline < STORM_NEVER;
            lint_add(lint, ends ? LINT_NOTE : LINT_WARNING, call->path,
                     "'%s' %s, and '%s' has no timeout: such an attempt %s", call->edge->to_name,
                     silence, call->caller,
                     ends ? "uses up the whole deadline" : "never ends and is never retried");
        }
    }
    tell_harmless(lint);
}

void lint_rule_loss(struct lint *lint) {
    for (uint32_t i = 0; i < lint->call_count; i++) {
        const struct lint_call *call = &lint->calls[i];
        if (is_patient(lint, i) && loses(lint, call)) {
            bool ends = call->edge->deadline < STORM_NEVER;
            lint_add(lint, ends ? LINT_WARNING : LINT_ERROR, call->path,
                     "messages between '%s' and '%s' get lost, and there is no timeout: such an "
                     "attempt %s",
                     call->caller, call->edge->to_name,
                     ends ? "uses up the whole deadline" : "never ends and is never retried");
        }
    }
}

/* ---- R010 ------------------------------------------------------------------------------------ */

static storm_time shortest_timeout(const struct lint *lint) {
    storm_time shortest = STORM_NEVER;
    for (uint32_t i = 0; i < lint->call_count; i++) {
        storm_time timeout = storm_edge_timeout(lint->calls[i].edge);
        shortest = timeout < shortest ? timeout : shortest;
    }
    return shortest;
}

void lint_rule_too_short(struct lint *lint) {
    const struct storm_scenario *scenario = lint->scenario;
    storm_time from, to, timeout = shortest_timeout(lint), needed = 30 * STORM_SECOND;
    char ends[LINT_WORDS], left[LINT_WORDS], wanted[LINT_WORDS];
    if (scenario->duration >= STORM_NEVER) {
        return;
    }
    trigger_window(scenario, scenario->duration, &from, &to);
    if (timeout < STORM_NEVER / 10 && 10 * timeout > needed) {
        needed = 10 * timeout;
    }
    if (from < 0 || storm_time_add(to, needed) <= scenario->duration) {
        return;
    }
    storm_time rest = to < scenario->duration ? scenario->duration - to : 0;
    lint_add(lint, LINT_WARNING, "duration",
             "the trouble is over at %s, %s before the run ends; a verdict needs %s",
             storm_time_print(to, ends, sizeof ends), storm_time_print(rest, left, sizeof left),
             storm_time_print(needed, wanted, sizeof wanted));
}

/* ---- R015 ------------------------------------------------------------------------------------ */

void lint_rule_short_timeout(struct lint *lint) {
    for (uint32_t i = 0; i < lint->call_count; i++) {
        const struct lint_call *call = &lint->calls[i];
        const struct storm_service *service = &lint->scenario->services[call->edge->to];
        double patience = storm_time_to_seconds(lint_patience(call->edge));
        double work = storm_dist_mean(&service->service_time);
        double network = storm_dist_mean(&call->edge->network);
        char path[STORM_PATH_MAX + 16], waits[LINT_WORDS], takes[LINT_WORDS];
        if (!is_second_policy(lint, i) && patience < work + 2 * network && !isinf(work + network)) {
            bool by_timeout = storm_edge_timeout(call->edge) <= call->edge->deadline;
            snprintf(path, sizeof path, "%s.%s", call->path, by_timeout ? "timeout" : "deadline");
            lint_add(lint, LINT_WARNING, path,
                     "'%s' waits %s for '%s', whose answer takes %s on average, network included",
                     call->caller, lint_seconds(patience, waits), service->name,
                     lint_seconds(work + 2 * network, takes));
        }
    }
}

/* ---- R029 ------------------------------------------------------------------------------------ */

static void look_at_begin(struct lint *lint, const char *list, uint32_t index, storm_time at) {
    char path[STORM_PATH_MAX], begins[LINT_WORDS], ends[LINT_WORDS];
    storm_time end = lint->scenario->duration;
    if (end >= STORM_NEVER || at < end) {
        return; /* a run until idle may come to it */
    }
    snprintf(path, sizeof path, "%s.%u.at", list, index);
    lint_add(lint, LINT_WARNING, path, "begins at %s, but the run ends at %s",
             storm_time_print(at, begins, sizeof begins), storm_time_print(end, ends, sizeof ends));
}

void lint_rule_late(struct lint *lint) {
    for (uint32_t i = 0; i < lint->scenario->fault_count; i++) {
        look_at_begin(lint, "faults", i, lint->scenario->faults[i].at);
    }
    for (uint32_t i = 0; i < lint->scenario->action_count; i++) {
        look_at_begin(lint, "actions", i, lint->scenario->actions[i].at);
    }
}
