/* dlq_replay.c: send dead letters once more, in a run of a repaired scenario. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <assert.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include <retrystorm/run.h>

#include "base/arena.h"
#include "base/outfile.h"
#include "base/timestamp.h"
#include "cli/commands.h"
#include "cli/complain.h"
#include "cli/letter_file.h"
#include "cli/output.h"
#include "cli/scenario_file.h"
#include "letters/plan.h"
#include "letters/replay.h"
#include "letters/replay_text.h"
#include "report/text.h"
#include "scenario/epoch.h"

/* The world comes to rest before the letters come: so long, or a tenth of a short run. */
enum { WARM_UP_SECONDS = 30, WARM_UP_PART = 10 };

/* Everything one replay holds. */
struct drill {
    const struct cli_options *options;
    struct letter_file file;
    const struct storm_scenario *scenario;
    struct letter **chosen;
    struct plan_wish wish;
    struct plan_target target;
    struct plan_load load;
    struct replay_about about;
    struct replay replay;
};

/* ---- which letters --------------------------------------------------------------------------- */

/* Why a letter stays behind, as a place to count it; NULL: it goes. */
static uint32_t *stay_behind(struct drill *drill, const struct letter *letter) {
    const struct cli_letters *asked = &drill->options->letters;
    struct replay_left_out *left = &drill->about.left_out;
    if (letter->repeated) {
        return &left->repeated;
    }
    if (letter_is_resolved(letter->state)) {
        return &left->resolved;
    }
    if (letter->state == LETTER_REPLAYED) {
        return &left->replayed;
    }
    if (letter->state != LETTER_UNREVIEWED && !asked->again) {
        return &left->unclear;
    }
    if (letter->says.data && !asked->with_data) {
        return &left->data;
    }
    return asked->limit > 0 && drill->wish.count == asked->limit ? &left->over_limit : NULL;
}

static bool choose_letters(struct drill *drill, struct storm_error *error) {
    struct letters *letters = &drill->file.letters;
    struct letter_filter filter;
    drill->chosen = arena_take_array(&drill->file.arena, letters->count, sizeof *drill->chosen);
    if (drill->chosen == NULL) {
        return storm_fail(error, STORM_LIMIT, "no memory to choose letters");
    }
    if (!letter_file_filter(&drill->file, drill->options, &filter, error)) {
        return false;
    }
    for (uint32_t i = 0; i < letters->count; i++) {
        struct letter *letter = &letters->list[i];
        if (!letter_filter_passes(&filter, letter)) {
            continue;
        }
        uint32_t *behind = stay_behind(drill, letter);
        if (behind != NULL) {
            ++*behind;
        } else {
            drill->chosen[drill->wish.count++] = letter;
        }
    }
    drill->wish.letters = drill->chosen;
    return true;
}

static void add_help(struct storm_error *error, uint32_t count, const char *what) {
    char number[TEXT_NUMBER_SIZE];
    size_t used = strlen(error->suggestion);
    snprintf(error->suggestion + used, sizeof error->suggestion - used, "%s%s %s",
             used > 0 ? ", " : "", text_number(count, number), what);
}

/* Nobody is left to be sent: says why. */
static bool fail_empty(const struct drill *drill, struct storm_error *error) {
    const struct replay_left_out *left = &drill->about.left_out;
    storm_fail(error, STORM_INVALID, "'%.100s' has no letter to replay", drill->file.letters.name);
    /* What can still be sent, and how; what is done is said when there is nothing else. */
    if (left->unclear > 0) {
        add_help(error, left->unclear, "dead again or in doubt (--again sends them)");
    }
    if (left->data > 0) {
        add_help(error, left->data, "of class data would fail again (--with-data sends them)");
    }
    if (left->unclear + left->data == 0 && left->replayed + left->resolved > 0) {
        add_help(error, left->replayed, "replayed with success");
        add_help(error, left->resolved, "resolved by somebody");
    }
    return false;
}

/* ---- how ------------------------------------------------------------------------------------- */

static storm_time begin_of(const struct drill *drill) {
    storm_time asked = drill->options->letters.at, usual = WARM_UP_SECONDS * STORM_SECOND;
    if (asked > 0) {
        return asked;
    }
    return storm_time_earlier(usual, drill->scenario->duration / WARM_UP_PART);
}

