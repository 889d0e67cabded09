/* request.h: what a request is, whoever looks and whenever: its key, and what is wrong with it; and
   the policy of the client that it is from. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_REQUEST_H
#define MODEL_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

struct attempt;
struct world;

/* The policy of a member, as an index into the scenario's: that of its fleet, or the call's. */
uint32_t request_policy(const struct world *world, uint32_t index, uint32_t member);

/* The status that a request's message is answered with whatever happens; 0: nothing is wrong with
   it. `key` is the request's. */
uint16_t request_doom(const struct world *world, uint32_t index, uint64_t key);

/* The key of the first copy of the request that an attempt stems from. */
uint64_t request_key_of(const struct world *world, const struct attempt *attempt);

/* Whether the message of a request crashes the consumer that handles it. */
bool request_is_lethal(const struct world *world, uint32_t index, uint64_t key);

#endif
