/* trace.c: chooses one request of a run, and follows it through the tree of its attempts.

   1. An attempt is followed when its sender is: the request, one of its copies, an attempt that is
      followed, or the delivery of a message that is. A request of consumers is a message of whoever
      asked first: clients, member and ordinal tell.
   2. table[i] is the number of an attempt (or message, delivery, copy) plus 1, or 0; it stands in
      the first free place from its key on, so a search may stop at the first 0. At most half of the
      places are taken.
   3. `open` is how many births have not ended yet. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/trace.h"

#include <assert.h>

#include <retrystorm/scenario.h>

#include "base/arena.h"

enum { TABLE_SIZE = 8192 };

static_assert(TABLE_SIZE >= 2 * STORM_STORY_LINES_MAX, "every attempt has a line of its own");

struct trace {
    struct storm_story story;
    const struct storm_scenario *scenario;
    uint32_t open; /* invariant 3 */
    uint32_t births;
    uint32_t table[TABLE_SIZE];
};

/* ---- choosing -------------------------------------------------------------------------------- */

/* Whether a request that has ended makes a better story than the one chosen so far. Of equal ones
   the first is kept. */
static bool is_better(const struct trace_chooser *chooser, const struct storm_fact *fact) {
    const struct storm_fact *old = &chooser->chosen;
    bool dead = fact->kind == STORM_FACT_DEAD;
    bool old_dead = chooser->found && old->kind == STORM_FACT_DEAD;
    switch (chooser->choice) {
    case TRACE_DEAD:
        return dead && !chooser->found;
    case TRACE_USUAL:
        if (dead || old_dead) {
            return !old_dead;
        }
        return !chooser->found || fact->time - fact->since > old->time - old->since;
    case TRACE_SLOW:
        return !dead && (!chooser->found || fact->time - fact->since > old->time - old->since);
    case TRACE_RETRIED:
        return !dead && fact->attempts > (chooser->found ? old->attempts : 1);
    }
    assert(0 && "no such choice");
    return false;
}

void trace_choose(void *context, const struct storm_fact *fact) {
    struct trace_chooser *chooser = context;
    bool ended = fact->kind == STORM_FACT_SUCCEEDED || fact->kind == STORM_FACT_DEAD;
    if (ended && is_better(chooser, fact)) {
        assert(fact->since <= fact->time);
        chooser->found = true;
        chooser->chosen = *fact;
    }
}

/* ---- following ------------------------------------------------------------------------------- */

/* Whose request a population's fact is about. */
static uint32_t asker_of(const struct storm_scenario *scenario, const struct storm_fact *fact) {
    assert(fact->place < scenario->population_count);
    return storm_is_consumer(&scenario->populations[fact->place]) ? fact->origin : fact->place;
}

struct trace *trace_new(struct arena *arena, const struct storm_scenario *scenario,
                        const struct storm_fact *request) {
    struct trace *trace = arena_take(arena, sizeof *trace);
    if (trace == NULL) {
        return NULL;
    }
    struct storm_story *story = &trace->story;
    trace->scenario = scenario;
    story->population = asker_of(scenario, request);
    story->member = request->member;
    story->ordinal = request->ordinal;
    story->attempts = arena_take_array(arena, STORM_STORY_LINES_MAX, sizeof *story->attempts);
    story->lines = arena_take_array(arena, STORM_STORY_LINES_MAX, sizeof *story->lines);
    return story->attempts != NULL && story->lines != NULL ? trace : NULL;
}

/* The place of a key in the table: where it stands, or where it would. */
static uint32_t find_place(const struct trace *trace, uint64_t key) {
    uint32_t place = (uint32_t)(key % TABLE_SIZE), looked = 0;
    while (trace->table[place] != 0 && trace->story.attempts[trace->table[place] - 1].key != key) {
        place = (place + 1) % TABLE_SIZE;
        assert(++looked < TABLE_SIZE); /* invariant 2 */
    }
    return place;
}

/* The number of the attempt with that key; STORM_NONE when it is not followed. */
static uint32_t find_attempt(const struct trace *trace, uint64_t key) {
    uint32_t found = trace->table[find_place(trace, key)];
    return found > 0 ? found - 1 : STORM_NONE;
}

