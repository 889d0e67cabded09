/* registry.c: the named policies, and the settings that a policy has. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policy/registry.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Defaults by growth: a delay of 1 s; what grows without end is capped at 30 s before the
   jitter. */
#define DELAY_OF_NONE .factor = 2, .cap = HUGE_VAL, .cap_when = STORM_CAP_NONE
#define DELAY_OF_CONSTANT .factor = 2, .cap = HUGE_VAL, .cap_when = STORM_CAP_BEFORE
#define DELAY_OF_LINEAR DELAY_OF_CONSTANT
#define DELAY_OF_EXPONENTIAL .factor = 2, .cap = 30, .cap_when = STORM_CAP_BEFORE
#define DELAY_OF_DECORRELATED .factor = 3, .cap = 30, .cap_when = STORM_CAP_BEFORE

static const struct policy_headline headlines[] = {
#define HEADLINE(word, grows, low, high, add, tries, text)                                         \
    {.name = word,                                                                                 \
     .summary = text,                                                                              \
     .policy = {.name = word,                                                                      \
                .headline = word,                                                                  \
                .delay = {DELAY_OF_##grows, .growth = STORM_GROWTH_##grows, .base = 1, .step = 1,  \
                          .jitter_low = low, .jitter_high = high, .jitter_add = add},              \
                .attempts = tries,                                                                 \
                .total_time = STORM_NEVER,                                                         \
                .persist = 1,                                                                      \
                .hint = {.limit = STORM_NEVER, .slack = 5 * STORM_SECOND},                         \
                .budget = POLICY_NO_BUDGET,                                                        \
                .throttle = POLICY_NO_THROTTLE,                                                    \
                .breaker = POLICY_NO_BREAKER,                                                      \
                .hedge = POLICY_NO_HEDGE}},
#include "policy/policies.def"
#undef HEADLINE
};

size_t policy_headline_count(void) { return sizeof headlines / sizeof headlines[0]; }

const struct policy_headline *policy_headline_at(size_t index) {
    assert(index < policy_headline_count());
    return &headlines[index];
}

const struct policy_headline *policy_headline_find(const char *name) {
    assert(name != NULL);
    for (size_t i = 0; i < policy_headline_count(); i++) {
        if (strcmp(headlines[i].name, name) == 0) {
            return &headlines[i];
        }
    }
    return NULL;
}

static const struct field_word growth_words[] = {
    {"none", STORM_GROWTH_NONE, "no delay"},
    {"constant", STORM_GROWTH_CONSTANT, "always base"},
    {"linear", STORM_GROWTH_LINEAR, "base + step x (n - 1) before the n-th retry"},
    {"exponential", STORM_GROWTH_EXPONENTIAL, "base x factor^(n - 1 + shift)"},
    {"geometric-sum", STORM_GROWTH_GEOMETRIC_SUM, "base x (factor^n - 1)"},
    {"polynomial", STORM_GROWTH_POLYNOMIAL, "base x (n - 1)^factor + step"},
    {"fibonacci", STORM_GROWTH_FIBONACCI, "base x 1, 1, 2, 3, 5, ..."},
    {"table", STORM_GROWTH_TABLE, "a table of delays, as some products have"},
    {"decorrelated", STORM_GROWTH_DECORRELATED,
     "at random from base (or the last delay) to factor x the last delay"},
    {"polly", STORM_GROWTH_POLLY, "Polly v8's decorrelated jitter"},
    {NULL, 0, NULL},
};
static const struct field_word cap_words[] = {
    {"none", STORM_CAP_NONE, "the cap is not used"},
    {"before-jitter", STORM_CAP_BEFORE, "the delay is cut, then the jitter drawn"},
    {"after-jitter", STORM_CAP_AFTER, "the jitter is drawn, then the delay cut"},
    {"both", STORM_CAP_BOTH, "before and after"},
    {NULL, 0, NULL},
};
static const struct field_word rounding_words[] = {
    {"down", STORM_ROUND_DOWN, "to the multiple below"},
    {"nearest", STORM_ROUND_NEAREST, "to the nearest one"},
    {"up", STORM_ROUND_UP, "to the multiple above"},
    {NULL, 0, NULL}};
static const struct field_word feedback_words[] = {
    {"none", STORM_FEEDBACK_NONE, "each delay grows from base"},
    {"factor", STORM_FEEDBACK_FACTOR, "factor x the last delay, its jitter included"},
    {"power", STORM_FEEDBACK_POWER, "factor^(n - 1) x the last delay, its jitter included"},
    {NULL, 0, NULL},
};
static const struct field_word law_words[] = {
    {"uniform", STORM_JITTER_UNIFORM, "all of the window equally likely"},
    {"exponential", STORM_JITTER_EXPONENTIAL, "exponential, with the delay for its mean"},
    {NULL, 0, NULL}};
