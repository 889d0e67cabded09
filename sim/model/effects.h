/* effects.h: a service's side effects, and how it tells a request that it has seen before. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_EFFECTS_H
#define MODEL_EFFECTS_H

#include <stdbool.h>
#include <stdint.h>

struct world;

enum effects_word {
    EFFECTS_NEW,   /* go to work */
    EFFECTS_KNOWN, /* answer at once, without work */
    EFFECTS_WAIT   /* another copy is being worked on: wait for it */
};

/* Makes ready for the effects of every service. What a service knows its requests by (key, numbers)
   must stay as it is while attempts are at work there; the rest of its plan may change. False (with
   world->error set) at the memory limit. */
bool effects_init(struct world *world);

/* A worker takes up the attempt at a service that counts effects. KNOWN: *status is the answer
   (200 of what is stored, 409), and STORM_FACT_SUPPRESSED's level goes to *is_other: it was taken
   for another request. NEW: it is noted as being in progress, until it is done or gone. At the
   memory limit: NEW with world->error set, and the run is over. */
enum effects_word effects_meet(struct world *world, uint32_t attempt, uint16_t *status,
                               bool *is_other);

/* The attempt's own work at such a service, begun at its stamp, is over: with success an effect has
   happened (STORM_FACT_EFFECT is told). Those that wait for it are to be released by the caller. */
void effects_done(struct world *world, uint32_t attempt, bool succeeded);

/* The attempt is gone in the middle of its work: lost, or taken back. */
void effects_gone(struct world *world, uint32_t attempt);

/* The first attempt set aside at the service that need not wait any longer, since nothing with its
   key is in progress; STORM_NONE: there is none, until one more is done or gone. */
uint32_t effects_ready(struct world *world, uint32_t service);

#endif
