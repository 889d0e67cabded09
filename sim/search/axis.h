/* axis.h: one thing that is varied: a setting's path, and the values that it takes. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SEARCH_AXIS_H
#define SEARCH_AXIS_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/error.h>

struct arena;

enum { AXIS_VALUES_MAX = 10000 };

/* A value, as a scenario has it and as a number in base units (seconds, per second, a share as .1);
   NaN for words. */
struct axis_value {
    const char *text;
    double number;
};

/* What a range's numbers are: they print with a unit of that kind. */
enum axis_kind {
    AXIS_WORDS,
    AXIS_DURATION,
    AXIS_RATE,
    AXIS_SHARE,
    AXIS_FACTOR,
    AXIS_NUMBER,
    AXIS_WHOLE
};

/* PATH=FROM..TO/log/10, PATH=FROM..TO/10 (evenly), PATH=FROM..TO, PATH=VALUE,VALUE,..., or PATH
   alone. The path "variant" stands for the scenario's variants. */
struct axis {
    const char *path;
    enum axis_kind kind;
    bool is_range, is_log;
    double from, to;           /* of a range, or the least and greatest listed; NaN for words */
    uint32_t count;            /* values listed, or steps of the range; 0: not given */
    struct axis_value *values; /* [count]; a range's steps, ends included */
};

/* Reads `text`; strings and values are the arena's. Whole ends without a unit make whole numbers
   (steps that fall together are one); "2.0..3.0" does not. False after filling `error`
   (STORM_USAGE: what is wrong, and an example). */
bool axis_parse(const char *text, struct arena *arena, struct axis *axis,
                struct storm_error *error);

/* Reads one value with its unit ("150/s") as a range's end would be read. AXIS_WORDS when it is no
   number. */
enum axis_kind axis_number(const char *text, double *number);

/* The value of a range at `u` of [0, 1] from its beginning (by ratios when it is_log), rounded
   to four significant digits or to a whole number, so that what is printed is what is run. NULL
   text at the arena's limit. */
struct axis_value axis_at(const struct axis *axis, double u, struct arena *arena);

/* A number of that kind in the same way. */
struct axis_value axis_print(enum axis_kind kind, double number, struct arena *arena);

/* "s", "per s", "share", "x", ""; NULL for words. */
const char *axis_unit(enum axis_kind kind);

#endif
