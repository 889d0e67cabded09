/* result_schema.c: a result file as a JSON Schema, for programs that read it. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <assert.h>
#include <string.h>

#include <retrystorm/results.h>

#include "guide/schema.h"
#include "report/json_writer.h"
#include "report/report.h"

enum type {
    SCHEMA,
    TEXT,
    COUNT,
    COUNT_OR_NULL,
    NUMBER, /* or null: it has no value */
    BOOL,
    HEX,
    SEED,
    BETTER,
    CHANGE,
    SPAN,
    ONE,
    LIST,
    MAP,
    TEXT_MAP,
    NUMBERS,
    VERDICTS,
    VERDICT_LIST
};

static const struct member {
    const char *object, *key, *of, *help;
    enum type type;
    bool is_optional;
} members[] = {
#define MEMBER(object, key, type, of, is_optional, help)                                           \
    {#object, key, of, help, type, is_optional},
#include "guide/result_schema.def"
#undef MEMBER
};

enum { MEMBER_COUNT = sizeof members / sizeof members[0] };

/* ---- values ---------------------------------------------------------------------------------- */

static void add_types(struct json_writer *json, const char *type, const char *other) {
    json_writer_key(json, "type");
    if (other == NULL) {
        json_writer_string(json, type);
        return;
    }
    json_writer_array_begin(json, JSON_FLAT);
    json_writer_string(json, type);
    json_writer_string(json, other);
    json_writer_array_end(json);
}

static void add_count(struct json_writer *json, const char *other) {
    add_types(json, "integer", other);
    json_key_count(json, "minimum", 0);
}

/* A word of `count`; `or_null`: or none. */
static void add_words(struct json_writer *json, const char *(*word)(int index), int count,
                      bool or_null) {
    json_writer_key(json, "enum");
    json_writer_array_begin(json, JSON_FLAT);
    for (int i = 0; i < count; i++) {
        json_writer_string(json, word(i));
    }
    if (or_null) {
        json_writer_null(json);
    }
    json_writer_array_end(json);
}

static const char *verdict_word(int index) { return storm_verdict_word((enum storm_verdict)index); }
static const char *change_word(int index) { return storm_change_word((enum storm_change)index); }
static const char *better_word(int index) { return storm_better_word((enum storm_better)index); }
static const char *span_word(int index) { return storm_span_word((enum storm_span_kind)index); }

static void add_reference(struct json_writer *json, const char *of) {
    json_writer_key(json, "$ref");
    json_writer_joined(json, (const char *const[]){"#/$defs/", of}, 2);
}

/* A key whose value is the schema of one of those that a list or map holds. */
static void begin_each(struct json_writer *json, const char *key) {
    json_writer_key(json, key);
    json_writer_object_begin(json, JSON_FLAT);
}

static void add_each(struct json_writer *json, const char *type, const char *key, const char *of) {
    add_types(json, type, NULL);
    begin_each(json, key);
    add_reference(json, of);
    json_writer_object_end(json);
}

static void add_verdicts(struct json_writer *json) {
    add_types(json, "object", NULL);
    begin_each(json, "propertyNames");
    add_words(json, verdict_word, STORM_VERDICT_COUNT, false);
    json_writer_object_end(json);
    begin_each(json, "additionalProperties");
    add_count(json, NULL);
    json_writer_object_end(json);
    json_key_count(json, "minProperties", STORM_VERDICT_COUNT);
}

static void add_list_of_values(struct json_writer *json, enum type type) {
    add_types(json, "array", NULL);
    begin_each(json, "items");
    if (type == NUMBERS) {
        add_types(json, "number", "null");
    } else {
        add_words(json, verdict_word, STORM_VERDICT_COUNT, true);
    }
    json_writer_object_end(json);
}

static void add_value(struct json_writer *json, const struct member *member) {
    switch (member->type) {
    case SCHEMA:
        json_key_string(json, "const", REPORT_SCHEMA);
        break;
    case TEXT:
        add_types(json, "string", NULL);
        break;
    case COUNT:
        add_count(json, NULL);
        break;
    case COUNT_OR_NULL:
        add_count(json, "null");
        break;
    case NUMBER:
        add_types(json, "number", "null");
        break;
    case BOOL:
        add_types(json, "boolean", NULL);
        break;
    case HEX:
        add_types(json, "string", NULL);
        json_key_string(json, "pattern", "^[0-9a-f]{16}$");
        break;
    case SEED:
        add_types(json, "integer", "string");
        break;
    case BETTER:
        add_words(json, better_word, STORM_BETTER_NEITHER + 1, false);
        break;
    case CHANGE:
        add_words(json, change_word, STORM_CHANGE_COUNT, false);
        break;
    case SPAN:
        add_words(json, span_word, STORM_SPAN_ACTION + 1, false);
        break;
    case ONE:
        add_reference(json, member->of);
        break;
    case LIST:
        add_each(json, "array", "items", member->of);
        break;
    case MAP:
        add_each(json, "object", "additionalProperties", member->of);
        break;
    case TEXT_MAP:
        add_types(json, "object", NULL);
        begin_each(json, "additionalProperties");
        add_types(json, "string", NULL);
        json_writer_object_end(json);
        break;
    case NUMBERS:
    case VERDICT_LIST:
        add_list_of_values(json, member->type);
        break;
    case VERDICTS:
        add_verdicts(json);
        break;
    }
}

/* ---- objects --------------------------------------------------------------------------------- */

/* What is in an object. More may be, in later versions: readers pass over it. */
static void add_members(struct json_writer *json, const char *object) {
    add_types(json, "object", NULL);
    json_writer_key(json, "properties");
    json_writer_object_begin(json, JSON_LINES);
    for (size_t i = 0; i < MEMBER_COUNT; i++) {
        if (strcmp(members[i].object, object) == 0) {
            json_writer_key(json, members[i].key);
            json_writer_object_begin(json, JSON_FLAT);
            json_key_string(json, "description", members[i].help);
            add_value(json, &members[i]);
            json_writer_object_end(json);
        }
    }
    json_writer_object_end(json);
    json_writer_key(json, "required");
    json_writer_array_begin(json, JSON_FLAT);
    for (size_t i = 0; i < MEMBER_COUNT; i++) {
        if (strcmp(members[i].object, object) == 0 && !members[i].is_optional) {
            json_writer_string(json, members[i].key);
        }
    }
    json_writer_array_end(json);
}

bool result_schema_write(FILE *out) {
    static const char top[] = "result";
    struct json_writer json;
    assert(strcmp(members[0].object, top) == 0);
    json_writer_init(&json, out);
    json_writer_object_begin(&json, JSON_LINES);
    json_key_string(&json, "$schema", "https://json-schema.org/draft/2020-12/schema");
    json_key_string(&json, "title", "retrystorm result");
    json_key_string(&json, "description", "What runs of a scenario gave.");
    add_members(&json, top);
    json_writer_key(&json, "$defs");
    json_writer_object_begin(&json, JSON_LINES);
    for (size_t i = 1; i < MEMBER_COUNT; i++) {
        const char *object = members[i].object;
        if (strcmp(object, members[i - 1].object) != 0) {
            json_writer_key(&json, object);
            json_writer_object_begin(&json, JSON_LINES);
            add_members(&json, object);
            json_writer_object_end(&json);
        }
    }
    json_writer_object_end(&json);
    json_writer_object_end(&json);
    return json_writer_end(&json);
}
