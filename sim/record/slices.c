/* slices.c: turns what happens in a window into slices of time that nest, lane by lane.

   A request has a lane of its clients' process, an attempt one of the service that it visits, a
   delivery one of its consumers, a message one of its queue: their frames. What a frame's owner
   does (attempts, back-offs) are its steps: they lie in the frame's own lane, but for those that
   begin while another is there (hedges, calls that are made at once): they take a lane of their
   own.

   1. drawn[i] is about whoever has index i in the lineage now: it is zeroed when that one begins.
   2. The steps of a frame are in its list from `first_step`, and end before it. At most one of them
      lies in the frame's lane; `has_step` says so.
   3. open_count slices have begun and not ended: so many events are kept free below the limit.
   4. A step ends when its caller is done with it: it gives up, backs off, or ends itself. An answer
      after which a service goes on with its next call arrives at the moment of that call; of calls
      that are made at once, the step ends when the callee is done, since nothing tells when the
      answer arrives. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/slices.h"

#include <assert.h>
#include <string.h>

#include <retrystorm/scenario.h>

#include "base/arena.h"
#include "record/lineage.h"

enum { TICKS = 200, FIRST_LANES = 64, WORD = 64 };

/* Lane 0 is never taken. */
struct process {
    uint64_t *taken; /* bits */
    uint32_t words;
};

struct drawn {
    bool has_frame, has_step, rests; /* rests: before a try that was not let out */
    bool in_queue, in_service;       /* inside the frame */
    uint32_t process, lane;          /* of the frame */
    uint32_t first_step;             /* index, plus 1; 0: none */
    uint32_t delivery;               /* of a message: in a consumer's hands; index, plus 1 */
    /* as a step of its caller */
    bool is_step, is_back_off, has_own_lane, is_silent, has_flow;
    uint32_t step_lane;
    uint32_t next_step; /* of the same frame, plus 1 */
};

/* What a counter has said last. */
struct said {
    uint32_t waiting, served;
    uint64_t arrived;
    double offered;
};

struct slices {
    struct storm_window plan;
    const struct storm_scenario *scenario;
    struct arena *arena;
    struct lineage *lineage;
    struct slices_drawer drawer;
    struct process *processes;
    struct drawn *drawn;
    struct said *said; /* by service */
    uint32_t drawn_room;
    uint64_t limit, count, open_count, left_out;
    storm_time now, next_tick, tick;
    bool begun, failed;
};

struct slices *slices_new(struct arena *arena, const struct storm_scenario *scenario,
                          const struct storm_window *plan, struct window *window, uint64_t limit,
                          struct slices_drawer drawer) {
    struct slices *s = arena_take(arena, sizeof *s);
    uint32_t count = scenario->population_count + scenario->service_count;
    if (s == NULL) {
        return NULL;
    }
    *s = (struct slices){.plan = *plan,
                         .scenario = scenario,
                         .arena = arena,
                         .lineage = window_lineage(window),
                         .drawer = drawer,
                         .limit = limit,
                         .now = plan->from,
                         .next_tick = plan->from};
    s->tick = (plan->to - plan->from + TICKS - 1) / TICKS;
    s->processes = arena_take_array(arena, count, sizeof *s->processes);
    s->said = arena_take_array(arena, scenario->service_count, sizeof *s->said);
    return s->processes != NULL && s->said != NULL ? s : NULL;
}

/* ---- lanes ----------------------------------------------------------------------------------- */

/* The lowest lane that is free; 0 without memory. */
static uint32_t take_lane(struct slices *s, uint32_t process) {
    struct process *p = &s->processes[process];
    for (uint32_t word = 0;; word++) {
        if (word == p->words) {
            uint32_t words = p->words > 0 ? 2 * p->words : FIRST_LANES / WORD;
            uint64_t *grown = arena_grow_array(s->arena, p->taken, p->words, words, sizeof *grown);
            if (grown == NULL) {
                s->failed = true;
                return 0;
            }
            p->taken = grown;
            p->taken[0] |= 1;
            p->words = words;
        }
        if (p->taken[word] != UINT64_MAX) {
            uint32_t bit = (uint32_t)__builtin_ctzll(~p->taken[word]);
            p->taken[word] |= UINT64_C(1) << bit;
            return word * WORD + bit;
        }
    }
}

