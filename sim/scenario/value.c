/* value.c: reads one value by the kind of its field. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "scenario/value.h"

enum { TEXT_MAX = 4000 };

/* What storm_unit_parse says of "lots"; ours to say of ".nan" too. */
static const char not_a_number[] = "is not a number";

/* ---- numbers --------------------------------------------------------------------------------- */

/* How a kind of number is read, what it is called, what to write, and the word for "no limit". */
struct number_kind {
    enum storm_unit unit;
    const char *noun, *example, *boundless;
};

static const struct number_kind number_kinds[] = {
    [FIELD_DURATION] = {STORM_UNIT_DURATION, "a duration", "250ms or 5s", "none"},
    [FIELD_SECONDS] = {STORM_UNIT_DURATION, "a duration", "250ms or 5s", "none"},
    [FIELD_RATE] = {STORM_UNIT_RATE, "a rate", "45/s or 1.2k/s", NULL},
    [FIELD_SHARE] = {STORM_UNIT_SHARE, "a share", "10%", NULL},
    [FIELD_FACTOR] = {STORM_UNIT_FACTOR, "a factor", "4x or 4", NULL},
    [FIELD_COUNT] = {STORM_UNIT_COUNT, "a whole number", "1000 or 10k", "unlimited"},
    [FIELD_WHOLE] = {STORM_UNIT_COUNT, "a whole number", "4", NULL},
    [FIELD_STATUS] = {STORM_UNIT_COUNT, "an HTTP status", "503", NULL},
};

static bool is_number(enum field_kind kind) {
    return kind <= FIELD_STATUS; /* the kinds before it are numbers, the rest are not */
}

/* The field accepts the word for "no limit" when its upper bound does not exclude it. */
static bool may_be_boundless(const struct field *field) {
    if (field->kind == FIELD_COUNT)
        return field->most >= (double)UINT32_MAX;
    return (field->kind == FIELD_DURATION || field->kind == FIELD_SECONDS) && isinf(field->most);
}

static void number_store(const struct field *field, double value, void *target) {
    char *at = (char *)target + field->offset;
    storm_time time;
    uint32_t count;
    uint16_t status;
    switch (field->kind) {
    case FIELD_DURATION:
        time = storm_time_from_seconds(value);
        memcpy(at, &time, sizeof time);
        return;
    case FIELD_COUNT:
        assert(value >= 0 && (value <= (double)UINT32_MAX || isinf(value)));
        count = isinf(value) ? UINT32_MAX : (uint32_t)value;
        memcpy(at, &count, sizeof count);
        return;
    case FIELD_STATUS:
        assert(value >= 0 && value <= 999);
        status = (uint16_t)value;
        memcpy(at, &status, sizeof status);
        return;
    case FIELD_SECONDS:
    case FIELD_RATE:
    case FIELD_SHARE:
    case FIELD_FACTOR:
    case FIELD_WHOLE:
        memcpy(at, &value, sizeof value);
        return;
    case FIELD_BOOL:
    case FIELD_WORD:
    case FIELD_TEXT:
    case FIELD_DIST:
    case FIELD_MAP:
        break;
    }
    assert(false && "a kind of number");
}

/* The value of a number's text; a few factors may be negative. Returns NULL or what is wrong. */
static const char *number_parse(const char *text, const struct field *field, double *value,
                                char *fix, size_t size) {
    enum storm_unit unit = number_kinds[field->kind].unit;
    if (field->least < 0 && text[0] == '-') {
        const char *wrong = storm_unit_parse(text + 1, unit, value, fix, size);
        *value = wrong == NULL ? -*value : 0;
        return wrong;
    }
    return storm_unit_parse(text, unit, value, fix, size);
}

