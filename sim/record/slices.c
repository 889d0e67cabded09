/* slices.c: turns what happens in a window into slices of time that nest, lane by lane: which fact
   begins or ends which of them.

   1. A step ends when its caller is done with it: it gives up, backs off, or ends itself. An answer
      after which a service goes on with its next call arrives at the moment of that call; of calls
      that are made at once, the step ends when the callee is done, since nothing tells when the
      answer arrives. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/slices.h"

#include <assert.h>
#include <math.h>

#include <retrystorm/scenario.h>

#include "base/arena.h"
#include "record/drawing.h"
#include "record/frames.h"
#include "record/lineage.h"

enum { TICKS = 200 }; /* of a counter, in a window */

/* What a counter has said last. */
struct said {
    uint32_t waiting, served;
    uint64_t arrived;
    double offered;
};

struct slices {
    struct storm_window plan;
    const struct storm_scenario *scenario;
    struct lineage *lineage;
    struct frames frames;
    struct said *said; /* by service */
    storm_time next_tick, tick;
    bool begun;
};

struct slices *slices_new(struct arena *arena, const struct storm_scenario *scenario,
                          const struct storm_window *plan, struct window *window, uint64_t limit,
                          struct slices_drawer drawer) {
    struct slices *s = arena_take(arena, sizeof *s);
    struct drawing drawing = {
        .draw = drawer.draw, .context = drawer.context, .limit = limit, .now = plan->from};
    if (s == NULL) {
        return NULL;
    }
    *s = (struct slices){.plan = *plan,
                         .scenario = scenario,
                         .lineage = window_lineage(window),
                         .next_tick = plan->from};
    s->tick = (plan->to - plan->from + TICKS - 1) / TICKS;
    s->said = arena_take_array(arena, scenario->service_count, sizeof *s->said);
    return s->said != NULL && frames_init(&s->frames, arena, scenario, drawing) ? s : NULL;
}

/* ---- steps ----------------------------------------------------------------------------------- */

static bool makes_calls_at_once(const struct slices *s, const struct storm_kin *caller) {
    return caller->attempt.kind == STORM_STORY_ATTEMPT &&
           s->scenario->services[caller->attempt.place].fan_out;
}

/* The caller sends an attempt: what it was busy with before is over (invariant 1). */
static void end_steps_before(struct slices *s, const struct storm_kin *kin,
                             const struct storm_fact *fact) {
    struct drawn *caller = frames_caller(&s->frames, kin);
    const struct storm_kin *owner = lineage_at(s->lineage, kin->parent);
    bool goes_on = fact->attempts == 1 && !makes_calls_at_once(s, owner);
    if (caller == NULL) {
        return;
    }
    frames_end_rest(&s->frames, caller, fact);
    for (uint32_t step = caller->first_step, next; step > 0; step = next) {
        struct drawn *d = frames_at(&s->frames, step - 1);
        const struct storm_kin *other = lineage_at(s->lineage, step - 1);
        bool is_same_call = other->attempt.place == kin->attempt.place;
        bool is_answered = other->stage == STORM_STAGE_OVER && !d->is_silent;
        next = d->next_step;
        if (goes_on || (is_same_call && (d->is_back_off ? fact->queued : is_answered))) {
            frames_end_step(&s->frames, caller, step - 1, fact);
        }
    }
}

/* ---- facts about requests and messages ------------------------------------------------------- */

/* A window of one service shows what is at that service. */
static bool shows_requests(const struct slices *s) { return s->plan.service == STORM_NONE; }

static void hear_birth(struct slices *s, const struct storm_fact *fact,
                       const struct storm_kin *kin) {
    bool is_message = kin->attempt.kind == STORM_STORY_MESSAGE;
    if (frames_meet(&s->frames, kin->index) == NULL || (!is_message && !shows_requests(s))) {
        return;
    }
    frames_begin(&s->frames, kin, fact);
    if (is_message) {
        frames_wait(&s->frames, kin, fact);
    }
}

static void hear_sent(struct slices *s, const struct storm_fact *fact,
                      const struct storm_kin *kin) {
    if (frames_meet(&s->frames, kin->index) == NULL) {
        return;
    }
    end_steps_before(s, kin, fact);
    frames_begin_step(&s->frames, kin, STORM_SLICE_ATTEMPT, fact);
    struct drawn *d = frames_at(&s->frames, kin->index);
    d->has_flow = d->is_step &&
                  drawing_begin_flow(&s->frames.drawing, frames_caller(&s->frames, kin)->process,
                                     d->step_lane, kin);
}