static void give_lane(struct slices *s, uint32_t process, uint32_t lane) {
    struct process *p = &s->processes[process];
    uint64_t bit = UINT64_C(1) << lane % WORD;
    assert(lane > 0 && lane / WORD < p->words && (p->taken[lane / WORD] & bit) != 0);
    p->taken[lane / WORD] &= ~bit;
}

/* ---- events ---------------------------------------------------------------------------------- */

/* Whether `more` events fit, besides the ends of what is open (invariant 3). */
static bool fits(struct slices *s, uint32_t more) {
    bool good = !s->failed && s->count + s->open_count + more <= s->limit;
    s->left_out += good ? 0 : more;
    return good;
}

static void draw(struct slices *s, struct storm_slice_event event) {
    event.time = s->now;
    s->count++;
    s->drawer.draw(s->drawer.context, &event);
}

/* Begins a slice. False where it is left out. */
static bool begin(struct slices *s, enum storm_slice_kind kind, uint32_t process, uint32_t lane,
                  const struct storm_fact *fact, const struct storm_kin *kin) {
    if (lane == 0 || !fits(s, 2)) {
        return false;
    }
    draw(s, (struct storm_slice_event){.phase = STORM_SLICE_BEGIN,
                                       .kind = kind,
                                       .process = process,
                                       .lane = lane,
                                       .fact = fact,
                                       .kin = kin});
    s->open_count++;
    return true;
}

static void end(struct slices *s, enum storm_slice_kind kind, uint32_t process, uint32_t lane,
                const struct storm_fact *fact) {
    assert(s->open_count > 0);
    s->open_count--;
    draw(s, (struct storm_slice_event){.phase = STORM_SLICE_END,
                                       .kind = kind,
                                       .process = process,
                                       .lane = lane,
                                       .fact = fact});
}

static void draw_instant(struct slices *s, enum storm_slice_kind kind, uint32_t process,
                         uint32_t lane, const struct storm_fact *fact,
                         const struct storm_mark *mark) {
    if (fits(s, 1)) {
        draw(s, (struct storm_slice_event){.phase = STORM_SLICE_INSTANT,
                                           .kind = kind,
                                           .process = process,
                                           .lane = lane,
                                           .fact = fact,
                                           .mark = mark});
    }
}

static uint32_t process_of_service(const struct slices *s, uint32_t service) {
    return s->scenario->population_count + service;
}

/* ---- who is drawn ---------------------------------------------------------------------------- */

static struct drawn *drawn_at(struct slices *s, uint32_t index) {
    assert(index < s->drawn_room);
    return &s->drawn[index];
}

/* Somebody new (invariant 1). NULL without memory. */
static struct drawn *meet(struct slices *s, uint32_t index) {
    if (index >= s->drawn_room) {
        uint32_t room = index + 1 > 2 * s->drawn_room ? index + 256 : 2 * s->drawn_room;
        struct drawn *grown =
            arena_grow_array(s->arena, s->drawn, s->drawn_room, room, sizeof *grown);
        if (grown == NULL) {
            s->failed = true;
            return NULL;
        }
        s->drawn = grown;
        s->drawn_room = room;
    }
    assert(!s->drawn[index].has_frame && !s->drawn[index].is_step); /* who was there has gone */
    s->drawn[index] = (struct drawn){.has_frame = false};
    return &s->drawn[index];
}

/* The frame of who has sent it, or NULL. */
static struct drawn *caller_of(struct slices *s, const struct storm_kin *kin) {
    if (kin->parent == STORM_NONE || kin->parent >= s->drawn_room) {
        return NULL;
    }
    struct drawn *caller = drawn_at(s, kin->parent);
    return caller->has_frame ? caller : NULL;
}

