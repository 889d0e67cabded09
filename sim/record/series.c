/* series.c: the curves of one run, named for those who write and draw them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/series.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "record/recorder.h"

struct curve {
    const char *name;
    size_t offset; /* of the double * in its record */
};

static const struct curve service_curves[] = {
    {STORM_SERIES_FIRST, offsetof(struct service_record, first_bins)},
    {STORM_SERIES_RETRIES, offsetof(struct service_record, retry_bins)},
    {STORM_SERIES_CAPACITY, offsetof(struct service_record, capacity_bins)},
    {STORM_SERIES_LEVEL, offsetof(struct service_record, level_bins)},
    {STORM_SERIES_GHOST, offsetof(struct service_record, ghost_bins)},
};

static const struct curve population_curves[] = {
    {STORM_SERIES_BORN, offsetof(struct population_record, born_bins)},
    {STORM_SERIES_FAILED, offsetof(struct population_record, failed_bins)},
    {STORM_SERIES_GOODPUT, offsetof(struct population_record, goodput_bins)},
    {STORM_SERIES_DEAD, offsetof(struct population_record, dead_bins)},
};

enum {
    SERVICE_CURVES = sizeof service_curves / sizeof service_curves[0],
    POPULATION_CURVES = sizeof population_curves / sizeof population_curves[0]
};

/* Copies the curves of one record. Returns false at the arena's limit. */
static bool copy_record(struct arena *arena, uint32_t bins, const char *subject, const void *record,
                        const struct curve *curves, uint32_t count, struct storm_series *out) {
    for (uint32_t i = 0; i < count; i++) {
        double *values;
        memcpy(&values, (const char *)record + curves[i].offset, sizeof values);
        assert(values != NULL);
        out[i] = (struct storm_series){.subject = subject, .name = curves[i].name};
        out[i].values = arena_take_array(arena, bins, sizeof *values);
        if (out[i].values == NULL) {
            return false;
        }
        memcpy(out[i].values, values, bins * sizeof *values);
    }
    return true;
}

struct storm_series *series_copy(const struct recorder *recorder, struct arena *arena,
                                 uint32_t *count) {
    const struct storm_scenario *plan = recorder->scenario;
    uint32_t total =
        plan->service_count * SERVICE_CURVES + plan->population_count * POPULATION_CURVES;
    struct storm_series *list = arena_take_array(arena, total, sizeof *list);
    struct storm_series *next = list;
    bool fits = list != NULL;
    for (uint32_t i = 0; fits && i < plan->service_count; i++, next += SERVICE_CURVES) {
        fits = copy_record(arena, recorder->bin_count, plan->services[i].name,
                           &recorder->services[i], service_curves, SERVICE_CURVES, next);
    }
    for (uint32_t i = 0; fits && i < plan->population_count; i++, next += POPULATION_CURVES) {
        fits = copy_record(arena, recorder->bin_count, plan->populations[i].name,
                           &recorder->populations[i], population_curves, POPULATION_CURVES, next);
    }
    *count = fits ? total : 0;
    return fits ? list : NULL;
}