static const struct field_word hint_words[] = {
    {"floor", STORM_HINT_FLOOR, "the longer of the two"},
    {"override", STORM_HINT_OVERRIDE, "the hint alone"},
    {"ignore", STORM_HINT_IGNORE, "the delay alone"},
    {"clamp", STORM_HINT_CLAMP, "the hint, but at least the delay and at most hint_slack longer"},
    {"capped", STORM_HINT_CAPPED, "the hint alone, but at most hint_limit"},
    {"give-up-above", STORM_HINT_GIVE_UP_ABOVE, "the hint alone; above hint_limit the call ends"},
    {"ignore-above", STORM_HINT_IGNORE_ABOVE, "the hint alone; above hint_limit the delay alone"},
    {NULL, 0, NULL},
};
static const struct field_word time_words[] = {
    {"before", STORM_TIME_BEFORE, "no delay is begun that would lead beyond"},
    {"after", STORM_TIME_AFTER, "looked at after a failure only; the delay may lead beyond"},
    {"truncate", STORM_TIME_TRUNCATE, "the last delay is cut, and one more attempt made then"},
    {"interrupt", STORM_TIME_INTERRUPT, "the call ends then, whatever is under way"},
    {NULL, 0, NULL},
};
static const struct field_word low_words[] = {
    {"base", STORM_DECORRELATED_BASE, "base"},
    {"previous", STORM_DECORRELATED_PREVIOUS, "the last delay"},
    {NULL, 0, NULL}};

#define OF(member) offsetof(struct storm_policy, member)
#define AS_HEADLINE ""
static const double day = 86400;

const struct field policy_fields[] = {
    {"attempts", FIELD_COUNT, OF(attempts), AS_HEADLINE, 1, UINT32_MAX, NULL,
     "total tries, the first included; unlimited for no bound"},
    {"total_time", FIELD_DURATION, OF(total_time), AS_HEADLINE, 0, HUGE_VAL, NULL,
     "the time a call's retries may take, from its first attempt on"},
    {"time_rule", FIELD_WORD, OF(time_rule), AS_HEADLINE, 0, 0, time_words,
     "what the end of total_time does"},
    {"persist", FIELD_SHARE, OF(persist), AS_HEADLINE, 0, 1, NULL,
     "after each failure, the chance to go on at all"},
    {"head_only", FIELD_BOOL, OF(head_only), AS_HEADLINE, 0, 0, NULL,
     "of the calls that back off, only the one at the head counts down"},
    {"hint", FIELD_WORD, OF(hint.rule), AS_HEADLINE, 0, 0, hint_words,
     "what a server's retry_after does to the delay"},
    {"hint_limit", FIELD_DURATION, OF(hint.limit), AS_HEADLINE, 0, HUGE_VAL, NULL,
     "the longest hint that capped, give-up-above and ignore-above go along with"},
    {"hint_slack", FIELD_DURATION, OF(hint.slack), AS_HEADLINE, 0, 30 * day, NULL,
     "how much longer than its own delay clamp lets a call wait"},
    {"hint_jitter", FIELD_FACTOR, OF(hint.jitter), AS_HEADLINE, 0, 1000, NULL,
     "a hint is stretched by up to this part of it, at random"},
    {"hint_zero", FIELD_BOOL, OF(hint.zero_is_real), AS_HEADLINE, 0, 0, NULL,
     "a hint of 0 s means at once, not that there is none"},
    {"hint_restarts", FIELD_BOOL, OF(hint.restarts), AS_HEADLINE, 0, 0, NULL,
     "after a hint the delays begin again with the first one"},
    {"growth", FIELD_WORD, OF(delay.growth), AS_HEADLINE, 0, 0, growth_words,
     "how the delay grows with the number of the retry"},
    {"base", FIELD_SECONDS, OF(delay.base), AS_HEADLINE, 0, 30 * day, NULL, "the first delay"},
    {"factor", FIELD_FACTOR, OF(delay.factor), AS_HEADLINE, 0, 1000, NULL,
     "growth per retry; the exponent of polynomial"},
    {"step", FIELD_SECONDS, OF(delay.step), AS_HEADLINE, 0, 30 * day, NULL,
     "added per retry (linear) or once (polynomial)"},
    {"shift", FIELD_FACTOR, OF(delay.shift), AS_HEADLINE, -64, 64, NULL,
     "added to the exponent: 1 starts at base x factor"},
    {"skip", FIELD_COUNT, OF(delay.skip), AS_HEADLINE, 0, 1000, NULL,
     "this many first retries wait nothing"},
    {"cap", FIELD_SECONDS, OF(delay.cap), AS_HEADLINE, 0, HUGE_VAL, NULL, "the longest delay"},
    {"cap_when", FIELD_WORD, OF(delay.cap_when), AS_HEADLINE, 0, 0, cap_words,
     "whether the cap cuts before or after the jitter"},
    {"floor", FIELD_SECONDS, OF(delay.floor), AS_HEADLINE, 0, 30 * day, NULL, "the shortest delay"},
    {"jitter_low", FIELD_FACTOR, OF(delay.jitter_low), AS_HEADLINE, 0, 1000, NULL,
     "low end of the jitter window, as a multiple of the delay"},
    {"jitter_high", FIELD_FACTOR, OF(delay.jitter_high), AS_HEADLINE, 0, 1000, NULL,
     "high end of the jitter window, as a multiple of the delay"},
    {"jitter_add", FIELD_SECONDS, OF(delay.jitter_add), AS_HEADLINE, 0, 30 * day, NULL,
     "uniform(0, this) is added to the delay"},
    {"jitter_add_grows", FIELD_BOOL, OF(delay.jitter_add_grows), AS_HEADLINE, 0, 0, NULL,
     "jitter_add is multiplied by the number of the retry"},
    {"law", FIELD_WORD, OF(delay.law), AS_HEADLINE, 0, 0, law_words,
     "the jitter's law; exponential has the delay for its mean and knows no window"},
    {"plain_first", FIELD_COUNT, OF(delay.plain_first), AS_HEADLINE, 0, 1000, NULL,
     "this many first delays take no jitter"},
    {"feedback", FIELD_WORD, OF(delay.feedback), AS_HEADLINE, 0, 0, feedback_words,
     "the next delay grows from the last jittered one"},
    {"sticky", FIELD_BOOL, OF(delay.sticky), AS_HEADLINE, 0, 0, NULL,
     "once at the cap, every later delay is exactly the cap"},
    {"decorrelated_low", FIELD_WORD, OF(delay.decorrelated_low), AS_HEADLINE, 0, 0, low_words,
     "low end of the decorrelated window"},
    {"quantum", FIELD_SECONDS, OF(delay.quantum), AS_HEADLINE, 0, day, NULL,
     "delays are whole multiples of this; 0s: not rounded"},
    {"rounding", FIELD_WORD, OF(delay.rounding), AS_HEADLINE, 0, 0, rounding_words,
     "which way delays are rounded to the quantum"},
    {"inclusive", FIELD_BOOL, OF(delay.inclusive), AS_HEADLINE, 0, 0, NULL,
     "the jitter window is one quantum wider"},
    {NULL, FIELD_TEXT, 0, NULL, 0, 0, NULL, NULL},
};

