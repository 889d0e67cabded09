/* brake_fields.c: the settings of a policy's budget, throttle, breaker and hedge. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <retrystorm/policy.h>

#include "base/field.h"
#include "policy/registry.h"

static const struct field_word scope_words[] = {
    {"client", STORM_SCOPE_CLIENT, "each client has its own"},
    {"host", STORM_SCOPE_HOST, "the clients of one host share one"},
    {"shared", STORM_SCOPE_SHARED, "all callers share one"},
    {NULL, 0, NULL},
};
static const struct field_word budget_words[] = {
    {"none", STORM_BUDGET_NONE, "retries are not counted"},
    {"cost", STORM_BUDGET_COST, "tokens that each retry takes its cost from: AWS SDKs"},
    {"ratio", STORM_BUDGET_RATIO,
     "failures take a token, successes give ratio; no retry at half the capacity or less: gRPC"},
    {"window", STORM_BUDGET_WINDOW,
     "ratio retries per request of the last ttl, and a reserve: Finagle, Linkerd"},
    {"concurrency", STORM_BUDGET_CONCURRENCY, "so many retries at once: Envoy"},
    {NULL, 0, NULL},
};
static const struct field_word deposit_words[] = {
    {"request", STORM_DEPOSIT_REQUEST, "every request, at its first attempt: Finagle"},
    {"success", STORM_DEPOSIT_SUCCESS, "every answer that needs no retry: Linkerd, tower"},
    {NULL, 0, NULL},
};
static const struct field_word throttle_words[] = {
    {"none", STORM_THROTTLE_NONE, "attempts are not held back"},
    {"adaptive", STORM_THROTTLE_ADAPTIVE,
     "rejects with chance (requests - k x accepts) / (requests + padding): Google SRE"},
    {"cubic", STORM_THROTTLE_CUBIC,
     "a rate that a 429 cuts and that grows back like TCP CUBIC: AWS adaptive"},
    {NULL, 0, NULL},
};
static const struct field_word breaker_words[] = {
    {"none", STORM_BREAKER_NONE, "no breaker"},
    {"consecutive", STORM_BREAKER_CONSECUTIVE, "opens after so many failures in a row"},
    {"count", STORM_BREAKER_COUNT, "opens when a share of the last calls has failed"},
    {"time", STORM_BREAKER_TIME, "opens when a share of the calls of the last time has failed"},
    {NULL, 0, NULL},
};

#define OF(member) offsetof(struct storm_policy, member)
#define AS_BEFORE ""
#define LONGEST 1e9
#define SHORTEST 1e-9
#define SLOTTED 1e-3
#define TOKENS 1e9

const struct field budget_fields[] = {
    {"kind", FIELD_WORD, OF(budget.kind), AS_BEFORE, 0, 0, budget_words,
     "how retries are counted (default none)"},
    {"scope", FIELD_WORD, OF(budget.scope), AS_BEFORE, 0, 0, scope_words,
     "who shares a budget (default client)"},
    {"capacity", FIELD_WHOLE, OF(budget.capacity), AS_BEFORE, 1, TOKENS, NULL,
     "cost, ratio: tokens when it is full, as at the start"},
    {"cost", FIELD_WHOLE, OF(budget.cost), AS_BEFORE, 0, TOKENS, NULL,
     "cost: tokens that a retry takes (default 1)"},
    {"cost_timeout", FIELD_WHOLE, OF(budget.cost_timeout), AS_BEFORE, -1, TOKENS, NULL,
     "cost: and after a timeout (default -1: the same)"},
    {"cost_throttled", FIELD_WHOLE, OF(budget.cost_throttled), AS_BEFORE, -1, TOKENS, NULL,
     "cost: and after a 429 (default -1: the same)"},
    {"refill", FIELD_WHOLE, OF(budget.refill), AS_BEFORE, 0, TOKENS, NULL,
     "cost: tokens that a success without a retry gives (default 1)"},
    {"ratio", FIELD_FACTOR, OF(budget.ratio), AS_BEFORE, 0, 1000, NULL,
     "ratio: tokens per success; window, concurrency: retries per request"},
    {"ttl", FIELD_DURATION, OF(budget.ttl), AS_BEFORE, SLOTTED, LONGEST, NULL,
     "window: how long a request is remembered (default 10s)"},
    {"reserve", FIELD_RATE, OF(budget.reserve), AS_BEFORE, 0, TOKENS, NULL,
     "window: retries that are always allowed (default 10/s)"},
    {"deposit_on", FIELD_WORD, OF(budget.deposit_on), AS_BEFORE, 0, 0, deposit_words,
     "window: what makes room for retries (default request)"},
    {"whole", FIELD_BOOL, OF(budget.whole), AS_BEFORE, 0, 0, NULL,
     "window: 1 / ratio is cut to a whole number, as tower does (default false)"},
    {"most", FIELD_COUNT, OF(budget.most), AS_BEFORE, 0, UINT32_MAX, NULL,
     "concurrency: retries at once (default 3); with a ratio: at least so many"},
    {"count_backing_off", FIELD_BOOL, OF(budget.count_backing_off), AS_BEFORE, 0, 0, NULL,
     "concurrency: a retry counts from its decision on, back-off included (default true)"},
    {NULL, FIELD_TEXT, 0, NULL, 0, 0, NULL, NULL},
};

const struct field throttle_fields[] = {
    {"kind", FIELD_WORD, OF(throttle.kind), AS_BEFORE, 0, 0, throttle_words,
     "how attempts are held back (default none)"},
    {"scope", FIELD_WORD, OF(throttle.scope), AS_BEFORE, 0, 0, scope_words,
     "who shares a throttle (default client)"},
    {"k", FIELD_FACTOR, OF(throttle.k), AS_BEFORE, 1, 1000, NULL,
     "adaptive: requests per accepted one that are still let through (default 2)"},
    {"padding", FIELD_FACTOR, OF(throttle.padding), AS_BEFORE, 0, TOKENS, NULL,
     "adaptive: requests added to those that were counted (default 1)"},
    {"most", FIELD_SHARE, OF(throttle.most), AS_BEFORE, 0, 1, NULL,
     "adaptive: the highest chance of a rejection (default 100%)"},
    {"window", FIELD_DURATION, OF(throttle.window), AS_BEFORE, SLOTTED, LONGEST, NULL,
     "adaptive: how long a request is counted (default 2m)"},
    {"beta", FIELD_FACTOR, OF(throttle.beta), AS_BEFORE, 0.01, 0.99, NULL,
     "cubic: what a 429 multiplies the rate by (default 0.7)"},
    {"scale", FIELD_FACTOR, OF(throttle.scale), AS_BEFORE, 1e-6, 1e6, NULL,
     "cubic: how fast the rate grows back (default 0.4)"},
    {"smoothing", FIELD_FACTOR, OF(throttle.smoothing), AS_BEFORE, 0.01, 1, NULL,
     "cubic: weight of the last half second in the measured rate (default 0.8)"},
    {"least", FIELD_RATE, OF(throttle.least), AS_BEFORE, SHORTEST, TOKENS, NULL,
     "cubic: the lowest rate (default 0.5/s)"},
    {NULL, FIELD_TEXT, 0, NULL, 0, 0, NULL, NULL},
};

const struct field breaker_fields[] = {
    {"kind", FIELD_WORD, OF(breaker.kind), AS_BEFORE, 0, 0, breaker_words,
     "what opens it (default none)"},
    {"scope", FIELD_WORD, OF(breaker.scope), AS_BEFORE, 0, 0, scope_words,
     "who shares a breaker (default client)"},
    {"outside", FIELD_BOOL, OF(breaker.outside), AS_BEFORE, 0, 0, NULL,
     "around the call with all its retries, not each attempt (default false)"},
    {"failures", FIELD_COUNT, OF(breaker.consecutive), AS_BEFORE, 1, 1e6, NULL,
     "consecutive: failures in a row (default 5)"},
    {"share", FIELD_SHARE, OF(breaker.share), AS_BEFORE, 1e-6, 1, NULL,
     "count, time: share of failures (default 50%)"},
    {"calls", FIELD_COUNT, OF(breaker.calls), AS_BEFORE, 1, STORM_BREAKER_CALLS_MAX, NULL,
     "count: how many calls are looked back upon (default 100)"},
    {"window", FIELD_DURATION, OF(breaker.window), AS_BEFORE, SLOTTED, LONGEST, NULL,
     "time: how long a call is looked back upon (default 30s)"},
    {"minimum", FIELD_COUNT, OF(breaker.minimum), AS_BEFORE, 1, 1e6, NULL,
     "count, time: fewer calls never open it (default 100)"},
    {"open_for", FIELD_DURATION, OF(breaker.open_for), AS_BEFORE, SHORTEST, LONGEST, NULL,
     "how long it stays open (default 5s)"},
    {"open_factor", FIELD_FACTOR, OF(breaker.open_factor), AS_BEFORE, 1, 1000, NULL,
     "and so much longer each time its probes fail (default 1)"},
    {"open_longest", FIELD_DURATION, OF(breaker.open_longest), AS_BEFORE, SHORTEST, HUGE_VAL, NULL,
     "but never longer than this (default none)"},
    {"probes", FIELD_COUNT, OF(breaker.probes), AS_BEFORE, 1, 1e6, NULL,
     "tries let through then: all good, it closes; one bad, it opens again (default 1)"},
    {NULL, FIELD_TEXT, 0, NULL, 0, 0, NULL, NULL},
};

const struct field hedge_fields[] = {
    {"after", FIELD_DURATION, OF(hedge.after), AS_BEFORE, 0, HUGE_VAL, NULL,
     "a copy is sent when there is no answer yet after so long"},
    {"attempts", FIELD_COUNT, OF(hedge.attempts), AS_BEFORE, 1, 100, NULL,
     "in all, the first included (default 1: none)"},
    {NULL, FIELD_TEXT, 0, NULL, 0, 0, NULL, NULL},
};

/* One thing that settings can have wrong together. */
struct rule {
    bool broken;
    const char *key, *message;
};

