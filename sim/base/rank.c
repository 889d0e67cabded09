/* rank.c: the places of a scenario in the order of their names, whatever the order of its file. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/rank.h"

#include <assert.h>
#include <string.h>

/* Whether one place comes before another: by its name, and without names as it is listed. */
static bool is_before(const char *name, uint32_t index, const char *other, uint32_t other_index) {
    int order = strcmp(name != NULL ? name : "", other != NULL ? other : "");
    return order < 0 || (order == 0 && index < other_index);
}

uint32_t rank_of_population(const struct storm_scenario *scenario, uint32_t index) {
    const struct storm_population *own = &scenario->populations[index];
    uint32_t rank = 0;
    assert(index < scenario->population_count);
    for (uint32_t i = 0; i < scenario->population_count; i++) {
        const struct storm_population *other = &scenario->populations[i];
        bool earlier = storm_is_consumer(other) == storm_is_consumer(own)
                           ? is_before(other->name, i, own->name, index)
                           : storm_is_consumer(own);
        rank += earlier;
    }
    return rank;
}

uint32_t rank_of_service(const struct storm_scenario *scenario, uint32_t index) {
    uint32_t rank = 0;
    assert(index < scenario->service_count);
    for (uint32_t i = 0; i < scenario->service_count; i++) {
        rank += is_before(scenario->services[i].name, i, scenario->services[index].name, index);
    }
    return rank;
}

/* The service that makes a call. */
static uint32_t caller_of(const struct storm_scenario *scenario, uint32_t call) {
    uint32_t service = 0;
    while (call - scenario->services[service].call_first >=
           scenario->services[service].call_count) {
        service++;
        assert(service < scenario->service_count);
    }
    return service;
}

uint32_t rank_of_call(const struct storm_scenario *scenario, uint32_t index) {
    assert(index < scenario->call_count);
    uint32_t caller = caller_of(scenario, index);
    const struct storm_service *own = &scenario->services[caller];
    uint32_t rank = index - own->call_first;
    for (uint32_t i = 0; i < scenario->service_count; i++) {
        const struct storm_service *other = &scenario->services[i];
        rank += is_before(other->name, i, own->name, caller) ? other->call_count : 0;
    }
    return rank;
}
