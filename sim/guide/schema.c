/* schema.c: the tables of settings as a JSON Schema, for editors and other programs. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* YAML without quotes gives `count: 1000` and `errors_before: true` to an editor as a number and a
   boolean, `250ms` and `10k` as texts: so what may be written without a unit is both. A text where
   a number may stand has the number's pattern, since the reader takes quoted numbers, too. */

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "guide/outline.h"
#include "guide/schema.h"
#include "policy/registry.h"
#include "report/json_writer.h"
#include "scenario/fields.h"
#include "scenario/override.h"
#include "scenario/value.h"

#define NAME_PATTERN "^[A-Za-z0-9_-]{1,64}$"
#define NUMBER "(0|[1-9][0-9]*)(\\.[0-9]+)?"
#define ABOVE_ZERO "(?!0(\\.0+)?[^0-9.])" /* before a number with a unit */
#define DURATION "(ns|us|ms|s|m|h|d)"
#define RATE "[kM]?/[smh]"

enum { TEXT_MOST = 4000 };

static void string_add(struct json_writer *json, const char *key, const char *text) {
    json_writer_key(json, key);
    json_writer_string(json, text);
}

static void number_add(struct json_writer *json, const char *key, double value) {
    assert(isfinite(value));
    json_writer_key(json, key);
    json_writer_double(json, value);
}

static void array_begin(struct json_writer *json, const char *key, enum json_layout layout) {
    json_writer_key(json, key);
    json_writer_array_begin(json, layout);
}

static void object_begin(struct json_writer *json, const char *key, enum json_layout layout) {
    json_writer_key(json, key);
    json_writer_object_begin(json, layout);
}

/* ---- single values --------------------------------------------------------------------------- */

/* What a text of a number must look like. */
static const char *number_pattern(const struct field *field) {
    bool is_above = field->least > 0;
    switch (field->kind) {
    case FIELD_DURATION:
    case FIELD_SECONDS:
    case FIELD_DIST:
        return is_above ? "^" ABOVE_ZERO NUMBER DURATION "$" : "^" NUMBER DURATION "$";
    case FIELD_RATE:
        return is_above ? "^" ABOVE_ZERO NUMBER RATE "$" : "^" NUMBER RATE "$";
    case FIELD_SHARE:
        return field->most <= 1 ? "^(100(\\.0+)?|[1-9]?[0-9](\\.[0-9]+)?)%$" : "^" NUMBER "%$";
    case FIELD_FACTOR:
        return field->least < 0 ? "^-?" NUMBER "x?$" : "^" NUMBER "x?$";
    case FIELD_STATUS:
        return field->least >= 400 ? "^[45][0-9][0-9]$" : "^[1-5][0-9][0-9]$";
    case FIELD_COUNT:
    case FIELD_WHOLE:
        if (field->least < 0)
            return "^-?(0|[1-9][0-9]*)(\\.0+|(\\.[0-9]+)?[kM])?$";
        return is_above ? "^(?!0(\\.0+)?[kM]?$)(0|[1-9][0-9]*)(\\.0+|(\\.[0-9]+)?[kM])?$"
                        : "^(0|[1-9][0-9]*)(\\.0+|(\\.[0-9]+)?[kM])?$";
    case FIELD_BOOL:
    case FIELD_WORD:
    case FIELD_TEXT:
    case FIELD_MAP:
        break;
    }
    assert(false && "a kind of number");
    return "";
}

/* A number without a unit. */
static void plain_number_add(struct json_writer *json, const struct field *field) {
    bool is_whole = field->kind != FIELD_FACTOR;
    json_writer_object_begin(json, JSON_FLAT);
    string_add(json, "type", is_whole ? "integer" : "number");
    number_add(json, "minimum", field->least);
    if (isfinite(field->most)) {
        bool is_boundless = value_boundless(field) != NULL;
        number_add(json, "maximum", is_boundless ? field->most - 1 : field->most);
    }
    json_writer_object_end(json);
}

