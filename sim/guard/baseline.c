/* baseline.c: scenarios, variants and metrics of a baseline by their names. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Invariants
   1. Scenarios, variants and metrics stand in the order of their names, and no name stands
   twice. */
#include "guard/baseline.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

struct baseline_scenario *baseline_find(const struct baseline *baseline, const char *name) {
    for (uint32_t i = 0; i < baseline->scenario_count; i++) {
        if (strcmp(baseline->scenarios[i].name, name) == 0) {
            return &baseline->scenarios[i];
        }
    }
    return NULL;
}

struct baseline_variant *baseline_variant(const struct baseline_scenario *scenario,
                                          const char *name) {
    for (uint32_t i = 0; i < scenario->variant_count; i++) {
        if (strcmp(scenario->variants[i].runs.name, name) == 0) {
            return &scenario->variants[i];
        }
    }
    return NULL;
}

bool baseline_put(struct baseline *baseline, const struct baseline_scenario *scenario,
                  struct arena *arena) {
    struct baseline_scenario *old = baseline_find(baseline, scenario->name);
    uint32_t count = baseline->scenario_count, at = 0;
    if (old != NULL) {
        *old = *scenario;
        return true;
    }
    struct baseline_scenario *grown =
        arena_grow_array(arena, baseline->scenarios, count, count + 1, sizeof *grown);
    if (grown == NULL) {
        return false;
    }
    while (at < count && strcmp(grown[at].name, scenario->name) < 0) {
        at++;
    }
    memmove(&grown[at + 1], &grown[at], (count - at) * sizeof *grown);
    grown[at] = *scenario;
    *baseline = (struct baseline){.scenario_count = count + 1, .scenarios = grown};
    return true;
}

void baseline_drop(struct baseline *baseline, const char *name) {
    struct baseline_scenario *old = baseline_find(baseline, name);
    assert(old != NULL);
    size_t after = (size_t)(&baseline->scenarios[baseline->scenario_count] - (old + 1));
    memmove(old, old + 1, after * sizeof *old);
    baseline->scenario_count--;
}

static int compare_metrics(const void *left, const void *right) {
    const struct storm_metric *a = left, *b = right;
    return strcmp(a->name, b->name);
}

static int compare_variants(const void *left, const void *right) {
    const struct baseline_variant *a = left, *b = right;
    return strcmp(a->runs.name, b->runs.name);
}

void baseline_sort_metrics(struct storm_variant *variant) {
    if (variant->metric_count > 0) {
        qsort(variant->metrics, variant->metric_count, sizeof *variant->metrics, compare_metrics);
    }
}

void baseline_sort_variants(struct baseline_scenario *scenario) {
    if (scenario->variant_count > 0) {
        qsort(scenario->variants, scenario->variant_count, sizeof *scenario->variants,
              compare_variants);
    }
}
