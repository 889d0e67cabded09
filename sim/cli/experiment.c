/* experiment.c: what run and compare share: read the scenario, make the runs, write what was
   asked for. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/experiment.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <retrystorm/results.h>

#include "analysis/compare.h"
#include "analysis/comparison.h"
#include "analysis/interval.h"
#include "base/arena.h"
#include "base/outfile.h"
#include "base/suggest.h"
#include "cli/complain.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/scenario_file.h"
#include "report/dead_letter.h"
#include "trials/trials.h"

enum { NAME_BYTES = 256, PATH_BYTES = 4096 };

/* Everything one experiment holds while it runs. */
struct bench {
    const struct cli_options *options;
    struct scenario_file scenario;
    struct experiment experiment;
    struct trials_variant variants[CLI_LIST_MAX];
    struct outfile letters[CLI_LIST_MAX];
    struct dead_letter_sink sinks[CLI_LIST_MAX];
    size_t letters_open;
    char file[NAME_BYTES]; /* base name of the scenario, and the same without its extension */
    char stem[NAME_BYTES];
    char overrides[PATH_BYTES];
};

static void name_files(struct bench *bench) {
    const char *name = scenario_file_base(bench->options->operand);
    snprintf(bench->file, sizeof bench->file, "%s", name);
    snprintf(bench->stem, sizeof bench->stem, "%s", name);
    char *dot = strrchr(bench->stem, '.');
    if (dot != NULL && dot != bench->stem) {
        *dot = '\0';
    }
}

/* The path of an output in --out-dir. False after filling `error` when it is too long. */
static bool name_output(const struct bench *bench, const char *ending, char path[PATH_BYTES],
                        struct storm_error *error) {
    int length =
        snprintf(path, PATH_BYTES, "%s/%s.%s", bench->options->out_dir, bench->stem, ending);
    return (length > 0 && length < PATH_BYTES) ||
           storm_fail(error, STORM_USAGE, "the directory's name is too long");
}

static const char *column_name(const struct bench *bench, size_t index) {
    const char *name = bench->experiment.names[index];
    return name != NULL ? name : "base";
}

/* Decodes the scenario once for each column; the errors of all columns are told together. */
static bool decode_columns(struct bench *bench, struct storm_errors *errors) {
    const struct cli_options *options = bench->options;
    bool good = true;
    for (size_t i = 0; i < bench->experiment.count; i++) {
        struct trials_variant *variant = &bench->variants[i];
        variant->name = column_name(bench, i);
        variant->scenario =
            storm_document_decode(bench->scenario.document, bench->experiment.names[i],
                                  options->sets, options->set_count, errors);
        good = good && variant->scenario != NULL;
        if (variant->scenario != NULL) {
            variant->setting_count = (uint32_t)storm_document_settings(
                bench->scenario.document, variant->scenario, &variant->settings);
        }
    }
    return good;
}

/* The service whose load is to be drawn must be one. */
static bool check_service(const struct bench *bench, struct storm_error *error) {
    const struct storm_scenario *scenario = bench->variants[0].scenario;
    const char *wanted = bench->options->service;
    struct suggest suggest = suggest_begin(wanted != NULL ? wanted : "");
    for (uint32_t i = 0; i < scenario->service_count; i++) {
        if (wanted == NULL || strcmp(scenario->services[i].name, wanted) == 0) {
            return true;
        }
        suggest_offer(&suggest, scenario->services[i].name);
    }
    storm_fail(error, STORM_INVALID, "there is no service '%s' to draw", wanted);
    suggest_hint(&suggest, error->suggestion, sizeof error->suggestion);
    return false;
}

/* Columns are compared bin by bin, so they must last equally long. */
static bool check_columns(const struct bench *bench, struct storm_error *error) {
    for (size_t i = 0; i < bench->experiment.count; i++) {
        if (bench->variants[i].setting_count == 0) {
            return storm_fail(error, STORM_LIMIT, "no memory for the settings of '%s'",
                              bench->variants[i].name);
        }
    }
    for (size_t i = 1; i < bench->experiment.count; i++) {
        if (bench->variants[i].scenario->duration != bench->variants[0].scenario->duration) {
            return storm_fail(error, STORM_INVALID,
                              "'%s' and '%s' do not last equally long and cannot be compared",
                              bench->variants[0].name, bench->variants[i].name);
        }
    }
    return true;
}

