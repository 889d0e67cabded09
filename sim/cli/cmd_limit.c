/* cmd_limit.c: how far one setting can go before a criterion changes side. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "analysis/criterion.h"
#include "analysis/measure.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/searching.h"
#include "report/limit_text.h"
#include "search/limit.h"

enum { RUNS_FIRST = 2, RUNS_MAX = 400, WORDS_MAX = 192 };

static const double usual_precision = 0.02;

/* A limit lies anywhere between two numbers, or around the scenario's own. */
static bool check_axis(struct searching *searching, const struct axis *axis) {
    struct storm_error *error = &searching->error;
    if (searching->options->search.vary_count > 1) {
        return storm_fail(error, STORM_USAGE, "'limit' varies one setting: give one --vary");
    }
    if (axis->count > 0 || strcmp(axis->path, "variant") == 0) {
        return storm_fail(error, STORM_USAGE,
                          "'limit' looks anywhere in a range: --vary PATH, or PATH=1s..60s "
                          "without steps");
    }
    return true;
}

/* Where the search begins, for a path without a range. */
static bool find_start(struct searching *searching, struct limit_plan *plan,
                       struct storm_limit *limit) {
    static const struct probe_point as_it_stands = {.set_count = 0};
    const char *path = plan->axis->path;
    limit->own =
        probe_setting(searching->probe, &as_it_stands, path, &searching->errors, &searching->error);
    if (limit->own == NULL) {
        return false;
    }
    plan->kind = axis_number(limit->own, &plan->start);
    if (plan->kind == AXIS_WORDS || !(plan->start > 0)) {
        storm_fail(&searching->error, STORM_USAGE,
                   "'%.80s' is '%.60s' in the scenario: that cannot be doubled or halved", path,
                   limit->own);
        snprintf(searching->error.suggestion, sizeof searching->error.suggestion,
                 "give a range, as in --vary %.120s=1..100", path);
        return false;
    }
    return true;
}

static bool prepare(struct searching *searching, struct axis *axis, struct limit_plan *plan,
                    struct storm_limit *limit) {
    static const struct probe_point as_it_stands = {.set_count = 0};
    const struct cli_options *options = searching->options;
    if (options->search.until == NULL) {
        return storm_fail(&searching->error, STORM_USAGE,
                          "'limit' needs a criterion: --until 'recovers < 99%%'");
    }
    if (!check_axis(searching, axis) ||
        !criterion_parse(options->search.until, &plan->criterion, &searching->error)) {
        return false;
    }
    plan->axis = axis;
    plan->kind = axis->kind;
    plan->precision = options->search.precision > 0 ? options->search.precision : usual_precision;
    plan->runs_max = options->max_runs > 0 ? options->max_runs : RUNS_MAX;
    plan->runs = options->runs > 0 ? options->runs : RUNS_FIRST;
    plan->runs = plan->runs < plan->runs_max ? plan->runs : plan->runs_max;
    const struct storm_variant *metrics =
        probe_metrics(searching->probe, &as_it_stands, &searching->errors, &searching->error);
    return metrics != NULL &&
           measure_find(metrics, plan->criterion.name, &plan->measure, &searching->error) &&
           criterion_fits(&plan->criterion, &plan->measure, &searching->error) &&
           (axis->is_range || find_start(searching, plan, limit));
}

/* "dead_letters p95" */
static const char *name_metric(const struct limit_plan *plan, char words[WORDS_MAX]) {
    char statistic[64];
    statistic_print(&plan->criterion.statistic, statistic, sizeof statistic);
    snprintf(words, WORDS_MAX, "%s%s%s", plan->criterion.name, statistic[0] != '\0' ? " " : "",
             statistic);
    return words;
}

static enum cli_exit print_limit(struct searching *searching, const struct storm_limit *limit) {
    output_begin();
    bool written = searching->options->format == CLI_JSON ? limit_write_json(limit, stdout)
                                                          : limit_write_text(limit, stdout);
    if (!output_end(written, &searching->error)) {
        return searching_complain(searching);
    }
    return limit->end == STORM_LIMIT_NEVER ? CLI_NO : CLI_YES;
}

static enum cli_exit look_for_limit(struct searching *searching) {
    const struct cli_options *options = searching->options;
    struct axis axes[PROBE_AXES_MAX];
    struct limit_plan plan = {.runs = 0};
    char words[WORDS_MAX];
    struct storm_limit limit = {.title = searching->scenario->title,
                                .file = scenario_file_base(options->operand),
                                .variant = options->variants[0],
                                .overrides = searching->overrides,
                                .seed = options_seed(options, searching->scenario->seed),
                                .criterion = options->search.until};
    if (searching_axes(searching, axes) == 0 || !prepare(searching, axes, &plan, &limit)) {
        return searching_complain(searching);
    }
    struct limit_probe runs = {searching->probe, &plan, &searching->errors};
    struct limit_source source = {limit_probe_runs, &runs};
    limit.path = axes[0].path;
    limit.unit = axis_unit(plan.kind);
    limit.metric = name_metric(&plan, words);
    limit.metric_unit = plan.measure.unit;
    limit.is_share = plan.measure.is_share_of_runs;
    limit.precision = plan.precision;
    limit.runs_max = plan.runs_max;
    bool done = limit_find(&plan, &source, &searching->arena, &limit, &searching->error);
    progress_end(&searching->progress);
    limit.runs_made = probe_run_count(searching->probe);
    enum cli_exit code = CLI_YES;
    if (done || limit.reading_count > 0) {
        code = print_limit(searching, &limit);
    }
    return done ? code : searching_complain(searching);
}

enum cli_exit cmd_limit(const struct cli_options *options) {
    struct searching searching;
    enum cli_exit code = searching_begin(&searching, options);
    code = code == CLI_YES ? look_for_limit(&searching) : code;
    searching_end(&searching);
    return code;
}
