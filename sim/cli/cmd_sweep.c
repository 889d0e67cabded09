/* cmd_sweep.c: run a scenario at many points, into one file that can be gone on with. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <retrystorm/sweep.h>

#include "base/arena.h"
#include "cli/commands.h"
#include "cli/complain.h"
#include "cli/progress.h"
#include "cli/run_rules.h"
#include "cli/scenario_file.h"
#include "cli/sweep_output.h"
#include "search/axis.h"
#include "search/points.h"
#include "search/survey.h"
#include "store/sweep_file.h"
#include "trials/fingerprint.h"

enum { OVERRIDES_BYTES = 4096, PLACE_BYTES = 400, DRAWN_USUAL = 100 };

/* Everything a sweep holds while it runs. */
struct sweep {
    const struct cli_options *options;
    struct scenario_file scenario;
    const struct storm_scenario *base; /* the scenario without what is varied */
    const char *variant;
    struct axis axes[POINTS_AXES_MAX];
    uint32_t axis_count;
    struct points points;
    struct survey_plan plan;
    struct sweep_head head;
    struct sweep_file *file;
    struct progress progress;
    uint32_t done, missing;      /* runs of this call */
    uint64_t events, events_now; /* of the blocks before, and of the one at hand */
    struct arena arena;
    struct storm_error error;
    char overrides[OVERRIDES_BYTES];
};

/* ---- what is asked --------------------------------------------------------------------------- */

static bool check_options(const struct cli_options *options, struct storm_error *error) {
    const struct cli_search *search = &options->search;
    if (search->vary_count == 0 || search->vary_count > POINTS_AXES_MAX) {
        storm_fail(error, STORM_USAGE, "'sweep' varies from 1 to %d settings", POINTS_AXES_MAX);
        snprintf(error->suggestion, sizeof error->suggestion,
                 "say which, as in --vary policies.app.cap=1s..60s/log/10");
        return false;
    }
    if (search->count > 0 && search->method == POINTS_GRID) {
        return storm_fail(error, STORM_USAGE,
                          "a grid has as many points as its axes give: --count "
                          "is for --points random or sobol");
    }
    if (options->variant_count > 1) {
        return storm_fail(error, STORM_USAGE,
                          "to sweep over variants write --vary variant=%.60s,%.60s",
                          options->variants[0], options->variants[1]);
    }
    return sweep_output_check(options, "sweep", error);
}

/* "--vary variant" stands for all variants of the scenario. */
static bool list_variants(struct sweep *sweep, struct axis *axis) {
    const struct storm_document *document = sweep->scenario.document;
    size_t count = storm_document_variant_count(document);
    if (axis->count > 0 || strcmp(axis->path, "variant") != 0) {
        return true;
    }
    axis->values = arena_take_array(&sweep->arena, count + 1, sizeof *axis->values);
    if (axis->values == NULL) {
        return storm_fail(&sweep->error, STORM_LIMIT, "no memory for the variants");
    }
    for (size_t i = 0; i < count; i++) {
        axis->values[i] =
            (struct axis_value){storm_document_variant_name(document, i), (double)NAN};
    }
    axis->count = (uint32_t)count;
    return true;
}

static bool read_axes(struct sweep *sweep) {
    const struct cli_search *search = &sweep->options->search;
    for (uint32_t i = 0; i < search->vary_count; i++) {
        if (!axis_parse(search->vary[i], &sweep->arena, &sweep->axes[i], &sweep->error) ||
            !list_variants(sweep, &sweep->axes[i])) {
            return false;
        }
        if (strcmp(sweep->axes[i].path, "variant") == 0 && sweep->options->variant_count > 0) {
            return storm_fail(&sweep->error, STORM_USAGE,
                              "--variant and --vary variant exclude "
                              "one another");
        }
    }
    sweep->axis_count = (uint32_t)search->vary_count;
    return true;
}

static uint64_t seed_of(const struct sweep *sweep) {
    return options_seed(sweep->options, sweep->base->seed);
}

