/* story.h: the life of one request: every fact about it and about all attempts made for it. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RETRYSTORM_STORY_H
#define RETRYSTORM_STORY_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/fact.h>
#include <retrystorm/units.h>

/* What does not fit into so many lines is left out; the request's end is known all the same. */
enum { STORM_STORY_LINES_MAX = 4000 };

/* An attempt made for the request, by its client or by a service further down. */
struct storm_story_attempt {
    uint64_t key, parent; /* of itself, and of who sent it: the request or another attempt */
    uint32_t depth;       /* 1: the client's own; 2: by the service that it reached, and so on */
    uint32_t number;      /* 1: the first try of its call */
    storm_time sent;
    uint16_t service;
};

struct storm_story_line {
    struct storm_fact fact;
    uint32_t attempt; /* which one it is about; STORM_NONE: the request itself */
};

struct storm_story {
    uint32_t population, member, ordinal;
    uint64_t key; /* of the request */
    bool born;
    bool cut;   /* there was more to tell */
    bool ended; /* succeeded or dead within the run */
    struct storm_fact end;
    uint32_t attempt_count, line_count;
    struct storm_story_attempt *attempts; /* in the order in which they were sent */
    struct storm_story_line *lines;       /* in the order in which they happened */
};

/* "born", "backed_off", ...; never NULL. */
const char *storm_fact_word(enum storm_fact_kind kind);

#endif
