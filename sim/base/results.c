/* results.c: what all who read results look up in them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <string.h>

#include <retrystorm/results.h>
#include <retrystorm/sweep.h>

bool storm_unit_is_share(const char *unit) { return strcmp(unit, "share") == 0; }

bool storm_verdict_is_good(enum storm_verdict verdict) {
    assert(verdict < STORM_VERDICT_COUNT);
    return verdict == STORM_VERDICT_UNHARMED || verdict == STORM_VERDICT_RECOVERED;
}

uint32_t storm_variant_good_runs(const struct storm_variant *variant) {
    uint32_t good =
        variant->verdicts[STORM_VERDICT_UNHARMED] + variant->verdicts[STORM_VERDICT_RECOVERED];
    assert(good <= variant->runs_done);
    return good;
}

uint32_t storm_variant_bad_runs(const struct storm_variant *variant) {
    uint32_t bad =
        variant->verdicts[STORM_VERDICT_DEGRADED] + variant->verdicts[STORM_VERDICT_STUCK];
    assert(bad <= variant->runs_done);
    return bad;
}

const struct storm_metric *storm_variant_metric(const struct storm_variant *variant,
                                                const char *name) {
    assert(name != NULL);
    for (uint32_t i = 0; i < variant->metric_count; i++) {
        if (strcmp(variant->metrics[i].name, name) == 0)
            return &variant->metrics[i];
    }
    return NULL;
}

const char *storm_variant_setting(const struct storm_variant *variant, const char *path) {
    assert(path != NULL);
    for (uint32_t i = 0; i < variant->setting_count; i++) {
        if (strcmp(variant->settings[i].path, path) == 0)
            return variant->settings[i].value;
    }
    return NULL;
}

const struct storm_difference *
storm_comparison_difference(const struct storm_comparison *comparison, const char *metric) {
    assert(metric != NULL);
    for (uint32_t i = 0; i < comparison->difference_count; i++) {
        if (strcmp(comparison->differences[i].metric, metric) == 0)
            return &comparison->differences[i];
    }
    return NULL;
}

uint32_t storm_results_compared(const struct storm_results *results) {
    uint32_t others = results->variant_count > 0 ? results->variant_count - 1 : 0;
    return others < results->comparison_count ? others : results->comparison_count;
}

const struct storm_difference *storm_results_ranking(const struct storm_results *results,
                                                     uint32_t one, uint32_t two,
                                                     const char *metric) {
    const struct storm_difference *found = NULL;
    assert(one != two);
    for (uint32_t i = storm_results_compared(results);
         i < results->comparison_count && found == NULL; i++) {
        const struct storm_comparison *comparison = &results->comparisons[i];
        bool is_theirs = (comparison->reference == one && comparison->other == two) ||
                         (comparison->reference == two && comparison->other == one);
        if (is_theirs)
            found = storm_comparison_difference(comparison, metric);
    }
    return found;
}

/* What leads, without its place. */
static const char *const leading[] = {"recovers",      "success_share",   "dead_letters",
                                      "messages_lost", "duplicates",      "peak_load_capacity",
                                      "amplification", "time_to_recover", "completion_time"};

static size_t base_length(const char *metric) { return strcspn(metric, "."); }

static bool has_base_of(const char *metric, const char *other) {
    size_t length = base_length(metric);
    return base_length(other) == length && strncmp(metric, other, length) == 0;
}

static double larger_of(const struct storm_difference *difference) {
    return difference->reference > difference->other ? difference->reference : difference->other;
}

bool storm_comparison_leads(const struct storm_comparison *comparison, uint32_t index) {
    assert(index < comparison->difference_count);
    const struct storm_difference *difference = &comparison->differences[index];
    size_t length = base_length(difference->metric);
    bool leads = false;
    for (size_t i = 0; i < sizeof leading / sizeof leading[0]; i++)
        leads = leads || (strlen(leading[i]) == length &&
                          strncmp(leading[i], difference->metric, length) == 0);
    /* Of several places the one that has most of it, and the whole before its parts. */
    for (uint32_t i = 0; i < comparison->difference_count && leads; i++) {
        const struct storm_difference *rival = &comparison->differences[i];
        if (i == index || !has_base_of(difference->metric, rival->metric))
            continue;
        double own = larger_of(difference), theirs = larger_of(rival);
        leads = own > theirs || (!(own < theirs) && index < i);
    }
    return leads;
}

double storm_sweep_share(const struct storm_sweep_point *point) {
    assert(point != NULL && point->good <= point->judged);
    return point->judged > 0 ? (double)point->good / point->judged : (double)NAN;
}

struct storm_sweep_count storm_sweep_count(const struct storm_sweep *sweep) {
    struct storm_sweep_count count = {0};
    assert(sweep != NULL);
    for (uint32_t i = 0; i < sweep->point_count; i++) {
        const struct storm_sweep_point *point = &sweep->points[i];
        if (point->judged == 0)
            count.unjudged++;
        else if (point->good == 0)
            count.never++;
        else if (point->good == point->judged)
            count.always++;
        else
            count.either++;
    }
    return count;
}
