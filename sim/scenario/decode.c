/* decode.c: walks a map by its rows; what is unknown, missing or of the wrong kind is told here. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "scenario/decode.h"
#include "scenario/translate.h"
#include "scenario/value.h"

/* ---- names ----------------------------------------------------------------------------------- */

static bool name_is_valid(const char *text) {
    assert(text != NULL);
    size_t length =
        strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
    return length > 0 && length <= 64 && text[length] == '\0';
}

bool decode_name(struct reader *reader, const struct trail *trail, const struct item *item) {
    if (name_is_valid(item->key))
        return true;
    char quoted[QUOTE_MAX];
    blame(reader->errors, trail, item->place,
          "a name has letters, digits, '-' and '_', at most 64 of them", "'%s' is not a name",
          blame_quote(item->key, quoted, sizeof quoted));
    return false;
}

uint32_t decode_reference(struct reader *reader, const struct trail *trail, const struct node *node,
                          const struct node *names, const struct node *more, const char *noun) {
    const struct node *const maps[] = {names, more};
    char quoted[QUOTE_MAX], hint[STORM_MESSAGE_MAX];
    assert(node != NULL && noun != NULL);
    if (node->kind != NODE_SCALAR || tree_is_empty(node)) {
        snprintf(hint, sizeof hint, "the name of a %s", noun);
        reader_refuse(reader, trail, node, hint, NULL);
        return STORM_NONE;
    }
    if (names == NULL || names->kind != NODE_MAP || (more != NULL && more->kind != NODE_MAP))
        return STORM_NONE;
    struct suggest suggest = suggest_begin(node->text);
    for (uint32_t map = 0, before = 0; map < 2 && maps[map] != NULL; map++) {
        const struct item *item = tree_find(maps[map], node->text);
        if (item != NULL)
            return before + (uint32_t)(item - maps[map]->items);
        for (uint32_t i = 0; i < maps[map]->count && !blame_is_full(reader->errors); i++)
            suggest_offer(&suggest, maps[map]->items[i].key);
        before += maps[map]->count;
    }
    blame(reader->errors, trail, node->place, suggest_hint(&suggest, hint, sizeof hint),
          "there is no %s '%s'", noun, blame_quote(node->text, quoted, sizeof quoted));
    return STORM_NONE;
}

/* ---- keys ------------------------------------------------------------------------------------ */

/* Calls for each key of a shape, in order: i counts up until NULL. */
static const struct field *shape_field(const struct shape *shape, size_t index) {
    size_t i = 0;
    for (; shape->rows[i].field.key != NULL; i++) {
        if (i == index)
            return &shape->rows[i].field;
    }
    if (shape->more == NULL)
        return NULL;
    for (const struct field *field = shape->more; field->key != NULL; field++, i++) {
        if (i == index)
            return field;
    }
    return NULL;
}

const struct row *shape_row(const struct shape *shape, const char *key) {
    assert(shape != NULL && key != NULL);
    for (const struct row *row = shape->rows; row->field.key != NULL; row++) {
        if (strcmp(row->field.key, key) == 0)
            return row;
    }
    return NULL;
}

static bool shape_has(const struct shape *shape, const char *key) {
    const struct field *field;
    for (size_t i = 0; (field = shape_field(shape, i)) != NULL; i++) {
        if (strcmp(field->key, key) == 0)
            return true;
    }
    return false;
}

/* The keys of the shape, and of them the one that an unknown key most likely means. */
static struct suggest key_suggest(const struct shape *shape, const char *typed) {
    struct suggest suggest = suggest_begin(typed);
    const char *translated = translate_word(typed);
    const struct field *field;
    for (size_t i = 0; (field = shape_field(shape, i)) != NULL; i++)
        suggest_offer(&suggest, field->key);
    assert(suggest.count > 0);
    if (translated != NULL && shape_has(shape, translated))
        suggest.best = translated;
    return suggest;
}

static void key_refuse(struct reader *reader, const struct trail *trail, const struct item *item,
                       const struct shape *shape) {
    char hint[STORM_MESSAGE_MAX] = "";
    assert(item->key != NULL);
    if (!blame_is_full(reader->errors)) {
        struct suggest suggest = key_suggest(shape, item->key);
        suggest_hint(&suggest, hint, sizeof hint);
    }
    struct trail here = trail_item(trail, item);
    blame(reader->errors, &here, item->place, hint, "unknown setting");
}

