/* presets.c: the products of presets.def, and the words that their settings are written in. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include <retrystorm/policy.h>
#include <retrystorm/units.h>

#include "policy/registry.h"

/* A row overrides what PRESET has set before it: that is what a default is for. */
#pragma GCC diagnostic ignored "-Woverride-init"

/* Rows of macros are taken for statements. */
/* clang-format off */

#define SECONDS(s) (storm_time)((s)*1e9 + 0.5)

/* The delay. */
#define GROWTH(rule, b, f) .delay.growth = STORM_GROWTH_##rule, .delay.base = b, .delay.factor = f,
#define AT_ONCE .delay.growth = STORM_GROWTH_NONE,
#define CONSTANT(b) GROWTH(CONSTANT, b, 1)
#define LINEAR(b, s) GROWTH(LINEAR, b, 1).delay.step = s,
#define EXPONENTIAL(b, f) GROWTH(EXPONENTIAL, b, f)
#define GEOMETRIC_SUM(b, f) GROWTH(GEOMETRIC_SUM, b, f)
#define POLYNOMIAL(b, f, s) GROWTH(POLYNOMIAL, b, f).delay.step = s,
#define FIBONACCI(b) GROWTH(FIBONACCI, b, 1)
#define DECORRELATED(b, f) GROWTH(DECORRELATED, b, f)
#define POLLY(b, f) GROWTH(POLLY, b, f)
#define TABLE(...)                                                                                 \
    .delay.growth = STORM_GROWTH_TABLE, .delay.table = {__VA_ARGS__},                              \
    .delay.table_length = sizeof((double[]){__VA_ARGS__}) / sizeof(double),
#define SHIFT(s) .delay.shift = s,
#define SKIP(n) .delay.skip = n,
#define CAP(place, c) .delay.cap = c, .delay.cap_when = STORM_CAP_##place,
#define CAP_BEFORE(c) CAP(BEFORE, c)
#define CAP_AFTER(c) CAP(AFTER, c)
#define CAP_BOTH(c) CAP(BOTH, c)
#define FLOOR(f) .delay.floor = f,
#define JITTER(low, high) .delay.jitter_low = low, .delay.jitter_high = high,
#define FULL_JITTER JITTER(0, 1)
#define JITTER_ADDED(j) .delay.jitter_add = j,
#define JITTER_ADDED_GROWING(j) JITTER_ADDED(j).delay.jitter_add_grows = true,
#define PLAIN_FIRST(n) .delay.plain_first = n,
#define FEEDBACK(rule) .delay.feedback = STORM_FEEDBACK_##rule,
#define STICKY .delay.sticky = true,
#define FROM_PREVIOUS .delay.decorrelated_low = STORM_DECORRELATED_PREVIOUS,
#define WHOLE(q, way) .delay.quantum = q, .delay.rounding = STORM_ROUND_##way,
#define INCLUSIVE .delay.inclusive = true,

/* How often and how long. */
#define ATTEMPTS(n) .attempts = n,
#define UNLIMITED ATTEMPTS(STORM_ATTEMPTS_UNLIMITED)
#define TIME(rule) .time_rule = STORM_TIME_##rule,
#define WITHIN(s, rule) TIME(rule).total_time = SECONDS(s),

/* What the server says. */
#define HINT(name) .hint.rule = STORM_HINT_##name,
#define HINT_LIMIT(s) .hint.limit = SECONDS(s),
#define HINT_JITTER(j) .hint.jitter = j,
#define HINT_ZERO .hint.zero_is_real = true,
#define HINT_RESTARTS .hint.restarts = true,

/* What is tried again, where that is not as usual. */
#define CLASSES(rows)                                                                              \
    .classes = {rows},                                                                             \
    .class_count = sizeof((struct storm_class_row[]){rows}) / sizeof(struct storm_class_row),
#define RETRY(status) {status, STORM_CLASS_RETRY},
#define RETRY_IF_HINTED(status) {status, STORM_CLASS_RETRY_HINTED},
#define GIVE_UP(status) {status, STORM_CLASS_GIVE_UP},
#define GIVE_UP_REFUSED GIVE_UP(STORM_OUTCOME_REFUSED)
#define GIVE_UP_RESET GIVE_UP(STORM_OUTCOME_RESET)
#define GIVE_UP_TIMEOUT GIVE_UP(STORM_OUTCOME_TIMEOUT)
#define ANY_ERROR                                                                                  \
    RETRY(400) RETRY(401) RETRY(403) RETRY(404) RETRY(405) RETRY(409) RETRY(410) RETRY(413)        \
    RETRY(422) RETRY(501) RETRY(505)