/* ---- steps ----------------------------------------------------------------------------------- */

static void begin_step(struct slices *s, const struct storm_kin *kin, enum storm_slice_kind kind,
                       const struct storm_fact *fact) {
    struct drawn *caller = caller_of(s, kin), *d = drawn_at(s, kin->index);
    if (caller == NULL || d->is_step) {
        return;
    }
    bool has_own_lane = caller->has_step;
    uint32_t lane = has_own_lane ? take_lane(s, caller->process) : caller->lane;
    if (!begin(s, kind, caller->process, lane, fact, kin)) {
        if (has_own_lane && lane > 0) {
            give_lane(s, caller->process, lane);
        }
        return;
    }
    caller->has_step = true;
    d->is_step = true;
    d->is_back_off = kind == STORM_SLICE_BACK_OFF;
    d->has_own_lane = has_own_lane;
    d->step_lane = lane;
    d->next_step = caller->first_step;
    caller->first_step = kin->index + 1;
}

static void end_step(struct slices *s, struct drawn *caller, uint32_t index,
                     const struct storm_fact *fact) {
    struct drawn *d = drawn_at(s, index);
    uint32_t *link = &caller->first_step;
    assert(d->is_step);
    while (*link != index + 1) {
        assert(*link > 0); /* invariant 2 */
        link = &drawn_at(s, *link - 1)->next_step;
    }
    *link = d->next_step;
    end(s, d->is_back_off ? STORM_SLICE_BACK_OFF : STORM_SLICE_ATTEMPT, caller->process,
        d->step_lane, fact);
    if (d->has_own_lane) {
        give_lane(s, caller->process, d->step_lane);
    } else {
        caller->has_step = false;
    }
    d->is_step = false;
}

/* The caller's step, if there is one. */
static void end_own_step(struct slices *s, const struct storm_kin *kin,
                         const struct storm_fact *fact) {
    struct drawn *caller = caller_of(s, kin);
    if (caller != NULL && drawn_at(s, kin->index)->is_step) {
        end_step(s, caller, kin->index, fact);
    }
}

/* Before a try that was not let out: the caller itself rests. */
static void begin_rest(struct slices *s, const struct storm_kin *caller,
                       const struct storm_fact *fact) {
    struct drawn *d = drawn_at(s, caller->index);
    if (d->has_frame && !d->has_step &&
        begin(s, STORM_SLICE_BACK_OFF, d->process, d->lane, fact, caller)) {
        d->has_step = true;
        d->rests = true;
    }
}

static void end_rest(struct slices *s, struct drawn *caller, const struct storm_fact *fact) {
    if (caller->rests) {
        end(s, STORM_SLICE_BACK_OFF, caller->process, caller->lane, fact);
        caller->has_step = false;
        caller->rests = false;
    }
}

static bool makes_calls_at_once(const struct slices *s, const struct storm_kin *caller) {
    return caller->attempt.kind == STORM_STORY_ATTEMPT &&
           s->scenario->services[caller->attempt.place].fan_out;
}

/* The caller sends an attempt: what it was busy with before is over (invariant 4). */
static void end_steps_before(struct slices *s, const struct storm_kin *kin,
                             const struct storm_fact *fact) {
    struct drawn *caller = caller_of(s, kin);
    const struct storm_kin *owner = lineage_at(s->lineage, kin->parent);
    bool goes_on = fact->attempts == 1 && !makes_calls_at_once(s, owner);
    if (caller == NULL) {
        return;
    }
    end_rest(s, caller, fact);
    for (uint32_t step = caller->first_step, next; step > 0; step = next) {
        struct drawn *d = drawn_at(s, step - 1);
        const struct storm_kin *other = lineage_at(s->lineage, step - 1);
        bool is_same_call = other->attempt.place == kin->attempt.place;
        bool is_answered = other->stage == STORM_STAGE_OVER && !d->is_silent;
        next = d->next_step;
        if (goes_on || (is_same_call && (d->is_back_off ? fact->queued : is_answered))) {
            end_step(s, caller, step - 1, fact);
        }
    }
}

