/* test_expect.c: what the shipped scenarios promise under `expect:` holds. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/test.h"

#include <glob.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <retrystorm/load.h>

#include "base/arena.h"
#include "trials/trials.h"

/* Runs of each variant; a full test makes as many as the scenario says. */
enum { RUNS = 4 };

/* "recovers" is the share of the runs that come back or were never harmed; every other word is a
   metric, by its median. */
static double value_of(const struct storm_variant *variant, const char *metric) {
    if (strcmp(metric, "recovers") == 0) {
        return (double)(variant->verdicts[STORM_VERDICT_RECOVERED] +
                        variant->verdicts[STORM_VERDICT_UNHARMED]) /
               variant->runs_done;
    }
    for (uint32_t i = 0; i < variant->metric_count; i++) {
        if (strcmp(variant->metrics[i].name, metric) == 0) {
            return variant->metrics[i].median;
        }
    }
    fail_msg("no metric '%s'", metric);
    return 0;
}

static void check_variant(const char *file, const char *name,
                          const struct storm_scenario *scenario) {
    struct arena arena;
    struct storm_error error;
    struct trials_variant variant = {.name = name, .scenario = scenario};
    struct trials_plan plan = {
        .file = file, .variants = &variant, .variant_count = 1, .seed = scenario->seed};
    bool is_full = getenv("STORM_FULL") != NULL;
    plan.runs = is_full || scenario->runs < RUNS ? scenario->runs : (uint32_t)RUNS;
    arena_init(&arena, (size_t)1 << 30);
    const struct storm_results *results = trials_run(&plan, &arena, &error);
    assert_non_null(results);
    for (uint32_t i = 0; i < scenario->expect_count; i++) {
        const struct storm_expect *expect = &scenario->expects[i];
        if (expect->variant[0] != '\0' && strcmp(expect->variant, name) != 0) {
            continue;
        }
        double value = value_of(&results->variants[0], expect->metric);
        printf("%s, %s: %s is %g\n", file, name, expect->metric, value);
        assert_false(value < expect->at_least ||
                     value > expect->at_most); /* a bound not given is NaN */
        assert_true(value == value); /* a number */
    }
    arena_free(&arena);
}

static void check_file(const char *file) {
    struct storm_errors errors = {0};
    struct storm_document *document = storm_document_read(file, &errors);
    assert_int_equal(errors.count, 0);
    uint32_t expects = 0;
    for (size_t v = 0; v < storm_document_variant_count(document); v++) {
        const char *name = storm_document_variant_name(document, v);
        const struct storm_scenario *scenario =
            storm_document_decode(document, name, NULL, 0, &errors);
        assert_non_null(scenario);
        expects = scenario->expect_count;
        check_variant(strrchr(file, '/') + 1, name, scenario);
    }
    assert_true(expects > 0); /* every scenario promises something */
    storm_document_free(document);
}

static void every_scenario_keeps_its_promises(void **state) {
    (void)state;
    glob_t files;
    assert_int_equal(glob(STORM_SOURCE_DIR "/scenarios/*.yaml", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        check_file(files.gl_pathv[i]);
    }
    globfree(&files);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_scenario_keeps_its_promises)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
