/* replay.c: dead letters sent once more in a run of the repaired scenario, and what became of
   each. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Invariants
   1. A letter is sent at most once: it leaves WAITS when a copy of its request is born, and further
   copies (a scenario may replay by itself) are none of ours.
   2. Letters of one request share its act; others do not. */

#include "letters/replay.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <retrystorm/policy.h>
#include <retrystorm/units.h>

#include "base/rank.h"
#include "base/stream.h"
#include "base/timestamp.h"
#include "letters/traffic.h"

/* Requests of live traffic have lower numbers. */
#define ORDINAL_FIRST UINT32_C(0x80000000)

/* Lines of progress: one for each so many letters that have ended. */
enum { PROGRESS_STEP = 100, TRIES_MAX = 1000000 };

/* ---- requests of their own ------------------------------------------------------------------- */

/* What the services count running numbers by; ordinals that differ by a multiple of it are the same
   number everywhere. 1: nobody counts; numbers that have no handy multiple are passed over. */
static uint32_t stride_of(const struct storm_scenario *scenario) {
    uint64_t stride = 1;
    for (uint32_t i = 0; i < scenario->service_count; i++) {
        const struct storm_idempotency *idempotency = &scenario->services[i].idempotency;
        bool is_numbered = idempotency->key == STORM_KEY_SENDER_NUMBER ||
                           idempotency->key == STORM_KEY_SENDER_NUMBER_DAY;
        if (!idempotency->counted || !is_numbered) {
            continue;
        }
        uint64_t a = stride, b = idempotency->numbers;
        while (b != 0) {
            uint64_t rest = a % b;
            a = b;
            b = rest;
        }
        uint64_t common = stride / a * idempotency->numbers;
        stride = common < ORDINAL_FIRST / 1024 ? common : stride;
    }
    return (uint32_t)stride;
}

/* What is wrong with a message for good. */
enum doom { DOOM_NONE, DOOM_POISON, DOOM_MISSING, DOOM_LETHAL };

/* What the scenario says of the request `key` of these clients. */
static enum doom doom_of(const struct storm_population *clients, uint64_t key) {
    double u = stream_uniform(key, STREAM_MESSAGE, 0);
    double poison = clients->poison, missing = poison + clients->missing;
    return u < poison                      ? DOOM_POISON
           : u < missing                   ? DOOM_MISSING
           : u < missing + clients->lethal ? DOOM_LETHAL
                                           : DOOM_NONE;
}

/* What the letter says. Where the scenario has no such messages any more, nothing is wrong. */
static enum doom doom_wanted(const struct storm_population *clients, const struct letter *letter) {
    const struct dead_letter *says = &letter->says;
    const char *receives = storm_reason_word(STORM_REASON_RECEIVES);
    if (says->status == 400 && clients->poison > 0) {
        return DOOM_POISON;
    }
    if (says->status == 404 && clients->missing > 0) {
        return DOOM_MISSING;
    }
    bool has_killed = says->status == 0 && strcmp(says->reason, receives) == 0;
    return has_killed && clients->lethal > 0 ? DOOM_LETHAL : DOOM_NONE;
}

/* Letters in the order of their requests, each request's in the order of the file. */
static int compare_requests(const void *a, const void *b) {
    const struct replay_letter *const *left = a, *const *right = b;
    const struct dead_letter *l = &(*left)->letter->says, *r = &(*right)->letter->says;
    int order = strcmp(l->population, r->population);
    if (order == 0) {
        order = (l->member > r->member) - (l->member < r->member);
    }
    if (order == 0) {
        order = (l->ordinal > r->ordinal) - (l->ordinal < r->ordinal);
    }
    return order != 0 ? order : (*left > *right) - (*left < *right);
}

/* By act, each act's in the order of the file. */
static int compare_acts(const void *a, const void *b) {
    const struct replay_letter *const *left = a, *const *right = b;
    uint64_t l = (*left)->act, r = (*right)->act;
    return l != r ? (l > r) - (l < r) : (*left > *right) - (*left < *right);
}

static bool is_same_client(const struct letter *a, const struct letter *b) {
    return strcmp(a->says.population, b->says.population) == 0 && a->says.member == b->says.member;
}

/* The key that the model gives a request of the replay's run. */
static uint64_t request_key(const struct replay *replay, uint32_t population, uint32_t member,
                            uint32_t ordinal) {
    uint32_t rank = rank_of_population(&replay->scenario, population);
    return stream_request(replay->seed, 0, rank, member, ordinal);
}

/* The next ordinal from `from` on that is the letter's running number, and whose request has what
   is wanted wrong with it; STORM_NONE: there is none in reach. */
