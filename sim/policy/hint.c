/* hint.c: waiting as long as the server says, or not, and reading what it says. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policy/hint.h"

#include <assert.h>
#include <string.h>

#include <retrystorm/policy.h>
#include <retrystorm/units.h>

#include "base/timestamp.h"

/* ---- the rules ------------------------------------------------------------------------------- */

/* What the hint makes of the wait; HINT_NONE where the policy's own delay stands. STORM_NEVER:
   give up. */
static storm_time follow(const struct storm_hint_rule *rule, storm_time own, storm_time hinted) {
    switch ((enum storm_hint)rule->rule) {
    case STORM_HINT_FLOOR:
        return hinted > own ? hinted : HINT_NONE;
    case STORM_HINT_OVERRIDE:
        return hinted;
    case STORM_HINT_IGNORE:
        return HINT_NONE;
    case STORM_HINT_CLAMP:
        hinted = storm_time_earlier(hinted, storm_time_add(own, rule->slack));
        return hinted > own ? hinted : HINT_NONE;
    case STORM_HINT_CAPPED:
        return storm_time_earlier(hinted, rule->limit);
    case STORM_HINT_GIVE_UP_ABOVE:
        return hinted > rule->limit ? STORM_NEVER : hinted;
    case STORM_HINT_IGNORE_ABOVE:
        return hinted > rule->limit ? HINT_NONE : hinted;
    }
    assert(0 && "no such rule");
    return HINT_NONE;
}

bool hint_gives_up(const struct storm_hint_rule *rule, storm_time hinted) {
    assert(hinted >= HINT_NONE);
    return rule->rule == STORM_HINT_GIVE_UP_ABOVE && hinted > rule->limit;
}

storm_time hint_apply(const struct storm_hint_rule *rule, storm_time own, storm_time hinted,
                      double u) {
    assert(own >= 0 && hinted >= HINT_NONE);
    assert(u >= 0 && u < 1);
    own = storm_time_earlier(own, STORM_NEVER);
    hinted = storm_time_earlier(hinted, STORM_NEVER);
    bool is_given = hinted > 0 || (hinted == 0 && rule->zero_is_real);
    storm_time wait = is_given ? follow(rule, own, hinted) : HINT_NONE;
    if (wait == HINT_NONE) {
        return own;
    }
    double stretch = storm_time_to_seconds(wait) * rule->jitter * u;
    return wait < STORM_NEVER ? storm_time_add(wait, storm_time_from_seconds(stretch))
                              : STORM_NEVER;
}

/* ---- as servers write it --------------------------------------------------------------------- */

/* A text being read from the left. */
struct cursor {
    const char *at;
};

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Moves behind `word` if it stands here. */
static bool word_read(struct cursor *cursor, const char *word) {
    size_t length = strlen(word);
    if (strncmp(cursor->at, word, length) != 0) {
        return false;
    }
    cursor->at += length;
    return true;
}

/* Moves behind the first of `count` words that stands here; -1: none does. */
static int choice_read(struct cursor *cursor, const char *const *words, int count) {
    for (int i = 0; i < count; i++) {
        if (word_read(cursor, words[i])) {
            return i;
        }
    }
    return -1;
}

/* Reads exactly `count` digits; -1 when they are not digits. */
static int digits_read(struct cursor *cursor, int count) {
    int value = 0;
    assert(count > 0 && count < 10);
    for (int i = 0; i < count; i++, cursor->at++) {
        if (!is_digit(*cursor->at)) {
            return -1;
        }
        value = value * 10 + (*cursor->at - '0');
    }
    return value;
}

static bool is_end(const struct cursor *cursor) {
    return cursor->at[strspn(cursor->at, " \t")] == '\0';
}

/* The digits before the point, as many as there are: what is too large stays too large. */
static bool whole_read(struct cursor *cursor, storm_time *whole) {
    const char *begin = cursor->at;
    *whole = 0;
    for (; is_digit(*cursor->at); cursor->at++) {
        *whole = *whole >= STORM_NEVER / 10 ? STORM_NEVER : *whole * 10 + (*cursor->at - '0');
    }
    return cursor->at > begin;
}

/* The digits behind the point: billionths, the rest is cut off. */
static bool fraction_read(struct cursor *cursor, storm_time *billionths) {
    *billionths = 0;
    if (!word_read(cursor, ".")) {
        return true;
    }
    const char *begin = cursor->at;
    for (storm_time unit = STORM_SECOND / 10; is_digit(*cursor->at); cursor->at++, unit /= 10) {
        *billionths += unit * (*cursor->at - '0');
    }
    return cursor->at > begin;
}