/* The flow arrives, or never will. */
static void end_flow(struct slices *s, const struct storm_kin *kin, bool arrives) {
    struct drawn *d = frames_at(&s->frames, kin->index);
    if (!d->has_flow) {
        return;
    }
    d->has_flow = false;
    if (arrives && d->has_frame) {
        drawing_end_flow(&s->frames.drawing, d->process, d->lane, kin);
    } else {
        drawing_drop_flow(&s->frames.drawing);
    }
}

static void hear_delivered(struct slices *s, const struct storm_fact *fact,
                           const struct storm_kin *kin) {
    if (frames_meet(&s->frames, kin->index) == NULL || !frames_have_met(&s->frames, kin->parent)) {
        return;
    }
    frames_serve(&s->frames, lineage_at(s->lineage, kin->parent), fact);
    frames_begin(&s->frames, kin, fact);
    frames_at(&s->frames, kin->parent)->delivery = kin->index + 1;
}

static void hear_returned(struct slices *s, const struct storm_fact *fact,
                          const struct storm_kin *kin) {
    if (kin->attempt.kind == STORM_STORY_DELIVERY && kin->parent != STORM_NONE) {
        const struct storm_kin *message = lineage_at(s->lineage, kin->parent);
        frames_end(&s->frames, kin, fact);
        frames_at(&s->frames, message->index)->delivery = 0;
        frames_wait(&s->frames, message, fact);
    }
}

/* A request, a message or a copy is over; a delivery of it with it. */
static void hear_end(struct slices *s, const struct storm_fact *fact, const struct storm_kin *kin) {
    uint32_t delivery = frames_at(&s->frames, kin->index)->delivery;
    if (delivery > 0) {
        frames_end(&s->frames, lineage_at(s->lineage, delivery - 1), fact);
    }
    frames_end(&s->frames, kin, fact);
}

/* ---- facts about attempts -------------------------------------------------------------------- */

/* The callee is done with the attempt. */
static void hear_over(struct slices *s, const struct storm_fact *fact,
                      const struct storm_kin *kin) {
    struct drawn *d = frames_at(&s->frames, kin->index);
    bool says_nothing = (fact->status == 0 && fact->kind != STORM_FACT_CANCELLED) ||
                        fact->kind == STORM_FACT_VANISHED;
    d->is_silent = d->is_silent || says_nothing;
    frames_end(&s->frames, kin, fact);
    end_flow(s, kin, false);
    bool tells_caller = fact->kind == STORM_FACT_CANCELLED;
    if (kin->parent != STORM_NONE && !d->is_silent) {
        tells_caller = tells_caller || makes_calls_at_once(s, lineage_at(s->lineage, kin->parent));
    }
    if (tells_caller) {
        frames_end_own_step(&s->frames, kin, fact);
    }
}

static void hear_backed_off(struct slices *s, const struct storm_fact *fact,
                            const struct storm_kin *kin) {
    if (kin->attempt.key == fact->key) {
        frames_end_own_step(&s->frames, kin, fact);
        frames_begin_step(&s->frames, kin, STORM_SLICE_BACK_OFF, fact);
    } else {
        frames_begin_rest(&s->frames, kin, fact);
    }
}

static void hear_rested(struct slices *s, const struct storm_fact *fact,
                        const struct storm_kin *kin) {
    if (kin->attempt.key == fact->key) {
        frames_end_own_step(&s->frames, kin, fact);
    } else {
        frames_end_rest(&s->frames, frames_at(&s->frames, kin->index), fact);
    }
}

/* In the lane of whoever is held back. */
static void hear_held_back(struct slices *s, const struct storm_fact *fact,
                           const struct storm_kin *kin) {
    struct drawn *d = frames_at(&s->frames, kin->index);
    struct drawn *caller = kin->attempt.key == fact->key ? frames_caller(&s->frames, kin) : d;
    if (caller != NULL && caller->has_frame) {
        drawing_instant(&s->frames.drawing, STORM_SLICE_CHANGE, caller->process, caller->lane, fact,
                        NULL);
    }
}

