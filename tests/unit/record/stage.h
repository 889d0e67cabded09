/* stage.h: a recorder, and made-up facts for it to hear. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RECORD_STAGE_H
#define RECORD_STAGE_H

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include <retrystorm/fact.h>
#include <retrystorm/scenario.h>

#include "base/arena.h"
#include "record/metrics.h"
#include "record/recorder.h"
#include "record/recording.h"
#include "record/verdict.h"

#define MS STORM_MILLISECOND
#define SEC STORM_SECOND

enum { STAGE_FAULTS = 4, STAGE_METRICS = 256 };

/* One population and one service of ten workers of 100 ms (100/s), a queue of 20, a timeout and
   an in_time of 1 s. */
struct stage {
    struct storm_scenario scenario;
    struct storm_population population;
    struct storm_service service;
    struct storm_fault faults[STAGE_FAULTS];
    struct arena arena;
    struct recorder *recorder;
};

static inline void stage_set(struct stage *stage, storm_time duration) {
    *stage = (struct stage){.scenario = {.duration = duration,
                                         .population_count = 1,
                                         .service_count = 1,
                                         .populations = &stage->population,
                                         .services = &stage->service,
                                         .faults = stage->faults}};
    stage->population = (struct storm_population){
        .name = "client", .count = 1, .arrival = STORM_ARRIVAL_POISSON, .rate = 10, .in_time = SEC};
    stage->population.call = (struct storm_edge){.timeout.offset = SEC, .deadline = STORM_NEVER};
    stage->service = (struct storm_service){.name = "api", .workers = 10, .queue_limit = 20};
    stage->service.service_time = (struct storm_dist){.offset = 100 * MS};
}

static inline void stage_fault(struct stage *stage, storm_time from, storm_time to) {
    uint32_t index = stage->scenario.fault_count++;
    assert(index < STAGE_FAULTS);
    stage->faults[index] =
        (struct storm_fault){.kind = STORM_FAULT_DOWN, .at = from, .length = to - from};
}

static inline void stage_tell(struct stage *stage, storm_time time, struct storm_fact fact) {
    fact.time = time;
    recorder_hear(stage->recorder, &fact);
}

/* Opens the curtain: the recorder is there and knows the capacity. A run until idle is told how
   long it is. */
static inline void stage_open_for(struct stage *stage, storm_time duration) {
    arena_init(&stage->arena, (size_t)64 << 20);
    stage->recorder = recorder_new(&stage->arena, &stage->scenario, duration, 0);
    assert(stage->recorder != NULL);
    stage_tell(stage, 0,
               (struct storm_fact){
                   .kind = STORM_FACT_CAPACITY, .level = stage->service.workers, .pace = 1});
}

static inline void stage_open(struct stage *stage) {
    stage_open_for(stage, stage->scenario.duration);
}

static inline void stage_close(struct stage *stage) { arena_free(&stage->arena); }

static inline void stage_finish(struct stage *stage) {
    recorder_finish(stage->recorder, stage->recorder->duration);
}

static inline const struct service_record *stage_service(const struct stage *stage) {
    return &stage->recorder->services[0];
}

/* A metric of the finished run by its full name. */
static inline double stage_metric(struct stage *stage, const char *name) {
    double values[STAGE_METRICS];
    uint32_t count = metrics_count(&stage->scenario);
    struct storm_metric *list = metrics_list(&stage->scenario, &stage->arena);
    struct verdict verdict = verdict_judge(stage->recorder);
    assert(count <= STAGE_METRICS && list != NULL);
    metrics_measure(stage->recorder, &verdict, values);
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(list[i].name, name) == 0) {
            return values[i];
        }
    }
    assert(0 && "no such metric");
    return 0;
}

#endif
