/* cmd_trace.c: follow one request of a run through all attempts that were made for it, or look at
   all that happens in a window of time. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <retrystorm/run.h>

#include "base/arena.h"
#include "base/outfile.h"
#include "base/suggest.h"
#include "cli/commands.h"
#include "cli/complain.h"
#include "cli/output.h"
#include "cli/scenario_file.h"
#include "cli/trace_window.h"
#include "record/trace.h"
#include "report/story.h"

/* A number at the end of a request's name, after ':' or '-'; the name ends there. */
static bool cut_number(char *name, uint32_t *number) {
    char *colon = strrchr(name, ':'), *dash = strrchr(name, '-');
    char *mark = colon == NULL || (dash != NULL && dash > colon) ? dash : colon;
    double value;
    if (mark == NULL || mark == name ||
        storm_unit_parse(mark + 1, STORM_UNIT_COUNT, &value, NULL, 0) != NULL || value < 0 ||
        value >= UINT32_MAX) {
        return false;
    }
    *number = (uint32_t)value;
    *mark = '\0';
    return true;
}

/* The request that is named CLIENTS:MEMBER:ORDINAL, or as in a dead letter's msg_id. */
static bool name_request(const struct storm_scenario *scenario, const char *text,
                         struct storm_fact *request, struct storm_error *error) {
    char name[256];
    snprintf(name, sizeof name, "%s", text);
    if (!cut_number(name, &request->ordinal) || !cut_number(name, &request->member)) {
        return storm_fail(error, STORM_USAGE,
                          "--request must be CLIENTS:MEMBER:ORDINAL, dead, slow or retried, not "
                          "'%.100s'",
                          text);
    }
    struct suggest suggest = suggest_begin(name);
    for (uint32_t i = 0; i < scenario->population_count; i++) {
        if (strcmp(scenario->populations[i].name, name) == 0) {
            request->place = (uint16_t)i;
            return true;
        }
        suggest_offer(&suggest, scenario->populations[i].name);
    }
    storm_fail(error, STORM_INVALID, "there are no clients '%.100s'", name);
    suggest_hint(&suggest, error->suggestion, sizeof error->suggestion);
    return false;
}

static struct storm_run_options run_of(const struct storm_scenario *scenario,
                                       const struct cli_options *options) {
    return (struct storm_run_options){.seed = options_seed(options, scenario->seed),
                                      .run = options->run,
                                      .max_events = options->max_events,
                                      .max_memory = options->max_memory};
}

static bool run_with(const struct storm_scenario *scenario, const struct cli_options *options,
                     struct storm_listener listener, struct storm_error *error) {
    struct storm_run_options run = run_of(scenario, options);
    run.also = listener;
    return storm_run_hear(scenario, &run, error);
}

/* Lets the run choose: a first pass over it. */
static bool choose_request(const struct storm_scenario *scenario, const struct cli_options *options,
                           enum trace_choice choice, struct storm_fact *request,
                           struct storm_error *error) {
    static const char *const missing[] = {[TRACE_USUAL] = "ended",
                                          [TRACE_DEAD] = "was given up",
                                          [TRACE_SLOW] = "succeeded",
                                          [TRACE_RETRIED] = "succeeded after a retry"};
    struct trace_chooser chooser = {.choice = choice};
    if (!run_with(scenario, options, (struct storm_listener){trace_choose, &chooser}, error)) {
        return false;
    }
    *request = chooser.chosen;
    return chooser.found || storm_fail(error, STORM_INVALID, "no request of run %u %s",
                                       options->run, missing[choice]);
}

static bool find_request(const struct storm_scenario *scenario, const struct cli_options *options,
                         struct storm_fact *request, struct storm_error *error) {
    static const struct {
        const char *word;
        enum trace_choice choice;
    } words[] = {{"dead", TRACE_DEAD}, {"slow", TRACE_SLOW}, {"retried", TRACE_RETRIED}};
    const char *wanted = options->request;
    *request = (struct storm_fact){0};
    if (wanted == NULL) {
        return choose_request(scenario, options, TRACE_USUAL, request, error);
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(words[i].word, wanted) == 0) {
            return choose_request(scenario, options, words[i].choice, request, error);
        }
    }
    return name_request(scenario, wanted, request, error);
}

static struct story_source source_of(const struct storm_scenario *scenario,
                                     const struct cli_options *options) {
    return (struct story_source){.file = scenario_file_base(options->operand),
                                 .variant = options->variants[0],
                                 .run = options->run,
                                 .seed = options_seed(options, scenario->seed)};
}

static bool write_to(const struct storm_scenario *scenario, const struct cli_options *options,
                     const struct storm_story *story, FILE *out) {
    struct story_source source = source_of(scenario, options);
    return options->jsonl ? story_write_jsonl(story, scenario, out)
                          : story_write_text(story, scenario, &source, out);
}

