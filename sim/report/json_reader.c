/* json_reader.c: JSON read strictly, with the path of each value that is refused. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Invariants
   1. The first refusal fills `error`; every function after it on the way out only returns false.
   2. Nothing of the text is believed: its size, and the memory its tree may take, are bounded
   before it is parsed.
   3. What is kept is in the arena, never in the parsed tree. */

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/json_reader.h"

#define FILE_MAX ((size_t)1 << 30)
/* The parsed tree may need this many bytes; see tree_cost. */
#define TREE_MAX ((size_t)2 << 30)

/* Nothing that is measured comes near; squares of it, and sums of those, are finite. */
static const double number_most = 1e100;

/* ---- errors and places ----------------------------------------------------------------------- */

bool json_reader_refuse(struct json_reader *reader, enum storm_status status, const char *format,
                        ...) {
    char reason[STORM_MESSAGE_MAX];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    assert(length >= 0);
    const char *place = reader->path_length > 0 ? reader->path : "the document";
    storm_fail(reader->error, status, "%s %s", place, reason);
    memcpy(reader->error->path, reader->path, reader->path_length + 1);
    return false;
}

bool json_reader_refuse_memory(struct json_reader *reader) {
    return json_reader_refuse(reader, STORM_LIMIT, "does not fit into the memory allowed");
}

static const char *type_name(const json_t *value) {
    static const char *const names[] = {
        [JSON_OBJECT] = "an object", [JSON_ARRAY] = "an array", [JSON_STRING] = "a string",
        [JSON_INTEGER] = "a number", [JSON_REAL] = "a number",  [JSON_TRUE] = "true",
        [JSON_FALSE] = "false",      [JSON_NULL] = "null",
    };
    assert((size_t)json_typeof(value) < sizeof names / sizeof names[0]);
    return names[json_typeof(value)];
}

bool json_reader_refuse_type(struct json_reader *reader, const json_t *value, const char *wanted) {
    if (value == NULL)
        return json_reader_refuse(reader, STORM_INVALID, "is missing");
    return json_reader_refuse(reader, STORM_INVALID, "must be %s, not %s", wanted,
                              type_name(value));
}

/* Puts `text` at the end of the path, as far as it fits; returns the length to go back to. */
static size_t path_add(struct json_reader *reader, const char *text) {
    size_t mark = reader->path_length;
    assert(mark < sizeof reader->path);
    int length = snprintf(reader->path + mark, sizeof reader->path - mark, "%s", text);
    assert(length >= 0);
    size_t room = sizeof reader->path - mark - 1;
    reader->path_length = mark + ((size_t)length < room ? (size_t)length : room);
    return mark;
}

size_t json_reader_push(struct json_reader *reader, const char *key) {
    size_t mark = reader->path_length;
    if (mark > 0)
        path_add(reader, ".");
    path_add(reader, key);
    return mark;
}

static size_t push_index(struct json_reader *reader, size_t index) {
    char text[32];
    snprintf(text, sizeof text, "[%zu]", index);
    return path_add(reader, text);
}

void json_reader_pop(struct json_reader *reader, size_t mark) {
    assert(mark <= reader->path_length);
    reader->path_length = mark;
    reader->path[mark] = '\0';
}

/* ---- single values --------------------------------------------------------------------------- */

bool json_reader_take_text(struct json_reader *reader, const json_t *value, const char **text) {
    if (!json_is_string(value))
        return json_reader_refuse_type(reader, value, "a string");
    *text = arena_copy_string(reader->arena, json_string_value(value), json_string_length(value));
    return *text != NULL || json_reader_refuse_memory(reader);
}

static bool take_count(struct json_reader *reader, const json_t *value, uint32_t most,
                       uint32_t *count) {
    if (!json_is_real(value))
        return json_reader_refuse_type(reader, value, "a whole number");
    double number = json_real_value(value);
    if (!(number >= 0.0 && number <= (double)most && floor(number) == number))
        return json_reader_refuse(reader, STORM_INVALID,
                                  "must be a whole number from 0 to %" PRIu32, most);
    *count = (uint32_t)number;
    return true;
}

bool json_reader_take_double(struct json_reader *reader, const json_t *value, double *number) {
    if (json_is_null(value)) {
        *number = (double)NAN;
        return true;
    }
    if (!json_is_real(value))
        return json_reader_refuse_type(reader, value, "a number or null");
    *number = json_real_value(value);
    return true;
}

static bool take_bool(struct json_reader *reader, const json_t *value, bool *flag) {
    if (!json_is_boolean(value))
        return json_reader_refuse_type(reader, value, "true or false");
    *flag = json_is_true(value);
    return true;
}