/* Adds up a duration of several units, as in 1m30s. False when a part of it cannot be read. */
static bool duration_add_up(const char *text, double *seconds) {
    *seconds = 0;
    while (*text != '\0') {
        char part[32];
        double value;
        size_t length = strspn(text, "0123456789.");
        length += strcspn(text + length, "0123456789");
        snprintf(part, sizeof part, "%.*s", (int)(length < sizeof part ? length : 0), text);
        if (storm_unit_parse(part, STORM_UNIT_DURATION, &value, NULL, 0) != NULL)
            return false;
        *seconds += value;
        text += length;
    }
    return true;
}

/* What to write instead of a number that is wrong; `fix` is what the units make of it. */
static void number_hint(const struct field *field, const char *text, const char *fix, char *hint,
                        size_t size) {
    const struct number_kind *kind = &number_kinds[field->kind];
    char number[64];
    double value, whole;
    assert(text[0] != '\0' && size > 0);
    if (text[0] == '-') {
        snprintf(hint, size, "there are no negative numbers here; write %s", kind->example);
    } else if (kind->unit == STORM_UNIT_DURATION && duration_add_up(text, &value) && value > 0) {
        snprintf(hint, size, "write %s",
                 value_print_number(FIELD_DURATION, value, number, sizeof number));
    } else if (kind->unit == STORM_UNIT_COUNT && text[strspn(text, "0123456789.")] == '\0' &&
               storm_unit_parse(text, STORM_UNIT_FACTOR, &value, NULL, 0) == NULL &&
               value < (double)UINT32_MAX) {
        whole = floor(value);
        if (whole >= field->least)
            snprintf(hint, size, "write %.0f or %.0f", whole, whole + 1);
        else
            snprintf(hint, size, "write %.0f", whole + 1);
    } else {
        snprintf(hint, size, "write %s",
                 fix[0] != '\0' && field->kind != FIELD_STATUS ? fix : kind->example);
    }
}

/* The word that was most likely meant, or "write 503, or drop": an example, and the words that are
   as good. */
static void number_example(const struct field *field, const char *typed, char *hint, size_t size) {
    const struct number_kind *kind = &number_kinds[field->kind];
    struct suggest suggest = suggest_begin(typed);
    if (may_be_boundless(field))
        suggest_offer(&suggest, kind->boundless);
    for (const struct field_word *word = field->words; word != NULL && word->word != NULL; word++)
        suggest_offer(&suggest, word->word);
    if (suggest.best != NULL) {
        suggest_hint(&suggest, hint, size);
        return;
    }
    int used = snprintf(hint, size, "write %s", kind->example);
    if (may_be_boundless(field))
        used += snprintf(hint + used, size - (size_t)used, ", or %s", kind->boundless);
    for (const struct field_word *word = field->words; word != NULL && word->word != NULL; word++)
        used += snprintf(hint + used, size - (size_t)used, ", or %s", word->word);
    assert(used > 0 && (size_t)used < size); /* the words of a number are few */
}

static void number_blame(struct reader *reader, const struct trail *trail, const struct node *node,
                         const struct field *field, const char *wrong, const char *fix) {
    const struct number_kind *kind = &number_kinds[field->kind];
    char hint[STORM_MESSAGE_MAX], quoted[QUOTE_MAX];
    if (strcmp(wrong, not_a_number) == 0) {
        number_example(field, node->text, hint, sizeof hint);
        reader_refuse(reader, trail, node, kind->noun, hint);
        return;
    }
    number_hint(field, node->text, fix, hint, sizeof hint);
    blame(reader->errors, trail, node->place, hint, "'%s' %s",
          blame_quote(node->text, quoted, sizeof quoted), wrong);
}

