/* copies.h: requests that are sent once more: replays of dead letters, resends by hand, batches
   run again. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_COPIES_H
#define MODEL_COPIES_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/policy.h>

struct birth;
struct storm_letter;
struct world;

/* Makes room for the actions that send copies, and for the births and dead letters that they will
   need. The populations need not be ready. False (with world->error set) at the memory limit. */
bool copies_init(struct world *world);

/* Action number `index` (REPLAY, RESEND or RERUN) begins. */
void copies_begin(struct world *world, uint32_t index);

/* EVENT_COPIES: the next copy of an action, or of a population's own replay, is due. They reserve
   what they take. */
void copies_timer(struct world *world, uint32_t index);
void copies_auto_timer(struct world *world, uint32_t population);

/* A population has borne a request. It is remembered where it may be sent again. */
void copies_born(struct world *world, uint32_t population, const struct birth *birth);

/* A request, which is told as a letter, is over; reason NONE: well. A dead letter is kept where a
   replay may want it (one that a broker has lost leaves none), and a probe learns of its copies. */
void copies_over(struct world *world, const struct storm_letter *letter, enum storm_reason reason);

/* Whether copies may still come: a run until idle is not over then. */
bool copies_are_coming(const struct world *world);

#endif
