/* epoch.h: instants as people write them: RFC 3339, from 1970 to 2199. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SCENARIO_EPOCH_H
#define SCENARIO_EPOCH_H

#include <stdbool.h>
#include <stdint.h>

/* Reads a date with time and zone as nanoseconds since 1970; false when it is none. */
bool epoch_parse(const char *text, int64_t *epoch);

/* Writes it without zeros at the end of its fraction. `buffer` has TIMESTAMP_SIZE bytes and is
   returned. */
const char *epoch_print(int64_t epoch, char *buffer);

#endif
