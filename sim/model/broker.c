/* broker.c: message queues: who gets which message, for how long, and how often.

   A message: born -> delayed | blocked | visible    [enter]
     delayed       -> blocked | visible              [catch_up: its delay is over]
     blocked       -> visible                        [finish, of the one before it in its partition]
     visible       -> leased                         [deliver]
     leased        -> delayed | visible              [come_back: requeued, crashed, lease over]
     any of these  -> done                           [finish: succeeded, dead, or lost]
     done          -> freed                          [as soon as no worker holds it any more]
   A delivery is in the hand of one worker, from deliver to broker_settle or crash. Stale is a bit:
   its lease is over, or its message is done; the worker does not know and goes on all the same.

   Invariants:
   1. `visible` lists the visible messages in the order in which they became so. Where there are
      partitions, only the first message of one is ever visible or leased.
   2. `timers` has the delayed messages by the end of their delays, and the leased ones by that of
      their visibility where it has one; `restarts` the crashed workers; `loads` those who have room
      for one more, by how many they hold.
   3. A worker works on the first delivery in its hand: no other has a call. It is without one only
      while the consumers are paused, or after an error.
   4. A leased message names its delivery in force, or none when that has failed and only the end of
      its lease brings it back. All others in workers' hands are stale. `hands` counts both kinds.
   5. The queue has an event at `armed`, which is not after the first of timers and restarts, unless
      its service is down. The event may find nothing to do.
   6. What is due comes before whatever else happens at that time (catch_up). */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/broker.h"

#include <assert.h>

#include <retrystorm/fact.h>
#include <retrystorm/policy.h>
#include <retrystorm/scenario.h>
#include <retrystorm/units.h>

#include "base/arena.h"
#include "base/stream.h"
#include "model/call.h"
#include "model/copies.h"
#include "model/messages.h"
#include "model/orders.h"
#include "model/ranking.h"
#include "model/request.h"
#include "model/world.h"

/* Deliveries of one message, each caused by the one before in the same instant: more are a loop. */
enum { CHAIN_MAX = 100000 };

static const struct storm_queue *plan_of(const struct world *world, uint32_t queue) {
    return &world->scenario->queues[queue];
}

static const struct storm_population *consumers_of(const struct world *world, uint32_t queue) {
    return world->populations[plan_of(world, queue)->consumers].plan;
}

/* Whether anything is delivered, and anything begun. */
static bool is_up(const struct world *world, uint32_t queue) {
    return world_is_up(&world->services[plan_of(world, queue)->service]);
}

static bool is_paused(const struct world *world, uint32_t queue) {
    return orders_pause_end(world, plan_of(world, queue)->consumers) > world_now(world);
}

/* ---- failing --------------------------------------------------------------------------------- */

/* The message learns of the tries of a delivery's call. */
static void count_tries(const struct world *world, struct message *message,
                        struct delivery *delivery) {
    if (delivery->call != STORM_NONE) {
        uint32_t tries = world->calls[delivery->call].tries;
        assert(tries >= delivery->counted);
        message->tries += tries - delivery->counted;
        delivery->counted = tries;
    }
}

static void note_failure(struct message *message, uint16_t status, storm_time time) {
    message->status = status;
    if (message->first_failed < 0 || time < message->first_failed) {
        message->first_failed = time;
    }
}

/* The delivery in force is so no more; its worker goes on with it all the same. */
static void make_stale(const struct world *world, struct broker *broker, struct message *message) {
    if (message->delivery != STORM_NONE) {
        struct delivery *d = &broker->deliveries[message->delivery];
        count_tries(world, message, d);
        d->stale = true;
        message->delivery = STORM_NONE;
    }
}

/* ---- the end of a message -------------------------------------------------------------------- */

static struct storm_fact fact_of(const struct world *world, uint32_t queue,
                                 const struct message *message, enum storm_fact_kind kind) {
    return (struct storm_fact){.kind = (uint8_t)kind,
                               .place = (uint16_t)plan_of(world, queue)->consumers,
                               .key = message->key,
                               .member = message->member,
                               .ordinal = message->ordinal,
                               .origin = (uint8_t)message->origin};
}

