/* messages.c: what a message queue holds: its messages, and where each of them is. The life of one
   is drawn in broker.c. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/messages.h"

#include <assert.h>

#include "base/arena.h"
#include "base/stream.h"
#include "model/request.h"

enum { FIRST_CAPACITY = 64 };

/* ---- pools ----------------------------------------------------------------------------------- */

static uint32_t next_capacity(const struct pool *pool) {
    return pool->capacity > 0 ? pool->capacity + pool->capacity / 2 : FIRST_CAPACITY;
}

bool messages_reserve(struct broker *broker, struct arena *arena) {
    struct pool *pool = &broker->message_pool;
    if (pool_has_room(pool, 1)) {
        return true;
    }
    uint32_t capacity = next_capacity(pool);
    struct message *moved = arena_grow_array(arena, broker->messages, pool->capacity, capacity,
                                             sizeof *broker->messages);
    if (moved == NULL) {
        return false;
    }
    broker->messages = moved;
    if (!ranking_grow(&broker->timers, arena, capacity)) {
        return false;
    }
    pool->capacity = capacity;
    return true;
}

bool messages_reserve_delivery(struct broker *broker, struct arena *arena) {
    struct pool *pool = &broker->delivery_pool;
    if (pool_has_room(pool, 1)) {
        return true;
    }
    uint32_t capacity = next_capacity(pool);
    struct delivery *moved = arena_grow_array(arena, broker->deliveries, pool->capacity, capacity,
                                              sizeof *broker->deliveries);
    if (moved == NULL) {
        return false;
    }
    broker->deliveries = moved;
    pool->capacity = capacity;
    return true;
}

/* ---- lists ----------------------------------------------------------------------------------- */

static void append(struct broker *broker, struct lane *lane, enum message_list list,
                   uint32_t message) {
    struct message_link *link = &broker->messages[message].links[list];
    link->next = STORM_NONE;
    link->previous = lane->count > 0 ? lane->tail : STORM_NONE;
    if (lane->count > 0) {
        broker->messages[lane->tail].links[list].next = message;
    } else {
        lane->head = message;
    }
    lane->tail = message;
    lane->count++;
}

static void take_out(struct broker *broker, struct lane *lane, enum message_list list,
                     uint32_t message) {
    const struct message_link *link = &broker->messages[message].links[list];
    assert(lane->count > 0);
    if (link->previous != STORM_NONE) {
        broker->messages[link->previous].links[list].next = link->next;
    } else {
        assert(lane->head == message);
        lane->head = link->next;
    }
    if (link->next != STORM_NONE) {
        broker->messages[link->next].links[list].previous = link->previous;
    } else {
        assert(lane->tail == message);
        lane->tail = link->previous;
    }
    lane->count--;
}

static struct lane *partition_of(const struct broker *broker, uint32_t message) {
    return &broker->partitions[broker->messages[message].member % broker->partition_count];
}

/* ---- where a message goes -------------------------------------------------------------------- */

uint32_t messages_take(struct broker *broker, const struct message *born) {
    struct pool *pool = &broker->message_pool;
    bool has_free = pool->free_count > 0;
    uint32_t message = pool_take(
        pool, has_free ? broker->messages[pool->free_head].links[LIST_VISIBLE].next : STORM_NONE);
    broker->messages[message] = *born;
    broker->messages[message].delivery = STORM_NONE;
    broker->present++;
    if (broker->partitions != NULL) {
        append(broker, partition_of(broker, message), LIST_PARTITION, message);
    }
    return message;
}

void messages_ripen(struct broker *broker, uint32_t message) {
    struct message *m = &broker->messages[message];
    m->state = MESSAGE_BLOCKED;
    if (broker->partitions == NULL || partition_of(broker, message)->head == message) {
        m->state = MESSAGE_VISIBLE;
        append(broker, &broker->visible, LIST_VISIBLE, message);
    }
}

void messages_put(struct broker *broker, uint32_t message, storm_time now, storm_time due) {
    struct message *m = &broker->messages[message];
    assert(m->delivery == STORM_NONE && due >= now);
    m->put = now;
    if (due == now) {
        messages_ripen(broker, message);
        return;
    }
    m->state = MESSAGE_DELAYED;
    if (due < STORM_NEVER) {
        ranking_put(&broker->timers, message, due, broker->order++);
    }
}

/* The delivery is the last one in the worker's hand. */
static void hold(struct broker *broker, uint32_t worker, uint32_t delivery) {
    struct worker *w = &broker->workers[worker];
    assert(!w->crashed);
    if (w->held == 0) {
        w->first = delivery;
    } else {
        broker->deliveries[w->last].next = delivery;
    }
    w->last = delivery;
    w->held++;
}

