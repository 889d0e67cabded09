/* trigger.c: what starts the trouble, and when it is over. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/trigger.h"

#include <assert.h>
#include <stddef.h>

static void widen(storm_time *from, storm_time *to, storm_time start, storm_time end) {
    assert(start <= end);
    *from = *from < 0 || start < *from ? start : *from;
    *to = end > *to ? end : *to;
}

void trigger_window(const struct storm_scenario *scenario, storm_time *from, storm_time *to) {
    assert(from != NULL && to != NULL);
    *from = -1;
    *to = -1;
    for (uint32_t i = 0; i < scenario->fault_count; i++) {
        const struct storm_fault *fault = &scenario->faults[i];
        if (fault->at < scenario->duration) {
            widen(from, to, fault->at, storm_fault_end(fault));
        }
    }
    for (uint32_t i = 0; i < scenario->population_count; i++) {
        const struct storm_population *population = &scenario->populations[i];
        if (population->arrival == STORM_ARRIVAL_AT && population->at < scenario->duration) {
            widen(from, to, population->at, population->at);
        }
    }
}