static void pattern_add(struct json_writer *json, const char *pattern) {
    json_writer_object_begin(json, JSON_FLAT);
    string_add(json, "type", "string");
    string_add(json, "pattern", pattern);
    json_writer_object_end(json);
}

/* A text; YAML without quotes may make something else of it. */
static void text_add(struct json_writer *json, const char *pattern) {
    json_writer_object_begin(json, JSON_FLAT);
    array_begin(json, "type", JSON_FLAT);
    json_writer_string(json, "string");
    json_writer_string(json, "number");
    json_writer_string(json, "boolean");
    json_writer_array_end(json);
    string_add(json, "pattern",
               pattern != NULL ? pattern : "^[^\\u0000-\\u0008\\u000b-\\u001f\\u007f]*$");
    json_writer_key(json, "maxLength");
    json_writer_count(json, TEXT_MOST);
    json_writer_object_end(json);
}

static void policies_add(struct json_writer *json, const struct field *field) {
    struct field_word policy;
    json_writer_object_begin(json, JSON_LINES);
    array_begin(json, "oneOf", JSON_LINES);
    for (size_t i = 0; outline_policy(field, i, &policy); i++) {
        json_writer_object_begin(json, JSON_FLAT);
        string_add(json, "const", policy.word);
        string_add(json, "description", policy.help);
        json_writer_object_end(json);
    }
    json_writer_array_end(json);
    json_writer_object_end(json);
}

/* The words of a field, if it has any. */
static void words_add(struct json_writer *json, const struct field *field) {
    const char *boundless = value_boundless(field);
    if (field->words == NULL && boundless == NULL)
        return;
    json_writer_object_begin(json, JSON_FLAT);
    array_begin(json, "enum", JSON_FLAT);
    for (const struct field_word *word = field->words; word != NULL && word->word != NULL; word++) {
        json_writer_string(json, word->word);
        if (word->word[strspn(word->word, "0123456789")] == '\0') /* 409 without quotes */
            json_writer_count(json, (uint64_t)strtoull(word->word, NULL, 10));
    }
    if (boundless != NULL)
        json_writer_string(json, boundless);
    json_writer_array_end(json);
    json_writer_object_end(json);
}

/* All that a single value may be, as members of an array of alternatives. */
static void single_add(struct json_writer *json, const struct field *field, const char *pattern) {
    assert(field->key != NULL);
    if (field->kind == FIELD_WORD && field->words == NULL) {
        policies_add(json, field);
        return;
    }
    words_add(json, field);
    switch (field->kind) {
    case FIELD_FACTOR:
    case FIELD_COUNT:
    case FIELD_WHOLE:
    case FIELD_STATUS:
        plain_number_add(json, field);
        pattern_add(json, pattern != NULL ? pattern : number_pattern(field));
        return;
    case FIELD_DURATION:
    case FIELD_SECONDS:
    case FIELD_RATE:
    case FIELD_SHARE:
    case FIELD_DIST:
        pattern_add(json, number_pattern(field));
        return;
    case FIELD_TEXT:
        text_add(json, pattern);
        return;
    case FIELD_BOOL:
        json_writer_object_begin(json, JSON_FLAT);
        string_add(json, "type", "boolean");
        json_writer_object_end(json);
        return;
    case FIELD_WORD:
    case FIELD_MAP:
        return;
    }
}

/* ---- maps ------------------------------------------------------------------------------------ */

static void shape_members(struct json_writer *json, const struct shape *shape);

/* A map: where it stands in several places, by its name among the definitions. */
static void map_add(struct json_writer *json, const struct shape *shape) {
    char reference[64];
    json_writer_object_begin(json, shape->name != NULL ? JSON_FLAT : JSON_LINES);
    if (shape->name != NULL) {
        snprintf(reference, sizeof reference, "#/$defs/%s", shape->name);
        string_add(json, "$ref", reference);
    } else {
        shape_members(json, shape);
    }
    json_writer_object_end(json);
}