static uint32_t find_ordinal(const struct replay *replay, uint32_t origin,
                             const struct letter *letter, uint64_t from, uint32_t stride) {
    const struct storm_population *clients = &replay->scenario.populations[origin];
    enum doom wanted = doom_wanted(clients, letter);
    from += (letter->says.ordinal % stride + stride - from % stride) % stride;
    for (uint32_t i = 0; i < TRIES_MAX && from < STORM_NONE; i++, from += stride) {
        uint64_t key = request_key(replay, origin, letter->says.member, (uint32_t)from);
        if (doom_of(clients, key) == wanted) {
            return (uint32_t)from;
        }
    }
    return STORM_NONE;
}

/* Gives all letters their ordinals in the run (invariant 2), and what depends on them. `order` is
   that of the requests; those of a client rise, so that none is taken twice. */
static bool number_requests(struct replay *replay, struct replay_letter **order,
                            struct storm_letter *sent, struct storm_error *error) {
    uint32_t stride = stride_of(&replay->scenario), ordinal = 0;
    for (uint32_t i = 0; i < replay->count; i++) {
        const struct letter *letter = order[i]->letter;
        const struct letter *last = i > 0 ? order[i - 1]->letter : NULL;
        uint32_t origin = plan_origin(&replay->scenario, letter);
        bool is_next = last != NULL && is_same_client(last, letter);
        if (!is_next || last->says.ordinal != letter->says.ordinal) {
            uint64_t from = is_next ? (uint64_t)ordinal + 1 : ORDINAL_FIRST;
            ordinal = find_ordinal(replay, origin, letter, from, stride);
        }
        if (ordinal == STORM_NONE) {
            return storm_fail(error, STORM_LIMIT, "client %u of '%.60s' has too many letters",
                              letter->says.member, letter->says.population);
        }
        order[i]->act = request_key(replay, origin, letter->says.member, ordinal);
        struct storm_letter *one = &sent[order[i] - replay->list];
        one->origin = origin;
        one->ordinal = ordinal;
    }
    return true;
}

/* ---- before ---------------------------------------------------------------------------------- */

/* Days from the scenario's first one to an instant; earlier ones count backwards from the end of
   the type, which no run reaches. */
static uint16_t day_of(int64_t epoch, int64_t instant) {
    static const int64_t day = 86400 * (int64_t)STORM_SECOND;
    return (uint16_t)(instant / day - epoch / day);
}

/* The letters as the model needs them; NULL after filling `error`. */
static struct storm_letter *list_sent(struct replay *replay, struct arena *arena,
                                      struct storm_error *error) {
    struct storm_letter *sent = arena_take_array(arena, replay->count, sizeof *sent);
    struct replay_letter **order =
        arena_take_array(arena, replay->count, sizeof(struct replay_letter *));
    replay->by_act = order;
    if (sent == NULL || order == NULL) {
        storm_fail(error, STORM_LIMIT, "no memory to replay %u letters", replay->count);
        return NULL;
    }
    for (uint32_t i = 0; i < replay->count; i++) {
        const struct letter *letter = replay->list[i].letter;
        sent[i] = (struct storm_letter){.population = replay->target.population,
                                        .member = letter->says.member,
                                        .day = day_of(replay->scenario.epoch, letter->born_at),
                                        .data = letter->says.data};
        order[i] = &replay->list[i];
    }
    qsort(order, replay->count, sizeof *order, compare_requests);
    if (!number_requests(replay, order, sent, error)) {
        return NULL;
    }
    qsort(order, replay->count, sizeof *order, compare_acts);
    return sent;
}

/* The scenario's actions, and the one that sends the letters. */
static bool add_action(struct replay *replay, const struct plan_wish *wish,
                       const struct storm_letter *sent, struct arena *arena) {
    struct storm_scenario *scenario = &replay->scenario;
    uint32_t count = scenario->action_count;
    struct storm_action *actions = arena_take_array(arena, count + 1, sizeof *actions);
    if (actions == NULL) {
        return false;
    }
    if (count > 0) {
        memcpy(actions, scenario->actions, count * sizeof *actions);
    }
    /* Letters of class data among them were asked for. */
    actions[count] = (struct storm_action){.kind = STORM_ACTION_REPLAY,
                                           .at = wish->at,
                                           .length = STORM_NEVER,
                                           .population = replay->target.population,
                                           .service = STORM_NONE,
                                           .pace = wish->pace,
                                           .with_data = true,
                                           .letters = sent,
                                           .letter_count = replay->count};
    actions[count].pace.limit = replay->count;
    scenario->actions = actions;
    scenario->action_count++;
    return true;
}

