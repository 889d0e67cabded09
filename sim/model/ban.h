/* ban.h: how a rate-limited service deals with clients who do not stay away. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_BAN_H
#define MODEL_BAN_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/units.h>

struct attempt;
struct world;

/* Makes ready for the strikes of all clients at every service; the room for them is taken when one
   of them is first refused. False (with world->error set) at the memory limit. */
bool ban_init(struct world *world);

/* An attempt arrives at a service that bans. Returns 0, or the status for a banned client, whose
   ban begins anew and grows; *left is how long it lasts from now on. */
uint16_t ban_meets(struct world *world, const struct attempt *attempt, storm_time *left);

/* The rate limit has let the attempt in: its client's strikes are forgiven. */
void ban_admitted(struct world *world, const struct attempt *attempt);

/* The rate limit has turned the attempt away and said when to come back (HINT_NONE: not). If its
   client came too early, or was refused before without being told a time: a strike, or a ban
   (STORM_FACT_BANNED). A client who came as told and found no room begins its row of strikes
   anew. */
void ban_refused(struct world *world, const struct attempt *attempt, storm_time hint);

#endif