static const char *first_broken(const struct rule *rules, size_t count, const char **key) {
    for (size_t i = 0; i < count; i++) {
        if (rules[i].broken) {
            *key = rules[i].key;
            return rules[i].message;
        }
    }
    return NULL;
}

#define FIRST_BROKEN(rules, key) first_broken(rules, sizeof(rules) / sizeof(rules)[0], key)

static const char *budget_check(const struct storm_budget *budget, const char **key) {
    bool is_cost = budget->kind == STORM_BUDGET_COST, is_ratio = budget->kind == STORM_BUDGET_RATIO;
    bool is_window = budget->kind == STORM_BUDGET_WINDOW;
    const struct rule rules[] = {
        {is_cost && !(budget->capacity > 0), "budget", "'cost' needs a capacity, e.g. 500"},
        {is_cost && !(budget->cost > 0), "budget", "'cost' needs a cost of more than 0"},
        {is_cost && budget->cost > budget->capacity, "budget",
         "its capacity must not be below the cost of one retry"},
        {is_ratio && !(budget->capacity > 0), "budget", "'ratio' needs a capacity, e.g. 10"},
        {is_ratio && !(budget->ratio > 0), "budget", "'ratio' needs a ratio, e.g. 0.1"},
        {is_window && budget->ttl < STORM_MILLISECOND, "budget", "'window' needs a ttl, e.g. 10s"},
        {is_window && !(budget->ratio > 0) && !(budget->reserve > 0), "budget",
         "'window' needs a ratio, e.g. 0.2"},
        {budget->kind == STORM_BUDGET_CONCURRENCY && budget->most == 0 && !(budget->ratio > 0),
         "budget", "'concurrency' needs a most, e.g. 3, or a ratio"},
    };
    return FIRST_BROKEN(rules, key);
}

