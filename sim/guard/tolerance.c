/* tolerance.c: how much of a change is no news, by metric. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "guard/tolerance.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <retrystorm/scenario.h>
#include <retrystorm/units.h>

#include "analysis/comparison.h"
#include "analysis/measure.h"

struct tolerances tolerances_usual(void) {
    return (struct tolerances){.usual = COMPARISON_TOLERANCE};
}

bool tolerances_add(struct tolerances *tolerances, const char *text, struct storm_error *error) {
    const char *equals = strchr(text, '=');
    const char *share = equals != NULL ? equals + 1 : text;
    size_t length = (size_t)(share - text);
    double value;
    if (storm_unit_parse(share, STORM_UNIT_SHARE, &value, NULL, 0) != NULL || value < 0 ||
        equals == text || length > TOLERANCE_NAME_MAX) {
        return storm_fail(error, STORM_USAGE,
                          "--tolerance must be a share, such as 2%%, or METRIC=5%%, not '%.80s'",
                          text);
    }
    if (equals == NULL) {
        tolerances->usual = value;
        return true;
    }
    if (tolerances->count == TOLERANCES_MAX) {
        return storm_fail(error, STORM_USAGE, "--tolerance was given more than %d times",
                          TOLERANCES_MAX);
    }
    struct tolerance *added = &tolerances->list[tolerances->count++];
    *added = (struct tolerance){.share = value};
    memcpy(added->metric, text, length - 1);
    return true;
}

void tolerances_meet(struct tolerances *tolerances, const struct storm_variant *variant) {
    for (uint32_t i = 0; i < tolerances->count; i++) {
        struct tolerance *tolerance = &tolerances->list[i];
        struct measure measure;
        struct storm_error error = {0};
        if (tolerance->is_met || measure_find(variant, tolerance->metric, &measure, &error)) {
            tolerance->is_met = true;
        } else {
            snprintf(tolerance->meant, sizeof tolerance->meant, "%s", error.suggestion);
        }
    }
}

bool tolerances_all_met(const struct tolerances *tolerances, struct storm_error *error) {
    for (uint32_t i = 0; i < tolerances->count; i++) {
        if (!tolerances->list[i].is_met) {
            storm_fail(error, STORM_INVALID, "--tolerance: nothing has a metric '%s'",
                       tolerances->list[i].metric);
            snprintf(error->suggestion, sizeof error->suggestion, "%s", tolerances->list[i].meant);
            return false;
        }
    }
    return true;
}

/* Whether a tolerance is about a metric: by its name, or by its name without the place. */
static bool is_about(const struct tolerance *tolerance, const char *metric) {
    size_t length = strlen(tolerance->metric);
    return strncmp(tolerance->metric, metric, length) == 0 &&
           (metric[length] == '\0' || metric[length] == '.');
}

/* The last one that was asked for; `fallback` when none was. */
static double asked_for(const struct tolerances *tolerances, const char *metric, double fallback) {
    for (uint32_t i = 0; i < tolerances->count; i++) {
        if (is_about(&tolerances->list[i], metric)) {
            fallback = tolerances->list[i].share;
        }
    }
    return fallback;
}

static double of_baseline(const struct baseline_variant *old, const char *metric) {
    for (uint32_t i = 0; old != NULL && i < old->runs.metric_count; i++) {
        if (strcmp(old->runs.metrics[i].name, metric) == 0) {
            return old->tolerances[i];
        }
    }
    return (double)NAN;
}

void tolerances_keep(const struct tolerances *tolerances, const struct baseline_variant *old,
                     struct baseline_variant *made) {
    double before = old != NULL ? old->tolerance : (double)NAN;
    made->tolerance = asked_for(tolerances, STORM_EXPECT_RECOVERS, before);
    for (uint32_t i = 0; i < made->runs.metric_count; i++) {
        const char *name = made->runs.metrics[i].name;
        made->tolerances[i] = asked_for(tolerances, name, of_baseline(old, name));
    }
}
