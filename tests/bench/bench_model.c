/* bench_model.c: attempts per second of the whole simulator: model, recorder, metrics and
   verdict on. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <retrystorm/load.h>
#include <retrystorm/run.h>

#include "base/arena.h"

enum { ROUNDS = 3 };

static double cpu_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double count_attempts(const struct storm_scenario *scenario, const double *metrics,
                             struct arena *arena) {
    uint32_t count;
    const struct storm_metric *names = storm_run_metrics(scenario, arena, &count);
    double sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        sum += strncmp(names[i].name, "attempts.", 9) == 0 ? metrics[i] : 0;
    }
    return sum;
}

static void measure(const char *file, const char *variant, const struct storm_scenario *scenario) {
    double best = 1e300, attempts = 0, events = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        struct arena arena;
        struct storm_run_result result;
        struct storm_error error = {0};
        arena_init(&arena, (size_t)1 << 30);
        double begin = cpu_seconds();
        bool done =
            storm_run(scenario, &(struct storm_run_options){.seed = 1}, &arena, &result, &error);
        double took = cpu_seconds() - begin;
        assert(done);
        best = took < best ? took : best;
        attempts = count_attempts(scenario, result.metrics, &arena);
        events = (double)result.events;
        arena_free(&arena);
    }
    const char *slash = strrchr(file, '/');
    printf("%-28s %-22s %9.0f events %8.2f M events/s %8.2f M attempts/s\n",
           slash != NULL ? slash + 1 : file, variant, events, events / best / 1e6,
           attempts / best / 1e6);
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        struct storm_errors errors = {0};
        struct storm_document *document = storm_document_read(argv[i], &errors);
        assert(document != NULL);
        for (size_t v = 0; v < storm_document_variant_count(document); v++) {
            const char *name = storm_document_variant_name(document, v);
            const struct storm_scenario *scenario =
                storm_document_decode(document, name, NULL, 0, &errors);
            assert(scenario != NULL);
            measure(argv[i], name, scenario);
        }
        storm_document_free(document);
    }
    return 0;
}