/* ---- frames ---------------------------------------------------------------------------------- */

static uint32_t process_of(const struct slices *s, const struct storm_kin *kin) {
    const struct storm_scenario *scenario = s->scenario;
    uint32_t place = kin->attempt.place;
    switch ((enum storm_story_kind)kin->attempt.kind) {
    case STORM_STORY_ATTEMPT:
        return process_of_service(s, place);
    case STORM_STORY_MESSAGE:
        return process_of_service(s, scenario->queues[scenario->populations[place].queue].service);
    case STORM_STORY_DELIVERY:
    case STORM_STORY_COPY:
    case STORM_STORY_REQUEST:
        break;
    }
    return place;
}

static enum storm_slice_kind frame_kind(const struct storm_kin *kin) {
    static const enum storm_slice_kind kinds[] = {[STORM_STORY_ATTEMPT] = STORM_SLICE_VISIT,
                                                  [STORM_STORY_MESSAGE] = STORM_SLICE_MESSAGE,
                                                  [STORM_STORY_DELIVERY] = STORM_SLICE_DELIVERY,
                                                  [STORM_STORY_COPY] = STORM_SLICE_REQUEST,
                                                  [STORM_STORY_REQUEST] = STORM_SLICE_REQUEST};
    assert(kin->attempt.kind < sizeof kinds / sizeof kinds[0]);
    return kinds[kin->attempt.kind];
}

static void begin_frame(struct slices *s, const struct storm_kin *kin,
                        const struct storm_fact *fact) {
    uint32_t process = process_of(s, kin);
    struct drawn *d = drawn_at(s, kin->index);
    assert(!d->has_frame);
    uint32_t lane = take_lane(s, process);
    if (!begin(s, frame_kind(kin), process, lane, fact, kin)) {
        if (lane > 0) {
            give_lane(s, process, lane);
        }
        return;
    }
    d->has_frame = true;
    d->process = process;
    d->lane = lane;
}

/* Begins or ends the part of a frame in the queue, or the one in service. */
static void set_part(struct slices *s, const struct storm_kin *kin, bool *part, bool value,
                     const struct storm_fact *fact) {
    struct drawn *d = drawn_at(s, kin->index);
    if (!d->has_frame || *part == value) {
        return;
    }
    enum storm_slice_kind kind = part == &d->in_queue ? STORM_SLICE_QUEUE : STORM_SLICE_SERVICE;
    if (!value) {
        end(s, kind, d->process, d->lane, fact);
        *part = false;
        return;
    }
    *part = begin(s, kind, d->process, d->lane, fact, kin);
}

static void wait_in_queue(struct slices *s, const struct storm_kin *kin,
                          const struct storm_fact *fact) {
    struct drawn *d = drawn_at(s, kin->index);
    set_part(s, kin, &d->in_service, false, fact);
    set_part(s, kin, &d->in_queue, true, fact);
}

static void serve(struct slices *s, const struct storm_kin *kin, const struct storm_fact *fact) {
    struct drawn *d = drawn_at(s, kin->index);
    set_part(s, kin, &d->in_queue, false, fact);
    set_part(s, kin, &d->in_service, true, fact);
}

/* Ends what is in the frame, and the frame. Of a message the steps are deliveries, which have
   frames of their own instead. */
static void end_frame(struct slices *s, const struct storm_kin *kin,
                      const struct storm_fact *fact) {
    struct drawn *d = drawn_at(s, kin->index);
    if (!d->has_frame) {
        return;
    }
    end_rest(s, d, fact);
    while (d->first_step > 0) {
        end_step(s, d, d->first_step - 1, fact);
    }
    set_part(s, kin, &d->in_queue, false, fact);
    set_part(s, kin, &d->in_service, false, fact);
    end(s, frame_kind(kin), d->process, d->lane, fact);
    give_lane(s, d->process, d->lane);
    d->has_frame = false;
}

/* ---- facts about requests and messages ------------------------------------------------------- */

