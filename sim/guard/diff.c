/* diff.c: how the runs of two results differ. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "guard/diff.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "guard/rows.h"
#include "guard/tolerance.h"

static const struct storm_variant *find_variant(const struct storm_results *results,
                                                const char *name) {
    for (uint32_t i = 0; i < results->variant_count; i++) {
        if (strcmp(results->variants[i].name, name) == 0) {
            return &results->variants[i];
        }
    }
    return NULL;
}

/* ---- settings -------------------------------------------------------------------------------- */

static bool is_equal(const char *a, const char *b) {
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* Notes a setting, once for all variants in which it changed alike. `room` is never exceeded: see
   settings_differ. */
static void note_change(struct storm_diff *diff, const char *variant, const char *path,
                        const char *before, const char *after) {
    if (is_equal(before, after)) {
        return;
    }
    for (uint32_t i = 0; i < diff->change_count; i++) {
        struct storm_setting_change *known = &diff->changes[i];
        if (strcmp(known->path, path) == 0 && is_equal(known->before, before) &&
            is_equal(known->after, after)) {
            known->others++;
            return;
        }
    }
    diff->changes[diff->change_count++] =
        (struct storm_setting_change){variant, 0, path, before, after};
}

/* Goes through the settings of both. False at the arena's limit. */
static bool settings_differ(const struct storm_results *first, const struct storm_results *second,
                            struct arena *arena, struct storm_diff *diff) {
    uint32_t room = 0;
    for (uint32_t i = 0; i < second->variant_count; i++) {
        const struct storm_variant *now = &second->variants[i];
        const struct storm_variant *before = find_variant(first, now->name);
        room += before != NULL ? before->setting_count + now->setting_count : 0;
    }
    diff->changes = arena_take_array(arena, room, sizeof *diff->changes);
    if (diff->changes == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < second->variant_count; i++) {
        const struct storm_variant *now = &second->variants[i];
        const struct storm_variant *before = find_variant(first, now->name);
        for (uint32_t s = 0; before != NULL && s < before->setting_count; s++) {
            const struct storm_setting *setting = &before->settings[s];
            note_change(diff, now->name, setting->path, setting->value,
                        storm_variant_setting(now, setting->path));
        }
        for (uint32_t s = 0; before != NULL && s < now->setting_count; s++) {
            const struct storm_setting *setting = &now->settings[s];
            if (storm_variant_setting(before, setting->path) == NULL) {
                note_change(diff, now->name, setting->path, NULL, setting->value);
            }
        }
    }
    return true;
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* A variant as one of a baseline with usual tolerances. False at the arena's limit. */
static bool wrap(const struct storm_variant *variant, struct arena *arena,
                 struct baseline_variant *wrapped) {
    *wrapped = (struct baseline_variant){.runs = *variant, .tolerance = (double)NAN};
    wrapped->tolerances =
        arena_take_array(arena, variant->metric_count, sizeof *wrapped->tolerances);
    for (uint32_t i = 0; wrapped->tolerances != NULL && i < variant->metric_count; i++) {
        wrapped->tolerances[i] = (double)NAN;
    }
    return wrapped->tolerances != NULL;
}

static bool compare_variant(struct rows *rows, const struct storm_variant *before,
                            const struct storm_variant *now) {
    struct baseline_variant old, made;
    if (before == NULL) {
        return rows_add_lonely(rows, STORM_FINDING_NEW, now->name, NULL, NULL);
    }
    return wrap(before, rows->arena, &old) && wrap(now, rows->arena, &made) &&
           rows_add_differences(rows, &old, &made);
}

static bool compare_all(const struct storm_results *first, const struct storm_results *second,
                        struct rows *rows) {
    bool good = true;
    for (uint32_t i = 0; good && i < second->variant_count; i++) {
        const struct storm_variant *now = &second->variants[i];
        good = compare_variant(rows, find_variant(first, now->name), now);
    }
    for (uint32_t i = 0; good && i < first->variant_count; i++) {
        const char *name = first->variants[i].name;
        if (find_variant(second, name) == NULL) {
            good = rows_add_lonely(rows, STORM_FINDING_GONE, name, NULL, NULL);
        }
    }
    return good;
}

static bool are_pairs(const struct storm_results *first, const struct storm_results *second,
                      struct storm_error *error) {
    bool common = false;
    for (uint32_t i = 0; i < second->variant_count; i++) {
        common = common || find_variant(first, second->variants[i].name) != NULL;
    }
    if (first->seed != second->seed) {
        return storm_fail(error, STORM_INVALID,
                          "the results have different seeds, so that their runs are no pairs");
    }
    if (!common) {
        return storm_fail(error, STORM_INVALID, "the results have no variant in common");
    }
    return (first->runs > 0 && second->runs > 0) ||
           storm_fail(error, STORM_INVALID, "one of the results has no finished run");
}

bool diff_of(const struct storm_results *first, const struct storm_results *second,
             struct arena *arena, struct storm_diff *diff, struct storm_error *error) {
    struct rows rows = {.usual = tolerances_usual().usual, .arena = arena};
    assert(first != NULL && second != NULL);
    if (!are_pairs(first, second, error)) {
        return false;
    }
    *diff = (struct storm_diff){.seed = first->seed,
                                .runs = first->runs < second->runs ? first->runs : second->runs};
    if (!settings_differ(first, second, arena, diff) || !compare_all(first, second, &rows)) {
        return storm_fail(error, STORM_LIMIT, "no memory to compare the results");
    }
    rows_sort(&rows);
    diff->row_count = rows.count;
    diff->rows = rows.list;
    for (uint32_t i = 0; i < rows.count; i++) {
        diff->counts[rows.list[i].finding]++;
    }
    return true;
}
