/* searching.c: what limit and tune share: a scenario whose runs are made at points of a search. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/searching.h"

#include <stdio.h>

#include "cli/complain.h"
#include "cli/run_rules.h"

/* Batches follow one another: their counts begin anew. */
static void tick(void *context, uint32_t done, uint64_t events) {
    struct searching *searching = context;
    uint32_t made = (uint32_t)probe_run_count(searching->probe);
    if (made != searching->runs_then) {
        searching->runs_then = made;
        searching->events += searching->events_now;
    }
    searching->events_now = events;
    progress_tick(&searching->progress, made + done, searching->runs_expected,
                  searching->events + events);
}

static enum cli_exit open_probe(struct searching *searching) {
    const struct cli_options *options = searching->options;
    struct probe_plan plan = {
        .text = searching->file.text,
        .length = searching->file.length,
        .file = searching->file.name,
        .variant = options->variants[0],
        .sets = options->sets,
        .set_count = options->set_count,
        .rules =
            run_rules(options, options_seed(options, searching->scenario->seed), tick, searching)};
    searching->probe = probe_new(&plan, &searching->arena);
    if (searching->probe == NULL) {
        storm_fail(&searching->error, STORM_LIMIT, "no memory for a search");
        return complain(&searching->error);
    }
    progress_begin(&searching->progress);
    return CLI_YES;
}

enum cli_exit searching_begin(struct searching *searching, const struct cli_options *options) {
    *searching = (struct searching){.options = options};
    arena_init(&searching->arena, (size_t)-1);
    options_overrides(options, searching->overrides, sizeof searching->overrides);
    enum cli_exit code =
        scenario_file_decode(&searching->file, options->operand, options, &searching->scenario);
    return code == CLI_YES ? open_probe(searching) : code;
}

void searching_end(struct searching *searching) {
    scenario_file_free(&searching->file);
    arena_free(&searching->arena);
}

uint32_t searching_axes(struct searching *searching, struct axis *axes) {
    const struct cli_options *options = searching->options;
    if (options->search.vary_count == 0 || options->search.vary_count > PROBE_AXES_MAX) {
        storm_fail(&searching->error, STORM_USAGE, "a search varies from 1 to %d settings",
                   PROBE_AXES_MAX);
        snprintf(searching->error.suggestion, sizeof searching->error.suggestion,
                 "say which, as in --vary policies.app.cap=1s..60s/log");
        return 0;
    }
    for (size_t i = 0; i < options->search.vary_count; i++) {
        if (!axis_parse(options->search.vary[i], &searching->arena, &axes[i], &searching->error)) {
            return 0;
        }
    }
    return (uint32_t)options->search.vary_count;
}

enum cli_exit searching_complain(struct searching *searching) {
    progress_end(&searching->progress);
    if (searching->errors.count > 0) {
        return scenario_file_complain(&searching->file, &searching->errors);
    }
    return complain(&searching->error);
}