/* A window of one service shows what is at that service. */
static bool shows_requests(const struct slices *s) { return s->plan.service == STORM_NONE; }

static void hear_birth(struct slices *s, const struct storm_fact *fact,
                       const struct storm_kin *kin) {
    bool is_message = kin->attempt.kind == STORM_STORY_MESSAGE;
    if (meet(s, kin->index) == NULL || (!is_message && !shows_requests(s))) {
        return;
    }
    begin_frame(s, kin, fact);
    if (is_message) {
        wait_in_queue(s, kin, fact);
    }
}

static void draw_flow(struct slices *s, enum storm_slice_phase phase, uint32_t process,
                      uint32_t lane, const struct storm_kin *kin) {
    draw(s, (struct storm_slice_event){.phase = phase,
                                       .kind = STORM_SLICE_ATTEMPT,
                                       .process = process,
                                       .lane = lane,
                                       .kin = kin,
                                       .flow = kin->order + 1});
}

static void hear_sent(struct slices *s, const struct storm_fact *fact,
                      const struct storm_kin *kin) {
    if (meet(s, kin->index) == NULL) {
        return;
    }
    end_steps_before(s, kin, fact);
    begin_step(s, kin, STORM_SLICE_ATTEMPT, fact);
    struct drawn *d = drawn_at(s, kin->index);
    if (d->is_step && fits(s, 2)) {
        d->has_flow = true;
        s->open_count++; /* the other end is kept free, too */
        draw_flow(s, STORM_SLICE_FLOW_OUT, caller_of(s, kin)->process, d->step_lane, kin);
    }
}

/* The flow arrives, or never will. */
static void end_flow(struct slices *s, const struct storm_kin *kin, bool arrives) {
    struct drawn *d = drawn_at(s, kin->index);
    if (!d->has_flow) {
        return;
    }
    d->has_flow = false;
    s->open_count--;
    if (arrives && d->has_frame) {
        draw_flow(s, STORM_SLICE_FLOW_IN, d->process, d->lane, kin);
    }
}

static void hear_delivered(struct slices *s, const struct storm_fact *fact,
                           const struct storm_kin *kin) {
    if (meet(s, kin->index) == NULL || kin->parent >= s->drawn_room) {
        return;
    }
    serve(s, lineage_at(s->lineage, kin->parent), fact);
    begin_frame(s, kin, fact);
    drawn_at(s, kin->parent)->delivery = kin->index + 1;
}

static void hear_returned(struct slices *s, const struct storm_fact *fact,
                          const struct storm_kin *kin) {
    if (kin->attempt.kind == STORM_STORY_DELIVERY && kin->parent != STORM_NONE) {
        const struct storm_kin *message = lineage_at(s->lineage, kin->parent);
        end_frame(s, kin, fact);
        drawn_at(s, message->index)->delivery = 0;
        wait_in_queue(s, message, fact);
    }
}

/* A request, a message or a copy is over; a delivery of it with it. */
static void hear_end(struct slices *s, const struct storm_fact *fact, const struct storm_kin *kin) {
    uint32_t delivery = drawn_at(s, kin->index)->delivery;
    if (delivery > 0) {
        end_frame(s, lineage_at(s->lineage, delivery - 1), fact);
    }
    end_frame(s, kin, fact);
}

/* ---- facts about attempts -------------------------------------------------------------------- */

/* The callee is done with the attempt. */
static void hear_over(struct slices *s, const struct storm_fact *fact,
                      const struct storm_kin *kin) {
    struct drawn *d = drawn_at(s, kin->index);
    bool says_nothing = (fact->status == 0 && fact->kind != STORM_FACT_CANCELLED) ||
                        fact->kind == STORM_FACT_VANISHED;
    d->is_silent = d->is_silent || says_nothing;
    end_frame(s, kin, fact);
    end_flow(s, kin, false);
    bool tells_caller = fact->kind == STORM_FACT_CANCELLED;
    if (kin->parent != STORM_NONE && !d->is_silent) {
        tells_caller = tells_caller || makes_calls_at_once(s, lineage_at(s->lineage, kin->parent));
    }
    if (tells_caller) {
        end_own_step(s, kin, fact);
    }
}

