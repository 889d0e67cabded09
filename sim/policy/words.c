/* words.c: a policy as a formula and in words, from the outside in: clamp, jitter, growth. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policy/words.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include <retrystorm/units.h>

/* A buffer of WORDS_SIZE bytes being filled; what does not fit is cut off. */
struct writer {
    char *buffer;
    size_t used;
};

static struct writer begin(char *buffer) {
    assert(buffer != NULL);
    buffer[0] = '\0';
    return (struct writer){buffer, 0};
}

__attribute__((format(printf, 2, 3))) static void say(struct writer *writer, const char *format,
                                                      ...) {
    va_list arguments;
    size_t room = WORDS_SIZE - writer->used;
    va_start(arguments, format);
    int length = vsnprintf(writer->buffer + writer->used, room, format, arguments);
    va_end(arguments);
    assert(length >= 0);
    writer->used += (size_t)length < room ? (size_t)length : room - 1;
}

static void say_time(struct writer *writer, storm_time time) {
    char text[64];
    say(writer, "%s", storm_time_print(time, text, sizeof text));
}

static void say_seconds(struct writer *writer, double seconds) {
    say_time(writer, storm_time_from_seconds(seconds));
}

static void say_number(struct writer *writer, double value) {
    char text[32];
    say(writer, "%s", storm_double_print(value, text, sizeof text));
}

static void say_percent(struct writer *writer, double share) {
    say_number(writer, floor(share * 10000 + 0.5) / 100);
    say(writer, "%%");
}

/* ---- the delay ------------------------------------------------------------------------------- */

static bool caps(const struct storm_delay *delay, enum storm_cap_when when) {
    return delay->cap < HUGE_VAL && (delay->cap_when == when || delay->cap_when == STORM_CAP_BOTH);
}

/* "n-1", "n", "n-2", "n-1+0.5". */
static void say_exponent(struct writer *writer, double shift) {
    double whole = shift - 1;
    if (whole == 0) {
        say(writer, "n");
    } else if (whole == floor(whole)) {
        say(writer, "(n%+.0f)", whole);
    } else {
        say(writer, "(n-1%s", shift > 0 ? "+" : "");
        say_number(writer, shift);
        say(writer, ")");
    }
}

static void say_table(struct writer *writer, const struct storm_delay *delay) {
    say(writer, "the n-th of ");
    for (uint32_t i = 0; i < delay->table_length; i++) {
        say(writer, "%s", i > 0 ? ", " : "");
        say_seconds(writer, delay->table[i]);
    }
    say(writer, ", and then the last");
}

static void say_linear(struct writer *writer, const struct storm_delay *delay) {
    if (delay->base == delay->step) {
        say_seconds(writer, delay->step);
        say(writer, " x n");
        return;
    }
    say_seconds(writer, delay->base);
    say(writer, " + ");
    say_seconds(writer, delay->step);
    say(writer, " x (n-1)");
}

static void say_polynomial(struct writer *writer, const struct storm_delay *delay) {
    say_seconds(writer, delay->base);
    say(writer, " x (n-1)^");
    say_number(writer, delay->factor);
    if (delay->step > 0) {
        say(writer, " + ");
        say_seconds(writer, delay->step);
    }
}

/* "1s x 2^(n-1)", and in brackets where a factor stands before it. */
static void say_power(struct writer *writer, const struct storm_delay *delay, bool is_sum) {
    say_seconds(writer, delay->base);
    say(writer, is_sum ? " x (" : " x ");
    say_number(writer, delay->factor);
    say(writer, "^");
    say_exponent(writer, is_sum ? 1 : delay->shift);
    say(writer, is_sum ? " - 1)" : "");
}

static void say_growth(struct writer *writer, const struct storm_delay *delay) {
    switch (delay->growth) {
    case STORM_GROWTH_NONE:
        say(writer, "0s");
        return;
    case STORM_GROWTH_CONSTANT:
        say_seconds(writer, delay->base);
        return;
    case STORM_GROWTH_LINEAR:
        say_linear(writer, delay);
        return;
    case STORM_GROWTH_EXPONENTIAL:
    case STORM_GROWTH_GEOMETRIC_SUM:
        say_power(writer, delay, delay->growth == STORM_GROWTH_GEOMETRIC_SUM);
        return;
    case STORM_GROWTH_POLYNOMIAL:
        say_polynomial(writer, delay);
        return;
    case STORM_GROWTH_FIBONACCI:
        say_seconds(writer, delay->base);
        say(writer, " x fibonacci(n)");
        return;
    case STORM_GROWTH_TABLE:
        say_table(writer, delay);
        return;
    case STORM_GROWTH_DECORRELATED:
    case STORM_GROWTH_POLLY:
        break;
    }
    assert(0 && "a recursive growth has words of its own");
}

