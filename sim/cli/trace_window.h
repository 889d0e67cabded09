/* trace_window.h: what happens in a window of a run, in the formats of `trace`. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_TRACE_WINDOW_H
#define CLI_TRACE_WINDOW_H

#include <stdbool.h>

#include <retrystorm/error.h>
#include <retrystorm/run.h>
#include <retrystorm/scenario.h>
#include <retrystorm/window.h>

#include "cli/options.h"

struct story_source;

/* Whether a window was asked for, not a request. */
bool trace_has_window(const struct cli_options *options);

/* The window that the options name: --from, --to, --service, --clients. False after filling
   `error`. */
bool trace_read_window(const struct storm_scenario *scenario, const struct cli_options *options,
                       struct storm_window *window, struct storm_error *error);

/* Simulates the run up to the window's end and writes the window, as text, JSON Lines or as a trace
   for Perfetto. `run` needs no listener. False after filling `error`. */
bool trace_write_window(const struct storm_scenario *scenario, const struct cli_options *options,
                        const struct storm_window *window, struct storm_run_options run,
                        const struct story_source *source, struct storm_error *error);

#endif
