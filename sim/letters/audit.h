/* audit.h: who did what to which letter, and how it ended: an append-only file beside the
   letters. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LETTERS_AUDIT_H
#define LETTERS_AUDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <retrystorm/error.h>
#include <retrystorm/units.h>

#include "base/arena.h"
#include "letters/letter.h"

/* One replay, as far as the file tells. */
struct audit_replay {
    uint32_t number; /* from 1 */
    const char *by, *at;
    bool ended;       /* else it was cut short */
    uint32_t letters; /* that were to be sent */
    uint32_t sent, succeeded, dead;
};

/* An audit file. Begins zeroed; audit_close, whatever has happened to it. */
struct audit {
    const char *path;
    struct audit_replay *replays; /* the arena's */
    uint32_t replay_count;
    bool torn;     /* its last line had no end: a writer was killed; it counts as not written */
    FILE *out;     /* NULL: only read */
    int failed;    /* errno of the first write that failed; 0: none */
    uint32_t news; /* lines since the last look at the disk */
};

/* Reads the file, if there is one, and notes in the letters what was done about them; letters that
   it names and the file of letters has no more are passed over. False after filling `error`. */
bool audit_read(struct audit *audit, const char *path, struct letters *letters, struct arena *arena,
                struct storm_error *error);

/* The same for a text. What stands behind the end of its last line is torn off: `whole` bytes
   count. */
bool audit_parse(struct audit *audit, const char *path, const char *text, size_t length,
                 size_t *whole, struct letters *letters, struct arena *arena,
                 struct storm_error *error);

/* The same, and opens it for more: it is made if need be, locked against other writers (STORM_IO
   when there is one) and freed of a torn line. */
bool audit_open(struct audit *audit, const char *path, struct letters *letters, struct arena *arena,
                struct storm_error *error);

/* What is said of a replay when it begins. Texts may be NULL: not known. */
struct audit_begin {
    const char *by, *at, *now;
    const char *letters_file, *scenario, *variant;
    uint64_t seed;
    const char *queue;
    uint32_t letters;
    double rate; /* per second; 0: all at once */
    storm_time ramp;
    uint32_t probe;
};

/* How one letter fared. */
enum audit_event { AUDIT_SENT, AUDIT_SUCCEEDED, AUDIT_DEAD };

struct audit_outcome {
    enum audit_event event;
    const char *at;
    const char *reason; /* DEAD */
    uint16_t status;
    uint32_t attempts;
};

/* What is said of it when it is over. */
struct audit_end {
    uint32_t sent, succeeded, dead, in_doubt, not_sent, duplicates;
};

/* What somebody has decided. */
struct audit_decision {
    enum letter_state state;
    const char *by, *note, *now; /* the latter two may be NULL */
};

/* Each writes one whole line, in one write. A failure stays in `failed`. audit_replay_begins gives
   the replay its number, which the next three carry. Every 1,000 lines, and around a replay, the
   file is flushed to the disk. */
void audit_replay_begins(struct audit *audit, const struct audit_begin *begin);
void audit_letter(struct audit *audit, const struct letter *letter,
                  const struct audit_outcome *outcome);
void audit_replay_progresses(struct audit *audit, const struct audit_end *so_far, uint32_t of);
void audit_replay_ends(struct audit *audit, const struct audit_end *end);
void audit_decide(struct audit *audit, const struct letter *letter,
                  const struct audit_decision *decision);

/* Whether all that was written has reached the disk; fills `error` otherwise. */
bool audit_sync(struct audit *audit, struct storm_error *error);

void audit_close(struct audit *audit);

#endif
