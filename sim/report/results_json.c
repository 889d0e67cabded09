/* results_json.c: words of results that several kinds of JSON files have, written and read. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/results_json.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing --------------------------------------------------------------------------------- */

void results_key_seed(struct json_writer *json, uint64_t seed) {
    char digits[24];
    if (seed <= EXACT_MAX) {
        json_key_count(json, "seed", seed);
        return;
    }
    int length = snprintf(digits, sizeof digits, "%" PRIu64, seed);
    assert(length > 0 && (size_t)length < sizeof digits);
    json_key_string(json, "seed", digits);
}

void results_key_hex(struct json_writer *json, const char *key, uint64_t number) {
    char digits[17];
    snprintf(digits, sizeof digits, "%016" PRIx64, number);
    json_key_string(json, key, digits);
}

void results_key_doubles(struct json_writer *json, const char *key, const double *values,
                         uint32_t count) {
    assert(values != NULL || count == 0);
    json_writer_key(json, key);
    json_writer_array_begin(json, JSON_FLAT);
    for (uint32_t i = 0; i < count; i++)
        json_writer_double(json, values[i]);
    json_writer_array_end(json);
}

/* ---- reading --------------------------------------------------------------------------------- */

bool results_read_schema(struct json_reader *reader, const json_t *root, const char *known) {
    const json_t *schema = json_object_get(root, "schema");
    char wanted[64];
    json_reader_push(reader, "schema");
    snprintf(wanted, sizeof wanted, "\"%s\"", known);
    if (!json_is_string(schema))
        return json_reader_refuse_type(reader, schema, wanted);
    if (strcmp(json_string_value(schema), known) != 0)
        return json_reader_refuse(reader, STORM_INVALID, "is '%.60s', and this program reads %s",
                                  json_string_value(schema), known);
    json_reader_pop(reader, 0);
    return true;
}

bool results_read_seed(struct json_reader *reader, const json_t *root, uint64_t *seed) {
    const json_t *value = json_object_get(root, "seed");
    size_t mark = json_reader_push(reader, "seed");
    bool done = false;
    if (value == NULL)
        return json_reader_refuse_type(reader, value, "a whole number");
    if (json_is_real(value)) {
        double number = json_real_value(value);
        done = number >= 0.0 && number <= 0x1p53 && floor(number) == number;
        *seed = done ? (uint64_t)number : 0;
    } else if (json_is_string(value)) {
        const char *digits = json_string_value(value);
        size_t length = strlen(digits);
        errno = 0;
        *seed = strtoull(digits, NULL, 10);
        done = errno == 0 && length > 0 && strspn(digits, "0123456789") == length;
    }
    if (!done)
        return json_reader_refuse(reader, STORM_INVALID, "must be a whole number below 2^64");
    json_reader_pop(reader, mark);
    return true;
}

bool results_read_better(struct json_reader *reader, const json_t *object,
                         enum storm_better *better) {
    const char *word;
    if (!json_reader_text(reader, object, "better", &word))
        return false;
    for (uint32_t i = 0; i <= STORM_BETTER_NEITHER; i++) {
        *better = (enum storm_better)i;
        if (strcmp(storm_better_word(*better), word) == 0)
            return true;
    }
    json_reader_push(reader, "better");
    return json_reader_refuse(reader, STORM_INVALID,
                              "must be lower, higher or neither, not '%.40s'", word);
}

bool results_take_verdict(struct json_reader *reader, const char *name, const json_t *value,
                          const void *context, void *item) {
    uint8_t *verdict = item;
    (void)context;
    assert(name == NULL && verdict != NULL);
    *verdict = UINT8_MAX;
    if (json_is_null(value))
        return true;
    if (!json_is_string(value))
        return json_reader_refuse_type(reader, value, "a verdict or null");
    for (uint8_t i = 0; i < STORM_VERDICT_COUNT; i++) {
        if (strcmp(storm_verdict_word(i), json_string_value(value)) == 0)
            *verdict = i;
    }
    return *verdict != UINT8_MAX ||
           json_reader_refuse(reader, STORM_INVALID, "is no verdict: '%.40s'",
                              json_string_value(value));
}