/* The growth, or what feeds on the last delay. */
static void say_core(struct writer *writer, const struct storm_delay *delay) {
    if (delay->feedback == STORM_FEEDBACK_NONE) {
        say_growth(writer, delay);
        return;
    }
    say_number(writer, delay->factor);
    say(writer, delay->feedback == STORM_FEEDBACK_POWER ? "^(n-1) x last" : " x last");
}

/* The delay before its jitter. */
static void say_plain(struct writer *writer, const struct storm_delay *delay) {
    bool is_capped = caps(delay, STORM_CAP_BEFORE);
    if (is_capped) {
        say(writer, "min(");
        say_seconds(writer, delay->cap);
        say(writer, ", ");
    }
    say_core(writer, delay);
    say(writer, is_capped ? ")" : "");
}

/* A factor before a sum needs brackets. */
static bool is_sum(const struct storm_delay *delay) {
    bool adds = delay->growth == STORM_GROWTH_POLYNOMIAL ||
                (delay->growth == STORM_GROWTH_LINEAR && delay->base != delay->step);
    return adds && delay->feedback == STORM_FEEDBACK_NONE && !caps(delay, STORM_CAP_BEFORE);
}

static void say_window(struct writer *writer, const struct storm_delay *delay) {
    bool brackets = is_sum(delay), from_zero = delay->jitter_low == 0 && delay->jitter_high == 1;
    if (from_zero) {
        say(writer, "uniform(0, ");
        say_plain(writer, delay);
        say(writer, ")");
        return;
    }
    if (delay->jitter_low != delay->jitter_high) {
        say(writer, "uniform(");
        say_number(writer, delay->jitter_low);
        say(writer, ", ");
        say_number(writer, delay->jitter_high);
        say(writer, brackets ? ") x (" : ") x ");
    } else if (delay->jitter_low != 1) {
        say_number(writer, delay->jitter_low);
        say(writer, brackets ? " x (" : " x ");
    } else {
        brackets = false;
    }
    say_plain(writer, delay);
    say(writer, brackets ? ")" : "");
}

static void say_jitter(struct writer *writer, const struct storm_delay *delay) {
    if (delay->law == STORM_JITTER_EXPONENTIAL) {
        say(writer, "exponential of mean ");
        say_plain(writer, delay);
        return;
    }
    say_window(writer, delay);
    if (delay->jitter_add > 0) {
        say(writer, " + uniform(0, ");
        say_seconds(writer, delay->jitter_add);
        say(writer, delay->jitter_add_grows ? " x n)" : ")");
    }
}

/* "; no jitter before retry 1". */
static void say_first(struct writer *writer, uint32_t count, const char *what) {
    if (count == 1) {
        say(writer, "; %s before retry 1", what);
    } else {
        say(writer, "; %s before retries 1 to %" PRIu32, what, count);
    }
}

/* What the formula does not say. */
static void say_exceptions(struct writer *writer, const struct storm_delay *delay) {
    static const char *const ways[] = {
        [STORM_ROUND_DOWN] = "down to", [STORM_ROUND_NEAREST] = "to", [STORM_ROUND_UP] = "up to"};
    if (delay->quantum > 0) {
        say(writer, ", rounded %s multiples of ", ways[delay->rounding]);
        say_seconds(writer, delay->quantum);
        say(writer, delay->inclusive ? ", the upper end included" : "");
    }
    if (delay->feedback != STORM_FEEDBACK_NONE) {
        say(writer, "; the first from ");
        say_seconds(writer, delay->base);
    }
    if (delay->plain_first > 0) {
        say_first(writer, delay->plain_first,
                  delay->shift != 0 ? "no jitter or shift" : "no jitter");
    }
    if (delay->skip > 0) {
        say_first(writer, delay->skip, "no delay");
    }
    say(writer, delay->sticky ? "; once at the cap, exactly that" : "");
}