/* Where the dead letters of a column go: the file that was asked for, or one in --out-dir. */
static bool name_letters(const struct bench *bench, size_t column, char path[PATH_BYTES],
                         struct storm_error *error) {
    const char *asked = bench->options->dead_letters;
    char ending[NAME_BYTES];
    if (asked == NULL) {
        snprintf(ending, sizeof ending, "%.200s.dead-letters.jsonl", column_name(bench, column));
        return name_output(bench, ending, path, error);
    }
    if (bench->experiment.count > 1) {
        return storm_fail(error, STORM_USAGE,
                          "--dead-letters takes those of one variant; --out-dir those of several");
    }
    snprintf(path, PATH_BYTES, "%s", asked);
    return strlen(asked) < PATH_BYTES ||
           storm_fail(error, STORM_USAGE, "the name of a file is too long");
}

/* What was done about the letters that the file had until now must not be taken for what is done
   about the new ones. */
static void warn_of_audit(const char *letters) {
    char audit[PATH_BYTES + sizeof ".audit.jsonl"];
    snprintf(audit, sizeof audit, "%s.audit.jsonl", letters);
    if (access(audit, F_OK) == 0) {
        fprintf(stderr,
                "retrystorm: warning: '%s' is of other letters: those that '%s' held before\n"
                "  = help: move or remove it, or give 'dlq' another one with --audit\n",
                audit, letters);
    }
}

/* Dead letters of run 0 are written while it runs, one file for each column. */
static bool open_letters(struct bench *bench, struct storm_error *error) {
    for (size_t i = 0; i < bench->experiment.count; i++) {
        char path[PATH_BYTES];
        if (!name_letters(bench, i, path, error) ||
            !outfile_open(&bench->letters[i], path, error)) {
            return false;
        }
        warn_of_audit(path);
        bench->letters_open++;
        bench->sinks[i] = (struct dead_letter_sink){.out = bench->letters[i].stream,
                                                    .scenario = bench->variants[i].scenario};
        bench->variants[i].also = (struct storm_listener){dead_letter_hear, &bench->sinks[i]};
    }
    return true;
}

static void discard_letters(struct bench *bench) {
    for (size_t i = 0; i < bench->letters_open; i++) {
        outfile_discard(&bench->letters[i]);
    }
    bench->letters_open = 0;
}

static bool commit_letters(struct bench *bench, struct storm_error *error) {
    bool good = true;
    size_t count = bench->letters_open;
    bench->letters_open = 0;
    for (size_t i = 0; i < count; i++) {
        if (good) {
            good = outfile_commit(&bench->letters[i], error);
        } else {
            outfile_discard(&bench->letters[i]);
        }
    }
    return good;
}

/* As many runs of all columns as it takes to tell how they differ. */
static struct storm_results *compare_columns(const struct bench *bench,
                                             const struct trials_plan *runs, struct arena *arena,
                                             struct storm_error *error) {
    const struct cli_options *options = bench->options;
    const struct cli_compare *asked = &options->compare;
    uint32_t most = options->max_runs > 0 ? options->max_runs : COMPARE_RUNS_MOST;
    struct compare_plan plan = {.reference = bench->experiment.reference,
                                .tolerance =
                                    asked->has_tolerance ? asked->tolerance : COMPARISON_TOLERANCE,
                                .precision = asked->precision,
                                .runs = runs->runs,
                                .runs_most = most > runs->runs ? most : runs->runs};
    struct trials *trials = trials_begin(runs, arena, error);
    if (trials == NULL) {
        return NULL;
    }
    struct storm_results *results = compare_trials(trials, &plan, arena, error);
    trials_end(trials);
    return results;
}

/* Whether the comparison is as sure as was asked for; says so when it is not. */
static bool is_sure(const struct bench *bench, const struct storm_results *results) {
    double precision = bench->options->compare.precision;
    if (!bench->experiment.compares || !(precision > 0) || compare_is_precise(results, precision)) {
        return true;
    }
    fprintf(stderr,
            "retrystorm: %u runs do not make all differences known to %g %%\n"
            "  = help: allow more with --max-runs, or ask for less\n",
            results->runs, 100 * precision);
    return false;
}