static void hear_attempt(struct slices *s, const struct storm_fact *fact,
                         const struct storm_kin *kin) {
    switch ((enum storm_fact_kind)fact->kind) {
    case STORM_FACT_ARRIVED:
        frames_begin(&s->frames, kin, fact);
        end_flow(s, kin, true);
        break;
    case STORM_FACT_QUEUED:
        frames_wait(&s->frames, kin, fact);
        break;
    case STORM_FACT_STARTED:
        frames_serve(&s->frames, kin, fact);
        break;
    case STORM_FACT_VANISHED:
    case STORM_FACT_REFUSED:
    case STORM_FACT_LOST:
    case STORM_FACT_EXPIRED:
    case STORM_FACT_SERVED:
    case STORM_FACT_CANCELLED:
    case STORM_FACT_SUPPRESSED:
        hear_over(s, fact, kin);
        break;
    case STORM_FACT_GAVE_UP:
        frames_end_own_step(&s->frames, kin, fact);
        break;
    case STORM_FACT_BACKED_OFF:
        hear_backed_off(s, fact, kin);
        break;
    case STORM_FACT_RESTED:
        hear_rested(s, fact, kin);
        break;
    case STORM_FACT_HELD_BACK:
        hear_held_back(s, fact, kin);
        break;
    case STORM_FACT_BORN:
    case STORM_FACT_SENT:
    case STORM_FACT_PARKED:
    case STORM_FACT_SUCCEEDED:
    case STORM_FACT_DEAD:
    case STORM_FACT_CAPACITY:
    case STORM_FACT_OUTAGE:
    case STORM_FACT_CRASHED:
    case STORM_FACT_BREAKER:
    case STORM_FACT_BANNED:
    case STORM_FACT_DELIVERED:
    case STORM_FACT_RETURNED:
    case STORM_FACT_EFFECT:
        break;
    }
}

/* ---- facts about nobody ---------------------------------------------------------------------- */

/* The process of the callers whose breaker it is. */
static uint32_t owner_of_breaker(const struct slices *s, const struct storm_fact *fact) {
    const struct storm_scenario *scenario = s->scenario;
    uint32_t edge = (uint32_t)(fact->parent >> 32);
    if (edge < scenario->population_count) {
        return edge;
    }
    uint32_t call = edge - scenario->population_count;
    for (uint32_t i = 0; i < scenario->service_count; i++) {
        const struct storm_service *service = &scenario->services[i];
        if (call - service->call_first < service->call_count) {
            return frames_process_of_service(&s->frames, i);
        }
    }
    return frames_process_of_service(&s->frames, fact->place);
}

static void hear_change(struct slices *s, const struct storm_fact *fact) {
    uint32_t process = fact->kind == STORM_FACT_BREAKER ? owner_of_breaker(s, fact)
                       : fact->kind == STORM_FACT_BANNED
                           ? fact->origin
                           : frames_process_of_service(&s->frames, fact->place);
    drawing_instant(&s->frames.drawing, STORM_SLICE_CHANGE, process, 0, fact, NULL);
}

static void hear_fact(void *context, const struct storm_fact *fact, const struct storm_kin *kin) {
    struct slices *s = context;
    bool is_change = fact->kind == STORM_FACT_CAPACITY || fact->kind == STORM_FACT_OUTAGE ||
                     fact->kind == STORM_FACT_CRASHED || fact->kind == STORM_FACT_BREAKER ||
                     fact->kind == STORM_FACT_BANNED;
    if (is_change) {
        hear_change(s, fact);
    } else if (kin == NULL || s->frames.drawing.failed) {
        return;
    } else if (fact->kind == STORM_FACT_BORN) {
        hear_birth(s, fact, kin);
    } else if (fact->kind == STORM_FACT_SENT) {
        hear_sent(s, fact, kin);
    } else if (fact->kind == STORM_FACT_DELIVERED) {
        hear_delivered(s, fact, kin);
    } else if (!frames_have_met(&s->frames, kin->index)) {
        return; /* began before the window, and is not shown */
    } else if (fact->kind == STORM_FACT_RETURNED) {
        hear_returned(s, fact, kin);
    } else if (fact->kind == STORM_FACT_SUCCEEDED || fact->kind == STORM_FACT_DEAD) {
        hear_end(s, fact, kin);
    } else {
        hear_attempt(s, fact, kin);
    }
}

/* Where operators do something, or a fault is. */
static void hear_mark(void *context, const struct storm_mark *mark) {
    struct slices *s = context;
    const struct storm_scenario *scenario = s->scenario;
    uint32_t process = 0;
    if (!mark->is_action) {
        process = frames_process_of_service(&s->frames, scenario->faults[mark->index].service);
    } else {
        const struct storm_action *action = &scenario->actions[mark->index];
        bool is_service = action->kind == STORM_ACTION_BLOCK ||
                          action->kind == STORM_ACTION_CLEAR || action->kind == STORM_ACTION_ADMIT;
        bool has_clients =
            action->kind != STORM_ACTION_SET && action->population < scenario->population_count;
        process = is_service    ? frames_process_of_service(&s->frames, action->service)
                  : has_clients ? action->population
                                : 0;
    }
    drawing_instant(&s->frames.drawing, STORM_SLICE_PLAN, process, 0, NULL, mark);
}

/* ---- the window's edges, and counters -------------------------------------------------------- */