static bool take_time(struct json_reader *reader, const json_t *value, storm_time *time) {
    double seconds = 0.0;
    if (!json_reader_take_double(reader, value, &seconds))
        return false;
    if (seconds < 0.0)
        return json_reader_refuse(reader, STORM_INVALID, "must not be negative");
    *time = isnan(seconds) ? STORM_NEVER : storm_time_from_seconds(seconds);
    return true;
}

static bool take_hex(struct json_reader *reader, const json_t *value, uint64_t *number) {
    if (!json_is_string(value))
        return json_reader_refuse_type(reader, value, "a string");
    const char *text = json_string_value(value);
    if (strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16)
        return json_reader_refuse(reader, STORM_INVALID, "must be 16 hexadecimal digits");
    *number = strtoull(text, NULL, 16);
    return true;
}

/* ---- members of an object -------------------------------------------------------------------- */

bool json_reader_text(struct json_reader *reader, const json_t *object, const char *key,
                      const char **text) {
    size_t mark = json_reader_push(reader, key);
    bool done = json_reader_take_text(reader, json_object_get(object, key), text);
    json_reader_pop(reader, mark);
    return done;
}

bool json_reader_optional_text(struct json_reader *reader, const json_t *object, const char *key,
                               const char **text) {
    assert(text != NULL);
    *text = "";
    return json_object_get(object, key) == NULL || json_reader_text(reader, object, key, text);
}

bool json_reader_count(struct json_reader *reader, const json_t *object, const char *key,
                       uint32_t most, uint32_t *count) {
    size_t mark = json_reader_push(reader, key);
    bool done = take_count(reader, json_object_get(object, key), most, count);
    json_reader_pop(reader, mark);
    return done;
}

bool json_reader_double(struct json_reader *reader, const json_t *object, const char *key,
                        double *number) {
    size_t mark = json_reader_push(reader, key);
    bool done = json_reader_take_double(reader, json_object_get(object, key), number);
    json_reader_pop(reader, mark);
    return done;
}

bool json_reader_bool(struct json_reader *reader, const json_t *object, const char *key,
                      bool *flag) {
    size_t mark = json_reader_push(reader, key);
    bool done = take_bool(reader, json_object_get(object, key), flag);
    json_reader_pop(reader, mark);
    return done;
}

bool json_reader_time(struct json_reader *reader, const json_t *object, const char *key,
                      storm_time *time) {
    size_t mark = json_reader_push(reader, key);
    bool done = take_time(reader, json_object_get(object, key), time);
    json_reader_pop(reader, mark);
    return done;
}

bool json_reader_hex(struct json_reader *reader, const json_t *object, const char *key,
                     uint64_t *number) {
    size_t mark = json_reader_push(reader, key);
    bool done = take_hex(reader, json_object_get(object, key), number);
    json_reader_pop(reader, mark);
    return done;
}

/* ---- objects and lists ----------------------------------------------------------------------- */

static bool enter(struct json_reader *reader, const json_t *object, const char *key, json_type type,
                  json_t **value) {
    json_reader_push(reader, key);
    *value = json_object_get(object, key);
    if (*value != NULL && json_typeof(*value) == type)
        return true;
    return json_reader_refuse_type(reader, *value, type == JSON_ARRAY ? "an array" : "an object");
}

bool json_reader_enter(struct json_reader *reader, const json_t *object, const char *key,
                       json_t **value) {
    return enter(reader, object, key, JSON_OBJECT, value);
}

static bool array_read(struct json_reader *reader, const json_t *array,
                       const struct json_list *list, char *items) {
    for (size_t i = 0; i < json_array_size(array); i++) {
        size_t mark = push_index(reader, i);
        if (!list->take(reader, NULL, json_array_get(array, i), list->context,
                        items + i * list->size))
            return false;
        json_reader_pop(reader, mark);
    }
    return true;
}

/* Objects keep the order of the text: jansson iterates in the order of insertion. */
static bool object_read(struct json_reader *reader, json_t *object, const struct json_list *list,
                        char *items) {
    const char *name;
    json_t *value;
    size_t i = 0;
    json_object_foreach(object, name, value) {
        size_t mark = json_reader_push(reader, name);
        if (!list->take(reader, name, value, list->context, items + i++ * list->size))
            return false;
        json_reader_pop(reader, mark);
    }
    assert(i == json_object_size(object));
    return true;
}

