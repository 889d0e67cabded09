/* effects.c: a service's side effects, and how it tells a request that it has seen before.

   A key: unseen -> known     [effects_done: an effect has happened under it]
          known -> forgotten  [forget_old: too old, or too many younger ones]
          forgotten -> known  [effects_done: once more]
   Work under it comes and goes beside that: `working`.

   Invariants, cited by the asserts:
   1. Entries are never taken out: what the service has forgotten, the books of its effects have
      not. An identity is a key, or what was ordered (an act), or, as the key of most first copies,
      both.
   2. The known keys, and no others, are in the list from `oldest` to `newest`, in the order of
      their `since`.
   3. `working` is the number of attempts that were told NEW and are neither done nor gone. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/effects.h"

#include <assert.h>

#include <retrystorm/fact.h>
#include <retrystorm/scenario.h>
#include <retrystorm/units.h>

#include "base/arena.h"
#include "base/stream.h"
#include "model/request.h"
#include "model/world.h"

enum { FIRST_ENTRIES = 256, CONFLICT = 409, ENTRIES_MAX = 1 << 30 };

enum key_state { KEY_UNSEEN, KEY_KNOWN, KEY_FORGOTTEN };

struct entry {
    uint64_t id;
    uint64_t act;     /* of a key: whose work made it known, or was last begun under it */
    storm_time since; /* of a key: when it was last made known */
    uint32_t younger; /* of a known key: the next one of the list, or STORM_NONE */
    uint32_t working; /* of a key: invariant 3 */
    uint32_t effects; /* of an act: how often it has happened */
    uint8_t state;    /* of a key */
    bool awaited;     /* of a key: somebody has been told to wait for it */
};

struct effects {
    struct entry *entries;
    uint32_t *slots; /* [twice the room for entries] of a hash table: an entry's index + 1, or 0 */
    uint32_t count, room;
    uint32_t oldest, newest, known; /* invariant 2 */
    bool stirred; /* work has ended under a key that is waited for, since ready was last NONE */
};

bool effects_init(struct world *world) {
    world->effects =
        arena_take_array(world->arena, world->scenario->service_count, sizeof *world->effects);
    return world->effects != NULL || world_out_of_memory(world);
}

/* ---- the table ------------------------------------------------------------------------------- */

/* The slot of an identity, or the free one where it belongs. Identities are hashes already. */
static uint32_t find_slot(const struct effects *effects, uint64_t id) {
    uint32_t mask = 2 * effects->room - 1;
    uint32_t slot = (uint32_t)id & mask;
    assert(effects->count <= effects->room); /* half of the slots are free: the search ends */
    while (effects->slots[slot] != 0 && effects->entries[effects->slots[slot] - 1].id != id) {
        slot = (slot + 1) & mask;
    }
    return slot;
}

/* The entry of an identity that was met before. */
static struct entry *find(const struct effects *effects, uint64_t id) {
    uint32_t index = effects->slots[find_slot(effects, id)];
    assert(index != 0); /* invariant 1 */
    return &effects->entries[index - 1];
}

/* Adds an identity unless it is there. Room must have been reserved. */
static void add(struct effects *effects, uint64_t id) {
    uint32_t slot = find_slot(effects, id);
    if (effects->slots[slot] != 0) {
        return;
    }
    assert(effects->count < effects->room);
    effects->entries[effects->count++] = (struct entry){.id = id};
    effects->slots[slot] = effects->count;
}

