/* lineage.c: whose is an attempt: the requests under way, and all that is done for them.

   1. A tree is a request (or a copy of it, or a message) and all attempts and deliveries below it.
      It is kept until its request has ended and no callee has work for it any more: from then on
      nothing can be said about it but at the same moment. So a tree is `over` first, and its nodes
      are free when the next fact comes from a later time.
   2. under_way of a tree's root is how many of its attempts are in a stage before OVER.
   3. The levels of a service are how many nodes are WAITING and SERVED there. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/lineage.h"

#include <assert.h>
#include <stdlib.h>

#include "base/arena.h"
#include "record/key_map.h"

enum { SLAB = 1 << 12, SLABS_MAX = 1 << 16 };

struct node {
    struct storm_kin kin;
    uint32_t root;      /* of its tree: itself, or the node above all */
    uint32_t next;      /* the next of its tree; of free ones: the next free one */
    uint32_t under_way; /* of a root: invariant 2 */
    bool taken, over;
};

struct lineage {
    const struct storm_scenario *scenario;
    struct arena *arena;
    struct node **slabs;
    struct lineage_level *levels; /* by service */
    struct key_map numbers;       /* of nodes, by key */
    uint64_t begun;
    uint32_t node_count, free; /* the first free one; STORM_NONE: none */
    uint32_t over_count, over_room;
    uint32_t *overs; /* roots of trees that are over */
    storm_time now;
    bool failed;
};

struct lineage *lineage_new(struct arena *arena, const struct storm_scenario *scenario) {
    struct lineage *lineage = arena_take(arena, sizeof *lineage);
    if (lineage == NULL) {
        return NULL;
    }
    *lineage = (struct lineage){.scenario = scenario, .arena = arena, .free = STORM_NONE};
    lineage->slabs = arena_take_array(arena, SLABS_MAX, sizeof *lineage->slabs);
    lineage->levels = arena_take_array(arena, scenario->service_count, sizeof *lineage->levels);
    return lineage->slabs != NULL && lineage->levels != NULL ? lineage : NULL;
}

bool lineage_failed(const struct lineage *lineage) { return lineage->failed; }

const struct lineage_level *lineage_level(const struct lineage *lineage, uint32_t service) {
    assert(service < lineage->scenario->service_count);
    return &lineage->levels[service];
}

static struct node *node_at(const struct lineage *lineage, uint32_t index) {
    assert(index < lineage->node_count);
    return &lineage->slabs[index / SLAB][index % SLAB];
}

