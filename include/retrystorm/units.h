/* units.h: simulated time as an integer, and numbers with a unit as people write them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RETRYSTORM_UNITS_H
#define RETRYSTORM_UNITS_H

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Simulated time and durations, in nanoseconds. */
typedef int64_t storm_time;

#define STORM_NEVER (INT64_MAX / 2)
#define STORM_NANOSECOND ((storm_time)1)
#define STORM_MICROSECOND ((storm_time)1000)
#define STORM_MILLISECOND ((storm_time)1000000)
#define STORM_SECOND ((storm_time)1000000000)

/* The sum of two times in [0, STORM_NEVER], saturating at STORM_NEVER. */
static inline storm_time storm_time_add(storm_time a, storm_time b) {
    assert(a >= 0 && a <= STORM_NEVER);
    assert(b >= 0 && b <= STORM_NEVER);
    return a > STORM_NEVER - b ? STORM_NEVER : a + b;
}

static inline storm_time storm_time_earlier(storm_time a, storm_time b) { return a < b ? a : b; }
static inline storm_time storm_time_later(storm_time a, storm_time b) { return a > b ? a : b; }

/* Seconds to nanoseconds, rounded to nearest (ties up): the one place where a double becomes a
   time. Values at or beyond STORM_NEVER, and +inf, give STORM_NEVER. Negative values and NaN are a
   caller's bug (asserted). */
static inline storm_time storm_time_from_seconds(double seconds) {
    assert(seconds >= 0.0); /* false for NaN too */
    if (seconds >= 4611686019.0)
        return STORM_NEVER;
    /* Whole seconds apart: then only the fraction is rounded, and times below 97 days survive the
       way to seconds and back. Adding 0.5 to round would lift 0.49999999999999994; the difference
       is exact. */
    storm_time whole = (storm_time)seconds;
    double nanoseconds = (seconds - (double)whole) * 1e9;
    storm_time time = (storm_time)nanoseconds;
    time += nanoseconds - (double)time >= 0.5;
    time += whole * STORM_SECOND;
    assert(time >= 0);
    return time < STORM_NEVER ? time : STORM_NEVER;
}

/* Nanoseconds to seconds. STORM_NEVER gives +inf. */
static inline double storm_time_to_seconds(storm_time time) {
    assert(time >= -STORM_NEVER);
    return time >= STORM_NEVER ? HUGE_VAL : (double)time / 1e9;
}

/* What kind of number a text is read as; the unit is mandatory for all but counts and factors. */
enum storm_unit {
    STORM_UNIT_DURATION, /* 250ms: ns us ms s m h d; stored in seconds */
    STORM_UNIT_RATE,     /* 45/s:  /s /m /h, with k and M as in 1.2k/s; stored per second */
    STORM_UNIT_SHARE,    /* 10%; stored as 0.1 */
    STORM_UNIT_FACTOR,   /* 4x or 4; stored as 4 */
    STORM_UNIT_COUNT     /* 1000 or 10k or 2M: a whole number */
};

/* Reads `text` whole (no blanks around it) as a number of the given unit. On success stores the
   value and returns NULL; else returns what is wrong, e.g. "has no unit", and, when `fix` is not
   NULL, writes an example of what to write instead (at most fix_size bytes, always terminated).
   Never follows a locale; refuses nan, inf, hexadecimal, leading zeros (010) and overflow. */
const char *storm_unit_parse(const char *text, enum storm_unit unit, double *value, char *fix,
                             size_t fix_size);

/* Reads a number whose unit says what it is, which is left in `unit`: 99%, 30s, 45/s, 4x; a plain
   number such as 0.9 or 2000 is a STORM_UNIT_COUNT. Returns NULL, or what is wrong. */
const char *storm_number_parse(const char *text, double *value, enum storm_unit *unit);

/* Writes a duration in its shortest exact form with a unit, e.g. "250ms", "1.5s", "2m", "never".
   Returns `buffer`. */
const char *storm_time_print(storm_time time, char *buffer, size_t size);

/* Writes the shortest decimal that reads back as exactly `value` (finite), with '.' whatever the
   locale. Returns `buffer`; 32 bytes suffice. */
const char *storm_double_print(double value, char *buffer, size_t size);

#endif
