/* timestamp.c: instants as people and log readers write them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/timestamp.h"

enum { DAY = 86400, DAYS_OF_400_YEARS = 146097, NANOSECONDS = 1000000000 };

/* A day of the Gregorian calendar. */
struct date {
    int64_t year, month, day;
};

/* The date `days` after 1970-01-01. Years are counted from March, so that the leap day is a year's
   last and the lengths of the months before it follow one line, (153 m + 2) / 5. */
static struct date date_of(int64_t days) {
    int64_t since = days + 719468; /* days since 0000-03-01 */
    assert(since >= 0);
    int64_t era = since / DAYS_OF_400_YEARS;
    int64_t rest = since % DAYS_OF_400_YEARS;
    int64_t year = (rest - rest / 1460 + rest / 36524 - rest / (DAYS_OF_400_YEARS - 1)) / 365;
    int64_t day = rest - (365 * year + year / 4 - year / 100);
    int64_t month = (5 * day + 2) / 153; /* 0 is March */
    assert(year >= 0 && year < 400 && month >= 0 && month < 12);
    struct date date = {.day = day - (153 * month + 2) / 5 + 1};
    date.month = month < 10 ? month + 3 : month - 9;
    date.year = 400 * era + year + (date.month <= 2);
    return date;
}

int64_t timestamp_year(int64_t seconds) {
    return date_of(seconds / DAY - (seconds % DAY < 0)).year;
}

int timestamp_month_days(int64_t year, int month) {
    static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    assert(month >= 1 && month <= 12);
    bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month - 1] + (month == 2 && is_leap ? 1 : 0);
}

/* date_of backwards, by the same line from March on. */
int64_t timestamp_days(int64_t year, int month, int day) {
    assert(year >= 0 && year <= 9999);
    assert(month >= 1 && month <= 12 && day >= 1);
    int64_t march = year - (month <= 2), since = month + (month > 2 ? -3 : 9);
    int64_t before = 365 * march + (march + 400) / 4 - (march + 400) / 100 + (march + 400) / 400;
    return before + (153 * since + 2) / 5 + day - 1 - 719468 - 97;
}

const char *timestamp_print(int64_t seconds, uint32_t nanoseconds, char *buffer) {
    assert(nanoseconds < NANOSECONDS);
    assert(buffer != NULL);
    int64_t days = seconds / DAY - (seconds % DAY < 0);
    int64_t rest = seconds - days * DAY;
    assert(rest >= 0 && rest < DAY);
    struct date date = date_of(days);
    assert(date.year <= 9999);
    snprintf(buffer, TIMESTAMP_SIZE, "%04d-%02d-%02dT%02d:%02d:%02d.%09uZ", (int)date.year,
             (int)date.month, (int)date.day, (int)(rest / 3600), (int)(rest / 60 % 60),
             (int)(rest % 60), (unsigned)nanoseconds);
    return buffer;
}

const char *timestamp_print_virtual(int64_t epoch, storm_time time, char *buffer) {
    assert(time >= 0);
    int64_t seconds = epoch / NANOSECONDS + time / NANOSECONDS;
    int64_t nanoseconds = epoch % NANOSECONDS + time % NANOSECONDS; /* -1e9 .. 2e9, both excluded */
    if (nanoseconds < 0) {
        seconds--;
        nanoseconds += NANOSECONDS;
    } else if (nanoseconds >= NANOSECONDS) {
        seconds++;
        nanoseconds -= NANOSECONDS;
    }
    return timestamp_print(seconds, (uint32_t)nanoseconds, buffer);
}