static bool make_plan(struct drill *drill, struct storm_error *error) {
    const struct cli_letters *asked = &drill->options->letters;
    drill->wish.scenario = drill->scenario;
    drill->wish.at = begin_of(drill);
    drill->wish.pace =
        (struct storm_pace){.rate = asked->rate,
                            .ramp = asked->ramp,
                            .probe = asked->probe,
                            .probe_success = asked->probe_success > 0 ? asked->probe_success : 0.9,
                            .limit = drill->wish.count};
    if (asked->ramp > 0 && asked->rate <= 0) {
        return storm_fail(error, STORM_USAGE, "--ramp is the way to a --rate, which is missing");
    }
    if (drill->wish.at >= drill->scenario->duration) {
        return storm_fail(error, STORM_INVALID, "the run ends before --at");
    }
    if (!plan_target(&drill->wish, &drill->target, error)) {
        return false;
    }
    plan_load(&drill->wish, &drill->target, &drill->load);
    drill->about.letters_file = drill->file.letters.name;
    drill->about.scenario_file = scenario_file_base(asked->scenario);
    drill->about.variant = drill->options->variants[0];
    drill->about.by = asked->by != NULL ? asked->by : "unknown";
    drill->about.audit = drill->file.audit_path;
    drill->about.output = drill->options->outputs[0];
    drill->about.seed = options_seed(drill->options, drill->scenario->seed);
    drill->about.wish = &drill->wish;
    drill->about.target = &drill->target;
    drill->about.load = &drill->load;
    return true;
}

/* ---- what speaks against it ------------------------------------------------------------------ */

/* Whether that speaks against it; then `error` says what. */
static bool may_happen_twice(const struct drill *drill, struct storm_error *error) {
    const char *name;
    if (plan_is_idempotent(drill->scenario, &drill->target, &name)) {
        return false;
    }
    storm_fail(error, STORM_INVALID,
               "nothing at '%.60s' keeps a letter that was done before from being done twice",
               name != NULL ? name : "the target");
    snprintf(error->suggestion, sizeof error->suggestion,
             "give it 'idempotency: {mode: store_and_return}', or --not-idempotent");
    return true;
}

static void warn(const struct storm_error *warning) {
    fprintf(stderr, "retrystorm: warning: %s\n", warning->message);
    if (warning->suggestion[0] != '\0') {
        fprintf(stderr, "  = help: %s\n", warning->suggestion);
    }
}

/* Says all that speaks against it, before anything is done. Whether it may go on. */
static bool look_ahead(const struct drill *drill) {
    const struct cli_letters *asked = &drill->options->letters;
    struct storm_error warning = {0};
    bool good = true;
    if (replay_is_too_much(&drill->about, &warning)) {
        warn(&warning);
        good = asked->force;
    }
    for (uint32_t i = 0; i < drill->scenario->fault_count; i++) {
        if (replay_meets_fault(&drill->about, i, &warning)) {
            warn(&warning);
            good = asked->force;
        }
    }
    if (!asked->not_idempotent && may_happen_twice(drill, &warning)) {
        warn(&warning);
        good = good && asked->force;
    }
    if (!good && !asked->dry_run) {
        fputs("retrystorm: nothing was sent: change what is warned of, or add --force\n", stderr);
    }
    return good || asked->dry_run;
}

/* ---- the run --------------------------------------------------------------------------------- */

/* Set by Ctrl-C, or when the audit file cannot be written: the run ends early. */
static volatile sig_atomic_t stopped;

static void note_interrupt(int number) { stopped = number; }

static void begin_audit(struct drill *drill) {
    const struct storm_scenario *scenario = drill->scenario;
    char at[TIMESTAMP_SIZE], now[TIMESTAMP_SIZE];
    const struct replay_about *about = &drill->about;
    struct audit_begin begin = {
        .by = about->by,
        .at = epoch_print(scenario->epoch + drill->wish.at, at),
        .now = drill->file.has_now ? epoch_print(drill->file.now, now) : NULL,
        .letters_file = about->letters_file,
        .scenario = about->scenario_file,
        .variant = about->variant,
        .seed = about->seed,
        .queue = storm_letter_queue_of(&scenario->populations[drill->target.population]),
        .letters = drill->wish.count,
        .rate = drill->wish.pace.rate,
        .ramp = drill->wish.pace.ramp,
        .probe = drill->wish.pace.probe};
    audit_replay_begins(&drill->file.audit, &begin);
}

