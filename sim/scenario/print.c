/* print.c: a value as a user would write it. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/value.h"

/* The shortest decimal of `value` in percent that reads back as exactly `value`. */
static const char *share_print(double value, char *buffer, size_t size) {
    char digits[40];
    double percent = value * 100;
    for (int precision = 1; precision <= 17; precision++) {
        double read;
        snprintf(buffer, size, "%.*g", precision, percent);
        snprintf(buffer, size, "%s%%",
                 storm_double_print(strtod(buffer, NULL), digits, sizeof digits));
        if (storm_unit_parse(buffer, STORM_UNIT_SHARE, &read, NULL, 0) == NULL && read == value)
            return buffer;
    }
    snprintf(buffer, size, "%s%%", storm_double_print(percent, digits, sizeof digits));
    return buffer;
}

/* Seconds: as a time when that is exact, else as the shortest decimal. */
static const char *seconds_print(double value, char *buffer, size_t size) {
    char digits[40];
    if (isinf(value))
        snprintf(buffer, size, "none");
    else if (storm_time_to_seconds(storm_time_from_seconds(value)) == value)
        storm_time_print(storm_time_from_seconds(value), buffer, size);
    else
        snprintf(buffer, size, "%ss", storm_double_print(value, digits, sizeof digits));
    return buffer;
}

const char *value_print_number(enum field_kind kind, double value, char *buffer, size_t size) {
    assert(buffer != NULL && size >= 48);
    assert(!isnan(value));
    char digits[40];
    if (kind == FIELD_DURATION || kind == FIELD_SECONDS)
        return seconds_print(value, buffer, size);
    if (isinf(value)) {
        snprintf(buffer, size, "unlimited");
        return buffer;
    }
    if (kind == FIELD_SHARE)
        return share_print(value, buffer, size);
    storm_double_print(value, digits, sizeof digits);
    if (kind == FIELD_COUNT || kind == FIELD_STATUS) {
        assert(value >= 0 && value <= (double)UINT32_MAX);
        snprintf(buffer, size, "%" PRIu32, (uint32_t)value);
        return buffer;
    }
    assert(kind == FIELD_RATE || kind == FIELD_FACTOR);
    snprintf(buffer, size, "%s%s", digits, kind == FIELD_RATE ? "/s" : "x");
    return buffer;
}

/* The random part of a distribution in braces. */
static void law_print(const struct storm_dist *dist, char *buffer, size_t size) {
    char a[64], b[64];
    seconds_print(dist->a, a, sizeof a);
    if (dist->law == STORM_LAW_LOGNORMAL)
        value_print_number(FIELD_FACTOR, dist->b, b, sizeof b);
    else
        seconds_print(dist->b, b, sizeof b);
    switch (dist->law) {
    case STORM_LAW_CONSTANT:
        assert(false && "has no random part");
        return;
    case STORM_LAW_UNIFORM:
        snprintf(buffer, size, "{uniform: {low: %s, high: %s}}", a, b);
        return;
    case STORM_LAW_EXPONENTIAL:
        snprintf(buffer, size, "{exponential: %s}", a);
        return;
    case STORM_LAW_NORMAL:
        snprintf(buffer, size, "{normal: {mean: %s, sd: %s}}", a, b);
        return;
    case STORM_LAW_LOGNORMAL:
        snprintf(buffer, size, "{lognormal: {mean: %s, cv: %s}}", a, b);
        return;
    }
}

static void dist_print(const struct storm_dist *dist, char *buffer, size_t size) {
    char offset[64], law[160];
    storm_time_print(dist->offset, offset, sizeof offset);
    if (dist->law == STORM_LAW_CONSTANT) {
        snprintf(buffer, size, "%s", offset);
        return;
    }
    law_print(dist, law, sizeof law);
    if (dist->offset == 0)
        snprintf(buffer, size, "%s", law);
    else
        snprintf(buffer, size, "{constant: %s, plus: %s}", offset, law);
}

static const char *word_of(const struct field_word *words, int value) {
    for (const struct field_word *word = words; word->word != NULL; word++) {
        if (word->value == value)
            return word->word;
    }
    return "?";
}

const char *value_print(const struct field *field, const void *target, char *buffer, size_t size) {
    const void *at = (const char *)target + field->offset;
    assert(buffer != NULL && size >= VALUE_MAX);
    double number = 0;
    switch (field->kind) {
    case FIELD_DURATION:
        if (*(const storm_time *)at >= STORM_NEVER)
            snprintf(buffer, size, "none");
        else
            storm_time_print(*(const storm_time *)at, buffer, size);
        return buffer;
    case FIELD_SECONDS:
    case FIELD_RATE:
    case FIELD_SHARE:
    case FIELD_FACTOR:
        number = *(const double *)at;
        break;
    case FIELD_COUNT:
        number =
            *(const uint32_t *)at == UINT32_MAX ? (double)INFINITY : (double)*(const uint32_t *)at;
        break;
    case FIELD_STATUS:
        number = *(const uint16_t *)at;
        break;
    case FIELD_BOOL:
        snprintf(buffer, size, "%s", *(const bool *)at ? "true" : "false");
        return buffer;
    case FIELD_WORD:
        snprintf(buffer, size, "%s", word_of(field->words, *(const int *)at));
        return buffer;
    case FIELD_TEXT:
        return blame_quote(*(const char *const *)at, buffer, size);
    case FIELD_DIST:
        dist_print(at, buffer, size);
        return buffer;
    case FIELD_MAP:
        break;
    }
    assert(field->kind != FIELD_MAP && "a map is printed setting by setting");
    return value_print_number(field->kind, number, buffer, size);
}
