/* run_rules.h: how a batch of runs is made, as the options say. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_RUN_RULES_H
#define CLI_RUN_RULES_H

#include <stdint.h>

#include "cli/options.h"
#include "trials/batch.h"

/* Runs with that seed, on as many threads and within the limits that were asked for, which end when
   somebody interrupts. `tick` hears how far they are, unless no progress is wanted. */
struct batch_rules run_rules(const struct cli_options *options, uint64_t seed,
                             void (*tick)(void *context, uint32_t done, uint64_t events),
                             void *context);

#endif