#define OTHER_5XX_BUT_505 RETRY(507) RETRY(508) RETRY(509) RETRY(511) RETRY(520)
#define OTHER_5XX RETRY(505) OTHER_5XX_BUT_505
#define NO_STATUS_BUT_503 GIVE_UP(408) GIVE_UP(429) GIVE_UP(500) GIVE_UP(502) GIVE_UP(504)
#define NO_STATUS NO_STATUS_BUT_503 GIVE_UP(503)
#define ONLY_REFUSED_AND_503 GIVE_UP_RESET GIVE_UP_TIMEOUT NO_STATUS_BUT_503
#define ONLY_409 RETRY(409) GIVE_UP_REFUSED GIVE_UP_RESET GIVE_UP_TIMEOUT NO_STATUS

/* Brakes. A proxy's are those of a host, a library's those of a client. */
#define BUDGET_COST(c, timeout, throttled)                                                         \
    .budget.kind = STORM_BUDGET_COST, .budget.capacity = 500, .budget.cost = c,                    \
    .budget.cost_timeout = timeout, .budget.cost_throttled = throttled,
#define REFILL(r) .budget.refill = r,
#define BUDGET_RATIO(c, r)                                                                         \
    .budget.kind = STORM_BUDGET_RATIO, .budget.capacity = c, .budget.ratio = r,
#define BUDGET_WINDOW(r, per_second)                                                               \
    .budget.kind = STORM_BUDGET_WINDOW, .budget.ratio = r, .budget.reserve = per_second,
#define OF_A_HOST .budget.scope = STORM_SCOPE_HOST,
#define DEPOSIT_ON_SUCCESS .budget.deposit_on = STORM_DEPOSIT_SUCCESS,
#define WHOLE_RATIO .budget.whole = true,
#define BUDGET_CONCURRENCY(n) .budget.kind = STORM_BUDGET_CONCURRENCY, .budget.most = n,
#define THROTTLE_ADAPTIVE(ratio, pad, s)                                                           \
    .throttle.kind = STORM_THROTTLE_ADAPTIVE, .throttle.k = ratio, .throttle.padding = pad,        \
    .throttle.window = SECONDS(s),
#define THROTTLE_CUBIC(cut, growth, smooth, lowest)                                                \
    .throttle.kind = STORM_THROTTLE_CUBIC, .throttle.beta = cut, .throttle.scale = growth,         \
    .throttle.smoothing = smooth, .throttle.least = lowest,
#define BREAKER_CONSECUTIVE(n, s)                                                                  \
    .breaker.kind = STORM_BREAKER_CONSECUTIVE, .breaker.consecutive = n,                           \
    .breaker.open_for = SECONDS(s),
#define BREAKER_TIME(part, s, n, open)                                                             \
    .breaker.kind = STORM_BREAKER_TIME, .breaker.share = part, .breaker.window = SECONDS(s),       \
    .breaker.minimum = n, .breaker.open_for = SECONDS(open),
#define OPEN_LONGER(f, s) .breaker.open_factor = f, .breaker.open_longest = SECONDS(s),
#define HEDGE(s, n) .hedge.after = SECONDS(s), .hedge.attempts = n,

/* clang-format on */

/* What a product's own setting counts. */
#define CALLS "total calls"
#define RETRIES "retries after the first call"

static const struct policy_preset presets[] = {
#define PRESET(word, group, settings, counted, retried, more, where)                               \
    {.name = word,                                                                                 \
     .family = group,                                                                              \
     .attempts = counted,                                                                          \
     .retries = retried,                                                                           \
     .notes = more,                                                                                \
     .source = where,                                                                              \
     .policy = {                                                                                   \
         .name = word,                                                                             \
         .headline = word,                                                                         \
         .delay.factor = 2,                                                                        \
         .delay.cap = HUGE_VAL,                                                                    \
         .delay.cap_when = STORM_CAP_BEFORE,                                                       \
         .delay.jitter_low = 1,                                                                    \
         .delay.jitter_high = 1,                                                                   \
         .total_time = STORM_NEVER,                                                                \
         .persist = 1,                                                                             \
         .hint = {.rule = STORM_HINT_IGNORE, .limit = STORM_NEVER, .slack = 5 * STORM_SECOND},     \
         .budget = POLICY_NO_BUDGET,                                                               \
         .throttle = POLICY_NO_THROTTLE,                                                           \
         .breaker = POLICY_NO_BREAKER,                                                             \
         .hedge = POLICY_NO_HEDGE,                                                                 \
         settings}},
#include "policy/presets.def"
#undef PRESET
};

size_t policy_preset_count(void) { return sizeof presets / sizeof presets[0]; }

const struct policy_preset *policy_preset_at(size_t index) {
    assert(index < policy_preset_count());
    return &presets[index];
}

const struct policy_preset *policy_preset_find(const char *name) {
    assert(name != NULL);
    for (size_t i = 0; i < policy_preset_count(); i++) {
        if (strcmp(presets[i].name, name) == 0) {
            return &presets[i];
        }
    }
    return NULL;
}