bool json_reader_list(struct json_reader *reader, const json_t *object, const char *key,
                      const struct json_list *list, void *items, uint32_t *count) {
    json_t *value;
    size_t mark = reader->path_length;
    bool is_array = list->type == JSON_ARRAY;
    if (!enter(reader, object, key, list->type, &value))
        return false;
    size_t size = is_array ? json_array_size(value) : json_object_size(value);
    assert(size < UINT32_MAX); /* FILE_MAX */
    if (list->count != JSON_ANY_COUNT && size != (size_t)list->count)
        return json_reader_refuse(reader, STORM_INVALID, "must have %" PRId64 " values, not %zu",
                                  list->count, size);
    char *piece = arena_take_array(reader->arena, size, list->size);
    if (piece == NULL)
        return json_reader_refuse_memory(reader);
    if (is_array ? !array_read(reader, value, list, piece)
                 : !object_read(reader, value, list, piece))
        return false;
    memcpy(items, &piece, sizeof piece);
    if (count != NULL)
        *count = (uint32_t)size;
    json_reader_pop(reader, mark);
    return true;
}

static bool double_take(struct json_reader *reader, const char *name, const json_t *value,
                        const void *context, void *item) {
    (void)context;
    assert(name == NULL);
    double *number = item;
    if (!json_reader_take_double(reader, value, number))
        return false;
    return !(fabs(*number) > number_most) ||
           json_reader_refuse(reader, STORM_INVALID, "must be no larger than 1e100");
}

bool json_reader_doubles(struct json_reader *reader, const json_t *object, const char *key,
                         uint32_t count, double **values) {
    assert(values != NULL);
    const struct json_list list = {JSON_ARRAY, sizeof **values, count, double_take, NULL};
    return json_reader_list(reader, object, key, &list, values, NULL);
}

/* ---- text and file --------------------------------------------------------------------------- */

/* An upper bound on the bytes of jansson's tree, from the marks that begin values: a hostile
   gigabyte of "[[" would otherwise ask for fifty. Marks inside strings are counted too, which errs
   on the safe side. */
static size_t tree_cost(const char *text, size_t length) {
    assert(text != NULL || length == 0);
    size_t cost = length;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == ',')
            cost += 48;
        else if (text[i] == ':' || text[i] == '[')
            cost += 160;
        else if (text[i] == '{')
            cost += 320;
    }
    return cost;
}

json_t *json_reader_parse(struct json_reader *reader, const char *text, size_t length) {
    json_error_t syntax;
    assert(text != NULL || length == 0);
    if (length > FILE_MAX || tree_cost(text, length) > TREE_MAX) {
        json_reader_refuse(reader, STORM_LIMIT, "is too large");
        return NULL;
    }
    json_t *root = json_loadb(length == 0 ? "" : text, length,
                              JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &syntax);
    if (root == NULL) {
        bool memory = json_error_code(&syntax) == json_error_out_of_memory;
        storm_fail(reader->error, memory ? STORM_LIMIT : STORM_INVALID, "no valid JSON: %s",
                   syntax.text);
        reader->error->line = syntax.line > 0 ? syntax.line : 0;
        reader->error->column = syntax.column > 0 ? syntax.column : 0;
    }
    return root;
}

static bool fail_io(struct storm_error *error, const char *file, int reason) {
    storm_fail(error, STORM_IO, "cannot read '%.150s': %s", file, strerror(reason));
    snprintf(error->path, sizeof error->path, "%s", file);
    return false;
}

/* What was read of a file so far. The text is malloc's. */
struct content {
    char *text;
    size_t length, room;
};

/* Makes room for more; false when there is none. */
static bool content_grow(struct content *content) {
    size_t room = content->room == 0 ? (size_t)1 << 16 : content->room * 2;
    assert(content->length <= content->room);
    char *text = room > 2 * FILE_MAX ? NULL : realloc(content->text, room);
    if (text == NULL)
        return false;
    content->text = text;
    content->room = room;
    return true;
}

/* Reads an open file, which may be a pipe, to its end. */
static bool content_read(struct content *content, FILE *stream, const char *file,
                         struct storm_error *error) {
    assert(stream != NULL && content->length == 0);
    errno = 0;
    while (feof(stream) == 0 && ferror(stream) == 0) {
        if (content->length > FILE_MAX)
            return storm_fail(error, STORM_LIMIT, "'%.150s' is larger than 1 GiB", file);
        if (content->length == content->room && !content_grow(content))
            return storm_fail(error, STORM_LIMIT, "no memory to read '%.150s'", file);
        content->length +=
            fread(content->text + content->length, 1, content->room - content->length, stream);
    }
    return ferror(stream) == 0 || fail_io(error, file, errno);
}

char *json_reader_load(struct json_reader *reader, const char *file, size_t *length) {
    struct content content = {0};
    assert(file != NULL && length != NULL);
    FILE *stream = fopen(file, "rb");
    if (stream == NULL) {
        fail_io(reader->error, file, errno);
        return NULL;
    }
    if (!content_read(&content, stream, file, reader->error)) {
        free(content.text);
        content.text = NULL;
    }
    fclose(stream);
    *length = content.length;
    return content.text;
}
