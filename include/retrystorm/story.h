/* story.h: the life of one request: every fact about it, its copies and messages, and all attempts
   made for them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RETRYSTORM_STORY_H
#define RETRYSTORM_STORY_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/fact.h>
#include <retrystorm/units.h>

/* What does not fit into so many lines is left out; the request's end is known all the same. */
enum { STORM_STORY_LINES_MAX = 4000 };

enum storm_story_kind {
    STORM_STORY_ATTEMPT,  /* by a client, by a service further down, or by a consumer */
    STORM_STORY_MESSAGE,  /* what an attempt has become in a queue: a request of its consumers */
    STORM_STORY_DELIVERY, /* of a message to a consumer */
    STORM_STORY_COPY,     /* the request once more: replayed, resent or rerun */
    STORM_STORY_REQUEST   /* itself; a story has it apart, a window among the others */
};

/* One of those through which a story goes: all that is done for a request. */
struct storm_story_attempt {
    uint64_t key, parent; /* of itself, and of who sent it: the request or another one of these */
    uint32_t depth;       /* 0: the request's copies; 1: attempts of the client's own; 2: by the
                             service that these reached, or the message that they became; ... */
    uint32_t number;      /* attempts: 1 is the first try of its call; deliveries: the message's
                             first; copies and messages: the story's first */
    storm_time sent;
    uint16_t place; /* the service; of all others, the population */
    uint8_t kind;   /* enum storm_story_kind */
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
    bool ended; /* succeeded or dead within the run, and so have its copies and messages */
    struct storm_story_line end; /* of the last of them */
    uint32_t attempt_count, line_count;
    struct storm_story_attempt *attempts; /* in the order in which they were sent */
    struct storm_story_line *lines;       /* in the order in which they happened */
};

/* "born", "backed_off", ...; never NULL. */
const char *storm_fact_word(enum storm_fact_kind kind);

#endif
