/* sample.h: a small sweep made by hand, whose runs are told by their numbers. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef STORE_SAMPLE_H
#define STORE_SAMPLE_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "store/sweep_file.h"
#include "store/sweep_head.h"
#include "support/test.h"

enum { SAMPLE_CAPS = 4, SAMPLE_LOADS = 3, SAMPLE_POINTS = 12, SAMPLE_RUNS = 5, SAMPLE_ALL = 60 };

static const char *const sample_caps[SAMPLE_CAPS] = {"1s", "2.5s", "10s", "40s"};
static const double sample_cap_numbers[SAMPLE_CAPS] = {1, 2.5, 10, 40};
static const char *const sample_loads[SAMPLE_LOADS] = {"calm", "it's \"busy\"", "Busy"};

static const struct storm_metric sample_metrics[] = {
    {.name = "dead_letters", .unit = "requests", .help = "given up on", .bimodal = true},
    {.name = "time_to_recover", .unit = "s", .help = "until the band", .bimodal = true},
    {.name = "peak_load_capacity.api", .unit = "x capacity", .help = "the busiest second"},
    {.name = "peak_load_capacity.API", .unit = "x capacity", .help = "the same of another one"},
    {.name = "goodput", .unit = "requests/s", .better = STORM_BETTER_HIGHER, .help = "answers"},
    {.name = "duration",
     .unit = "s",
     .better = STORM_BETTER_NEITHER,
     .help = "a name that is taken"},
};

enum { SAMPLE_METRICS = sizeof sample_metrics / sizeof sample_metrics[0] };

/* A head that may be changed, and what it is made of. */
struct sample {
    struct sweep_head head;
    struct storm_sweep_axis axes[2];
    struct storm_sweep_point points[SAMPLE_POINTS];
    const char *labels[SAMPLE_POINTS][2];
    double numbers[SAMPLE_POINTS][2];
};

static inline void sample_init(struct sample *sample) {
    *sample = (struct sample){.axes = {{.path = "policies.app.cap",
                                        .unit = "s",
                                        .is_log = true,
                                        .from = 1,
                                        .to = 40,
                                        .value_count = SAMPLE_CAPS},
                                       {.path = "variant",
                                        .from = (double)NAN,
                                        .to = (double)NAN,
                                        .value_count = SAMPLE_LOADS}}};
    for (int p = 0; p < SAMPLE_POINTS; p++) {
        sample->labels[p][0] = sample_caps[p / SAMPLE_LOADS];
        sample->numbers[p][0] = sample_cap_numbers[p / SAMPLE_LOADS];
        sample->labels[p][1] = sample_loads[p % SAMPLE_LOADS];
        sample->numbers[p][1] = (double)NAN;
        sample->points[p].labels = sample->labels[p];
        sample->points[p].numbers = sample->numbers[p];
    }
    sample->head = (struct sweep_head){.sweep = {.title = "A sample; it's made by hand",
                                                 .question = "Where is the cliff?",
                                                 .file = "sample.yaml",
                                                 .overrides = "",
                                                 .hash = "0123456789abcdef",
                                                 .seed = UINT64_C(18446744073709551615),
                                                 .runs = SAMPLE_RUNS,
                                                 .axis_count = 2,
                                                 .axes = sample->axes,
                                                 .point_count = SAMPLE_POINTS,
                                                 .points = sample->points},
                                       .method = "grid",
                                       .metric_count = SAMPLE_METRICS,
                                       .metrics = sample_metrics};
}

/* Run number `number`: its values go into values[SAMPLE_METRICS]. Caps of 10s and more are stuck
   under load. */
static inline struct storm_sweep_run sample_run(uint32_t number, double *values) {
    uint32_t point = number / SAMPLE_RUNS, run = number % SAMPLE_RUNS;
    bool is_stuck = point / SAMPLE_LOADS >= 2 && point % SAMPLE_LOADS > 0 && run > 0;
    values[0] = is_stuck ? 1000 + run : run;
    values[1] = is_stuck ? (double)NAN : 3.5 + point;
    values[2] = 1.25 * (1 + point % SAMPLE_LOADS);
    values[3] = point == 4 ? (double)NAN : .1;
    values[4] = 1.0 / (number + 3);
    values[5] = number % 2 == 0 ? (double)INFINITY : -.0;
    return (struct storm_sweep_run){.point = point,
                                    .run = run,
                                    .verdict = is_stuck   ? STORM_VERDICT_STUCK
                                               : run == 4 ? STORM_VERDICT_UNHARMED
                                                          : STORM_VERDICT_RECOVERED,
                                    .duration = 240.5,
                                    .digest = UINT64_C(0xF000000000000000) + number,
                                    .values = values};
}

/* Adds the runs whose numbers are in the list, in one block. */
static inline void sample_add(struct sweep_file *file, const uint32_t *numbers, uint32_t count) {
    double values[SAMPLE_ALL][SAMPLE_METRICS];
    struct storm_sweep_run runs[SAMPLE_ALL];
    struct storm_error error = {0};
    for (uint32_t i = 0; i < count; i++) {
        runs[i] = sample_run(numbers[i], values[i]);
    }
    if (!sweep_file_add(file, runs, count, &error)) {
        fail_msg("%s", error.message);
    }
}

/* Makes the whole file, or the shard that the head says. */
static inline void sample_make(const struct sample *sample, const char *path) {
    struct arena arena;
    struct storm_error error = {0};
    arena_init(&arena, 1 << 24);
    remove(path);
    struct sweep_file *file = sweep_file_open(path, &sample->head, &arena, &error);
    if (file == NULL) {
        fail_msg("%s", error.message);
    }
    for (uint32_t number = 0; number < SAMPLE_ALL; number++) {
        if (sweep_head_owns(&sample->head, number)) {
            sample_add(file, &number, 1);
        }
    }
    if (!sweep_file_finish(file, &error)) {
        fail_msg("%s", error.message);
    }
    sweep_file_close(file);
    arena_free(&arena);
}

/* ---- files ----------------------------------------------------------------------------------- */

static char sample_folder[] = "/tmp/retrystorm-store-XXXXXX";

static inline int sample_enter(void **state) {
    (void)state;
    return mkdtemp(sample_folder) == NULL || chdir(sample_folder) != 0;
}

static inline int sample_leave(void **state) {
    char command[80];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", sample_folder);
    return chdir("/") != 0 || system(command) != 0;
}

/* The whole file, to be freed. */
static inline char *sample_read(const char *path, size_t *length) {
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    assert_int_equal(fseek(in, 0, SEEK_END), 0);
    *length = (size_t)ftell(in);
    rewind(in);
    char *bytes = malloc(*length + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *length, in), *length);
    fclose(in);
    return bytes;
}

static inline void sample_write(const char *path, const char *bytes, size_t length) {
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, length, out), length);
    assert_int_equal(fclose(out), 0);
}

static inline void sample_same(const char *a, const char *b) {
    size_t a_length, b_length;
    char *a_bytes = sample_read(a, &a_length), *b_bytes = sample_read(b, &b_length);
    assert_int_equal(a_length, b_length);
    assert_memory_equal(a_bytes, b_bytes, a_length);
    free(a_bytes);
    free(b_bytes);
}

#endif
