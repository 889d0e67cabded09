/* fields_dist.c: how a random duration is written. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <stddef.h>
#include <stdio.h>

#include "scenario/fields.h"
#include "scenario/value.h"

#define OF(member) offsetof(struct storm_dist, member)
#define LONGEST 1e9 /* seconds: about 30 years */
#define SHORTEST 1e-9

static row_reader uniform_read, plus_read;

static const struct row uniform_rows[] = {
    {{"low", FIELD_SECONDS, OF(a), NULL, 0, LONGEST, NULL, "the shortest"}, NULL, NULL},
    {{"high", FIELD_SECONDS, OF(b), NULL, 0, LONGEST, NULL, "the longest"}, NULL, NULL},
    {{.key = NULL}, NULL, NULL},
};
static const struct row normal_rows[] = {
    {{"mean", FIELD_SECONDS, OF(a), NULL, 0, LONGEST, NULL, "its mean"}, NULL, NULL},
    {{"sd", FIELD_SECONDS, OF(b), NULL, 0, LONGEST, NULL, "its standard deviation"}, NULL, NULL},
    {{.key = NULL}, NULL, NULL},
};
static const struct row lognormal_rows[] = {
    {{"mean", FIELD_SECONDS, OF(a), NULL, SHORTEST, LONGEST, NULL, "its mean"}, NULL, NULL},
    {{"cv", FIELD_FACTOR, OF(b), NULL, 0, 100, NULL, "standard deviation / mean"}, NULL, NULL},
    {{.key = NULL}, NULL, NULL},
};
static const struct shape uniform_shape = {uniform_rows, NULL};
static const struct shape normal_shape = {normal_rows, NULL};
static const struct shape lognormal_shape = {lognormal_rows, NULL};

static const struct row dist_rows[] = {
    {{"constant", FIELD_DURATION, OF(offset), "", 0, LONGEST, NULL, "always this long"},
     NULL,
     NULL},
    {{"plus", FIELD_DIST, 0, "", 0, 0, NULL, "a random part on top of constant"}, plus_read, NULL},
    {{"uniform", FIELD_DIST, 0, "", 0, 0, NULL, "equally likely from low to high"},
     uniform_read,
     &uniform_shape},
    {{"exponential", FIELD_SECONDS, OF(a), "", SHORTEST, LONGEST, NULL, "exponential of this mean"},
     NULL,
     NULL},
    {{"normal", FIELD_MAP, 0, "", 0, 0, NULL, "the size of a normal value: mean, sd"},
     NULL,
     &normal_shape},
    {{"lognormal", FIELD_MAP, 0, "", 0, 0, NULL, "lognormal of a mean and cv = sd / mean"},
     NULL,
     &lognormal_shape},
    {{.key = NULL}, NULL, NULL},
};
const struct shape dist_shape = {dist_rows, NULL};

static void uniform_read(struct reader *reader, const struct trail *trail, const struct node *node,
                         void *target) {
    const struct storm_dist *dist = target;
    uint32_t before = reader->errors->total;
    if (node == NULL || !decode_map(reader, trail, node, &uniform_shape, target))
        return;
    if (dist->b < dist->a && reader->errors->total == before)
        blame(reader->errors, trail, node->place, NULL, "low is above high");
}

/* The random part of {constant: 20ms, plus: {exponential: 30ms}}. */
static void plus_read(struct reader *reader, const struct trail *trail, const struct node *node,
                      void *target) {
    struct storm_dist *dist = target;
    struct storm_dist part = {.law = STORM_LAW_CONSTANT};
    if (node == NULL)
        return;
    if (tree_find(node, "plus") != NULL) {
        blame(reader->errors, trail, node->place, NULL, "a plus may not have a plus of its own");
        return;
    }
    if (!dist_read(reader, trail, node, &part))
        return;
    assert(part.offset >= 0 && dist->offset >= 0);
    part.offset = storm_time_add(part.offset, dist->offset);
    *dist = part;
}

/* The law of the map's key; *count is how many such keys there are. */
static enum storm_law law_of(const struct node *node, int *count) {
    static const struct field_word laws[] = {
        {"constant", STORM_LAW_CONSTANT},       {"uniform", STORM_LAW_UNIFORM},
        {"exponential", STORM_LAW_EXPONENTIAL}, {"normal", STORM_LAW_NORMAL},
        {"lognormal", STORM_LAW_LOGNORMAL},     {NULL, 0},
    };
    int law = STORM_LAW_CONSTANT;
    assert(node->kind == NODE_MAP);
    *count = 0;
    for (const struct field_word *word = laws; word->word != NULL; word++) {
        if (tree_find(node, word->word) != NULL) {
            law = word->value;
            ++*count;
        }
    }
    return (enum storm_law)law;
}

bool dist_read(struct reader *reader, const struct trail *trail, const struct node *node,
               struct storm_dist *dist) {
    static const struct field bare = {"constant", FIELD_DURATION, OF(offset), NULL,
                                      0,          LONGEST,        NULL,       NULL};
    uint32_t before = reader->errors->total;
    assert(node != NULL && dist != NULL);
    *dist = (struct storm_dist){.law = STORM_LAW_CONSTANT};
    if (node->kind == NODE_SCALAR && !tree_is_empty(node)) {
        if (!value_read(reader, trail, node, &bare, dist))
            return false;
        storm_dist_prepare(dist);
        return true;
    }
    if (node->kind != NODE_MAP) {
        reader_refuse(reader, trail, node, "a duration",
                      "write 50ms, {exponential: 50ms}, or {constant: 20ms, plus: {...}}");
        return false;
    }
    int laws;
    enum storm_law law = law_of(node, &laws);
    if (law != STORM_LAW_CONSTANT)
        dist->law = law;
    decode_map(reader, trail, node, &dist_shape, dist);
    if (reader->errors->total != before)
        return false;
    if (laws != 1) {
        blame(reader->errors, trail, node->place,
              "use one of constant, uniform, exponential, normal, lognormal; or constant with plus",
              laws == 0 ? "says no duration" : "says more than one duration");
        return false;
    }
    if (tree_find(node, "plus") != NULL && law != STORM_LAW_CONSTANT) {
        blame(reader->errors, trail, node->place,
              "write {constant: 20ms, plus: {exponential: 30ms}}", "plus goes with constant only");
        return false;
    }
    storm_dist_prepare(dist);
    return true;
}
