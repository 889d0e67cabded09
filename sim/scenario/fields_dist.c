/* fields_dist.c: how a random duration is written. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "scenario/fields.h"
#include "scenario/value.h"

#define OF(member) offsetof(struct storm_dist, member)

#define SHAPE_LEAST 1e-2
#define SHAPE_MOST 1e3

static row_reader uniform_read, plus_read, empirical_read;

/* ---- laws of two parameters ------------------------------------------------------------------ */

static const struct row uniform_rows[] = {
    {.field = {"low", FIELD_SECONDS, OF(a), NULL, 0, LONGEST, NULL, "the shortest"}},
    {.field = {"high", FIELD_SECONDS, OF(b), NULL, 0, LONGEST, NULL, "the longest"}},
    {.field = {.key = NULL}},
};
static const struct row normal_rows[] = {
    {.field = {"mean", FIELD_SECONDS, OF(a), NULL, 0, LONGEST, NULL, "its mean"}},
    {.field = {"sd", FIELD_SECONDS, OF(b), NULL, 0, LONGEST, NULL, "its standard deviation"}},
    {.field = {.key = NULL}},
};
static const struct row lognormal_rows[] = {
    {.field = {"mean", FIELD_SECONDS, OF(a), NULL, SHORTEST, LONGEST, NULL, "its mean"}},
    {.field = {"cv", FIELD_FACTOR, OF(b), NULL, 0, 100, NULL, "standard deviation / mean"}},
    {.field = {.key = NULL}},
};
static const struct row pareto_rows[] = {
    {.field = {"least", FIELD_SECONDS, OF(a), NULL, SHORTEST, LONGEST, NULL, "the shortest"}},
    {.field = {"shape", FIELD_FACTOR, OF(b), NULL, SHAPE_LEAST, SHAPE_MOST, NULL,
               "how fast the tail falls: P(X > x) = (least / x)^shape"}},
    {.field = {.key = NULL}},
};
static const struct row weibull_rows[] = {
    {.field = {"scale", FIELD_SECONDS, OF(a), NULL, SHORTEST, LONGEST, NULL,
               "63% are shorter than this"}},
    {.field = {"shape", FIELD_FACTOR, OF(b), NULL, 0.1, SHAPE_MOST, NULL,
               "below 1: a long tail; 1: exponential"}},
    {.field = {.key = NULL}},
};
static const struct row gamma_rows[] = {
    {.field = {"mean", FIELD_SECONDS, OF(a), NULL, SHORTEST, LONGEST, NULL, "its mean"}},
    {.field = {"shape", FIELD_FACTOR, OF(b), NULL, SHAPE_LEAST, SHAPE_MOST, NULL,
               "1 / cv^2; 1: exponential"}},
    {.field = {.key = NULL}},
};
static const struct row erlang_rows[] = {
    {.field = {"mean", FIELD_SECONDS, OF(a), NULL, SHORTEST, LONGEST, NULL, "of all stages"}},
    {.field = {"stages", FIELD_WHOLE, OF(b), NULL, 1, SHAPE_MOST, NULL,
               "how many exponential stages follow one another"}},
    {.field = {.key = NULL}},
};
static const struct row hyperexponential_rows[] = {
    {.field = {"mean", FIELD_SECONDS, OF(a), NULL, SHORTEST, LONGEST, NULL, "its mean"}},
    {.field = {"cv", FIELD_FACTOR, OF(b), NULL, 1, 100, NULL, "standard deviation / mean"}},
    {.field = {.key = NULL}},
};
static const struct shape uniform_shape = {.rows = uniform_rows};
static const struct shape normal_shape = {.rows = normal_rows};
static const struct shape lognormal_shape = {.rows = lognormal_rows};
static const struct shape pareto_shape = {.rows = pareto_rows};
static const struct shape weibull_shape = {.rows = weibull_rows};
static const struct shape gamma_shape = {.rows = gamma_rows};
static const struct shape erlang_shape = {.rows = erlang_rows};
static const struct shape hyperexponential_shape = {.rows = hyperexponential_rows};

/* ---- the map --------------------------------------------------------------------------------- */

static const struct field quantile_item = {
    "empirical", FIELD_SECONDS, offsetof(struct storm_quantile, value), NULL, 0,
    LONGEST,     NULL,          "so many percent are at most this long"};

static const struct field quantile_key = {
    "share", FIELD_SHARE, 0, NULL, 0, 1, NULL, "of all that long or shorter"};