static void add_line(struct storm_story *story, uint32_t attempt, const struct storm_fact *fact) {
    assert(attempt == STORM_NONE || attempt < story->attempt_count);
    if (story->line_count == STORM_STORY_LINES_MAX) {
        story->cut = true;
        return;
    }
    story->lines[story->line_count++] = (struct storm_story_line){*fact, attempt};
}

/* Begins to follow something, below `parent` (STORM_NONE: the request itself), unless the story is
   full. */
static void add_attempt(struct trace *trace, const struct storm_fact *fact, uint32_t parent,
                        struct storm_story_attempt attempt) {
    struct storm_story *story = &trace->story;
    if (story->line_count == STORM_STORY_LINES_MAX) {
        story->cut = true;
        return;
    }
    uint32_t place = find_place(trace, fact->key);
    assert(trace->table[place] == 0); /* no two have the same key */
    assert(story->attempt_count < STORM_STORY_LINES_MAX);
    attempt.key = fact->key;
    attempt.depth += parent == STORM_NONE ? 0 : story->attempts[parent].depth;
    attempt.sent = fact->time;
    attempt.place = fact->place;
    story->attempts[story->attempt_count] = attempt;
    trace->table[place] = ++story->attempt_count;
    add_line(story, story->attempt_count - 1, fact);
}

/* What `key` names: true if it is followed; then *attempt is its number, or STORM_NONE if it is the
   request itself. */
static bool find_followed(const struct trace *trace, uint64_t key, uint32_t *attempt) {
    *attempt = trace->story.born && key != trace->story.key ? find_attempt(trace, key) : STORM_NONE;
    return trace->story.born && (key == trace->story.key || *attempt != STORM_NONE);
}

/* An attempt leaves its caller, or a message its queue: it is followed when that is. */
static void hear_sent(struct trace *trace, const struct storm_fact *fact,
                      enum storm_story_kind kind) {
    uint32_t parent;
    if (find_followed(trace, fact->parent, &parent)) {
        add_attempt(trace, fact, parent,
                    (struct storm_story_attempt){.parent = fact->parent,
                                                 .depth = 1,
                                                 .number = fact->attempts,
                                                 .kind = (uint8_t)kind});
    }
}

/* A message, below the attempt that became it where that is known, or a copy of the request. */
static void hear_birth(struct trace *trace, const struct storm_fact *fact) {
    struct storm_story *story = &trace->story;
    bool is_message = storm_is_consumer(&trace->scenario->populations[fact->place]);
    uint32_t parent;
    trace->open++;
    story->ended = false;
    if (!story->born) {
        story->born = true;
        story->key = fact->key;
        add_line(story, STORM_NONE, fact);
        return;
    }
    trace->births++;
    find_followed(trace, fact->parent, &parent);
    add_attempt(
        trace, fact, parent,
        (struct storm_story_attempt){.parent = fact->parent,
                                     .depth = is_message,
                                     .number = trace->births,
                                     .kind = is_message ? STORM_STORY_MESSAGE : STORM_STORY_COPY});
}

static void hear_end(struct trace *trace, const struct storm_fact *fact) {
    struct storm_story *story = &trace->story;
    uint32_t attempt;
    assert(story->born && trace->open > 0);
    trace->open--;
    find_followed(trace, fact->key, &attempt);
    story->ended = trace->open == 0;
    story->end = (struct storm_story_line){*fact, attempt};
    add_line(story, attempt, fact);
}

/* What is said about a request: is it this one? */
static void hear_request(struct trace *trace, const struct storm_fact *fact) {
    const struct storm_story *story = &trace->story;
    bool is_it = asker_of(trace->scenario, fact) == story->population &&
                 fact->member == story->member && fact->ordinal == story->ordinal;
    if (is_it && fact->kind == STORM_FACT_BORN) {
        hear_birth(trace, fact);
    } else if (is_it) {
        hear_end(trace, fact);
    }
}