static void say_decorrelated(struct writer *writer, const struct storm_delay *delay) {
    bool from_base = delay->decorrelated_low == STORM_DECORRELATED_BASE;
    bool is_capped = delay->cap < HUGE_VAL;
    if (is_capped && from_base) {
        say(writer, "min(");
        say_seconds(writer, delay->cap);
        say(writer, ", ");
    }
    say(writer, "uniform(");
    if (from_base) {
        say_seconds(writer, delay->base);
    } else {
        say(writer, "last");
    }
    say(writer, ", ");
    if (is_capped && !from_base) {
        say(writer, "min(");
        say_seconds(writer, delay->cap);
        say(writer, ", ");
    }
    say_number(writer, delay->factor);
    say(writer, is_capped ? " x last))" : " x last)");
    say(writer, "; %s ", delay->plain_first > 0 ? "the first is" : "the first takes for last");
    say_seconds(writer, delay->base);
}

static void say_polly(struct writer *writer, const struct storm_delay *delay) {
    bool is_capped = delay->cap < HUGE_VAL;
    if (is_capped) {
        say(writer, "min(");
        say_seconds(writer, delay->cap);
        say(writer, ", ");
    }
    say_seconds(writer, delay->base);
    say(writer, " / 1.4 x (f(n-1+u) - f of the last)%s; f(t) = ", is_capped ? ")" : "");
    say_number(writer, delay->factor);
    say(writer, "^t x tanh(sqrt(4t)), u = uniform(0, 1)");
}

static void say_closed(struct writer *writer, const struct storm_delay *delay) {
    bool is_capped = caps(delay, STORM_CAP_AFTER), has_floor = delay->floor > 0;
    if (has_floor) {
        say(writer, "max(");
        say_seconds(writer, delay->floor);
        say(writer, ", ");
    }
    if (is_capped) {
        say(writer, "min(");
        say_seconds(writer, delay->cap);
        say(writer, ", ");
    }
    say_jitter(writer, delay);
    say(writer, "%s%s", is_capped ? ")" : "", has_floor ? ")" : "");
    say_exceptions(writer, delay);
}

const char *words_delay(const struct storm_delay *delay, char *buffer) {
    struct writer writer = begin(buffer);
    if (delay->growth == STORM_GROWTH_DECORRELATED) {
        say_decorrelated(&writer, delay);
    } else if (delay->growth == STORM_GROWTH_POLLY) {
        say_polly(&writer, delay);
    } else {
        say_closed(&writer, delay);
    }
    return buffer;
}

/* ---- when it ends ---------------------------------------------------------------------------- */

const char *words_attempts(const struct storm_policy *policy, char *buffer) {
    struct writer writer = begin(buffer);
    if (policy->attempts == STORM_ATTEMPTS_UNLIMITED) {
        say(&writer, "unlimited");
    } else {
        say(&writer, "%" PRIu32 " in all", policy->attempts);
    }
    return buffer;
}

const char *words_time(const struct storm_policy *policy, char *buffer) {
    static const char *const rules[] = {
        [STORM_TIME_BEFORE] = "no delay is begun that would lead beyond",
        [STORM_TIME_AFTER] = "it is looked at after a failure; the delay may lead beyond",
        [STORM_TIME_TRUNCATE] = "the last delay is cut, and one more attempt made then",
        [STORM_TIME_INTERRUPT] = "the call ends then, whatever is under way"};
    struct writer writer = begin(buffer);
    assert((unsigned)policy->time_rule < sizeof rules / sizeof rules[0]);
    if (policy->total_time >= STORM_NEVER) {
        bool is_usual = policy->time_rule == STORM_TIME_BEFORE;
        say(&writer, is_usual ? "none" : "none; if set, %s", rules[policy->time_rule]);
    } else {
        say_time(&writer, policy->total_time);
        say(&writer, " from the first attempt on: %s", rules[policy->time_rule]);
    }
    return buffer;
}

/* ---- what the server says -------------------------------------------------------------------- */

static void say_limit(struct writer *writer, const char *before, storm_time limit,
                      const char *after) {
    if (limit < STORM_NEVER) {
        say(writer, "%s", before);
        say_time(writer, limit);
        say(writer, "%s", after);
    }
}

