/* test_tuning.c: settings found for the thundering herd beat the policies that everybody names, on
   runs that the search has not seen. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "search/tune.h"
#include "support/test.h"

enum { AXES = 4, CONSTRAINTS = 2 };

static const char *const vary[AXES] = {
    "policies.app.delay=full-jitter,equal-jitter,decorrelated-jitter",
    "policies.app.base=200ms..8s/log", "policies.app.cap=4s..60s/log",
    "policies.app.attempts=5..16"};
static const char *const subject_to[CONSTRAINTS] = {"recovers >= 99%", "dead_letters p95 < 250"};
static const char *const headlines[] = {"no-backoff", "exponential", "full-jitter",
                                        "decorrelated-jitter"};

/* How much is searched and confirmed: all of it with STORM_FULL. */
struct effort {
    uint32_t runs, budget, confirm, first_rival; /* of the headlines, from the first on */
};

struct tuning {
    struct arena arena;
    struct axis axes[AXES];
    struct criterion constraints[CONSTRAINTS];
    struct tune_plan plan;
    struct probe *probe;
    struct storm_errors errors;
    struct storm_error error;
    struct storm_tune tune;
};

static void ask(struct tuning *tuning, const char *text, size_t length,
                const struct effort *effort) {
    struct probe_plan probe = {.text = text,
                               .length = length,
                               .file = STORM_SOURCE_DIR "/scenarios/01-thundering-herd.yaml",
                               .rules = {.seed = 1, .threads = 2}};
    *tuning = (struct tuning){.plan = {.axes = tuning->axes,
                                       .axis_count = AXES,
                                       .constraints = tuning->constraints,
                                       .constraint_count = CONSTRAINTS,
                                       .runs = effort->runs,
                                       .budget = effort->budget,
                                       .seed = 1}};
    arena_init(&tuning->arena, (size_t)1 << 30);
    tuning->probe = probe_new(&probe, &tuning->arena);
    assert_non_null(tuning->probe);
    const struct storm_variant *metrics = probe_metrics(
        tuning->probe, &(struct probe_point){.set_count = 0}, &tuning->errors, &tuning->error);
    assert_non_null(metrics);
    for (size_t a = 0; a < AXES; a++) {
        assert_true(axis_parse(vary[a], &tuning->arena, &tuning->axes[a], &tuning->error));
    }
    assert_true(goal_parse("min time_to_recover", &tuning->plan.goal, &tuning->error));
    assert_true(
        measure_find(metrics, tuning->plan.goal.name, &tuning->plan.measures[0], &tuning->error));
    for (size_t i = 0; i < CONSTRAINTS; i++) {
        assert_true(criterion_parse(subject_to[i], &tuning->constraints[i], &tuning->error));
        assert_true(measure_find(metrics, tuning->constraints[i].name,
                                 &tuning->plan.measures[i + 1], &tuning->error));
    }
}

static void tell(const struct tuning *tuning) {
    const struct storm_tune *tune = &tuning->tune;
    const char *const *labels = tune->points[tune->best].labels;
    print_message("%s, base %s, cap %s, %s attempts: back after %g s; in %u fresh runs %g s, %u of "
                  "%u recover, p95 of dead letters %g\n",
                  labels[0], labels[1], labels[2], labels[3], tune->points[tune->best].values[0],
                  tune->fresh_runs, tune->fresh[0].value, tune->fresh[1].good, tune->fresh[1].runs,
                  tune->fresh[2].value);
    for (uint32_t i = 0; i < tune->rival_count; i++) {
        const struct storm_tune_rival *rival = &tune->rivals[i];
        print_message("  against %s: better by %g s (%g to %g), in %u of %u runs; luck %.3g\n",
                      rival->name != NULL ? rival->name : "the scenario", rival->gain, rival->lo,
                      rival->hi, rival->better, rival->pairs, rival->luck);
    }
}

static void tuned_settings_beat_the_headline_policies_on_fresh_runs(void **state) {
    (void)state;
    bool is_full = getenv("STORM_FULL") != NULL;
    struct effort effort =
        is_full ? (struct effort){12, 60, 200, 0} : (struct effort){2, 16, 14, 2};
    struct storm_errors errors = {0};
    struct tuning tuning;
    size_t length;
    char *text =
        storm_text_read(STORM_SOURCE_DIR "/scenarios/01-thundering-herd.yaml", &length, &errors);
    assert_non_null(text);
    ask(&tuning, text, length, &effort);
    struct storm_errors refusals = {0};
    struct tune_probe runs = {tuning.probe, &tuning.plan, &refusals, &tuning.arena};
    assert_true(tune_search(&tuning.plan, &(struct tune_source){tune_probe_measure, &runs},
                            &tuning.arena, &tuning.tune, &tuning.error));
    assert_true(tuning.tune.points[tuning.tune.best].is_feasible);
    uint32_t rivals = 4 - effort.first_rival - (is_full ? 0 : 1);
    assert_true(tune_confirm(&tuning.plan, tuning.probe, headlines + effort.first_rival, rivals,
                             effort.confirm, &tuning.arena, &tuning.tune, &tuning.errors,
                             &tuning.error));
    tell(&tuning);
    assert_true(tuning.tune.is_feasible);
    assert_int_equal(tuning.tune.fresh_from, 3 * effort.runs);
    assert_int_equal(tuning.tune.rival_count, rivals + 1);
    for (uint32_t i = 0; i <= rivals; i++) {
        const struct storm_tune_rival *rival = &tuning.tune.rivals[i];
        assert_true(rival->lo > 0 && rival->gain > 0);
        assert_true(rival->better > rival->worse && rival->p < .01);
        assert_true(isnan(rival->luck) || fabs(rival->luck) < .5);
    }
    arena_free(&tuning.arena);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tuned_settings_beat_the_headline_policies_on_fresh_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