/* Side effects are counted wherever letters come to, also where the scenario is not interested. */
static bool count_effects(struct replay *replay, struct arena *arena) {
    struct storm_scenario *scenario = &replay->scenario;
    struct storm_service *services =
        arena_take_array(arena, scenario->service_count, sizeof *services);
    if (services == NULL) {
        return false;
    }
    memcpy(services, scenario->services, scenario->service_count * sizeof *services);
    for (uint32_t i = 0; i < scenario->service_count; i++) {
        bool is_own = storm_queue_at(scenario, i) == STORM_NONE;
        if (is_own && replay->peaks[i].each > 0 && !services[i].idempotency.counted) {
            services[i].idempotency =
                (struct storm_idempotency){.counted = true,
                                           .mode = STORM_IDEMPOTENCY_NONE,
                                           .retention = STORM_NEVER,
                                           .retention_count = STORM_UNLIMITED};
        }
    }
    scenario->services = services;
    return true;
}

static bool take_lists(struct replay *replay, const struct plan_wish *wish, struct arena *arena) {
    double each[STORM_SERVICES_MAX];
    replay->list = arena_take_array(arena, wish->count, sizeof *replay->list);
    replay->peaks = arena_take_array(arena, wish->scenario->service_count, sizeof *replay->peaks);
    if (replay->list == NULL || replay->peaks == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < wish->count; i++) {
        replay->list[i].letter = wish->letters[i];
    }
    traffic_of_request(wish->scenario, replay->target.population, each);
    for (uint32_t i = 0; i < wish->scenario->service_count; i++) {
        replay->peaks[i].each = each[i];
    }
    return true;
}

bool replay_prepare(struct replay *replay, const struct plan_wish *wish,
                    const struct plan_target *target, uint64_t seed, struct arena *arena,
                    struct storm_error *error) {
    assert(wish->count > 0 && wish->at >= 0 && wish->at < STORM_NEVER);
    *replay = (struct replay){.scenario = *wish->scenario,
                              .target = *target,
                              .at = wish->at,
                              .last = wish->at,
                              .seed = seed,
                              .count = wish->count,
                              .probe = wish->pace.probe < wish->count ? wish->pace.probe : 0};
    if (wish->scenario->action_count >= STORM_ACTIONS_MAX) {
        return storm_fail(error, STORM_LIMIT, "the scenario has %d actions, no room for another",
                          STORM_ACTIONS_MAX);
    }
    if (!take_lists(replay, wish, arena) || !count_effects(replay, arena)) {
        return storm_fail(error, STORM_LIMIT, "no memory to replay %u letters", wish->count);
    }
    const struct storm_letter *sent = list_sent(replay, arena, error);
    return sent != NULL &&
           (add_action(replay, wish, sent, arena) ||
            storm_fail(error, STORM_LIMIT, "no memory to replay %u letters", wish->count));
}

/* ---- during ---------------------------------------------------------------------------------- */

/* Where the letters of an act begin in by_act; the count of letters: it is none of theirs. */
static uint32_t find_act(const struct replay *replay, uint64_t act) {
    uint32_t low = 0, high = replay->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (replay->by_act[middle]->act < act) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < replay->count && replay->by_act[low]->act == act ? low : replay->count;
}

/* The letter that a request of the target is: of those of its act the first that waits (key 0), or
   the one with that key. NULL: it is live traffic, or a further copy (invariant 1). */
static struct replay_letter *find_letter(const struct replay *replay, const struct storm_fact *fact,
                                         uint64_t key) {
    uint32_t origin = replay->target.is_queue ? fact->origin : fact->place;
    if (fact->place != replay->target.population || fact->ordinal < ORDINAL_FIRST) {
        return NULL;
    }
    uint64_t act = request_key(replay, origin, fact->member, fact->ordinal);
    for (uint32_t i = find_act(replay, act); i < replay->count && replay->by_act[i]->act == act;
         i++) {
        struct replay_letter *one = replay->by_act[i];
        if (key == 0 ? one->state == REPLAY_WAITS
                     : one->state == REPLAY_UNDER_WAY && one->key == key) {
            return one;
        }
    }
    return NULL;
}

/* A line of the audit file. The run is stopped when it cannot be written. */
static void note(struct replay *replay, const struct replay_letter *one, enum audit_event event,
                 const struct storm_fact *fact) {
    char at[TIMESTAMP_SIZE];
    struct audit_outcome outcome = {
        .event = event,
        .at = timestamp_print_virtual(replay->scenario.epoch, fact->time, at),
        .reason = storm_reason_word(fact->reason),
        .status = fact->status,
        .attempts = fact->attempts};
    if (replay->audit == NULL) {
        return;
    }
    audit_letter(replay->audit, one->letter, &outcome);
    uint32_t ended = replay->totals.succeeded + replay->totals.dead;
    if (event != AUDIT_SENT && ended % PROGRESS_STEP == 0) {
        audit_replay_progresses(replay->audit, &replay->totals, replay->count);
    }
    if (replay->audit->failed != 0) {
        *replay->stop = 1;
    }
}

