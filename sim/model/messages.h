/* messages.h: what a message queue holds: its messages, and where each of them is. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_MESSAGES_H
#define MODEL_MESSAGES_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/units.h>

#include "model/ranking.h"
#include "model/world.h"

enum message_state {
    MESSAGE_FREE,
    MESSAGE_DELAYED, /* until its delay is over */
    MESSAGE_BLOCKED, /* until it is the first of its partition */
    MESSAGE_VISIBLE,
    MESSAGE_LEASED,
    MESSAGE_DONE
};

/* The lists that a message can be in. */
enum message_list { LIST_VISIBLE, LIST_PARTITION, MESSAGE_LISTS };

struct message_link {
    uint32_t next, previous;
};

struct message {
    uint64_t key;                 /* of the consumers' request that it is */
    storm_time born, put, leased; /* when it was last put into the queue, and delivered */
    storm_time first_failed;      /* -1: never yet */
    struct call_past past;        /* what its deliveries have left of the policy: requeue */
    struct message_link links[MESSAGE_LISTS];
    uint32_t origin, member, ordinal, copy; /* of the request that it stems from */
    uint32_t message;                       /* the copy whose message it is */
    uint32_t deliveries;
    uint32_t receives; /* as its queue counts them */
    uint32_t tries;    /* of its deliveries, as far as they were counted */
    uint32_t delivery; /* in force; STORM_NONE */
    uint32_t hands;    /* deliveries in workers' hands */
    uint32_t chain;    /* events that led to its being in the queue, all at that instant */
    uint16_t day;
    uint16_t status; /* of its last failure */
    uint8_t state;
    bool retried; /* a retry has brought it */
};

struct delivery {
    uint64_t key;
    uint32_t message, call;
    uint32_t counted; /* tries of the call that the message knows of */
    uint32_t next;    /* in its worker's hand; or the free list */
    bool stale;
};

struct worker {
    uint32_t first, last, held; /* deliveries in its hand */
    bool crashed;
};

struct broker {
    struct message *messages;
    struct delivery *deliveries;
    struct worker *workers;
    struct pool message_pool, delivery_pool;
    struct lane visible;
    struct lane *partitions; /* NULL: messages do not wait for each other */
    uint32_t worker_count, partition_count;
    struct ranking timers, restarts, loads;
    uint64_t order;   /* of what is put into timers and restarts */
    uint32_t present; /* messages that are not done */
    storm_time armed; /* STORM_NEVER: the queue has no event */
};

/* Makes sure that one message, or one delivery, can be taken. False at the arena's limit. */
bool messages_reserve(struct broker *broker, struct arena *arena);
bool messages_reserve_delivery(struct broker *broker, struct arena *arena);

/* A message like `born` enters the last place of its partition; it is nowhere yet. There must be
   room. Returns it. */
uint32_t messages_take(struct broker *broker, const struct message *born);

/* Nothing but those before it keeps the message from being delivered. */
void messages_ripen(struct broker *broker, uint32_t message);

/* From `now` on the message waits in the queue; it can be delivered from `due` on. */
void messages_put(struct broker *broker, uint32_t message, storm_time now, storm_time due);

/* Takes the first visible message out of the list for the hand of a worker. Returns the delivery,
   for which there must be room. */
uint32_t messages_hand_out(struct broker *broker, uint32_t worker);

/* The delivery is in nobody's hand any more; the worker's list is the caller's. Returns its
   message. */
uint32_t messages_let_go(struct broker *broker, uint32_t delivery);

/* The message is done wherever it is, and the next one of its partition is the first. */
void messages_finish(struct broker *broker, uint32_t message);

/* A message that is done and in nobody's hand is of no more use. */
void messages_forget_if_gone(struct broker *broker, uint32_t message);

/* Which request an attempt of a consumer's call stems from, and what is wrong with its message. */
void messages_describe(const struct world *world, uint32_t call, struct attempt *attempt);

/* Asserts that everything is where it says it is. */
void messages_audit(const struct broker *broker);

#endif
