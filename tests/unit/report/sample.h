/* sample.h: small results that use every field, for the tests of the reports. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef UNIT_REPORT_SAMPLE_H
#define UNIT_REPORT_SAMPLE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <retrystorm/results.h>

enum { SAMPLE_RUNS = 4, SAMPLE_BINS = 3, SAMPLE_VARIANTS = 3, SAMPLE_METRICS = 5 };

/* Everything that the results point to. Copy nothing: they point into the struct itself. */
struct sample {
    struct storm_results results;
    struct storm_variant variants[SAMPLE_VARIANTS];
    struct storm_metric metrics[SAMPLE_VARIANTS][SAMPLE_METRICS];
    double per_run[SAMPLE_VARIANTS][SAMPLE_METRICS][SAMPLE_RUNS];
    uint8_t verdicts[SAMPLE_VARIANTS][SAMPLE_RUNS];
    struct storm_series series[SAMPLE_VARIANTS][2];
    struct storm_series ghosts[2];
    double values[2][SAMPLE_BINS];
    struct storm_span spans[3];
    struct storm_alarm alarms[2];
    struct storm_setting settings[SAMPLE_VARIANTS][5];
    struct storm_difference differences[3][SAMPLE_METRICS];
    struct storm_comparison comparisons[3];
};

static inline void sample_fill_metrics(struct sample *sample) {
    static const struct storm_metric rows[SAMPLE_METRICS] = {
        {.name = "knock_downs",
         .unit = "crashes",
         .help = "of any service",
         .better = STORM_BETTER_LOWER,
         .applies = 4},
        {.name = "dead_letters", .unit = "requests", .better = STORM_BETTER_LOWER, .applies = 4},
        {.name = "success_share", .unit = "share", .better = STORM_BETTER_HIGHER, .applies = 4},
        {.name = "amplification.api", .unit = "attempts/request", .applies = 4},
        {.name = "time_to_recover", .unit = "s", .bimodal = true, .applies = 2},
    };
    static const double means[SAMPLE_VARIANTS][SAMPLE_METRICS] = {
        {15.0, 9420.4, 0.5, 6.25, (double)NAN},
        {0.0, 231.5, 0.98765, 1.1, 12.5},
        {4.0, 12.25, 1.0 / 3.0, 2.0, 14.0}};
    for (int v = 0; v < SAMPLE_VARIANTS; v++) {
        memcpy(sample->metrics[v], rows, sizeof rows);
        for (int m = 0; m < SAMPLE_METRICS; m++) {
            struct storm_metric *metric = &sample->metrics[v][m];
            double mean = means[v][m];
            metric->per_run = sample->per_run[v][m];
            for (int run = 0; run < SAMPLE_RUNS; run++)
                metric->per_run[run] = mean + (run - 1) * (m == 1 ? 40.1 : 0.0);
            metric->mean = m == 4 ? 3.0 * mean : mean; /* bimodal: far from the median */
            metric->median = m == 1 ? mean + 100.0 : mean;
            metric->lo = metric->min = mean - (m == 1 || m == 4 ? 0.25 * mean : 0.0);
            metric->hi = metric->max = mean + (m == 1 || m == 4 ? 0.25 * mean : 0.0);
            metric->applies = isnan(mean) ? 0 : metric->applies;
        }
    }
}

static inline void sample_fill_variant(struct sample *sample, int v) {
    static const char *const names[] = {"no-backoff", "full-jitter", "exp, \"plain\""};
    static const char *const delays[] = {"no-backoff", "full-jitter", "exponential"};
    static const uint8_t ends[SAMPLE_VARIANTS][SAMPLE_RUNS] = {
        {STORM_VERDICT_STUCK, STORM_VERDICT_STUCK, STORM_VERDICT_STUCK, STORM_VERDICT_STUCK},
        {STORM_VERDICT_RECOVERED, STORM_VERDICT_RECOVERED, STORM_VERDICT_UNHARMED,
         STORM_VERDICT_RECOVERED},
        {STORM_VERDICT_STUCK, STORM_VERDICT_RECOVERED, STORM_VERDICT_STUCK, STORM_VERDICT_STUCK}};
    struct storm_variant *variant = &sample->variants[v];
    memcpy(sample->verdicts[v], ends[v], SAMPLE_RUNS);
    sample->series[v][0] = (struct storm_series){"api", "retries", sample->values[0]};
    sample->series[v][1] = (struct storm_series){"", "born", sample->values[1]};
    sample->settings[v][0] = (struct storm_setting){"policies.app.delay", delays[v]};
    sample->settings[v][1] = (struct storm_setting){"services.api.workers", "40"};
    sample->settings[v][2] = (struct storm_setting){"services.api.queue.limit", "800"};
    sample->settings[v][3] = (struct storm_setting){"services.api.queue.order", "fifo"};
    sample->settings[v][4] = (struct storm_setting){"services.api.on_full", "503"};
    *variant = (struct storm_variant){.name = names[v],
                                      .runs_done = SAMPLE_RUNS,
                                      .verdict_per_run = sample->verdicts[v],
                                      .metric_count = SAMPLE_METRICS,
                                      .metrics = sample->metrics[v],
                                      .series_count = 2,
                                      .series = sample->series[v],
                                      .ghost_run = UINT32_MAX,
                                      .span_count = 3,
                                      .spans = sample->spans,
                                      .alarms = sample->alarms,
                                      .setting_count = 5,
                                      .settings = sample->settings[v],
                                      .digest = UINT64_C(0x00FEDCBA98765432) + (uint64_t)v};
    for (int run = 0; run < SAMPLE_RUNS; run++)
        variant->verdicts[ends[v][run]]++;
}