static const struct row dist_rows[] = {
    {.field = {"constant", FIELD_DURATION, OF(offset), "", 0, LONGEST, NULL, "always this long"},
     .choice = CHOICE_ONE},
    {.field = {"plus", FIELD_DIST, 0, "", 0, 0, NULL, "a random part on top of constant"},
     .read = plus_read,
     .with = "constant"},
    {.field = {"uniform", FIELD_MAP, 0, "", 0, 0, NULL, "equally likely from low to high"},
     .read = uniform_read,
     .inner = &uniform_shape,
     .choice = CHOICE_ONE,
     .example = "{low: 10ms, high: 50ms}"},
    {.field = {"exponential", FIELD_SECONDS, OF(a), "", SHORTEST, LONGEST, NULL,
               "exponential of this mean"},
     .choice = CHOICE_ONE},
    {.field = {"normal", FIELD_MAP, 0, "", 0, 0, NULL, "the size of a normal value: mean, sd"},
     .inner = &normal_shape,
     .choice = CHOICE_ONE,
     .example = "{mean: 50ms, sd: 10ms}"},
    {.field = {"lognormal", FIELD_MAP, 0, "", 0, 0, NULL, "lognormal of a mean and cv = sd / mean"},
     .inner = &lognormal_shape,
     .choice = CHOICE_ONE,
     .example = "{mean: 50ms, cv: 1.5}"},
    {.field = {"pareto", FIELD_MAP, 0, "", 0, 0, NULL, "a heavy tail: least, shape"},
     .inner = &pareto_shape,
     .choice = CHOICE_ONE,
     .example = "{least: 10ms, shape: 1.5}"},
    {.field = {"weibull", FIELD_MAP, 0, "", 0, 0, NULL, "a stretched exponential: scale, shape"},
     .inner = &weibull_shape,
     .choice = CHOICE_ONE,
     .example = "{scale: 50ms, shape: 0.7}"},
    {.field = {"gamma", FIELD_MAP, 0, "", 0, 0, NULL, "gamma of a mean and a shape"},
     .inner = &gamma_shape,
     .choice = CHOICE_ONE,
     .example = "{mean: 50ms, shape: 2.5}"},
    {.field = {"erlang", FIELD_MAP, 0, "", 0, 0, NULL, "a gamma of whole shape: mean, stages"},
     .inner = &erlang_shape,
     .choice = CHOICE_ONE,
     .example = "{mean: 50ms, stages: 4}"},
    {.field = {"hyperexponential", FIELD_MAP, 0, "", 0, 0, NULL,
               "a mix of a short and a long exponential: mean, cv of at least 1"},
     .inner = &hyperexponential_shape,
     .choice = CHOICE_ONE,
     .example = "{mean: 50ms, cv: 3}"},
    {.field = {"empirical", FIELD_MAP, 0, "", 2, STORM_QUANTILES_MAX, NULL,
               "measured quantiles, e.g. {0%: 1ms, 50%: 20ms, 100%: 1s}"},
     .read = empirical_read,
     .item = &quantile_item,
     .keys = &quantile_key,
     .form = FORM_NAMES,
     .choice = CHOICE_ONE,
     .example = "{0%: 1ms, 50%: 20ms, 100%: 1s}"},
    {.field = {.key = NULL}},
};
const struct shape dist_shape = {.rows = dist_rows, .name = "distribution"};

static void uniform_read(struct reader *reader, const struct trail *trail, const struct node *node,
                         void *target) {
    const struct storm_dist *dist = target;
    uint32_t before = reader->errors->total;
    if (node == NULL || !decode_map(reader, trail, node, &uniform_shape, target))
        return;
    if (dist->b < dist->a && reader->errors->total == before)
        blame(reader->errors, trail, node->place, NULL, "low is above high");
}

/* ---- quantiles ------------------------------------------------------------------------------- */

static const char quantiles_example[] = "write empirical: {0%: 1ms, 50%: 20ms, 100%: 1s}";

/* Reads one quantile. False after an error in it. */
static bool quantile_read(struct reader *reader, const struct trail *trail, const struct item *item,
                          const struct storm_quantile *last, struct storm_quantile *quantile) {
    struct trail here = trail_item(trail, item);
    const char *wrong = storm_unit_parse(item->key, STORM_UNIT_SHARE, &quantile->share, NULL, 0);
    if (wrong != NULL || quantile->share > 1) {
        blame(reader->errors, &here, item->place, quantiles_example, "is not a share up to 100%%");
        return false;
    }
    if (!value_read(reader, &here, item->value, &quantile_item, quantile))
        return false;
    if (last != NULL && quantile->share <= last->share)
        blame(reader->errors, &here, item->place, "write the shares in rising order",
              "must be more than the share before it");
    else if (last != NULL && quantile->value < last->value)
        blame(reader->errors, &here, item->value->place, "quantiles never fall",
              "must not be below the value before it");
    else
        return true;
    return false;
}

