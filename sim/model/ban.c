/* ban.c: how a rate-limited service deals with clients who do not stay away.

   A client: welcome -> warned [ban_refused: it was told when to come back, or just refused]
             warned  -> warned [ban_refused: a strike, or none if it came as told]
             warned  -> banned [ban_refused: one strike too many]
             banned  -> banned [ban_meets: it came during its ban, which begins anew and grows]
             banned  -> warned [time passes; ban_refused]
             any     -> welcome [ban_admitted: all is forgiven] */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/ban.h"

#include <assert.h>

#include <retrystorm/fact.h>
#include <retrystorm/scenario.h>

#include "base/arena.h"
#include "model/world.h"
#include "policy/hint.h"

/* Zeroed: welcome. */
struct client {
    storm_time banned_until;
    storm_time ban;        /* length of its last ban; 0: none since it was last let in */
    storm_time told_until; /* with its last refusal; STORM_NEVER: it was not told a time */
    uint32_t strikes;
    bool refused; /* since it was last let in or banned */
};

struct ban_list {
    struct client **clients; /* [population], each [member]; NULL: none was ever refused */
};

bool ban_init(struct world *world) {
    const struct storm_scenario *plan = world->scenario;
    world->bans = arena_take_array(world->arena, plan->service_count, sizeof *world->bans);
    if (world->bans == NULL) {
        return world_out_of_memory(world);
    }
    for (uint32_t i = 0; i < plan->service_count; i++) {
        struct client ***clients = &world->bans[i].clients;
        *clients = arena_take_array(world->arena, plan->population_count, sizeof **clients);
        if (*clients == NULL) {
            return world_out_of_memory(world);
        }
    }
    return true;
}

static const struct storm_ban *plan_of(const struct world *world, const struct attempt *attempt) {
    return &world->services[attempt->service].plan->ban;
}

/* What the service has against the attempt's client; NULL: nobody of its population was ever
   refused. */
static struct client *client_of(const struct world *world, const struct attempt *attempt) {
    struct client *clients = world->bans[attempt->service].clients[attempt->origin];
    assert(attempt->member < world->scenario->populations[attempt->origin].count);
    return clients == NULL ? NULL : &clients[attempt->member];
}

/* Its client is banned from now on, longer than the last time. */
static void begin_ban(struct world *world, const struct attempt *attempt, struct client *client) {
    const struct storm_ban *plan = plan_of(world, attempt);
    storm_time length = plan->length;
    if (client->ban > 0) {
        length = storm_time_from_seconds(storm_time_to_seconds(client->ban) * plan->factor);
    }
    client->ban = storm_time_earlier(length, plan->longest);
    client->banned_until = storm_time_add(world_now(world), client->ban);
    client->refused = false;
    world_tell(world, &(struct storm_fact){.kind = STORM_FACT_BANNED,
                                           .place = attempt->service,
                                           .member = attempt->member,
                                           .origin = attempt->origin,
                                           .due = client->banned_until});
}

uint16_t ban_meets(struct world *world, const struct attempt *attempt, storm_time *left) {
    struct client *client = client_of(world, attempt);
    assert(plan_of(world, attempt)->strikes > 0);
    if (client == NULL || client->banned_until <= world_now(world)) {
        return 0;
    }
    begin_ban(world, attempt, client);
    *left = client->ban;
    return plan_of(world, attempt)->status;
}

void ban_admitted(struct world *world, const struct attempt *attempt) {
    struct client *client = client_of(world, attempt);
    if (client != NULL) {
        *client = (struct client){0};
    }
}

/* Room for the clients of the attempt's population. False (with world->error set) at the memory
   limit. */
static bool make_room(struct world *world, const struct attempt *attempt) {
    struct client **clients = &world->bans[attempt->service].clients[attempt->origin];
    if (*clients == NULL) {
        uint32_t count = world->scenario->populations[attempt->origin].count;
        *clients = arena_take_array(world->arena, count, sizeof **clients);
    }
    return *clients != NULL || world_out_of_memory(world);
}

void ban_refused(struct world *world, const struct attempt *attempt, storm_time hint) {
    if (!make_room(world, attempt)) {
        return; /* the run is over */
    }
    struct client *client = client_of(world, attempt);
    storm_time now = world_now(world);
    bool is_strike = client->refused && client->told_until > now;
    assert(client->banned_until <= now); /* else ban_meets has sent it away */
    client->strikes = is_strike ? client->strikes + 1 : 0;
    client->refused = true;
    client->told_until = hint == HINT_NONE ? STORM_NEVER : storm_time_add(now, hint);
    if (client->strikes >= plan_of(world, attempt)->strikes) {
        begin_ban(world, attempt, client);
    }
}
