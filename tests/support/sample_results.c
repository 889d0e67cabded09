/* sample_results.c: made-up results for tests of readers. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <retrystorm/results.h>
#include <retrystorm/units.h>

#include "support/sample_results.h"

enum { BINS = 240, RUNS = 100, SERIES = 7, METRICS = 7, SETTINGS = 7, FAULT = 60, REPAIR = 90 };

static void *take(size_t count, size_t size) {
    void *memory = calloc(count, size);
    assert(memory != NULL);
    assert(count > 0);
    return memory;
}

/* A little noise in [-1, 1) that is the same everywhere. */
static double noise(uint32_t bin, uint32_t salt) {
    uint32_t x = bin * 2654435761u + salt * 40503u + 12345u;
    x ^= x >> 15;
    x *= 2246822519u;
    x ^= x >> 13;
    return (double)(x % 2000) / 1000 - 1;
}

/* Retries per second while the trouble lasts; `salt` tells variants apart. */
static double storm_at(enum sample_shape shape, uint32_t bin, uint32_t salt) {
    double since = (double)bin - FAULT;
    assert(bin >= FAULT);
    switch (shape) {
    case SAMPLE_RECOVERS:
        return bin < 66 ? 80 + 75 * since : bin < REPAIR + 3 ? 215 + 12 * noise(bin, salt) : 0;
    case SAMPLE_STUCK:
        if (bin == 61 || bin == 63 || bin == 67 || bin == 75 || bin == 85)
            return 300 + 8 * since;
        return (bin < 110 ? 90 + 2 * since : 210) + 22 * noise(bin, salt);
    case SAMPLE_MIXED:
        if (bin == FAULT)
            return 390;
        return bin < REPAIR ? 235 + 20 * noise(bin, salt) : fmax(0, 180 - 15 * (since - 30));
    case SAMPLE_AT_ONCE:
        return bin == FAULT ? 75 : bin < REPAIR ? 4 + 3 * noise(bin, salt) : 0;
    case SAMPLE_UNHARMED:
    case SAMPLE_SHAPES:
        break;
    }
    return 0;
}

static double lost_at(enum sample_shape shape, uint32_t bin) {
    double since = (double)bin - FAULT;
    if (bin < FAULT + 4 || shape == SAMPLE_UNHARMED)
        return 0;
    if (shape == SAMPLE_STUCK)
        return bin < 84 ? 0 : bin < 126 ? 28 * (since - 24) : 1176 + 47 * (since - 66);
    double end = bin < REPAIR ? since : REPAIR - FAULT;
    return end * (shape == SAMPLE_MIXED ? 38 : 12);
}

static double fails_at(enum sample_shape shape, uint32_t bin) {
    if (shape == SAMPLE_UNHARMED || bin < FAULT)
        return bin % 97 == 1 ? 0.03 : 0;
    if (bin < REPAIR)
        return 1;
    if (shape == SAMPLE_STUCK)
        return bin < 94 ? 0.02 : 0.97;
    return bin < 93 ? 0.4 : 0;
}

static void fill_series(struct storm_series *series, enum sample_shape shape, uint32_t salt) {
    static const char *const names[SERIES] = {
        STORM_SERIES_FIRST, STORM_SERIES_RETRIES, STORM_SERIES_CAPACITY, STORM_SERIES_GHOST,
        STORM_SERIES_BORN,  STORM_SERIES_FAILED,  STORM_SERIES_DEAD};
    for (int i = 0; i < SERIES; i++) {
        series[i].name = names[i];
        series[i].subject = i < 4 ? "api" : "web";
        series[i].values = take(BINS, sizeof(double));
    }
    for (uint32_t bin = 0; bin < BINS; bin++) {
        double born = floor(45 + 8 * noise(bin, 100 + salt));
        double herd = bin == FAULT && shape != SAMPLE_UNHARMED ? 300 : 0;
        double lost = lost_at(shape, bin);
        series[0].values[bin] = born + herd;
        series[1].values[bin] = bin < FAULT ? 0 : floor(fmax(0, storm_at(shape, bin, salt)));
        series[2].values[bin] = 100;
        series[3].values[bin] = shape == SAMPLE_STUCK && bin > REPAIR ? 92 : 0;
        series[4].values[bin] = born + herd;
        series[5].values[bin] = floor((born + herd) * fails_at(shape, bin) + 0.5);
        series[6].values[bin] = floor(lost);
    }
}