static void say_rule(struct writer *writer, const struct storm_hint_rule *rule) {
    switch ((enum storm_hint)rule->rule) {
    case STORM_HINT_IGNORE:
        say(writer, "ignored");
        return;
    case STORM_HINT_FLOOR:
        say(writer, "waits so long, but never less than its own delay");
        return;
    case STORM_HINT_OVERRIDE:
        say(writer, "waits exactly so long");
        return;
    case STORM_HINT_CLAMP:
        say(writer, "waits so long, but at least its own delay and at most ");
        say_time(writer, rule->slack);
        say(writer, " more");
        return;
    case STORM_HINT_CAPPED:
        say(writer, "waits so long");
        say_limit(writer, ", but at most ", rule->limit, "");
        return;
    case STORM_HINT_GIVE_UP_ABOVE:
        say(writer, "waits exactly so long");
        say_limit(writer, "; more than ", rule->limit, " ends the call");
        return;
    case STORM_HINT_IGNORE_ABOVE:
        say(writer, "waits exactly so long");
        say_limit(writer, "; more than ", rule->limit, " is ignored");
        return;
    }
    assert(0 && "no such rule");
}

const char *words_hint(const struct storm_hint_rule *rule, char *buffer) {
    struct writer writer = begin(buffer);
    say_rule(&writer, rule);
    if (rule->rule == STORM_HINT_IGNORE) {
        return buffer;
    }
    if (rule->jitter > 0) {
        say(&writer, "; stretched at random by up to ");
        say_percent(&writer, rule->jitter);
    }
    say(&writer, rule->zero_is_real ? "; 0s means at once" : "");
    say(&writer, rule->restarts ? "; then its delays begin again with the first" : "");
    return buffer;
}

/* ---- what is tried again --------------------------------------------------------------------- */

static void say_class(struct writer *writer, const struct storm_policy *policy,
                      enum storm_class class, const char *title) {
    bool is_first = true;
    for (uint32_t i = 0; i < policy->class_count; i++) {
        const struct storm_class_row *row = &policy->classes[i];
        if (row->class != class) {
            continue;
        }
        if (is_first) {
            say(writer, "%s%s ", writer->used > 0 ? "; " : "", title);
        }
        const char *word = storm_outcome_word(row->status);
        if (word != NULL) {
            say(writer, "%s%s", is_first ? "" : ", ", word);
        } else {
            say(writer, "%s%u", is_first ? "" : ", ", (unsigned)row->status);
        }
        is_first = false;
    }
}

const char *words_classes(const struct storm_policy *policy, char *buffer) {
    struct writer writer = begin(buffer);
    say_class(&writer, policy, STORM_CLASS_RETRY, "also");
    say_class(&writer, policy, STORM_CLASS_RETRY_HINTED, "with a hint only");
    say_class(&writer, policy, STORM_CLASS_GIVE_UP, "but not");
    say_class(&writer, policy, STORM_CLASS_SUCCESS, "good enough:");
    return buffer;
}

/* ---- brakes ---------------------------------------------------------------------------------- */

static void say_scope(struct writer *writer, int scope) {
    static const char *const scopes[] = {[STORM_SCOPE_CLIENT] = "each client its own",
                                         [STORM_SCOPE_HOST] = "one for the clients of a host",
                                         [STORM_SCOPE_SHARED] = "one for all callers"};
    assert((unsigned)scope < sizeof scopes / sizeof scopes[0]);
    say(writer, "; %s", scopes[scope]);
}

static void say_cost(struct writer *writer, const struct storm_budget *budget) {
    say_number(writer, budget->capacity);
    say(writer, " tokens, a retry takes ");
    say_number(writer, budget->cost);
    if (budget->cost_timeout >= 0 && budget->cost_timeout != budget->cost) {
        say(writer, " (after a timeout ");
        say_number(writer, budget->cost_timeout);
        say(writer, ")");
    }
    if (budget->cost_throttled >= 0 && budget->cost_throttled != budget->cost) {
        say(writer, " (after a 429 ");
        say_number(writer, budget->cost_throttled);
        say(writer, ")");
    }
    say(writer, "; a success gives back what its last retry took, or ");
    say_number(writer, budget->refill);
}

static void say_tokens(struct writer *writer, const struct storm_budget *budget) {
    say_number(writer, budget->capacity);
    say(writer, " tokens, a failure takes 1 and a success gives ");
    say_number(writer, budget->ratio);
    say(writer, "; no retry at ");
    say_number(writer, budget->capacity / 2);
    say(writer, " or less");
}

static void say_retry_window(struct writer *writer, const struct storm_budget *budget) {
    say_number(writer, budget->ratio);
    say(writer, " retries per %s of the last ",
        budget->deposit_on == STORM_DEPOSIT_REQUEST ? "request" : "answer that needed none,");
    say_time(writer, budget->ttl);
    say(writer, budget->whole ? " (as 1 / a whole number), and " : ", and ");
    say_number(writer, budget->reserve);
    say(writer, "/s in any case");
}