/* Makes room for `more` entries. False (with world->error set) at the memory limit. */
static bool reserve(struct world *world, struct effects *effects, uint32_t more) {
    uint32_t room = effects->room > 0 ? effects->room : FIRST_ENTRIES;
    while (room < effects->count + more) {
        room *= 2;
    }
    if (room == effects->room) {
        return true;
    }
    if (room > ENTRIES_MAX) {
        return world_out_of_memory(world);
    }
    struct entry *entries = arena_grow_array(world->arena, effects->entries, effects->room, room,
                                             sizeof *effects->entries);
    if (entries == NULL) {
        return world_out_of_memory(world);
    }
    effects->entries = entries;
    uint32_t *slots =
        arena_grow_array(world->arena, effects->slots, 0, 2 * (size_t)room, sizeof *effects->slots);
    if (slots == NULL) {
        return world_out_of_memory(world);
    }
    effects->slots = slots;
    effects->room = room;
    for (uint32_t i = 0; i < effects->count; i++) {
        slots[find_slot(effects, entries[i].id)] = i + 1;
    }
    return true;
}

/* ---- identities ------------------------------------------------------------------------------ */

static const struct storm_idempotency *plan_of(const struct world *world,
                                               const struct attempt *attempt) {
    return &world->services[attempt->service].plan->idempotency;
}

/* A sender and its running number, on a day (0: on any, else the day + 1). */
static uint64_t number_of(const struct storm_idempotency *plan, const struct attempt *attempt,
                          uint32_t day) {
    assert(plan->numbers > 0); /* the reader checks it */
    uint64_t sender = stream_child(attempt->origin, 0, attempt->member);
    return stream_child(sender, attempt->ordinal % plan->numbers, day);
}

/* What the service knows the attempt's request by. */
static uint64_t key_of(const struct world *world, const struct attempt *attempt) {
    const struct storm_idempotency *plan = plan_of(world, attempt);
    uint64_t act = request_key_of(world, attempt);
    switch (plan->key) {
    case STORM_KEY_MSG_ID:
        return stream_copy(act, attempt->message);
    case STORM_KEY_ORDER_NO:
        return act;
    case STORM_KEY_SENDER_NUMBER:
        return number_of(plan, attempt, 0);
    case STORM_KEY_SENDER_NUMBER_DAY:
        return number_of(plan, attempt, 1 + (uint32_t)attempt->day);
    }
    assert(0 && "no such key");
    return act;
}

/* ---- knowing and forgetting ------------------------------------------------------------------ */

/* Forgets what is too old, and what is too much. */
static void forget_old(struct effects *effects, const struct storm_idempotency *plan,
                       storm_time now) {
    while (effects->known > 0) {
        struct entry *oldest = &effects->entries[effects->oldest];
        assert(oldest->state == KEY_KNOWN && oldest->since <= now); /* invariant 2 */
        bool is_kept = effects->known <= plan->retention_count &&
                       storm_time_add(oldest->since, plan->retention) > now;
        if (is_kept) {
            return;
        }
        oldest->state = KEY_FORGOTTEN;
        effects->oldest = oldest->younger;
        effects->known--;
    }
}

/* The key is known from now on, as the act's. */
static void make_known(struct effects *effects, struct entry *key, uint64_t act, storm_time now) {
    uint32_t index = (uint32_t)(key - effects->entries);
    assert(key->state != KEY_KNOWN);
    key->state = KEY_KNOWN;
    key->act = act;
    key->since = now;
    key->younger = STORM_NONE;
    if (effects->known == 0) {
        effects->oldest = index;
    } else {
        effects->entries[effects->newest].younger = index;
    }
    effects->newest = index;
    effects->known++;
}

/* What the service does about an attempt with this key. */
static enum effects_word decide(const struct storm_idempotency *plan, const struct entry *key,
                                uint16_t *status) {
    *status = plan->mode == STORM_IDEMPOTENCY_REJECT ? CONFLICT : STORM_OUTCOME_OK;
    if (plan->mode == STORM_IDEMPOTENCY_NONE) {
        return EFFECTS_NEW;
    }
    if (key->state == KEY_KNOWN) {
        return EFFECTS_KNOWN;
    }
    if (key->working == 0 || plan->mode == STORM_IDEMPOTENCY_CHECK_THEN_INSERT) {
        return EFFECTS_NEW;
    }
    *status = CONFLICT;
    return plan->in_progress_waits ? EFFECTS_WAIT : EFFECTS_KNOWN;
}

