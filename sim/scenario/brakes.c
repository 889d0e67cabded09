/* brakes.c: which settings of a budget, throttle or breaker mean something for its kind. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "scenario/fields.h"

#define BUDGET(name) (1U << STORM_BUDGET_##name)
#define THROTTLE(name) (1U << STORM_THROTTLE_##name)
#define BREAKER(name) (1U << STORM_BREAKER_##name)

/* The keys that only some kinds have, by the bits of the kinds; all kinds have the others. */
static const struct brake_key {
    const struct shape *shape;
    const char *key;
    unsigned kinds;
} brake_keys[] = {
    {&budget_shape, "capacity", BUDGET(COST) | BUDGET(RATIO)},
    {&budget_shape, "cost", BUDGET(COST)},
    {&budget_shape, "cost_timeout", BUDGET(COST)},
    {&budget_shape, "cost_throttled", BUDGET(COST)},
    {&budget_shape, "refill", BUDGET(COST)},
    {&budget_shape, "ratio", BUDGET(RATIO) | BUDGET(WINDOW) | BUDGET(CONCURRENCY)},
    {&budget_shape, "ttl", BUDGET(WINDOW)},
    {&budget_shape, "reserve", BUDGET(WINDOW)},
    {&budget_shape, "deposit_on", BUDGET(WINDOW)},
    {&budget_shape, "whole", BUDGET(WINDOW)},
    {&budget_shape, "most", BUDGET(CONCURRENCY)},
    {&budget_shape, "count_backing_off", BUDGET(CONCURRENCY)},
    {&throttle_shape, "k", THROTTLE(ADAPTIVE)},
    {&throttle_shape, "padding", THROTTLE(ADAPTIVE)},
    {&throttle_shape, "most", THROTTLE(ADAPTIVE)},
    {&throttle_shape, "window", THROTTLE(ADAPTIVE)},
    {&throttle_shape, "beta", THROTTLE(CUBIC)},
    {&throttle_shape, "scale", THROTTLE(CUBIC)},
    {&throttle_shape, "smoothing", THROTTLE(CUBIC)},
    {&throttle_shape, "least", THROTTLE(CUBIC)},
    {&breaker_shape, "failures", BREAKER(CONSECUTIVE)},
    {&breaker_shape, "share", BREAKER(COUNT) | BREAKER(TIME)},
    {&breaker_shape, "minimum", BREAKER(COUNT) | BREAKER(TIME)},
    {&breaker_shape, "calls", BREAKER(COUNT)},
    {&breaker_shape, "window", BREAKER(TIME)},
};

bool brake_has(const struct shape *shape, int kind, const char *key) {
    assert(kind >= 0 && key != NULL);
    if (kind == 0)
        return strcmp(key, "kind") == 0;
    for (size_t i = 0; i < sizeof brake_keys / sizeof brake_keys[0]; i++) {
        if (brake_keys[i].shape == shape && strcmp(brake_keys[i].key, key) == 0)
            return (brake_keys[i].kinds >> kind & 1) != 0;
    }
    return true;
}

/* Blames the keys of one brake's map that mean nothing. */
static void brake_judge(struct reader *reader, const struct trail *trail, const struct node *node,
                        const char *name, const struct shape *shape, int kind) {
    const struct item *brake = tree_find(node, name);
    if (brake == NULL)
        return;
    struct trail up = trail_item(trail, brake);
    for (uint32_t i = 0; i < brake->value->count; i++) {
        const struct item *item = &brake->value->items[i];
        char hint[64];
        if (brake_has(shape, kind, item->key))
            continue;
        struct trail here = trail_item(&up, item);
        snprintf(hint, sizeof hint, kind == 0 ? "say which kind of %s it is" : "take it out", name);
        blame(reader->errors, &here, item->place, hint, "means nothing for this kind of %s", name);
    }
}

void brakes_judge(struct reader *reader, const struct trail *trail, const struct node *node,
                  const struct storm_policy *policy) {
    brake_judge(reader, trail, node, "budget", &budget_shape, policy->budget.kind);
    brake_judge(reader, trail, node, "throttle", &throttle_shape, policy->throttle.kind);
    brake_judge(reader, trail, node, "breaker", &breaker_shape, policy->breaker.kind);
}
