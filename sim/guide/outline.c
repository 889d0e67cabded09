/* outline.c: the tables of settings as something to walk over: what may stand where. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <retrystorm/error.h>

#include "guide/outline.h"
#include "policy/registry.h"
#include "scenario/fields.h"
#include "scenario/value.h"

/* ---- keys ------------------------------------------------------------------------------------ */

struct entry outline_entry(const struct shape *shape, size_t index) {
    assert(shape != NULL && shape->rows != NULL);
    for (const struct row *row = shape->rows; row->field.key != NULL; row++) {
        if (index-- == 0)
            return (struct entry){&row->field, row};
    }
    for (const struct field *field = shape->more; field != NULL && field->key != NULL; field++) {
        if (index-- == 0)
            return (struct entry){field, NULL};
    }
    return (struct entry){NULL, NULL};
}

struct entry outline_find(const struct shape *shape, const char *key) {
    assert(key != NULL);
    struct entry entry = outline_entry(shape, 0);
    for (size_t i = 1; entry.field != NULL && strcmp(entry.field->key, key) != 0; i++)
        entry = outline_entry(shape, i);
    return entry;
}

enum form outline_form(const struct entry *entry) {
    assert(entry->field != NULL);
    return entry->row == NULL ? FORM_ONE : entry->row->form;
}

const struct field *outline_single(const struct entry *entry) {
    if (outline_form(entry) != FORM_ONE || entry->field->kind == FIELD_MAP)
        return NULL;
    return entry->field;
}

const struct shape *outline_map(const struct entry *entry) {
    assert(entry->field != NULL);
    if (entry->row != NULL && entry->row->inner != NULL)
        return entry->row->inner;
    return entry->field->kind == FIELD_DIST ? &dist_shape : NULL;
}

/* ---- in words -------------------------------------------------------------------------------- */

/* "fifo", or "one of down, hang, slow". */
static void words_add(const struct field_word *words, struct phrase *phrase) {
    size_t count = 0;
    while (words != NULL && words[count].word != NULL)
        count++;
    if (count == 0)
        return;
    phrase_or(phrase);
    phrase_add(phrase, "%s", count > 1 ? "one of " : "");
    for (size_t i = 0; i < count; i++)
        phrase_add(phrase, "%s%s", i == 0 ? "" : ", ", words[i].word);
}

bool outline_policy(const struct field *field, size_t index, struct field_word *word) {
    bool is_preset = strcmp(field->key, "preset") == 0;
    size_t count = is_preset ? policy_preset_count() : policy_headline_count();
    if (field->kind != FIELD_WORD || field->words != NULL || index >= count)
        return false;
    *word = is_preset ? (struct field_word){.word = policy_preset_at(index)->name,
                                            .help = policy_preset_at(index)->family}
                      : (struct field_word){.word = policy_headline_at(index)->name,
                                            .help = policy_headline_at(index)->summary};
    return true;
}

static void single_add(const struct field *field, const char *example, struct phrase *phrase) {
    struct field_word policy;
    if (outline_policy(field, 0, &policy))
        phrase_add(phrase, "the name of a %s",
                   strcmp(field->key, "preset") == 0 ? "preset" : "policy");
    else if (field->kind == FIELD_BOOL)
        phrase_add(phrase, "true or false");
    else if (field->kind == FIELD_TEXT && field->words != NULL)
        phrase_add(phrase, "a name");
    else if (field->kind == FIELD_TEXT)
        phrase_add(phrase, example == NULL ? "a text" : "a text, e.g. %s", example);
    else if (field->kind != FIELD_WORD)
        phrase_add(phrase, "%s (%s)", value_noun(field->kind), value_example(field->kind));
    words_add(field->words, phrase);
    if (value_boundless(field) != NULL) {
        phrase_or(phrase);
        phrase_add(phrase, "%s", value_boundless(field));
    }
}

static void many_add(const struct entry *entry, struct phrase *phrase) {
    static const char *const nouns[] = {[FORM_ONE] = "a map",
                                        [FORM_NAMES] = "a map by name",
                                        [FORM_LIST] = "a list",
                                        [FORM_PAIRS] = "a list of pairs"};
    const struct row *row = entry->row;
    assert(row != NULL && row->form <= FORM_PAIRS);
    phrase_or(phrase);
    phrase_add(phrase, "%s", row->keys != NULL ? "a map" : nouns[row->form]);
    if (row->example != NULL)
        phrase_add(phrase, ", e.g. %s", row->example);
}

