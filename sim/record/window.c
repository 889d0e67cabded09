/* window.c: hears a run, and tells what happens in a window of it.

   1. Time passes for the teller in order: pass(t) comes before all that is told of t, and first of
      all pass(from).
   2. Marks are in the order of their times; `next_mark` is the first that was not told. At one
      moment marks come before facts, as they do in the run. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/window.h"

#include <assert.h>
#include <stdlib.h>

#include "base/arena.h"
#include "record/lineage.h"

enum { MARKS_MAX = 100000 };

struct window {
    struct storm_window plan;
    const struct storm_scenario *scenario;
    struct lineage *lineage;
    struct window_teller teller;
    struct storm_mark *marks;
    uint32_t mark_count, next_mark;
    bool begun;
    volatile sig_atomic_t stop;
};

/* ---- marks ----------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b) {
    const struct storm_mark *x = a, *y = b;
    if (x->time != y->time) {
        return x->time < y->time ? -1 : 1;
    }
    if (x->is_action != y->is_action) {
        return x->is_action ? 1 : -1;
    }
    if (x->index != y->index) {
        return x->index < y->index ? -1 : 1;
    }
    return x->begins - y->begins; /* the end of one before the beginning of its next */
}

static void add_mark(struct window *window, struct storm_mark mark) {
    bool is_inside = mark.time >= window->plan.from && mark.time < window->plan.to;
    if (is_inside && window->mark_count < MARKS_MAX) {
        window->marks[window->mark_count++] = mark;
    }
}

/* A fault, as often as it comes in the window. */
static void mark_fault(struct window *window, uint32_t index) {
    const struct storm_fault *fault = &window->scenario->faults[index];
    storm_time at = fault->at, from = window->plan.from;
    if (window->plan.service != STORM_NONE && fault->service != window->plan.service) {
        return;
    }
    if (fault->period > 0 && from - fault->length > at) {
        at += (from - fault->length - at) / fault->period * fault->period;
    }
    for (; at < window->plan.to && window->mark_count < MARKS_MAX; at += fault->period) {
        add_mark(window, (struct storm_mark){.time = at, .index = index, .begins = true});
        add_mark(window,
                 (struct storm_mark){.time = storm_time_add(at, fault->length), .index = index});
        if (fault->period == 0) {
            break;
        }
    }
}

static void mark_action(struct window *window, uint32_t index) {
    const struct storm_action *action = &window->scenario->actions[index];
    bool lasts = action->kind == STORM_ACTION_PAUSE || action->kind == STORM_ACTION_BLOCK ||
                 action->kind == STORM_ACTION_ADMIT || action->kind == STORM_ACTION_ROLLOUT;
    struct storm_mark mark = {.time = action->at, .index = index, .is_action = true};
    mark.begins = true;
    add_mark(window, mark);
    if (lasts && action->length < STORM_NEVER) {
        mark.begins = false;
        mark.time = storm_time_add(action->at, action->length);
        add_mark(window, mark);
    }
}

static bool find_marks(struct window *window, struct arena *arena) {
    window->marks = arena_take_array(arena, MARKS_MAX, sizeof *window->marks);
    if (window->marks == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < window->scenario->fault_count; i++) {
        mark_fault(window, i);
    }
    for (uint32_t i = 0; i < window->scenario->action_count; i++) {
        mark_action(window, i);
    }
    qsort(window->marks, window->mark_count, sizeof *window->marks, compare);
    return true;
}

/* ---- what fits ------------------------------------------------------------------------------- */

/* The service that a fact is about, which `place` is, or the queue of consumers; STORM_NONE: it is
   about a request. */
static uint32_t service_of(const struct storm_scenario *scenario, const struct storm_fact *fact) {
    bool is_population = fact->kind == STORM_FACT_BORN || fact->kind == STORM_FACT_SUCCEEDED ||
                         fact->kind == STORM_FACT_DEAD || fact->kind == STORM_FACT_DELIVERED ||
                         fact->kind == STORM_FACT_RETURNED;
    if (!is_population) {
        return fact->place;
    }
    const struct storm_population *population = &scenario->populations[fact->place];
    return storm_is_consumer(population) ? scenario->queues[population->queue].service : STORM_NONE;
}

static bool fits_population(const struct window *window, const struct storm_fact *fact,
                            const struct storm_kin *kin) {
    const struct storm_window *plan = &window->plan;
    if (plan->population == STORM_NONE) {
        return true;
    }
    bool is_ban = fact->kind == STORM_FACT_BANNED;
    if (kin == NULL && !is_ban) {
        bool is_attempt = fact->kind != STORM_FACT_CAPACITY && fact->kind != STORM_FACT_OUTAGE &&
                          fact->kind != STORM_FACT_CRASHED && fact->kind != STORM_FACT_BREAKER;
        return !is_attempt;
    }
    uint32_t population = kin != NULL ? kin->population : fact->origin;
    uint32_t member = kin != NULL ? kin->member : fact->member;
    return population == plan->population &&
           (plan->member == STORM_NONE || member == plan->member) &&
           (plan->ordinal == STORM_NONE || kin == NULL || kin->ordinal == plan->ordinal);
}

