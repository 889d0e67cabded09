/* reader.h: one decoding of one tree: what is being filled, and the blames that all of it share. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SCENARIO_READER_H
#define SCENARIO_READER_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/scenario.h>

#include "base/arena.h"
#include "base/field.h"
#include "scenario/tree.h"

struct reader;
struct storm_document;

/* Reads a distribution: a bare duration, a map, or a word that the field allows. Returns false
   after blaming it. */
typedef bool dist_reader(struct reader *reader, const struct trail *trail, const struct node *node,
                         const struct field *field, struct storm_dist *dist);

/* One decoding of one tree. */
struct reader {
    struct storm_document *document;
    struct arena *arena; /* of the document */
    struct blames *errors;
    struct storm_scenario *scenario; /* being filled */
    const struct node *root;         /* of the tree */
    const struct node *policies;     /* the maps of names, NULL when there is none */
    const struct node *clients;
    const struct node *consumers;
    const struct node *services;
    const struct node *queues;
    const struct node *variants;
    bool is_blind; /* reads no other files: nobody said yet where they are */
    bool is_after; /* reads what an action leaves behind, which has no actions of its own */
    uint32_t named_policies; /* the first policies of the scenario are those of `policies:` */
    uint32_t policy_room;
    uint32_t call_room;
    dist_reader *read_dist; /* a distribution is a map, which stands above single values */
    struct place
        *call_places; /* where each call of a service is written, for the check of cycles */
};

/* Blames a value for not being what it should: "must be a list of calls, not a text". */
void reader_refuse(struct reader *reader, const struct trail *trail, const struct node *node,
                   const char *wanted, const char *suggestion);

/* The trail of a map's item, or of a list's item by its index. */
struct trail trail_item(const struct trail *up, const struct item *item);
struct trail trail_index(const struct trail *up, uint32_t index, const struct item *item);

/* How many a map of names has; 0 when it is none. */
uint32_t reader_count_names(const struct node *names);

/* A piece of the document's memory, zeroed; NULL after blaming the limit. */
void *reader_take(struct reader *reader, size_t count, size_t size);

#endif
