/* trace.h: chooses one request of a run, and follows it through the tree of its attempts. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RECORD_TRACE_H
#define RECORD_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/fact.h>
#include <retrystorm/story.h>

struct arena;
struct storm_scenario;

/* Which request of a run is worth its story. */
enum trace_choice {
    TRACE_USUAL,  /* the first dead letter, else the slowest success */
    TRACE_DEAD,   /* the first dead letter */
    TRACE_SLOW,   /* the success that took longest */
    TRACE_RETRIED /* the success that took most tries by its client, at least two */
};

/* Hears a run and remembers the request to follow; zeroed but for `choice` it is ready. Since a run
   is the same each time, another pass over it can then follow that request. */
struct trace_chooser {
    enum trace_choice choice;
    bool found;
    struct storm_fact chosen; /* how the request ended: place, member and ordinal name it */
};

/* Fits struct storm_listener; the context is the chooser. */
void trace_choose(void *context, const struct storm_fact *fact);

struct trace;

/* Follows a request: `place` is its clients, with member and ordinal. What consumers have ended (a
   chosen one) is followed as the clients' request that it was. Memory is the arena's; NULL at its
   limit. */
struct trace *trace_new(struct arena *arena, const struct storm_scenario *scenario,
                        const struct storm_fact *request);

/* Fits struct storm_listener; the context is the trace. */
void trace_hear(void *context, const struct storm_fact *fact);

/* What was heard so far; lives as long as the arena. */
const struct storm_story *trace_story(const struct trace *trace);

#endif