static void say_concurrency(struct writer *writer, const struct storm_budget *budget) {
    if (budget->ratio > 0) {
        say(writer, "retries at once: ");
        say_percent(writer, budget->ratio);
        say(writer, " of the requests under way, at least %" PRIu32, budget->most);
    } else {
        say(writer, "at most %" PRIu32 " retries at once", budget->most);
    }
    say(writer, budget->count_backing_off ? ", those that back off included" : "");
}

const char *words_budget(const struct storm_budget *budget, char *buffer) {
    struct writer writer = begin(buffer);
    switch ((enum storm_budget_kind)budget->kind) {
    case STORM_BUDGET_NONE:
        return buffer;
    case STORM_BUDGET_COST:
        say_cost(&writer, budget);
        break;
    case STORM_BUDGET_RATIO:
        say_tokens(&writer, budget);
        break;
    case STORM_BUDGET_WINDOW:
        say_retry_window(&writer, budget);
        break;
    case STORM_BUDGET_CONCURRENCY:
        say_concurrency(&writer, budget);
        break;
    }
    say_scope(&writer, budget->scope);
    return buffer;
}

static void say_adaptive(struct writer *writer, const struct storm_throttle *throttle) {
    say(writer, "turns an attempt away with chance (requests - ");
    say_number(writer, throttle->k);
    say(writer, " x accepted) / (requests + ");
    say_number(writer, throttle->padding);
    say(writer, ") of the last ");
    say_time(writer, throttle->window);
    if (throttle->most < 1) {
        say(writer, ", at most ");
        say_percent(writer, throttle->most);
    }
}

static void say_cubic(struct writer *writer, const struct storm_throttle *throttle) {
    say(writer, "from the first 429 on, a rate: a 429 cuts it to ");
    say_number(writer, throttle->beta);
    say(writer, " x the measured one, then it grows with the cube of time (x ");
    say_number(writer, throttle->scale);
    say(writer, "), never below ");
    say_number(writer, throttle->least);
    say(writer, "/s");
}

const char *words_throttle(const struct storm_throttle *throttle, char *buffer) {
    struct writer writer = begin(buffer);
    if (throttle->kind == STORM_THROTTLE_NONE) {
        return buffer;
    }
    if (throttle->kind == STORM_THROTTLE_ADAPTIVE) {
        say_adaptive(&writer, throttle);
    } else {
        say_cubic(&writer, throttle);
    }
    say_scope(&writer, throttle->scope);
    return buffer;
}

static void say_opening(struct writer *writer, const struct storm_breaker *breaker) {
    if (breaker->kind == STORM_BREAKER_CONSECUTIVE) {
        say(writer, "opens after %" PRIu32 " failures in a row", breaker->consecutive);
        return;
    }
    say(writer, "opens when ");
    say_percent(writer, breaker->share);
    if (breaker->kind == STORM_BREAKER_COUNT) {
        say(writer, " of the last %" PRIu32 " have failed", breaker->calls);
    } else {
        say(writer, " of those of the last ");
        say_time(writer, breaker->window);
        say(writer, " have failed");
    }
    say(writer, " (of %" PRIu32 " or more)", breaker->minimum);
}

const char *words_breaker(const struct storm_breaker *breaker, char *buffer) {
    struct writer writer = begin(buffer);
    if (breaker->kind == STORM_BREAKER_NONE) {
        return buffer;
    }
    say_opening(&writer, breaker);
    say(&writer, ", for ");
    say_time(&writer, breaker->open_for);
    if (breaker->open_factor != 1) {
        say(&writer, ", each time in a row ");
        say_number(&writer, breaker->open_factor);
        say(&writer, " x longer");
        say_limit(&writer, " up to ", breaker->open_longest, "");
    }
    say(&writer, "; %" PRIu32 " probe%s; around %s", breaker->probes,
        breaker->probes == 1 ? "" : "s",
        breaker->outside ? "the call with its retries" : "each attempt");
    say_scope(&writer, breaker->scope);
    return buffer;
}

const char *words_hedge(const struct storm_hedge *hedge, char *buffer) {
    struct writer writer = begin(buffer);
    if (hedge->attempts > 1) {
        say(&writer, "a copy whenever there is no answer for ");
        say_time(&writer, hedge->after);
        say(&writer, ", %" PRIu32 " in all; the first success counts", hedge->attempts);
    }
    return buffer;
}