/* What stands behind a name or an index: {"anyOf": [...]}. */
static void each_add(struct json_writer *json, const struct row *row) {
    if (row->inner != NULL && row->item == NULL) {
        map_add(json, row->inner);
        return;
    }
    assert(row->item != NULL);
    json_writer_object_begin(json, JSON_FLAT);
    if (row->item->help != NULL)
        string_add(json, "description", row->item->help);
    array_begin(json, "anyOf", JSON_FLAT);
    single_add(json, row->item, NULL);
    json_writer_array_end(json);
    json_writer_object_end(json);
}

/* How many there may be: the bounds of a row that stands for many. */
static void many_bounds_add(struct json_writer *json, const struct row *row, const char *least,
                            const char *most) {
    if (row->field.least > 0)
        number_add(json, least, row->field.least);
    if (row->field.most > 0)
        number_add(json, most, row->field.most);
}

static void names_members(struct json_writer *json, const struct row *row) {
    string_add(json, "type", "object");
    many_bounds_add(json, row, "minProperties", "maxProperties");
    object_begin(json, "patternProperties", JSON_LINES);
    bool has_pattern = row->pattern != NULL;
    assert(row->keys == NULL || has_pattern || row->keys->kind <= FIELD_STATUS);
    json_writer_key(json, has_pattern         ? row->pattern
                          : row->keys != NULL ? number_pattern(row->keys)
                                              : NAME_PATTERN);
    each_add(json, row);
    json_writer_object_end(json);
    json_writer_key(json, "additionalProperties");
    json_writer_bool(json, false);
}

static void list_members(struct json_writer *json, const struct row *row) {
    string_add(json, "type", "array");
    many_bounds_add(json, row, "minItems", "maxItems");
    json_writer_key(json, "items");
    if (row->form == FORM_LIST) {
        each_add(json, row);
        return;
    }
    json_writer_object_begin(json, JSON_LINES);
    string_add(json, "type", "array");
    number_add(json, "minItems", 2);
    number_add(json, "maxItems", 2);
    array_begin(json, "prefixItems", JSON_LINES);
    for (int i = 0; i < 2; i++)
        pattern_add(json, number_pattern(&row->item[i]));
    json_writer_array_end(json);
    json_writer_object_end(json);
}

/* ---- keys ------------------------------------------------------------------------------------ */

/* What an editor shows: the meaning, and what to write. */
static void description_add(struct json_writer *json, const struct entry *entry) {
    struct phrase text = {0}, value = {0}, range = {0}, fallback = {0};
    outline_say_value(entry, &value);
    outline_say_range(entry->field, &range);
    phrase_add(&text, "%s\n\nWrite: %s", entry->field->help, value.text);
    if (range.used > 0)
        phrase_add(&text, ".\nRange: %s", range.text);
    outline_say_default(entry, &fallback);
    if (fallback.used > 0 && entry->field->fallback != NULL)
        phrase_add(&text, ".\nDefault: %s", fallback.text);
    string_add(json, "description", text.text);
}

/* The default as a value of YAML. */
static void default_add(struct json_writer *json, const struct entry *entry) {
    const char *fallback = entry->field->fallback;
    double value;
    if (fallback == NULL || fallback[0] == '\0')
        return;
    enum field_kind kind = entry->field->kind;
    bool is_plain = kind == FIELD_COUNT || kind == FIELD_STATUS || kind == FIELD_WHOLE;
    json_writer_key(json, "default");
    if (kind == FIELD_BOOL)
        json_writer_bool(json, strcmp(fallback, "true") == 0);
    else if (is_plain && storm_unit_parse(fallback, STORM_UNIT_COUNT, &value, NULL, 0) == NULL)
        json_writer_double(json, value);
    else
        json_writer_string(json, fallback);
}

static void property_add(struct json_writer *json, const struct entry *entry) {
    const struct field *single = outline_single(entry);
    const struct shape *map = outline_map(entry);
    enum form form = outline_form(entry);
    object_begin(json, entry->field->key, JSON_LINES);
    description_add(json, entry);
    default_add(json, entry);
    if (form == FORM_NAMES) {
        names_members(json, entry->row);
    } else if (form != FORM_ONE) {
        list_members(json, entry->row);
    } else {
        array_begin(json, "anyOf", JSON_LINES);
        if (single != NULL)
            single_add(json, single, entry->row == NULL ? NULL : entry->row->pattern);
        if (map != NULL)
            map_add(json, map);
        json_writer_array_end(json);
    }
    json_writer_object_end(json);
}

