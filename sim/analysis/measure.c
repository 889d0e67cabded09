/* measure.c: one number of every run, found by a name that people use, and statistics of it. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/measure.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <retrystorm/scenario.h>
#include <retrystorm/units.h>

#include "base/doubles.h"
#include "base/mathx.h"
#include "base/suggest.h"

enum { WORD_MAX = 128, NUMBER_MAX = 32 };

/* ---- names ----------------------------------------------------------------------------------- */

/* How long a metric's name is without its place. */
static size_t base_length(const char *name) { return strcspn(name, "."); }

/* Whether `name` stands for the metric: by its whole name, or by the name without the place. */
static bool stands_for(const char *name, const struct storm_metric *metric) {
    size_t length = strlen(name);
    return strcmp(name, metric->name) == 0 ||
           (length == base_length(metric->name) && strncmp(name, metric->name, length) == 0);
}

static void suggest_names(const struct storm_variant *variant, const char *name,
                          struct storm_error *error) {
    char base[WORD_MAX] = "";
    struct suggest whole = suggest_begin(name), cut = suggest_begin(name);
    suggest_offer(&whole, STORM_EXPECT_RECOVERS);
    for (uint32_t i = 0; i < variant->metric_count; i++) {
        suggest_offer(&whole, variant->metrics[i].name);
    }
    /* A name without its place is ours only until the next one: it is kept when it is near. */
    for (uint32_t i = 0; cut.best == NULL && i < variant->metric_count; i++) {
        const char *metric = variant->metrics[i].name;
        snprintf(base, sizeof base, "%.*s", (int)base_length(metric), metric);
        suggest_offer(&cut, base);
    }
    suggest_hint(whole.best == NULL && cut.best != NULL ? &cut : &whole, error->suggestion,
                 sizeof error->suggestion);
}

struct measure measure_of_recovery(void) {
    return (struct measure){STORM_EXPECT_RECOVERS, "share", STORM_BETTER_HIGHER, true};
}

bool measure_find(const struct storm_variant *variant, const char *name, struct measure *measure,
                  struct storm_error *error) {
    assert(variant != NULL && name != NULL);
    if (strcmp(name, STORM_EXPECT_RECOVERS) == 0) {
        *measure = measure_of_recovery();
        return true;
    }
    for (uint32_t i = 0; i < variant->metric_count; i++) {
        const struct storm_metric *metric = &variant->metrics[i];
        if (stands_for(name, metric)) {
            *measure = (struct measure){name, metric->unit, metric->better, false};
            return true;
        }
    }
    storm_fail(error, STORM_INVALID, "there is no metric '%s'", name);
    suggest_names(variant, name, error);
    return false;
}

/* ---- values ---------------------------------------------------------------------------------- */

static double recovery_of(enum storm_verdict verdict) {
    if (verdict == STORM_VERDICT_NOT_APPLICABLE || verdict == STORM_VERDICT_TOO_SHORT) {
        return (double)NAN;
    }
    return storm_verdict_is_good(verdict) ? 1 : 0;
}

/* A run that never comes back takes for ever, and one that was never harmed no time. */
static double time_of(double value, enum storm_verdict verdict) {
    if (verdict == STORM_VERDICT_UNHARMED) {
        return 0;
    }
    bool away = verdict == STORM_VERDICT_DEGRADED || verdict == STORM_VERDICT_STUCK;
    return away ? (double)INFINITY : value;
}

static double worse_of(double a, double b, enum storm_better better) {
    if (isnan(a) || isnan(b)) {
        return isnan(a) ? b : a;
    }
    return (better == STORM_BETTER_HIGHER) == (a < b) ? a : b;
}

/* An exact name beats the places of a metric of that name: "dead_letters" is all of them. */
static bool is_exact(const struct storm_variant *variant, const char *name) {
    return storm_variant_metric(variant, name) != NULL;
}

