/* progress.h: a sign of life on standard error while runs are made. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/options.h"

/* Redrawn in place on a terminal, after 0.3 s; elsewhere a line every 10 s. */
struct progress {
    bool on_terminal;
    bool drawn;         /* there is a line to erase */
    double begun, last; /* seconds on the monotonic clock */
};

/* Whether it is not switched off. */
bool progress_is_wanted(const struct cli_options *options);

void progress_begin(struct progress *progress);

/* Fits trials_plan.progress; the context is the struct. `total` 0: nobody knows. */
void progress_tick(void *context, uint32_t done, uint32_t total, uint64_t events);

/* Erases the line, so that the result begins on a clean one. */
void progress_end(struct progress *progress);

#endif
