/* words.c: numbers and durations as a chart writes them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <retrystorm/units.h>

#include "plots/type.h"
#include "plots/words.h"

/* Longer numbers are rounded by words_number, which a setting is not. */
enum { PARTED_DIGITS = 7 };

static const double powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000};

/* The value times 10^decimals, rounded, as a whole number. */
static int64_t scaled(double value, int decimals) {
    assert(isfinite(value));
    assert(decimals >= 0 && decimals <= 6);
    double capped = fmin(fmax(value, -1e12), 1e12) * powers[decimals];
    return (int64_t)(capped < 0 ? ceil(capped - 0.5) : floor(capped + 0.5));
}

char *words_fixed(double value, int decimals, char *buffer, size_t size) {
    assert(buffer != NULL && size >= 32);
    int64_t number = scaled(value, decimals);
    int64_t one = (int64_t)powers[decimals];
    uint64_t whole = (uint64_t)(number < 0 ? -number : number);
    const char *sign = number < 0 ? "-" : "";
    if (decimals == 0)
        snprintf(buffer, size, "%s%" PRIu64, sign, whole);
    else
        snprintf(buffer, size, "%s%" PRIu64 ".%0*" PRIu64, sign, whole / (uint64_t)one, decimals,
                 whole % (uint64_t)one);
    return buffer;
}

static void drop_zeros(char *text) {
    assert(text != NULL);
    if (strchr(text, '.') == NULL)
        return;
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == '0')
        length--;
    if (length > 0 && text[length - 1] == '.')
        length--;
    text[length] = '\0';
}

char *words_tenth(double value, char *buffer, size_t size) {
    assert(buffer != NULL);
    words_fixed(value, 1, buffer, size);
    drop_zeros(buffer);
    if (strcmp(buffer, "-0") == 0)
        memcpy(buffer, "0", 2);
    return buffer;
}

/* Puts a comma between each three digits of the whole part. */
static void add_commas(const char *plain, char *buffer, size_t size) {
    assert(plain != NULL && buffer != NULL);
    size_t digits = strspn(plain, "0123456789"), used = 0;
    for (size_t i = 0; plain[i] != '\0' && used + 2 < size; i++) {
        if (i > 0 && i < digits && (digits - i) % 3 == 0)
            buffer[used++] = ',';
        buffer[used++] = plain[i];
    }
    assert(used < size);
    buffer[used] = '\0';
}

char *words_number(double value, int decimals, char *buffer, size_t size) {
    assert(buffer != NULL && size >= 32);
    char plain[WORDS_MAX];
    double least = fabs(value);
    const char *suffix = least >= 1e10 ? "G" : least >= 1e7 ? "M" : "";
    double unit = least >= 1e10 ? 1e9 : least >= 1e7 ? 1e6 : 1;
    words_fixed(least / unit, unit > 1 ? 1 : decimals, plain, sizeof plain);
    drop_zeros(plain);
    size_t sign = value < 0 && strcmp(plain, "0") != 0 ? 1 : 0;
    buffer[0] = '-';
    add_commas(plain, buffer + sign, size - sign - 1);
    size_t length = strlen(buffer);
    memcpy(buffer + length, suffix, strlen(suffix) + 1);
    return buffer;
}

char *words_figure(double value, char *buffer, size_t size) {
    assert(buffer != NULL);
    double least = fabs(value);
    if (least < 1e6)
        return words_number(value, least >= 99.95 ? 0 : least >= 9.995 ? 1 : 2, buffer, size);
    words_number(value / 1e6, least < 1e8 ? 1 : 0, buffer, size - 1);
    size_t length = strlen(buffer);
    memcpy(buffer + length, "M", 2);
    return buffer;
}

char *words_factor(double value, char *buffer, size_t size) {
    assert(value >= 0);
    assert(buffer != NULL);
    return value < 99.95 ? words_fixed(value, 1, buffer, size) : words_figure(value, buffer, size);
}

/* A time as whole units of two sizes: "1 h 30 min". */
static char *two_units(int64_t seconds, char *buffer, size_t size) {
    assert(seconds >= 0 && buffer != NULL);
    int64_t large = seconds >= 3600 ? 3600 : 60, small = large / 60;
    int64_t rest = seconds % large / small;
    const char *large_name = large == 3600 ? "h" : "min";
    const char *small_name = large == 3600 ? "min" : "s";
    if (rest == 0)
        snprintf(buffer, size, "%" PRId64 WORDS_THIN "%s", seconds / large, large_name);
    else
        snprintf(buffer, size, "%" PRId64 WORDS_THIN "%s %" PRId64 WORDS_THIN "%s", seconds / large,
                 large_name, rest, small_name);
    return buffer;
}