static void tell_end(struct world *world, uint32_t queue, const struct message *message,
                     uint16_t status, enum storm_reason reason) {
    bool succeeded = reason == STORM_REASON_NONE;
    struct storm_fact fact =
        fact_of(world, queue, message, succeeded ? STORM_FACT_SUCCEEDED : STORM_FACT_DEAD);
    fact.since = message->born;
    fact.attempts = message->tries > message->receives ? message->tries : message->receives;
    fact.level = message->copy;
    fact.status = status;
    fact.reason = (uint8_t)reason;
    if (!succeeded) {
        fact.first_failed = message->first_failed < 0 ? world_now(world) : message->first_failed;
    }
    world_tell(world, &fact);
}

static void tell_copies(struct world *world, uint32_t queue, const struct message *message,
                        uint16_t status, enum storm_reason reason) {
    struct storm_letter letter = {.population = plan_of(world, queue)->consumers,
                                  .origin = message->origin,
                                  .member = message->member,
                                  .ordinal = message->ordinal,
                                  .day = message->day,
                                  .copy = message->copy,
                                  .message = message->message,
                                  .data = storm_outcome_is_data(status)};
    copies_over(world, &letter, reason);
}

/* The message leaves its queue for good: it has succeeded (reason NONE), or is a dead letter. */
static void finish(struct world *world, uint32_t queue, uint32_t message, uint16_t status,
                   enum storm_reason reason) {
    struct broker *b = &world->brokers[queue];
    struct population *p = &world->populations[plan_of(world, queue)->consumers];
    struct message *m = &b->messages[message];
    assert(p->in_flight > 0 && world->in_flight > 0);
    make_stale(world, b, m);
    messages_finish(b, message);
    p->in_flight--;
    world->in_flight--;
    *(reason == STORM_REASON_NONE ? &p->succeeded : &p->dead) += 1;
    tell_end(world, queue, m, status, reason);
    tell_copies(world, queue, m, status, reason);
    messages_forget_if_gone(b, message);
}

/* A leased message whose last delivery has failed is in the queue again, if it may be. */
static void come_back(struct world *world, uint32_t queue, uint32_t message, enum storm_return kind,
                      storm_time due) {
    struct broker *b = &world->brokers[queue];
    struct message *m = &b->messages[message];
    const struct storm_queue *plan = plan_of(world, queue);
    assert(m->state == MESSAGE_LEASED && m->delivery == STORM_NONE);
    ranking_drop(&b->timers, message);
    m->chain = m->leased == world_now(world) ? m->chain : 0;
    if (plan->count_on == STORM_COUNT_FAILURES && kind != STORM_RETURN_CRASHED) {
        m->receives++;
    }
    if (m->receives >= plan->max_receives) {
        finish(world, queue, message, m->status, STORM_REASON_RECEIVES);
        return;
    }
    messages_put(b, message, world_now(world), due);
    world_tell(world, &(struct storm_fact){
                          .kind = STORM_FACT_RETURNED,
                          .place = (uint16_t)plan->consumers,
                          .key = stream_child(m->key, STREAM_EDGE_DELIVERY, m->deliveries),
                          .parent = m->key,
                          .level = kind,
                          .due = due});
}

/* ---- workers --------------------------------------------------------------------------------- */

/* Whether, and how soon, the worker gets the next message: who holds the fewest, then the lowest
   number. */
static void rank_worker(struct world *world, uint32_t queue, uint32_t worker) {
    struct broker *b = &world->brokers[queue];
    const struct worker *w = &b->workers[worker];
    if (w->crashed || w->held >= consumers_of(world, queue)->prefetch) {
        ranking_drop(&b->loads, worker);
    } else {
        ranking_put(&b->loads, worker, w->held, worker);
    }
}

