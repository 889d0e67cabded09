/* cmd_tune.c: the settings that are best for a goal and keep its constraints. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "analysis/criterion.h"
#include "base/outfile.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/searching.h"
#include "report/tune_text.h"
#include "search/tune.h"
#include "search/tune_plan.h"

enum { RUNS = 12, BUDGET = 60, CONFIRM = 200, WORDS_MAX = 192 };

/* Everything one tuning holds. */
struct tuning {
    struct searching searching;
    struct axis axes[PROBE_AXES_MAX];
    struct criterion constraints[TUNE_MEASURES_MAX];
    struct tune_plan plan;
    struct storm_tune_measure measures[TUNE_MEASURES_MAX];
    char metrics[TUNE_MEASURES_MAX][WORDS_MAX];
    const char *paths[PROBE_AXES_MAX];
    const char *rivals[CLI_LIST_MAX]; /* variants to beat, beside the scenario as it stands */
    uint32_t rival_count;
    uint32_t confirm;
    struct storm_tune tune;
};

/* ---- what is asked --------------------------------------------------------------------------- */

/* Finds the measure of the goal (0) or of a constraint, and how the report calls it. */
static bool find_measure(struct tuning *tuning, const struct storm_variant *metrics, uint32_t index,
                         const char *words, const char *name, const struct statistic *statistic) {
    struct measure *measure = &tuning->plan.measures[index];
    char word[64];
    if (!measure_find(metrics, name, measure, &tuning->searching.error)) {
        return false;
    }
    statistic_print(statistic, word, sizeof word);
    snprintf(tuning->metrics[index], WORDS_MAX, "%s%s%s", name, word[0] != '\0' ? " " : "", word);
    tuning->measures[index] = (struct storm_tune_measure){.words = words,
                                                          .metric = tuning->metrics[index],
                                                          .unit = measure->unit,
                                                          .is_share = measure->is_share_of_runs};
    return true;
}

static bool read_measures(struct tuning *tuning) {
    static const struct probe_point as_it_stands = {.set_count = 0};
    const struct cli_search *asked = &tuning->searching.options->search;
    struct searching *searching = &tuning->searching;
    struct tune_plan *plan = &tuning->plan;
    if (asked->goal == NULL) {
        return storm_fail(&searching->error, STORM_USAGE,
                          "'tune' needs a goal: --goal 'min time_to_recover'");
    }
    if (asked->constraint_count >= TUNE_MEASURES_MAX) {
        return storm_fail(&searching->error, STORM_USAGE, "at most %d --subject-to can be given",
                          TUNE_MEASURES_MAX - 1);
    }
    const struct storm_variant *metrics =
        probe_metrics(searching->probe, &as_it_stands, &searching->errors, &searching->error);
    if (metrics == NULL || !goal_parse(asked->goal, &plan->goal, &searching->error) ||
        !find_measure(tuning, metrics, 0, asked->goal, plan->goal.name, &plan->goal.statistic)) {
        return false;
    }
    tuning->measures[0].is_max = plan->goal.is_max;
    plan->constraints = tuning->constraints;
    plan->constraint_count = (uint32_t)asked->constraint_count;
    for (uint32_t i = 0; i < plan->constraint_count; i++) {
        struct criterion *criterion = &tuning->constraints[i];
        if (!criterion_parse(asked->constraints[i], criterion, &searching->error) ||
            !find_measure(tuning, metrics, i + 1, asked->constraints[i], criterion->name,
                          &criterion->statistic) ||
            !criterion_fits(criterion, &plan->measures[i + 1], &searching->error)) {
            return false;
        }
        tuning->measures[i + 1].is_max = criterion->relation >= RELATION_MORE;
    }
    return true;
}

/* Those named, or all variants. What is wrong with one is said before the search. */
static bool read_rivals(struct tuning *tuning) {
    struct searching *searching = &tuning->searching;
    const struct cli_search *asked = &searching->options->search;
    const struct storm_document *document = searching->file.document;
    size_t all = storm_document_variant_count(document);
    size_t count = asked->against_count > 0 ? asked->against_count : all;
    if (count > CLI_LIST_MAX) {
        return storm_fail(&searching->error, STORM_USAGE,
                          "the scenario has more than %d variants: say --against which",
                          CLI_LIST_MAX);
    }
    for (size_t i = 0; i < count; i++) {
        const char *name =
            asked->against_count > 0 ? asked->against[i] : storm_document_variant_name(document, i);
        struct probe_point point = {.variant = name};
        tuning->rivals[tuning->rival_count++] = name;
        if (probe_metrics(searching->probe, &point, &searching->errors, &searching->error) ==
            NULL) {
            return false;
        }
    }
    return true;
}

