/* letter_record.h: what lies in each dead-letter queue, for how long, and when somebody is told. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RECORD_LETTER_RECORD_H
#define RECORD_LETTER_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/fact.h>
#include <retrystorm/results.h>
#include <retrystorm/units.h>

struct arena;
struct letter_record;
struct recorder;

/* Makes room for all dead-letter queues and puts in those letters that operators bring along. False
   at the arena's limit. */
bool letter_record_init(struct recorder *recorder, struct arena *arena);

/* Hears DEAD, and BORN of a replay. */
void letter_record_hear(struct recorder *recorder, const struct storm_fact *fact);

/* Lets time pass up to the end, and completes the curves and the list of alarms, which are then in
   the order of their times. */
void letter_record_finish(struct recorder *recorder, storm_time end);

/* The sum of what the alerts of a queue have raised, and the time from its first letter to the
   first alarm in seconds; NaN: there was none. */
double letter_record_alarms(const struct recorder *recorder, const struct letter_record *letters);
double letter_record_delay(const struct recorder *recorder, const struct letter_record *letters);

/* The alarms for those who write results. False at the arena's limit. */
bool letter_record_copy(const struct recorder *recorder, struct arena *arena,
                        struct storm_alarm **alarms, uint32_t *count);

#endif