/* The worker dies of the message that it was about to handle: whatever it holds goes back. */
static void crash(struct world *world, uint32_t queue, uint32_t worker) {
    struct broker *b = &world->brokers[queue];
    struct worker *w = &b->workers[worker];
    storm_time now = world_now(world);
    storm_time up = storm_time_add(now, consumers_of(world, queue)->restart_time);
    uint32_t delivery = w->first;
    *w = (struct worker){.first = STORM_NONE, .last = STORM_NONE, .crashed = true};
    rank_worker(world, queue, worker);
    if (up < STORM_NEVER) {
        ranking_put(&b->restarts, worker, up, b->order++);
    }
    b->messages[b->deliveries[delivery].message].tries++; /* that was one, too */
    while (delivery != STORM_NONE) {
        uint32_t next = b->deliveries[delivery].next;
        bool is_stale = b->deliveries[delivery].stale;
        uint32_t message = messages_let_go(b, delivery);
        if (is_stale) {
            messages_forget_if_gone(b, message);
        } else {
            note_failure(&b->messages[message], STORM_OUTCOME_RESET, now);
            come_back(world, queue, message, STORM_RETURN_CRASHED, now);
        }
        delivery = next;
    }
}

/* Whether it crashes whoever handles it. */
static bool is_lethal(const struct world *world, const struct message *message) {
    uint64_t request = world_request_key(world, message->origin, message->member, message->ordinal);
    return request_is_lethal(world, message->origin, request);
}

/* The worker begins to work on the first message in its hand, if it can. */
static void begin_next(struct world *world, uint32_t queue, uint32_t worker) {
    struct broker *b = &world->brokers[queue];
    uint32_t delivery = b->workers[worker].first;
    if (delivery == STORM_NONE || b->deliveries[delivery].call != STORM_NONE ||
        is_paused(world, queue)) {
        return;
    }
    struct delivery *d = &b->deliveries[delivery];
    struct message *m = &b->messages[d->message];
    if (is_lethal(world, m)) {
        crash(world, queue, worker);
        return;
    }
    if (!world_reserve(world, 1, 1)) {
        return;
    }
    bool has_past = m->past.tries > 0;
    d->counted = m->past.tries;
    struct caller caller = {.key = d->key,
                            .owner = worker,
                            .ordinal = delivery,
                            .copy = m->copy,
                            .message = m->message,
                            .chain = m->put == world_now(world) ? m->chain : 0,
                            .day = m->day,
                            .retried = m->retried || m->deliveries > 1,
                            .due = STORM_NEVER,
                            .past = has_past ? &m->past : NULL};
    d->call = call_begin(world, plan_of(world, queue)->consumers, &caller);
}

static void restart(struct world *world, uint32_t queue, uint32_t worker) {
    struct broker *b = &world->brokers[queue];
    assert(b->workers[worker].crashed && b->workers[worker].held == 0);
    ranking_drop(&b->restarts, worker);
    b->workers[worker].crashed = false;
    rank_worker(world, queue, worker);
}

/* ---- delivering ------------------------------------------------------------------------------ */

/* A message that comes and goes for ever in one instant. */
static bool is_endless(struct world *world, uint32_t queue, const struct message *message) {
    if (message->chain < CHAIN_MAX) {
        return false;
    }
    const char *name = world->scenario->services[plan_of(world, queue)->service].name;
    return !storm_fail(&world->error, STORM_INVALID,
                       "a message of '%s' was delivered %d times in one instant: give it a "
                       "visibility, its consumers a time to restart, or their policy a delay",
                       name, CHAIN_MAX);
}

