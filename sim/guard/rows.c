/* rows.c: rows of a check, and how runs differ from others. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "guard/rows.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include <retrystorm/results.h>
#include <retrystorm/scenario.h>

#include "analysis/comparison.h"
#include "base/arena.h"

/* A row at the end; NULL at the arena's limit. */
struct storm_check_row *rows_add(struct rows *rows) {
    if (rows->count == rows->room) {
        uint32_t room = rows->room > 0 ? 2 * rows->room : 64;
        struct storm_check_row *grown =
            arena_grow_array(rows->arena, rows->list, rows->count, room, sizeof *grown);
        if (grown == NULL) {
            return NULL;
        }
        rows->list = grown;
        rows->room = room;
    }
    struct storm_check_row *row = &rows->list[rows->count++];
    *row = (struct storm_check_row){.baseline = (double)NAN,
                                    .now = (double)NAN,
                                    .at_least = (double)NAN,
                                    .at_most = (double)NAN,
                                    .difference = (double)NAN,
                                    .lo = (double)NAN,
                                    .hi = (double)NAN,
                                    .tolerance = (double)NAN};
    return row;
}

/* ---- the baseline ---------------------------------------------------------------------------- */

static enum storm_finding finding_of(enum storm_change change) {
    switch (change) {
    case STORM_CHANGE_SAME:
        return STORM_FINDING_SAME;
    case STORM_CHANGE_BETTER:
        return STORM_FINDING_BETTER;
    case STORM_CHANGE_WORSE:
        return STORM_FINDING_WORSE;
    case STORM_CHANGE_DIFFERENT:
        return STORM_FINDING_DIFFERENT;
    case STORM_CHANGE_INCONCLUSIVE:
        return STORM_FINDING_INCONCLUSIVE;
    case STORM_CHANGE_COUNT:
        break;
    }
    assert(0 && "no such change");
    return STORM_FINDING_WORSE;
}

/* A metric that is there on one side only, or is a number in no pair of runs. */
bool rows_add_lonely(struct rows *rows, enum storm_finding finding, const char *variant,
                     const struct storm_metric *old, const struct storm_metric *now) {
    const struct storm_metric *known = old != NULL ? old : now;
    struct storm_check_row *row = rows_add(rows);
    if (row == NULL) {
        return false;
    }
    row->finding = finding;
    row->variant = variant;
    row->metric = known != NULL ? known->name : NULL;
    row->unit = known != NULL ? known->unit : "";
    row->baseline = old != NULL ? old->median : (double)NAN;
    row->now = now != NULL ? now->median : (double)NAN;
    return true;
}

static bool add_rest(struct rows *rows, const struct storm_comparison *comparison,
                     const struct storm_variant *old, const struct storm_variant *now) {
    for (uint32_t i = 0; i < old->metric_count; i++) {
        const struct storm_metric *before = &old->metrics[i];
        const struct storm_metric *after = storm_variant_metric(now, before->name);
        bool is_number = after != NULL && after->applies > 0, was_number = before->applies > 0;
        enum storm_finding finding = after == NULL || (was_number && !is_number)
                                         ? STORM_FINDING_GONE
                                     : !was_number ? STORM_FINDING_NEW
                                                   : STORM_FINDING_INCONCLUSIVE;
        bool is_told = storm_comparison_difference(comparison, before->name) != NULL ||
                       (after != NULL && !was_number && !is_number);
        if (!is_told && !rows_add_lonely(rows, finding, now->name, before, after)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < now->metric_count; i++) {
        if (storm_variant_metric(old, now->metrics[i].name) == NULL &&
            !rows_add_lonely(rows, STORM_FINDING_NEW, now->name, NULL, &now->metrics[i])) {
            return false;
        }
    }
    return true;
}

/* The tolerance of a metric by which a variant is judged; NaN: the usual one. */
static double tolerance_of(const struct baseline_variant *made, const char *metric) {
    for (uint32_t i = 0; i < made->runs.metric_count; i++) {
        if (strcmp(made->runs.metrics[i].name, metric) == 0) {
            return made->tolerances[i];
        }
    }
    return made->tolerance; /* of "recovers" */
}

bool rows_add_differences(struct rows *rows, const struct baseline_variant *old,
                          const struct baseline_variant *made) {
    double usual = rows->usual;
    struct storm_comparison comparison = {.difference_count = 0};
    if (!comparison_of(&old->runs, &made->runs, usual, rows->arena, &comparison)) {
        return false;
    }
    for (uint32_t i = 0; i < comparison.difference_count; i++) {
        struct storm_difference *difference = &comparison.differences[i];
        double own = tolerance_of(made, difference->metric);
        struct storm_check_row *row = rows_add(rows);
        if (row == NULL) {
            return false;
        }
        if (!isnan(own)) {
            bool is_share = storm_unit_is_share(difference->unit);
            difference->tolerance = is_share ? own : own * fabs(difference->reference);
            comparison_judge(difference);
        }
        row->finding = finding_of(difference->change);
        row->variant = made->runs.name;
        row->metric = difference->metric;
        row->unit = difference->unit;
        row->baseline = difference->reference;
        row->now = difference->other;
        row->difference = difference->difference;
        row->lo = difference->lo;
        row->hi = difference->hi;
        row->tolerance = difference->tolerance;
    }
    return add_rest(rows, &comparison, &old->runs, &made->runs);
}

/* ---- order ----------------------------------------------------------------------------------- */

/* How many tolerances a row is off; bounds and the share that recovers come before other
   numbers. */
static double weight(const struct storm_check_row *row) {
    bool is_first =
        row->is_bound || row->metric == NULL || strcmp(row->metric, STORM_EXPECT_RECOVERS) == 0;
    double size = fabs(row->difference) / row->tolerance;
    return is_first ? HUGE_VAL : isnan(size) ? 0 : size;
}

static bool is_before(const struct storm_check_row *a, const struct storm_check_row *b) {
    return a->finding < b->finding || (a->finding == b->finding && weight(a) > weight(b));
}

/* Rows that weigh the same stay in their order. */
void rows_sort(const struct rows *rows) {
    for (uint32_t i = 1; i < rows->count; i++) {
        struct storm_check_row row = rows->list[i];
        uint32_t at = i;
        for (; at > 0 && is_before(&row, &rows->list[at - 1]); at--) {
            rows->list[at] = rows->list[at - 1];
        }
        rows->list[at] = row;
    }
}