static bool fits(const struct window *window, const struct storm_fact *fact,
                 const struct storm_kin *kin) {
    return (window->plan.service == STORM_NONE ||
            service_of(window->scenario, fact) == window->plan.service) &&
           fits_population(window, fact, kin);
}

/* ---- hearing --------------------------------------------------------------------------------- */

struct window *window_new(struct arena *arena, const struct storm_scenario *scenario,
                          const struct storm_window *plan) {
    struct window *window = arena_take(arena, sizeof *window);
    assert(plan->from >= 0 && plan->from < plan->to);
    if (window == NULL) {
        return NULL;
    }
    window->plan = *plan;
    window->scenario = scenario;
    window->lineage = lineage_new(arena, scenario);
    return window->lineage != NULL && find_marks(window, arena) ? window : NULL;
}

void window_tell_to(struct window *window, const struct window_teller *teller) {
    assert(!window->begun);
    window->teller = *teller;
}

struct lineage *window_lineage(struct window *window) {
    return window->lineage;
}

const volatile sig_atomic_t *window_stop(const struct window *window) { return &window->stop; }

static void pass(struct window *window, storm_time now) {
    if (window->teller.pass != NULL) {
        window->teller.pass(window->teller.context, now);
    }
}

/* Time comes to `now`, which is not before the window. */
static void advance(struct window *window, storm_time now) {
    const struct window_teller *teller = &window->teller;
    if (!window->begun) {
        window->begun = true;
        pass(window, window->plan.from);
    }
    for (; window->next_mark < window->mark_count; window->next_mark++) {
        const struct storm_mark *mark = &window->marks[window->next_mark];
        if (mark->time > now) {
            break;
        }
        pass(window, mark->time);
        if (teller->mark != NULL) {
            teller->mark(teller->context, mark);
        }
    }
    pass(window, storm_time_earlier(now, window->plan.to));
}

void window_hear(void *context, const struct storm_fact *fact) {
    struct window *window = context;
    if (window->stop != 0) {
        return;
    }
    if (fact->time >= window->plan.from) {
        advance(window, fact->time);
    }
    window->stop = fact->time >= window->plan.to;
    if (window->stop != 0) {
        return;
    }
    const struct storm_kin *kin = lineage_hear(window->lineage, fact);
    if (fact->time >= window->plan.from && window->teller.fact != NULL && fits(window, fact, kin)) {
        window->teller.fact(window->teller.context, fact, kin);
    }
}

bool window_finish(struct window *window, storm_time end) {
    if (window->stop == 0 && end >= window->plan.from) {
        advance(window, end);
    }
    return !lineage_failed(window->lineage);
}

/* ---- for people ------------------------------------------------------------------------------ */

struct window_story {
    struct storm_window_story told;
    struct arena *arena;
    uint32_t limit, room;
    bool failed;
};

struct window_story *window_story_new(struct arena *arena, const struct storm_window *plan,
                                      uint32_t limit) {
    struct window_story *story = arena_take(arena, sizeof *story);
    if (story != NULL) {
        story->arena = arena;
        story->limit = limit;
        story->told.window = *plan;
    }
    return story;
}

static void add_line(struct window_story *story, struct storm_window_line line) {
    struct storm_window_story *told = &story->told;
    told->all++;
    if (told->line_count == story->limit || story->failed) {
        return;
    }
    if (told->line_count == story->room) {
        uint32_t room = 2 * story->room + 64;
        struct storm_window_line *grown =
            arena_grow_array(story->arena, told->lines, told->line_count, room, sizeof *grown);
        story->failed = grown == NULL;
        if (story->failed) {
            return;
        }
        told->lines = grown;
        story->room = room;
    }
    told->lines[told->line_count++] = line;
}

static void keep_fact(void *context, const struct storm_fact *fact, const struct storm_kin *kin) {
    struct window_story *story = context;
    const struct storm_window *plan = &story->told.window;
    double share = (double)(fact->time - plan->from) / (double)(plan->to - plan->from);
    uint32_t part = (uint32_t)(share * STORM_WINDOW_PARTS);
    assert(fact->kind < STORM_FACT_KINDS && share >= 0);
    part = part < STORM_WINDOW_PARTS ? part : STORM_WINDOW_PARTS - 1;
    story->told.counts[fact->kind][part]++;
    struct storm_window_line line = {.fact = *fact, .has_kin = kin != NULL};
    if (kin != NULL) {
        line.kin = *kin;
    }
    add_line(story, line);
}

static void keep_mark(void *context, const struct storm_mark *mark) {
    add_line(context, (struct storm_window_line){.mark = *mark, .is_mark = true});
}

struct window_teller window_story_teller(struct window_story *story) {
    return (struct window_teller){.mark = keep_mark, .fact = keep_fact, .context = story};
}

const struct storm_window_story *window_story_told(const struct window_story *story) {
    return story->failed ? NULL : &story->told;
}