static bool make_points(struct sweep *sweep) {
    const struct cli_search *search = &sweep->options->search;
    uint32_t drawn = search->count > 0 ? search->count : DRAWN_USUAL;
    uint32_t count = search->method == POINTS_GRID ? 0 : drawn;
    if (!points_make(search->method, sweep->axes, sweep->axis_count, count, seed_of(sweep),
                     &sweep->arena, &sweep->points, &sweep->error)) {
        return false;
    }
    sweep->plan.runs = sweep->options->runs > 0 ? sweep->options->runs : sweep->base->runs;
    uint64_t all = (uint64_t)sweep->points.count * sweep->plan.runs;
    return all <= SWEEP_ROWS_MAX || storm_fail(&sweep->error, STORM_USAGE,
                                               "%" PRIu64 " runs are more than the %d that a "
                                               "sweep may have",
                                               all, SWEEP_ROWS_MAX);
}

/* ---- the head of the file -------------------------------------------------------------------- */

static bool fill_axes(struct sweep *sweep) {
    struct storm_sweep_axis *axes =
        arena_take_array(&sweep->arena, sweep->axis_count, sizeof *axes);
    for (uint32_t a = 0; axes != NULL && a < sweep->axis_count; a++) {
        const struct axis *axis = &sweep->axes[a];
        axes[a] = (struct storm_sweep_axis){.path = axis->path,
                                            .unit = axis_unit(axis->kind),
                                            .is_log = axis->is_log,
                                            .from = axis->from,
                                            .to = axis->to};
        axes[a].value_count = sweep->points.method == POINTS_GRID ? axis->count : 0;
    }
    sweep->head.sweep.axes = axes;
    sweep->head.sweep.axis_count = sweep->axis_count;
    return axes != NULL;
}

static bool fill_points(struct sweep *sweep) {
    uint32_t count = sweep->points.count, axes = sweep->axis_count;
    struct storm_sweep_point *points = arena_take_array(&sweep->arena, count, sizeof *points);
    const char **labels = arena_take_array(&sweep->arena, (size_t)count * axes, sizeof *labels);
    double *numbers = arena_take_array(&sweep->arena, (size_t)count * axes, sizeof *numbers);
    if (points == NULL || labels == NULL || numbers == NULL) {
        return false;
    }
    for (size_t i = 0; i < (size_t)count * axes; i++) {
        labels[i] = sweep->points.values[i].text;
        numbers[i] = sweep->points.values[i].number;
    }
    for (uint32_t p = 0; p < count; p++) {
        points[p].labels = &labels[(size_t)p * axes];
        points[p].numbers = &numbers[(size_t)p * axes];
    }
    sweep->head.sweep.points = points;
    sweep->head.sweep.point_count = count;
    return true;
}

static bool fill_head(struct sweep *sweep, const struct survey_facts *facts) {
    struct sweep_head *head = &sweep->head;
    const char *question = sweep->base->question;
    if (facts->metric_count > SWEEP_METRICS_MAX) {
        return storm_fail(&sweep->error, STORM_INVALID,
                          "the scenario has %" PRIu32 " metrics; a sweep can keep %d",
                          facts->metric_count, SWEEP_METRICS_MAX);
    }
    head->sweep = (struct storm_sweep){.title = sweep->base->title,
                                       .question = question != NULL ? question : "",
                                       .file = scenario_file_base(sweep->options->operand),
                                       .variant = sweep->options->variants[0],
                                       .overrides = sweep->overrides,
                                       .seed = seed_of(sweep),
                                       .runs = sweep->plan.runs};
    fingerprint_print(facts->hash, head->sweep.hash);
    head->method = points_word(sweep->points.method);
    head->shard = sweep->options->search.shard;
    head->shards = sweep->options->search.shards;
    head->metric_count = facts->metric_count;
    head->metrics = facts->metrics;
    return (fill_axes(sweep) && fill_points(sweep)) ||
           storm_fail(&sweep->error, STORM_LIMIT, "no memory for %" PRIu32 " points",
                      sweep->points.count);
}

/* ---- runs ------------------------------------------------------------------------------------ */

static bool wants(void *context, uint64_t number) {
    const struct sweep *sweep = context;
    return sweep_head_owns(&sweep->head, number) && !sweep_file_has(sweep->file, number);
}

static bool keep(void *context, const struct storm_sweep_run *runs, uint32_t count,
                 struct storm_error *error) {
    struct sweep *sweep = context;
    sweep->done += count;
    sweep->events += sweep->events_now;
    sweep->events_now = 0;
    return sweep_file_add(sweep->file, runs, count, error);
}

static void tick(void *context, uint32_t done, uint64_t events) {
    struct sweep *sweep = context;
    sweep->events_now = events;
    progress_tick(&sweep->progress, sweep->done + done, sweep->missing, sweep->events + events);
}