static void fill_metric(struct storm_metric *metric, const char *name, const char *unit,
                        double value, uint32_t applies) {
    *metric = (struct storm_metric){.name = name,
                                    .unit = unit,
                                    .better = STORM_BETTER_LOWER,
                                    .applies = applies,
                                    .mean = applies > 0 ? value : (double)NAN,
                                    .lo = applies > 0 ? value : (double)NAN,
                                    .hi = applies > 0 ? value : (double)NAN,
                                    .median = applies > 0 ? value : (double)NAN,
                                    .min = applies > 0 ? value : (double)NAN,
                                    .max = applies > 0 ? value : (double)NAN};
    metric->per_run = take(RUNS, sizeof(double));
    for (uint32_t run = 0; run < RUNS; run++)
        metric->per_run[run] = run < applies ? value : (double)NAN;
    assert(applies <= RUNS);
}

/* The drawn run, number 0, ends as most runs of its shape do; in the mixed shape the first 42
   recover. */
static void fill_verdicts(struct storm_variant *variant, enum sample_shape shape) {
    uint32_t good = shape == SAMPLE_STUCK ? 0 : shape == SAMPLE_MIXED ? 42 : RUNS;
    enum storm_verdict fine =
        shape == SAMPLE_UNHARMED ? STORM_VERDICT_UNHARMED : STORM_VERDICT_RECOVERED;
    double time = shape == SAMPLE_AT_ONCE ? 0.2 : shape == SAMPLE_MIXED ? 12 : 3;
    variant->verdict_per_run = take(RUNS, 1);
    for (uint32_t run = 0; run < RUNS; run++) {
        enum storm_verdict verdict = run < good ? fine : STORM_VERDICT_STUCK;
        variant->verdict_per_run[run] = (uint8_t)verdict;
        variant->verdicts[verdict]++;
    }
    fill_metric(&variant->metrics[0], "time_to_recover", "s", time,
                shape == SAMPLE_UNHARMED ? 0 : good);
    assert(variant->runs_done == RUNS);
}

/* All but the time to recover. The busiest second lies across two bins: it is a little more than
   the tallest of them. */
static void fill_metrics(struct storm_variant *variant) {
    const struct storm_series *series = variant->series;
    double peak = 0, born = 0;
    for (uint32_t bin = 0; bin < BINS; bin++) {
        peak = fmax(peak, series[0].values[bin] + series[1].values[bin]);
        born += series[4].values[bin];
    }
    assert(peak > 0 && born > 0);
    fill_metric(&variant->metrics[1], "knock_downs", "", 0, RUNS);
    fill_metric(&variant->metrics[2], "amplification.api", "attempts/request", 2.5, RUNS);
    fill_metric(&variant->metrics[3], "peak_load.api", "attempts/s", peak + 8, RUNS);
    fill_metric(&variant->metrics[4], "peak_load_capacity.api", "x capacity", (peak + 8) / 100,
                RUNS);
    fill_metric(&variant->metrics[5], "requests", "requests", born, RUNS);
    fill_metric(&variant->metrics[6], "dead_letters", "requests", series[6].values[BINS - 1], RUNS);
}

static void fill_settings(struct storm_variant *variant) {
    static const struct storm_setting rows[SETTINGS] = {
        {"policies.app.delay", NULL},        {"policies.app.attempts", "6"},
        {"policies.app.base", "1s"},         {"policies.app.cap", "10s"},
        {"clients.web.calls.timeout", "2s"}, {"services.api.workers", "10"},
        {"services.api.queue.limit", "300"}};
    variant->setting_count = SETTINGS;
    struct storm_setting *settings = take(SETTINGS, sizeof *settings);
    memcpy(settings, rows, sizeof rows);
    settings[0].value = variant->name;
    variant->settings = settings;
    assert(variant->name != NULL);
}

