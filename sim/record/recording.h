/* recording.h: the counts, sums and curves that a recorder keeps of one run. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RECORD_RECORDING_H
#define RECORD_RECORDING_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/fact.h>
#include <retrystorm/policy.h>
#include <retrystorm/scenario.h>
#include <retrystorm/units.h>

#include "base/hist.h"
#include "record/key_map.h"

struct arena;

/* The busiest sliding window is found in steps of this: windows start at whole multiples of it. */
#define RECORDER_PEAK_STEP (10 * STORM_MILLISECOND)
#define RECORDER_PEAK_WINDOW STORM_SECOND
enum { RECORDER_PEAK_SLOTS = 100 };

/* Retries are counted in bins of this width to see how bunched they are. */
#define RECORDER_BUNCH_BIN (100 * STORM_MILLISECOND)

/* Side effects are counted by their kind (enum storm_effect). */
enum { RECORDER_EFFECTS = STORM_EFFECT_UNKEYED + 1 };

/* The busiest window of one second: a ring of counts per step, and their sum. */
struct peak {
    uint32_t counts[RECORDER_PEAK_SLOTS];
    int64_t step; /* of the newest slot */
    uint64_t sum, highest;
};

/* Sums over bins of retries: for the variance against that of a Poisson stream. */
struct bunching {
    int64_t first_bin, bin;
    uint64_t in_bin;
    double sum, sum_squares;
    bool begun;
};

/* Which bin of a curve the present is in, and where that bin ends. */
struct cursor {
    storm_time edge;
    uint32_t bin;
};

/* What one service went through. Integrals are in unit x seconds. */
struct service_record {
    uint64_t first, retries, refused, lost, served, failed, gave_up, started, waited;
    uint64_t cancelled, expired, vanished;
    uint64_t retries_refused, held_back; /* by callers' budgets; by their breakers and throttles */
    uint64_t breaker_opened, bans, suppressed, wrongly_merged;
    uint64_t effects[RECORDER_EFFECTS]; /* by enum storm_effect */
    uint32_t queue, busy, queue_peak, capacity, outages;
    uint32_t backing_off; /* calls of it that wait for their next try */
    double pace;          /* of the workers */
    storm_time changed;   /* up to when the integrals are complete */
    storm_time capacity_drawn;
    struct cursor level_cursor, track_cursor, capacity_cursor;
    double level_integral, queue_integral, busy_integral, full_integral, away_integral;
    double backing_off_integral;
    double wait_sum, useful_time, ghost_time;
    struct peak peak;
    struct bunching bunching;
    uint32_t crashes, knock_downs;
    /* curves, [bin] */
    double *first_bins, *retry_bins, *capacity_bins, *level_bins, *ghost_bins;
    double *held_back_bins;
    double *duplicate_bins; /* side effects that were none the first time, so far */
    /* for the verdict: mean level */
    double *level_before; /* [verdict bin]; from recorder_finish on: the sum of the bins before */
};

/* Births are counted by where they come from (enum storm_birth), and so are their ends. */
enum { RECORDER_BIRTHS = STORM_BIRTH_RERUN + 1 };

struct population_record {
    uint64_t born, succeeded, in_time, dead;
    uint64_t born_as[RECORDER_BIRTHS], succeeded_as[RECORDER_BIRTHS], dead_as[RECORDER_BIRTHS];
    uint64_t dead_by_reason[STORM_REASON_COUNT];
    uint64_t attempts; /* of ended requests */
    storm_time last_end;
    uint32_t letters;     /* where its dead letters are: an index into the recorder's */
    struct hist *latency; /* of every success */
    double *born_bins, *failed_bins, *goodput_bins, *dead_bins;
    double *ended_bins; /* by birth, however it ended: what is missing at the end is pending */
};

/* A message waits, or a consumer has it in hand, or (stale deliveries) both: then it waits. */
struct queue_record {
    uint64_t deliveries, redeliveries;
    struct key_map waiting; /* 1: it has come back; 0: it was never delivered */
    uint32_t waiting_peak, in_flight;
    uint32_t drawn; /* bins that are complete */
    double *ready_bins, *held_bins;
};

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

/* First births that can be judged, and those that succeeded in time, by time of birth, in the
   verdict's own bins. */
struct verdict_track {
    storm_time width;
    uint32_t count;
    double *births, *good;
    double *births_before, *good_before; /* [count + 1]: sums of the bins before */
};

struct recorder {
    const struct storm_scenario *scenario;
    const struct storm_scenario *in_force; /* its settings after what operators have changed */
    storm_time change_at;                  /* when they change next; STORM_NEVER: no more */
    storm_time duration;
    storm_time known_until; /* requests due before it have ended well or never will: the duration,
                               or STORM_NEVER in a run until idle, which leaves none */
    storm_time bin_width;
    uint32_t bin_count;
    struct service_record *services;
    struct population_record *populations;
    struct queue_record *queues;
    struct letter_record *letters; /* [population]; empty but where a queue begins */
    struct alarm_record alarms;
    struct key_map copies; /* requests under way that are copies: enum storm_birth by their key */
    struct arena *arena;
    bool out_of_memory; /* counts are not to be trusted any more */
    struct verdict_track track;
    storm_time trigger_from, trigger_to; /* -1, -1: no trigger */
    storm_time end;                      /* up to when facts were heard */
    uint64_t digest;
};

/* The bin of a moment. What happens at the very end of a run until idle is in the last bin. */
static inline uint32_t recorder_bin_at(const struct recorder *recorder, storm_time time) {
    assert(time >= 0 && time <= recorder->duration);
    uint32_t bin = (uint32_t)(time / recorder->bin_width);
    return bin < recorder->bin_count ? bin : recorder->bin_count - 1;
}

#endif
