/* cmd_check.c: whether scenarios keep their bounds, and are no worse than their baseline. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/outfile.h"
#include "cli/commands.h"
#include "cli/complain.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/run_rules.h"
#include "cli/scenario_file.h"
#include "guard/bounds.h"
#include "guard/check.h"
#include "guard/discover.h"
#include "report/check_report.h"

/* Everything one check holds while it runs. */
struct checking {
    const struct cli_options *options;
    const char *baseline_file;
    struct baseline baseline;
    struct tolerances tolerances;
    struct storm_check check;
    uint32_t count; /* of the scenarios that are checked */
    const char *const *names;
    struct scenario_file *files;
    struct subject *subjects;
    struct arena arena;
    struct progress progress;
    uint32_t runs_before, runs_total; /* for the progress */
    uint64_t events_before, events_now;
};

/* ---- what is asked --------------------------------------------------------------------------- */

/* What is asked for and cannot be had; NULL: nothing. */
static const char *refusal(const struct cli_options *options) {
    const struct cli_check *check = &options->check;
    const char *ci = getenv("CI");
    const char *const files[] = {check->md, check->junit, check->tap};
    int streams = 0;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        streams += files[i] != NULL && strcmp(files[i], "-") == 0;
    }
    if (check->update && check->no_baseline) {
        return "--update writes the baseline, and --no-baseline wants none";
    }
    if (check->update && !check->force && ci != NULL && strcmp(ci, "true") == 0) {
        return "--update would let a build pass by changing what it is measured by; where that is "
               "wanted under CI=true, add --force";
    }
    if (check->github && (check->format != CLI_CHECK_TEXT || streams > 0)) {
        return "--github writes to standard output, and so only text can stand beside it";
    }
    return streams > 1 ? "only one report can go to standard output" : NULL;
}

static bool is_same_file(const char *a, const char *b) {
    struct stat left, right;
    return strcmp(a, b) == 0 || (stat(a, &left) == 0 && stat(b, &right) == 0 &&
                                 left.st_dev == right.st_dev && left.st_ino == right.st_ino);
}

/* A report must not take the place of a scenario or of the baseline. */
static bool spares_inputs(const struct checking *checking, const char *report,
                          struct storm_error *error) {
    bool spares = checking->baseline_file == NULL || !is_same_file(report, checking->baseline_file);
    for (uint32_t i = 0; spares && i < checking->count; i++) {
        spares = !is_same_file(report, checking->names[i]);
    }
    return spares || storm_fail(error, STORM_USAGE, "'%.200s' is what is checked", report);
}

/* That files cannot be written is better said before the runs than after them. */
static bool check_places(const struct checking *checking, struct storm_error *error) {
    const struct cli_check *asked = &checking->options->check;
    const char *const files[] = {asked->md, asked->junit, asked->tap,
                                 asked->update ? checking->baseline_file : NULL};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        if (files[i] == NULL || strcmp(files[i], "-") == 0) {
            continue;
        }
        bool is_report = i < 3;
        if ((is_report && !spares_inputs(checking, files[i], error)) ||
            !output_check_place(files[i], error)) {
            return false;
        }
    }
    return true;
}

static bool read_tolerances(struct checking *checking, struct storm_error *error) {
    const struct cli_check *asked = &checking->options->check;
    checking->tolerances = tolerances_usual();
    for (size_t i = 0; i < asked->tolerance_count; i++) {
        if (!tolerances_add(&checking->tolerances, asked->tolerances[i], error)) {
            return false;
        }
    }
    return true;
}

/* The baseline, where one is asked for. That there is no such file is no error yet. */
static bool read_baseline(struct checking *checking, struct storm_error *error) {
    const struct cli_check *asked = &checking->options->check;
    if (asked->no_baseline) {
        return true;
    }
    const char *file = asked->baseline != NULL ? asked->baseline : BASELINE_FILE;
    checking->baseline_file = file;
    checking->check.baseline = file;
    if (access(file, F_OK) != 0) {
        checking->check.is_new = true;
        return true;
    }
    return baseline_read(&checking->baseline, file, &checking->arena, error) ||
           complain_blame(file, error);
}