static void empirical_read(struct reader *reader, const struct trail *trail,
                           const struct node *node, void *target) {
    struct storm_dist *dist = target;
    if (node == NULL)
        return;
    if (node->kind != NODE_MAP || node->count < 2) {
        if (node->kind == NODE_MAP && node->count == 1)
            blame(reader->errors, trail, node->place, quantiles_example, "has one quantile only");
        else
            reader_refuse(reader, trail, node, "a map of shares to durations", quantiles_example);
        return;
    }
    if (node->count > STORM_QUANTILES_MAX) {
        blame(reader->errors, trail, trail->place, NULL, "more than %d quantiles",
              STORM_QUANTILES_MAX);
        return;
    }
    struct storm_quantile *quantiles = reader_take(reader, node->count, sizeof *quantiles);
    if (quantiles == NULL)
        return;
    for (uint32_t i = 0; i < node->count; i++) {
        const struct storm_quantile *last = i == 0 ? NULL : &quantiles[i - 1];
        if (!quantile_read(reader, trail, &node->items[i], last, &quantiles[i]))
            return;
    }
    if (quantiles[0].share > 0 || quantiles[node->count - 1].share < 1) {
        blame(reader->errors, trail, node->place, quantiles_example,
              "must begin at 0%% and end at 100%%");
        return;
    }
    dist->quantiles = quantiles;
    dist->quantile_count = node->count;
}

/* ---- the whole ------------------------------------------------------------------------------- */

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
    static const struct field any = {"plus", FIELD_DIST, 0, NULL, 0, 0, NULL, NULL};
    if (!dist_read(reader, trail, node, &any, &part))
        return;
    assert(part.offset >= 0 && dist->offset >= 0);
    part.offset = storm_time_add(part.offset, dist->offset);
    *dist = part;
}

/* The law of the map's key; *count is how many such keys there are. */
static enum storm_law law_of(const struct node *node, int *count) {
    static const struct field_word laws[] = {
        {"constant", STORM_LAW_CONSTANT, NULL},
        {"uniform", STORM_LAW_UNIFORM, NULL},
        {"exponential", STORM_LAW_EXPONENTIAL, NULL},
        {"normal", STORM_LAW_NORMAL, NULL},
        {"lognormal", STORM_LAW_LOGNORMAL, NULL},
        {"pareto", STORM_LAW_PARETO, NULL},
        {"weibull", STORM_LAW_WEIBULL, NULL},
        {"gamma", STORM_LAW_GAMMA, NULL},
        {"erlang", STORM_LAW_GAMMA, NULL},
        {"hyperexponential", STORM_LAW_HYPEREXPONENTIAL, NULL},
        {"empirical", STORM_LAW_EMPIRICAL, NULL},
        {NULL, 0, NULL},
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

/* Reads a map of dist_shape. */
static bool map_read(struct reader *reader, const struct trail *trail, const struct node *node,
                     struct storm_dist *dist) {
    uint32_t before = reader->errors->total;
    int laws;
    enum storm_law law = law_of(node, &laws);
    if (law != STORM_LAW_CONSTANT)
        dist->law = law;
    decode_map(reader, trail, node, &dist_shape, dist);
    if (reader->errors->total != before)
        return false;
    if (laws != 1) {
        blame(reader->errors, trail, node->place,
              "write one law, e.g. {exponential: 50ms}; or a constant with plus",
              laws == 0 ? "says no duration" : "says more than one duration");
        return false;
    }
    if (tree_find(node, "plus") != NULL && law != STORM_LAW_CONSTANT) {
        blame(reader->errors, trail, node->place,
              "write {constant: 20ms, plus: {exponential: 30ms}}", "plus goes with constant only");
        return false;
    }
    return true;
}

bool dist_read(struct reader *reader, const struct trail *trail, const struct node *node,
               const struct field *field, struct storm_dist *dist) {
    struct field bare = {"constant", FIELD_DURATION, OF(offset), NULL, 0, LONGEST, NULL, NULL};
    bool may_be_none = isinf(field->most);
    assert(node != NULL && dist != NULL);
    *dist = (struct storm_dist){.law = STORM_LAW_CONSTANT};
    if (node->kind == NODE_MAP) {
        if (!map_read(reader, trail, node, dist))
            return false;
    } else if (node->kind == NODE_SCALAR && !tree_is_empty(node)) {
        bare.least = field->least;
        bare.most = may_be_none ? field->most : LONGEST;
        if (!value_read(reader, trail, node, &bare, dist))
            return false;
    } else {
        reader_refuse(reader, trail, node, "a duration",
                      "write 50ms, {exponential: 50ms}, or {constant: 20ms, plus: {...}}");
        return false;
    }
    storm_dist_prepare(dist);
    if (field->least > 0 && storm_dist_mean(dist) <= 0) {
        blame(reader->errors, trail, node->place, NULL, "must be more than 0");
        return false;
    }
    return true;
}
