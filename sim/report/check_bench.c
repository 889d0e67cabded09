/* check_bench.c: the numbers of a check for a dashboard of benchmarks. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "report/check_report.h"
#include "report/check_words.h"
#include "report/json_writer.h"
#include "report/text.h"

static void write_number(struct json_writer *json, const struct storm_check_scenario *scenario,
                         const struct storm_variant *variant, const struct storm_metric *metric) {
    char name[CHECK_SENTENCE_MAX], range[CHECK_SENTENCE_MAX], extra[CHECK_SENTENCE_MAX];
    char least[TEXT_NUMBER_SIZE], most[TEXT_NUMBER_SIZE];
    double value = metric->bimodal ? metric->median : metric->mean;
    if (!isfinite(value)) {
        return; /* what does not apply has no place in such a list */
    }
    snprintf(name, sizeof name, "%.180s, %.120s: %.120s", scenario->name, variant->name,
             metric->name);
    snprintf(range, sizeof range, "%s to %s", text_number(metric->min, least),
             text_number(metric->max, most));
    snprintf(extra, sizeof extra, "%s of %" PRIu32 " runs, seed %" PRIu64,
             metric->bimodal ? "median" : "mean", variant->runs_done, scenario->seed);
    json_writer_object_begin(json, JSON_FLAT);
    json_key_string(json, "name", name);
    json_key_string(json, "unit", metric->unit);
    json_key_double(json, "value", value);
    json_key_string(json, "range", range);
    json_key_string(json, "extra", extra);
    json_writer_object_end(json);
}

/* The share of runs that do not come back: it, too, is better when it is smaller. */
static void write_lost(struct json_writer *json, const struct storm_check_scenario *scenario,
                       const struct storm_variant *variant) {
    uint32_t bad = storm_variant_bad_runs(variant);
    uint32_t judged = bad + storm_variant_good_runs(variant);
    double share = judged > 0 ? (double)bad / judged : (double)NAN;
    struct storm_metric lost = {.name = "does_not_recover",
                                .unit = "share",
                                .mean = share,
                                .min = bad < judged ? 0 : 1,
                                .max = bad > 0 ? 1 : 0};
    write_number(json, scenario, variant, &lost);
}

static void write_variant(struct json_writer *json, const struct storm_check_scenario *scenario,
                          const struct storm_variant *variant) {
    write_lost(json, scenario, variant);
    for (uint32_t i = 0; i < variant->metric_count; i++) {
        if (variant->metrics[i].better == STORM_BETTER_LOWER) {
            write_number(json, scenario, variant, &variant->metrics[i]);
        }
    }
}

bool check_write_bench(const struct storm_check *check, FILE *out) {
    struct json_writer json;
    json_writer_init(&json, out);
    json_writer_array_begin(&json, JSON_LINES);
    for (uint32_t i = 0; i < check->scenario_count; i++) {
        const struct storm_check_scenario *scenario = &check->scenarios[i];
        for (uint32_t v = 0; v < scenario->variant_count; v++) {
            write_variant(&json, scenario, scenario->variants[v]);
        }
    }
    json_writer_array_end(&json);
    return json_writer_end(&json);
}