/* The letters that died again, in a file of their own. */
static bool write_dead(const struct drill *drill, struct storm_error *error) {
    struct outfile out;
    if (drill->about.output == NULL) {
        return true;
    }
    if (!outfile_open(&out, drill->about.output, error)) {
        return false;
    }
    replay_write_dead(&drill->replay, out.stream);
    return outfile_commit(&out, error);
}

static bool run(struct drill *drill, struct storm_error *error) {
    struct replay *replay = &drill->replay;
    struct storm_run_options options = {.seed = drill->about.seed,
                                        .max_events = drill->options->max_events,
                                        .max_memory = drill->options->max_memory,
                                        .also = {replay_hear, replay},
                                        .stop = &stopped};
    struct storm_run_result result;
    struct arena passing;
    if (!replay_prepare(replay, &drill->wish, &drill->target, drill->about.seed, &drill->file.arena,
                        error)) {
        return false;
    }
    replay->audit = &drill->file.audit;
    replay->stop = &stopped;
    begin_audit(drill);
    signal(SIGINT, note_interrupt);
    signal(SIGTERM, note_interrupt);
    arena_init(&passing, (size_t)-1);
    bool done = storm_run(&replay->scenario, &options, &passing, &result, error);
    arena_free(&passing);
    if (!done) {
        audit_replay_progresses(replay->audit, &replay->totals, replay->count);
    }
    /* A file that cannot be written is the better reason for a run that was stopped. */
    if (!audit_sync(&drill->file.audit, error) || !done || !write_dead(drill, error)) {
        return false;
    }
    replay_finish(replay);
    return audit_sync(&drill->file.audit, error);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static bool print(const struct drill *drill, const struct replay *replay,
                  struct storm_error *error) {
    output_begin();
    if (drill->options->format == CLI_JSON) {
        return output_end(replay_write_json(&drill->about, replay, stdout), error);
    }
    bool written = replay_write_plan(&drill->about, stdout) &&
                   (replay == NULL || replay_write_text(&drill->about, replay, stdout));
    return output_end(written, error);
}

static enum cli_exit perform(struct drill *drill, struct storm_error *error) {
    if (!choose_letters(drill, error) || (drill->wish.count == 0 && !fail_empty(drill, error)) ||
        !make_plan(drill, error) ||
        !letter_file_spares(&drill->file, "output", drill->about.output, error)) {
        return complain(error);
    }
    if (!look_ahead(drill)) {
        return CLI_NO;
    }
    if (drill->options->letters.dry_run) {
        return print(drill, NULL, error) ? CLI_YES : complain(error);
    }
    if (!run(drill, error) || !print(drill, &drill->replay, error)) {
        return complain(error);
    }
    return drill->replay.totals.succeeded == drill->replay.count ? CLI_YES : CLI_NO;
}

static enum cli_exit check_options(const struct cli_options *options) {
    struct storm_error error = {0};
    if (options->letters.scenario == NULL) {
        storm_fail(&error, STORM_USAGE,
                   "'dlq replay' needs --scenario: the world in which the letters are sent again");
    } else if (options->format == CLI_CSV) {
        storm_fail(&error, STORM_USAGE, "'dlq replay' knows --format text and json");
    } else if (options->variant_count > 1 || options->output_count > 1) {
        storm_fail(&error, STORM_USAGE, "'dlq replay' takes one --variant and one --output");
    }
    return error.status == STORM_OK ? CLI_YES : complain(&error);
}

enum cli_exit dlq_replay(const struct cli_options *options) {
    struct drill drill = {.options = options};
    struct scenario_file scenario;
    struct storm_error error = {0};
    enum cli_exit code = check_options(options);
    if (code != CLI_YES) {
        return code;
    }
    code = scenario_file_decode(&scenario, options->letters.scenario, options, &drill.scenario);
    if (code == CLI_YES) {
        enum letter_access access = options->letters.dry_run ? LETTER_LOOK : LETTER_NOTE;
        bool is_read = letter_file_read(&drill.file, options, access, &error);
        code = is_read ? perform(&drill, &error) : complain(&error);
        letter_file_free(&drill.file);
    }
    scenario_file_free(&scenario);
    return code;
}