static void hear_backed_off(struct slices *s, const struct storm_fact *fact,
                            const struct storm_kin *kin) {
    if (kin->attempt.key == fact->key) {
        end_own_step(s, kin, fact);
        begin_step(s, kin, STORM_SLICE_BACK_OFF, fact);
    } else {
        begin_rest(s, kin, fact);
    }
}

static void hear_rested(struct slices *s, const struct storm_fact *fact,
                        const struct storm_kin *kin) {
    if (kin->attempt.key == fact->key) {
        end_own_step(s, kin, fact);
    } else {
        end_rest(s, drawn_at(s, kin->index), fact);
    }
}

/* In the lane of whoever is held back. */
static void hear_held_back(struct slices *s, const struct storm_fact *fact,
                           const struct storm_kin *kin) {
    struct drawn *d = drawn_at(s, kin->index);
    struct drawn *caller = kin->attempt.key == fact->key ? caller_of(s, kin) : d;
    if (caller != NULL && caller->has_frame) {
        draw_instant(s, STORM_SLICE_CHANGE, caller->process, caller->lane, fact, NULL);
    }
}

static void hear_attempt(struct slices *s, const struct storm_fact *fact,
                         const struct storm_kin *kin) {
    switch ((enum storm_fact_kind)fact->kind) {
    case STORM_FACT_ARRIVED:
        begin_frame(s, kin, fact);
        end_flow(s, kin, true);
        break;
    case STORM_FACT_QUEUED:
        wait_in_queue(s, kin, fact);
        break;
    case STORM_FACT_STARTED:
        serve(s, kin, fact);
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
        end_own_step(s, kin, fact);
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
            return process_of_service(s, i);
        }
    }
    return process_of_service(s, fact->place);
}

static void hear_change(struct slices *s, const struct storm_fact *fact) {
    uint32_t process = fact->kind == STORM_FACT_BREAKER  ? owner_of_breaker(s, fact)
                       : fact->kind == STORM_FACT_BANNED ? fact->origin
                                                         : process_of_service(s, fact->place);
    draw_instant(s, STORM_SLICE_CHANGE, process, 0, fact, NULL);
}

static void hear_fact(void *context, const struct storm_fact *fact, const struct storm_kin *kin) {
    struct slices *s = context;
    bool is_change = fact->kind == STORM_FACT_CAPACITY || fact->kind == STORM_FACT_OUTAGE ||
                     fact->kind == STORM_FACT_CRASHED || fact->kind == STORM_FACT_BREAKER ||
                     fact->kind == STORM_FACT_BANNED;
    if (is_change) {
        hear_change(s, fact);
    } else if (kin == NULL || s->failed) {
        return;
    } else if (fact->kind == STORM_FACT_BORN) {
        hear_birth(s, fact, kin);
    } else if (fact->kind == STORM_FACT_SENT) {
        hear_sent(s, fact, kin);
    } else if (fact->kind == STORM_FACT_DELIVERED) {
        hear_delivered(s, fact, kin);
    } else if (kin->index >= s->drawn_room) {
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
        process = process_of_service(s, scenario->faults[mark->index].service);
    } else {
        const struct storm_action *action = &scenario->actions[mark->index];
        bool is_service = action->kind == STORM_ACTION_BLOCK ||
                          action->kind == STORM_ACTION_CLEAR || action->kind == STORM_ACTION_ADMIT;
        bool has_clients =
            action->kind != STORM_ACTION_SET && action->population < scenario->population_count;
        process = is_service    ? process_of_service(s, action->service)
                  : has_clients ? action->population
                                : 0;
    }
    draw_instant(s, STORM_SLICE_PLAN, process, 0, NULL, mark);
}

/* ---- the window's edges, and counters -------------------------------------------------------- */

