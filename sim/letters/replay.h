/* replay.h: dead letters sent once more in a run of the repaired scenario, and what became of
   each. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LETTERS_REPLAY_H
#define LETTERS_REPLAY_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <retrystorm/error.h>
#include <retrystorm/fact.h>
#include <retrystorm/scenario.h>

#include "base/arena.h"
#include "letters/audit.h"
#include "letters/letter.h"
#include "letters/plan.h"

/* What has become of one letter so far. */
enum replay_state { REPLAY_WAITS, REPLAY_UNDER_WAY, REPLAY_SUCCEEDED, REPLAY_DEAD };

struct replay_letter {
    struct letter *letter;
    uint64_t act; /* the key of its request in the run */
    enum replay_state state;
    uint64_t key;          /* of its copy, once it is under way */
    struct storm_fact end; /* once it has ended */
};

/* The peak of what arrives at a service on the way. */
struct replay_peak {
    double each;    /* attempts that one letter sends there, at best; 0: it is not on the way */
    int64_t second; /* since the replay's beginning */
    uint64_t count; /* in that second */
    uint64_t most;  /* in the busiest second from then on */
    uint32_t crashes;
};

/* A replay: before, during and after its run. All memory is the arena's. */
struct replay {
    struct storm_scenario scenario; /* the repaired one and the replay's action */
    struct plan_target target;
    uint64_t seed;
    storm_time at;
    struct replay_letter *list; /* in the order in which they are sent */
    uint32_t count;
    struct replay_letter **by_act; /* the same, by act, then in that order */
    struct replay_peak *peaks;     /* [service] */
    struct audit *audit;           /* set by the caller; NULL: none */
    struct audit_end totals;       /* in_doubt and not_sent by replay_finish */
    uint32_t effects;              /* side effects of letters, the duplicates among them included */
    uint32_t live_dead;            /* other requests that died from the replay's beginning on */
    uint32_t probe;                /* letters that are sent first and waited for; 0: all go */
    uint32_t probe_succeeded;
    storm_time last;             /* when the last letter ended */
    volatile sig_atomic_t *stop; /* the caller's; set when the audit file cannot be written */
};

/* Makes the scenario that is to be run with that seed, as its run 0: an action of it sends the
   letters. The requests that they stand for become requests of their own, which no live traffic
   has: ordinals far above, chosen so that what was wrong with a message still is, and that a
   running number stays the same. False after filling `error`. */
bool replay_prepare(struct replay *replay, const struct plan_wish *wish,
                    const struct plan_target *target, uint64_t seed, struct arena *arena,
                    struct storm_error *error);

/* The listener's hear. Each letter's fate goes to the audit file as it becomes known. */
void replay_hear(void *context, const struct storm_fact *fact);

/* The run is over: counts what never ended or was never sent. */
void replay_finish(struct replay *replay);

/* Writes the letters that died again, as dead letters with the old and the new evidence. */
void replay_write_dead(const struct replay *replay, FILE *out);

#endif
