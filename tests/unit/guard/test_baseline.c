/* test_baseline.c: a baseline is read as it was written, and nothing else is taken for one. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "guard/baseline.h"

static struct arena arena;

#define RUN                                                                                        \
    "{\"verdict\": \"stuck\", \"digest\": \"00000000000000ff\", \"step_s\": 4, \"points\": \"\"}"
#define METRIC "\"m\": {\"unit\": \"s\", \"better\": \"lower\", \"per_run\": [1]}"

/* A baseline of one run of one variant of one scenario. */
#define BASELINE(seed, runs, metrics, list)                                                        \
    "{\"schema\": \"retrystorm.baseline/1\", \"scenarios\": {\"a.yaml\": {\"hash\": "              \
    "\"0123456789abcdef\", \"seed\": " seed ", \"runs\": " runs                                    \
    ", \"variants\": {\"v\": {\"metrics\": {" metrics "}, \"runs\": [" list "]}}}}}"

static bool parse(struct baseline *baseline, const char *text, struct storm_error *error) {
    *error = (struct storm_error){.status = STORM_OK};
    return baseline_parse(baseline, text, strlen(text), &arena, error);
}

static char *write(const struct baseline *baseline) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_true(baseline_write(baseline, out));
    fclose(out);
    return text;
}

static void writing_again_what_was_read_gives_the_same_bytes(void **state) {
    (void)state;
    struct baseline baseline;
    struct storm_error error;
    assert_true(parse(&baseline,
                      BASELINE("\"18446744073709551615\"", "1",
                               "\"z\": {\"unit\": \"s\", \"better\": \"lower\", \"bimodal\": true, "
                               "\"tolerance\": 0.05, \"per_run\": [null]}, \"recovers\": "
                               "{\"tolerance\": 0.02}, " METRIC,
                               RUN),
                      &error));
    const struct baseline_variant *v = &baseline.scenarios[0].variants[0];
    assert_string_equal(v->runs.metrics[0].name, "m"); /* in the order of their names */
    assert_true(isnan(v->tolerances[0]) && v->tolerances[1] == 0.05 && v->tolerance == 0.02);
    assert_true(isnan(v->runs.metrics[1].per_run[0]) && v->runs.metrics[1].bimodal);
    assert_true(v->runs.metrics[0].median == 1);
    assert_int_equal(v->runs.verdicts[STORM_VERDICT_STUCK], 1);
    assert_true(v->tracks[0].digest == 255 && baseline.scenarios[0].seed == UINT64_MAX);
    char *first = write(&baseline);
    assert_true(parse(&baseline, first, &error));
    char *second = write(&baseline);
    assert_string_equal(first, second);
    assert_non_null(strstr(first, "\n      \"m\": {\"unit\": \"s\", \"better\": \"lower\", "
                                  "\"per_run\": [1]},\n      \"recovers\": "));
    free(first);
    free(second);
}

static void each_wrong_value_is_refused_with_its_path(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "no valid JSON"},
        {"[]", "the document must be an object, not an array"},
        {"{}", "schema is missing"},
        {"{\"schema\": \"retrystorm.result/1\"}", "schema is 'retrystorm.result/1'"},
        {BASELINE("-1", "1", METRIC, RUN), "scenarios.a.yaml.seed must be"},
        {BASELINE("1", "2", METRIC, RUN), "metrics.m.per_run must have 2 values, not 1"},
        {BASELINE("1", "1e9", METRIC, RUN), "runs must be a whole number"},
        {BASELINE("1", "0", "\"m\": {\"unit\": \"s\", \"better\": \"lower\", \"per_run\": []}", ""),
         "scenarios.a.yaml.runs must be at least 1"},
        {BASELINE("1", "1",
                  "\"m\": {\"unit\": \"s\", \"better\": \"lower\", \"per_run\": [-1e200]}", RUN),
         "m.per_run[0] must be no larger than 1e100"},
        {BASELINE("1", "1", METRIC, ""), "variants.v.runs must have 1 values, not 0"},
        {BASELINE("1", "1", "\"m\": {\"better\": \"lower\"}", RUN), "metrics.m.unit is missing"},
        {BASELINE("1", "1", "\"m\": {\"tolerance\": -1}", RUN), "m.tolerance must be a share"},
        {BASELINE("1", "1", "\"m\": {\"tolerance\": null}", RUN), "m.tolerance must be a share"},
        {BASELINE("1", "1", METRIC, "{\"verdict\": null}"), "runs[0].verdict must be a verdict"},
        {BASELINE("1", "1", METRIC, "{\"verdict\": \"lost\"}"), "is no verdict: 'lost'"},
        {BASELINE("1", "1", METRIC,
                  "{\"verdict\": \"stuck\", \"digest\": \"0000000000000000\", \"step_s\": 3}"),
         "runs[0].step_s must be 1/512"},
        {BASELINE("1", "1", METRIC,
                  "{\"verdict\": \"stuck\", \"digest\": \"0000000000000000\", \"step_s\": null}"),
         "runs[0].step_s must be 1/512"},
        {BASELINE("1", "1", METRIC,
                  "{\"verdict\": \"stuck\", \"digest\": \"0000000000000000\", \"step_s\": 4, "
                  "\"points\": \"00G0\"}"),
         "runs[0].points must be at most 64 groups"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct baseline baseline;
        struct storm_error error;
        assert_false(parse(&baseline, cases[i].text, &error));
        assert_int_equal(error.status, STORM_INVALID);
        if (strstr(error.message, cases[i].message) == NULL) {
            fail_msg("'%s' does not say '%s'", error.message, cases[i].message);
        }
    }
}

static void scenarios_keep_the_order_of_their_names(void **state) {
    (void)state;
    struct baseline baseline = {.scenario_count = 0};
    static const char *const names[] = {"m.yaml", "z.yaml", "a.yaml", "m.yaml"};
    for (uint32_t i = 0; i < 4; i++) {
        const struct baseline_scenario scenario = {.name = names[i], .seed = i};
        assert_true(baseline_put(&baseline, &scenario, &arena));
    }
    assert_int_equal(baseline.scenario_count, 3);
    assert_string_equal(baseline.scenarios[0].name, "a.yaml");
    assert_int_equal(baseline_find(&baseline, "m.yaml")->seed, 3);
    baseline_drop(&baseline, "m.yaml");
    assert_int_equal(baseline.scenario_count, 2);
    assert_string_equal(baseline.scenarios[1].name, "z.yaml");
    assert_null(baseline_find(&baseline, "m.yaml"));
}

static int begin(void **state) {
    (void)state;
    arena_init(&arena, (size_t)1 << 28);
    return 0;
}

static int end(void **state) {
    (void)state;
    arena_free(&arena);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writing_again_what_was_read_gives_the_same_bytes),
        cmocka_unit_test(each_wrong_value_is_refused_with_its_path),
        cmocka_unit_test(scenarios_keep_the_order_of_their_names),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
