/* timestamp.h: instants as people and log readers write them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BASE_TIMESTAMP_H
#define BASE_TIMESTAMP_H

#include <stddef.h>
#include <stdint.h>

#include <retrystorm/units.h>

enum { TIMESTAMP_SIZE = 40 };

/* Writes the instant `seconds` and `nanoseconds` after 1970-01-01T00:00:00Z as RFC 3339 in UTC with
   nine decimals. The year must lie in 0 .. 9999. Returns `buffer`, of TIMESTAMP_SIZE bytes. */
const char *timestamp_print(int64_t seconds, uint32_t nanoseconds, char *buffer);

/* The same for virtual time `time` of a scenario whose time 0 is `epoch` nanoseconds after 1970.
   The sum is taken without overflow. */
const char *timestamp_print_virtual(int64_t epoch, storm_time time, char *buffer);

/* The year of the instant `seconds` after 1970, from year 1 on; the days of a month; the days from
   1970-01-01 to a date, years 0 .. 9999. All of the Gregorian calendar; months are 1 .. 12. */
int64_t timestamp_year(int64_t seconds);
int timestamp_month_days(int64_t year, int month);
int64_t timestamp_days(int64_t year, int month, int day);

#endif