static bool number_in_bounds(struct reader *reader, const struct trail *trail,
                             const struct node *node, const struct field *field, double value) {
    char bound[64], quoted[QUOTE_MAX];
    blame_quote(node->text, quoted, sizeof quoted);
    if (value == 0 && value < field->least && field->least <= 1) {
        blame(reader->errors, trail, node->place, NULL, "must be more than 0, not '%s'", quoted);
        return false;
    }
    if (value < field->least) {
        blame(reader->errors, trail, node->place, NULL, "must be at least %s, not '%s'",
              value_print_number(field->kind, field->least, bound, sizeof bound), quoted);
        return false;
    }
    if (value > field->most || (field->kind == FIELD_COUNT && value >= (double)UINT32_MAX)) {
        double most = may_be_boundless(field) ? (double)UINT32_MAX - 1 : field->most;
        blame(reader->errors, trail, node->place,
              may_be_boundless(field) ? "write unlimited for no limit" : NULL,
              "must be at most %s, not '%s'",
              value_print_number(field->kind, most, bound, sizeof bound), quoted);
        return false;
    }
    return true;
}

/* The word of that text in a table, or NULL. */
static const struct field_word *word_find(const struct field_word *words, const char *text) {
    assert(text != NULL);
    for (const struct field_word *word = words; word != NULL && word->word != NULL; word++) {
        if (strcmp(word->word, text) == 0)
            return word;
    }
    return NULL;
}

/* Stores the number that a word stands for. False when the text is no word of the field. */
static bool number_word(const struct field *field, const char *text, void *target) {
    const struct field_word *word = word_find(field->words, text);
    const char *boundless = number_kinds[field->kind].boundless;
    if (word == NULL && (!may_be_boundless(field) || strcmp(text, boundless) != 0))
        return false;
    bool is_boundless = word == NULL || word->value == FIELD_BOUNDLESS;
    number_store(field, is_boundless ? (double)INFINITY : word->value, target);
    return true;
}

static bool number_read(struct reader *reader, const struct trail *trail, const struct node *node,
                        const struct field *field, void *target) {
    const struct number_kind *kind = &number_kinds[field->kind];
    char fix[64];
    double value;
    if (node->kind != NODE_SCALAR || tree_is_empty(node)) {
        reader_refuse(reader, trail, node, kind->noun, NULL);
        return false;
    }
    if (number_word(field, node->text, target))
        return true;
    const char *wrong = number_parse(node->text, field, &value, fix, sizeof fix);
    if (wrong != NULL && strpbrk(node->text, "0123456789") == NULL)
        wrong = not_a_number;
    if (wrong != NULL) {
        number_blame(reader, trail, node, field, wrong, fix);
        return false;
    }
    if (!number_in_bounds(reader, trail, node, field, value))
        return false;
    number_store(field, value, target);
    return true;
}

bool value_fits(const struct field *field, const char *text) {
    double value;
    assert(text != NULL);
    if (word_find(field->words, text) != NULL)
        return true;
    if (field->kind == FIELD_DIST)
        return storm_unit_parse(text, STORM_UNIT_DURATION, &value, NULL, 0) == NULL;
    if (!is_number(field->kind))
        return false;
    return (may_be_boundless(field) && strcmp(text, number_kinds[field->kind].boundless) == 0) ||
           number_parse(text, field, &value, NULL, 0) == NULL;
}

/* A distribution may be a bare duration. */
static const struct number_kind *kind_of(enum field_kind kind) {
    assert(is_number(kind) || kind == FIELD_DIST);
    return &number_kinds[kind == FIELD_DIST ? FIELD_DURATION : kind];
}

const char *value_noun(enum field_kind kind) { return kind_of(kind)->noun; }

const char *value_example(enum field_kind kind) { return kind_of(kind)->example; }

const char *value_boundless(const struct field *field) {
    if (field->kind == FIELD_DIST)
        return isinf(field->most) ? number_kinds[FIELD_DURATION].boundless : NULL;
    return may_be_boundless(field) ? number_kinds[field->kind].boundless : NULL;
}

/* ---- words ----------------------------------------------------------------------------------- */

static const char *words_hint(const struct field_word *words, const char *typed, char *hint,
                              size_t size) {
    struct suggest suggest = suggest_begin(typed);
    for (const struct field_word *word = words; word->word != NULL; word++)
        suggest_offer(&suggest, word->word);
    return suggest_hint(&suggest, hint, size);
}