char *words_duration(storm_time time, char *buffer, size_t size) {
    assert(time >= 0);
    assert(buffer != NULL && size >= WORDS_MAX);
    char number[WORDS_MAX];
    double seconds = storm_time_to_seconds(time);
    if (time >= STORM_NEVER)
        snprintf(buffer, size, "never");
    else if (time < STORM_SECOND)
        snprintf(buffer, size, "%s" WORDS_THIN "ms",
                 words_number(seconds * 1000, time < 10 * STORM_MILLISECOND ? 2 : 0, number,
                              sizeof number));
    else if (time < 10 * STORM_SECOND)
        snprintf(buffer, size, "%s" WORDS_THIN "s",
                 words_number(seconds, 1, number, sizeof number));
    else if (time < 300 * STORM_SECOND)
        snprintf(buffer, size, "%s" WORDS_THIN "s",
                 words_number(seconds, 0, number, sizeof number));
    else
        two_units((int64_t)(seconds + 0.5), buffer, size);
    return buffer;
}

char *words_range(storm_time low, storm_time high, char *buffer, size_t size) {
    assert(low >= 0 && low <= high);
    assert(buffer != NULL && size >= 2 * WORDS_MAX);
    char from[WORDS_MAX], to[WORDS_MAX];
    bool is_short = high < STORM_SECOND;
    int decimals = is_short || high >= 10 * STORM_SECOND ? 0 : 1;
    double unit = is_short ? 1000 : 1;
    if (high < 300 * STORM_SECOND) {
        words_number(storm_time_to_seconds(low) * unit, decimals, from, sizeof from);
        words_number(storm_time_to_seconds(high) * unit, decimals, to, sizeof to);
        snprintf(buffer, size, "%s–%s" WORDS_THIN "%s", from, to, is_short ? "ms" : "s");
        return buffer;
    }
    if (low < STORM_SECOND)
        snprintf(from, sizeof from, "0" WORDS_THIN "s");
    else
        words_duration(low, from, sizeof from);
    snprintf(buffer, size, "%s to %s", from, words_duration(high, to, sizeof to));
    return buffer;
}

/* To two figures: 9,005 becomes 9,000. */
static double rounded(double value) {
    assert(isfinite(value) && value >= 0);
    double unit = 1;
    while (value >= 100 * unit)
        unit *= 10;
    return floor(value / unit + 0.5) * unit;
}

char *words_about(double count, bool is_exact, char *buffer) {
    char number[WORDS_MAX];
    assert(buffer != NULL);
    words_number(is_exact ? count : rounded(count), 0, number, sizeof number);
    snprintf(buffer, WORDS_MAX, "%s%.48s", is_exact ? "" : "about ", number);
    return buffer;
}

char *words_adjective(storm_time time, char *buffer, size_t size) {
    assert(time >= 0);
    assert(buffer != NULL && size >= WORDS_MAX);
    static const storm_time units[] = {3600 * STORM_SECOND, 60 * STORM_SECOND};
    static const char *const names[] = {"hour", "minute"};
    char number[WORDS_MAX];
    for (size_t i = 0; i < 2; i++)
        if (time >= units[i] && time % units[i] == 0) {
            snprintf(buffer, size, "%" PRId64 "-%s", time / units[i], names[i]);
            return buffer;
        }
    bool is_short = time < STORM_SECOND;
    double seconds = storm_time_to_seconds(time < STORM_NEVER ? time : STORM_NEVER - 1);
    words_figure(is_short ? seconds * 1000 : seconds, number, sizeof number);
    snprintf(buffer, size, "%s-%s", number, is_short ? "millisecond" : "second");
    return buffer;
}

char *words_setting(const char *value, char *buffer, size_t size) {
    assert(value != NULL && buffer != NULL);
    static const struct {
        const char *unit, *shown;
    } units[] = {{"ns", WORDS_THIN "ns"},
                 {"us", WORDS_THIN "us"},
                 {"ms", WORDS_THIN "ms"},
                 {"s", WORDS_THIN "s"},
                 {"m", WORDS_THIN "min"},
                 {"h", WORDS_THIN "h"},
                 {"d", WORDS_THIN "d"},
                 {"%", WORDS_THIN "%"},
                 {"/s", "/s"},
                 {"", ""}};
    size_t digits = strspn(value, "0123456789.");
    char number[WORDS_MAX];
    for (size_t i = 0; digits > 0 && i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(value + digits, units[i].unit) != 0)
            continue;
        snprintf(number, sizeof number, "%.*s", (int)digits, value);
        if (strspn(value, "0123456789") == digits && digits <= PARTED_DIGITS && value[0] != '0')
            words_number((double)strtoull(value, NULL, 10), 0, number, sizeof number);
        snprintf(buffer, size, "%s%s", number, units[i].shown);
        return buffer;
    }
    snprintf(buffer, size, "%s", value);
    return buffer;
}

void words_append(char *buffer, size_t size, const char *format, ...) {
    size_t used = strlen(buffer);
    assert(used < size);
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(buffer + used, size - used, format, arguments);
    va_end(arguments);
    assert(length >= 0);
}

static size_t characters(const char *text) {
    assert(text != NULL);
    size_t count = 0;
    while (type_next(&text) != 0)
        count++;
    return count;
}

bool words_title(char *buffer, size_t size, const char *format, ...) {
    assert(buffer != NULL && size > 0);
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(buffer, size, format, arguments);
    va_end(arguments);
    assert(length >= 0);
    if (buffer[0] >= 'a' && buffer[0] <= 'z')
        buffer[0] = (char)(buffer[0] - 'a' + 'A');
    return (size_t)length < size && characters(buffer) <= WORDS_TITLE_MAX;
}