static const char *throttle_check(const struct storm_throttle *throttle, const char **key) {
    bool is_adaptive = throttle->kind == STORM_THROTTLE_ADAPTIVE;
    bool is_cubic = throttle->kind == STORM_THROTTLE_CUBIC;
    const struct rule rules[] = {
        {is_adaptive && !(throttle->k >= 1), "throttle", "'adaptive' needs a k, e.g. 2"},
        {is_adaptive && throttle->window < STORM_MILLISECOND, "throttle",
         "'adaptive' needs a window, e.g. 2m"},
        {is_cubic && !(throttle->beta > 0 && throttle->scale > 0), "throttle",
         "'cubic' needs beta and scale, e.g. 0.7 and 0.4"},
        {is_cubic && !(throttle->smoothing > 0 && throttle->least > 0), "throttle",
         "'cubic' needs smoothing and least, e.g. 0.8 and 0.5/s"},
    };
    return FIRST_BROKEN(rules, key);
}

static const char *breaker_check(const struct storm_breaker *breaker, const char **key) {
    bool is_there = breaker->kind != STORM_BREAKER_NONE;
    bool is_in_a_row = breaker->kind == STORM_BREAKER_CONSECUTIVE;
    bool is_time = breaker->kind == STORM_BREAKER_TIME;
    const struct rule rules[] = {
        {is_in_a_row && breaker->consecutive == 0, "breaker",
         "'consecutive' needs failures, e.g. 5"},
        {is_there && !is_in_a_row && !(breaker->share > 0), "breaker",
         "it needs the share of failures that opens it, e.g. 50%"},
        {breaker->kind == STORM_BREAKER_COUNT && breaker->calls == 0, "breaker",
         "'count' needs calls, e.g. 100"},
        {is_time && breaker->window < STORM_MILLISECOND, "breaker",
         "'time' needs a window, e.g. 30s"},
        {is_there && breaker->open_for <= 0, "breaker", "it needs open_for, e.g. 5s"},
        {is_there && !(breaker->open_factor >= 1), "breaker", "its open_factor must be at least 1"},
        {is_there && breaker->open_longest < breaker->open_for, "breaker",
         "its open_longest must not be below open_for"},
        {is_there && breaker->probes == 0, "breaker", "it needs probes, e.g. 1"},
    };
    return FIRST_BROKEN(rules, key);
}

static const char *hedge_check(const struct storm_hedge *hedge, const char **key) {
    bool is_on = hedge->attempts > 1, is_timed = hedge->after < STORM_NEVER;
    const struct rule rules[] = {
        {is_on && !is_timed, "hedge", "it needs after, e.g. 100ms"},
        {!is_on && is_timed && hedge->after > 0, "hedge", "it needs attempts, 2 or more"},
    };
    return FIRST_BROKEN(rules, key);
}

const char *brake_check(const struct storm_policy *policy, const char **key) {
    assert(policy != NULL && key != NULL);
    const char *wrong = budget_check(&policy->budget, key);
    wrong = wrong != NULL ? wrong : throttle_check(&policy->throttle, key);
    wrong = wrong != NULL ? wrong : breaker_check(&policy->breaker, key);
    return wrong != NULL ? wrong : hedge_check(&policy->hedge, key);
}
