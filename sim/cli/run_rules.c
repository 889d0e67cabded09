/* run_rules.c: how a batch of runs is made, as the options say. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/run_rules.h"

#include <assert.h>
#include <stddef.h>

#include "cli/interrupt.h"
#include "cli/progress.h"

struct batch_rules run_rules(const struct cli_options *options, uint64_t seed,
                             void (*tick)(void *context, uint32_t done, uint64_t events),
                             void *context) {
    assert(options != NULL && tick != NULL);
    return (struct batch_rules){.seed = seed,
                                .threads = options->threads,
                                .max_events = options->max_events,
                                .max_memory = options->max_memory,
                                .stop = interrupt_listen(),
                                .progress = progress_is_wanted(options) ? tick : NULL,
                                .progress_context = context};
}
