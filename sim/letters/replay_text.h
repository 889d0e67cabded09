/* replay_text.h: what a replay is about to do, what speaks against it, and how it went. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LETTERS_REPLAY_TEXT_H
#define LETTERS_REPLAY_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <retrystorm/error.h>

#include "letters/plan.h"
#include "letters/replay.h"

/* Letters that passed the filter and are not sent. */
struct replay_left_out {
    uint32_t replayed;   /* they have succeeded */
    uint32_t unclear;    /* dead again or in doubt, and nobody said --again */
    uint32_t resolved;   /* somebody has decided */
    uint32_t data;       /* class data, and nobody said --with-data */
    uint32_t repeated;   /* the file has them twice */
    uint32_t over_limit; /* there were enough */
};

/* What it is about. Texts may be NULL where there is none. */
struct replay_about {
    const char *letters_file, *scenario_file, *variant, *by, *audit, *output;
    uint64_t seed;
    const struct plan_wish *wish;
    const struct plan_target *target;
    const struct plan_load *load;
    struct replay_left_out left_out;
};

/* Whether it asks too much of somebody: then `error` says of whom (STORM_USAGE is not meant: the
   status is STORM_INVALID) and its suggestion what to do instead. */
bool replay_is_too_much(const struct replay_about *about, struct storm_error *error);

/* Whether the scenario's `index`-th fault strikes on the letters' way while they are sent: then
   `error` says when, and its suggestion what to do instead. */
bool replay_meets_fault(const struct replay_about *about, uint32_t index,
                        struct storm_error *error);

/* What will be sent, when, and what that asks of the services. */
bool replay_write_plan(const struct replay_about *about, FILE *out);

/* How it went, as text or as one JSON document, the latter with the plan (`replay` may be NULL: it
   has not gone yet). */
bool replay_write_text(const struct replay_about *about, const struct replay *replay, FILE *out);
bool replay_write_json(const struct replay_about *about, const struct replay *replay, FILE *out);

#endif