void outline_say_value(const struct entry *entry, struct phrase *phrase) {
    const struct field *single = outline_single(entry);
    const char *example = entry->row == NULL ? NULL : entry->row->example;
    if (single == NULL) {
        many_add(entry, phrase);
        return;
    }
    if (outline_map(entry) == NULL) {
        single_add(single, example, phrase);
        return;
    }
    single_add(single, NULL, phrase);
    phrase_or(phrase);
    if (single->kind == FIELD_DIST)
        phrase_add(phrase, "a distribution, e.g. {exponential: 50ms}");
    else
        phrase_add(phrase, example == NULL ? "a map" : "a map, e.g. %s", example);
}

/* Bounds that only keep numbers within what can be stored are not worth telling. */
#define HUGE_BOUND 1e9
#define TINY_BOUND 1e-6

/* How many there may be of what stands behind a key. */
static void number_say(const struct field *field, struct phrase *phrase) {
    assert(field->kind == FIELD_MAP);
    if (field->least > 0)
        phrase_add(phrase, "at least %.0f%s", field->least, field->most > 0 ? ", " : "");
    if (field->most > 0)
        phrase_add(phrase, "at most %.0f", field->most);
}

void outline_say_range(const struct field *field, struct phrase *phrase) {
    char text[64];
    bool is_number = field->kind <= FIELD_STATUS;
    bool has_most = is_number && field->most < HUGE_BOUND && field->most > 0;
    bool is_above = field->kind == FIELD_DIST || field->least <= TINY_BOUND;
    if (field->kind == FIELD_MAP) {
        number_say(field, phrase);
        return;
    }
    if (!is_number && field->kind != FIELD_DIST)
        return;
    if (field->least > 0 && is_above)
        phrase_add(phrase, "more than 0%s", has_most ? ", at most " : "");
    else if (has_most || field->least != 0)
        phrase_add(phrase, "%s%s%s%s", has_most ? "" : "at least ", field->least < 0 ? "-" : "",
                   value_print_number(field->kind, fabs(field->least), text, sizeof text),
                   has_most ? " to " : "");
    if (has_most)
        phrase_add(phrase, "%s", value_print_number(field->kind, field->most, text, sizeof text));
}

void outline_say_default(const struct entry *entry, struct phrase *phrase) {
    const char *fallback = entry->field->fallback;
    if (fallback == NULL)
        phrase_add(phrase, "required");
    else if (fallback[0] != '\0')
        phrase_add(phrase, "%s", fallback);
    else if (entry->row == NULL)
        phrase_add(phrase, "as the policy named by delay or preset has it");
}

/* An example of a number, within the field's bounds. */
static void number_example(const struct field *field, struct phrase *phrase) {
    char text[64];
    double value;
    enum storm_unit unit;
    snprintf(text, sizeof text, "%.*s", (int)strcspn(value_example(field->kind), " "),
             value_example(field->kind));
    const char *wrong = storm_number_parse(text, &value, &unit);
    assert(wrong == NULL);
    bool has_bounds = field->most > field->least;
    if (has_bounds && (value > field->most || value < field->least))
        value_print_number(field->kind, value > field->most ? field->most : field->least, text,
                           sizeof text);
    phrase_add(phrase, "%s", text);
}

void outline_say_example(const struct entry *entry, struct phrase *phrase) {
    const struct field *single = outline_single(entry);
    if (entry->row != NULL && entry->row->example != NULL)
        phrase_add(phrase, "%s", entry->row->example);
    else if (single == NULL || single->kind == FIELD_TEXT)
        return;
    else if (single->kind == FIELD_BOOL)
        phrase_add(phrase, "true");
    else if (single->kind == FIELD_WORD)
        phrase_add(phrase, "%s", single->words[0].word);
    else if (single->kind == FIELD_DIST)
        phrase_add(phrase, "{exponential: 50ms}");
    else
        number_example(single, phrase);
}

/* ---- the whole ------------------------------------------------------------------------------- */

struct walk {
    outline_visitor *visit;
    void *context;
};

static void map_visit(const struct walk *walk, const struct shape *shape, const char *up) {
    char path[STORM_PATH_MAX], inside[STORM_PATH_MAX];
    for (size_t i = 0;; i++) {
        struct entry entry = outline_entry(shape, i);
        if (entry.field == NULL)
            return;
        snprintf(path, sizeof path, "%s%s%s", up, up[0] == '\0' ? "" : ".", entry.field->key);
        walk->visit(walk->context, path, &entry);
        const struct shape *map = outline_map(&entry);
        if (map == NULL || map == &dist_shape)
            continue;
        static const char *const each[] = {
            [FORM_ONE] = "", [FORM_NAMES] = ".NAME", [FORM_LIST] = ".0", [FORM_PAIRS] = ".0"};
        snprintf(inside, sizeof inside, "%s%s", path, each[outline_form(&entry)]);
        map_visit(walk, map, inside);
    }
}

void outline_visit(outline_visitor *visit, void *context) {
    struct walk walk = {visit, context};
    assert(visit != NULL);
    map_visit(&walk, &scenario_shape, "");
}
