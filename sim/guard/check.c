/* check.c: the rows of a check: the runs of a scenario beside its bounds and its baseline. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "guard/check.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "analysis/comparison.h"
#include "base/arena.h"
#include "guard/bounds.h"

/* Rows being written. */
struct page {
    struct storm_check_scenario *scenario;
    const struct tolerances *tolerances;
    struct arena *arena;
    uint32_t room;
};

/* A row at the end; NULL at the arena's limit. */
static struct storm_check_row *add_row(struct page *page) {
    struct storm_check_scenario *scenario = page->scenario;
    if (scenario->row_count == page->room) {
        uint32_t room = page->room > 0 ? 2 * page->room : 64;
        struct storm_check_row *grown =
            arena_grow_array(page->arena, scenario->rows, scenario->row_count, room, sizeof *grown);
        if (grown == NULL) {
            return NULL;
        }
        scenario->rows = grown;
        page->room = room;
    }
    struct storm_check_row *row = &scenario->rows[scenario->row_count++];
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

/* ---- bounds ---------------------------------------------------------------------------------- */

static bool add_bounds(struct page *page, const struct storm_scenario *scenario,
                       const struct storm_variant *runs) {
    for (uint32_t i = 0; i < scenario->expect_count; i++) {
        if (bound_concerns(&scenario->expects[i], runs)) {
            struct storm_check_row *row = add_row(page);
            if (row == NULL || !bound_judge(&scenario->expects[i], runs, page->arena, row)) {
                return false;
            }
        }
    }
    return true;
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
static bool add_lonely(struct page *page, enum storm_finding finding, const char *variant,
                       const struct storm_metric *old, const struct storm_metric *now) {
    const struct storm_metric *known = old != NULL ? old : now;
    struct storm_check_row *row = add_row(page);
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

static bool is_compared(const struct storm_comparison *comparison, const char *metric) {
    for (uint32_t i = 0; i < comparison->difference_count; i++) {
        if (strcmp(comparison->differences[i].metric, metric) == 0) {
            return true;
        }
    }
    return false;
}

static bool add_rest(struct page *page, const struct storm_comparison *comparison,
                     const struct storm_variant *old, const struct storm_variant *now) {
    for (uint32_t i = 0; i < old->metric_count; i++) {
        const struct storm_metric *before = &old->metrics[i];
        const struct storm_metric *after = storm_variant_metric(now, before->name);
        bool is_number = after != NULL && after->applies > 0, was_number = before->applies > 0;
        enum storm_finding finding = after == NULL || (was_number && !is_number)
                                         ? STORM_FINDING_GONE
                                     : !was_number ? STORM_FINDING_NEW
                                                   : STORM_FINDING_INCONCLUSIVE;
        bool is_told =
            is_compared(comparison, before->name) || (after != NULL && !was_number && !is_number);
        if (!is_told && !add_lonely(page, finding, now->name, before, after)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < now->metric_count; i++) {
        if (storm_variant_metric(old, now->metrics[i].name) == NULL &&
            !add_lonely(page, STORM_FINDING_NEW, now->name, NULL, &now->metrics[i])) {
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

static bool add_differences(struct page *page, const struct baseline_variant *old,
                            const struct baseline_variant *made) {
    double usual = page->tolerances->usual;
    struct storm_comparison comparison = {.difference_count = 0};
    if (!comparison_of(&old->runs, &made->runs, usual, page->arena, &comparison)) {
        return false;
    }
    for (uint32_t i = 0; i < comparison.difference_count; i++) {
        struct storm_difference *difference = &comparison.differences[i];
        double own = tolerance_of(made, difference->metric);
        struct storm_check_row *row = add_row(page);
        if (row == NULL) {
            return false;
        }
        if (!isnan(own)) {
            bool is_share = strcmp(difference->unit, "share") == 0;
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
    return add_rest(page, &comparison, &old->runs, &made->runs);
}

/* Counts the runs that are not, fact by fact, the old ones; the first of them, by its number, is
   where the scenario diverges. */
static void find_divergence(struct storm_check_scenario *scenario,
                            const struct baseline_variant *old,
                            const struct baseline_variant *made) {
    uint32_t runs =
        old->runs.runs_done < made->runs.runs_done ? old->runs.runs_done : made->runs.runs_done;
    struct storm_divergence *first = &scenario->divergence;
    for (uint32_t run = 0; run < runs; run++) {
        if (old->tracks[run].digest == made->tracks[run].digest) {
            continue;
        }
        scenario->differing_runs++;
        if (first->variant == NULL || run < first->run) {
            first->variant = made->runs.name;
            first->run = run;
            track_part(&old->tracks[run], &made->tracks[run], &first->from, &first->to);
        }
    }
}

static bool add_baseline(struct page *page, const struct baseline_scenario *old,
                         struct baseline_scenario *made) {
    for (uint32_t v = 0; v < made->variant_count; v++) {
        struct baseline_variant *now = &made->variants[v];
        const struct baseline_variant *before = baseline_variant(old, now->runs.name);
        if (before == NULL) {
            if (!add_lonely(page, STORM_FINDING_NEW, now->runs.name, NULL, NULL)) {
                return false;
            }
            continue;
        }
        if (!add_differences(page, before, now)) {
            return false;
        }
        find_divergence(page->scenario, before, now);
    }
    for (uint32_t v = 0; v < old->variant_count; v++) {
        const char *name = old->variants[v].runs.name;
        if (baseline_variant(made, name) == NULL &&
            !add_lonely(page, STORM_FINDING_GONE, name, NULL, NULL)) {
            return false;
        }
    }
    return true;
}

/* ---- order ----------------------------------------------------------------------------------- */

/* How many tolerances a row is off; bounds and the share that recovers come before other numbers. */
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
static void sort_rows(struct storm_check_scenario *scenario) {
    for (uint32_t i = 1; i < scenario->row_count; i++) {
        struct storm_check_row row = scenario->rows[i];
        uint32_t at = i;
        for (; at > 0 && is_before(&row, &scenario->rows[at - 1]); at--) {
            scenario->rows[at] = scenario->rows[at - 1];
        }
        scenario->rows[at] = row;
    }
}

bool check_judge(const struct subject *subject, struct baseline_scenario *made,
                 const struct baseline_scenario *old, const struct tolerances *tolerances,
                 struct arena *arena, struct storm_check_scenario *scenario) {
    struct page page = {scenario, tolerances, arena, 0};
    assert(old == NULL || old->seed == made->seed);
    *scenario = (struct storm_check_scenario){.file = subject->file,
                                              .name = subject->name,
                                              .is_bare = subject->is_bare,
                                              .seed = made->seed,
                                              .runs = made->runs,
                                              .variant_count = made->variant_count,
                                              .is_changed = old != NULL && old->hash != made->hash,
                                              .state = old != NULL ? STORM_BASELINE_FOUND
                                                                   : STORM_BASELINE_UNASKED};
    for (uint32_t v = 0; v < made->variant_count; v++) {
        struct baseline_variant *now = &made->variants[v];
        tolerances_keep(tolerances, old != NULL ? baseline_variant(old, now->runs.name) : NULL,
                        now);
    }
    for (uint32_t v = 0; v < subject->variant_count; v++) {
        const struct baseline_variant *runs = baseline_variant(made, subject->variants[v].name);
        if (!add_bounds(&page, subject->variants[v].scenario, &runs->runs)) {
            return false;
        }
    }
    if (old != NULL && !add_baseline(&page, old, made)) {
        return false;
    }
    sort_rows(scenario);
    for (uint32_t i = 0; i < scenario->row_count; i++) {
        scenario->counts[scenario->rows[i].finding]++;
    }
    return true;
}

/* The worst that a scenario has; one that is gone, or not in the baseline, stands behind those with
   failures. */
static uint32_t worst(const struct storm_check_scenario *scenario) {
    bool is_odd =
        scenario->state == STORM_BASELINE_MISSING || scenario->state == STORM_BASELINE_GONE;
    uint32_t finding = 0;
    while (finding < STORM_FINDING_COUNT && scenario->counts[finding] == 0) {
        finding++;
    }
    return is_odd && finding > STORM_FINDING_INCONCLUSIVE ? STORM_FINDING_INCONCLUSIVE : finding;
}

static void sort_scenarios(struct storm_check *check) {
    for (uint32_t i = 1; i < check->scenario_count; i++) {
        struct storm_check_scenario scenario = check->scenarios[i];
        uint32_t at = i;
        for (; at > 0 && worst(&scenario) < worst(&check->scenarios[at - 1]); at--) {
            check->scenarios[at] = check->scenarios[at - 1];
        }
        check->scenarios[at] = scenario;
    }
}

void check_conclude(struct storm_check *check, enum check_doubt doubt) {
    bool is_missing = false;
    sort_scenarios(check);
    for (uint32_t i = 0; i < check->scenario_count; i++) {
        is_missing = is_missing || check->scenarios[i].state == STORM_BASELINE_MISSING;
        for (uint32_t finding = 0; finding < STORM_FINDING_COUNT; finding++) {
            check->counts[finding] += check->scenarios[i].counts[finding];
        }
    }
    bool is_free = check->is_updated; /* what differs from the old baseline was wanted */
    bool is_worse = !is_free && check->counts[STORM_FINDING_WORSE] > 0;
    bool is_doubtful = !is_free && check->counts[STORM_FINDING_INCONCLUSIVE] > 0;
    bool fails = check->counts[STORM_FINDING_CROSSED] > 0 || is_worse ||
                 (is_doubtful && doubt == CHECK_DOUBT_FAIL);
    check->answer = fails                                     ? STORM_CHECK_NO
                    : is_missing && !is_free                  ? STORM_CHECK_NO_BASELINE
                    : is_doubtful && doubt == CHECK_DOUBT_SAY ? STORM_CHECK_INCONCLUSIVE
                                                              : STORM_CHECK_YES;
}