/* The message of a new delivery counts it, and its visibility begins. */
static void lease(struct world *world, uint32_t queue, uint32_t delivery, uint32_t worker) {
    struct broker *b = &world->brokers[queue];
    uint32_t message = b->deliveries[delivery].message;
    struct message *m = &b->messages[message];
    const struct storm_queue *plan = plan_of(world, queue);
    storm_time until = storm_time_add(world_now(world), plan->visibility);
    m->receives += plan->count_on == STORM_COUNT_DELIVERIES;
    m->leased = world_now(world);
    m->chain = m->put == m->leased ? m->chain + 1 : 0;
    if (until < STORM_NEVER) {
        ranking_put(&b->timers, message, until, b->order++);
    }
    world_tell(world, &(struct storm_fact){.kind = STORM_FACT_DELIVERED,
                                           .place = (uint16_t)plan->consumers,
                                           .member = worker,
                                           .key = b->deliveries[delivery].key,
                                           .parent = m->key,
                                           .attempts = m->deliveries,
                                           .since = m->put});
}

/* The first visible message goes to the first worker. False when that is an error. */
static bool deliver(struct world *world, uint32_t queue) {
    struct broker *b = &world->brokers[queue];
    uint32_t worker = ranking_first(&b->loads)->item;
    if (is_endless(world, queue, &b->messages[b->visible.head])) {
        return false;
    }
    if (!messages_reserve_delivery(b, world->arena)) {
        return world_out_of_memory(world);
    }
    lease(world, queue, messages_hand_out(b, worker), worker);
    rank_worker(world, queue, worker);
    begin_next(world, queue, worker);
    return world->error.status == STORM_OK;
}

/* Sees to it that the queue has an event in time. */
static void arm(struct world *world, uint32_t queue) {
    struct broker *b = &world->brokers[queue];
    const struct ranked *timer = ranking_first(&b->timers);
    const struct ranked *back = ranking_first(&b->restarts);
    uint32_t slot = world_slot(world, SLOT_QUEUE, queue);
    storm_time due = STORM_NEVER;
    if (timer != NULL) {
        due = timer->rank;
    }
    if (back != NULL) {
        due = storm_time_earlier(due, back->rank);
    }
    if (due >= b->armed || !is_up(world, queue)) {
        return;
    }
    if (b->armed < STORM_NEVER) {
        world_cancel(world, slot);
    }
    world_schedule(world, due, EVENT_QUEUE, slot);
    b->armed = due;
}

/* Delivers what can be delivered, and waits for the rest. */
static void serve(struct world *world, uint32_t queue) {
    struct broker *b = &world->brokers[queue];
    bool is_open = is_up(world, queue) && !is_paused(world, queue);
    while (is_open && b->visible.count > 0 && b->loads.count > 0) {
        is_open = deliver(world, queue);
    }
    arm(world, queue);
}

/* The message's visibility is over: whoever still works on it does so in vain, or a second time. */
static void end_lease(struct world *world, uint32_t queue, uint32_t message) {
    struct broker *b = &world->brokers[queue];
    struct message *m = &b->messages[message];
    storm_time now = world_now(world);
    if (m->delivery != STORM_NONE) {
        uint32_t call = b->deliveries[m->delivery].call;
        bool has_failed = call != STORM_NONE && world->calls[call].first_failed >= 0;
        note_failure(m, STORM_OUTCOME_TIMEOUT, has_failed ? world->calls[call].first_failed : now);
        make_stale(world, b, m);
    }
    come_back(world, queue, message, STORM_RETURN_LEASE, now);
}

/* Everything that was due by now happens. A broker that is down does so when it is up again. */
static void catch_up(struct world *world, uint32_t queue) {
    struct broker *b = &world->brokers[queue];
    storm_time now = world_now(world);
    while (is_up(world, queue)) {
        const struct ranked *timer = ranking_first(&b->timers);
        const struct ranked *back = ranking_first(&b->restarts);
        bool is_back = back != NULL && back->rank <= now;
        if (is_back && (timer == NULL || back->rank < timer->rank)) {
            restart(world, queue, back->item);
        } else if (timer != NULL && timer->rank <= now) {
            uint32_t message = timer->item;
            ranking_drop(&b->timers, message);
            if (b->messages[message].state == MESSAGE_LEASED) {
                end_lease(world, queue, message);
            } else {
                messages_ripen(b, message);
            }
        } else {
            return;
        }
    }
}

