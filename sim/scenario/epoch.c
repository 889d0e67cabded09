/* epoch.c: dates of the Gregorian calendar, without the C library's time zones. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <string.h>

#include "base/timestamp.h"
#include "scenario/epoch.h"

enum { YEAR_LEAST = 1970, YEAR_MOST = 2199, DAY = 86400 };

static bool is_leap(int year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

static int month_days(int year, int month) {
    static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    assert(month >= 1 && month <= 12);
    return days[month - 1] + (month == 2 && is_leap(year) ? 1 : 0);
}

/* Reads exactly `count` digits at *text and moves behind them; -1 when they are not digits. */
static int digits_read(const char **text, int count) {
    int value = 0;
    assert(count > 0 && count < 10);
    for (int i = 0; i < count; i++, ++*text) {
        if (**text < '0' || **text > '9')
            return -1;
        value = value * 10 + (**text - '0');
    }
    return value;
}

/* Moves behind one of the characters of `set`. */
static bool mark_read(const char **text, const char *set) {
    if (**text == '\0' || strchr(set, **text) == NULL)
        return false;
    ++*text;
    return true;
}

/* Reads "2024-03-01" into days since 1970. */
static bool date_read(const char **text, int64_t *days) {
    int year = digits_read(text, 4);
    if (year < YEAR_LEAST || year > YEAR_MOST || !mark_read(text, "-"))
        return false;
    int month = digits_read(text, 2);
    if (month < 1 || month > 12 || !mark_read(text, "-"))
        return false;
    int day = digits_read(text, 2);
    if (day < 1 || day > month_days(year, month))
        return false;
    *days = day - 1;
    for (int y = YEAR_LEAST; y < year; y++)
        *days += is_leap(y) ? 366 : 365;
    for (int m = 1; m < month; m++)
        *days += month_days(year, m);
    return true;
}

/* Reads "09:30" and, when `with_seconds`, ":00" into seconds. */
static bool clock_read(const char **text, bool with_seconds, int64_t *seconds) {
    int hour = digits_read(text, 2);
    if (hour < 0 || hour > 23 || !mark_read(text, ":"))
        return false;
    int minute = digits_read(text, 2);
    if (minute < 0 || minute > 59)
        return false;
    *seconds = hour * 3600 + minute * 60;
    if (!with_seconds)
        return true;
    if (!mark_read(text, ":"))
        return false;
    int second = digits_read(text, 2);
    *seconds += second;
    return second >= 0 && second <= 59;
}

/* Reads ".25", at most to the nanosecond, if it is there. */
static bool fraction_read(const char **text, int64_t *nanoseconds) {
    *nanoseconds = 0;
    if (**text != '.')
        return true;
    int64_t unit = STORM_SECOND;
    for (++*text; **text >= '0' && **text <= '9'; ++*text) {
        unit /= 10;
        *nanoseconds += unit * (**text - '0');
        if (unit == 0)
            return false;
    }
    return unit < STORM_SECOND;
}

/* Reads "Z" or "+01:00" into seconds east of Greenwich. */
static bool zone_read(const char **text, int64_t *east) {
    *east = 0;
    if (mark_read(text, "Zz"))
        return true;
    bool is_west = **text == '-';
    if (!mark_read(text, "+-") || !clock_read(text, false, east))
        return false;
    *east = is_west ? -*east : *east;
    return true;
}

bool epoch_parse(const char *text, int64_t *epoch) {
    int64_t days, seconds, nanoseconds, east;
    assert(text != NULL && epoch != NULL);
    if (!date_read(&text, &days) || !mark_read(&text, "Tt ") ||
        !clock_read(&text, true, &seconds) || !fraction_read(&text, &nanoseconds) ||
        !zone_read(&text, &east) || *text != '\0')
        return false;
    int64_t total = days * DAY + seconds - east;
    if (total < 0)
        return false;
    *epoch = total * STORM_SECOND + nanoseconds;
    return true;
}

const char *epoch_print(int64_t epoch, char *buffer) {
    assert(epoch >= 0 && buffer != NULL);
    timestamp_print(epoch / STORM_SECOND, (uint32_t)(epoch % STORM_SECOND), buffer);
    char *end = strchr(buffer, 'Z'); /* ".250000000Z" becomes ".25Z", ".000000000Z" becomes "Z" */
    while (end[-1] == '0')
        end--;
    end -= end[-1] == '.';
    memcpy(end, "Z", 2);
    return buffer;
}
