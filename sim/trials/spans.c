/* spans.c: the faults of a scenario, and what operators do, as labelled bands on the time axis. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trials/spans.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"

enum { LABEL_MAX = 96 };

/* A share in percent, without the noise of its last bits. */
static void percent_print(double share, char *text, size_t size) {
    storm_double_print(floor(share * 1e8 + 0.5) / 1e6, text, size);
}

/* "+200 ms"; a heavy tail has no finite mean to show. */
static void print_latency(double mean, char *text, size_t size) {
    char number[32];
    if (!isfinite(mean)) {
        snprintf(text, size, "slow");
    } else if (mean >= 1) {
        storm_double_print(floor(mean * 1e3 + 0.5) / 1e3, number, sizeof number);
        snprintf(text, size, "+%s s", number);
    } else {
        storm_double_print(floor(mean * 1e6 + 0.5) / 1e3, number, sizeof number);
        snprintf(text, size, "+%s ms", number);
    }
}

/* "30 % loss", "+200 ms network", or both; of a random latency its mean. */
static void print_network(const struct storm_fault *fault, char text[LABEL_MAX]) {
    char loss[32] = "", latency[40] = "";
    double mean = storm_dist_mean(&fault->latency);
    assert(mean >= 0);
    percent_print(fault->loss, loss, sizeof loss);
    print_latency(mean, latency, sizeof latency);
    if (fault->loss > 0 && mean > 0) {
        snprintf(text, LABEL_MAX, "%s %% loss, %s", loss, latency);
    } else if (fault->loss > 0) {
        snprintf(text, LABEL_MAX, "%s %% loss", loss);
    } else {
        snprintf(text, LABEL_MAX, "%s network", latency);
    }
}

static void print_label(const struct storm_fault *fault, char text[LABEL_MAX]) {
    char number[32];
    switch (fault->kind) {
    case STORM_FAULT_DOWN:
    case STORM_FAULT_HANG:
        snprintf(text, LABEL_MAX, "outage");
        return;
    case STORM_FAULT_SLOW:
        storm_double_print(fault->factor, number, sizeof number);
        snprintf(text, LABEL_MAX, "%s × slower", number);
        return;
    case STORM_FAULT_CAPACITY:
        percent_print(fault->share, number, sizeof number);
        snprintf(text, LABEL_MAX, "%s %% capacity", number);
        return;
    case STORM_FAULT_ERRORS:
        percent_print(fault->share, number, sizeof number);
        snprintf(text, LABEL_MAX, "%s %% errors", number);
        return;
    case STORM_FAULT_NETWORK:
        print_network(fault, text);
        return;
    }
    assert(0 && "no such fault");
}

/* How often a fault begins before the run's end; a fault that never does still has its band, of no
   width. */
static storm_time count_times(const struct storm_fault *fault, storm_time duration) {
    bool again = fault->period > 0 && fault->at < duration;
    return again ? (duration - 1 - fault->at) / fault->period + 1 : 1;
}

static uint32_t count_spans(const struct storm_fault *fault, storm_time duration) {
    storm_time times = count_times(fault, duration);
    assert(times >= 1);
    return times > SPANS_OF_A_FAULT ? 1 : (uint32_t)times;
}

/* Writes the spans of one fault. False at the arena's limit. */
static bool fill_spans(const struct storm_scenario *scenario, const struct storm_fault *fault,
                       storm_time duration, struct arena *arena, struct storm_span *spans) {
    char text[LABEL_MAX];
    print_label(fault, text);
    storm_time times = count_times(fault, duration);
    uint32_t count = count_spans(fault, duration);
    if (count < times) {
        char period[32];
        size_t length = strlen(text);
        storm_time_print(fault->period, period, sizeof period);
        snprintf(text + length, sizeof text - length, " every %s", period);
    }
    const char *label = arena_copy_string(arena, text, strlen(text));
    storm_time whole = count < times ? (times - 1) * fault->period : 0;
    for (uint32_t i = 0; i < count; i++) {
        storm_time from = fault->at + i * fault->period;
        storm_time to = storm_time_add(from + whole, fault->length);
        spans[i] =
            (struct storm_span){.label = label, .subject = scenario->services[fault->service].name};
        spans[i].from = from < duration ? from : duration;
        spans[i].to = to < duration ? to : duration;
    }
    return label != NULL;
}