/* Shows who was under way when the window begins. */
static void show(struct slices *s, const struct storm_kin *kin) {
    enum storm_story_kind kind = kin->attempt.kind;
    const struct storm_window *plan = &s->plan;
    bool is_theirs = (plan->population == STORM_NONE || kin->population == plan->population) &&
                     (plan->member == STORM_NONE || kin->member == plan->member) &&
                     (plan->ordinal == STORM_NONE || kin->ordinal == plan->ordinal);
    struct drawn *d = meet(s, kin->index);
    if (d == NULL || !is_theirs) {
        return;
    }
    bool is_there = kin->stage != STORM_STAGE_WAY && kin->stage != STORM_STAGE_OVER;
    bool is_here =
        plan->service == STORM_NONE || process_of(s, kin) == process_of_service(s, plan->service);
    if (kind == STORM_STORY_ATTEMPT) {
        const struct storm_kin *caller = lineage_at(s->lineage, kin->parent);
        bool is_awaited = kin->stage != STORM_STAGE_OVER && !kin->given_up;
        bool rests = caller->resting == kin->index;
        if (is_awaited || rests) {
            begin_step(s, kin, rests ? STORM_SLICE_BACK_OFF : STORM_SLICE_ATTEMPT, NULL);
        }
    }
    bool is_open = kind == STORM_STORY_ATTEMPT    ? is_there
                   : kind == STORM_STORY_DELIVERY ? kin->stage != STORM_STAGE_OVER &&
                                                        !lineage_at(s->lineage, kin->parent)->ended
                                                  : !kin->ended;
    if (!is_open || !is_here) {
        return;
    }
    begin_frame(s, kin, NULL);
    if (kind == STORM_STORY_DELIVERY) {
        drawn_at(s, kin->parent)->delivery = kin->index + 1;
    }
    if (kind == STORM_STORY_ATTEMPT || kind == STORM_STORY_MESSAGE) {
        set_part(s, kin, &d->in_queue, kin->stage == STORM_STAGE_WAITING, NULL);
        set_part(s, kin, &d->in_service,
                 kin->stage == STORM_STAGE_SERVED || kin->stage == STORM_STAGE_PARKED, NULL);
    }
}

static void show_all(struct slices *s) {
    uint32_t count;
    uint32_t *list = lineage_list(s->lineage, &count);
    s->failed = s->failed || list == NULL;
    for (uint32_t i = 0; !s->failed && i < count; i++) {
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
    if (is_news && fits(s, 2)) {
        s->count++; /* two tracks */
        draw(s, (struct storm_slice_event){.phase = STORM_SLICE_COUNTER,
                                           .kind = STORM_SLICE_LEVEL,
                                           .process = process_of_service(s, service),
                                           .waiting = level->waiting,
                                           .served = level->served,
                                           .offered = offered});
    }
}

static void pass(void *context, storm_time now) {
    struct slices *s = context;
    assert(now >= s->now);
    if (!s->begun) {
        s->begun = true;
        show_all(s);
    }
    for (; s->next_tick <= now; s->next_tick += s->tick) {
        s->now = s->next_tick;
        for (uint32_t i = 0; i < s->scenario->service_count; i++) {
            if (s->plan.service == STORM_NONE || s->plan.service == i) {
                count_service(s, i, s->next_tick == s->plan.from);
            }
        }
    }
    s->now = now;
}

struct window_teller slices_teller(struct slices *slices) {
    return (struct window_teller){pass, hear_mark, hear_fact, slices};
}

uint64_t slices_finish(struct slices *s, storm_time end_of_run) {
    uint32_t count = 0;
    uint32_t *list = s->begun ? lineage_list(s->lineage, &count) : NULL;
    s->now = storm_time_later(s->now, storm_time_earlier(end_of_run, s->plan.to));
    while (count > 0) { /* the youngest first: steps before their frames */
        const struct storm_kin *kin = lineage_at(s->lineage, list[--count]);
        if (kin->index < s->drawn_room) {
            end_frame(s, kin, NULL);
        }
    }
    return s->failed ? UINT64_MAX : s->left_out;
}