void broker_timer(struct world *world, uint32_t queue) {
    world->brokers[queue].armed = STORM_NEVER;
    catch_up(world, queue);
    serve(world, queue);
}

/* ---- coming in ------------------------------------------------------------------------------- */

/* Workers' attempts at the queue's service bring one message each. */
bool broker_is_full(const struct world *world, uint32_t service) {
    const struct service *s = &world->services[service];
    const struct broker *b = &world->brokers[s->queue_index];
    uint32_t memory = plan_of(world, s->queue_index)->memory;
    uint64_t coming = (uint64_t)s->busy.count + s->queue.count;
    return memory != STORM_UNLIMITED && b->present + coming >= memory;
}

/* A message is born and waits to be delivered. `parent`: the attempt that has brought it, or 0. */
static void enter(struct world *world, uint32_t queue, struct message *born, uint64_t parent,
                  enum storm_birth kind) {
    struct broker *b = &world->brokers[queue];
    struct population *p = &world->populations[plan_of(world, queue)->consumers];
    storm_time now = world_now(world);
    catch_up(world, queue);
    if (!messages_reserve(b, world->arena)) {
        world_out_of_memory(world);
        return;
    }
    born->born = now;
    born->first_failed = -1;
    p->births++;
    p->in_flight++;
    world->in_flight++;
    struct storm_fact fact = fact_of(world, queue, born, STORM_FACT_BORN);
    fact.parent = parent;
    fact.level = kind;
    world_tell(world, &fact);
    messages_put(b, messages_take(b, born), now, storm_time_add(now, plan_of(world, queue)->delay));
    serve(world, queue);
}

void broker_take(struct world *world, uint32_t attempt) {
    const struct attempt *a = &world->attempts[attempt];
    uint32_t queue = world->services[a->service].queue_index;
    struct message born = {.key = stream_child(a->key, STREAM_EDGE_MESSAGE, 0),
                           .origin = a->origin,
                           .member = a->member,
                           .ordinal = a->ordinal,
                           .copy = a->copy,
                           .message = a->message,
                           .day = a->day,
                           .chain = a->chain,
                           .retried = a->retry};
    enter(world, queue, &born, a->key, STORM_BIRTH_FRESH);
}

void broker_put(struct world *world, const struct storm_letter *letter, uint32_t copy) {
    uint32_t queue = world->populations[letter->population].plan->queue;
    uint64_t request = world_request_key(world, letter->origin, letter->member, letter->ordinal);
    struct message born = {.key = stream_child(stream_copy(request, copy), STREAM_EDGE_MESSAGE, 0),
                           .origin = letter->origin,
                           .member = letter->member,
                           .ordinal = letter->ordinal,
                           .copy = copy,
                           .message = letter->message,
                           .day = letter->day};
    enter(world, queue, &born, 0, STORM_BIRTH_REPLAY);
}

/* ---- coming back from a worker --------------------------------------------------------------- */

/* What the end of a delivery's call means for its message. */
static void conclude(struct world *world, uint32_t queue, uint32_t message, uint32_t call,
                     bool is_stale) {
    struct broker *b = &world->brokers[queue];
    struct message *m = &b->messages[message];
    const struct call *c = &world->calls[call];
    if (m->state == MESSAGE_DONE) {
        messages_forget_if_gone(b, message);
        return;
    }
    if (call_succeeded(world, call)) {
        finish(world, queue, message, c->status, STORM_REASON_NONE);
        return;
    }
    if (is_stale) {
        return;
    }
    note_failure(m, c->status, c->first_failed);
    if (!c->requeued) {
        finish(world, queue, message, c->status, (enum storm_reason)c->reason);
    } else if (consumers_of(world, queue)->retries == STORM_RETRIES_REQUEUE) {
        m->past = (struct call_past){
            .delay = c->delay, .first_failed = c->first_failed, .paid = c->paid, .tries = c->tries};
        m->chain = c->chain;
        come_back(world, queue, message, STORM_RETURN_REQUEUED,
                  storm_time_add(world_now(world), c->wait));
    }
}

