/* cmd_trace.c: follow one request of a run through all attempts that were made for it. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <retrystorm/run.h>

#include "base/arena.h"
#include "base/suggest.h"
#include "cli/commands.h"
#include "cli/complain.h"
#include "cli/output.h"
#include "cli/scenario_file.h"
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

static bool run_with(const struct storm_scenario *scenario, const struct cli_options *options,
                     struct storm_listener listener, struct storm_error *error) {
    struct storm_run_options run = {.seed = options->has_seed ? options->seed : scenario->seed,
                                    .run = options->run,
                                    .max_events = options->max_events,
                                    .max_memory = options->max_memory,
                                    .also = listener};
    struct storm_run_result result;
    struct arena passing;
    arena_init(&passing, (size_t)-1);
    bool done = storm_run(scenario, &run, &passing, &result, error);
    arena_free(&passing);
    return done;
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

static bool write_story(const struct storm_scenario *scenario, const struct cli_options *options,
                        const struct storm_story *story, struct storm_error *error) {
    struct story_source source = {.file = scenario_file_base(options->operand),
                                  .variant = options->variants[0],
                                  .run = options->run,
                                  .seed = options->has_seed ? options->seed : scenario->seed};
    output_begin();
    bool written = options->jsonl ? story_write_jsonl(story, scenario, stdout)
                                  : story_write_text(story, scenario, &source, stdout);
    return output_end(written, error);
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
    enum cli_exit code = follow(scenario, options, &arena, &error) ? CLI_YES : complain(&error);
    arena_free(&arena);
    return code;
}

enum cli_exit cmd_trace(const struct cli_options *options) {
    struct storm_error error = {0};
    struct scenario_file file;
    const struct storm_scenario *scenario;
    if (options->variant_count > 1) {
        storm_fail(&error, STORM_USAGE, "'trace' takes one --variant");
        return complain(&error);
    }
    enum cli_exit code = scenario_file_decode(&file, options->operand, options, &scenario);
    code = code == CLI_YES ? trace(options, scenario) : code;
    scenario_file_free(&file);
    return code;
}