/* Shows who was under way when the window begins. */
static void show(struct slices *s, const struct storm_kin *kin) {
    enum storm_story_kind kind = kin->attempt.kind;
    const struct storm_window *plan = &s->plan;
    bool is_theirs = (plan->population == STORM_NONE || kin->population == plan->population) &&
                     (plan->member == STORM_NONE || kin->member == plan->member) &&
                     (plan->ordinal == STORM_NONE || kin->ordinal == plan->ordinal);
    struct drawn *d = frames_meet(&s->frames, kin->index);
    if (d == NULL || !is_theirs) {
        return;
    }
    bool is_there = kin->stage != STORM_STAGE_WAY && kin->stage != STORM_STAGE_OVER;
    bool is_here =
        plan->service == STORM_NONE ||
        frames_process_of(&s->frames, kin) == frames_process_of_service(&s->frames, plan->service);
    if (kind == STORM_STORY_ATTEMPT) {
        const struct storm_kin *caller = lineage_at(s->lineage, kin->parent);
        bool is_awaited = kin->stage != STORM_STAGE_OVER && !kin->given_up;
        bool rests = caller->resting == kin->index;
        if (is_awaited || rests) {
            frames_begin_step(&s->frames, kin, rests ? STORM_SLICE_BACK_OFF : STORM_SLICE_ATTEMPT,
                              NULL);
        }
    }
    bool is_open = kind == STORM_STORY_ATTEMPT    ? is_there
                   : kind == STORM_STORY_DELIVERY ? kin->stage != STORM_STAGE_OVER &&
                                                        !lineage_at(s->lineage, kin->parent)->ended
                                                  : !kin->ended;
    if (!is_open || !is_here) {
        return;
    }
    frames_begin(&s->frames, kin, NULL);
    bool is_served = kin->stage == STORM_STAGE_SERVED || kin->stage == STORM_STAGE_PARKED;
    if (kind == STORM_STORY_DELIVERY) {
        frames_at(&s->frames, kin->parent)->delivery = kin->index + 1;
    } else if (kind != STORM_STORY_ATTEMPT && kind != STORM_STORY_MESSAGE) {
        return;
    } else if (kin->stage == STORM_STAGE_WAITING) {
        frames_wait(&s->frames, kin, NULL);
    } else if (is_served) {
        frames_serve(&s->frames, kin, NULL);
    }
}

static void show_all(struct slices *s) {
    struct drawing *drawing = &s->frames.drawing;
    uint32_t count;
    uint32_t *list = lineage_list(s->lineage, &count);
    drawing->failed = drawing->failed || list == NULL;
    for (uint32_t i = 0; !drawing->failed && i < count; i++) {
        show(s, lineage_at(s->lineage, list[i]));
    }
}

/* Says how a service stands, if that is news. */
static void count_service(struct slices *s, uint32_t service, bool is_first) {
    const struct lineage_level *level = lineage_level(s->lineage, service);
    struct said *said = &s->said[service];
    double come = (double)(level->arrived - said->arrived) / storm_time_to_seconds(s->tick);
    double offered = is_first ? (double)NAN : come;
    bool is_news = is_first || level->waiting != said->waiting || level->served != said->served ||
                   !(offered == said->offered);
    *said = (struct said){level->waiting, level->served, level->arrived, offered};
    if (is_news) {
        drawing_level(&s->frames.drawing, frames_process_of_service(&s->frames, service),
                      level->waiting, level->served, offered);
    }
}

static void pass(void *context, storm_time now) {
    struct slices *s = context;
    struct drawing *drawing = &s->frames.drawing;
    assert(now >= drawing->now);
    if (!s->begun) {
        s->begun = true;
        show_all(s);
    }
    for (; s->next_tick <= now; s->next_tick += s->tick) {
        drawing->now = s->next_tick;
        for (uint32_t i = 0; i < s->scenario->service_count; i++) {
            if (s->plan.service == STORM_NONE || s->plan.service == i) {
                count_service(s, i, s->next_tick == s->plan.from);
            }
        }
    }
    drawing->now = now;
}

struct window_teller slices_teller(struct slices *slices) {
    return (struct window_teller){pass, hear_mark, hear_fact, slices};
}

uint64_t slices_finish(struct slices *s, storm_time end_of_run) {
    struct drawing *drawing = &s->frames.drawing;
    uint32_t count = 0;
    uint32_t *list = s->begun ? lineage_list(s->lineage, &count) : NULL;
    drawing->now = storm_time_later(drawing->now, storm_time_earlier(end_of_run, s->plan.to));
    while (count > 0) { /* the youngest first: steps before their frames */
        const struct storm_kin *kin = lineage_at(s->lineage, list[--count]);
        if (frames_have_met(&s->frames, kin->index)) {
            frames_end(&s->frames, kin, NULL);
        }
    }
    return drawing->failed ? UINT64_MAX : drawing->left_out;
}