/* ---- what keys of a map have to do with each other ------------------------------------------- */

static void required_add(struct json_writer *json, const struct shape *shape) {
    array_begin(json, "required", JSON_FLAT);
    for (size_t i = 0; outline_entry(shape, i).field != NULL; i++) {
        const struct field *field = outline_entry(shape, i).field;
        if (field->fallback == NULL)
            json_writer_string(json, field->key);
    }
    json_writer_array_end(json);
}

/* {"required": ["at"]} */
static void needs_add(struct json_writer *json, const char *key, size_t length) {
    char text[64];
    assert(length < sizeof text);
    snprintf(text, sizeof text, "%.*s", (int)length, key);
    json_writer_object_begin(json, JSON_FLAT);
    array_begin(json, "required", JSON_FLAT);
    json_writer_string(json, text);
    json_writer_array_end(json);
    json_writer_object_end(json);
}

/* Of the keys that are a choice, exactly one, or at least one, must be there. */
static void choice_add(struct json_writer *json, const struct shape *shape, enum choice choice) {
    bool is_begun = false;
    for (const struct row *row = shape->rows; row->field.key != NULL; row++) {
        if (row->choice != choice)
            continue;
        if (!is_begun)
            array_begin(json, choice == CHOICE_ONE ? "oneOf" : "anyOf", JSON_LINES);
        is_begun = true;
        needs_add(json, row->field.key, strlen(row->field.key));
    }
    if (is_begun)
        json_writer_array_end(json);
}

/* Keys that go only with one of some others. */
static void company_add(struct json_writer *json, const struct shape *shape) {
    bool is_begun = false;
    for (const struct row *row = shape->rows; row->field.key != NULL; row++) {
        if (row->with == NULL)
            continue;
        if (!is_begun)
            object_begin(json, "dependentSchemas", JSON_LINES);
        is_begun = true;
        object_begin(json, row->field.key, JSON_FLAT);
        array_begin(json, "anyOf", JSON_FLAT);
        for (const char *word = row->with; *word != '\0'; word += strspn(word, " ")) {
            size_t length = strcspn(word, " ");
            needs_add(json, word, length);
            word += length;
        }
        json_writer_array_end(json);
        json_writer_object_end(json);
    }
    if (is_begun)
        json_writer_object_end(json);
}

/* Keys of faults that are required, or mean nothing, for one kind of fault. */
static void fault_kind_add(struct json_writer *json, const struct field_word *kind) {
    enum storm_fault_kind value = (enum storm_fault_kind)kind->value;
    json_writer_object_begin(json, JSON_LINES);
    object_begin(json, "if", JSON_FLAT);
    object_begin(json, "properties", JSON_FLAT);
    object_begin(json, "kind", JSON_FLAT);
    string_add(json, "const", kind->word);
    json_writer_object_end(json);
    json_writer_object_end(json);
    json_writer_object_end(json);
    object_begin(json, "then", JSON_FLAT);
    object_begin(json, "properties", JSON_FLAT);
    for (const struct row *row = fault_shape.rows; row->field.key != NULL; row++) {
        if (fault_has(value, row->field.key))
            continue;
        json_writer_key(json, row->field.key);
        json_writer_bool(json, false);
    }
    json_writer_object_end(json);
    array_begin(json, "required", JSON_FLAT);
    for (const struct row *row = fault_shape.rows; row->field.key != NULL; row++) {
        if (fault_needs(value, row->field.key))
            json_writer_string(json, row->field.key);
    }
    json_writer_array_end(json);
    json_writer_object_end(json);
    json_writer_object_end(json);
}