/* "rollout to full-jitter", "pause", ... */
static void print_action(const struct storm_scenario *scenario, const struct storm_action *action,
                         char text[LABEL_MAX]) {
    static const char *const words[] = {
        [STORM_ACTION_PAUSE] = "pause",   [STORM_ACTION_BLOCK] = "block",
        [STORM_ACTION_CLEAR] = "clear",   [STORM_ACTION_ADMIT] = "admit",
        [STORM_ACTION_SET] = "set",       [STORM_ACTION_ROLLOUT] = "rollout",
        [STORM_ACTION_REPLAY] = "replay", [STORM_ACTION_RESEND] = "resend",
        [STORM_ACTION_RERUN] = "rerun",
    };
    const char *word = words[action->kind];
    char number[32];
    if (action->kind == STORM_ACTION_SET) {
        snprintf(text, LABEL_MAX, "%s %s", word, action->settings);
    } else if (action->kind == STORM_ACTION_ROLLOUT) {
        snprintf(text, LABEL_MAX, "%s to %s", word, scenario->policies[action->policy].name);
    } else if (action->kind == STORM_ACTION_ADMIT || action->pace.rate > 0) {
        double rate = action->kind == STORM_ACTION_ADMIT ? action->rate : action->pace.rate;
        snprintf(text, LABEL_MAX, "%s %s/s", word, storm_double_print(rate, number, sizeof number));
    } else {
        snprintf(text, LABEL_MAX, "%s", word);
    }
}

/* Whom or what an action concerns; "" when it is all clients, or the settings. */
static const char *subject_of(const struct storm_scenario *scenario,
                              const struct storm_action *action) {
    switch (action->kind) {
    case STORM_ACTION_BLOCK:
    case STORM_ACTION_CLEAR:
    case STORM_ACTION_ADMIT:
        return scenario->services[action->service].name;
    case STORM_ACTION_PAUSE:
    case STORM_ACTION_ROLLOUT:
    case STORM_ACTION_REPLAY:
    case STORM_ACTION_RESEND:
    case STORM_ACTION_RERUN:
        return action->population != STORM_NONE ? scenario->populations[action->population].name
                                                : "";
    case STORM_ACTION_SET:
        return "";
    }
    assert(0 && "no such action");
    return "";
}

static bool lasts(const struct storm_action *action) {
    return action->kind == STORM_ACTION_PAUSE || action->kind == STORM_ACTION_BLOCK ||
           action->kind == STORM_ACTION_ADMIT || action->kind == STORM_ACTION_ROLLOUT;
}

/* Writes the span of one action. False at the arena's limit. */
static bool fill_action(const struct storm_scenario *scenario, const struct storm_action *action,
                        storm_time duration, struct arena *arena, struct storm_span *span) {
    char text[LABEL_MAX];
    print_action(scenario, action, text);
    storm_time end = lasts(action) ? storm_time_add(action->at, action->length) : action->at;
    *span = (struct storm_span){.label = arena_copy_string(arena, text, strlen(text)),
                                .subject = subject_of(scenario, action),
                                .from = action->at < duration ? action->at : duration,
                                .to = end < duration ? end : duration,
                                .kind = STORM_SPAN_ACTION};
    return span->label != NULL;
}

bool spans_of(const struct storm_scenario *scenario, storm_time duration, struct arena *arena,
              struct storm_span **spans, uint32_t *count) {
    assert(duration > 0 && duration < STORM_NEVER);
    *count = scenario->action_count;
    for (uint32_t i = 0; i < scenario->fault_count; i++) {
        *count += count_spans(&scenario->faults[i], duration);
    }
    *spans = arena_take_array(arena, *count, sizeof **spans);
    struct storm_span *next = *spans;
    for (uint32_t i = 0; *spans != NULL && i < scenario->fault_count; i++) {
        const struct storm_fault *fault = &scenario->faults[i];
        if (!fill_spans(scenario, fault, duration, arena, next)) {
            return false;
        }
        next += count_spans(fault, duration);
    }
    for (uint32_t i = 0; *spans != NULL && i < scenario->action_count; i++) {
        if (!fill_action(scenario, &scenario->actions[i], duration, arena, next++)) {
            return false;
        }
    }
    return *spans != NULL;
}
