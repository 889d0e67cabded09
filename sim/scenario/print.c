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
    if (kind == FIELD_COUNT || kind == FIELD_WHOLE || kind == FIELD_STATUS) {
        assert(fabs(value) <= (double)UINT32_MAX);
        snprintf(buffer, size, "%" PRId64, (int64_t)value);
        return buffer;
    }
    assert(kind == FIELD_RATE || kind == FIELD_FACTOR);
    snprintf(buffer, size, "%s%s", digits, kind == FIELD_RATE ? "/s" : "x");
    return buffer;
}

/* ---- distributions --------------------------------------------------------------------------- */

/* How a law is written: its key, the names of its two parameters (NULL: the value of the first
   alone), and what kind of number the second is. */
struct law_words {
    const char *key, *a, *b;
    enum field_kind kind;
};

static const struct law_words laws[] = {
    [STORM_LAW_UNIFORM] = {"uniform", "low", "high", FIELD_SECONDS},
    [STORM_LAW_EXPONENTIAL] = {"exponential", NULL, NULL, FIELD_SECONDS},
    [STORM_LAW_NORMAL] = {"normal", "mean", "sd", FIELD_SECONDS},
    [STORM_LAW_LOGNORMAL] = {"lognormal", "mean", "cv", FIELD_FACTOR},
    [STORM_LAW_PARETO] = {"pareto", "least", "shape", FIELD_FACTOR},
    [STORM_LAW_WEIBULL] = {"weibull", "scale", "shape", FIELD_FACTOR},
    [STORM_LAW_GAMMA] = {"gamma", "mean", "shape", FIELD_FACTOR},
    [STORM_LAW_HYPEREXPONENTIAL] = {"hyperexponential", "mean", "cv", FIELD_FACTOR},
};

/* {empirical: {0%: 1ms, 100%: 2ms}} */
static void quantiles_print(const struct storm_dist *dist, char *buffer, size_t size) {
    char share[64], value[64];
    assert(dist->quantile_count >= 2 && dist->quantile_count <= STORM_QUANTILES_MAX);
    size_t used = (size_t)snprintf(buffer, size, "{empirical: {");
    for (uint32_t i = 0; i < dist->quantile_count && used < size; i++)
        used += (size_t)snprintf(buffer + used, size - used, "%s%s: %s", i == 0 ? "" : ", ",
                                 share_print(dist->quantiles[i].share, share, sizeof share),
                                 seconds_print(dist->quantiles[i].value, value, sizeof value));
    assert(used + 3 <= size); /* VALUE_MAX has room for as many as there may be */
    snprintf(buffer + used, size - used, "}}");
}

/* The random part of a distribution in braces. */
static void law_print(const struct storm_dist *dist, char *buffer, size_t size) {
    char a[64], b[64];
    if (dist->law == STORM_LAW_EMPIRICAL) {
        quantiles_print(dist, buffer, size);
        return;
    }
    assert(dist->law > STORM_LAW_CONSTANT && dist->law < sizeof laws / sizeof laws[0]);
    const struct law_words *law = &laws[dist->law];
    seconds_print(dist->a, a, sizeof a);
    value_print_number(law->kind, dist->b, b, sizeof b);
    if (law->a == NULL)
        snprintf(buffer, size, "{%s: %s}", law->key, a);
    else
        snprintf(buffer, size, "{%s: {%s: %s, %s: %s}}", law->key, law->a, a, law->b, b);
}

static void dist_print(const struct storm_dist *dist, char *buffer, size_t size) {
    char offset[64], law[VALUE_MAX - 64];
    storm_time_print(dist->offset, offset, sizeof offset);
    if (dist->law == STORM_LAW_CONSTANT) {
        snprintf(buffer, size, "%s", dist->offset >= STORM_NEVER ? "none" : offset);
        return;
    }
    law_print(dist, law, sizeof law);
    if (dist->offset == 0)
        snprintf(buffer, size, "%s", law);
    else
        snprintf(buffer, size, "{constant: %s, plus: %s}", offset, law);
}

/* ---- all kinds ------------------------------------------------------------------------------- */

/* The word of a value in a table, or NULL. */
static const char *word_of(const struct field_word *words, int value) {
    for (const struct field_word *word = words; word != NULL && word->word != NULL; word++) {
        if (word->value == value)
            return word->word;
    }
    return NULL;
}

/* The number of a field; infinite: no limit. */
static double number_of(const struct field *field, const void *at) {
    switch (field->kind) {
    case FIELD_DURATION:
        return storm_time_to_seconds(*(const storm_time *)at);
    case FIELD_SECONDS:
    case FIELD_RATE:
    case FIELD_SHARE:
    case FIELD_FACTOR:
    case FIELD_WHOLE:
        return *(const double *)at;
    case FIELD_COUNT:
        return *(const uint32_t *)at == UINT32_MAX ? (double)INFINITY : *(const uint32_t *)at;
    case FIELD_STATUS:
        return *(const uint16_t *)at;
    case FIELD_BOOL:
    case FIELD_WORD:
    case FIELD_TEXT:
    case FIELD_DIST:
    case FIELD_MAP:
        break;
    }
    assert(false && "a kind of number");
    return 0;
}

/* A number as one of the field's words, if it has one for it, else with its unit. */
static const char *number_print(const struct field *field, const void *at, char *buffer,
                                size_t size) {
    double number = number_of(field, at);
    assert(!isnan(number));
    bool is_small = number >= 0 && number < 1000; /* so that it may be a word's value */
    const char *word = NULL;
    if (isinf(number))
        word = word_of(field->words, FIELD_BOUNDLESS);
    else if (is_small && floor(number) == number)
        word = word_of(field->words, (int)number);
    if (word == NULL)
        return value_print_number(field->kind, number, buffer, size);
    snprintf(buffer, size, "%s", word);
    return buffer;
}

const char *value_print(const struct field *field, const void *target, char *buffer, size_t size) {
    const void *at = (const char *)target + field->offset;
    assert(buffer != NULL && size >= VALUE_MAX);
    switch (field->kind) {
    case FIELD_DURATION:
    case FIELD_SECONDS:
    case FIELD_RATE:
    case FIELD_SHARE:
    case FIELD_FACTOR:
    case FIELD_COUNT:
    case FIELD_WHOLE:
    case FIELD_STATUS:
        return number_print(field, at, buffer, size);
    case FIELD_BOOL:
        snprintf(buffer, size, "%s", *(const bool *)at ? "true" : "false");
        return buffer;
    case FIELD_WORD:
        assert(word_of(field->words, *(const int *)at) != NULL);
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
    assert(false && "a map is printed setting by setting");
    return buffer;
}