static void fault_kinds_add(struct json_writer *json) {
    struct entry kind = outline_find(&fault_shape, "kind");
    assert(kind.field != NULL && kind.field->words != NULL);
    array_begin(json, "allOf", JSON_LINES);
    for (const struct field_word *word = kind.field->words; word->word != NULL; word++)
        fault_kind_add(json, word);
    json_writer_array_end(json);
}

/* A policy starts from a delay or a preset, and more attempts than one need one of them. */
static void start_need_add(struct json_writer *json) {
    object_begin(json, "not", JSON_FLAT);
    array_begin(json, "required", JSON_FLAT);
    json_writer_string(json, "delay");
    json_writer_string(json, "preset");
    json_writer_array_end(json);
    json_writer_object_end(json);
    object_begin(json, "if", JSON_FLAT);
    object_begin(json, "properties", JSON_FLAT);
    object_begin(json, "attempts", JSON_FLAT);
    object_begin(json, "not", JSON_FLAT);
    array_begin(json, "enum", JSON_FLAT);
    json_writer_count(json, 1);
    json_writer_string(json, "1");
    json_writer_array_end(json);
    json_writer_object_end(json);
    json_writer_object_end(json);
    json_writer_object_end(json);
    array_begin(json, "required", JSON_FLAT);
    json_writer_string(json, "attempts");
    json_writer_array_end(json);
    json_writer_object_end(json);
    object_begin(json, "then", JSON_FLAT);
    array_begin(json, "anyOf", JSON_FLAT);
    needs_add(json, "delay", strlen("delay"));
    needs_add(json, "preset", strlen("preset"));
    json_writer_array_end(json);
    json_writer_object_end(json);
}

/* ---- a map ----------------------------------------------------------------------------------- */

/* The members of the schema of a map. */
static void shape_members(struct json_writer *json, const struct shape *shape) {
    string_add(json, "type", "object");
    if (shape->has_paths) { /* paths of settings; whether they exist depends on the file */
        number_add(json, "maxProperties", OVERRIDES_MAX);
        return;
    }
    object_begin(json, "properties", JSON_LINES);
    for (size_t i = 0; outline_entry(shape, i).field != NULL; i++) {
        struct entry entry = outline_entry(shape, i);
        property_add(json, &entry);
    }
    json_writer_object_end(json);
    required_add(json, shape);
    choice_add(json, shape, CHOICE_ONE);
    choice_add(json, shape, CHOICE_SOME);
    company_add(json, shape);
    if (shape == &fault_shape)
        fault_kinds_add(json);
    if (shape == &policy_shape)
        start_need_add(json);
    json_writer_key(json, "additionalProperties");
    json_writer_bool(json, false);
}

/* The maps that have names, each once. */
struct definitions {
    struct json_writer *json;
    const struct shape *known[16];
    size_t count;
};

static void definition_visit(void *context, const char *path, const struct entry *entry) {
    struct definitions *definitions = context;
    const struct shape *shape = outline_map(entry);
    (void)path;
    if (shape == NULL || shape->name == NULL)
        return;
    for (size_t i = 0; i < definitions->count; i++) {
        if (definitions->known[i] == shape)
            return;
    }
    assert(definitions->count < sizeof definitions->known / sizeof definitions->known[0]);
    definitions->known[definitions->count++] = shape;
    object_begin(definitions->json, shape->name, JSON_LINES);
    shape_members(definitions->json, shape);
    json_writer_object_end(definitions->json);
}

bool schema_write(FILE *out) {
    struct json_writer json;
    struct definitions definitions = {.json = &json};
    assert(out != NULL);
    json_writer_init(&json, out);
    json_writer_object_begin(&json, JSON_LINES);
    string_add(&json, "$schema", "https://json-schema.org/draft/2020-12/schema");
    string_add(&json, "title", "retrystorm scenario");
    string_add(&json, "description",
               "An experiment with clients, services, retry policies and faults.");
    shape_members(&json, &scenario_shape);
    object_begin(&json, "$defs", JSON_LINES);
    outline_visit(definition_visit, &definitions);
    json_writer_object_end(&json);
    json_writer_object_end(&json);
    return json_writer_end(&json);
}