/* The request as a window, from the first to the last of its story: a third pass. */
static bool write_slices(const struct storm_scenario *scenario, const struct cli_options *options,
                         const struct storm_story *story, struct storm_error *error) {
    struct story_source source = source_of(scenario, options);
    storm_time last = story->ended ? story->end.fact.time : 0;
    last = storm_time_later(last, story->lines[story->line_count - 1].fact.time);
    struct storm_window window = {.from = story->lines[0].fact.time,
                                  .to = last + 1,
                                  .service = STORM_NONE,
                                  .population = story->population,
                                  .member = story->member,
                                  .ordinal = story->ordinal};
    return trace_write_window(scenario, options, &window, run_of(scenario, options), &source,
                              error);
}

static bool write_story(const struct storm_scenario *scenario, const struct cli_options *options,
                        const struct storm_story *story, struct storm_error *error) {
    struct outfile file;
    if (options->chrome) {
        return write_slices(scenario, options, story, error);
    }
    if (options->output_count > 0) {
        if (!outfile_open(&file, options->outputs[0], error)) {
            return false;
        }
        write_to(scenario, options, story, file.stream);
        return outfile_commit(&file, error);
    }
    output_begin();
    return output_end(write_to(scenario, options, story, stdout), error);
}

static bool look_at_window(const struct storm_scenario *scenario, const struct cli_options *options,
                           struct storm_error *error) {
    struct story_source source = source_of(scenario, options);
    struct storm_window window;
    return trace_read_window(scenario, options, &window, error) &&
           trace_write_window(scenario, options, &window, run_of(scenario, options), &source,
                              error);
}

/* Finds the request and follows it: a second pass over the same run. */
static bool follow(const struct storm_scenario *scenario, const struct cli_options *options,
                   struct arena *arena, struct storm_error *error) {
    struct storm_fact request;
    if (!find_request(scenario, options, &request, error)) {
        return false;
    }
    struct trace *followed = trace_new(arena, scenario, &request);
    if (followed == NULL) {
        return storm_fail(error, STORM_LIMIT, "no memory to follow a request");
    }
    if (!run_with(scenario, options, (struct storm_listener){trace_hear, followed}, error)) {
        return false;
    }
    const struct storm_story *story = trace_story(followed);
    assert(options->request == NULL || story->key != 0 || !story->born);
    if (!story->born) {
        return storm_fail(error, STORM_INVALID,
                          "client %u of '%.60s' has no request %u in run %u (both count from 0)",
                          request.member, scenario->populations[request.place].name,
                          request.ordinal, options->run);
    }
    return write_story(scenario, options, story, error);
}

static enum cli_exit trace(const struct cli_options *options,
                           const struct storm_scenario *scenario) {
    struct storm_error error = {0};
    struct arena arena;
    arena_init(&arena, (size_t)-1);
    bool good = trace_has_window(options) ? look_at_window(scenario, options, &error)
                                          : follow(scenario, options, &arena, &error);
    arena_free(&arena);
    return good ? CLI_YES : complain(&error);
}

/* What is asked for and does not go together; NULL: nothing. */
static const char *refusal(const struct cli_options *options) {
    bool has_window = trace_has_window(options);
    bool narrows = options->service != NULL || options->clients != NULL;
    return options->variant_count > 1  ? "'trace' takes one --variant"
           : options->output_count > 1 ? "'trace' writes one file"
           : has_window && options->request != NULL
               ? "--request has its own window: leave out --from and --to"
           : !has_window && narrows ? "--service and --clients need a window: --from, --to"
           : !has_window && options->trace_limit > 0 && !options->chrome
               ? "--limit needs a window: --from, --to"
               : NULL;
}

/* The format that the name of the file says, where none was given. */
static void follow_name(struct cli_options *options) {
    const char *file = options->outputs[0];
    const char *dot = file != NULL ? strrchr(file, '.') : NULL;
    if (dot != NULL && !options->has_format) {
        options->jsonl = strcmp(dot, ".jsonl") == 0;
        options->chrome = strcmp(dot, ".json") == 0;
    }
}

enum cli_exit cmd_trace(const struct cli_options *asked) {
    struct cli_options named = *asked;
    const struct cli_options *options = &named;
    follow_name(&named);
    struct storm_error error = {0};
    struct scenario_file file;
    const struct storm_scenario *scenario;
    const char *refused = refusal(options);
    if (refused != NULL) {
        storm_fail(&error, STORM_USAGE, "%s", refused);
        return complain(&error);
    }
    enum cli_exit code = scenario_file_decode(&file, options->operand, options, &scenario);
    code = code == CLI_YES ? trace(options, scenario) : code;
    scenario_file_free(&file);
    return code;
}