/* A fact about an attempt, or about its caller when it was not sent at all. */
static void hear_attempt(struct trace *trace, const struct storm_fact *fact) {
    uint32_t attempt = find_attempt(trace, fact->key);
    bool followed = attempt != STORM_NONE;
    if (!followed && fact->kind == STORM_FACT_HELD_BACK) {
        followed = find_followed(trace, fact->parent, &attempt);
    }
    if (followed) {
        add_line(&trace->story, attempt, fact);
    }
}

static void hear_ban(struct trace *trace, const struct storm_fact *fact) {
    struct storm_story *story = &trace->story;
    if (story->born && fact->origin == story->population && fact->member == story->member) {
        add_line(story, STORM_NONE, fact);
    }
}

/* Whether one of the clients' breakers under that number may be the member's: its own, its host's,
   or all clients' one. */
static bool is_own_breaker(const struct trace *trace, uint32_t instance) {
    const struct storm_scenario *scenario = trace->scenario;
    const struct storm_population *clients = &scenario->populations[trace->story.population];
    uint32_t member = trace->story.member;
    for (uint32_t i = 0; i <= clients->fleet_count; i++) {
        uint32_t policy = i == 0 ? clients->call.policy : clients->fleets[i - 1].policy;
        const struct storm_breaker *breaker = &scenario->policies[policy].breaker;
        bool by_host = breaker->scope == STORM_SCOPE_HOST && clients->hosts > 0;
        uint32_t own = breaker->scope == STORM_SCOPE_SHARED ? 0
                       : by_host                            ? member % clients->hosts
                                                            : member;
        if (breaker->kind != STORM_BREAKER_NONE && own == instance) {
            return true;
        }
    }
    return false;
}

/* A breaker has come to another phase: it is told while the request lives, when it is one of its
   client's, or stands before a service that an attempt for it has reached for. */
static void hear_breaker(struct trace *trace, const struct storm_fact *fact) {
    struct storm_story *story = &trace->story;
    uint32_t edge = (uint32_t)(fact->parent >> 32);
    bool concerns = edge == story->population && is_own_breaker(trace, (uint32_t)fact->parent);
    bool is_of_clients = edge < trace->scenario->population_count;
    for (uint32_t i = 0; !is_of_clients && !concerns && i < story->attempt_count; i++) {
        const struct storm_story_attempt *attempt = &story->attempts[i];
        concerns = attempt->kind == STORM_STORY_ATTEMPT && attempt->place == fact->place;
    }
    if (story->born && !story->ended && concerns) {
        add_line(story, STORM_NONE, fact);
    }
}

void trace_hear(void *context, const struct storm_fact *fact) {
    struct trace *trace = context;
    switch ((enum storm_fact_kind)fact->kind) {
    case STORM_FACT_BORN:
    case STORM_FACT_SUCCEEDED:
    case STORM_FACT_DEAD:
        hear_request(trace, fact);
        break;
    case STORM_FACT_SENT:
        hear_sent(trace, fact, STORM_STORY_ATTEMPT);
        break;
    case STORM_FACT_DELIVERED:
        hear_sent(trace, fact, STORM_STORY_DELIVERY);
        break;
    case STORM_FACT_VANISHED:
    case STORM_FACT_ARRIVED:
    case STORM_FACT_REFUSED:
    case STORM_FACT_LOST:
    case STORM_FACT_QUEUED:
    case STORM_FACT_EXPIRED:
    case STORM_FACT_STARTED:
    case STORM_FACT_PARKED:
    case STORM_FACT_SERVED:
    case STORM_FACT_CANCELLED:
    case STORM_FACT_GAVE_UP:
    case STORM_FACT_BACKED_OFF:
    case STORM_FACT_RESTED:
    case STORM_FACT_HELD_BACK:
    case STORM_FACT_RETURNED:
    case STORM_FACT_EFFECT:
    case STORM_FACT_SUPPRESSED:
        hear_attempt(trace, fact);
        break;
    case STORM_FACT_BANNED:
        hear_ban(trace, fact);
        break;
    case STORM_FACT_CAPACITY:
    case STORM_FACT_OUTAGE:
    case STORM_FACT_CRASHED:
        break;
    case STORM_FACT_BREAKER:
        hear_breaker(trace, fact);
        break;
    }
}

const struct storm_story *trace_story(const struct trace *trace) { return &trace->story; }
