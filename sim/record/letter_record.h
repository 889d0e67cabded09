/* letter_record.h: what lies in each dead-letter queue, for how long, and when somebody is told. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RECORD_LETTER_RECORD_H
#define RECORD_LETTER_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/fact.h>
#include <retrystorm/results.h>
#include <retrystorm/units.h>

#include "record/key_map.h"

struct arena;
struct recorder;

/* A letter that has been in a dead-letter queue. */
struct letter {
    storm_time died;
    uint64_t name;      /* of its request: population, origin, member and ordinal */
    uint32_t next_same; /* the next younger one of that name in the queue, or STORM_NONE */
    bool gone;          /* replayed, or its retention is over */
};

/* Empty where nobody looks after dead letters (SCOPE_LETTERS). */
struct letter_record {
    const char *queue;
    storm_time retention;
    struct letter *letters; /* [count], in the order in which they died */
    uint32_t count, room;
    uint32_t oldest; /* the first that is still kept; count: none */
    uint32_t kept;
    uint64_t run_out;     /* those whose retention was over: expired, or archived */
    struct key_map names; /* of those kept: the oldest of each name */
    uint32_t drawn;       /* bins that are complete */
    double *kept_bins;
};

/* An alert that went off. */
struct alarm {
    uint32_t alert; /* index into the scenario's */
    storm_time first_letter, raised;
};

/* The alerts of all queues. */
struct alarm_record {
    bool *is_raised;      /* [alert] */
    uint64_t *times;      /* [alert] how often it went off */
    storm_time *first;    /* [alert] for the first time; STORM_NEVER: never */
    uint32_t count, room; /* of those below */
    struct alarm *alarms; /* the first ALARMS_KEPT of them */
};

enum { ALARMS_KEPT = 1000 };

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
