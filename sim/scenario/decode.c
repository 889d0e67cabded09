/* decode.c: walks a map by its rows; what is unknown, missing or of the wrong kind is told here. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "scenario/decode.h"
#include "scenario/suggest.h"
#include "scenario/value.h"

/* ---- names ----------------------------------------------------------------------------------- */

bool name_is_valid(const char *text) {
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
                          const struct node *names, const char *noun) {
    char quoted[QUOTE_MAX], hint[STORM_MESSAGE_MAX];
    assert(node != NULL && noun != NULL);
    if (node->kind != NODE_SCALAR || tree_is_empty(node)) {
        snprintf(hint, sizeof hint, "the name of a %s", noun);
        reader_refuse(reader, trail, node, hint, NULL);
        return STORM_NONE;
    }
    if (names == NULL || names->kind != NODE_MAP)
        return STORM_NONE;
    const struct item *item = tree_find(names, node->text);
    if (item != NULL)
        return (uint32_t)(item - names->items);
    struct suggest suggest = suggest_begin(node->text);
    for (uint32_t i = 0; i < names->count && !blame_is_full(reader->errors); i++)
        suggest_offer(&suggest, names->items[i].key);
    if (suggest.best != NULL)
        snprintf(hint, sizeof hint, "did you mean '%s'?", suggest.best);
    blame(reader->errors, trail, node->place, suggest.best == NULL ? NULL : hint,
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

static bool shape_has(const struct shape *shape, const char *key) {
    const struct field *field;
    for (size_t i = 0; (field = shape_field(shape, i)) != NULL; i++) {
        if (strcmp(field->key, key) == 0)
            return true;
    }
    return false;
}

/* The key of the shape that an unknown key most likely means, or NULL. */
static const char *key_guess(const struct shape *shape, const char *typed) {
    const char *translated = suggest_translate(typed);
    if (translated != NULL && shape_has(shape, translated))
        return translated;
    struct suggest suggest = suggest_begin(typed);
    const struct field *field;
    for (size_t i = 0; (field = shape_field(shape, i)) != NULL; i++)
        suggest_offer(&suggest, field->key);
    return suggest.best;
}

/* "it has: a, b, c": as many keys as fit. */
static void keys_list(const struct shape *shape, char *buffer, size_t size) {
    size_t used = (size_t)snprintf(buffer, size, "%s has:", shape->noun);
    const struct field *field;
    assert(used < size);
    for (size_t i = 0; (field = shape_field(shape, i)) != NULL; i++) {
        if (used + strlen(field->key) + 6 > size) {
            snprintf(buffer + used, size - used, " ...");
            return;
        }
        used +=
            (size_t)snprintf(buffer + used, size - used, "%s %s", i == 0 ? "" : ",", field->key);
    }
}

void decode_refuse_key(struct reader *reader, const struct trail *trail, const struct item *item,
                       const struct shape *shape) {
    char hint[STORM_MESSAGE_MAX] = "";
    assert(item->key != NULL);
    if (!blame_is_full(reader->errors)) {
        const char *guess = key_guess(shape, item->key);
        if (guess != NULL)
            snprintf(hint, sizeof hint, "did you mean '%s'?", guess);
        else
            keys_list(shape, hint, sizeof hint);
    }
    struct trail here = trail_item(trail, item);
    blame(reader->errors, &here, item->place, hint, "unknown setting");
}

/* Tells a missing key, unless an unknown one beside it is most likely a slip for it. */
static void key_missing(struct reader *reader, const struct trail *trail, const struct node *node,
                        const struct shape *shape, const struct field *field) {
    for (uint32_t i = 0; i < node->count && !blame_is_full(reader->errors); i++) {
        const char *key = node->items[i].key;
        const char *guess = shape_has(shape, key) ? NULL : key_guess(shape, key);
        if (guess != NULL && strcmp(guess, field->key) == 0)
            return;
    }
    struct place place = trail->up == NULL || trail->key == NULL ? node->place : trail->place;
    if (place.line > 0)
        place.width = place.width > 64 ? 1 : place.width;
    struct trail here = {.up = trail, .key = field->key};
    blame(reader->errors, &here, place, field->help, "is missing");
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
    if (row->read == NULL) {
        field_decode(reader, trail, node, shape, &row->field, target);
        return;
    }
    const struct item *item = tree_find(node, row->field.key);
    struct trail here = {.up = trail, .key = row->field.key};
    if (item != NULL)
        here.place = item->place;
    else if (row->field.fallback == NULL && node != NULL)
        key_missing(reader, trail, node, shape, &row->field);
    row->read(reader, &here, item == NULL ? NULL : item->value, target);
}

bool decode_map(struct reader *reader, const struct trail *trail, const struct node *node,
                const struct shape *shape, void *target) {
    assert(shape != NULL && target != NULL);
    if (node != NULL && node->kind != NODE_MAP) {
        reader_refuse(reader, trail, node, "a map ({...})", NULL);
        return false;
    }
    for (const struct row *row = shape->rows; row->field.key != NULL; row++)
        row_decode(reader, trail, node, shape, row, target);
    for (const struct field *field = shape->more; field != NULL && field->key != NULL; field++)
        field_decode(reader, trail, node, shape, field, target);
    for (uint32_t i = 0; node != NULL && i < node->count; i++) {
        if (!shape_has(shape, node->items[i].key))
            decode_refuse_key(reader, trail, &node->items[i], shape);
    }
    return true;
}
