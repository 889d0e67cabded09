/* trace_window.c: what happens in a window of a run, in the formats of `trace`. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/trace_window.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "base/outfile.h"
#include "base/suggest.h"
#include "cli/output.h"
#include "record/slices.h"
#include "record/window.h"
#include "report/story.h"

/* Unless --limit says otherwise: lines of text, and events of a trace (some 50 MB). */
enum { LINES_USUAL = 200, EVENTS_USUAL = 300000 };

/* ---- which window ---------------------------------------------------------------------------- */

bool trace_has_window(const struct cli_options *options) {
    return options->has_from || options->has_to;
}

static bool fail_name(struct suggest *suggest, const char *what, const char *name,
                      struct storm_error *error) {
    storm_fail(error, STORM_INVALID, "there is no %s '%.100s'", what, name);
    suggest_hint(suggest, error->suggestion, sizeof error->suggestion);
    return false;
}

static bool find_service(const struct storm_scenario *scenario, const char *name, uint32_t *service,
                         struct storm_error *error) {
    struct suggest suggest = suggest_begin(name);
    for (uint32_t i = 0; i < scenario->service_count; i++) {
        if (strcmp(scenario->services[i].name, name) == 0) {
            *service = i;
            return true;
        }
        suggest_offer(&suggest, scenario->services[i].name);
    }
    return fail_name(&suggest, "service", name, error);
}

static bool find_clients(const struct storm_scenario *scenario, const char *name, uint32_t *clients,
                         struct storm_error *error) {
    struct suggest suggest = suggest_begin(name);
    for (uint32_t i = 0; i < scenario->population_count; i++) {
        if (storm_is_consumer(&scenario->populations[i])) {
            continue;
        }
        if (strcmp(scenario->populations[i].name, name) == 0) {
            *clients = i;
            return true;
        }
        suggest_offer(&suggest, scenario->populations[i].name);
    }
    return fail_name(&suggest, "population of clients", name, error);
}

bool trace_read_window(const struct storm_scenario *scenario, const struct cli_options *options,
                       struct storm_window *window, struct storm_error *error) {
    *window = (struct storm_window){.from = options->from,
                                    .to = options->has_to ? options->to : scenario->duration,
                                    .service = STORM_NONE,
                                    .population = STORM_NONE,
                                    .member = STORM_NONE,
                                    .ordinal = STORM_NONE};
    if (window->to >= STORM_NEVER) {
        return storm_fail(error, STORM_USAGE, "--to is needed: the run is as long as it takes");
    }
    if (window->from >= window->to) {
        return storm_fail(error, STORM_USAGE,
                          options->has_to ? "--from must be before --to"
                                          : "--from is after the end of the run");
    }
    if (options->service != NULL &&
        !find_service(scenario, options->service, &window->service, error)) {
        return false;
    }
    return options->clients == NULL ||
           find_clients(scenario, options->clients, &window->population, error);
}

/* ---- formats --------------------------------------------------------------------------------- */

/* A window being written. */
struct job {
    const struct storm_scenario *scenario;
    const struct storm_window *plan;
    const struct story_source *source;
    uint64_t limit; /* 0: none was given */
    struct arena arena;
    struct window *window;
    struct storm_run_options run;
    FILE *out;
    uint64_t written, left_out; /* JSON Lines */
};

static bool fail_memory(struct storm_error *error) {
    return storm_fail(error, STORM_LIMIT, "no memory to look at the window; make it shorter");
}

/* Lets the run live, up to the window's end. */
static bool hear(struct job *job, const struct window_teller *teller, struct storm_error *error) {
    window_tell_to(job->window, teller);
    job->run.also = (struct storm_listener){window_hear, job->window};
    job->run.stop = window_stop(job->window);
    return storm_run_hear(job->scenario, &job->run, error) &&
           (window_finish(job->window, job->scenario->duration) || fail_memory(error));
}

