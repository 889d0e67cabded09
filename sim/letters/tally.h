/* tally.h: letters counted: how many of which kind, and when they came. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LETTERS_TALLY_H
#define LETTERS_TALLY_H

#include <stdbool.h>
#include <stdint.h>

#include "letters/letter.h"

/* Letters of one kind. */
struct tally_group {
    const char *name;
    uint32_t count;
};

enum tally_by { TALLY_QUEUE, TALLY_REASON, TALLY_STATUS, TALLY_CLASS, TALLY_STATE, TALLY_BY_COUNT };

/* What letters are counted by: "queue", ... */
const char *tally_word(enum tally_by by);

enum { TALLY_BINS = 8 };

/* Instants in nanoseconds since 1970; those of no letters are 0. */
struct tally {
    uint32_t count, unreviewed;
    struct {
        uint32_t count;
        struct tally_group *list; /* the largest first */
    } by[TALLY_BY_COUNT];
    int64_t oldest, newest;     /* deaths */
    uint32_t last_minute;       /* letters of the last minute up to the newest */
    uint32_t busiest_minute;    /* most of any minute ... */
    int64_t busiest_at;         /* ... which began then */
    uint32_t depth[TALLY_BINS]; /* letters so far at the end of each part of oldest .. newest */
    int64_t bin_end[TALLY_BINS];
};

/* Counts. Memory is the arena's; false without it. */
bool tally_letters(struct tally *tally, const struct letters *letters, struct arena *arena);

/* The status of a letter as a word: "503", "refused", "none". `buffer` has 8 bytes. */
const char *tally_status(uint16_t status, char *buffer);

#endif