/* Tells a missing key, unless an unknown one beside it is most likely a slip for it. */
static void key_missing(struct reader *reader, const struct trail *trail, const struct node *node,
                        const struct shape *shape, const struct field *field) {
    for (uint32_t i = 0; i < node->count && !blame_is_full(reader->errors); i++) {
        const char *key = node->items[i].key;
        const char *guess = shape_has(shape, key) ? NULL : key_suggest(shape, key).best;
        if (guess != NULL && strcmp(guess, field->key) == 0)
            return;
    }
    struct place place = trail->up == NULL || trail->key == NULL ? node->place : trail->place;
    if (place.line > 0)
        place.width = place.width > 64 ? 1 : place.width;
    struct trail here = {.up = trail, .key = field->key};
    blame(reader->errors, &here, place, field->help, "is missing");
}

void decode_blame(struct reader *reader, const struct trail *trail, const struct node *node,
                  const char *key, const char *suggestion, const char *reason) {
    const struct item *item = tree_find(node, key);
    struct trail here = {.up = trail, .key = key};
    assert(suggestion != NULL && reason != NULL);
    blame(reader->errors, &here, item == NULL ? trail->place : item->place, suggestion, "%s",
          reason);
}

/* Reads one plain field of a map, or its default. */
static void field_decode(struct reader *reader, const struct trail *trail, const struct node *node,
                         const struct shape *shape, const struct field *field, void *target) {
    const struct item *item = tree_find(node, field->key);
    if (item != NULL) {
        struct trail here = trail_item(trail, item);
        value_read(reader, &here, item->value, field, target);
    } else if (field->fallback == NULL) {
        if (node != NULL)
            key_missing(reader, trail, node, shape, field);
    } else if (field->fallback[0] != '\0') {
        value_default(reader, field, target);
    }
}

static void row_decode(struct reader *reader, const struct trail *trail, const struct node *node,
                       const struct shape *shape, const struct row *row, void *target) {
    if (row->read == NULL && row->field.kind != FIELD_MAP) {
        field_decode(reader, trail, node, shape, &row->field, target);
        return;
    }
    const struct item *item = tree_find(node, row->field.key);
    struct trail here = {.up = trail, .key = row->field.key};
    if (item != NULL)
        here.place = item->place;
    else if (row->field.fallback == NULL && node != NULL)
        key_missing(reader, trail, node, shape, &row->field);
    const struct node *value = item == NULL ? NULL : item->value;
    if (row->read != NULL)
        row->read(reader, &here, value, target);
    else
        decode_map(reader, &here, value, row->inner, target);
}

/* A single value where a map should be is most likely meant for its first key, if that is all the
   map needs: "write queue: {limit: 100}". False when it is not. */
static bool map_hint(const struct trail *trail, const struct node *node, const struct shape *shape,
                     char *hint, size_t size) {
    const struct field *first = shape_field(shape, 0), *other;
    if (node->kind != NODE_SCALAR || trail->key == NULL || !value_fits(first, node->text))
        return false;
    for (size_t i = 1; (other = shape_field(shape, i)) != NULL; i++) {
        if (other->fallback == NULL)
            return false;
    }
    snprintf(hint, size, "write %s: {%s: %s}", trail->key, first->key, node->text);
    return true;
}

bool decode_map(struct reader *reader, const struct trail *trail, const struct node *node,
                const struct shape *shape, void *target) {
    assert(shape != NULL && target != NULL);
    if (node != NULL && node->kind != NODE_MAP) {
        char hint[STORM_MESSAGE_MAX];
        bool is_meant = map_hint(trail, node, shape, hint, sizeof hint);
        reader_refuse(reader, trail, node, "a map ({...})", is_meant ? hint : NULL);
        return false;
    }
    for (const struct row *row = shape->rows; row->field.key != NULL; row++)
        row_decode(reader, trail, node, shape, row, target);
    for (const struct field *field = shape->more; field != NULL && field->key != NULL; field++)
        field_decode(reader, trail, node, shape, field, target);
    for (uint32_t i = 0; node != NULL && i < node->count; i++) {
        if (!shape_has(shape, node->items[i].key))
            key_refuse(reader, trail, &node->items[i], shape);
    }
    return true;
}
