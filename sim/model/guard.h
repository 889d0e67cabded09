/* guard.h: the brakes of the edges: whose budget, breaker and throttle a call goes by, and what
   they are told. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_GUARD_H
#define MODEL_GUARD_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/policy.h>

#include "policy/throttle.h"

struct call;
struct world;

/* Makes ready for the brakes of every edge, which are made when the first call needs them. False
   (with world->error set) at the memory limit. */
bool guard_init(struct world *world);

/* Everything below concerns a call with brakes (call->braked), those of its policy. */

/* A call begins. False: its breaker, around the whole call, is open. */
bool guard_begins(struct world *world, struct call *call);

/* An attempt of that key wants to be sent: what the throttle says. And whether a breaker around
   each attempt lets it through. */
struct throttle_word guard_asks(struct world *world, struct call *call, uint64_t key);
bool guard_lets(struct world *world, struct call *call);

/* A try was held back: a retry that the budget counts is over. */
void guard_held(struct world *world, struct call *call);

/* An attempt that was sent has come to this. */
void guard_answered(struct world *world, struct call *call, uint16_t status,
                    enum storm_class class);

/* Whether the budget allows a retry (or one more copy beside) after this failure. */
bool guard_allows(struct world *world, struct call *call, uint16_t status);

/* A retry that was allowed is sent. */
void guard_sent(struct world *world, struct call *call);

/* The call has ended, or is dropped without an outcome. */
void guard_ended(struct world *world, struct call *call, bool succeeded, bool is_retryable);
void guard_dropped(struct world *world, struct call *call);

#endif
