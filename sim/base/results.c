/* results.c: what all who read results look up in them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <string.h>

#include <retrystorm/results.h>

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