static struct storm_results *make_runs(struct bench *bench, struct arena *arena,
                                       struct storm_error *error) {
    const struct cli_options *options = bench->options;
    const struct storm_scenario *first = bench->variants[0].scenario;
    struct progress progress;
    struct trials_plan plan = {.file = bench->file,
                               .overrides = bench->overrides,
                               .variants = bench->variants,
                               .variant_count = (uint32_t)bench->experiment.count,
                               .runs = options->runs > 0 ? options->runs : first->runs,
                               .threads = options->threads,
                               .seed = options_seed(options, first->seed),
                               .max_events = options->max_events,
                               .max_memory = options->max_memory,
                               .stop = interrupt_listen(),
                               .progress = progress_is_wanted(options) ? progress_tick : NULL,
                               .progress_context = &progress};
    progress_begin(&progress);
    struct storm_results *results = bench->experiment.compares
                                        ? compare_columns(bench, &plan, arena, error)
                                        : trials_run(&plan, arena, error);
    progress_end(&progress);
    if (results != NULL) {
        interval_fill(results);
    }
    return results;
}

/* The files of --out-dir: one of each kind under the scenario's name. The JSON file's name stays
   in `json`. */
static bool write_directory(const struct bench *bench, const struct storm_results *results,
                            char json[PATH_BYTES], struct storm_error *error) {
    static const char *const extensions[] = {"png", "svg", "pdf", "csv", "json"};
    for (size_t i = 0; i < sizeof extensions / sizeof extensions[0]; i++) {
        if (!name_output(bench, extensions[i], json, error) ||
            !output_write(results, bench->options, json, error)) {
            return false;
        }
    }
    return true;
}

/* Writes all that was asked for. What cannot be written keeps nothing else from being written;
   the first error is kept. */
static bool write_results(struct bench *bench, const struct storm_results *results,
                          struct storm_error *error) {
    const struct cli_options *options = bench->options;
    struct storm_error later;
    char json[PATH_BYTES] = "";
    bool good = commit_letters(bench, error) &&
                (options->out_dir == NULL || write_directory(bench, results, json, error));
    if (!good) {
        json[0] = '\0';
    }
    for (size_t i = 0; i < options->output_count; i++) {
        const char *file = options->outputs[i];
        bool written = output_write(results, options, file, good ? error : &later);
        if (written && json[0] == '\0' && output_is_result(file)) {
            snprintf(json, sizeof json, "%.4095s", file);
        }
        good = written && good;
    }
    bool printed = output_print(results, options, json[0] != '\0' ? json : NULL,
                                bench->experiment.full, good ? error : &later);
    return printed && good;
}

static enum cli_exit run_and_write(struct bench *bench, struct arena *arena) {
    struct storm_error error = {0}, ended = {0};
    const struct cli_options *options = bench->options;
    bool ready = check_columns(bench, &error) && check_service(bench, &error);
    if (ready && options->out_dir != NULL) {
        ready = output_make_directory(options->out_dir, &error);
    }
    if (ready && (options->out_dir != NULL || options->dead_letters != NULL)) {
        ready = open_letters(bench, &error);
    }
    for (size_t i = 0; ready && i < options->output_count; i++) {
        ready = output_check(options->outputs[i], &error);
    }
    if (!ready) {
        return complain(&error);
    }
    struct storm_results *results = make_runs(bench, arena, &ended);
    if (results == NULL) {
        return complain(&ended);
    }
    /* Without a finished run there is nothing to show, and the dead letters of run 0 are cut off
       anywhere. */
    if (results->runs > 0 && !write_results(bench, results, &error)) {
        return complain(&error);
    }
    if (!results->complete) {
        return complain(&ended);
    }
    return is_sure(bench, results) ? CLI_YES : CLI_INCONCLUSIVE;
}

/* What experiment_do does with the scenario's file. */
static enum cli_exit experiment_of(struct bench *bench, experiment_choose *choose) {
    struct storm_errors errors = {0};
    struct storm_error error = {0};
    struct arena arena;
    enum cli_exit code;
    arena_init(&arena, (size_t)-1);
    if (!choose(bench->scenario.document, bench->options, &bench->experiment, &error)) {
        code = complain(&error);
    } else if (!decode_columns(bench, &errors)) {
        code = scenario_file_complain(&bench->scenario, &errors);
    } else {
        code = run_and_write(bench, &arena);
    }
    discard_letters(bench);
    arena_free(&arena);
    return code;
}

enum cli_exit experiment_do(const struct cli_options *options, experiment_choose *choose) {
    struct bench bench = {.options = options};
    name_files(&bench);
    options_overrides(options, bench.overrides, sizeof bench.overrides);
    enum cli_exit code = scenario_file_read(&bench.scenario, options->operand);
    code = code == CLI_YES ? experiment_of(&bench, choose) : code;
    scenario_file_free(&bench.scenario);
    return code;
}