/* Which scenarios: those named, or those that are found, which is said. */
static bool find_scenarios(struct checking *checking, struct storm_error *error) {
    const struct cli_options *options = checking->options;
    struct discovery found;
    if (options->operand_count > 0) {
        checking->names = options->operands;
        checking->count = (uint32_t)options->operand_count;
        return true;
    }
    if (!discover(&checking->baseline, &checking->arena, &found, error)) {
        return false;
    }
    checking->names = found.files;
    checking->count = found.count;
    if (!options->quiet) {
        fprintf(stderr, "checking %u of %u files of %s", found.count,
                found.count + found.passed_count, found.pattern);
        for (uint32_t i = 0; i < found.passed_count; i++) {
            fprintf(stderr, "%s %s", i == 0 ? "; these expect nothing:" : ",", found.passed[i]);
        }
        fputc('\n', stderr);
    }
    return true;
}

/* ---- scenarios ------------------------------------------------------------------------------- */

static enum cli_exit load_scenario(struct checking *checking, uint32_t index) {
    const struct cli_options *options = checking->options;
    struct scenario_file *file = &checking->files[index];
    struct subject *subject = &checking->subjects[index];
    struct storm_errors errors = {0};
    struct storm_error error = {0};
    enum cli_exit code = scenario_file_read(file, checking->names[index]);
    if (code != CLI_YES) {
        return code;
    }
    subject->file = checking->names[index];
    subject->name = scenario_file_base(subject->file);
    bool decoded = subject_decode(subject, file->document, &checking->arena, &errors);
    if (errors.count > 0 || (decoded && !bounds_known(subject, &errors))) {
        return scenario_file_complain(file, &errors);
    }
    if (!decoded) {
        storm_fail(&error, STORM_LIMIT, "no memory for the variants of '%s'", subject->file);
        return complain(&error);
    }
    for (uint32_t v = 0; v < subject->variant_count; v++) {
        tolerances_meet(&checking->tolerances, &subject->variants[v].blank);
    }
    subject_usual_runs(subject, &checking->baseline);
    subject->seed = options_seed(options, subject->seed);
    subject->runs = options->runs > 0 ? options->runs : subject->runs;
    checking->runs_total += subject->runs * subject->variant_count;
    return CLI_YES;
}

/* All scenarios are looked at before any runs; the worst of what is wrong is returned. */
static enum cli_exit load_scenarios(struct checking *checking) {
    struct storm_error error = {0};
    enum cli_exit worst = CLI_YES;
    checking->files = arena_take_array(&checking->arena, checking->count, sizeof *checking->files);
    checking->subjects =
        arena_take_array(&checking->arena, checking->count, sizeof *checking->subjects);
    checking->check.scenarios = arena_take_array(
        &checking->arena, (size_t)checking->count + checking->baseline.scenario_count,
        sizeof *checking->check.scenarios);
    if (checking->files == NULL || checking->subjects == NULL ||
        checking->check.scenarios == NULL) {
        checking->count = 0;
        storm_fail(&error, STORM_LIMIT, "no memory for the scenarios");
        return complain(&error);
    }
    for (uint32_t i = 0; i < checking->count; i++) {
        enum cli_exit code = load_scenario(checking, i);
        worst = code > worst ? code : worst;
    }
    if (worst != CLI_YES) {
        return worst;
    }
    bool good = subjects_pair(checking->subjects, checking->count, &checking->baseline,
                              checking->options->check.update, &error) &&
                tolerances_all_met(&checking->tolerances, &error);
    return good ? CLI_YES : complain(&error);
}

/* ---- runs ------------------------------------------------------------------------------------ */

static void tick(void *context, uint32_t done, uint64_t events) {
    struct checking *checking = context;
    checking->events_now = events;
    progress_tick(&checking->progress, checking->runs_before + done, checking->runs_total,
                  checking->events_before + events);
}

static bool run_scenario(struct checking *checking, const struct subject *subject,
                         struct storm_error *error) {
    struct batch_rules rules = run_rules(checking->options, subject->seed, tick, checking);
    const struct baseline *asked = checking->baseline_file != NULL ? &checking->baseline : NULL;
    struct storm_check *check = &checking->check;
    struct baseline_scenario made;
    if (!subject_run(subject, &rules, &checking->arena, &made, error)) {
        return false;
    }
    checking->runs_before += subject->runs * subject->variant_count;
    checking->events_before += checking->events_now;
    if (!check_judge(subject, &made, asked, &checking->tolerances, &checking->arena,
                     &check->scenarios[check->scenario_count]) ||
        (checking->options->check.update &&
         !baseline_put(&checking->baseline, &made, &checking->arena))) {
        return storm_fail(error, STORM_LIMIT, "no memory to judge '%s'", subject->file);
    }
    check->scenario_count++;
    return true;
}