void measure_values(const struct storm_variant *variant, const struct measure *measure,
                    double *values) {
    bool exact = is_exact(variant, measure->name);
    bool is_time = strcmp(measure->name, "time_to_recover") == 0;
    for (uint32_t run = 0; run < variant->runs_done; run++) {
        enum storm_verdict verdict = variant->verdict_per_run[run];
        double value = measure->is_share_of_runs ? recovery_of(verdict) : (double)NAN;
        for (uint32_t i = 0; !measure->is_share_of_runs && i < variant->metric_count; i++) {
            const struct storm_metric *metric = &variant->metrics[i];
            if (exact ? strcmp(measure->name, metric->name) == 0
                      : stands_for(measure->name, metric)) {
                value = worse_of(value, metric->per_run[run], measure->better);
            }
        }
        values[run] = is_time ? time_of(value, verdict) : value;
    }
}

/* ---- statistics ------------------------------------------------------------------------------ */

/* Words of statistics that are no percentile. */
static const struct {
    const char *word;
    struct statistic statistic;
} statistic_words[] = {
    {"median", {STATISTIC_QUANTILE, 0.5}},
    {"mean", {STATISTIC_MEAN, 0}},
    {"min", {STATISTIC_QUANTILE, 0}},
    {"max", {STATISTIC_QUANTILE, 1}},
};

bool statistic_parse(const char *word, size_t length, struct statistic *statistic) {
    char percent[NUMBER_MAX];
    assert(word != NULL && statistic != NULL);
    for (size_t i = 0; i < sizeof statistic_words / sizeof statistic_words[0]; i++) {
        if (strlen(statistic_words[i].word) == length &&
            strncmp(statistic_words[i].word, word, length) == 0) {
            *statistic = statistic_words[i].statistic;
            return true;
        }
    }
    if (length < 2 || length > sizeof percent - 2 || word[0] != 'p') {
        return false;
    }
    snprintf(percent, sizeof percent, "%.*s%%", (int)length - 1, word + 1);
    *statistic = (struct statistic){.kind = STATISTIC_QUANTILE};
    return storm_unit_parse(percent, STORM_UNIT_SHARE, &statistic->quantile, NULL, 0) == NULL &&
           statistic->quantile <= 1;
}

const char *statistic_print(const struct statistic *statistic, char *buffer, size_t size) {
    char number[NUMBER_MAX];
    assert(buffer != NULL && size > 0);
    buffer[0] = '\0';
    if (statistic->kind == STATISTIC_USUAL) {
        return buffer;
    }
    for (size_t i = 0; i < sizeof statistic_words / sizeof statistic_words[0]; i++) {
        const struct statistic *known = &statistic_words[i].statistic;
        bool same =
            statistic->quantile >= known->quantile && statistic->quantile <= known->quantile;
        if (known->kind == statistic->kind && (known->kind == STATISTIC_MEAN || same)) {
            snprintf(buffer, size, "%s", statistic_words[i].word);
            return buffer;
        }
    }
    double percent = mathx_settle(statistic->quantile * 100);
    snprintf(buffer, size, "p%s", storm_double_print(percent, number, sizeof number));
    return buffer;
}

static double mean_of(const double *values, uint32_t count) {
    double sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        sum += values[i];
    }
    return sum / count;
}

static double quantile_of(double quantile, const double *sorted, uint32_t count) {
    assert(quantile >= 0 && quantile <= 1);
    if (quantile >= 0.5 && quantile <= 0.5) {
        return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
    }
    /* The product's last bits may be spoilt: 0.95 of 20 is the 19th. */
    double rank = ceil(mathx_settle(quantile * count));
    return sorted[rank < 1 ? 0 : (uint32_t)rank - 1];
}

double statistic_of(const struct statistic *statistic, const struct measure *measure,
                    double *values, uint32_t count) {
    count = doubles_drop_holes(values, count);
    if (count == 0) {
        return (double)NAN;
    }
    /* Sums run in run order, so that they do not depend on which runs lie where once sorted. */
    double mean = mean_of(values, count);
    doubles_sort(values, count);
    bool usual = statistic->kind == STATISTIC_USUAL;
    if (statistic->kind == STATISTIC_MEAN || (usual && measure->is_share_of_runs)) {
        return mean;
    }
    return quantile_of(usual ? 0.5 : statistic->quantile, values, count);
}