static bool write_text(struct job *job, struct storm_error *error) {
    uint32_t limit = job->limit > 0 ? (uint32_t)job->limit : LINES_USUAL;
    struct window_story *story = window_story_new(&job->arena, job->plan, limit);
    if (story == NULL) {
        return fail_memory(error);
    }
    struct window_teller teller = window_story_teller(story);
    if (!hear(job, &teller, error)) {
        return false;
    }
    const struct storm_window_story *told = window_story_told(story);
    return told != NULL ? window_write_text(told, job->scenario, job->source, job->out)
                        : fail_memory(error);
}

static void write_fact(void *context, const struct storm_fact *fact, const struct storm_kin *kin) {
    struct job *job = context;
    if (job->limit > 0 && job->written == job->limit) {
        job->left_out++;
        return;
    }
    job->written++;
    window_write_fact(job->scenario, fact, kin, job->out);
}

static bool write_jsonl(struct job *job, struct storm_error *error) {
    struct window_teller teller = {.fact = write_fact, .context = job};
    if (!hear(job, &teller, error)) {
        return false;
    }
    if (job->left_out > 0) {
        fprintf(stderr, "retrystorm: %" PRIu64 " facts are left out (--limit)\n", job->left_out);
    }
    return true;
}

static bool write_chrome(struct job *job, struct storm_error *error) {
    struct chrome_writer *writer = chrome_writer_begin(job->scenario, job->source, job->out);
    if (writer == NULL) {
        return fail_memory(error);
    }
    struct slices_drawer drawer = {chrome_writer_draw, writer};
    uint64_t limit = job->limit > 0 ? job->limit : EVENTS_USUAL;
    struct slices *slices =
        slices_new(&job->arena, job->scenario, job->plan, job->window, limit, drawer);
    bool good = slices != NULL;
    if (good) {
        struct window_teller teller = slices_teller(slices);
        good = hear(job, &teller, error);
    } else {
        fail_memory(error);
    }
    uint64_t left_out = good ? slices_finish(slices, job->scenario->duration) : 0;
    good = good && (left_out < UINT64_MAX || fail_memory(error));
    chrome_writer_end(writer, left_out);
    if (good && left_out > 0) {
        fprintf(stderr,
                "retrystorm: %" PRIu64 " events are left out: a shorter window, --service, "
                "--clients or --limit\n",
                left_out);
    }
    return good;
}

static bool write_to(struct job *job, const struct cli_options *options,
                     struct storm_error *error) {
    return options->chrome  ? write_chrome(job, error)
           : options->jsonl ? write_jsonl(job, error)
                            : write_text(job, error);
}

/* Into the file of -o, or to standard output. */
static bool write_somewhere(struct job *job, const struct cli_options *options,
                            struct storm_error *error) {
    struct outfile file;
    if (options->output_count == 0) {
        output_begin();
        job->out = stdout;
        return write_to(job, options, error) && output_end(true, error);
    }
    if (!outfile_open(&file, options->outputs[0], error)) {
        return false;
    }
    job->out = file.stream;
    if (!write_to(job, options, error)) {
        outfile_discard(&file);
        return false;
    }
    return outfile_commit(&file, error);
}

bool trace_write_window(const struct storm_scenario *scenario, const struct cli_options *options,
                        const struct storm_window *window, struct storm_run_options run,
                        const struct story_source *source, struct storm_error *error) {
    struct job job = {.scenario = scenario,
                      .plan = window,
                      .source = source,
                      .limit = options->trace_limit,
                      .run = run};
    error->status = STORM_OK;
    arena_init(&job.arena, run.max_memory > 0 ? run.max_memory : STORM_MAX_MEMORY_DEFAULT);
    job.window = window_new(&job.arena, scenario, window);
    bool good = job.window != NULL ? write_somewhere(&job, options, error) : fail_memory(error);
    if (!good && error->status == STORM_OK) {
        output_end(false, error);
    }
    arena_free(&job.arena);
    return good;
}
