/* trace.c: chooses one request of a run, and follows it through the tree of its attempts.

   1. An attempt is followed when its sender is: the request, or an attempt that is followed.
   2. table[i] is the number of an attempt plus 1, or 0; an attempt stands in the first free place
      from its key on, so a search may stop at the first 0. At most half of the places are taken. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/trace.h"

#include <assert.h>

#include <retrystorm/scenario.h>

#include "base/arena.h"

enum { TABLE_SIZE = 8192 };

static_assert(TABLE_SIZE >= 2 * STORM_STORY_LINES_MAX, "every attempt has a line of its own");

struct trace {
    struct storm_story story;
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

struct trace *trace_new(struct arena *arena, uint32_t population, uint32_t member,
                        uint32_t ordinal) {
    struct trace *trace = arena_take(arena, sizeof *trace);
    if (trace == NULL) {
        return NULL;
    }
    struct storm_story *story = &trace->story;
    story->population = population;
    story->member = member;
    story->ordinal = ordinal;
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

/* An attempt leaves its caller: it is followed when its caller is. */
static void hear_sent(struct trace *trace, const struct storm_fact *fact) {
    struct storm_story *story = &trace->story;
    uint32_t parent = STORM_NONE;
    if (!story->born) {
        return;
    }
    if (fact->parent != story->key) {
        parent = find_attempt(trace, fact->parent);
        if (parent == STORM_NONE) {
            return;
        }
    }
    if (story->line_count == STORM_STORY_LINES_MAX) {
        story->cut = true;
        return;
    }
    uint32_t place = find_place(trace, fact->key);
    assert(trace->table[place] == 0); /* no two attempts have the same key */
    assert(story->attempt_count < STORM_STORY_LINES_MAX);
    story->attempts[story->attempt_count] = (struct storm_story_attempt){
        .key = fact->key,
        .parent = fact->parent,
        .depth = parent == STORM_NONE ? 1 : story->attempts[parent].depth + 1,
        .number = fact->attempts,
        .sent = fact->time,
        .service = fact->place};
    trace->table[place] = ++story->attempt_count;
    add_line(story, story->attempt_count - 1, fact);
}

static void hear_request(struct storm_story *story, const struct storm_fact *fact) {
    bool is_it = fact->place == story->population && fact->member == story->member &&
                 fact->ordinal == story->ordinal;
    if (!is_it) {
        return;
    }
    if (fact->kind == STORM_FACT_BORN) {
        assert(!story->born);
        story->born = true;
        story->key = fact->key;
    } else {
        assert(story->born && !story->ended && fact->key == story->key);
        story->ended = true;
        story->end = *fact;
    }
    add_line(story, STORM_NONE, fact);
}

void trace_hear(void *context, const struct storm_fact *fact) {
    struct trace *trace = context;
    uint32_t attempt;
    switch ((enum storm_fact_kind)fact->kind) {
    case STORM_FACT_BORN:
    case STORM_FACT_SUCCEEDED:
    case STORM_FACT_DEAD:
        hear_request(&trace->story, fact);
        break;
    case STORM_FACT_SENT:
        hear_sent(trace, fact);
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
    case STORM_FACT_EFFECT:
    case STORM_FACT_SUPPRESSED:
        attempt = find_attempt(trace, fact->key);
        if (attempt != STORM_NONE) {
            add_line(&trace->story, attempt, fact);
        }
        break;
    case STORM_FACT_CAPACITY:
    case STORM_FACT_OUTAGE:
    case STORM_FACT_CRASHED:
    case STORM_FACT_BREAKER:
    case STORM_FACT_BANNED:
    case STORM_FACT_DELIVERED:
    case STORM_FACT_RETURNED:
        break;
    }
}

const struct storm_story *trace_story(const struct trace *trace) { return &trace->story; }