static bool word_read(struct reader *reader, const struct trail *trail, const struct node *node,
                      const struct field *field, void *target) {
    assert(field->words != NULL);
    const struct field_word *word =
        node->kind == NODE_SCALAR ? word_find(field->words, node->text) : NULL;
    if (word != NULL) {
        memcpy((char *)target + field->offset, &word->value, sizeof word->value);
        return true;
    }
    char hint[STORM_MESSAGE_MAX], quoted[QUOTE_MAX];
    words_hint(field->words, node->kind == NODE_SCALAR ? node->text : "", hint, sizeof hint);
    if (node->kind != NODE_SCALAR || tree_is_empty(node))
        reader_refuse(reader, trail, node, "a word", hint);
    else
        blame(reader->errors, trail, node->place, hint, "unknown word '%s'",
              blame_quote(node->text, quoted, sizeof quoted));
    return false;
}

static bool bool_read(struct reader *reader, const struct trail *trail, const struct node *node,
                      const struct field *field, void *target) {
    static const char *const yes[] = {"yes", "on", "y",    "Yes",  "YES",
                                      "On",  "ON", "True", "TRUE", "1"};
    static const char *const no[] = {"no",  "off", "n",     "No",    "NO",
                                     "Off", "OFF", "False", "FALSE", "0"};
    bool value = node->kind == NODE_SCALAR && strcmp(node->text, "true") == 0;
    const char *hint = "write true or false, without quotes";
    if (node->kind == NODE_SCALAR && node->plain && (value || strcmp(node->text, "false") == 0)) {
        memcpy((char *)target + field->offset, &value, sizeof value);
        return true;
    }
    for (size_t i = 0; i < sizeof yes / sizeof yes[0] && node->kind == NODE_SCALAR; i++) {
        if (strcmp(node->text, yes[i]) == 0)
            hint = "write true";
        else if (strcmp(node->text, no[i]) == 0)
            hint = "write false";
    }
    reader_refuse(reader, trail, node, "true or false", hint);
    return false;
}

static bool text_read(struct reader *reader, const struct trail *trail, const struct node *node,
                      const struct field *field, void *target) {
    if (node->kind != NODE_SCALAR || tree_is_empty(node)) {
        reader_refuse(reader, trail, node, "a text", "a text with ': ' or ' #' in it needs quotes");
        return false;
    }
    if (strlen(node->text) > TEXT_MAX) {
        blame(reader->errors, trail, node->place, NULL, "is longer than %d bytes", TEXT_MAX);
        return false;
    }
    for (const char *at = node->text; *at != '\0'; at++) {
        unsigned char c = (unsigned char)*at;
        if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7F) {
            blame(reader->errors, trail, node->place, NULL, "contains a control character");
            return false;
        }
    }
    memcpy((char *)target + field->offset, &node->text, sizeof node->text);
    return true;
}

/* ---- all kinds ------------------------------------------------------------------------------- */

bool value_read(struct reader *reader, const struct trail *trail, const struct node *node,
                const struct field *field, void *target) {
    assert(node != NULL && target != NULL);
    assert(field->key != NULL);
    if (is_number(field->kind))
        return number_read(reader, trail, node, field, target);
    if (field->kind == FIELD_WORD)
        return word_read(reader, trail, node, field, target);
    if (field->kind == FIELD_BOOL)
        return bool_read(reader, trail, node, field, target);
    if (field->kind == FIELD_TEXT)
        return text_read(reader, trail, node, field, target);
    assert(field->kind == FIELD_DIST);
    return reader->read_dist(reader, trail, node, field,
                             (struct storm_dist *)((char *)target + field->offset));
}

void value_default(struct reader *reader, const struct field *field, void *target) {
    assert(field->fallback != NULL && field->fallback[0] != '\0');
    struct node node = {.kind = NODE_SCALAR, .plain = true, .text = field->fallback};
    struct trail trail = {.key = field->key};
    bool is_good = value_read(reader, &trail, &node, field, target);
    assert(is_good && "a default is a good value of its field");
}