const struct storm_kin *lineage_at(const struct lineage *lineage, uint32_t index) {
    const struct node *node = node_at(lineage, index);
    assert(node->taken);
    return &node->kin;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* A node that is free, from a new slab where there is none; STORM_NONE without memory. */
static uint32_t take_node(struct lineage *lineage) {
    uint32_t index = lineage->free;
    if (index != STORM_NONE) {
        lineage->free = node_at(lineage, index)->next;
        return index;
    }
    uint32_t slab = lineage->node_count / SLAB;
    if (lineage->node_count % SLAB == 0) {
        lineage->slabs[slab] =
            slab < SLABS_MAX ? arena_take_array(lineage->arena, SLAB, sizeof(struct node)) : NULL;
        if (lineage->slabs[slab] == NULL) {
            return STORM_NONE;
        }
    }
    return lineage->node_count++;
}

/* Begins a node below `parent` (NULL: the root of a tree). NULL without memory. */
static struct node *begin(struct lineage *lineage, const struct storm_fact *fact,
                          const struct node *parent, enum storm_story_kind kind) {
    uint32_t index = take_node(lineage);
    if (index == STORM_NONE || !key_map_put(&lineage->numbers, lineage->arena, fact->key, index)) {
        lineage->failed = true;
        return NULL;
    }
    struct node *node = node_at(lineage, index);
    *node = (struct node){.root = index, .next = STORM_NONE, .taken = true};
    node->kin = (struct storm_kin){.attempt = {.key = fact->key,
                                               .parent = fact->parent,
                                               .number = fact->attempts,
                                               .sent = fact->time,
                                               .place = fact->place,
                                               .kind = (uint8_t)kind},
                                   .index = index,
                                   .parent = STORM_NONE,
                                   .resting = STORM_NONE,
                                   .order = lineage->begun++};
    if (parent != NULL) {
        struct node *root = node_at(lineage, parent->root);
        node->root = parent->root;
        node->next = root->next;
        root->next = index;
        node->kin.parent = parent->kin.index;
        node->kin.attempt.depth = parent->kin.attempt.depth + 1;
        node->kin.population = parent->kin.population;
        node->kin.member = parent->kin.member;
        node->kin.ordinal = parent->kin.ordinal;
    }
    return node;
}

static struct node *find(const struct lineage *lineage, uint64_t key) {
    uint32_t index;
    return key_map_find(&lineage->numbers, key, &index) ? node_at(lineage, index) : NULL;
}

static void free_tree(struct lineage *lineage, uint32_t root) {
    for (uint32_t index = root, next; index != STORM_NONE; index = next) {
        struct node *node = node_at(lineage, index);
        uint32_t named;
        next = node->next;
        if (key_map_find(&lineage->numbers, node->kin.attempt.key, &named) && named == index) {
            key_map_take(&lineage->numbers, node->kin.attempt.key, NULL);
        }
        node->taken = false;
        node->next = lineage->free;
        lineage->free = index;
    }
}

/* Notes that a tree is over, if it is. */
static void look_at_tree(struct lineage *lineage, uint32_t index) {
    struct node *root = node_at(lineage, index);
    if (!root->kin.ended || root->under_way > 0 || root->over) {
        return;
    }
    if (lineage->over_count == lineage->over_room) {
        uint32_t room = 2 * lineage->over_room + 64;
        uint32_t *grown = arena_grow_array(lineage->arena, lineage->overs, lineage->over_count,
                                           room, sizeof *grown);
        if (grown == NULL) {
            lineage->failed = true;
            return;
        }
        lineage->overs = grown;
        lineage->over_room = room;
    }
    root->over = true;
    lineage->overs[lineage->over_count++] = index;
}

/* Time goes on: what was over is forgotten (invariant 1). */
static void forget(struct lineage *lineage, storm_time now) {
    assert(now >= lineage->now);
    for (uint32_t i = 0; now > lineage->now && i < lineage->over_count; i++) {
        struct node *root = node_at(lineage, lineage->overs[i]);
        root->over = false;
        if (root->kin.ended && root->under_way == 0) {
            free_tree(lineage, lineage->overs[i]);
        }
    }
    lineage->over_count = now > lineage->now ? 0 : lineage->over_count;
    lineage->now = now;
}

/* ---- stages ---------------------------------------------------------------------------------- */

/* The service at which a node waits and is served. */
static uint32_t service_of(const struct lineage *lineage, const struct node *node) {
    const struct storm_scenario *scenario = lineage->scenario;
    uint32_t place = node->kin.attempt.place;
    return node->kin.attempt.kind == STORM_STORY_ATTEMPT
               ? place
               : scenario->queues[scenario->populations[place].queue].service;
}

static void set_stage(struct lineage *lineage, struct node *node, enum storm_stage stage) {
    struct lineage_level *level = &lineage->levels[service_of(lineage, node)];
    enum storm_stage old = node->kin.stage;
    assert(level->waiting >= (old == STORM_STAGE_WAITING)); /* invariant 3 */
    assert(level->served >= (old == STORM_STAGE_SERVED));
    level->waiting += stage == STORM_STAGE_WAITING;
    level->waiting -= old == STORM_STAGE_WAITING;
    level->served += stage == STORM_STAGE_SERVED;
    level->served -= old == STORM_STAGE_SERVED;
    node->kin.stage = (uint8_t)stage;
    if (node->kin.attempt.kind == STORM_STORY_ATTEMPT && stage == STORM_STAGE_OVER &&
        old != STORM_STAGE_OVER) {
        struct node *root = node_at(lineage, node->root);
        assert(root->under_way > 0);
        root->under_way--;
        look_at_tree(lineage, node->root);
    }
}

/* ---- facts ----------------------------------------------------------------------------------- */

static struct node *hear_birth(struct lineage *lineage, const struct storm_fact *fact) {
    bool is_message = storm_is_consumer(&lineage->scenario->populations[fact->place]);
    const struct node *bringer = is_message ? find(lineage, fact->parent) : NULL;
    enum storm_story_kind kind = is_message                         ? STORM_STORY_MESSAGE
                                 : fact->level == STORM_BIRTH_FRESH ? STORM_STORY_REQUEST
                                                                    : STORM_STORY_COPY;
    struct node *node = begin(lineage, fact, NULL, kind);
    if (node == NULL) {
        return NULL;
    }
    node->kin.population = is_message ? fact->origin : fact->place;
    node->kin.member = fact->member;
    node->kin.ordinal = fact->ordinal;
    node->kin.attempt.depth = bringer != NULL ? bringer->kin.attempt.depth + 1 : is_message;
    if (is_message) {
        set_stage(lineage, node, STORM_STAGE_WAITING);
    }
    return node;
}

static struct node *hear_sent(struct lineage *lineage, const struct storm_fact *fact) {
    struct node *parent = find(lineage, fact->parent);
    if (parent != NULL && fact->queued) {
        parent->kin.resting = STORM_NONE;
    }
    struct node *node = parent != NULL ? begin(lineage, fact, parent, STORM_STORY_ATTEMPT) : NULL;
    if (node != NULL) {
        node_at(lineage, node->root)->under_way++;
    }
    return node;
}

static struct node *hear_delivered(struct lineage *lineage, const struct storm_fact *fact) {
    struct node *message = find(lineage, fact->parent);
    if (message == NULL) {
        return NULL;
    }
    set_stage(lineage, message, STORM_STAGE_SERVED);
    return begin(lineage, fact, message, STORM_STORY_DELIVERY);
}

static struct node *hear_returned(struct lineage *lineage, const struct storm_fact *fact) {
    struct node *message = find(lineage, fact->parent);
    if (message != NULL && !message->kin.ended) {
        set_stage(lineage, message, STORM_STAGE_WAITING);
    }
    struct node *delivery = find(lineage, fact->key);
    if (delivery != NULL) {
        delivery->kin.stage = STORM_STAGE_OVER;
    }
    return delivery;
}

static struct node *hear_end(struct lineage *lineage, const struct storm_fact *fact) {
    struct node *node = find(lineage, fact->key);
    if (node == NULL) {
        return NULL;
    }
    if (node->kin.attempt.kind == STORM_STORY_MESSAGE) {
        set_stage(lineage, node, STORM_STAGE_OVER);
    }
    node->kin.ended = true;
    look_at_tree(lineage, node->root);
    return node;
}

/* What a fact about an attempt makes of its stage; of others it stays as it is. */
static enum storm_stage stage_after(const struct storm_fact *fact, enum storm_stage stage) {
    switch ((enum storm_fact_kind)fact->kind) {
    case STORM_FACT_QUEUED:
        return STORM_STAGE_WAITING;
    case STORM_FACT_STARTED:
        return STORM_STAGE_SERVED;
    case STORM_FACT_PARKED:
        return STORM_STAGE_PARKED;
    case STORM_FACT_VANISHED:
    case STORM_FACT_REFUSED:
    case STORM_FACT_LOST:
    case STORM_FACT_EXPIRED:
    case STORM_FACT_SERVED:
    case STORM_FACT_CANCELLED:
    case STORM_FACT_SUPPRESSED:
        return STORM_STAGE_OVER;
    case STORM_FACT_BORN:
    case STORM_FACT_SENT:
    case STORM_FACT_ARRIVED:
    case STORM_FACT_GAVE_UP:
    case STORM_FACT_BACKED_OFF:
    case STORM_FACT_RESTED:
    case STORM_FACT_SUCCEEDED:
    case STORM_FACT_DEAD:
    case STORM_FACT_CAPACITY:
    case STORM_FACT_OUTAGE:
    case STORM_FACT_CRASHED:
    case STORM_FACT_HELD_BACK:
    case STORM_FACT_BREAKER:
    case STORM_FACT_BANNED:
    case STORM_FACT_DELIVERED:
    case STORM_FACT_RETURNED:
    case STORM_FACT_EFFECT:
        break;
    }
    return stage;
}

/* Keeps what a caller does about its attempt. */
static void hear_caller(struct lineage *lineage, const struct storm_fact *fact, struct node *node) {
    struct storm_kin *caller = &node_at(lineage, node->kin.parent)->kin;
    node->kin.given_up = node->kin.given_up || fact->kind == STORM_FACT_GAVE_UP;
    if (fact->kind == STORM_FACT_BACKED_OFF) {
        caller->resting = node->kin.index;
    } else if (fact->kind == STORM_FACT_RESTED) {
        caller->resting = STORM_NONE;
    }
}

static struct node *hear_attempt(struct lineage *lineage, const struct storm_fact *fact) {
    struct node *node = find(lineage, fact->key);
    if (node == NULL || node->kin.attempt.kind != STORM_STORY_ATTEMPT) {
        return fact->parent != 0 ? find(lineage, fact->parent) : NULL;
    }
    enum storm_stage stage = stage_after(fact, node->kin.stage);
    lineage->levels[node->kin.attempt.place].arrived += fact->kind == STORM_FACT_ARRIVED;
    if (stage != node->kin.stage) {
        set_stage(lineage, node, stage);
    }
    hear_caller(lineage, fact, node);
    return node;
}

static struct node *hear(struct lineage *lineage, const struct storm_fact *fact) {
    switch ((enum storm_fact_kind)fact->kind) {
    case STORM_FACT_BORN:
        return hear_birth(lineage, fact);
    case STORM_FACT_SENT:
        return hear_sent(lineage, fact);
    case STORM_FACT_DELIVERED:
        return hear_delivered(lineage, fact);
    case STORM_FACT_RETURNED:
        return hear_returned(lineage, fact);
    case STORM_FACT_SUCCEEDED:
    case STORM_FACT_DEAD:
        return hear_end(lineage, fact);
    case STORM_FACT_CAPACITY:
    case STORM_FACT_OUTAGE:
    case STORM_FACT_CRASHED:
    case STORM_FACT_BREAKER:
    case STORM_FACT_BANNED:
        return NULL;
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
        break;
    }
    return hear_attempt(lineage, fact);
}

const struct storm_kin *lineage_hear(struct lineage *lineage, const struct storm_fact *fact) {
    forget(lineage, fact->time);
    const struct node *node = hear(lineage, fact);
    return node != NULL ? &node->kin : NULL;
}

/* ---- who is there ---------------------------------------------------------------------------- */

/* A node of that index, for sorting. */
struct place {
    uint64_t order;
    uint32_t index;
};

static int compare(const void *a, const void *b) {
    const struct place *x = a, *y = b;
    return x->order < y->order ? -1 : x->order > y->order;
}

uint32_t *lineage_list(struct lineage *lineage, uint32_t *count) {
    struct place *places =
        arena_take_array(lineage->arena, lineage->node_count + 1, sizeof *places);
    uint32_t *list = arena_take_array(lineage->arena, lineage->node_count + 1, sizeof *list);
    *count = 0;
    if (places == NULL || list == NULL) {
        lineage->failed = true;
        return NULL;
    }
    for (uint32_t i = 0; i < lineage->node_count; i++) {
        const struct node *node = node_at(lineage, i);
        if (node->taken) {
            places[(*count)++] = (struct place){node->kin.order, i};
        }
    }
    qsort(places, *count, sizeof *places, compare);
    for (uint32_t i = 0; i < *count; i++) {
        list[i] = places[i].index;
    }
    return list;
}