static bool prepare(struct tuning *tuning) {
    struct searching *searching = &tuning->searching;
    const struct cli_options *options = searching->options;
    struct tune_plan *plan = &tuning->plan;
    plan->axes = tuning->axes;
    plan->axis_count = searching_axes(searching, tuning->axes);
    if (plan->axis_count == 0 || !read_measures(tuning) || !read_rivals(tuning)) {
        return false;
    }
    for (uint32_t a = 0; a < plan->axis_count; a++) {
        tuning->paths[a] = tuning->axes[a].path;
    }
    plan->runs = options->runs > 0 ? options->runs : RUNS;
    plan->budget = options->search.budget > 0 ? options->search.budget : BUDGET;
    plan->seed = options_seed(options, searching->scenario->seed);
    tuning->confirm = options->search.confirm > 0 ? options->search.confirm : CONFIRM;
    searching->runs_expected =
        plan->runs * (plan->budget + TUNE_FINALISTS * (TUNE_FINAL_TIMES - 1)) +
        (tuning->rival_count + 2) * tuning->confirm +
        (tuning->rival_count + 1) * TUNE_FINAL_TIMES * plan->runs;
    tuning->tune = (struct storm_tune){.title = searching->scenario->title,
                                       .file = scenario_file_base(options->operand),
                                       .variant = options->variants[0],
                                       .overrides = searching->overrides,
                                       .seed = plan->seed,
                                       .axis_count = plan->axis_count,
                                       .paths = tuning->paths,
                                       .measure_count = 1 + plan->constraint_count,
                                       .measures = tuning->measures};
    return true;
}

/* ---- what came out --------------------------------------------------------------------------- */

/* False after saying what the scenario has against every point. */
static bool is_anything_possible(struct tuning *tuning, const struct storm_errors *refusals) {
    struct storm_tune *tune = &tuning->tune;
    if (tune->point_count == 0 || !tune->points[tune->best].is_refused) {
        return true;
    }
    tuning->searching.errors = *refusals;
    return false;
}

static enum cli_exit write_tuning(struct tuning *tuning, struct outfile *file) {
    struct searching *searching = &tuning->searching;
    const struct storm_tune *tune = &tuning->tune;
    if (file != NULL) {
        tune_write_yaml(tune, file->stream);
        if (!outfile_commit(file, &searching->error)) {
            return searching_complain(searching);
        }
    }
    output_begin();
    bool written = searching->options->format == CLI_JSON ? tune_write_json(tune, stdout)
                                                          : tune_write_text(tune, stdout);
    if (!output_end(written, &searching->error)) {
        return searching_complain(searching);
    }
    return tune->is_confirmed && tune->is_feasible ? CLI_YES : CLI_NO;
}

/* A point that keeps no constraint is not confirmed: there is nothing to choose. */
static enum cli_exit search_and_write(struct tuning *tuning, struct outfile *file) {
    struct searching *searching = &tuning->searching;
    struct storm_tune *tune = &tuning->tune;
    struct storm_errors refusals = {0};
    struct tune_probe runs = {searching->probe, &tuning->plan, &refusals, &searching->arena};
    struct tune_source source = {tune_probe_measure, &runs};
    struct storm_error ended = {0};
    bool done = tune_search(&tuning->plan, &source, &searching->arena, tune, &ended);
    if (!is_anything_possible(tuning, &refusals)) {
        if (file != NULL) {
            outfile_discard(file);
        }
        return searching_complain(searching);
    }
    if (done && tune->points[tune->best].is_feasible) {
        done = tune_confirm(&tuning->plan, searching->probe, tuning->rivals, tuning->rival_count,
                            tuning->confirm, &searching->arena, tune, &searching->errors, &ended);
        tune->is_complete = done;
    }
    progress_end(&searching->progress);
    tune->runs_made = probe_run_count(searching->probe);
    enum cli_exit code = CLI_YES;
    if (tune->point_count > 0) {
        code = write_tuning(tuning, file);
    } else if (file != NULL) {
        outfile_discard(file);
    }
    if (done) {
        return code;
    }
    searching->error = ended;
    return searching_complain(searching);
}

/* The settings that are best are a piece of a scenario, so they are written as one. */
static bool check_output(const struct cli_options *options, struct storm_error *error) {
    if (options->output_count > 1) {
        return storm_fail(error, STORM_USAGE, "'tune' writes one file: give one --output");
    }
    return options->output_count == 0 || output_ends_in(options->outputs[0], ".yaml", ".yml") ||
           storm_fail(error, STORM_USAGE,
                      "'%s' is no name for settings; end it in .yaml, and for JSON write "
                      "--format json",
                      options->outputs[0]);
}

static enum cli_exit tune(struct tuning *tuning) {
    struct searching *searching = &tuning->searching;
    const struct cli_options *options = searching->options;
    struct outfile file;
    if (!check_output(options, &searching->error) || !prepare(tuning)) {
        return searching_complain(searching);
    }
    if (options->output_count == 0) {
        return search_and_write(tuning, NULL);
    }
    if (!outfile_open(&file, options->outputs[0], &searching->error)) {
        return searching_complain(searching);
    }
    return search_and_write(tuning, &file);
}

enum cli_exit cmd_tune(const struct cli_options *options) {
    struct tuning tuning = {.rival_count = 0};
    enum cli_exit code = searching_begin(&tuning.searching, options);
    code = code == CLI_YES ? tune(&tuning) : code;
    searching_end(&tuning.searching);
    return code;
}