static void hear_birth(struct replay *replay, const struct storm_fact *fact) {
    struct replay_letter *one =
        fact->level == STORM_BIRTH_REPLAY ? find_letter(replay, fact, 0) : NULL;
    if (one != NULL) {
        one->state = REPLAY_UNDER_WAY;
        one->key = fact->key;
        replay->totals.sent++;
        note(replay, one, AUDIT_SENT, fact);
    }
}

static void hear_end(struct replay *replay, const struct storm_fact *fact) {
    struct replay_letter *one = find_letter(replay, fact, fact->key);
    bool succeeded = fact->kind == STORM_FACT_SUCCEEDED;
    if (one == NULL) {
        replay->live_dead += !succeeded && fact->time >= replay->at;
        return;
    }
    one->state = succeeded ? REPLAY_SUCCEEDED : REPLAY_DEAD;
    one->end = *fact;
    replay->last = fact->time;
    *(succeeded ? &replay->totals.succeeded : &replay->totals.dead) += 1;
    if ((uint32_t)(one - replay->list) < replay->probe) {
        replay->probe_succeeded += succeeded;
    }
    note(replay, one, succeeded ? AUDIT_SUCCEEDED : AUDIT_DEAD, fact);
}

/* Attempts per second, in seconds that begin with the replay. */
static void hear_arrival(struct replay *replay, const struct storm_fact *fact) {
    struct replay_peak *peak = &replay->peaks[fact->place];
    int64_t second = (fact->time - replay->at) / STORM_SECOND;
    if (fact->time < replay->at || peak->each <= 0) {
        return;
    }
    if (second != peak->second) {
        peak->second = second;
        peak->count = 0;
    }
    peak->count++;
    peak->most = peak->count > peak->most ? peak->count : peak->most;
}

static void hear_effect(struct replay *replay, const struct storm_fact *fact) {
    if (find_act(replay, fact->parent) < replay->count) {
        replay->effects++;
        replay->totals.duplicates += fact->level != STORM_EFFECT_FIRST;
    }
}

void replay_hear(void *context, const struct storm_fact *fact) {
    struct replay *replay = context;
    switch (fact->kind) {
    case STORM_FACT_BORN:
        hear_birth(replay, fact);
        break;
    case STORM_FACT_SUCCEEDED:
    case STORM_FACT_DEAD:
        hear_end(replay, fact);
        break;
    case STORM_FACT_ARRIVED:
        hear_arrival(replay, fact);
        break;
    case STORM_FACT_CRASHED:
        replay->peaks[fact->place].crashes += fact->time >= replay->at;
        break;
    case STORM_FACT_EFFECT:
        hear_effect(replay, fact);
        break;
    default:
        break;
    }
}

/* ---- after ----------------------------------------------------------------------------------- */

void replay_finish(struct replay *replay) {
    struct audit_end *totals = &replay->totals;
    totals->in_doubt = totals->sent - totals->succeeded - totals->dead;
    totals->not_sent = replay->count - totals->sent;
    assert(totals->sent <= replay->count);
    if (replay->audit != NULL) {
        audit_replay_ends(replay->audit, totals);
    }
}

static uint32_t add_attempts(uint32_t a, uint32_t b) {
    return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

void replay_write_dead(const struct replay *replay, FILE *out) {
    const struct storm_scenario *scenario = &replay->scenario;
    char last[TIMESTAMP_SIZE], trace[DEAD_LETTER_TRACE_SIZE];
    for (uint32_t i = 0; i < replay->count; i++) {
        const struct replay_letter *one = &replay->list[i];
        if (one->state != REPLAY_DEAD) {
            continue;
        }
        struct dead_letter says = one->letter->says;
        says.reason = storm_reason_word(one->end.reason);
        says.status = one->end.status;
        says.data = storm_outcome_is_data(one->end.status);
        says.attempts = add_attempts(says.attempts, one->end.attempts);
        says.last_failed_at = timestamp_print_virtual(scenario->epoch, one->end.time, last);
        says.trace_id = dead_letter_trace(one->key, trace);
        says.queue = storm_letter_queue_of(&scenario->populations[replay->target.population]);
        dead_letter_write(out, &says);
    }
}
