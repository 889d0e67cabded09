/* field.h: a setting described once: from one row come its parsing, bounds, default, help and
   schema. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BASE_FIELD_H
#define BASE_FIELD_H

#include <stddef.h>

/* How a setting's text is read and where it goes. The words for "no limit" are legal where `most`
   does not exclude them: HUGE_VAL for durations, UINT32_MAX for counts. */
enum field_kind {
    FIELD_DURATION, /* storm_time, bounds in seconds; the word "none" gives STORM_NEVER */
    FIELD_SECONDS,  /* double, written as a duration; "none" gives +inf */
    FIELD_RATE,     /* double, per second */
    FIELD_SHARE,    /* double, 0..1, written in % */
    FIELD_FACTOR,   /* double, written 4x or 4 */
    FIELD_COUNT,    /* uint32_t; the word "unlimited" gives UINT32_MAX */
    FIELD_WHOLE,    /* double, a whole number */
    FIELD_STATUS,   /* uint16_t, an HTTP status 100..599 */
    FIELD_BOOL,     /* bool: true | false */
    FIELD_WORD,     /* an enum (int), by its table of words */
    FIELD_TEXT,     /* const char *, kept as written */
    FIELD_DIST,     /* struct storm_dist: {exponential: 50ms}, {constant: 20ms, plus: {...}} or a
                       bare duration; "none" (a constant of STORM_NEVER) where `most` is HUGE_VAL;
                       not always 0 where `least` is more than 0 */
    FIELD_MAP       /* a map of fields of the same struct */
};

/* The value of a word that means "no limit" for a number. */
enum { FIELD_BOUNDLESS = -1 };

/* A word and its value, in the stored unit; tables end with a NULL word. Numbers may have words,
   too. */
struct field_word {
    const char *word;
    int value;
    const char *help; /* what it means, in a few words */
};

/* One setting. `fallback` is the default as a user would write it (NULL: required; "": keep
   what is there). Bounds are in the stored unit
   (durations: seconds). Tables end with a NULL key. */
struct field {
    const char *key;
    enum field_kind kind;
    size_t offset;
    const char *fallback;
    double least, most;
    const struct field_word *words;
    const char *help;
};

#endif