/* A recursive growth is its own jitter: what shapes the others has no effect on it. */
static bool is_shaped(const struct storm_delay *delay) {
    return delay->jitter_low != 1 || delay->jitter_high != 1 || delay->jitter_add != 0 ||
           delay->floor != 0 || delay->quantum != 0;
}

const char *policy_check(const struct storm_policy *policy, const char **key) {
    const struct storm_delay *delay = &policy->delay;
    assert(key != NULL);
    if (policy->attempts > 1 && policy->headline != NULL &&
        strcmp(policy->headline, "no-retry") == 0) {
        *key = "attempts";
        return "must be 1 where the delay is no-retry; 'no-backoff' retries at once";
    }
    if (delay->cap_when != STORM_CAP_NONE && delay->cap < delay->base) {
        *key = "cap";
        return "must not be below the base delay";
    }
    bool is_recursive =
        delay->growth == STORM_GROWTH_DECORRELATED || delay->growth == STORM_GROWTH_POLLY;
    if (is_recursive && delay->law == STORM_JITTER_EXPONENTIAL) {
        *key = "law";
        return "'exponential' does not go with 'decorrelated' and 'polly': they are jitter";
    }
    if (is_recursive && is_shaped(delay)) {
        *key = "growth";
        return "'decorrelated' and 'polly' take no jitter, floor or quantum: they are jitter";
    }
    if (delay->jitter_high < delay->jitter_low) {
        *key = "jitter_high";
        return "must not be below jitter_low";
    }
    if (delay->growth == STORM_GROWTH_TABLE && delay->table_length == 0) {
        *key = "growth";
        return "'table' needs a table of delays";
    }
    if (delay->floor > delay->cap) {
        *key = "floor";
        return "must not be above the cap";
    }
    return brake_check(policy, key);
}