enum effects_word effects_meet(struct world *world, uint32_t attempt, uint16_t *status,
                               bool *is_other) {
    const struct attempt *a = &world->attempts[attempt];
    const struct storm_idempotency *plan = plan_of(world, a);
    struct effects *effects = &world->effects[a->service];
    uint64_t act = request_key_of(world, a), id = key_of(world, a);
    assert(plan->counted);
    if (!reserve(world, effects, 2)) {
        return EFFECTS_NEW; /* the run is over */
    }
    add(effects, act);
    add(effects, id);
    forget_old(effects, plan, world_now(world));
    struct entry *key = find(effects, id);
    enum effects_word word = decide(plan, key, status);
    *is_other = word == EFFECTS_KNOWN && key->act != act;
    key->awaited = key->awaited || word == EFFECTS_WAIT;
    if (word == EFFECTS_NEW) {
        key->working++;
        key->act = key->state == KEY_KNOWN ? key->act : act;
    }
    return word;
}

/* ---- the end of work ------------------------------------------------------------------------- */

/* Why an effect happens for the n-th time, under a key looked up when the work began. */
static enum storm_effect find_cause(const struct storm_idempotency *plan, const struct entry *key,
                                    uint32_t n, storm_time looked) {
    if (n == 1) {
        return STORM_EFFECT_FIRST;
    }
    if (plan->mode == STORM_IDEMPOTENCY_NONE) {
        return STORM_EFFECT_REPEATED;
    }
    switch ((enum key_state)key->state) {
    case KEY_KNOWN: /* before the look only if nobody looked then, for the mode was another one */
        return key->since >= looked ? STORM_EFFECT_SLIPPED : STORM_EFFECT_REPEATED;
    case KEY_FORGOTTEN:
        return STORM_EFFECT_PURGED;
    case KEY_UNSEEN:
        break;
    }
    return STORM_EFFECT_UNKEYED;
}

/* The attempt's work has had its effect. */
static void note_effect(struct world *world, const struct attempt *attempt, struct entry *key) {
    struct effects *effects = &world->effects[attempt->service];
    uint64_t act = request_key_of(world, attempt);
    uint32_t n = ++find(effects, act)->effects;
    storm_time now = world_now(world);
    enum storm_effect cause = find_cause(plan_of(world, attempt), key, n, attempt->stamp);
    if (key->state != KEY_KNOWN) {
        make_known(effects, key, act, now);
        forget_old(effects, plan_of(world, attempt), now);
    }
    world_tell(world, &(struct storm_fact){.kind = STORM_FACT_EFFECT,
                                           .place = attempt->service,
                                           .key = attempt->key,
                                           .parent = act,
                                           .attempts = n,
                                           .level = cause,
                                           .retry = attempt->retry,
                                           .ghost = !world_is_heard(world, attempt)});
}

void effects_done(struct world *world, uint32_t attempt, bool succeeded) {
    const struct attempt *a = &world->attempts[attempt];
    struct effects *effects = &world->effects[a->service];
    struct entry *key = find(effects, key_of(world, a));
    assert(key->working > 0); /* invariant 3 */
    key->working--;
    effects->stirred = effects->stirred || key->awaited;
    if (succeeded) {
        note_effect(world, a, key);
    }
}

void effects_gone(struct world *world, uint32_t attempt) { effects_done(world, attempt, false); }

/* Whether nobody works under the key of an attempt that was met. */
static bool is_free(const struct world *world, const struct attempt *attempt) {
    return find(&world->effects[attempt->service], key_of(world, attempt))->working == 0;
}

uint32_t effects_ready(struct world *world, uint32_t service) {
    struct effects *effects = &world->effects[service];
    uint32_t attempt = effects->stirred ? world->services[service].aside.head : STORM_NONE;
    while (attempt != STORM_NONE && !is_free(world, &world->attempts[attempt])) {
        attempt = world->attempts[attempt].next;
    }
    effects->stirred = attempt != STORM_NONE;
    return attempt;
}