/* "120", "1.5", "1500ms". */
static bool duration_read(struct cursor cursor, storm_time *hint) {
    storm_time whole, billionths;
    if (!whole_read(&cursor, &whole) || !fraction_read(&cursor, &billionths)) {
        return false;
    }
    storm_time unit = word_read(&cursor, "ms") ? STORM_MILLISECOND : STORM_SECOND;
    *hint = STORM_NEVER;
    if (whole <= STORM_NEVER / unit) {
        *hint = storm_time_add(whole * unit, billionths / (STORM_SECOND / unit));
    }
    return is_end(&cursor);
}

static const char *const days[] = {"Monday, ", "Tuesday, ",  "Wednesday, ", "Thursday, ",
                                   "Friday, ", "Saturday, ", "Sunday, "};
static const char *const short_days[] = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};

/* A date being put together. */
struct date {
    int year, month, day;
    int64_t clock; /* seconds of the day */
};

static bool month_read(struct cursor *cursor, struct date *date) {
    static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    date->month = choice_read(cursor, months, 12) + 1;
    return date->month > 0;
}

static bool clock_read(struct cursor *cursor, struct date *date) {
    int hour = digits_read(cursor, 2);
    int minute = word_read(cursor, ":") ? digits_read(cursor, 2) : -1;
    int second = word_read(cursor, ":") ? digits_read(cursor, 2) : -1;
    date->clock = hour * 3600 + minute * 60 + second;
    /* RFC 9110 grants a minute its leap second. */
    return hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && second >= 0 && second <= 60;
}

/* "06 Nov 1994" or "06-Nov-1994", years of `digits` digits. */
static bool day_read(struct cursor *cursor, const char *separator, int digits, struct date *date) {
    date->day = digits_read(cursor, 2);
    if (date->day < 1 || !word_read(cursor, separator) || !month_read(cursor, date) ||
        !word_read(cursor, separator)) {
        return false;
    }
    date->year = digits_read(cursor, digits);
    return date->year >= 0;
}

/* "Sun, 06 Nov 1994 08:49:37 GMT", as it is written today. */
static bool imf_read(struct cursor cursor, struct date *date) {
    return choice_read(&cursor, short_days, 7) >= 0 && word_read(&cursor, ", ") &&
           day_read(&cursor, " ", 4, date) && word_read(&cursor, " ") &&
           clock_read(&cursor, date) && word_read(&cursor, " GMT") && is_end(&cursor);
}

/* "Sunday, 06-Nov-94 08:49:37 GMT": the latest year with those two digits that is not more than 50
   years ahead. */
static bool rfc850_read(struct cursor cursor, int this_year, struct date *date) {
    if (choice_read(&cursor, days, 7) < 0 || !day_read(&cursor, "-", 2, date) ||
        !word_read(&cursor, " ") || !clock_read(&cursor, date) || !word_read(&cursor, " GMT")) {
        return false;
    }
    int latest = this_year + 50;
    date->year = latest - (latest - date->year) % 100;
    return is_end(&cursor);
}

/* "Sun Nov  6 08:49:37 1994", as C's asctime writes it. */
static bool asctime_read(struct cursor cursor, struct date *date) {
    if (choice_read(&cursor, short_days, 7) < 0 || !word_read(&cursor, " ") ||
        !month_read(&cursor, date) || !word_read(&cursor, " ")) {
        return false;
    }
    date->day = word_read(&cursor, " ") ? digits_read(&cursor, 1) : digits_read(&cursor, 2);
    if (date->day < 1 || !word_read(&cursor, " ") || !clock_read(&cursor, date) ||
        !word_read(&cursor, " ")) {
        return false;
    }
    date->year = digits_read(&cursor, 4);
    return date->year >= 0 && is_end(&cursor);
}

/* One of the three forms of an HTTP-date, told from `now`. */
static bool date_read(struct cursor cursor, int64_t now, storm_time *hint) {
    struct date date;
    int this_year = (int)timestamp_year(now / STORM_SECOND);
    if (!imf_read(cursor, &date) && !rfc850_read(cursor, this_year, &date) &&
        !asctime_read(cursor, &date)) {
        return false;
    }
    if (date.day > timestamp_month_days(date.year, date.month)) {
        return false;
    }
    int64_t then = timestamp_days(date.year, date.month, date.day) * 86400 + date.clock;
    int64_t seconds = then - now / STORM_SECOND;
    *hint = 0;
    if (seconds > 0) {
        *hint = seconds < STORM_NEVER / STORM_SECOND ? seconds * STORM_SECOND - now % STORM_SECOND
                                                     : STORM_NEVER;
    }
    return true;
}

bool hint_parse(const char *text, int64_t now, storm_time *hint) {
    assert(text != NULL && hint != NULL);
    assert(now >= 0);
    struct cursor cursor = {text + strspn(text, " \t")};
    return duration_read(cursor, hint) || date_read(cursor, now, hint);
}