/* Something about the sweep that is no result. */
static void say(const struct sweep *sweep, const char *what) {
    if (!sweep->options->quiet) {
        fprintf(stderr, "retrystorm: '%s' %s\n", sweep->options->outputs[0], what);
    }
}

/* Makes the runs that are missing and finishes the file. */
static bool make_runs(struct sweep *sweep, struct survey *survey) {
    struct survey_sink sink = {wants, keep, sweep};
    uint64_t all = sweep_head_rows(&sweep->head), had = sweep_file_count(sweep->file);
    char words[PLACE_BYTES];
    if (had > 0) {
        snprintf(words, sizeof words, "has %" PRIu64 " of %" PRIu64 " runs: going on", had, all);
        say(sweep, words);
    }
    sweep->missing = (uint32_t)(all - had);
    progress_begin(&sweep->progress);
    bool made = survey_run(survey, &sink, &sweep->error);
    progress_end(&sweep->progress);
    if (!made && sweep->error.status == STORM_INTERRUPTED) {
        snprintf(sweep->error.suggestion, sizeof sweep->error.suggestion,
                 "%" PRIu64 " of %" PRIu64 " runs are kept; the same command goes on with them",
                 sweep_file_count(sweep->file), all);
    }
    return made && sweep_file_finish(sweep->file, &sweep->error);
}

/* The file is opened, filled and closed. */
static enum cli_exit fill_file(struct sweep *sweep, struct survey *survey) {
    const char *name = sweep->options->outputs[0];
    bool done = true;
    sweep->file = sweep_file_open(name, &sweep->head, &sweep->arena, &sweep->error);
    if (sweep->file == NULL) {
        return complain(&sweep->error);
    }
    if (sweep_file_is_complete(sweep->file)) {
        say(sweep, "is finished: there is nothing to run");
    } else {
        done = make_runs(sweep, survey);
    }
    sweep_file_close(sweep->file);
    if (!done) {
        return complain(&sweep->error);
    }
    if (sweep->head.shards > 0) {
        say(sweep, "is a finished shard; 'retrystorm merge' joins it with the others");
        return CLI_YES;
    }
    return sweep_output_print(sweep->options, &sweep->arena);
}

/* What is wrong with the scenario at a point is said like what is wrong with it anywhere. */
static enum cli_exit complain_at(struct sweep *sweep, uint32_t point,
                                 const struct storm_errors *errors) {
    char words[PLACE_BYTES];
    if (errors->count == 0) {
        return complain(&sweep->error);
    }
    fprintf(stderr, "retrystorm: at the point %s:\n",
            survey_point_words(&sweep->points, point, words, sizeof words));
    return scenario_file_complain(&sweep->scenario, errors);
}

static enum cli_exit do_sweep(struct sweep *sweep) {
    const struct cli_options *options = sweep->options;
    struct storm_errors errors = {0};
    uint32_t point;
    if (!read_axes(sweep) || !make_points(sweep)) {
        return complain(&sweep->error);
    }
    sweep->plan = (struct survey_plan){.text = sweep->scenario.text,
                                       .length = sweep->scenario.length,
                                       .file = options->operand,
                                       .variant = options->variants[0],
                                       .sets = options->sets,
                                       .set_count = options->set_count,
                                       .points = &sweep->points,
                                       .runs = sweep->plan.runs,
                                       .rules = run_rules(options, seed_of(sweep), tick, sweep)};
    struct survey *survey = survey_new(&sweep->plan, &sweep->arena, &point, &errors, &sweep->error);
    if (survey == NULL) {
        return complain_at(sweep, point, &errors);
    }
    return fill_head(sweep, survey_facts(survey)) ? fill_file(sweep, survey)
                                                  : complain(&sweep->error);
}

enum cli_exit cmd_sweep(const struct cli_options *options) {
    struct sweep sweep = {.options = options};
    if (!check_options(options, &sweep.error)) {
        return complain(&sweep.error);
    }
    arena_init(&sweep.arena, (size_t)-1);
    options_overrides(options, sweep.overrides, sizeof sweep.overrides);
    enum cli_exit code =
        scenario_file_decode(&sweep.scenario, options->operand, options, &sweep.base);
    if (code == CLI_YES) {
        code = do_sweep(&sweep);
    }
    scenario_file_free(&sweep.scenario);
    arena_free(&sweep.arena);
    return code;
}
