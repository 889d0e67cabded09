/* check.c: the rows of a check: the runs of a scenario beside its bounds and its baseline. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "guard/check.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "guard/bounds.h"
#include "guard/rows.h"

/* ---- bounds ---------------------------------------------------------------------------------- */

static bool add_bounds(struct rows *rows, const struct storm_scenario *scenario,
                       const struct storm_variant *runs) {
    for (uint32_t i = 0; i < scenario->expect_count; i++) {
        if (bound_concerns(&scenario->expects[i], runs)) {
            struct storm_check_row *row = rows_add(rows);
            if (row == NULL || !bound_judge(&scenario->expects[i], runs, rows->arena, row)) {
                return false;
            }
        }
    }
    return true;
}

/* ---- the baseline ---------------------------------------------------------------------------- */

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

static bool add_baseline(struct rows *rows, const struct baseline_scenario *old,
                         struct baseline_scenario *made, struct storm_check_scenario *scenario) {
    for (uint32_t v = 0; v < made->variant_count; v++) {
        struct baseline_variant *now = &made->variants[v];
        const struct baseline_variant *before = baseline_variant(old, now->runs.name);
        if (before == NULL) {
            if (!rows_add_lonely(rows, STORM_FINDING_MISSING, now->runs.name, NULL, NULL)) {
                return false;
            }
            continue;
        }
        if (!rows_add_differences(rows, before, now)) {
            return false;
        }
        find_divergence(scenario, before, now);
    }
    for (uint32_t v = 0; v < old->variant_count; v++) {
        const char *name = old->variants[v].runs.name;
        if (baseline_variant(made, name) == NULL &&
            !rows_add_lonely(rows, STORM_FINDING_GONE, name, NULL, NULL)) {
            return false;
        }
    }
    return true;
}

static bool list_variants(const struct baseline_scenario *made, struct arena *arena,
                          struct storm_check_scenario *scenario) {
    const struct storm_variant **list = arena_take_array(arena, made->variant_count, sizeof *list);
    for (uint32_t v = 0; list != NULL && v < made->variant_count; v++) {
        list[v] = &made->variants[v].runs;
    }
    scenario->variant_count = made->variant_count;
    scenario->variants = list;
    return list != NULL;
}

bool check_judge(const struct subject *subject, struct baseline_scenario *made,
                 const struct baseline *baseline, const struct tolerances *tolerances,
                 struct arena *arena, struct storm_check_scenario *scenario) {
    struct rows rows = {.usual = tolerances->usual, .arena = arena};
    const struct baseline_scenario *old =
        baseline != NULL ? baseline_find(baseline, made->name) : NULL;
    old = old != NULL && old->seed == made->seed ? old : NULL;
    *scenario = (struct storm_check_scenario){.file = subject->file,
                                              .name = subject->name,
                                              .is_bare = subject->is_bare,
                                              .seed = made->seed,
                                              .runs = made->runs,
                                              .is_changed = old != NULL && old->hash != made->hash,
                                              .state = baseline == NULL ? STORM_BASELINE_UNASKED
                                                       : old == NULL    ? STORM_BASELINE_MISSING
                                                                        : STORM_BASELINE_FOUND};
    if (!list_variants(made, arena, scenario)) {
        return false;
    }
    for (uint32_t v = 0; v < made->variant_count; v++) {
        struct baseline_variant *now = &made->variants[v];
        tolerances_keep(tolerances, old != NULL ? baseline_variant(old, now->runs.name) : NULL,
                        now);
    }
    for (uint32_t v = 0; v < subject->variant_count; v++) {
        const struct baseline_variant *runs = baseline_variant(made, subject->variants[v].name);
        if (!add_bounds(&rows, subject->variants[v].scenario, &runs->runs)) {
            return false;
        }
    }
    if (old != NULL && !add_baseline(&rows, old, made, scenario)) {
        return false;
    }
    rows_sort(&rows);
    scenario->row_count = rows.count;
    scenario->rows = rows.list;
    for (uint32_t i = 0; i < scenario->row_count; i++) {
        scenario->counts[scenario->rows[i].finding]++;
    }
    return true;
}

void check_find_gone(struct storm_check *check, struct baseline *baseline,
                     const struct subject *subjects, uint32_t count, bool is_replaced) {
    for (uint32_t i = baseline->scenario_count; i > 0; i--) { /* the last first: they may leave */
        const char *name = baseline->scenarios[i - 1].name;
        bool is_there = false;
        for (uint32_t k = 0; k < count; k++) {
            is_there = is_there || strcmp(subjects[k].name, name) == 0;
        }
        if (!is_there) {
            check->scenarios[check->scenario_count++] = (struct storm_check_scenario){
                .file = name, .name = name, .state = STORM_BASELINE_GONE};
        }
        if (!is_there && is_replaced) {
            baseline_drop(baseline, name);
        }
    }
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

void check_conclude(struct storm_check *check) {
    bool is_missing = false, fails = false, doubts = false;
    sort_scenarios(check);
    for (uint32_t i = 0; i < check->scenario_count; i++) {
        is_missing = is_missing || check->scenarios[i].state == STORM_BASELINE_MISSING;
        for (uint32_t finding = 0; finding < STORM_FINDING_COUNT; finding++) {
            check->counts[finding] += check->scenarios[i].counts[finding];
        }
    }
    is_missing = is_missing || check->counts[STORM_FINDING_MISSING] > 0;
    for (uint32_t i = 0; i < STORM_FINDING_COUNT; i++) {
        enum storm_finding finding = (enum storm_finding)i;
        bool counts =
            check->counts[i] > 0 && storm_check_level(check, finding) == STORM_LEVEL_FAILURE;
        bool is_doubt = finding == STORM_FINDING_INCONCLUSIVE && check->doubt == STORM_DOUBT_SAY;
        doubts = doubts || (counts && is_doubt);
        fails = fails || (counts && !is_doubt && finding != STORM_FINDING_MISSING);
    }
    check->answer = fails                              ? STORM_CHECK_NO
                    : is_missing && !check->is_updated ? STORM_CHECK_NO_BASELINE
                    : doubts                           ? STORM_CHECK_INCONCLUSIVE
                                                       : STORM_CHECK_YES;
}
