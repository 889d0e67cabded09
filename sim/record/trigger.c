/* trigger.c: what starts the trouble, and when it is over. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/trigger.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

/* A rate within this of the first one is as usual again. */
static const double usual_rate = 1.05;

static void widen(storm_time *from, storm_time *to, storm_time start, storm_time end) {
    assert(start <= end);
    *from = *from < 0 || start < *from ? start : *from;
    *to = end > *to ? end : *to;
}

/* The end of a fault, or of the last time it comes back before the run's end. */
static storm_time last_end(const struct storm_fault *fault, storm_time duration) {
    assert(fault->at < duration && fault->period >= 0);
    storm_time times = fault->period > 0 ? (duration - 1 - fault->at) / fault->period : 0;
    return storm_time_add(fault->at + times * fault->period, fault->length);
}

/* Rates that rise above the first one and end near it: from the first change to the last. */
static bool find_surge(const struct storm_population *population, storm_time *start,
                       storm_time *end) {
    const struct storm_rate_point *points = population->points;
    uint32_t count = population->point_count, first = 0, last = count - 1;
    double highest = 0;
    assert(points != NULL && count > 0);
    for (uint32_t i = 0; i < count; i++) {
        highest = points[i].rate > highest ? points[i].rate : highest;
    }
    double usual = usual_rate * points[0].rate;
    if (points[last].rate > usual || highest <= usual) {
        return false;
    }
    while (points[first + 1].rate == points[0].rate) {
        first++; /* some rate is higher than the first */
    }
    while (points[last - 1].rate == points[count - 1].rate) {
        last--;
    }
    *start = points[first].at;
    *end = points[last].at;
    return true;
}

static bool is_surge(const struct storm_population *population, storm_time *start,
                     storm_time *end) {
    if (population->arrival == STORM_ARRIVAL_AT) {
        bool spread = population->spread == STORM_SPREAD_WITHIN;
        *start = population->at;
        *end = spread ? storm_time_add(population->at, population->spread_time) : population->at;
        return true;
    }
    return population->arrival == STORM_ARRIVAL_RATE && population->series == NULL &&
           find_surge(population, start, end);
}

void trigger_window(const struct storm_scenario *scenario, storm_time duration, storm_time *from,
                    storm_time *to) {
    assert(from != NULL && to != NULL && duration > 0);
    *from = -1;
    *to = -1;
    for (uint32_t i = 0; i < scenario->fault_count; i++) {
        const struct storm_fault *fault = &scenario->faults[i];
        if (fault->at < duration) {
            widen(from, to, fault->at, last_end(fault, duration));
        }
    }
    for (uint32_t i = 0; i < scenario->population_count; i++) {
        storm_time start, end;
        if (is_surge(&scenario->populations[i], &start, &end) && start < duration) {
            widen(from, to, start, end);
        }
    }
}
