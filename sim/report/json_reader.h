/* json_reader.h: JSON read strictly, with the path of each value that is refused. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef REPORT_JSON_READER_H
#define REPORT_JSON_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>
#include <retrystorm/error.h>
#include <retrystorm/units.h>

#include "base/arena.h"

/* One reading: where to put things, and where in the document we are. Begins zeroed but for arena
   and error. Every function that returns false has refused: it filled `error`, and the path stays
   where it is, since nothing is read after that. */
struct json_reader {
    struct arena *arena;
    struct storm_error *error;
    size_t path_length;
    char path[STORM_PATH_MAX];
};

/* The document of a text, or NULL after refusing: STORM_LIMIT when it is too large, else
   STORM_INVALID with line and column. All its numbers are reals. The caller decrefs. */
json_t *json_reader_parse(struct json_reader *reader, const char *text, size_t length);

/* The whole of a file, which may be a pipe; NULL after refusing. The caller frees. */
char *json_reader_load(struct json_reader *reader, const char *file, size_t *length);

/* Refuses with a sentence about the present path: "runs must be ...". Always false. */
bool json_reader_refuse(struct json_reader *reader, enum storm_status status, const char *format,
                        ...) __attribute__((format(printf, 3, 4)));
bool json_reader_refuse_memory(struct json_reader *reader);

/* Refuses a value (NULL: missing) that is not what was `wanted`, e.g. "a string". Always false. */
bool json_reader_refuse_type(struct json_reader *reader, const json_t *value, const char *wanted);

/* Puts a key at the end of the path; returns the length to go back to. */
size_t json_reader_push(struct json_reader *reader, const char *key);
void json_reader_pop(struct json_reader *reader, size_t mark);

/* The value at the path; null is NaN. */
bool json_reader_take_double(struct json_reader *reader, const json_t *value, double *number);
bool json_reader_take_text(struct json_reader *reader, const json_t *value, const char **text);

/* Members of an object. Texts are copied into the arena; an optional one that is not there is "".
   A time is in seconds, null is STORM_NEVER. A hex is sixteen digits. */
bool json_reader_text(struct json_reader *reader, const json_t *object, const char *key,
                      const char **text);
bool json_reader_optional_text(struct json_reader *reader, const json_t *object, const char *key,
                               const char **text);
bool json_reader_count(struct json_reader *reader, const json_t *object, const char *key,
                       uint32_t most, uint32_t *count);
bool json_reader_double(struct json_reader *reader, const json_t *object, const char *key,
                        double *number);
bool json_reader_bool(struct json_reader *reader, const json_t *object, const char *key,
                      bool *flag);
bool json_reader_time(struct json_reader *reader, const json_t *object, const char *key,
                      storm_time *time);
bool json_reader_hex(struct json_reader *reader, const json_t *object, const char *key,
                     uint64_t *number);

/* A member that is an object, left in `value`; it is pushed onto the path. */
bool json_reader_enter(struct json_reader *reader, const json_t *object, const char *key,
                       json_t **value);

/* Reads one item of a list at the path into `item`, which is zeroed. `name` is its key in an object
   and NULL in an array; `context` is the caller's. */
typedef bool json_take(struct json_reader *reader, const char *name, const json_t *value,
                       const void *context, void *item);

enum { JSON_ANY_COUNT = -1 };

/* What a list is made of: items of `size` bytes in an array or object, `count` of them or
   JSON_ANY_COUNT. */
struct json_list {
    json_type type;
    size_t size;
    int64_t count;
    json_take *take;
    const void *context;
};

/* A member that is a list: takes memory for its items and reads each, in the order of the text.
   `items` points to the pointer that is set; `count` may be NULL. */
bool json_reader_list(struct json_reader *reader, const json_t *object, const char *key,
                      const struct json_list *list, void *items, uint32_t *count);

/* A member that is an array of exactly `count` numbers or nulls. */
bool json_reader_doubles(struct json_reader *reader, const json_t *object, const char *key,
                         uint32_t count, double **values);

#endif