struct storm_results *sample_results(const enum sample_shape *shapes, const char *const *names,
                                     uint32_t count) {
    struct storm_results *results = take(1, sizeof *results);
    assert(count > 0 && shapes != NULL && names != NULL);
    *results = (struct storm_results){.title = "Three hundred clients reconnect at once",
                                      .question = "Does the service recover?",
                                      .file = "reconnect-herd.yaml",
                                      .hash = "3f2a91c04be7d815",
                                      .seed = 7,
                                      .runs = RUNS,
                                      .complete = true,
                                      .duration = BINS * STORM_SECOND,
                                      .bin_width = STORM_SECOND,
                                      .bin_count = BINS,
                                      .variant_count = count};
    results->variants = take(count, sizeof(struct storm_variant));
    for (uint32_t i = 0; i < count; i++) {
        struct storm_variant *variant = &results->variants[i];
        variant->name = names[i];
        variant->runs_done = RUNS;
        variant->series_count = SERIES;
        variant->series = take(SERIES, sizeof(struct storm_series));
        fill_series(variant->series, shapes[i], i);
        variant->metric_count = METRICS;
        variant->metrics = take(METRICS, sizeof(struct storm_metric));
        fill_verdicts(variant, shapes[i]);
        fill_metrics(variant);
        fill_settings(variant);
        variant->span_count = 1;
        variant->spans = take(1, sizeof(struct storm_span));
        variant->spans[0] = (struct storm_span){"outage", "api", FAULT * STORM_SECOND,
                                                REPAIR * STORM_SECOND, STORM_SPAN_FAULT};
        variant->ghost_run = UINT32_MAX;
        if (shapes[i] != SAMPLE_MIXED)
            continue;
        variant->ghost_run = 42; /* the first that stays stuck */
        variant->ghost_series_count = SERIES;
        variant->ghost_series = take(SERIES, sizeof(struct storm_series));
        fill_series(variant->ghost_series, SAMPLE_STUCK, i);
    }
    return results;
}

struct storm_results *sample_results_usual(void) {
    static const enum sample_shape shapes[] = {SAMPLE_RECOVERS, SAMPLE_STUCK, SAMPLE_MIXED,
                                               SAMPLE_AT_ONCE};
    static const char *const names[] = {"fixed", "exponential", "full-jitter", "retry-budget"};
    return sample_results(shapes, names, 4);
}

/* One item more at the end of an array. */
static void *extend(void *items, uint32_t *count, size_t size) {
    char *moved = realloc(items, (*count + 1) * size);
    assert(moved != NULL);
    memset(moved + *count * size, 0, size);
    ++*count;
    return moved;
}

double *sample_add_series(struct storm_variant *variant, const char *subject, const char *name) {
    variant->series = extend(variant->series, &variant->series_count, sizeof *variant->series);
    struct storm_series *series = &variant->series[variant->series_count - 1];
    *series = (struct storm_series){subject, name, take(BINS, sizeof(double))};
    return series->values;
}

void sample_add_action(struct storm_variant *variant, const char *label, const char *subject,
                       storm_time from, storm_time to) {
    variant->spans = extend(variant->spans, &variant->span_count, sizeof *variant->spans);
    variant->spans[variant->span_count - 1] =
        (struct storm_span){label, subject, from, to, STORM_SPAN_ACTION};
}

void sample_add_alarm(struct storm_variant *variant, const char *queue, const char *rule,
                      storm_time first_letter, storm_time raised) {
    variant->alarms = extend(variant->alarms, &variant->alarm_count, sizeof *variant->alarms);
    variant->alarms[variant->alarm_count - 1] =
        (struct storm_alarm){queue, rule, first_letter, raised};
}

static void free_series(struct storm_series *series, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        free(series[i].values);
    free(series);
}

void sample_results_free(struct storm_results *results) {
    assert(results != NULL);
    for (uint32_t i = 0; i < results->variant_count; i++) {
        struct storm_variant *variant = &results->variants[i];
        free_series(variant->series, variant->series_count);
        free_series(variant->ghost_series, variant->ghost_series_count);
        for (uint32_t j = 0; j < variant->metric_count; j++)
            free(variant->metrics[j].per_run);
        free(variant->metrics);
        free(variant->verdict_per_run);
        free(variant->spans);
        free(variant->alarms);
        free((void *)(uintptr_t)variant->settings); /* const to its readers only */
    }
    free(results->variants);
    free(results);
}

double *sample_series(const struct storm_variant *variant, const char *name) {
    assert(variant != NULL && name != NULL);
    for (uint32_t i = 0; i < variant->series_count; i++)
        if (strcmp(variant->series[i].name, name) == 0)
            return variant->series[i].values;
    return NULL;
}

struct storm_metric *sample_metric(const struct storm_variant *variant, const char *name) {
    assert(variant != NULL && name != NULL);
    for (uint32_t i = 0; i < variant->metric_count; i++)
        if (strcmp(variant->metrics[i].name, name) == 0)
            return &variant->metrics[i];
    return NULL;
}