void broker_settle(struct world *world, uint32_t call) {
    const struct call *c = &world->calls[call];
    uint32_t queue = world->populations[c->edge].plan->queue;
    uint32_t delivery = c->ordinal, worker = c->owner;
    catch_up(world, queue);
    struct broker *b = &world->brokers[queue];
    struct worker *w = &b->workers[worker];
    struct delivery *d = &b->deliveries[delivery];
    bool is_stale = d->stale;
    assert(w->first == delivery && d->call == call); /* invariant 3 */
    count_tries(world, &b->messages[d->message], d);
    w->first = d->next;
    w->held--;
    rank_worker(world, queue, worker);
    conclude(world, queue, messages_let_go(b, delivery), call, is_stale);
    serve(world, queue); /* its hand is full again before it goes on */
    begin_next(world, queue, worker);
    serve(world, queue);
}

/* ---- outages and pauses ---------------------------------------------------------------------- */

void broker_down(struct world *world, uint32_t service) {
    uint32_t queue = world->services[service].queue_index;
    struct broker *b = &world->brokers[queue];
    if (plan_of(world, queue)->durable) {
        return;
    }
    for (uint32_t i = 0; i < b->message_pool.taken; i++) {
        uint8_t state = b->messages[i].state;
        if (state != MESSAGE_FREE && state != MESSAGE_DONE) {
            finish(world, queue, i, STORM_OUTCOME_RESET, STORM_REASON_LOST);
        }
    }
}

void broker_wake(struct world *world, uint32_t service) {
    uint32_t queue = world->services[service].queue_index;
    catch_up(world, queue);
    for (uint32_t worker = 0; worker < world->brokers[queue].worker_count; worker++) {
        rank_worker(world, queue, worker);
        begin_next(world, queue, worker);
    }
    serve(world, queue);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static bool init(struct world *world, uint32_t queue) {
    struct broker *b = &world->brokers[queue];
    const struct storm_queue *plan = plan_of(world, queue);
    uint32_t workers = world->scenario->populations[plan->consumers].count;
    assert(storm_is_consumer(&world->scenario->populations[plan->consumers]));
    b->message_pool.free_head = STORM_NONE;
    b->delivery_pool.free_head = STORM_NONE;
    b->armed = STORM_NEVER;
    b->worker_count = workers;
    b->workers = arena_take_array(world->arena, workers, sizeof *b->workers);
    bool has_room = ranking_grow(&b->restarts, world->arena, workers) &&
                    ranking_grow(&b->loads, world->arena, workers);
    if (plan->fifo) {
        assert(plan->partitions > 0);
        b->partition_count = plan->partitions;
        b->partitions = arena_take_array(world->arena, plan->partitions, sizeof *b->partitions);
    }
    if (b->workers == NULL || !has_room || (plan->fifo && b->partitions == NULL)) {
        return world_out_of_memory(world);
    }
    for (uint32_t i = 0; i < workers; i++) {
        b->workers[i] = (struct worker){.first = STORM_NONE, .last = STORM_NONE};
        rank_worker(world, queue, i);
    }
    return true;
}

bool broker_init(struct world *world) {
    uint32_t count = world->scenario->queue_count;
    world->brokers = arena_take_array(world->arena, count, sizeof *world->brokers);
    if (count > 0 && world->brokers == NULL) {
        return world_out_of_memory(world);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!init(world, i)) {
            return false;
        }
    }
    return true;
}

void broker_audit(const struct world *world) {
    for (uint32_t i = 0; i < world->scenario->queue_count; i++) {
        const struct broker *b = &world->brokers[i];
        messages_audit(b);
        assert(b->present == world->populations[plan_of(world, i)->consumers].in_flight);
    }
}