uint32_t messages_hand_out(struct broker *broker, uint32_t worker) {
    struct pool *pool = &broker->delivery_pool;
    uint32_t message = broker->visible.head;
    struct message *m = &broker->messages[message];
    assert(m->state == MESSAGE_VISIBLE && m->delivery == STORM_NONE);
    take_out(broker, &broker->visible, LIST_VISIBLE, message);
    bool has_free = pool->free_count > 0;
    uint32_t delivery =
        pool_take(pool, has_free ? broker->deliveries[pool->free_head].next : STORM_NONE);
    m->state = MESSAGE_LEASED;
    m->deliveries++;
    m->hands++;
    m->delivery = delivery;
    broker->deliveries[delivery] =
        (struct delivery){.key = stream_child(m->key, STREAM_EDGE_DELIVERY, m->deliveries),
                          .message = message,
                          .call = STORM_NONE,
                          .next = STORM_NONE};
    hold(broker, worker, delivery);
    return delivery;
}

uint32_t messages_let_go(struct broker *broker, uint32_t delivery) {
    struct delivery *d = &broker->deliveries[delivery];
    struct message *m = &broker->messages[d->message];
    assert(m->hands > 0);
    m->hands--;
    if (m->delivery == delivery) {
        m->delivery = STORM_NONE;
    }
    d->next = pool_give(&broker->delivery_pool, delivery);
    return d->message;
}

void messages_finish(struct broker *broker, uint32_t message) {
    struct message *m = &broker->messages[message];
    assert(m->state != MESSAGE_FREE && m->state != MESSAGE_DONE && m->delivery == STORM_NONE);
    if (m->state == MESSAGE_VISIBLE) {
        take_out(broker, &broker->visible, LIST_VISIBLE, message);
    }
    ranking_drop(&broker->timers, message);
    m->state = MESSAGE_DONE;
    broker->present--;
    if (broker->partitions != NULL) {
        struct lane *partition = partition_of(broker, message);
        take_out(broker, partition, LIST_PARTITION, message);
        if (partition->count > 0 && broker->messages[partition->head].state == MESSAGE_BLOCKED) {
            messages_ripen(broker, partition->head);
        }
    }
}

void messages_forget_if_gone(struct broker *broker, uint32_t message) {
    struct message *m = &broker->messages[message];
    if (m->state == MESSAGE_DONE && m->hands == 0) {
        m->state = MESSAGE_FREE;
        m->links[LIST_VISIBLE].next = pool_give(&broker->message_pool, message);
    }
}

/* ---- the audit ------------------------------------------------------------------------------- */

/* Returns how many deliveries the messages believe to be in workers' hands. */
static uint32_t audit_messages(const struct broker *broker) {
    uint32_t present = 0, visible = 0, hands = 0, in_partitions = 0;
    for (uint32_t i = 0; i < broker->message_pool.taken; i++) {
        const struct message *m = &broker->messages[i];
        bool is_timed = broker->timers.places[i] != 0, is_in_force = m->delivery != STORM_NONE;
        bool is_live = m->state != MESSAGE_FREE && m->state != MESSAGE_DONE;
        present += is_live;
        visible += m->state == MESSAGE_VISIBLE;
        hands += m->state != MESSAGE_FREE ? m->hands : 0;
        assert(m->state != MESSAGE_DONE || m->hands > 0);
        assert(!is_timed || m->state == MESSAGE_DELAYED || m->state == MESSAGE_LEASED);
        assert(!is_live || !is_in_force ||
               (m->state == MESSAGE_LEASED && broker->deliveries[m->delivery].message == i &&
                !broker->deliveries[m->delivery].stale)); /* invariant 4 */
    }
    for (uint32_t i = 0; i < broker->partition_count; i++) {
        in_partitions += broker->partitions[i].count;
    }
    assert(present == broker->present && visible == broker->visible.count);
    assert(broker->partitions == NULL || in_partitions == present);
    return hands;
}

static uint32_t audit_workers(const struct broker *broker) {
    uint32_t held = 0;
    for (uint32_t i = 0; i < broker->worker_count; i++) {
        const struct worker *w = &broker->workers[i];
        uint32_t in_hand = 0;
        for (uint32_t d = w->first; d != STORM_NONE; d = broker->deliveries[d].next) {
            assert(d == w->first || broker->deliveries[d].call == STORM_NONE); /* invariant 3 */
            in_hand++;
        }
        assert(in_hand == w->held && (!w->crashed || w->held == 0));
        assert(!w->crashed || broker->loads.places[i] == 0);
        held += in_hand;
    }
    return held;
}

void messages_audit(const struct broker *broker) {
    const struct pool *deliveries = &broker->delivery_pool;
    uint32_t held = audit_workers(broker);
    assert(held == audit_messages(broker));
    assert(held == deliveries->taken - deliveries->free_count);
    ranking_check(&broker->timers);
    ranking_check(&broker->restarts);
    ranking_check(&broker->loads);
}

/* ---- whose ----------------------------------------------------------------------------------- */

void messages_describe(const struct world *world, uint32_t call, struct attempt *attempt) {
    const struct call *c = &world->calls[call];
    const struct broker *b = &world->brokers[world->populations[c->edge].plan->queue];
    const struct message *m = &b->messages[b->deliveries[c->ordinal].message];
    attempt->origin = (uint8_t)m->origin;
    attempt->member = m->member;
    attempt->ordinal = m->ordinal;
    attempt->status = request_doom(world, m->origin, request_key_of(world, attempt));
}
