/* series.c: the curves of one run, named for those who write and draw them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/series.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "record/recording.h"
#include "record/scope.h"

enum { MOST_CURVES = 5 };

struct curve {
    const char *name;
    size_t offset; /* of the double * in its record */
};

/* Curves of records that stand in one array of the recorder's. */
struct group {
    enum scope scope;
    size_t array;       /* offset of the recorder's pointer to it */
    size_t record_size; /* of each item */
    struct curve curves[MOST_CURVES];
};

#define GROUP(scope, array, record) scope, offsetof(struct recorder, array), sizeof(struct record)
#define SERVICE_GROUP(scope) GROUP(scope, services, service_record)
#define CURVE(name, record, field)                                                                 \
    { name, offsetof(struct record, field) }

static const struct group groups[] = {
    {SERVICE_GROUP(SCOPE_SERVICE),
     {CURVE(STORM_SERIES_FIRST, service_record, first_bins),
      CURVE(STORM_SERIES_RETRIES, service_record, retry_bins),
      CURVE(STORM_SERIES_CAPACITY, service_record, capacity_bins),
      CURVE(STORM_SERIES_LEVEL, service_record, level_bins),
      CURVE(STORM_SERIES_GHOST, service_record, ghost_bins)}},
    {GROUP(SCOPE_POPULATION, populations, population_record),
     {CURVE(STORM_SERIES_BORN, population_record, born_bins),
      CURVE(STORM_SERIES_FAILED, population_record, failed_bins),
      CURVE(STORM_SERIES_GOODPUT, population_record, goodput_bins),
      CURVE(STORM_SERIES_DEAD, population_record, dead_bins)}},
    {SERVICE_GROUP(SCOPE_HELD), {CURVE(STORM_SERIES_HELD_BACK, service_record, held_back_bins)}},
    {SERVICE_GROUP(SCOPE_EFFECT), {CURVE(STORM_SERIES_DUPLICATES, service_record, duplicate_bins)}},
    {GROUP(SCOPE_QUEUE, queues, queue_record),
     {CURVE(STORM_SERIES_READY, queue_record, ready_bins),
      CURVE(STORM_SERIES_HELD, queue_record, held_bins)}},
    {GROUP(SCOPE_LETTERS, letters, letter_record),
     {CURVE(STORM_SERIES_LETTERS, letter_record, kept_bins)}},
};

enum { GROUP_COUNT = sizeof groups / sizeof groups[0] };

static uint32_t curve_count(const struct group *group) {
    uint32_t count = 0;
    while (count < MOST_CURVES && group->curves[count].name != NULL) {
        count++;
    }
    assert(count > 0);
    return count;
}

/* Copies the curves of one record. Returns false at the arena's limit. */
static bool copy_record(struct arena *arena, uint32_t bins, const char *subject, const char *record,
                        const struct group *group, struct storm_series *out) {
    for (uint32_t i = 0; i < curve_count(group); i++) {
        double *values;
        memcpy(&values, record + group->curves[i].offset, sizeof values);
        assert(values != NULL);
        out[i] = (struct storm_series){.subject = subject, .name = group->curves[i].name};
        out[i].values = arena_take_array(arena, bins, sizeof *values);
        if (out[i].values == NULL) {
            return false;
        }
        memcpy(out[i].values, values, bins * sizeof *values);
    }
    return true;
}

/* Copies the curves of all records of a group; *next is where the following ones go. */
static bool copy_group(const struct recorder *recorder, struct arena *arena,
                       const struct group *group, struct storm_series **next) {
    const struct storm_scenario *plan = recorder->scenario;
    const char *records;
    memcpy(&records, (const char *)recorder + group->array, sizeof records);
    for (uint32_t i = 0; i < scope_room(plan, group->scope); i++) {
        if (!scope_has(plan, group->scope, i)) {
            continue;
        }
        if (!copy_record(arena, recorder->bin_count, scope_name(plan, group->scope, i),
                         records + i * group->record_size, group, *next)) {
            return false;
        }
        *next += curve_count(group);
    }
    return true;
}

struct storm_series *series_copy(const struct recorder *recorder, struct arena *arena,
                                 uint32_t *count) {
    uint32_t total = 0;
    for (uint32_t i = 0; i < GROUP_COUNT; i++) {
        total += scope_count(recorder->scenario, groups[i].scope) * curve_count(&groups[i]);
    }
    struct storm_series *list = arena_take_array(arena, total, sizeof *list);
    struct storm_series *next = list;
    bool fits = list != NULL;
    for (uint32_t i = 0; fits && i < GROUP_COUNT; i++) {
        fits = copy_group(recorder, arena, &groups[i], &next);
    }
    *count = fits ? total : 0;
    return fits ? list : NULL;
}
