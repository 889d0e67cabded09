/* bounds.c: whether runs keep what their scenario expects of them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "guard/bounds.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/criterion.h"
#include "analysis/measure.h"
#include "base/arena.h"

static bool is_of(const struct storm_expect *expect, const char *variant) {
    return expect->variant[0] == '\0' || strcmp(expect->variant, variant) == 0;
}

bool bound_concerns(const struct storm_expect *expect, const struct storm_variant *variant) {
    struct measure measure;
    struct storm_error error;
    return is_of(expect, variant->name) && measure_find(variant, expect->metric, &measure, &error);
}

/* Whether its bounds are numbers of the kind that is measured. */
static bool fits(const struct storm_expect *expect, const struct measure *measure,
                 struct storm_error *error) {
    struct criterion least = {.bound = expect->at_least, .unit = expect->at_least_unit};
    struct criterion most = {.bound = expect->at_most, .unit = expect->at_most_unit};
    snprintf(least.name, sizeof least.name, "%.100s", expect->metric);
    snprintf(most.name, sizeof most.name, "%.100s", expect->metric);
    return (isnan(least.bound) || criterion_fits(&least, measure, error)) &&
           (isnan(most.bound) || criterion_fits(&most, measure, error));
}

/* Whether one of the variants that it is of has its metric, and bounds that fit it. The error is
   the most helpful one. */
static bool is_known(const struct storm_expect *expect, const struct subject *subject,
                     struct storm_error *error) {
    for (uint32_t v = 0; v < subject->variant_count; v++) {
        struct measure measure;
        struct storm_error own;
        if (!is_of(expect, subject->variants[v].name)) {
            continue;
        }
        if (measure_find(&subject->variants[v].blank, expect->metric, &measure, &own)) {
            return fits(expect, &measure, error);
        }
        if (error->status == STORM_OK || error->suggestion[0] == '\0') {
            *error = own;
        }
    }
    return false;
}

/* Variants share most expectations: each is blamed once. */
static void blame(const struct storm_expect *expect, struct storm_error *error,
                  struct storm_errors *errors) {
    for (int i = 0; i < errors->count && i < STORM_ERRORS_MAX; i++) {
        if (errors->list[i].line == expect->line) {
            return;
        }
    }
    error->status = STORM_INVALID; /* of the file, not of the command line */
    error->line = expect->line;
    error->column = expect->column;
    error->width = 1;
    snprintf(error->path, sizeof error->path, "expect");
    storm_errors_add(errors, error);
}

bool bounds_known(const struct subject *subject, struct storm_errors *errors) {
    int before = errors->count;
    for (uint32_t v = 0; v < subject->variant_count; v++) {
        const struct storm_scenario *scenario = subject->variants[v].scenario;
        for (uint32_t i = 0; i < scenario->expect_count; i++) {
            struct storm_error error = {.status = STORM_OK};
            if (!is_known(&scenario->expects[i], subject, &error)) {
                assert(error.status != STORM_OK); /* its variant is one of the subject's */
                blame(&scenario->expects[i], &error, errors);
            }
        }
    }
    return errors->count == before;
}

static enum storm_finding judge(const struct storm_expect *expect, double value) {
    if (!(value < expect->at_least) && !(value > expect->at_most) && !isnan(value)) {
        return STORM_FINDING_KEPT;
    }
    return expect->severity == STORM_SEVERITY_WARN ? STORM_FINDING_WARNED : STORM_FINDING_CROSSED;
}

bool bound_judge(const struct storm_expect *expect, const struct storm_variant *variant,
                 struct arena *arena, struct storm_check_row *row) {
    const char *word = storm_statistic_word(expect->statistic);
    struct statistic statistic = {.kind = STATISTIC_USUAL};
    struct measure measure;
    struct storm_error error;
    double *values = arena_take_array(arena, variant->runs_done, sizeof *values);
    bool known = measure_find(variant, expect->metric, &measure, &error);
    assert(known);
    if (values == NULL) {
        return false;
    }
    if (expect->statistic != STORM_STATISTIC_MEDIAN) { /* of "recovers" that means the share */
        known = statistic_parse(word, strlen(word), &statistic);
        assert(known);
    }
    measure_values(variant, &measure, values);
    *row = (struct storm_check_row){.is_bound = true,
                                    .variant = variant->name,
                                    .metric = expect->metric,
                                    .unit = measure.unit,
                                    .baseline = (double)NAN,
                                    .line = expect->line,
                                    .statistic = word,
                                    .at_least = expect->at_least,
                                    .at_most = expect->at_most};
    for (uint32_t run = 0; run < variant->runs_done; run++) {
        row->numbers += isnan(values[run]) ? 0 : 1;
    }
    row->now = statistic_of(&statistic, &measure, values, variant->runs_done);
    row->finding = judge(expect, row->now);
    return true;
}