/* Fills `sample`, which must not move afterwards. */
static inline void sample_init(struct sample *sample) {
    static const double values[2][SAMPLE_BINS] = {{0.0, 0.1, 1e99},
                                                  {(double)NAN, -0.0, 12345678.5}};
    memset(sample, 0, sizeof *sample);
    memcpy(sample->values, values, sizeof values);
    sample->spans[0] = (struct storm_span){"outage", "api", 60 * STORM_SECOND,
                                           80 * STORM_SECOND + 1, STORM_SPAN_FAULT};
    sample->spans[1] = (struct storm_span){"slow 3x", "api", 0, STORM_NEVER, STORM_SPAN_FAULT};
    sample->spans[2] = (struct storm_span){"replay 50/s", "web", 90 * STORM_SECOND,
                                           90 * STORM_SECOND, STORM_SPAN_ACTION};
    sample->alarms[0] =
        (struct storm_alarm){"web.dead", "depth > 0", 63 * STORM_SECOND, 63 * STORM_SECOND};
    sample->alarms[1] =
        (struct storm_alarm){"web.dead", "age > 1h", 63 * STORM_SECOND, 3663 * STORM_SECOND};
    sample_fill_metrics(sample);
    for (int v = 0; v < SAMPLE_VARIANTS; v++)
        sample_fill_variant(sample, v);
    sample->ghosts[0] = (struct storm_series){"api", "retries", sample->values[1]};
    sample->ghosts[1] = (struct storm_series){"", "born", sample->values[0]};
    sample->variants[2].ghost_run = 1;
    sample->variants[2].ghost_series_count = 2;
    sample->variants[2].ghost_series = sample->ghosts;
    sample->results =
        (struct storm_results){.title = "Ten thousand sessions lose their server for 20 s",
                               .question = "Which back-off lets the service come back?",
                               .file = "01-thundering-herd.yaml",
                               .hash = "0123456789abcdef",
                               .overrides = "",
                               .seed = 1,
                               .runs = SAMPLE_RUNS,
                               .complete = true,
                               .duration = 240 * STORM_SECOND,
                               .bin_width = STORM_SECOND / 2,
                               .bin_count = SAMPLE_BINS,
                               .variant_count = SAMPLE_VARIANTS,
                               .variants = sample->variants};
}

/* The first variant against the others, and the others' ranking. */
static inline void sample_compare(struct sample *sample) {
    static const struct storm_difference first[SAMPLE_METRICS] = {
        {"recovers", "share", STORM_BETTER_HIGHER, 0, 1, 1, 0.5, 1, 0.004, 0.01, 4, true,
         STORM_CHANGE_BETTER},
        {"dead_letters", "requests", STORM_BETTER_LOWER, 9420.4, 231.5, -9188.9, -9300, -9000, 0,
         94.204, 4, false, STORM_CHANGE_BETTER},
        {"success_share", "share", STORM_BETTER_HIGHER, 0.5, 0.98765, 0.48765, 0.4, 0.5, 0.001,
         0.01, 4, false, STORM_CHANGE_BETTER},
        {"amplification.api", "attempts/request", STORM_BETTER_LOWER, 6.25, 1.1, -5.15, -5.2, -5.1,
         0, 0.0625, 4, false, STORM_CHANGE_BETTER},
        {"knock_downs", "crashes", STORM_BETTER_LOWER, 15, 0, -15, -15, -15, 0, 0.15, 4, false,
         STORM_CHANGE_BETTER},
    };
    memcpy(sample->differences[0], first, sizeof first);
    memcpy(sample->differences[1], first, sizeof first);
    sample->differences[1][0] = (struct storm_difference){
        "recovers", "share", STORM_BETTER_HIGHER,      0, 0.25, 0.25, -0.3, 0.7, 1, 0.01,
        4,          true,    STORM_CHANGE_INCONCLUSIVE};
    sample->differences[1][1].lo = -(double)INFINITY;
    sample->differences[1][1].hi = (double)INFINITY;
    sample->differences[1][1].change = STORM_CHANGE_INCONCLUSIVE;
    sample->differences[1][2].change = STORM_CHANGE_WORSE;
    sample->differences[1][2].difference = -0.166666;
    sample->differences[1][3].change = STORM_CHANGE_SAME;
    sample->differences[1][3].difference = 0.01;
    sample->differences[2][0] = sample->differences[1][0];
    sample->differences[2][0].reference = 1;
    sample->differences[2][0].difference = -0.75;
    sample->comparisons[0] =
        (struct storm_comparison){0, 1, SAMPLE_METRICS, sample->differences[0]};
    sample->comparisons[1] =
        (struct storm_comparison){0, 2, SAMPLE_METRICS, sample->differences[1]};
    sample->comparisons[2] = (struct storm_comparison){1, 2, 1, sample->differences[2]};
    sample->results.comparison_count = 3;
    sample->results.comparisons = sample->comparisons;
}

/* What a writer of type bool (const struct storm_results *, FILE *) writes, as a string to be
   freed. */
static inline char *sample_written(bool (*write)(const struct storm_results *, FILE *),
                                   const struct storm_results *results) {
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    bool done = stream != NULL && write(results, stream);
    if (stream == NULL || fclose(stream) != 0 || !done)
        abort();
    char *copy = strdup(text);
    free(text);
    return copy;
}

#endif