/* False after filling `error`, when a run was not made; what was finished is kept. */
static bool run_scenarios(struct checking *checking, struct storm_error *error) {
    bool good = true;
    progress_begin(&checking->progress);
    for (uint32_t i = 0; good && i < checking->count; i++) {
        good = run_scenario(checking, &checking->subjects[i], error);
    }
    progress_end(&checking->progress);
    if (good && checking->options->operand_count == 0) {
        check_find_gone(&checking->check, &checking->baseline, checking->subjects, checking->count,
                        checking->options->check.update);
    }
    checking->check.doubt = checking->options->check.doubt;
    checking->check.is_updated = good && checking->options->check.update;
    check_conclude(&checking->check);
    checking->check.answer = good ? checking->check.answer : STORM_CHECK_CUT;
    return good;
}

/* ---- reports --------------------------------------------------------------------------------- */

static bool write_baseline(struct checking *checking, struct storm_error *error) {
    struct outfile out;
    if (!checking->check.is_updated) {
        return true;
    }
    if (!outfile_open(&out, checking->baseline_file, error)) {
        return false;
    }
    baseline_write(&checking->baseline, out.stream);
    return outfile_commit(&out, error);
}

static bool write_report(const struct storm_check *check, check_writer *writer, const char *file,
                         struct storm_error *error) {
    struct outfile out;
    if (file == NULL) {
        return true;
    }
    if (!outfile_open(&out, file, error)) {
        return false;
    }
    writer(check, out.stream);
    return outfile_commit(&out, error);
}

static bool is_stream(const char *file) { return file != NULL && strcmp(file, "-") == 0; }

static bool print_check(const struct checking *checking, struct storm_error *error) {
    const struct cli_check *asked = &checking->options->check;
    struct report_text text = {.color = output_wants_color(checking->options),
                               .no_next = checking->options->quiet};
    check_writer *const writers[] = {[CLI_CHECK_MD] = check_write_md,
                                     [CLI_CHECK_JSON] = check_write_json,
                                     [CLI_CHECK_BENCH] = check_write_bench};
    bool written = true;
    if (is_stream(asked->md) || is_stream(asked->junit) || is_stream(asked->tap)) {
        return true; /* standard output is that one's */
    }
    output_begin();
    if (asked->github) {
        written = check_write_github(&checking->check, stdout);
    }
    if (asked->format == CLI_CHECK_TEXT) {
        written = check_write_text(&checking->check, &text, stdout) && written;
    } else {
        written = writers[asked->format](&checking->check, stdout) && written;
    }
    return output_end(written, error);
}

/* Writes all that was asked for; the first error is returned. */
static bool write_reports(struct checking *checking, struct storm_error *error) {
    const struct cli_check *asked = &checking->options->check;
    const struct storm_check *check = &checking->check;
    return write_baseline(checking, error) &&
           write_report(check, check_write_md, asked->md, error) &&
           write_report(check, check_write_junit, asked->junit, error) &&
           write_report(check, check_write_tap, asked->tap, error) && print_check(checking, error);
}

static enum cli_exit run_and_report(struct checking *checking) {
    static const enum cli_exit codes[] = {[STORM_CHECK_YES] = CLI_YES,
                                          [STORM_CHECK_NO] = CLI_NO,
                                          [STORM_CHECK_NO_BASELINE] = CLI_INVALID,
                                          [STORM_CHECK_INCONCLUSIVE] = CLI_INCONCLUSIVE};
    struct storm_error ended = {0}, error = {0};
    if (!run_scenarios(checking, &ended)) {
        /* What was finished is shown, and no file is written that could be taken for the whole. */
        if (checking->check.scenario_count > 0 && !print_check(checking, &error)) {
            complain(&error);
        }
        return complain(&ended);
    }
    return write_reports(checking, &error) ? codes[checking->check.answer] : complain(&error);
}

enum cli_exit cmd_check(const struct cli_options *options) {
    struct checking checking = {.options = options};
    struct storm_error error = {0};
    const char *refused = refusal(options);
    enum cli_exit code;
    if (refused != NULL) {
        storm_fail(&error, STORM_USAGE, "%s", refused);
        return complain(&error);
    }
    arena_init(&checking.arena, (size_t)-1);
    if (!read_tolerances(&checking, &error) || !read_baseline(&checking, &error) ||
        !find_scenarios(&checking, &error) || !check_places(&checking, &error)) {
        code = complain(&error);
    } else {
        code = load_scenarios(&checking);
        code = code == CLI_YES ? run_and_report(&checking) : code;
    }
    for (uint32_t i = 0; checking.files != NULL && i < checking.count; i++) {
        scenario_file_free(&checking.files[i]);
    }
    arena_free(&checking.arena);
    return code;
}
